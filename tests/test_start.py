"""start.py: what it says when something is missing, and what it passes on.

Nothing is installed here; a real start takes a minute and is tried by hand.
"""

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture
def start(tmp_path, monkeypatch):
    """start.py as a module, working in a folder of its own."""
    spec = importlib.util.spec_from_file_location("start", PROJECT / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in module.REQUIREMENT_FILES:
        shutil.copy(PROJECT / name, tmp_path)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    return module


@pytest.fixture
def calls(start, monkeypatch):
    """What would have been set up and run, in order."""
    log = []
    monkeypatch.setattr(start, "set_up", lambda extra="": log.append(("set_up", extra)))
    monkeypatch.setattr(start, "run", lambda command, folder=None: log.append(command) or 0)
    return log


def pretend_ready(start, extra=""):
    """Make a .venv that looks complete, without installing anything."""
    start.venv_python().parent.mkdir(parents=True, exist_ok=True)
    start.venv_python().touch()
    start.mark("").write_text(start.fingerprint())
    start.mark(extra).write_text(start.fingerprint())


def one_sentence(text):
    """A sentence for users: one line, a full stop at its end, no trace of Python."""
    text = str(text)
    return text.endswith(".") and "\n" not in text and "Traceback" not in text and ". " not in text


# ---------------------------------------------------------------- which Python


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 0), (3, 10, 9), (3, 14, 0), (4, 0, 0)])
def test_wrong_python_gets_a_sentence(start, version):
    sentence = start.python_problem(version)
    assert one_sentence(sentence)
    assert "needs Python 3.11" in sentence
    assert "{}.{}".format(*version) in sentence


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 1), (3, 13, 9)])
def test_right_python_is_accepted(start, version):
    assert start.python_problem(version) is None


def test_versions_agree_with_pyproject(start):
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    newest = (start.NEWEST[0], start.NEWEST[1] + 1)
    assert project["requires-python"] == ">={}.{},<{}.{}".format(*start.OLDEST, *newest)


def test_old_pythons_can_read_the_file():
    text = (PROJECT / "start.py").read_text("ascii")
    assert not re.search(r"\bf['\"]|:=|^\s*match |^\s*async |-> |, file=|nonlocal", text, re.M)


# ------------------------------------------------------------------- setting up


def test_fingerprint_changes_with_every_requirement_file(start):
    seen = {start.fingerprint()}
    for name in start.REQUIREMENT_FILES:
        path = start.ROOT / name
        path.write_text(path.read_text("utf-8") + "\n# changed\n", "utf-8")
        seen.add(start.fingerprint())
    assert len(seen) == 3


def test_fingerprint_changes_with_the_folder_and_the_python(start, monkeypatch, tmp_path):
    first = start.fingerprint()
    monkeypatch.setattr(start.sys, "version_info", (3, 99, 0))
    assert start.fingerprint() != first
    monkeypatch.undo()
    shutil.copytree(PROJECT / ".ci", tmp_path / "moved")
    for name in start.REQUIREMENT_FILES:
        shutil.copy(PROJECT / name, tmp_path / "moved")
    monkeypatch.setattr(start, "ROOT", tmp_path / "moved")
    assert start.fingerprint() != first


@pytest.mark.parametrize("extra", ["", "test", "app"])
def test_ready_needs_the_mark_and_the_packages(start, monkeypatch, extra):
    answer = SimpleNamespace(code=0)
    monkeypatch.setattr(start.subprocess, "call", lambda *_, **__: answer.code)
    assert not start.is_ready(extra)
    pretend_ready(start, extra)
    assert start.is_ready(extra)
    answer.code = 1  # a package has gone
    assert not start.is_ready(extra)
    answer.code = 0
    start.mark(extra).write_text("of another time")
    assert not start.is_ready(extra)


def test_a_broken_environment_is_not_ready(start):
    pretend_ready(start)  # its python is an empty file
    assert not start.is_ready("")


def test_set_up_writes_the_marks_last(start, monkeypatch):
    seen = []

    def make_venv():
        start.VENV.mkdir()
        seen.append(start.mark("").exists())

    monkeypatch.setattr(start, "make_venv", make_venv)
    monkeypatch.setattr(start, "install", lambda extra: seen.append(start.mark(extra).exists()))
    start.set_up("test")
    assert seen == [False, False]
    assert start.mark("").read_text() == start.mark("test").read_text() == start.fingerprint()


def test_a_failed_installation_leaves_no_mark(start, monkeypatch):
    pretend_ready(start)
    monkeypatch.setattr(start, "is_ready", lambda extra: extra == "")
    monkeypatch.setattr(start, "run_and_show", lambda command: (1, ["no route"]))
    with pytest.raises(start.Problem):
        start.set_up("test")
    assert not start.mark("").exists() and not start.mark("test").exists()


