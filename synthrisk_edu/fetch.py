"""What do the real files say? They are downloaded when you ask for them, once, and checked.

The lessons use simulated data and never need these files. `fetch_acs()` and its sisters get the
public files that the simulated ones stand in for, in the same shape, so that published numbers
can be computed on published data. This is the only room that uses the network.

A file is kept in `cache_folder()` and used only if its SHA-256 is the one in `data/real_files.csv`,
when it arrives and every time it is read.
"""

import hashlib
import importlib.util
import io
import os
import sys
import tempfile
import urllib.request
from functools import cache
from http.client import HTTPException, IncompleteRead
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from synthrisk_edu import old_checks as checks
from synthrisk_edu.data import load_acs, load_ce, load_diagnosis, load_youth, read_shipped

SECONDS = 30  # how long a silent server is waited for
THIS_COMPUTER = ("localhost", "127.0.0.1", "::1")


class RealFile(NamedTuple):
    """Where a file is published, its size and SHA-256, and the `fetch_*` that needs it."""

    address: str
    size: int
    sha256: str
    needed_by: str


@cache
def real_files():
    """Return what is known of every file, by its name."""
    return {row.name: RealFile(*row[2:]) for row in read_shipped("real_files.csv").itertuples()}


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


def fetch_acs():
    """Return the real sample behind `load_acs()`: 10,000 persons of the ACS 2012.

    It belongs to J. Hu's lectures on data confidentiality.
    """
    return _like(load_acs(), pd.read_csv(io.BytesIO(_content("ACSdata.csv"))))


def fetch_ce():
    """Return the real sample behind `load_ce()`: 5,571 consumer units.

    It belongs to Hornby and Hu's R package IdentificationRiskCalculation. Needs the package rdata.
    """
    return _like(load_ce(), _read_r("CEdata.RData"))


def fetch_diagnosis():
    """Return the real sample behind `load_diagnosis()`: 5,000 persons of Social Diagnosis 2011.

    It belongs to the R package synthpop, which has 35 variables; the nine of the lessons are
    returned. Needs the package rdata.
    """
    return _like(load_diagnosis(), _read_r("SD2011.rda"))


def fetch_youth():
    """Return the real file behind `load_youth()`: 2,621 youths in custody in 1987.

    It belongs to the R package SDaA. The variables have the names and codes of `load_youth()`;
    facilities keep the survey's own numbers. Needs the package rdata.
    """
    youth = _read_r("syc.rda").rename(columns=YOUTH_NAMES)
    for name, codes in YOUTH_CODES.items():
        youth[name] = youth[name].astype(object).map(codes)  # what is missing stays missing
    others = _like(load_youth().drop(columns="facility"), youth)
    others.insert(0, "facility", pd.Categorical(youth["facility"].astype("int64")))
    return others


def fetch_adult():
    """Return the Adult data of the UCI repository: 48,842 persons and 15 variables.

    B. Becker and R. Kohavi took them from the US census of 1994 (CC BY 4.0). A last column, part,
    says whether a person is in the file for training or in the one for testing. Nothing simulated
    stands in for them.

    >>> fetch_adult()["part"].value_counts().to_dict()  # doctest: +SKIP
    {'train': 32561, 'test': 16281}
    """
    shape = {"names": ADULT_COLUMNS, "skipinitialspace": True, "comment": "|", "na_values": "?"}
    contents = {"train": _content("adult.data"), "test": _content("adult.test")}
    parts = [pd.read_csv(io.BytesIO(c), **shape).assign(part=p) for p, c in contents.items()]
    adult = pd.concat(parts, ignore_index=True)
    adult["income"] = adult["income"].str.rstrip(".")  # as the incomes of the file for testing end
    words = adult.select_dtypes(exclude="number").columns
    return adult.astype(dict.fromkeys(words, "category"))


def at_hand(name):
    """Tell whether `fetch_<name>()` can answer without the network.

    Its files must be in the cache, unharmed, and R's formats need the package rdata.
    """
    checks.one_of("name", name, sorted({file.needed_by for file in real_files().values()}))
    needed = [one for one, file in real_files().items() if file.needed_by == name]
    readable = _has_reader() or not any(file.endswith((".rda", ".RData")) for file in needed)
    return readable and all(_cached(file) is not None for file in needed)


def _like(simulated, real):
    """Return the real data with the variables and types of the simulated ones.

    >>> simulated = pd.DataFrame({"sex": pd.Categorical([1, 2]), "age": [30, 40]})
    >>> real = pd.DataFrame({"age": [51.0], "sex": [2], "height": [170]}, index=[1])
    >>> _like(simulated, real).to_dict("records")
    [{'sex': 2, 'age': 51}]
    """
    chosen = real[list(simulated)].set_axis(simulated.columns, axis=1).reset_index(drop=True)
    return chosen.astype(object).astype(simulated.dtypes.to_dict())  # levels in our order


def _read_r(name):
    """Return the data frame in a file of R's format; the reader runs no code from the file."""
    if not _has_reader():
        raise ModuleNotFoundError(
            f"{name} is in R's own format, and the package rdata, which reads it, is not "
            'installed; run `%pip install "rdata<2"` in a notebook, or `python -m pip install '
            '"rdata<2"` with the Python of .venv, and restart the kernel.'
        )
    import rdata  # slow to load, so only those wait who need it

    objects = rdata.read_rda(io.BytesIO(_content(name)), default_encoding="utf-8")
    return _plain_missing(next(iter(objects.values())))


