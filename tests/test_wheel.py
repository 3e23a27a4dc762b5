"""The wheel alone is enough: installed into an empty environment, two lessons run elsewhere."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile

import pytest

LESSONS = ["00_start_here.ipynb", "01_matching_approach.ipynb"]
NEVER = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "JUPYTER_PATH", "MPLBACKEND"}


def run(*words, folder):
    """Run a program as somebody who has never seen this project would."""
    kept = {name: value for name, value in os.environ.items() if name not in NEVER}
    done = subprocess.run(words, cwd=folder, env=kept, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, made of the files as they are."""
    project = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", ".", project, folder=folder)
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_the_data_and_no_tests(wheel, project):
    inside = zipfile.ZipFile(wheel).namelist()
    for file in [*(project / "data").glob("*.csv"), *(project / "data").glob("*.npz")]:
        assert f"synthrisk_edu/files/{file.name}" in inside
    folders = {name.split("/")[0] for name in inside}
    assert {one for one in folders if not one.endswith(".dist-info")} == {"synthrisk_edu"}


@pytest.mark.slow
def test_two_lessons_run_with_the_wheel_alone(wheel, project, tmp_path):
    venv.create(tmp_path / "empty")
    place = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    python = str(tmp_path / "empty" / place)
    pins = str(project / "constraints.txt")
    # Our pip installs into the new environment; modules are compiled when they are imported.
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-compile"]
    run(*install, "-c", pins, str(wheel), folder=tmp_path)
    elsewhere = tmp_path / "elsewhere on the disk"
    elsewhere.mkdir()
    where = run(python, "-c", "import synthrisk_edu as sr; print(sr.__file__)", folder=elsewhere)
    assert str(tmp_path / "empty") in where
    # The kernel called python3 is that of the new environment.
    run(python, "-m", "ipykernel", "install", "--sys-prefix", folder=elsewhere)
    for lesson in LESSONS:
        shutil.copy(project / "notebooks" / lesson, elsewhere)
        run(python, "-m", "nbconvert", "--to", "notebook", "--execute", lesson, folder=elsewhere)
