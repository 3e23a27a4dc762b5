"""May I write this? Whole files or none: a full disk or Ctrl-C leaves the old report as it was."""

import os
import shutil
import tempfile
from pathlib import Path

from synthrisk_edu.report.section import quoted


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


def write_files(texts):
    """Write texts to paths in one folder: first all beside them, then each takes its place."""
    path = next(iter(texts))
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".report-") as folder:
            for path, text in texts.items():
                if path.is_symlink() and not path.exists():
                    raise OSError("it is a link to a file that does not exist")
                data = text.encode("utf-8", errors="replace")  # a broken character becomes "?"
                Path(folder, path.name).write_bytes(data)
                if path.exists():
                    shutil.copy2(path, _old(folder, path))
            try:
                for path in texts:
                    os.replace(Path(folder, path.name), path.resolve())
            except BaseException:  # one is open in another program, or Ctrl-C came in between
                _put_back(folder, texts)
                raise
    except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
        _not_saved(path, error)


def _old(folder, path):
    """Return where the old file of a path is kept, as long as not all new ones are in place."""
    return Path(folder, f"old-{path.name}")


def _put_back(folder, paths):
    """Put the old files back where new ones have taken their place."""
    for path in paths:
        if Path(folder, path.name).exists():
            continue  # the new one is still here
        if _old(folder, path).exists():
            os.replace(_old(folder, path), path.resolve())
        else:
            path.unlink()


def _not_saved(path, error):
    """Raise: the system does not let us write there."""
    reason = getattr(error, "strerror", None) or str(error)
    raise OSError(
        f"{quoted(path.name)} cannot be written ({reason}); choose another folder or name."
    ) from None
