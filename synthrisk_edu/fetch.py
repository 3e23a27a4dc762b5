"""What do the real files say? They are downloaded when you ask for them, once, and checked.

The lessons use simulated data and never need these files. `fetch_acs()` and its sisters get the
public files that the simulated ones stand in for, in the same shape, so that published numbers
can be computed on published data. This is the only room that uses the network.

The package pooch keeps the files, in `store().path`. It uses a file only if its SHA-256 is the one
in `data/real_files.csv`, when it arrives and every time it is read.
"""

import importlib.util
import os
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import load_acs, load_ce, load_diagnosis, load_youth, read_shipped
from synthrisk_edu.progress import Progress

if TYPE_CHECKING:  # slow to load, so only those wait who need it
    import pooch

# What the real youth file calls the variables of `load_youth()`, and its words for their codes.
YOUTH_NAMES = {"psu": "facility", "ethnicty": "ethnicity", "crimtype": "crime", "finalwt": "weight"}
YOUTH_CODES = {
    "ethnicity": {"hispanic": 1, "notHispanic": 2},
    "sex": {"male": 1, "female": 2},
    "crime": {"violent": 1, "property": 2, "drug": 3, "publicorder": 4, "juvenile": 5},
    "race": {str(code): code for code in range(1, 6)},
}

ADULT_COLUMNS = """age workclass fnlwgt education education-num marital-status occupation
relationship race sex capital-gain capital-loss hours-per-week native-country income""".split()


def fetch_acs() -> pd.DataFrame:
    """Return the real sample behind `load_acs()`: 10,000 persons of the ACS 2012.

    It belongs to J. Hu's lectures on data confidentiality.
    """
    return _like(load_acs(), pd.read_csv(_path("ACSdata.csv")))


def fetch_ce() -> pd.DataFrame:
    """Return the real sample behind `load_ce()`: 5,571 consumer units.

    It belongs to Hornby and Hu's R package IdentificationRiskCalculation.
    """
    return _like(load_ce(), _read_r("CEdata.RData"))


def fetch_diagnosis() -> pd.DataFrame:
    """Return the real sample behind `load_diagnosis()`: 5,000 persons of Social Diagnosis 2011.

    It belongs to the R package synthpop, which has 35 variables; the nine of the lessons are
    returned.
    """
    return _like(load_diagnosis(), _read_r("SD2011.rda"))


def fetch_youth() -> pd.DataFrame:
    """Return the real file behind `load_youth()`: 2,621 youths in custody in 1987.

    It belongs to the R package SDaA. The variables have the names and codes of `load_youth()`;
    facilities keep the survey's own numbers.
    """
    youth = _read_r("syc.rda").rename(columns=YOUTH_NAMES)
    for name, codes in YOUTH_CODES.items():
        youth[name] = youth[name].astype(object).map(codes)  # what is missing stays missing
    others = _like(load_youth().drop(columns="facility"), youth)
    others.insert(0, "facility", pd.Categorical(youth["facility"].astype("int64")))
    return others


def fetch_adult() -> pd.DataFrame:
    """Return the Adult data of the UCI repository: 48,842 persons and 15 variables.

    B. Becker and R. Kohavi took them from the US census of 1994 (CC BY 4.0). A last column, part,
    says whether a person is in the file for training or in the one for testing. Nothing simulated
    stands in for them.

    >>> fetch_adult()["part"].value_counts().to_dict()  # doctest: +SKIP
    {'train': 32561, 'test': 16281}
    """
    train = _read_adult("adult.data").assign(part="train")
    test = _read_adult("adult.test").assign(part="test")
    adult = pd.concat([train, test], ignore_index=True)
    adult["income"] = adult["income"].str.rstrip(".")  # as the incomes of the file for testing end
    words = adult.select_dtypes(exclude="number").columns
    return adult.astype(dict.fromkeys(words, "category"))


def _read_adult(name):
    """Return one of the two files of the Adult data; they name no columns."""
    return pd.read_csv(
        _path(name), names=ADULT_COLUMNS, skipinitialspace=True, comment="|", na_values="?"
    )


def at_hand(name: str) -> bool:
    """Tell whether `fetch_<name>()` can answer without the network.

    Its files must be in the cache, unharmed, and what reads them must be installed.
    """
    files = real_files()
    checks.one_of("name", name, sorted(set(files["needed_by"])))
    for needed in files.index[files["needed_by"] == name]:
        if _missing_package(needed) or not _is_kept(needed):
            return False
    return True


def real_files() -> pd.DataFrame:
    """Return where each file is published, its size and SHA-256, and the `fetch_*` it is for."""
    return read_shipped("real_files.csv").set_index("name")


