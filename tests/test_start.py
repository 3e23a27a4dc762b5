"""start.py: what it sets up, what it says when something is missing, and what it passes on.

Nothing is installed here; a real start takes a minute and is tried by hand.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from synthrisk_classroom.command import FUNCTIONS

PROJECT = Path(__file__).resolve().parent.parent
LESSON = "01_matching_approach.ipynb"
FURTHER = "further/01_more.ipynb"


@pytest.fixture
def start(tmp_path):
    """start.py as a module, in a project with a lesson and one further; its path has spaces."""
    folder = tmp_path / "my class folder"
    (folder / "notebooks" / "further").mkdir(parents=True)
    for name in (LESSON, FURTHER):
        (folder / "notebooks" / name).write_text("clean")
    (folder / "synthrisk_classroom").mkdir()
    needed = ["start.py", "pyproject.toml", "constraints.txt", "synthrisk_classroom/command.py"]
    for name in needed:
        shutil.copy(PROJECT / name, folder / name)
    spec = importlib.util.spec_from_file_location("start", folder / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def installs(start, monkeypatch):
    """What pip would have been asked for; .venv looks as if it had done it."""
    asked = []

    def pip(command, words):
        asked.append([command, *words])
        if command == "install":
            assert not list(start.VENV.glob("ready-*")), "marked as ready before it is"

    def venv(command, env):
        start.PYTHON.parent.mkdir(parents=True)
        start.PYTHON.touch()

    monkeypatch.setattr(start, "run_pip", pip)
    monkeypatch.setattr(start.subprocess, "call", venv)
    return asked


@pytest.fixture
def calls(start, monkeypatch):
    """What would have been set up and run, in order."""
    log = []
    monkeypatch.setattr(start, "set_up", lambda extra=start.EXTRAS: log.append(extra))
    monkeypatch.setattr(start, "run", lambda words, folder=None: log.append(words) or 0)
    return log


def stopped_with(program, *words):
    """The sentence with which a program ends: one line, no trace of Python."""
    with pytest.raises(SystemExit) as end:
        program(*words)
    assert re.fullmatch(r"\S[^\n]*\.", str(end.value.code))
    return end.value.code


# ------------------------------------------------------------------- setting up


def test_old_pythons_can_read_the_file():
    """And say in a sentence that they are too old; tried by hand with Python 2.7 and 3.6."""
    text = (PROJECT / "start.py").read_text("ascii")
    modern = r"\b[rb]*f['\"]|\brb['\"]|:=|^\s*(match|async) |-> |, file=|nonlocal|[\[(,] ?\*\w+, "
    assert not re.search(modern, text, re.M)
    before = text[: text.index("sys.exit(")]
    assert re.findall(r"^(?:import|from) .*", before, re.M) == ["import sys"]
    needed = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "sys.version_info < ({}, {})".format(*re.findall(r"\d+", needed["requires-python"])) in (
        before
    )


def test_a_set_up_is_done_once_and_again_when_what_it_needs_has_changed(start, installs):
    start.set_up()
    start.set_up()
    assert installs == [["install", "-e", ".[lab,pages,app]"]]
    start.set_up("lab,pages,app,test")  # what is there stays
    start.set_up()
    assert installs[1:] == [["install", "-e", ".[lab,pages,app,test]"]]
    with (start.ROOT / "constraints.txt").open("a") as file:
        file.write("# a newer version\n")
    old = start.VENV / "lib"
    old.mkdir()
    start.set_up()
    assert len(installs) == 3 and not old.exists()


def test_another_python_makes_an_environment_of_its_own(start, installs, monkeypatch):
    start.set_up()
    monkeypatch.setattr(start, "HERE", "another Python")
    assert not start.is_ready(start.EXTRAS)


def test_an_interrupted_set_up_is_done_again(start, installs, monkeypatch):
    start.set_up()

    def broken(command, words):
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(start, "run_pip", broken)
        with pytest.raises(KeyboardInterrupt):
            start.set_up("lab,pages,app,test")
    assert not start.is_ready(start.EXTRAS)
    start.set_up()
    assert start.is_ready(start.EXTRAS)


def test_a_venv_that_start_py_did_not_make_is_left_alone(start):
    start.VENV.mkdir()
    (start.VENV / "thesis.txt").write_text("years of work")
    assert "move it away" in stopped_with(start.set_up)
    assert [path.name for path in start.VENV.iterdir()] == ["thesis.txt"]


def test_links_in_an_old_venv_are_not_followed(start, installs, tmp_path):
    (tmp_path / "kept.txt").touch()
    start.VENV.mkdir()
    start.SIGN.touch()
    (start.VENV / "link").symlink_to(tmp_path)
    start.set_up()
    assert (tmp_path / "kept.txt").exists() and not (start.VENV / "link").exists()


def test_this_jupyterlab_does_not_ask_about_its_news(start, installs):
    """That it does not, and would without, was looked at in a real browser."""
    start.set_up()
    settings = start.VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    (setting,) = json.loads(settings.read_text()).values()
    assert setting["fetchNews"] == "false"


def test_pips_versions_are_pinned_and_its_failure_is_told_in_a_sentence(start, capsys):
    """A pip that prints what it is asked for, and fails."""
    start.PYTHON = Path(sys.executable)
    start.VENV.mkdir()
    (start.ROOT / "pip.py").write_text("import sys; sys.exit(' '.join(sys.argv))")
    assert "tried were Python 3.11" in stopped_with(start.run_pip, "install", ["-e", "."])
    said = capsys.readouterr().out
    assert "-c constraints.txt -e ." in said and "index" not in said


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (
            "WARNING: Retrying (...) after connection broken by 'NewConnectionError('",
            "start.py pack",
        ),
        ("Temporary failure in name resolution ... Retrying", "The internet cannot be reached"),
        ("after connection broken by 'ProxyError('Cannot connect to proxy.'", "HTTPS_PROXY"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'", "PIP_CERT"),
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("PermissionError: [Errno 13] Permission denied: 'x'", "yours"),
        ("ERROR: No matching distribution found for numpy==2.4.6", "Python 3.11 to 3.14"),
    ],
)
def test_pips_usual_failures(start, line, word):
    start.PYTHON = Path(sys.executable)
    start.VENV.mkdir()
    (start.ROOT / "pip.py").write_text(f"import sys; print({line!r}); sys.exit(1)")
    assert word in stopped_with(start.run_pip, "install", [])


def test_other_pythons_settings_are_kept_away(start, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    assert "PYTHONPATH" not in start.environment()
    assert start.environment()["PIP_USER"] == "0"


# ------------------------------------------------- a computer without internet


def test_pack_makes_a_copy_that_is_set_up_without_internet(start, installs, tmp_path):
    (start.ROOT / ".git").mkdir()
    start.main(["pack", str(tmp_path / "stick")])
    command, _, packages, *what = installs[-1]
    assert command == "download" and what == [".[lab,pages,app,site]", "hatchling", "editables"]
    assert Path(packages) == tmp_path / "stick" / "packages"
    assert (tmp_path / "stick" / "notebooks" / LESSON).exists()
    assert not {".git", ".venv"} & {path.name for path in (tmp_path / "stick").iterdir()}


def test_packed_packages_are_found(start, installs):
    start.PACKAGES.mkdir()
    start.set_up()
    assert installs[0][:4] == ["install", "--no-index", "--find-links", str(start.PACKAGES)]


@pytest.mark.parametrize("words", [[], ["a", "b"], ["."], ["inside"], [".."]])
def test_pack_into_anything_else_gets_a_sentence(start, calls, words, monkeypatch):
    monkeypatch.chdir(start.ROOT)
    assert "new folder" in stopped_with(start.main, ["pack", *words])
    assert calls == []


# -------------------------------------------------------- what `reset` is made of


def test_a_lesson_that_was_run_is_not_kept_as_clean(start):
    start.VENV.mkdir()
    start.keep_lessons()
    (start.ROOT / "notebooks" / LESSON).write_text('{"output_type": "stream"}')
    start.keep_lessons()
    assert (start.CLEAN / LESSON).read_text() == (start.CLEAN / FURTHER).read_text() == "clean"


# --------------------------------------------------------------- the commands


def asked(start, name):
    """What the Python of .venv is asked to run for a command of the package."""
    return ["-P", str(start.COMMAND), name]


def test_no_command_opens_the_lessons_in_this_folder(start, calls, monkeypatch):
    folders = []
    monkeypatch.setattr(start, "run", lambda words, folder: folders.append((words, folder)))
    start.main(["--port", "9999"])
    start.main(["lab", "--port", "9999"])
    assert calls == ["lab,pages,app"] * 2
    assert folders == [([*asked(start, "lab"), "--port", "9999"], str(start.ROOT))] * 2


def test_every_command_of_the_package_is_passed_on(start, calls):
    for name in set(FUNCTIONS) - {"reset"}:
        assert start.main([name, "my folder", "--x"]) == 0
        assert calls[-1] == [*asked(start, name), "my folder", "--x"]
    start.main(["reset", "01"])
    assert calls[-1] == [*asked(start, "reset"), "--in", str(start.ROOT), "01"]


def test_what_few_need_is_set_up_when_it_is_needed(start, calls):
    start.main(["site"])
    assert calls[0] == "lab,pages,app,site"


def test_test_runs_ruff_and_pytest_and_passes_arguments_on(start, calls):
    assert start.main(["test", "-k", "radius"]) == 0
    extras = "lab,pages,app,test"
    assert calls[:3] == [extras, ["-m", "ruff", "check"], ["-m", "ruff", "format", "--check"]]
    assert calls[3][:2] == ["-m", "pytest"] and calls[3][-4:] == ["-m", "not slow", "-k", "radius"]
    start.main(["test", "--all"])
    assert "not slow" not in calls[-1] and "--all" not in calls[-1]


@pytest.mark.parametrize("failing", ["check", "--check", "pytest"])
def test_test_fails_when_any_part_fails(start, calls, monkeypatch, failing):
    monkeypatch.setattr(start, "run", lambda words, folder: -9 if failing in words else 0)
    assert start.main(["test"]) == 1


@pytest.mark.parametrize("name", ["bench", "reproduce"])
def test_what_measures_and_compares_is_run_with_its_arguments(start, calls, name):
    start.main([name, "my folder"])
    script = Path("tests") / f"{name}.py"
    assert calls == ["lab,pages,app,test", [str(start.ROOT / script), "my folder"]]
    assert '\nif __name__ == "__main__":' in (PROJECT / script).read_text("utf-8")


def test_an_unknown_command_gets_a_sentence(start, calls):
    assert "no command 'tset'" in stopped_with(start.main, ["tset"])
    assert calls == []


def test_as_a_real_program(start, tmp_path):
    def answer(*words):
        command = [sys.executable, str(start.ROOT / "start.py"), *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    helped = answer("--help")
    assert helped.returncode == 0 and helped.stderr == ""
    public = {*start.OWN, *FUNCTIONS} - {"bench", "reproduce"}
    assert set(re.findall(r"start\.py ([a-z]+)", helped.stdout)) == public
    assert "synthrisk " not in helped.stdout
    assert max(map(len, helped.stdout.splitlines())) <= 100
    start.COMMAND.unlink()  # start.py was copied alone
    alone = answer()
    assert alone.returncode == 1 and re.fullmatch(r"start\.py: .*command\.py.*\n", alone.stderr)


# ------------------------------------------------------ what others say about it


def test_the_workflow_tries_every_supported_python_with_the_commands_of_the_pages():
    yaml = pytest.importorskip("yaml")
    text = (PROJECT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    job = jobs["tests"]
    guide = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    assert {"run": ".ci/run"} in jobs["everything"]["steps"] and "`.ci/run` tries" in guide
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == supported
    commands = [step["run"] for step in job["steps"] if "run" in step]
    readme = (PROJECT / "README.md").read_text("utf-8")
    assert all(one.replace("python ", "python3 ") in readme + guide for one in commands)


def test_every_command_that_a_page_or_a_lesson_names_exists(start):
    pages = [*PROJECT.glob("*.md"), *(PROJECT / "notebooks").glob("**/*.md")]
    pages += (PROJECT / "notebooks").glob("**/*.ipynb")
    text = "\n".join(page.read_text("utf-8") for page in pages if page.name != "CHANGELOG.md")
    named = set(re.findall(r"(?:[`\"]|    )python3 start\.py ([a-z]+)", text))
    assert named - {*start.OWN, *FUNCTIONS} == set()
    assert len(named) > 8
    assert set(re.findall(r"(?:`|    )synthrisk ([a-z]+)", text)) <= set(FUNCTIONS)
