"""The package's own lines, shown in a notebook, in a handout and on the website."""

import inspect
import json
import re
from functools import cache, cached_property
from html import unescape

import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import synthrisk_edu as sr
from synthrisk_classroom import handouts
from synthrisk_classroom.convert import to_html
from synthrisk_classroom.running import Run
from synthrisk_edu import cells


class Example:
    """Something to show."""

    def doubled(self, x):
        """Double it.

            2 · x

        >>> Example().doubled(2)
        4
        """
        return 2 * x  # <b>as it stands</b>

    @property
    def one(self):
        """One."""
        return 1

    @cached_property
    def two(self):
        return 2


def test_the_lines_are_those_of_the_package():
    shown = sr.show_code(cells.as_floats)
    assert repr(shown) == inspect.getsource(cells.as_floats).rstrip()
    whole = sr.show_code(cells.quantile_groups, docstring=True)
    assert repr(whole) == inspect.getsource(cells.quantile_groups).rstrip()


def test_of_a_docstring_only_the_first_line_is_shown():
    assert repr(sr.show_code(Example.doubled)).splitlines() == [
        "def doubled(self, x):",
        '    """Double it."""',
        "    return 2 * x  # <b>as it stands</b>",
    ]
    assert "2 · x" in repr(sr.show_code(Example.doubled, docstring=True))
    assert sr.show_code(Example().doubled) == sr.show_code(Example.doubled)


def test_whatever_makes_a_method_or_remembers_it():
    assert repr(sr.show_code(Example.one)).startswith("@property\ndef one(self):")
    assert repr(sr.show_code(Example.two)).endswith("return 2")
    assert repr(sr.show_code(cache(cells.as_floats))).startswith("def as_floats")


@pytest.mark.parametrize("wrong", ["match", None, 5, sr.load_ce, Example])
def test_what_is_no_function_gets_a_sentence(wrong):
    wrong = wrong() if wrong is sr.load_ce else wrong  # what a function gives is not the function
    with pytest.raises(TypeError, match=r"show_code needs a function .* not \w+( \w+)?\.$"):
        sr.show_code(wrong)


def test_what_is_not_written_in_python_gets_a_sentence():
    with pytest.raises(ValueError, match="len is not written in Python, so there are no lines"):
        sr.show_code(len)


def test_the_html_holds_the_same_lines_escaped_and_needs_nothing():
    html = sr.show_code(Example.doubled)._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;" in html and "test_code.py" in html
    assert not re.search(r"<script|<style|<link|https?:|url\(|class=\"(?!highlight)", html)
    lines = re.search(r"<pre[^>]*>(.*)</pre>", html, re.DOTALL)[1]
    assert unescape(re.sub("<[^>]+>", "", lines)).strip() == repr(sr.show_code(Example.doubled))


def colours(html):
    """How many words have a colour of their own."""
    return html.count('<span style="color: #')


def test_it_is_in_colour_on_every_page():
    shown = sr.show_code(cells.combine)
    output = new_output(
        "execute_result", {"text/html": shown._repr_html_(), "text/plain": repr(shown)}
    )
    lesson = new_notebook(
        cells=[
            new_markdown_cell("# A lesson", id="title"),
            new_code_cell("sr.show_code(cells.combine)", id="code", outputs=[output]),
        ]
    )
    pages = handouts.pages_of(Run(lesson, {}, {})) | {"site": to_html(lesson, "site")}
    for page in pages.values():
        assert unescape(shown._repr_html_()) in unescape(page)
        assert colours(page) >= colours(shown._repr_html_()) > 20
    for ending in ("", "_solutions"):
        assert "sr.show_code" not in re.sub("<[^>]+>", "", pages[ending])  # the lines alone


# ------------------------------------------------------------------ the same question in R


def arguments_of(script):
    """The arguments of the call that a script makes, as text by name."""
    return dict(re.findall(r"^  ([\w.]+) = (.+?),?$", script, re.MULTILINE))


def without_texts(script):
    """A script of R with every text in quotes taken out."""
    return re.sub(r'"(?:[^"\\]|\\.)*"', "", script)


CASES = "one_continuous one_continuous_known_age two_continuous two_continuous_mixed absolute"