def _plain_missing(data):
    """Return the data with ordinary NaN: R's missing number is one that NumPy warns about."""
    numbers = data.select_dtypes("float64")
    return data.assign(**numbers.where(numbers.notna(), np.nan))


def _has_reader():
    return importlib.util.find_spec("rdata") is not None


def cache_folder():
    """Return the folder of downloaded files.

    It is the one that the environment variable SYNTHRISK_EDU_CACHE names, or else
    `synthrisk_edu` in the place where this system wants such files.
    """
    if chosen := os.environ.get("SYNTHRISK_EDU_CACHE"):
        return Path(chosen)
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        usual = os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local"
    elif sys.platform == "darwin":
        usual = home / "Library" / "Caches"
    else:
        usual = os.environ.get("XDG_CACHE_HOME") or home / ".cache"
    return Path(usual) / "synthrisk_edu"


def _content(name):
    """Return the bytes of a real file: from the cache, or else from the network."""
    content = _cached(name)
    if content is not None:
        return content
    if os.path.exists(cache_folder() / name):
        print(f"The stored {name} is damaged or another version; it is fetched anew.")
    return _download(name)


def _cached(name):
    """Return the bytes of a file in the cache, or None if it is not there or not genuine."""
    try:
        content = (cache_folder() / name).read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == real_files()[name].sha256 else None


def _download(name):
    """Download a file, check it, and only then give it its name in the cache; return its bytes.

    It is stored in a folder of its own first, so two programs that fetch at once do not meet.
    """
    path, address, wanted = cache_folder() / name, _address(name), real_files()[name]
    print(f"Downloading {name} ({wanted.size / 1e6:.2f} MB, once) ...", flush=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            content = _receive(address, wanted.size, path)
            found = hashlib.sha256(content).hexdigest()
            if found != wanted.sha256:
                raise RuntimeError(
                    f"what {address} sent is not the {name} that we know (its SHA-256 begins with "
                    f"{found[:8]}, not {wanted.sha256[:8]}) and was thrown away; your network may "
                    "show a login page instead, so open the address in a browser, then try again, "
                    "and tell us if the file has changed."
                )
            part = Path(folder) / name
            part.write_bytes(content)
            try:
                os.replace(part, path)
            except PermissionError:  # Windows, while another program reads the very file
                if not path.is_file():
                    raise
    except OSError as error:  # of the disk: those of the network have become a sentence
        raise OSError(
            f"downloaded files cannot be kept in {path.parent} ({error.strerror or error}); name a "
            "folder of your own in the environment variable SYNTHRISK_EDU_CACHE and try again."
        ) from None
    return content


def _address(name):
    """Return where a file is fetched from: its publisher, or SYNTHRISK_EDU_MIRROR if that is set.

    A mirror is the https address of a folder with the same files. (On this computer itself plain
    http will do: the tests use it.)
    """
    mirror = os.environ.get("SYNTHRISK_EDU_MIRROR")
    if not mirror:
        return real_files()[name].address
    parts = urlsplit(mirror)
    local = parts.scheme == "http" and parts.hostname in THIS_COMPUTER
    if not (local or (parts.scheme == "https" and parts.hostname)):
        raise ValueError(
            f"SYNTHRISK_EDU_MIRROR must be an address that begins with https://, not {mirror!r}."
        )
    return mirror.rstrip("/") + "/" + name


def _receive(address, size, path):
    """Return what an address sends, but never more than one byte above `size`."""
    request = urllib.request.Request(address, headers={"User-Agent": "synthrisk_edu"})
    try:
        with urllib.request.build_opener(_OnlyToHttps).open(request, timeout=SECONDS) as answer:
            content, announced = answer.read(size + 1), answer.headers.get("Content-Length", "")
        if announced.isdecimal() and len(content) < min(int(announced), size + 1):
            raise IncompleteRead(content)
        return content
    except (OSError, HTTPException) as error:
        raise RuntimeError(
            f"{path.name} could not be downloaded ({_reason(error)}); the lessons run without it, "
            f"and to have it connect to the internet and try again, or save {address} as {path} by "
            "hand."
        ) from None


class _OnlyToHttps(urllib.request.HTTPRedirectHandler):
    """Follows a redirection only if it leads to https."""

    def redirect_request(self, request, answer, code, message, headers, address):
        """Return the request for the new address; leave the server if that is not safe."""
        if urlsplit(address).scheme != "https":
            answer.close()
            raise RuntimeError(
                f"the server wants to pass the download on to {address}, which is not https, and "
                "so nothing was fetched; try again from another network."
            )
        return super().redirect_request(request, answer, code, message, headers, address)


def _reason(error):
    """Say in a few words why a download failed."""
    if isinstance(error, HTTPError):
        error.close()
        return f"the server answered {error.code}"
    if isinstance(error, IncompleteRead):
        return "the transfer broke off before the end"
    cause = getattr(error, "reason", error)  # what urllib has wrapped
    if isinstance(cause, TimeoutError):
        return "the server was silent for too long"
    return f"no connection: {str(cause) or type(cause).__name__}"
