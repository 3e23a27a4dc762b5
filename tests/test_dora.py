"""Dora's double is the record most like her, and every lesson tells what becomes of her."""

import pytest

from synthrisk_classroom import lesson
from synthrisk_classroom.dora import most_like
from synthrisk_classroom.lesson import module, numbers, tables

TOLD = [number for number in numbers() if hasattr(module(number), "dora")]


@pytest.mark.parametrize("number", TOLD)
def test_her_double_is_the_record_most_like_her(number):
    table, position = module(number).DORA
    assert most_like(getattr(tables(number, None), table), module(number).LIKE) == position


@pytest.mark.parametrize("number", TOLD)
def test_her_numbers_are_numbers_and_read_aloud(number):
    told = module(number).dora(tables(number, None))
    assert told.c >= 0 and 0 <= told.T <= 1 and 0 <= told.risk <= 1
    assert told.words.endswith(".") and "nan" not in repr(told)
    shown = lesson(number).dora()._repr_html_()
    assert shown.startswith("<details><summary><b>And Dora?</b>") and told.release in shown


def test_all_of_her_is_one_table():
    table = lesson("08").dora_everywhere()
    assert list(table) == ["release", "c", "T", "risk"]
    assert list(table.index) == [number for number in TOLD if number <= "08"]