def test_second_start_does_nothing(start, monkeypatch):
    monkeypatch.setattr(start, "is_ready", lambda extra: True)
    monkeypatch.setattr(start, "make_venv", lambda: pytest.fail("made again"))
    monkeypatch.setattr(start, "install", lambda extra: pytest.fail("installed again"))
    start.set_up()


def test_installation_is_pinned_and_names_no_index(start, monkeypatch):
    commands = []
    monkeypatch.setattr(start, "run_and_show", lambda command: commands.append(command) or (0, []))
    start.install("")
    start.install("test")
    assert [command[-4:] for command in commands] == [
        ["-c", "constraints.txt", "-e", "."],
        ["-c", "constraints.txt", "-e", ".[test]"],
    ]
    assert not any("index" in word or "//" in word for word in commands[0][1:])


# ------------------------------------------------------------ a sentence each


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ERROR: Could not find a version that satisfies the requirement", "internet"),
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("PermissionError: [Errno 13] Permission denied: 'x'", "yours"),
    ],
)
def test_failing_pip_gets_a_sentence_under_its_last_lines(start, monkeypatch, capsys, line, word):
    monkeypatch.setattr(start, "run_and_show", lambda command: (1, ["before", line]))
    with pytest.raises(start.Problem, match=word) as problem:
        start.install("")
    assert one_sentence(problem.value)
    assert capsys.readouterr().out.endswith("before\n" + line + "\n")


def test_missing_venv_gets_a_sentence(start, monkeypatch):
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(start.Problem, match="python3-venv") as problem:
        start.make_venv()
    assert one_sentence(problem.value)


def test_failing_venv_gets_a_sentence(start, monkeypatch):
    monkeypatch.setattr(start.subprocess, "call", lambda *_, **__: 1)
    with pytest.raises(start.Problem, match="could not be made") as problem:
        start.make_venv()
    assert one_sentence(problem.value)


def test_a_folder_without_write_permission_gets_a_sentence(start, monkeypatch):
    def refuse(dir):
        raise PermissionError(13, "Permission denied", dir)

    monkeypatch.setattr(start.tempfile, "TemporaryFile", refuse)
    with pytest.raises(start.Problem, match="cannot be written") as problem:
        start.set_up()
    assert one_sentence(problem.value)


def test_start_py_alone_gets_a_sentence(start):
    (start.ROOT / "constraints.txt").unlink()
    with pytest.raises(start.Problem, match=r"beside pyproject\.toml"):
        start.set_up()


@pytest.mark.parametrize("form", [["--port", "{}"], ["--port={}"], ["--ServerApp.port={}"]])
def test_a_port_in_use_gets_a_sentence_before_anything_starts(start, calls, form):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(start.Problem, match=f"Port {port} is in use") as problem:
            start.main([word.format(port) for word in form])
    assert one_sentence(problem.value)
    assert calls == []
    start.check_port([word.format(port) for word in form])  # now it is free


@pytest.mark.parametrize("words", [[], ["--port"], ["--port", "x"], ["--port", "99999999"]])
def test_other_ports_are_left_to_jupyterlab(start, words):
    start.check_port(words)


def test_an_unknown_command_gets_a_sentence(start, calls):
    with pytest.raises(start.Problem, match="no command 'tset'") as problem:
        start.main(["tset"])
    assert one_sentence(problem.value)
    assert calls == []


# --------------------------------------------------------------- the commands


def test_no_command_opens_the_lessons(start, calls):
    assert start.main(["--no-browser", "--LabApp.x=1"]) == 0
    assert calls[0] == ("set_up", "")
    assert calls[1][:2] == ["-m", "jupyterlab"]
    assert calls[1][-2:] == ["--no-browser", "--LabApp.x=1"]
    assert calls[1].count("--no-browser") == 1
    assert any(word.endswith("/lab/tree/notebooks/00_start_here.ipynb") for word in calls[1])
    assert not any("token" in word or "--ip" in word or "password" in word for word in calls[1])


def test_test_runs_ruff_and_pytest_and_passes_arguments_on(start, calls):
    assert start.main(["test", "-k", "radius"]) == 0
    assert calls == [
        ("set_up", "test"),
        ["-m", "ruff", "check"],
        ["-m", "ruff", "format", "--check"],
        ["-m", "pytest", "-n", "auto", "--dist", "worksteal", "-m", "not slow", "-k", "radius"],
    ]


def test_all_tests_are_run_when_all_are_asked_for(start, calls):
    assert start.main(["test", "--all"]) == 0
    assert calls[-1] == ["-m", "pytest", "-n", "auto", "--dist", "worksteal"]