def store() -> "pooch.Pooch":
    """Return what keeps the files: a folder, and where each file comes from.

    The folder is the one that the environment variable SYNTHRISK_EDU_CACHE names, or else where
    this system wants such files. A file comes from its publisher, or from SYNTHRISK_EDU_MIRROR if
    that is set: the https address of a folder with the same files.
    """
    import pooch

    mirror = os.environ.get("SYNTHRISK_EDU_MIRROR", "")
    if mirror and not mirror.startswith(("https://", "http://127.0.0.1:")):  # the second: our tests
        raise ValueError(
            f"SYNTHRISK_EDU_MIRROR must be an address that begins with https://, not {mirror!r}."
        )
    files = real_files()
    return pooch.create(
        pooch.os_cache("synthrisk_edu"),
        base_url=mirror,
        registry=files["sha256"].to_dict(),
        urls=None if mirror else files["address"].to_dict(),
        env="SYNTHRISK_EDU_CACHE",
    )


def _path(name):
    """Return where a real file is on this computer; it is downloaded first if it is not here."""
    if package := _missing_package(name):
        raise ModuleNotFoundError(
            f"{name} needs the package {package}, which is not installed; run `%pip install "
            '"synthrisk_edu[real]"` in a notebook, or the same with `python -m pip`, and restart '
            "the kernel."
        )
    import pooch

    pooch.get_logger().setLevel("WARNING")  # the line that moves says enough
    files = store()
    size = int(real_files().loc[name, "size"])
    try:
        with Progress(f"downloading {name}, in bytes", size, after=0) as line:
            return files.fetch(name, progressbar=_Arriving(line))
    except ValueError:  # of pooch, which has thrown the file away
        raise RuntimeError(
            f"what {files.get_url(name)} sent is not the {name} that we know; your network may "
            "show a login page instead, so open the address in a browser, then try again, and tell "
            "us if the file has changed."
        ) from None
    except OSError as error:
        if error.strerror or isinstance(error, PermissionError):  # of the disk, not the network
            raise OSError(
                f"downloaded files cannot be kept in {files.path} ({error.strerror or 'no access'})"
                "; name a folder of your own in the environment variable SYNTHRISK_EDU_CACHE and "
                "try again."
            ) from None
        raise RuntimeError(
            f"{name} could not be downloaded ({type(error).__name__}); the lessons run without it, "
            f"and to have it connect to the internet and try again, or save {files.get_url(name)} "
            f"as {files.path / name} by hand."
        ) from None


class _Arriving:
    """Moves the line of a `Progress` while pooch receives a file."""

    def __init__(self, line: Progress) -> None:
        self.line = line
        self.total = None  # pooch puts here what the server announces; the line knows the size

    def update(self, received: int) -> None:
        """So many more bytes are here; pooch counts the last piece as if it were whole."""
        missing = self.line.total - self.line.done
        if missing:
            self.line.step(min(received, missing))

    def reset(self) -> None:
        """Nothing begins anew."""

    def close(self) -> None:
        """The line ends with its `Progress`."""


def _is_kept(name):
    """Say whether a file is on this computer, unharmed."""
    import pooch

    files = store()
    path = files.path / name
    return path.is_file() and pooch.file_hash(path) == files.registry[name]


def _missing_package(name):
    """Return the package that is needed for a file and is not installed, or None."""
    needed = ["pooch"]
    if name.lower().endswith((".rda", ".rdata")):
        needed.append("rdata")
    for package in needed:
        if importlib.util.find_spec(package) is None:
            return package
    return None


def _read_r(name):
    """Return the data frame in a file of R's format; the reader runs no code from the file."""
    path = _path(name)
    import rdata  # slow to load, so only those wait who need it

    objects = rdata.read_rda(path, default_encoding="utf-8")
    first = next(iter(objects.values()))
    return _plain_missing(first)


def _plain_missing(data):
    """Return the data with ordinary NaN: R's missing number is one that NumPy warns about."""
    numbers = data.select_dtypes("float64")
    return data.assign(**numbers.where(numbers.notna(), np.nan))


def _like(simulated, real):
    """Return the real data with the variables and types of the simulated ones.

    >>> simulated = pd.DataFrame({"sex": pd.Categorical([1, 2]), "age": [30, 40]})
    >>> real = pd.DataFrame({"age": [51.0], "sex": [2], "height": [170]}, index=[1])
    >>> _like(simulated, real).to_dict("records")
    [{'sex': 2, 'age': 51}]
    """
    chosen = real[list(simulated)].set_axis(simulated.columns, axis=1).reset_index(drop=True)
    chosen.attrs = dict(simulated.attrs)  # the codebook of the one is that of the other
    return chosen.astype(object).astype(simulated.dtypes.to_dict())  # levels in our order
