"""Checks of the fetch room."""

from http.client import IncompleteRead
from urllib.error import HTTPError
from urllib.parse import urlsplit

THIS_COMPUTER = ("localhost", "127.0.0.1", "::1")


def download_failed(address, path, error):
    """Raise: the network did not bring the file."""
    if isinstance(error, HTTPError):
        error.close()
    raise RuntimeError(
        f"{path.name} could not be downloaded ({_reason(error)}); the lessons run without it, and "
        f"to have it connect to the internet and try again, or save {address} as {path} by hand."
    ) from None


def _reason(error):
    """Say in a few words why a download failed."""
    cause = getattr(error, "reason", error)  # what urllib has wrapped
    if isinstance(error, HTTPError):
        return f"the server answered {error.code}"
    if isinstance(error, IncompleteRead):
        return "the transfer broke off before the end"
    if isinstance(cause, TimeoutError):
        return "the server was silent for too long"
    return f"no connection: {str(cause) or type(cause).__name__}"


def same_checksum(found, wanted, address, path):
    """Raise unless a file that has arrived is the one we know."""
    if found != wanted:
        raise RuntimeError(
            f"what {address} sent is not the {path.name} that we know (its SHA-256 begins with "
            f"{found[:8]}, not {wanted[:8]}) and was thrown away; your network may show a login "
            "page instead, so open the address in a browser, then try again, and tell us if the "
            "file has changed."
        )


def cache_unusable(folder, error):
    """Raise: files cannot be kept in the cache folder."""
    raise OSError(
        f"downloaded files cannot be kept in {folder} ({error.strerror or error}); name a folder "
        "of your own in the environment variable SYNTHRISK_EDU_CACHE and try again."
    ) from None


def safe_mirror(address):
    """Return the address of a mirror if it is https, or http on this very computer."""
    parts = urlsplit(address)
    local = parts.scheme == "http" and parts.hostname in THIS_COMPUTER
    if not (local or (parts.scheme == "https" and parts.hostname)):
        raise ValueError(
            f"SYNTHRISK_EDU_MIRROR must be an address that begins with https://, not {address!r}."
        )
    return address


def safe_redirection(address, answer):
    """Raise, and leave the server, unless the address it passes us on to is https."""
    if urlsplit(address).scheme != "https":
        answer.close()
        raise RuntimeError(
            f"the server wants to pass the download on to {address}, which is not https, and so "
            "nothing was fetched; try again from another network."
        )


def reader_missing(name):
    """Raise: the package that reads R's formats is not installed."""
    raise ModuleNotFoundError(
        f"{name} is in R's own format, and the package rdata, which reads it, is not installed; "
        'run `%pip install "rdata<2"` in a notebook, or `python -m pip install "rdata<2"` with '
        "the Python of .venv, and restart the kernel."
    )
