"""Worksheets: columns to fill and questions without answers, and the same with them."""

import re

import pandas as pd
import pytest

from synthrisk_classroom import worksheets

# What the lessons count by hand, and say in words.
SAID = {
    "01": ["3.5 times", "Ana, Bea, Emil and Finn; somebody else's for Bea and Finn"],
    "02": ["c = 5, T = 1", "c = 4, T = 1"],
    "03": ["3 of 4 in A and 1 of 6 in B", ">3.<", "Person 1:"],
    "04": ["From 48 to 72", ">1.5.<"],
    "05": ["5 with 0.5, 6 with 0.25 and 8 with 0.25", "3.5, on average", ">3.<"],
    "06": ["iS 75, DiS 62.5, DiSCO 37.5", "Tea and Vik"],
    "07": ["Ahn, Dutta and Gil: 3 of 10"],
    "08": ["Members 0.7, others 0.5", "0.2; at most 0.5 could be added, so the residual is 0.4"],
}
SHEETS = {sheet.__name__[-2:]: sheet for sheet in worksheets.SHEETS}


@pytest.mark.parametrize("number", SAID)
def test_the_answers_stand_on_the_second_page_only(number):
    plain, solved = worksheets.pages_of(SHEETS[number]).values()
    assert (
        solved.count('<span class="answer">') == 3 and 'answer"' not in plain.split("</style>")[1]
    )
    fill = plain.count('<td class="fill"></td>')
    assert fill == plain.count('class="fill') == solved.count('<td class="fill answer">') > 0
    for words in SAID[number]:
        assert words in solved and words not in plain
    assert len(re.findall("<li>", plain)) == 3 and "{" not in plain.split("</style>")[1]
    assert not re.search(r"https?://|<script|src=", plain + solved)


def test_every_text_of_a_table_is_escaped():
    table = pd.DataFrame({"<i>": ["<u>"]}, index=["<b>"])
    html = worksheets.html_table(table, pd.DataFrame({"<s>": ["<q>"]}, index=["<b>"]), "fill")
    assert not re.search("<[bius q]>", html)
    assert all(f"&lt;{sign}&gt;" in html for sign in "biusq")


def pages(pdf):
    """Count the pages of a PDF."""
    return len(re.findall(rb"/Type /Page\b", pdf))


@pytest.mark.slow
def test_every_worksheet_is_one_page(chromium):
    """All in one browser; the command starts one for every page."""
    page = chromium.new_page()
    for number, sheet in SHEETS.items():
        for html in worksheets.pages_of(sheet).values():
            page.set_content(html)
            assert pages(page.pdf(format="Letter", prefer_css_page_size=True)) == 1, number
    page.close()


@pytest.mark.slow
def test_the_command_prints_each_page(chromium, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(worksheets, "SHEETS", [worksheets.sheet_07])
    worksheets.main([str(tmp_path)])
    printed = sorted(tmp_path.glob("*.pdf"))
    assert [path.name for path in printed] == ["07_worksheet.pdf", "07_worksheet_answers.pdf"]
    assert [pages(path.read_bytes()) for path in printed] == [1, 1]
    assert "no chromium" not in capsys.readouterr().out
