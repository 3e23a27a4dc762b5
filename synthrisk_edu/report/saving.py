"""May I write this? Whole files or none: a full disk or Ctrl-C leaves the old report as it was."""

import errno
import os
import tempfile
from pathlib import Path

from synthrisk_edu.report.checks import quoted

# What a file system without links answers, when a file is to get its name by a link.
NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


def report_paths(value, stem):
    """Return the paths of the page and of the numbers, from a folder or a name in .html."""
    if not isinstance(value, str | Path):
        raise TypeError(
            f"save needs a folder, or a file name that ends with .html, not {type(value).__name__}."
        )
    try:
        path = Path(value).expanduser()
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, or far too long a name
        _not_saved(Path(value), error)
    if is_folder:
        return path / f"{stem}.html", path / f"{stem}.csv"
    if path.suffix.lower() != ".html":
        raise ValueError(
            f"{path.name!r} is neither a folder that exists nor a file name that ends with .html; "
            "make the folder first, or add .html."
        )
    if not has_folder:
        raise FileNotFoundError(
            f"there is no folder {path.parent.name!r} to save {path.name!r} in; make it first."
        )
    return path, path.with_suffix(".csv")


def already_there(paths):
    """Raise if one of the files exists: nothing is overwritten unasked."""
    for path in paths:
        if path.exists():
            raise FileExistsError(
                f"{path.name!r} exists already; choose another name, or pass overwrite=True."
            )


def write_files(texts, overwrite):
    """Write texts to their paths: first each to a file beside it, then all take their places."""
    written = {}
    try:
        for path, text in texts.items():
            written[path] = _write_beside(path, text)
        for path, made in written.items():
            _put_in_place(made, path, overwrite)
    finally:
        for made in written.values():
            made.unlink(missing_ok=True)


def _write_beside(path, text):
    """Write a text to a new file in the same folder; if that fails, nothing stays behind."""
    made = None
    try:
        if path.is_symlink() and not path.exists():
            raise OSError("it is a link to a file that does not exist")
        number, made = tempfile.mkstemp(dir=path.parent, prefix=".report-")
        with open(number, "wb") as file:
            file.write(text.encode("utf-8", errors="replace"))  # a broken character becomes "?"
        os.chmod(made, 0o666 & ~_mask())  # as any new file, not as a secret one
        return Path(made)
    except BaseException as error:
        if made is not None:
            Path(made).unlink(missing_ok=True)
        if isinstance(error, OSError | ValueError):  # a null byte in the name is a ValueError
            _not_saved(path, error)
        raise


def _mask():
    """The permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _put_in_place(made, path, overwrite):
    """Give a written file its name; without `overwrite` also one that has just appeared stays."""
    try:
        if overwrite:
            os.replace(made, path.resolve())
        else:
            os.link(made, path)  # fails if there is a file
    except FileExistsError:
        already_there([path])
    except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
        if overwrite or getattr(error, "errno", None) not in NO_LINKS or path.exists():
            _not_saved(path, error)
        os.replace(made, path)


def _not_saved(path, error):
    """Raise: the system does not let us write there."""
    reason = getattr(error, "strerror", None) or str(error)
    raise OSError(
        f"{quoted(path.name)} cannot be written ({reason}); choose another folder or name."
    ) from None
