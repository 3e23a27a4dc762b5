"""The R script that computes the golden figures anew names the same files, keys and figures.

R is not needed for our tests, and not installed where they run: the script is read here and never
run. Who has R runs it as tests/golden/README.md says.
"""

import json
import re

import pytest
import test_disclosure

MATCHING = {"expected": "exp.risk_vector", "true_rate": "true.rate_vector",
            "false_rate": "false.rate_vector"}  # fmt: skip
NOT_COMPARED = {"unique", "c_first", "T_first"}
ANSWERS = {"ident", "attrib", "allCAPs"}
FLAGS = {"check1", "check2", "check_1way", "check_2way"}


@pytest.fixture(scope="module")
def script(golden):
    """The lines of the script."""
    return (golden / "check_with_r.R").read_text("utf-8")


@pytest.fixture(scope="module")
def expected(golden):
    """What the R packages have returned."""
    return json.loads((golden / "expected.json").read_text("utf-8"))


def test_it_reads_every_table_there_is(script, golden):
    named = re.findall(r'"(\w+_[%\w]+\.csv)"', script)
    assert {"expected.json"} == set(re.findall(r'"(\w+\.json)"', script))
    read = {name.replace("%d", str(k)) for name in named for k in (1, 2, 3)}
    assert "lapply(1:3" in script
    assert read == {path.name for path in golden.glob("*.csv")}


def test_it_asks_with_the_same_keys_and_codes(script, golden):
    keys, factors = re.findall(r"(?:keys|factors) <- c\((.+)\)", script)[::-1]
    assert keys.replace('"', "").split(", ") == test_disclosure.KEYS
    header = (golden / "mixed_confidential.csv").read_text("utf-8").splitlines()[0].split(",")
    quantities = [name for name in header if f'"{name}"' not in factors]
    assert quantities == ["age", "spend", "income"]  # the order of the radii


def test_it_holds_every_kind_of_figure(script, expected):
    held = dict(re.findall(r"found\$([\w.]+), case\$(\w+)\)", script))
    assert {ours: theirs for theirs, ours in held.items()} == MATCHING
    for case in expected["matching"].values():
        question = {"known", "synthesized", "radius", "relative"}
        assert set(case) == question | set(MATCHING) | NOT_COMPARED
        assert all(f"case${name}" in script for name in question)
    parts = re.search(r"for \(part in c\((.+)\)\)", script)[1].replace('"', "").split(", ")
    assert set(parts) == ANSWERS
    for case in expected["disclosure"].values():
        assert set(case) == {"target", "args"} | ANSWERS | FLAGS


def test_the_number_of_figures_is_the_one_we_tell(expected, golden):
    figures = sum(len(case[name]) for case in expected["matching"].values() for name in MATCHING)
    for case in expected["disclosure"].values():
        rows = (row for part in ANSWERS for row in case[part])
        figures += sum(len(row.keys() - {"_row"}) for row in rows)
    assert f"Seen: {figures} figures, 0 differ" in (golden / "README.md").read_text("utf-8")
