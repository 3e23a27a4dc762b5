"""start.py: what it sets up, what it says when something is missing, and what it passes on.

Nothing is installed here; a real start takes a minute and is tried by hand.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

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
    for name in ("start.py", "pyproject.toml", "constraints.txt"):
        shutil.copy(PROJECT / name, folder)
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
    monkeypatch.setattr(start, "set_up", lambda extra="app": log.append(extra))
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
    assert installs == [["install", "-e", ".[app]"]]
    start.set_up("app,test")  # what is there stays
    start.set_up()
    assert installs[1:] == [["install", "-e", ".[app,test]"]]
    with (start.ROOT / "constraints.txt").open("a") as file:
        file.write("# a newer version\n")
    old = start.VENV / "lib"
    old.mkdir()
    start.set_up()
    assert len(installs) == 3 and not old.exists()


def test_another_python_makes_an_environment_of_its_own(start, installs, monkeypatch):
    start.set_up()
    monkeypatch.setattr(start, "HERE", "another Python")
    assert not start.is_ready("app")


def test_an_interrupted_set_up_is_done_again(start, installs, monkeypatch):
    start.set_up()

    def broken(command, words):
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(start, "run_pip", broken)
        with pytest.raises(KeyboardInterrupt):
            start.set_up("app,test")
    assert not start.is_ready("app")
    start.set_up()
    assert start.is_ready("app")


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
    assert command == "download" and what == [".[app]", "hatchling", "editables"]
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


# ----------------------------------------------------------------------- reset


@pytest.fixture(params=["git", "kept by start.py"])
def lesson(request, start):
    """A lesson in a project, from git or as a download."""
    if request.param == "git":
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "lesson"]):
            subprocess.run(["git", "-C", str(start.ROOT), *command], check=True)
    else:
        start.VENV.mkdir()
        start.keep_lessons()
    return start.ROOT / "notebooks" / LESSON


def test_the_students_own_copy_is_kept_beside_the_clean_one(start, lesson):
    for turn in ("first", "second", "clean"):
        lesson.write_text(turn)
        start.main(["reset", "01"])
        assert lesson.read_text() == "clean"
    assert {path.read_text() for path in lesson.parent.glob("my_*")} == {"first", "second"}
    assert len(list(lesson.parent.glob("*.ipynb"))) == 3


@pytest.mark.parametrize("word", ["01_more", "01_more.ipynb", "further/01_more.ipynb"])
def test_what_goes_further_is_reset_by_its_name_and_a_number_is_the_core(start, lesson, word):
    further = start.ROOT / "notebooks" / FURTHER
    for path in (further, lesson):
        path.write_text("mine")
    start.main(["reset", word])
    assert (further.read_text(), lesson.read_text()) == ("clean", "mine")
    assert (further.parent / "my_01_more.ipynb").read_text() == "mine"
    start.main(["reset", "01"])
    assert lesson.read_text() == "clean"


def test_a_number_without_a_core_is_what_goes_further(start):
    start.VENV.mkdir()
    (start.ROOT / "notebooks" / "further" / "10_paper.ipynb").write_text("clean")
    start.keep_lessons()
    shutil.rmtree(start.ROOT / "notebooks" / "further")
    start.main(["reset", "10"])
    assert (start.ROOT / "notebooks" / "further" / "10_paper.ipynb").read_text() == "clean"


def test_what_cannot_be_reset_is_told_in_a_sentence(start, lesson):
    for words in (["77"], [], ["01", "02"], ["01_m"]):
        said = stopped_with(start.main, ["reset", *words])
        assert "number of one lesson (01), or the name of a file" in said
    new = lesson.with_name("02_new.ipynb")
    new.touch()
    assert "no clean copy of 02_new" in stopped_with(start.main, ["reset", "02"])
    assert new.exists()


def test_a_lesson_that_was_run_is_not_kept_as_clean(start):
    start.VENV.mkdir()
    start.keep_lessons()
    (start.ROOT / "notebooks" / LESSON).write_text('{"output_type": "stream"}')
    start.keep_lessons()
    assert (start.CLEAN / LESSON).read_text() == "clean"


# --------------------------------------------------------------- the commands


def test_no_command_opens_the_lessons_with_the_token_and_address_of_jupyter(start, calls):
    assert start.main(["--port", "9999"]) == 0
    assert calls[0] == "app"
    assert calls[1][:2] == ["-m", "jupyterlab"] and calls[1][-2:] == ["--port", "9999"]
    opened = next(word for word in calls[1] if "default_url" in word)
    assert (PROJECT / opened.partition("/lab/tree/")[2]).is_file()
    assert not any("token" in word or "--ip" in word or "password" in word for word in calls[1])


def test_the_projector_has_a_token_and_the_loopback_address(start, calls):
    assert start.main(["projector", "--port=9999"]) == 0
    assert calls[1][:2] == ["-m", "voila"] and calls[1][-1] == "--port=9999"
    assert {"--token", "--Voila.ip=127.0.0.1"} <= set(calls[1])


def test_test_runs_ruff_and_pytest_and_passes_arguments_on(start, calls):
    assert start.main(["test", "-k", "radius"]) == 0
    assert calls[:3] == ["app,test", ["-m", "ruff", "check"], ["-m", "ruff", "format", "--check"]]
    assert calls[3][:2] == ["-m", "pytest"] and calls[3][-4:] == ["-m", "not slow", "-k", "radius"]
    start.main(["test", "--all"])
    assert "not slow" not in calls[-1] and "--all" not in calls[-1]


@pytest.mark.parametrize("failing", ["check", "--check", "pytest"])
def test_test_fails_when_any_part_fails(start, calls, monkeypatch, failing):
    monkeypatch.setattr(start, "run", lambda words, folder: -9 if failing in words else 0)
    assert start.main(["test"]) == 1


def test_every_program_exists_and_gets_its_arguments(start, calls):
    for name, (*_, program) in start.PROGRAMS.items():
        start.main([name, "my folder", "--x"])
        assert calls[-1][-3:] == [program, "my folder", "--x"]
        inside = program.startswith("synthrisk_")
        path = (
            program.replace(".", "/") + ".py" if inside else Path(program).relative_to(start.ROOT)
        )
        text = (PROJECT / path).read_text("utf-8")
        assert '\nif __name__ == "__main__":' in text, "python -m would do nothing"


def test_an_unknown_command_gets_a_sentence(start, calls):
    assert "no command 'tset'" in stopped_with(start.main, ["tset"])
    assert calls == []


@pytest.mark.skipif(os.name == "nt", reason="Windows always has a display")
@pytest.mark.parametrize("screen", ["", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"])
def test_no_browser_is_opened_without_a_display(start, monkeypatch, screen):
    monkeypatch.setattr(start.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv(screen, ":0")
    assert start.no_browser() == ([] if screen else ["--no-browser"])


def test_as_a_real_program(start, tmp_path):
    def answer(*words):
        command = [sys.executable, str(start.ROOT / "start.py"), *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    helped = answer("--help")
    assert helped.returncode == 0 and helped.stderr == ""
    public = {*start.COMMANDS, *start.PROGRAMS} - {"", "bench", "reproduce"}
    assert set(re.findall(r"start\.py ([a-z]+)", helped.stdout)) == public
    (start.ROOT / "constraints.txt").unlink()  # start.py was copied alone
    start.VENV.mkdir()
    start.PYTHON.parent.mkdir()
    start.PYTHON.touch()
    (start.VENV / "ready-app").touch()
    alone = answer()
    assert alone.returncode == 1 and re.fullmatch(r"start\.py: .*constraints.*\n", alone.stderr)


# ------------------------------------------------------ what others say about it


def test_the_workflow_tries_every_supported_python_with_the_commands_of_the_readme():
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
    assert all(one.replace("python ", "python3 ") in readme for one in commands)


def test_every_command_that_a_page_or_a_lesson_names_exists(start):
    pages = [*PROJECT.glob("*.md"), *(PROJECT / "notebooks").glob("**/*.*")]
    pages = [page for page in pages if page.is_file() and page.name != "CHANGELOG.md"]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    named = set(re.findall(r"(?:[`\"]|    )python3 start\.py ([a-z]+)", text))
    assert named - {*start.COMMANDS, *start.PROGRAMS} == set()
    assert len(named) > 8
