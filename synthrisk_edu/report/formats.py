"""May I read this, too? Files of other programs, each by a reader that somebody maintains.

A reader that is not installed is one sentence with the line to install it; nothing here runs what
a file says, and nothing is fetched.
"""

import importlib.util
from functools import partial

import pandas as pd


def read_transport(path):
    """Read a transport file of SAS, of version 5 or 8."""
    import pyreadstat

    return pyreadstat.read_xport(path)[0]


def read_r(path):
    """The data frame in a file of R; the first one if there are several."""
    import rdata

    read = rdata.read_rds if path.suffix.lower() == ".rds" else rdata.read_rda
    found = read(path)
    tables = found.values() if isinstance(found, dict) else [found]
    return next((one for one in tables if isinstance(one, pd.DataFrame)), None)


# How a name ends: what it is, the package that reads it, and how.
FORMATS = {
    ".parquet": ("a Parquet file", "pyarrow", pd.read_parquet),
    ".xlsx": ("an Excel workbook", "openpyxl", pd.read_excel),
    ".dta": ("a Stata file", "pandas", pd.read_stata),
    ".sav": ("an SPSS file", "pyreadstat", pd.read_spss),
    ".zsav": ("an SPSS file", "pyreadstat", pd.read_spss),
    ".sas7bdat": ("a SAS file", "pandas", partial(pd.read_sas, encoding="infer")),
    ".xpt": ("a SAS transport file", "pyreadstat", read_transport),
    ".rds": ("an R file", "rdata", read_r),
    ".rda": ("an R file", "rdata", read_r),
    ".rdata": ("an R file", "rdata", read_r),
}


def read_other(path, name):
    """Return the table of a file of another program, or None if its name says that it is text."""
    if path.suffix.lower() not in FORMATS:
        return None
    what, package, read = FORMATS[path.suffix.lower()]
    if importlib.util.find_spec(package) is None:
        no_reader(name, what, package)
    try:
        table = read(path)
    except Exception as error:  # each reader has errors of its own
        broken_format(name, what, error)
    if table is None:
        raise ValueError(f"{name} holds no table; save the data frame alone, or as CSV.")
    if not len(table):
        no_rows(name)
    return table


def no_reader(name, what, package):
    """Raise: the package that reads this kind of file is not installed."""
    raise ImportError(
        f"{name} is {what}, and this needs {package}, which is not here; install it with "
        f"`python -m pip install {package}`, or save the file as CSV."
    )


def broken_format(name, what, error):
    """Raise: the file is not what its name says."""
    kind = type(error).__name__
    raise ValueError(
        f"{name} cannot be read as {what} ({kind}); it is damaged or something else, so save it "
        "anew, or as CSV."
    ) from None


def no_rows(name):
    """Raise: there are names of columns and nothing below them."""
    raise ValueError(f"{name} has column names and no rows; it needs at least one record.")
