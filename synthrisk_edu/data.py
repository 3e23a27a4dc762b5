"""What do we look at? The simulated data files and their codebooks.

Nobody in these files exists: `data/make_data.py` simulates them, so that they agree with a few
published totals and averages of real surveys. Every call reads the file anew; change what you get
as you like.
"""

from pathlib import Path

import pandas as pd

from synthrisk_edu import checks


def load_acs():
    """Return 10,000 simulated persons with ten categorical variables.

    They stand in for a sample of the American Community Survey of 2012.

    >>> load_acs().shape
    (10000, 10)
    >>> list(load_acs()["SEX"].cat.categories)
    [1, 2]
    """
    return _load("acs")


def load_ce():
    """Return 5,571 simulated consumer units with seven variables.

    They stand in for a sample of the Consumer Expenditure Surveys. Age, Expenditure and Income are
    numbers, the other four are categories.

    >>> load_ce().shape
    (5571, 7)
    >>> list(load_ce().select_dtypes("number"))
    ['Age', 'Expenditure', 'Income']
    """
    return _load("ce")


def load_diagnosis():
    """Return 5,000 simulated persons with nine variables.

    They stand in for a sample of Social Diagnosis 2011, a survey in Poland. Age, depress (a
    depression score) and income are numbers, the other six are categories. Missing values are NaN.
    An income of -8 is a code, not a quantity: not applicable or refused.

    >>> load_diagnosis().shape
    (5000, 9)
    >>> list(load_diagnosis().select_dtypes("number"))
    ['age', 'depress', 'income']
    """
    return _load("diagnosis")


def load_youth():
    """Return 2,621 simulated youths in 50 facilities, with eight variables.

    They stand in for the Survey of Youth in Custody of 1987. Age and weight are numbers, the other
    six are categories. Missing values of race, ethnicity and crime are NaN.

    >>> load_youth().shape
    (2621, 8)
    >>> load_youth()["ethnicity"].value_counts(dropna=False).tolist()
    [2146, 467, 8]
    """
    return _load("youth")


def codebook(name):
    """Return what the variables and codes of a simulated file mean, one row for each code.

    A numeric variable has a single row, without a code; its meaning is the unit and the range.

    >>> book = codebook("acs")
    >>> book.loc[book["variable"] == "DIS", ["code", "meaning"]].to_numpy().tolist()
    [[1, 'yes'], [2, 'no']]
    """
    ending = "_codebook.csv"
    options = sorted(path.name.removesuffix(ending) for path in _folder().glob("*" + ending))
    book = _read(checks.one_of("name", name, options) + ending)
    if pd.api.types.is_numeric_dtype(book["code"]):
        book["code"] = book["code"].astype("Int64")  # whole numbers, though some are missing
    return book


def load_acs_synthetics():
    """Return 20 synthetic versions of `load_acs()`, with DIS and HICOV synthesized by DPMPM.

    `data/make_synthetic.py` made them.

    >>> len(load_acs_synthetics())
    20
    """
    acs, drawn = load_acs(), _read("acs_dpmpm.csv")
    numbers = range(1, drawn.shape[1] // 2 + 1)
    return [
        acs.assign(**{n: drawn[f"{n}_{k}"].astype(acs[n].dtype) for n in ("DIS", "HICOV")})
        for k in numbers
    ]


def load_results(name):
    """Return results that take minutes to compute, as `data/make_synthetic.py` stored them.

    >>> load_results("ce_pool").columns.tolist()
    ['risk', 'pmse']
    """
    options = ("acs_classes", "ce_releases", "ce_pool", "youth_knowledge")
    return _read(checks.one_of("name", name, options) + ".csv")


def in_words(data, name):
    """Return the data with every code replaced by its meaning in the codebook `name`.

    >>> in_words(load_acs().head(2), "acs").loc[0, ["SEX", "MAR"]].tolist()
    ['female', 'married']
    """
    book = codebook(name).dropna(subset=["code"])
    meanings = {
        variable: dict(zip(rows["code"], rows["meaning"], strict=True))
        for variable, rows in book.groupby("variable")
        if variable in data
    }
    return data.assign(
        **{
            variable: data[variable].cat.rename_categories(words)
            for variable, words in meanings.items()
        }
    )


def _load(name):
    """Read a data file and turn coded variables into categories with the codebook's levels."""
    frame, book = _read(f"{name}.csv"), codebook(name)
    coded = book[book["type"] == "categorical"]
    for variable, rows in coded.groupby("variable"):
        numbers = pd.api.types.is_numeric_dtype(frame[variable])
        levels = rows["code"].astype("int64" if numbers else frame[variable].dtype)
        frame[variable] = frame[variable].astype(pd.CategoricalDtype(levels))
    return frame


def _read(file_name):
    """Read one CSV file of the package."""
    path = _folder() / file_name
    if not path.is_file():
        checks.data_file_missing(path)
    return pd.read_csv(path, encoding="utf-8")


def _folder():
    """Return where the files are: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    installed, checkout = package / "files", package.parent / "data"
    return installed if installed.is_dir() else checkout
