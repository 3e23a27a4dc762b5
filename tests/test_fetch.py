"""The real files: fetched once, checked, kept, and never needed. No test leaves this computer."""

import ast
import contextlib
import hashlib
import http.server
import importlib.util
import re
import shutil
import socket
import threading
from pathlib import Path
from unittest.mock import Mock

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from notebook_runner import problems

import synthrisk_edu as sr
from synthrisk_classroom.running import run
from synthrisk_edu import fetch

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
NAME, GOOD = "toy.csv", b"x,y\n1,2\n"
NEEDS_RDATA = pytest.mark.skipif(
    importlib.util.find_spec("rdata") is None, reason="the package rdata is not installed"
)


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers as the server's `say` tells it: status, headers and body for every path."""

    def do_GET(self):
        self.server.asked.append(self.path)
        status, headers, body = self.server.say(self.path)
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # whoever asked may have gone
            self.wfile.write(body)

    def log_message(self, *_):
        """Keep the output of the tests clean."""


@pytest.fixture
def server(monkeypatch):
    """A server on this computer that stands in for all publishers."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.asked, server.say = [], lambda path: (200, {}, GOOD)
        thread = threading.Thread(target=server.serve_forever, args=[0.02])
        thread.start()
        monkeypatch.setenv("SYNTHRISK_EDU_MIRROR", f"http://127.0.0.1:{server.server_port}/")
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, no proxy, and no way out by accident."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SYNTHRISK_EDU_CACHE", str(folder))
    monkeypatch.setenv("SYNTHRISK_EDU_MIRROR", f"http://127.0.0.1:{closed_port()}")
    monkeypatch.setenv("no_proxy", "*")
    return folder


@pytest.fixture
def toy(monkeypatch):
    """A made-up file is the only one we know."""
    know(monkeypatch, {NAME: GOOD}, "toy")


def know(monkeypatch, contents, needed_by):
    """Let made-up files be the real ones."""
    table = pd.DataFrame(
        {
            "address": [f"https://publisher.invalid/{name}" for name in contents],
            "size": [len(content) for content in contents.values()],
            "sha256": [hashlib.sha256(content).hexdigest() for content in contents.values()],
            "needed_by": needed_by,
        },
        index=list(contents),
    )
    monkeypatch.setattr(fetch, "real_files", lambda: table)


@pytest.fixture
def raw(reference):
    """The files as their publishers serve them."""
    if not (reference / "raw").is_dir():
        pytest.skip("the reference data hold no raw files")
    return reference / "raw"


def closed_port():
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def left_behind(folder):
    """What is in the cache: no half files and no temporary folders are wanted."""
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


# ------------------------------------------------------------------ a good day


def test_a_file_is_fetched_once_and_kept(toy, server, cache, capsys):
    path = fetch._path(NAME)
    assert (Path(path).read_bytes(), left_behind(cache)) == (GOOD, [NAME])
    printed = capsys.readouterr()
    assert "downloading toy.csv, in bytes [####################] 8 of 8" in printed.out
    assert printed.err == ""  # no red lines in a notebook
    assert fetch._path(NAME) == path
    assert server.asked == ["/toy.csv"] and capsys.readouterr().out == ""


@pytest.mark.parametrize("headers", [{}, {"Content-Length": None}])
def test_the_line_moves_up_to_the_size_we_know(server, monkeypatch, headers, capsys):
    big = bytes(range(256)) * 1001  # the last piece is a short one
    know(monkeypatch, {"big": big}, "toy")
    server.say = lambda path: (200, headers, big)
    assert Path(fetch._path("big")).read_bytes() == big
    assert capsys.readouterr().out.rstrip().endswith("256,256 of 256,256, about 0 s left")


def test_a_damaged_file_is_fetched_anew(toy, server, cache):
    cache.mkdir()
    (cache / NAME).write_bytes(GOOD[:-1])
    assert Path(fetch._path(NAME)).read_bytes() == GOOD


def test_without_a_mirror_the_publisher_is_asked(monkeypatch):
    monkeypatch.delenv("SYNTHRISK_EDU_MIRROR")
    for name, file in fetch.real_files().iterrows():
        assert fetch.store().get_url(name) == file.address
        assert file.address.startswith("https://") and file.address.endswith("/" + name)
        assert len(file.sha256) == 64 and 0 < file["size"] < 5_000_000


def test_every_fetch_knows_its_files():
    assert {f"fetch_{name}" for name in fetch.real_files().needed_by} == {
        name for name in vars(sr) if name.startswith("fetch_")
    }


def test_without_a_name_of_ours_the_system_says_where_files_are_kept(monkeypatch):
    monkeypatch.delenv("SYNTHRISK_EDU_CACHE")
    assert "synthrisk_edu" in fetch.store().path.parts


# ------------------------------------------------------------------ a bad day

BAD_DAYS = {
    "broken transfer": (200, {"Content-Length": "13"}, GOOD[:3], "could not be downloaded"),
    "not found": (404, {}, b"no", "could not be downloaded"),
    "login page": (200, {}, b"<p>", "is not the toy.csv that we know; .* a login page"),
}


@pytest.mark.parametrize("day", BAD_DAYS)
def test_on_a_bad_day_one_sentence_helps_and_nothing_is_kept(toy, server, cache, day):
    *answer, words = BAD_DAYS[day]
    server.say = lambda path: answer
    with pytest.raises(RuntimeError, match=words) as caught:
        fetch._path(NAME)
    one_sentence(caught.value)
    assert left_behind(cache) == []
    server.say = lambda path: (200, {}, GOOD)
    assert Path(fetch._path(NAME)).read_bytes() == GOOD  # the next day is a good one


def test_without_a_network_the_message_says_what_to_do(toy, cache):
    with pytest.raises(RuntimeError, match="the lessons run without it") as caught:
        fetch._path(NAME)
    one_sentence(caught.value)
    assert str(cache / NAME) in str(caught.value)
    assert fetch.store().get_url(NAME) in str(caught.value)
    assert left_behind(cache) == []


@pytest.mark.parametrize("address", ["http://mirror.invalid", "ftp://mirror.invalid", "mirror"])
def test_a_mirror_must_be_https(toy, address, monkeypatch):
    monkeypatch.setenv("SYNTHRISK_EDU_MIRROR", address)
    with pytest.raises(ValueError, match="SYNTHRISK_EDU_MIRROR must be"):
        fetch._path(NAME)


def test_a_mirror_may_be_https_with_or_without_a_slash(monkeypatch):
    for mirror in ("https://mirror.invalid/real", "https://mirror.invalid/real/"):
        monkeypatch.setenv("SYNTHRISK_EDU_MIRROR", mirror)
        assert fetch.store().get_url("syc.rda") == "https://mirror.invalid/real/syc.rda"


@pytest.mark.parametrize("error", [PermissionError("pooch says so"), OSError(28, "No space left")])
def test_a_disk_that_takes_nothing(toy, server, monkeypatch, error):
    monkeypatch.setattr("pooch.core.make_local_storage", Mock(side_effect=error))
    with pytest.raises(OSError, match=r"cannot be kept in .*\((no access|No space left)\)"):
        fetch._path(NAME)


def test_a_folder_that_cannot_be_used(toy, server, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SYNTHRISK_EDU_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(OSError, match=r"cannot be kept in .*SYNTHRISK_EDU_CACHE"):
        fetch._path(NAME)


@pytest.mark.parametrize("package", ["pooch", "rdata"])
def test_without_a_package_a_sentence_names_the_extra(server, monkeypatch, package):
    without(monkeypatch, package)
    for function in (sr.fetch_ce, sr.fetch_youth, sr.fetch_diagnosis):
        with pytest.raises(
            ModuleNotFoundError, match=rf"{package}.*synthrisk_edu\[real\]"
        ) as caught:
            function()
        one_sentence(caught.value)
    assert server.asked == []  # nothing is downloaded that could not be read


def without(monkeypatch, package):
    """Let a package look as if it were not installed."""
    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == package else there(name)
    )


def one_sentence(error):
    message = str(error)
    assert message.endswith(".") and message.count(". ") == 0 and "\n" not in message


# ------------------------------------------------------------------ at hand


def test_at_hand(cache, server, monkeypatch):
    know(monkeypatch, {"syc.rda": GOOD, "ACSdata.csv": GOOD, "more.csv": GOOD},
         ["youth", "acs", "acs"])  # fmt: skip
    assert not fetch.at_hand("youth")
    cache.mkdir()
    (cache / "syc.rda").write_bytes(GOOD[:-1])
    assert not fetch.at_hand("youth")
    for name in ("syc.rda", "ACSdata.csv"):
        (cache / name).write_bytes(GOOD)
    assert fetch.at_hand("youth") and not fetch.at_hand("acs")  # which needs both of its files
    (cache / "more.csv").write_bytes(GOOD)
    without(monkeypatch, "rdata")
    assert fetch.at_hand("acs") and not fetch.at_hand("youth")
    without(monkeypatch, "pooch")
    assert not fetch.at_hand("acs") and server.asked == []
    with pytest.raises(ValueError, match="name must be one of 'acs', 'youth'"):
        fetch.at_hand("lasi")


# ------------------------------------------------------------------ made-up files, read


def serve(server, monkeypatch, contents):
    """Let the server send made-up files under the names of real ones."""
    know(monkeypatch, contents, "toy")
    server.say = lambda path: (200, {}, contents[path.removeprefix("/")])


def test_acs_has_the_shape_of_the_simulated_file(server, monkeypatch):
    three = sr.load_acs().head(3)
    serve(server, monkeypatch, {"ACSdata.csv": three.to_csv(index=False).encode()})
    pd.testing.assert_frame_equal(sr.fetch_acs(), three)
    assert sr.fetch_acs().attrs == {"codebook": "acs"}


ADULT_ROW = (
    "39, {}, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Peru, {}\n"
)


def test_adult_joins_its_two_parts(server, monkeypatch):
    train = ADULT_ROW.format("State-gov", "<=50K") + ADULT_ROW.format("?", ">50K") + "\n"
    test = "|1x3 Cross validator\n" + ADULT_ROW.format("Private", ">50K.") + "\n"
    serve(server, monkeypatch, {"adult.data": train.encode(), "adult.test": test.encode()})
    adult = sr.fetch_adult()
    assert adult.part.tolist() == ["train", "train", "test"]
    assert adult.income.tolist() == ["<=50K", ">50K", ">50K"]
    assert adult.workclass.isna().tolist() == [False, True, False]
    assert adult.occupation.eq("Sales").all() and adult.age.tolist() == [39] * 3
    assert list(adult.select_dtypes("number")) == [
        "age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week",
    ]  # fmt: skip
    assert adult.income.cat.categories.tolist() == ["<=50K", ">50K"]


def test_a_signalling_nan_becomes_an_ordinary_one():
    """R writes a missing number in a way that makes NumPy warn in every sum."""
    missing = np.array([0x7FF00000000007A2], dtype="uint64").view(float)
    plain = fetch._plain_missing(pd.DataFrame({"x": missing, "y": ["a"]}))
    assert plain.x.to_numpy().view("uint64")[0] == np.array(np.nan).view("uint64")
    with np.errstate(invalid="raise"):
        assert np.isnan(plain.x.to_numpy() - 1).all()


# ------------------------------------------------------------------ the real files, where at hand


@pytest.fixture
def publishers(raw, server):
    """The server sends the real files."""
    server.say = lambda path: (200, {}, (raw / path.removeprefix("/")).read_bytes())
    return server


@pytest.mark.parametrize(
    ("name", "file"),
    [("acs", "acs/ACSdata.csv"),
     pytest.param("ce", "ce/CEdata.csv", marks=NEEDS_RDATA),
     pytest.param("diagnosis", "sd2011/original.csv", marks=NEEDS_RDATA),
     ("adult", "adult.csv.gz")],
)  # fmt: skip
def test_fetched_is_the_reference(publishers, reference, name, file):
    fetched, expected = getattr(sr, f"fetch_{name}")(), pd.read_csv(reference / file)
    pd.testing.assert_frame_equal(fetched.astype(expected.dtypes.to_dict()), expected)
    assert fetch.at_hand(name)
    with np.errstate(invalid="raise"):  # no missing number is one that NumPy warns about
        fetched.select_dtypes("number").to_numpy(dtype=float) + 1
    if name != "adult":
        simulated = getattr(sr, f"load_{name}")()
        pd.testing.assert_frame_equal(fetched.head(0), simulated.head(0))


@NEEDS_RDATA
def test_fetched_youth_is_the_reference_in_our_codes(publishers, reference):
    youth, real = sr.fetch_youth(), pd.read_csv(reference / "syc" / "syc.csv")
    assert list(youth) == list(sr.load_youth()) and len(youth) == 2621
    assert youth.facility.tolist() == real.psu.tolist()
    assert (youth.weight.tolist(), youth.age.tolist()) == (real.finalwt.tolist(), real.age.tolist())
    pd.testing.assert_series_equal(youth.race.astype(float), real.race)
    words = sr.data.in_words(youth.drop(columns="facility"), "youth")
    for ours, theirs in {"ethnicity": "ethnicty", "sex": "sex", "crime": "crimtype"}.items():
        pairs = pd.crosstab(
            words[ours].astype(object).fillna("?"), real[theirs].fillna("?")
        )  # each word of theirs is one word of ours
        assert ((pairs > 0).sum(axis=0) == 1).all() and ((pairs > 0).sum(axis=1) == 1).all()
    assert words.ethnicity.value_counts()["Hispanic"] == (real.ethnicty == "hispanic").sum()
    assert words.crime.value_counts()["public order"] == (real.crimtype == "publicorder").sum()
    cells = sr.prepare_youth(youth).groupby(["facility", "race", "ethnicity"], observed=True).size()
    assert (cells.sum(), (cells == 1).sum()) == (2562, 64)  # as published


# ------------------------------------------------------------------ the sections of the lessons

TITLE = "[Tt]he published numbers on the published data"
LESSONS = {
    "further/03_measures": ["acs"],
    "further/04_published": ["ce"],
    "further/06_definitions": ["diagnosis", "adult"],
}
SHOWN = {
    "further/03_measures": ["published"],
    "further/04_published": ["published"],
    "further/06_definitions": ["DCAP", "native-country"],
}


# What the section takes from earlier cells.
EARLIER = {"further/03_measures": ["known"], "further/04_published": ["known", "scenarios"]}


def assignments(cells, wanted):
    """The first assignment to each of the wanted names, as they stand in the cells."""
    found = {}
    for cell in cells:
        for node in ast.parse(cell.source).body if cell.cell_type == "code" else ():
            if isinstance(node, ast.Assign):
                names = {n.id for n in ast.walk(node.targets[0]) if isinstance(n, ast.Name)}
                for name in names & set(wanted):
                    found.setdefault(name, ast.unparse(node))
    return new_code_cell("\n".join(found[name] for name in wanted))


def section(lesson, online):
    """A notebook of the lesson's set-up, what it needs, and its section on the published data."""
    cells = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4).cells
    code = [k for k, cell in enumerate(cells) if cell.cell_type == "code"]
    (start,) = (k for k, cell in enumerate(cells) if re.search(f"^## .*{TITLE}", cell.source, re.M))
    ends = (k for k in range(start + 1, len(cells)) if "\n## " in "\n" + cells[k].source)
    needed = assignments(cells[:start], EARLIER.get(lesson, []))
    chosen = [cells[code[0]], needed, *cells[start : next(ends)]]
    if online:
        (switch,) = (cell for cell in chosen if "ONLINE = False" in cell.source)
        switch.source = switch.source.replace("ONLINE = False", "ONLINE = True")
    return new_notebook(cells=[cell for cell in chosen if cell.cell_type == "code"])


