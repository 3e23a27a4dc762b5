"""start.py: what it says when something is missing, and what it passes on.

Nothing is installed here; a real start takes a minute and is tried by hand.
"""

import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from synthrisk_edu.__main__ import COMMANDS

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


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 0), (3, 10, 9)])
def test_old_python_gets_a_sentence(start, version):
    sentence = start.python_problem(version)
    assert one_sentence(sentence)
    assert "needs Python 3.11" in sentence
    assert "{}.{}".format(*version) in sentence


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 1), (3, 14, 9), (3, 15, 0), (4, 0, 0)])
def test_newer_pythons_are_accepted(start, version):
    assert start.python_problem(version) is None


def test_versions_agree_with_pyproject(start):
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">={}.{}".format(*start.OLDEST)
    assert "Programming Language :: Python :: {}.{}".format(*start.NEWEST) in project["classifiers"]


@pytest.mark.parametrize(("version", "said"), [((3, 14, 2), 0), ((3, 15, 0), 1)])
def test_an_untried_python_is_said_in_one_sentence(start, monkeypatch, capsys, version, said):
    monkeypatch.setattr(start.sys, "version_info", version)
    monkeypatch.setattr(start, "make_venv", lambda: None)
    monkeypatch.setattr(start, "install", lambda extra: None)
    start.set_up()
    lines = [line for line in capsys.readouterr().out.splitlines() if "newer than" in line]
    assert len(lines) == said and all(map(one_sentence, lines))


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


@pytest.mark.parametrize("extra", ["", "test"])
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
        ["-c", "constraints.txt", "-e", ".[app]"],
        ["-c", "constraints.txt", "-e", ".[app,test]"],
    ]
    assert not any("index" in word or "//" in word for word in commands[0][1:])


# ------------------------------------------- one's own .venv, and nobody else's


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("kind", ["folder", "file", "link", "dangling link"])
def test_a_venv_that_start_py_did_not_make_is_left_alone(start, tmp_path, kind):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    if kind == "folder":
        mine.rename(start.VENV)
    elif kind == "file":
        start.VENV.write_text("not a folder")
    else:
        start.VENV.symlink_to(mine if kind == "link" else tmp_path / "nowhere")
    before = files_in(tmp_path)
    with pytest.raises(start.Problem, match="move it away or rename it") as problem:
        start.set_up()
    assert one_sentence(problem.value)
    assert files_in(tmp_path) == before


