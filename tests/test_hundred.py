"""A hundred draws behind every spread of lessons 06 and 08: stored, and what the scripts make."""

import importlib.util
import sys
from pathlib import Path

import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.data import load_results

DATA = Path(__file__).parent.parent / "data"


def script(name, monkeypatch):
    """Load a script that may import the others in its folder."""
    monkeypatch.setattr(sys, "path", [str(DATA), *sys.path])
    spec = importlib.util.spec_from_file_location(name, DATA / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "track", lambda steps, *_: steps)
    return module


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("disclosure_files", []),
        ("disclosure_actions", ["action"]),
        ("disclosure_ways", ["synthesizer"]),
        ("disclosure_exact", []),
        ("members_keys", ["keys", "target"]),
        ("members_leaves", ["min_leaf"]),
        ("members_sizes", ["share", "measure"]),
        ("members_splits", []),
        ("members_both", ["target"]),
    ],
)
def test_there_are_a_hundred_of_everything(name, by):
    stored = load_results(name)
    sizes = stored.groupby(by).size() if by else pd.Series([len(stored)])
    assert (sizes == 100).all() and stored.notna().all(axis=None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["files", "actions", "exact"])
def test_stored_files_of_lesson_06_are_what_the_script_makes(name, monkeypatch):
    maker = script("make_disclosure", monkeypatch)
    monkeypatch.setattr(maker, "FILES", 1)
    again = maker.MAKERS[name](sr.load_diagnosis())
    stored = load_results(f"disclosure_{name}").head(len(again))
    pd.testing.assert_frame_equal(again, stored, check_dtype=False, atol=1e-3)


@pytest.mark.slow
def test_stored_ways_are_what_the_script_makes(monkeypatch):
    """All but DPMPM: its first file depends on how many are asked for."""
    maker = script("make_disclosure", monkeypatch)
    monkeypatch.setattr(maker, "FILES", 1)
    again, stored = maker.ways_table(sr.load_diagnosis()), load_results("disclosure_ways")
    again, stored = (
        one[one.synthesizer != "DPMPM"].reset_index(drop=True) for one in (again, stored.head(6))
    )
    pd.testing.assert_frame_equal(again, stored, check_dtype=False, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["keys", "leaves", "splits", "both"])
def test_stored_splits_of_lesson_08_are_what_the_script_makes(name, monkeypatch):
    maker = script("make_members", monkeypatch)
    monkeypatch.setattr(maker, "SPLITS", 1)
    again = maker.MAKERS[name](sr.load_diagnosis()).reset_index(drop=True)
    stored = load_results(f"members_{name}")
    stored = stored[stored.split == 1].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, stored, check_dtype=False, atol=1e-3)


@pytest.mark.slow
def test_stored_sizes_are_what_the_script_makes(monkeypatch):
    maker = script("make_members", monkeypatch)
    monkeypatch.setattr(maker, "SPLITS", 1)
    again = maker.sizes_table(sr.load_diagnosis()).reset_index(drop=True)
    stored = load_results("members_sizes")
    stored = stored[stored.split == 1].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, stored, check_dtype=False, atol=1e-3)


def test_who_is_told_with_or_without_adds_up_to_members_and_others():
    """Two halves of a hundred splits each, other splits than those of `members_keys`."""
    both = load_results("members_both").groupby("target").mean()
    keys = load_results("members_keys")
    keys = keys[keys["keys"] == "sex+age+region+placesize"]
    keys = keys.groupby("target")[["members", "others"]].mean()
    for target in ("marital", "depress"):
        row = both.loc[target]
        assert row.both + row.only_with == pytest.approx(keys.members[target], abs=0.3)
        assert row.both + row.only_without == pytest.approx(keys.others[target], abs=0.3)
