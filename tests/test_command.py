"""The console script `synthrisk`: its list of commands, what it says when a package is missing."""

import os
import re
import subprocess
import sys
from pkgutil import resolve_name

import pytest

from synthrisk_classroom import command, opening
from synthrisk_classroom.shipped import NOTEBOOKS


def test_every_command_is_in_the_help_and_every_function_exists(capsys):
    assert command.main([]) == command.main(["-h"]) == command.main(["--help"]) == 0
    page = capsys.readouterr().out
    assert set(re.findall(r"^ +synthrisk ([a-z]+)", page, re.M)) == set(command.FUNCTIONS)
    assert max(map(len, page.splitlines())) <= 100
    assert set(command.EXTRAS) < set(command.FUNCTIONS)
    assert all(callable(resolve_name(one)) for one in command.FUNCTIONS.values())


def test_an_unknown_command_gets_a_sentence():
    said = command.main(["handout"])
    assert said.startswith("There is no command 'handout'; the commands are lessons, ")


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("handouts", "nbconvert", "[pages]"),
        ("worksheets", "latex2mathml", "[pages]"),
        ("report", "nbconvert", "[pages]"),
        ("lab", "jupyterlab", "[lab]"),
        ("projector", "voila", "[app]"),
        ("grade", "jinja2", ""),
    ],
)
def test_a_package_that_is_missing_is_named_and_how_to_get_it(name, package, extra, monkeypatch):
    """start.py says another remedy, because it has made the environment itself."""
    monkeypatch.setenv("JUPYTER_PATH", "")
    monkeypatch.setitem(sys.modules, package, None)
    for module in list(sys.modules):
        ours = ("synthrisk_classroom.", "synthrisk_edu.report.command")
        if module.startswith((*ours, f"{package}.")):
            monkeypatch.delitem(sys.modules, module)
    words = [name, "a.csv", "b.csv"] if name == "report" else [name]
    needs = f"{name} needs {package}, which is missing here: "
    assert command.main(words) == f'{needs}pip install "synthrisk_edu{extra}"'
    assert command.main(words, again="start again.") == f"{needs}start again."


def test_a_mistake_of_ours_is_no_missing_package(monkeypatch):
    monkeypatch.setitem(command.FUNCTIONS, "broken", "synthrisk_classroom.nowhere:main")
    with pytest.raises(ModuleNotFoundError):
        command.main(["broken"])


def test_as_start_py_runs_it_a_lost_package_is_told_even_pandas(project):
    """With -S there is none at all; and so nothing but the standard library makes the help."""

    def answer(*words):
        program = [sys.executable, "-S", "-P", command.__file__, *words]
        environment = os.environ | {"PYTHONPATH": str(project)}
        return subprocess.run(program, env=environment, capture_output=True, text=True)

    assert "synthrisk lessons" in answer("--help").stdout
    lost = answer("reset", "01")
    assert lost.returncode == 1 and re.fullmatch(
        r"reset needs \w+, which is missing here: delete the folder \.venv and start again\.\n",
        lost.stderr,
    )


# ------------------------------------------------------- what opens in a browser


@pytest.fixture
def launched(monkeypatch):
    """What JupyterLab and Voila are started with."""
    words = []
    monkeypatch.setenv("JUPYTER_PATH", "")
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", words.extend)
    monkeypatch.setattr("voila.app.Voila.launch_instance", words.extend)
    return words


@pytest.mark.parametrize("place", [NOTEBOOKS, NOTEBOOKS.parent])
def test_the_lessons_open_with_the_token_and_address_of_jupyter(launched, monkeypatch, place):
    monkeypatch.chdir(place)
    opening.lab(["--port", "9999"])
    assert launched[-2:] == ["--port", "9999"]
    assert f"--ServerApp.root_dir={place}" in launched
    opened = next(word for word in launched if "default_url" in word)
    assert (place / opened.partition("/lab/tree/")[2]).is_file()
    assert not any("token" in word or "--ip" in word or "password" in word for word in launched)


def test_where_no_lessons_are_a_sentence_says_how_to_get_them(launched, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"no lessons in .*`synthrisk lessons FOLDER`"):
        opening.lab([])


def test_the_projector_has_a_token_and_the_loopback_address(launched):
    opening.projector(["--port=9999"])
    assert launched[0] == str(NOTEBOOKS / "class_hour.ipynb") and launched[-1] == "--port=9999"
    assert {"--token", "--Voila.ip=127.0.0.1"} <= set(launched)


@pytest.mark.skipif(os.name == "nt", reason="Windows always has a display")
@pytest.mark.parametrize("screen", ["", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"])
def test_no_browser_is_opened_without_a_display(monkeypatch, screen):
    monkeypatch.setattr(opening.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv(screen, ":0")
    assert opening.no_browser() == ([] if screen else ["--no-browser"])