@pytest.mark.parametrize("failing", ["check", "--check", "pytest"])
@pytest.mark.parametrize("code", [1, 2, -9])
def test_test_fails_when_any_part_fails(start, calls, monkeypatch, failing, code):
    monkeypatch.setattr(start, "run", lambda words, folder: code if failing in words else 0)
    assert start.main(["test"]) == 1


def test_bench_passes_arguments_on(start, calls):
    start.main(["bench", "--quick"])
    bench = str(start.ROOT / "tests" / "bench.py")
    assert calls == [("set_up", "test"), [bench, "--quick"]]


def test_reproduce_passes_the_folder_on(start, calls):
    start.main(["reproduce", "results"])
    script = str(start.ROOT / "tests" / "reproduce.py")
    assert calls == [("set_up", "test"), [script, "results"]]
    assert (PROJECT / "tests" / "reproduce.py").is_file()


@pytest.mark.parametrize("words", [[], ["my folder"]])
def test_handouts_go_into_the_folder_that_is_named(start, calls, words):
    assert start.main(["handouts", *words]) == 0
    assert calls[0] == ("set_up", "")
    assert calls[1][:3] == ["-m", "synthrisk_edu.classroom.handouts", str(start.ROOT / "notebooks")]
    assert calls[1][3:] == (words or [str(start.ROOT / "handouts")])
    assert importlib.util.find_spec(calls[1][1])


@pytest.mark.parametrize("words", [["--help"], ["one", "two"]])
def test_handouts_with_anything_else_get_a_sentence(start, calls, words):
    with pytest.raises(start.Problem, match="takes one folder") as problem:
        start.main(["handouts", *words])
    assert one_sentence(problem.value)
    assert calls == []


def test_the_app_keeps_its_token_and_the_loopback_address(start, calls, monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", "mine")
    assert start.main(["app", "--no-browser", "--port=9999"]) == 0
    assert calls[0] == ("set_up", "app")
    assert calls[1][:3] == ["-m", "voila", str(start.ROOT / start.PANELS)]
    assert {"--token", "--Voila.ip=127.0.0.1", "--template=panels"} <= set(calls[1])
    assert calls[1][-2:] == ["--no-browser", "--port=9999"]
    assert calls[1].count("--no-browser") == 1
    first, second = os.environ["JUPYTER_PATH"].split(os.pathsep)
    assert (first, second) == (str(start.ROOT / "notebooks" / "app"), "mine")
    template = Path("voila", "templates", "panels", "index.html.j2")
    assert (PROJECT / start.PANELS).is_file()
    assert ((PROJECT / start.PANELS).parent / template).is_file()


def test_the_extras_of_start_py_are_those_of_the_package(start):
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(start.MUST_HAVE) - {""} <= set(project["optional-dependencies"])


@pytest.mark.parametrize(("user", "expected"), [(0, True), (1000, False)])
def test_allow_root_only_for_root(start, monkeypatch, user, expected):
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    assert ("--allow-root" in start.lab_options([])) is expected


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"BROWSER": "firefox"}, True),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "10.0.0.1"}, False),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows always has a display")
def test_no_browser_without_a_display(start, monkeypatch, capsys, platform, variables, expected):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(start.sys, "platform", platform)
    assert ("--no-browser" not in start.lab_options([])) is expected
    assert ("no display" in capsys.readouterr().out) is not expected


def test_other_pythons_settings_are_kept_away(start, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    assert "PYTHONPATH" not in start.environment()
    assert start.environment()["PIP_USER"] == "0"


# ------------------------------------------------------------ as a real program


def run_start(script, *arguments, folder):
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_help_runs_from_another_folder(tmp_path):
    answer = run_start(PROJECT / "start.py", "--help", folder=tmp_path)
    assert answer.returncode == 0 and answer.stderr == ""
    for word in ("python3 start.py test", "python3 start.py bench", "--port 9999"):
        assert word in answer.stdout
    for word in ("reproduce", "handouts", "app", "report"):
        assert f"python3 start.py {word}" in answer.stdout


def test_problems_of_a_real_start_in_a_path_with_spaces(tmp_path):
    folder = tmp_path / "my class folder"
    folder.mkdir()
    shutil.copy(PROJECT / "start.py", folder)
    assert run_start(folder / "start.py", "--help", folder=tmp_path).returncode == 0
    answer = run_start(folder / "start.py", folder=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr.startswith("start.py: start.py has to stay")
    assert "Traceback" not in answer.stderr
    assert [path.name for path in folder.iterdir()] == ["start.py"]


def test_messages_of_a_program_are_shown_and_its_last_lines_kept(start, capsys):
    program = "print('Installing x'); print('quiet'); raise SystemExit(3)"
    code, lines = start.run_and_show([sys.executable, "-c", program])
    assert (code, lines) == (3, ["Installing x", "quiet"])
    assert capsys.readouterr().out == "      Installing x\n"