def test_an_old_venv_of_ours_is_emptied_without_following_links(start, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.txt").touch()
    pretend_ready(start)
    (start.VENV / "link").symlink_to(outside)
    start.check_venv_is_ours()
    with start.one_at_a_time():
        start.empty_venv()
    assert files_in(start.VENV) == [start.sign().name]
    assert files_in(outside) == ["kept.txt"]
    start.check_venv_is_ours()  # an interrupted set-up is still known as ours


# ----------------------------------------- with a pip that waits, instead of pip

FAKE_PIP = """
import pathlib, signal, subprocess, sys, time
root = pathlib.Path.cwd()
if sys.argv[1] == "helper":
    (root / "helper.pid").write_text(str(__import__("os").getpid()))
    time.sleep(60)
with open(root / "log.txt", "a") as log:
    log.write("begins\\n")
print("Installing something", flush=True)
if (root / "wait").exists():
    subprocess.run([sys.executable, __file__, "helper"])
for _ in range(1200):
    if (root / "go").exists():
        break
    time.sleep(0.05)
with open(root / "log.txt", "a") as log:
    log.write("ends\\n")
"""

# start.py as it is, except that its pip is the one above and that nothing is run afterwards.
TRIAL = """
import importlib.util, pathlib, signal, sys
spec = importlib.util.spec_from_file_location("start", sys.argv[1])
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
start.ROOT = pathlib.Path.cwd()
start.VENV = start.ROOT / ".venv"
start.MUST_HAVE = {"": ("json",), "test": ()}
start.venv_python = lambda: pathlib.Path(sys.executable)
start.make_venv = lambda: None
show = start.run_and_show
start.run_and_show = lambda command: show([sys.executable, str(start.ROOT / "pip.py"), "install"])
signal.signal(signal.SIGTERM, start.stopped)
try:
    start.set_up()
except KeyboardInterrupt:
    sys.exit(3)
"""


@pytest.fixture
def trial(tmp_path):
    """Return a function that starts start.py with the fake pip, as another program."""
    (tmp_path / "pip.py").write_text(FAKE_PIP)
    (tmp_path / "trial.py").write_text(TRIAL)
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(PROJECT / name, tmp_path)
    command = [sys.executable, str(tmp_path / "trial.py"), str(PROJECT / "start.py")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return lambda: subprocess.Popen(command, cwd=tmp_path, **pipes)


def wait_for(path, seconds=30):
    end = time.monotonic() + seconds
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end, path
        time.sleep(0.05)
    return path.read_text()


def test_a_second_start_waits_for_the_first_and_has_nothing_left_to_do(trial, tmp_path):
    first = trial()
    wait_for(tmp_path / "log.txt")
    second = trial()
    said = second.stdout.readline()
    (tmp_path / "go").touch()
    said += second.communicate(timeout=60)[0]
    assert first.communicate(timeout=60)[0].endswith("Ready.\n")
    assert (first.returncode, second.returncode) == (0, 0)
    assert one_sentence(said.strip()) and "waits" in said
    assert (tmp_path / "log.txt").read_text() == "begins\nends\n"


def test_a_crashed_start_blocks_nobody(trial, tmp_path):
    first = trial()
    wait_for(tmp_path / "log.txt")
    first.kill()  # no time to tidy up
    first.communicate()
    (tmp_path / "go").touch()
    again = trial()
    said = again.communicate(timeout=60)[0]
    assert again.returncode == 0 and "waits" not in said and said.endswith("Ready.\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_ending_start_py_ends_pip_and_what_pip_has_started(trial, tmp_path, name):
    (tmp_path / "wait").touch()
    program = trial()
    helper = int(wait_for(tmp_path / "helper.pid"))
    program.send_signal(getattr(signal, name))
    program.communicate(timeout=30)
    assert program.returncode == 3
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(helper, 0)
            time.sleep(0.05)
    assert (tmp_path / "log.txt").read_text() == "begins\n"
    assert not (tmp_path / ".venv" / "ready").exists()


# --------------------------------------------------- a computer without internet


def test_pack_copies_the_project_and_collects_the_packages(start, monkeypatch, capsys, tmp_path):
    commands = []
    target = tmp_path.parent / (tmp_path.name + " packed")
    (start.ROOT / ".git").mkdir()
    (start.ROOT / "notebooks").mkdir()
    (start.ROOT / "notebooks" / "a.ipynb").touch()

    def pip(command):
        commands.append(command)
        (target / "packages").mkdir()
        return 0, []

    monkeypatch.setattr(start, "is_ready", lambda extra: True)
    monkeypatch.setattr(start, "run_and_show", pip)
    assert start.main(["pack", str(target)]) == 0
    assert commands[0][3] == "download" and "constraints.txt" in commands[0]
    assert commands[0][-3:] == [".[app]", "hatchling", "editables"]
    assert (target / "notebooks" / "a.ipynb").exists() and not (target / ".git").exists()
    assert start.this_computer() in capsys.readouterr().out

    # In the copy, start.py finds the packages by itself, and says what they were made for.
    monkeypatch.setattr(start, "ROOT", target)
    words = []
    monkeypatch.setattr(start, "run_and_show", lambda command: words.append(command) or (1, []))
    with pytest.raises(start.Problem, match=re.escape(start.this_computer())) as problem:
        start.install("")
    assert one_sentence(problem.value)
    assert words[0][words[0].index("--no-index") :][1:3] == ["--find-links", "packages"]


@pytest.mark.parametrize("words", [[], ["--help"], ["a", "b"], ["."], ["{root}"], ["{root}/in"]])
def test_pack_into_anything_else_gets_a_sentence(start, calls, words, monkeypatch):
    monkeypatch.chdir(start.ROOT)
    with pytest.raises(start.Problem, match="new folder") as problem:
        start.main(["pack", *(word.format(root=start.ROOT) for word in words)])
    assert one_sentence(problem.value)
    assert calls == []


# ------------------------------------------------------------ a sentence each


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ERROR: Could not find a version that satisfies the requirement", "internet"),
        ("Temporary failure in name resolution", r"start\.py pack"),
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
    start.VENV.mkdir()
    monkeypatch.setattr(start, "run_and_show", lambda command: (1, ["no"]))
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


def test_test_runs_ruff_and_pytest_and_passes_arguments_on(start, calls, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert start.main(["test", "-k", "radius"]) == 0
    assert calls == [
        ("set_up", "test"),
        ["-m", "ruff", "check"],
        ["-m", "ruff", "format", "--check"],
        "-m pytest -n 4 --dist loadscope --no-loadscope-reorder -m".split()
        + ["not slow", "-k", "radius"],
    ]


def test_all_tests_are_run_when_all_are_asked_for(start, calls, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert start.main(["test", "--all"]) == 0
    assert calls[-1] == ["-m", "pytest", "-n", "5", "--dist", "loadscope", "--no-loadscope-reorder"]


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


@pytest.mark.parametrize("words", [[], ["my folder", "--x"]])
def test_the_commands_of_the_package_are_passed_on(start, calls, words):
    assert set(start.PASSED_ON) == set(COMMANDS)
    for name in start.PASSED_ON:
        assert start.main([name, *words]) == 0
        assert calls[-2:] == [("set_up", ""), ["-m", "synthrisk_edu", name, *words]]
        assert importlib.util.find_spec(f"synthrisk_edu.{COMMANDS[name]}")


def test_the_app_keeps_its_token_and_the_loopback_address(start, calls, monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", "mine")
    assert start.main(["app", "--no-browser", "--port=9999"]) == 0
    assert calls[0] == ("set_up", "")  # nothing to download on the day of the class
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
    extras = ",".join(start.EXTRAS.values()).split(",")
    assert set(extras) <= set(project["optional-dependencies"])
    assert set(start.MUST_HAVE) == set(start.EXTRAS)


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
    for word in ("reproduce", "handouts", "app", "report", "pack"):
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


def test_the_workflow_tries_every_supported_python_with_the_commands_of_the_readme(start):
    yaml = pytest.importorskip("yaml")
    text = (PROJECT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    job, lowest = jobs["tests"], [step.get("run", "") for step in jobs["lowest"]["steps"]]
    guide = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(one.replace("--system ", "") in guide for one in lowest[-2:])
    versions = [f"3.{minor}" for minor in range(start.OLDEST[1], start.NEWEST[1] + 1)]
    assert job["strategy"]["matrix"]["python"] == versions
    assert len(job["strategy"]["matrix"]["system"]) == 3
    commands = [step["run"] for step in job["steps"] if "run" in step]
    readme = (PROJECT / "README.md").read_text("utf-8")
    assert all(one.replace("python ", "python3 ") in readme for one in commands)


def test_every_command_that_a_page_or_a_lesson_names_exists(start):
    pages = [*PROJECT.glob("*.md"), *(PROJECT / "notebooks").glob("*.*")]
    text = "\n".join(page.read_text("utf-8") for page in pages if page.is_file())
    named = set(re.findall(r"(?:[`\"]|    )python3 start\.py ([a-z]+)", text))
    known = set(start.COMMANDS).union(start.SCRIPTS, start.PASSED_ON)
    assert named <= known and len(named) > 8, named