def outputs(notebook):
    """All that the section prints and shows, as text."""
    return "\n".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        for output in cell.outputs
    )


def run_section(lesson, folder, online=False):
    done = run(section(lesson, online), folder)
    assert problems(done) == []
    return outputs(done.notebook)


@pytest.mark.parametrize(
    "lesson",
    [
        "further/06_definitions",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("further/03_measures", "further/04_published")
        ),
    ],
)
def test_section_runs_without_the_file_and_asks_nobody(lesson, server, tmp_path):
    shown = run_section(lesson, tmp_path)
    assert shown.count("is not on this computer") == len(LESSONS[lesson])
    assert not any(word in shown for word in SHOWN[lesson]) and server.asked == []


@NEEDS_RDATA
@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS)
def test_section_computes_the_published_numbers_online(lesson, publishers, tmp_path):
    shown = run_section(lesson, tmp_path, online=True)
    assert all(word in shown for word in SHOWN[lesson])
    assert "is not on this computer" not in shown
    files = fetch.real_files()
    wanted = files.index[files.needed_by.isin(LESSONS[lesson])]
    assert sorted(publishers.asked) == sorted(f"/{name}" for name in wanted)


@NEEDS_RDATA
@pytest.mark.slow
def test_section_uses_files_that_are_already_here(raw, cache, server, tmp_path):
    cache.mkdir()
    for name in fetch.real_files().index:
        shutil.copyfile(raw / name, cache / name)
    shown = run_section("further/06_definitions", tmp_path)
    assert all(word in shown for word in SHOWN["further/06_definitions"]) and server.asked == []
