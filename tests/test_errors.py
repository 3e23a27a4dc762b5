"""An error in a lesson is the reader's own lines and one sentence."""

import re
import sys

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from synthrisk_classroom.errors import show_own_lines
from synthrisk_classroom.running import new_shell


@pytest.fixture
def shell():
    """A shell as a lesson has it, with a table."""
    shell = new_shell({"table": pd.DataFrame({"c": [1, 2]}, index=["Ana", "Bea"])})
    show_own_lines(shell)
    yield shell
    InteractiveShell.clear_instance()


def shown(shell, capsys, source):
    """What a reader sees of an error, without colours."""
    assert not shell.run_cell(source).success
    return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)


@pytest.mark.parametrize(
    "source, sentence",
    {
        'table.loc["Dora"]': "Nothing is called 'Dora' here",
        "table.iloc[7]": "Positions start at 0",
        "people.head()": "Is people made in a cell above? Run the first cell of the lesson",
        "1 / 0": "ZeroDivisionError: division by zero",
    }.items(),
)
def test_an_error_is_the_own_line_and_one_sentence(shell, capsys, source, sentence):
    text = shown(shell, capsys, source)
    assert sentence in text and source in text
    assert len(text.splitlines()) <= 8 and "pandas" not in text


def test_all_is_still_to_be_had(shell, capsys, monkeypatch):
    for name in ("last_type", "last_value", "last_traceback"):  # of an earlier test
        monkeypatch.delattr(sys, name, raising=False)
    text = shown(shell, capsys, 'table.loc["Dora"]')
    shell.run_line_magic("tb", "")
    everything = capsys.readouterr().out
    assert "pandas" in everything and "pandas" not in text
    assert "The above exception was the direct cause" in everything  # how the library came to it
    assert "The above exception" not in text


def test_the_own_function_is_shown_too(shell, capsys):
    text = shown(shell, capsys, 'def first(t):\n    return t.loc["Dora"]\n\nfirst(table)')
    assert '----> 2     return t.loc["Dora"]' in text


def test_an_error_with_a_note_of_its_own_gets_no_other(shell, capsys):
    source = 'error = KeyError("Dora")\nerror.add_note("Dora is in lesson 01.")\nraise error'
    text = shown(shell, capsys, source)
    assert "Dora is in lesson 01." in text and "Nothing is called" not in text