@pytest.mark.parametrize("case", CASES.split())
def test_the_script_asks_what_the_golden_cases_ask(golden, case):
    case = json.loads((golden / "expected.json").read_text("utf-8"))["matching"][case]
    files = [pd.read_csv(golden / f"mixed_{name}.csv") for name in ("confidential", "synthetic_1")]
    ranged = [name for name in ("age", "spend", "income")
              if name in case["known"] + case["synthesized"]]  # fmt: skip
    radius = dict(zip(ranged, case["radius"], strict=True))
    how = {"relative": case["relative"][0], "bounds": "open"}
    script = sr.r_script(sr.match, *files, case["known"], case["synthesized"], radius, **how)
    assert f"known <- {in_r(case['known'])}" in script
    assert f"synthesized <- {in_r(case['synthesized'])}" in script
    equal = [name for name in case["known"] + case["synthesized"] if name not in ranged]
    assert f"for (name in {in_r(equal)})" in script
    asked = arguments_of(script)
    assert asked["r"] == in_r(case["radius"])  # known first, then synthesized: so are the columns
    assert asked["percentage"] == str(how["relative"]).upper()


def in_r(values):
    """A list as R writes it."""
    return f"c({', '.join(json.dumps(one) for one in values)})"


def test_without_a_radius_the_script_names_none():
    people = pd.DataFrame({"Town": list("AAB"), "Age": [1, 2, 3]})
    script = sr.r_script(sr.match, people, people, ["Town"], ["Age"])
    assert list(arguments_of(script)) == ["known", "syn"]
    assert 'for (name in c("Town", "Age"))' in script


def test_the_options_of_disclosure_are_those_of_synthpop():
    people = pd.DataFrame(
        {"sex": list("FM"), "Home town": list("AB"), "age": [1, 2], "job": [3, 4]}
    )
    script = sr.r_script(
        sr.disclosure, people, people, ["age", "sex", "Home town"], "job",
        groups={"job": 5, "age": 3}, special={"age": [-8, -9]}, missing_keys={"age": False},
        missing_target=False, drop_target=[7], exclude=[("age", 18.0, "yes")], denom_limit=1,
    )  # fmt: skip
    asked = arguments_of(script)
    # In the order of the columns, whatever the order of the keys: so synthpop takes all of them.
    assert asked["keys"] == 'make.names(c("sex", "Home town", "age"))'
    assert asked["usekeysNA"] == "c(TRUE, TRUE, FALSE)" and asked["usetargetNA"] == "FALSE"
    assert (asked["ngroups_keys"], asked["ngroups_target"]) == ("c(0, 0, 3)", "5")
    assert asked["cont.na"] == 'setNames(list(c(-8, -9)), make.names(c("age")))'
    assert asked["not.targetlev"] == 'c("7")' and asked["exclude.keylevs"] == 'c("18")'
    assert (asked["denom_lim"], asked["exclude_ov_denom_lim"]) == ("1", "TRUE")
    plain = arguments_of(sr.r_script(sr.disclosure, people, people, ["sex"], "job"))
    assert set(plain) == {"keys", "target", "print.flag", "usekeysNA", "usetargetNA"}


@pytest.mark.parametrize("name", ['x"); q("yes', "back\\", "two\nlines", "größe", "{known}", 2011])
def test_a_name_is_quoted_whatever_stands_in_it(name):
    people = pd.DataFrame({name: ["a", "b"], "Town": ["A", "B"]})
    calls = [(sr.match, ["Town"], [name]), (sr.disclosure, [name], "Town")]
    for function, *arguments in calls:
        script = sr.r_script(function, people, people, *arguments)
        written = json.dumps(str(name), ensure_ascii=False)
        assert written in script
        other = script.replace(written, '"plain"')
        assert without_texts(script) == without_texts(other)  # nothing of it stands outside
        assert script.count("\n") == other.count("\n")


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"radius": 0.1}, "bounds must be one of 'open', not 'closed'"),
        ({"radius": 0.1, "shape": "ellipse"}, "shape must be one of 'box'"),
        ({"fallback": True}, "fallback must be one of False"),
        ({"known": []}, "known is empty; name at least one variable, for the R package"),
    ],
)
def test_what_the_r_package_does_not_have_is_refused(how, sentence):
    people = pd.DataFrame({"Town": list("AAB"), "Age": [1, 2, 3]})
    arguments = {"known": ["Town"], "synthesized": ["Age"]} | how
    with pytest.raises(ValueError, match=re.escape(sentence)):
        sr.r_script(sr.match, people, people, **arguments)


def test_other_functions_and_lists_of_files_get_a_sentence():
    people = pd.DataFrame({"Town": list("AAB")})
    with pytest.raises(ValueError, match="function must be one of 'match', 'disclosure', not"):
        sr.r_script(sr.copies, people, people)
    with pytest.raises(TypeError, match="synthetic must be one data frame, not a list"):
        sr.r_script(sr.match, people, [people], [], ["Town"])
