"""May I write this? Whole files or none: a full disk or Ctrl-C leaves the old report as it was."""

import errno
import os
import tempfile
from pathlib import Path

from synthrisk_edu.report import files

# What a file system without links answers, when a file is to get its name by a link.
NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


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
        files.no_dangling_link(path)
        number, made = tempfile.mkstemp(dir=path.parent, prefix=".report-")
        with open(number, "wb") as file:
            file.write(text.encode("utf-8", errors="replace"))  # a broken character becomes "?"
        os.chmod(made, 0o666 & ~_mask())  # as any new file, not as a secret one
        return Path(made)
    except BaseException as error:
        if made is not None:
            Path(made).unlink(missing_ok=True)
        if isinstance(error, OSError | ValueError):  # a null byte in the name is a ValueError
            files.not_saved(path, error)
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
        files.already_there([path])
    except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
        if overwrite or getattr(error, "errno", None) not in NO_LINKS or path.exists():
            files.not_saved(path, error)
        os.replace(made, path)
