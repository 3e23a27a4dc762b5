"""What opens in a browser and needs Python: JupyterLab with the lessons, and the projector."""

import os
import sys
from pathlib import Path

from synthrisk_classroom.copies import lessons_in
from synthrisk_classroom.shipped import LESSONS, NOTEBOOKS

NOTEBOOK_7 = "@jupyter-notebook/lab-extension"  # fails in Voila's pages, where it is installed
# A page that is closed ends its kernel; one that vanished leaves it behind for so many seconds.
LEFT_ALONE = 600


def lab(words=None):
    """Open JupyterLab on the first lesson; `words` go to it, its address and token are its own."""
    from jupyterlab.labapp import LabApp

    first = lessons_in(".") / f"{LESSONS[0]}.ipynb"
    options = [f"--ServerApp.root_dir={Path.cwd()}"]
    options += [f"--LabApp.default_url=/lab/tree/{first.as_posix()}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options += ["--allow-root"]  # as in most containers
    return LabApp.launch_instance(options + no_browser() + (words or []))


def projector(words=None):
    """Show the class hour: only on this computer, and only to who has the token."""
    os.environ["JUPYTER_PATH"] = str(Path(__file__).parent)  # the page is a template of ours
    from voila.app import Voila

    options = ["--token", "--Voila.ip=127.0.0.1", "--template=projector"]
    options += [f"--VoilaConfiguration.extension_denylist={NOTEBOOK_7}"]
    cull = "--MappingKernelManager.cull"
    options += [f"{cull}_idle_timeout={LEFT_ALONE}", f"{cull}_interval={min(LEFT_ALONE, 60)}"]
    hour = str(NOTEBOOKS / "class_hour.ipynb")
    return Voila.launch_instance([hour, *options, *no_browser(), *(words or [])])


def no_browser():
    """Return the option that keeps the browser closed, where there is no screen to open it on."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, screens)):
        return []
    print("There is no display here: open the address that is printed below in a browser.")
    return ["--no-browser"]
