"""Worksheets: columns to fill and questions without answers, and the same with them."""

import json
import re

import pytest

from synthrisk_edu.__main__ import main
from synthrisk_edu.classroom import worksheets

# What the lessons count by hand, and say in words.
SAID = {
    "01": ["3.5 times", "Ana, Bea, Emil and Finn; somebody else&#x27;s for Bea and Finn"],
    "02": ["c = 5, T = 1", "c = 4, T = 1"],
    "03": ["3 of 4 in A and 1 of 6 in B", ">3.<", "Person 1:"],
    "04": ["From 48 to 72", ">1.5.<"],
    "05": ["5 with 0.5, 6 with 0.25 and 8 with 0.25", "3.5, on average", ">3.<"],
    "06": ["iS 75, DiS 62.5, DiSCO 37.5", "Tea and Vik"],
    "07": ["Ahn, Dutta and Gil: 3 of 10"],
    "08": ["Members 0.7, others 0.5", "0.2; at most 0.5 could be added, so the residual is 0.4"],
}


@pytest.mark.parametrize("number", SAID)
def test_the_answers_stand_on_the_second_page_only(number):
    sheet = worksheets.SHEETS[number]()
    plain, solved = (worksheets.page(number, sheet, answers) for answers in (False, True))
    assert len(sheet.questions) == 3 and len(sheet.table) == len(sheet.counted) <= 10
    body = plain.split("</head>")[1]
    assert 'answer">' not in body
    assert body.count('<td class="fill"></td>') == sheet.counted.size > 0
    for words in SAID[number]:
        assert words in solved and words not in plain
    for question, answer in sheet.questions.items():
        assert answer not in plain and question.split("?")[0][:30] in plain.replace("&#x27;", "'")
    assert solved.count('<td class="fill answer">') == sheet.counted.size
    assert not re.search(r"https?://|<script|src=", plain + solved)


def test_the_ten_persons_of_lesson_03_are_those_of_the_lesson(project):
    cells = json.loads((project / "notebooks" / "03_acs_example.ipynb").read_text("utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    table = worksheets.sheet_03().table
    for name in ("MAR", "DIS", "drawn DIS"):
        assert f'"{" ".join(table[name])}".split()' in code


def pages(pdf):
    """Count the pages of a PDF."""
    return len(re.findall(rb"/Type /Page\b", pdf))


@pytest.mark.slow
def test_every_worksheet_is_one_page(chromium, tmp_path):
    """All in one browser; the command starts one for every page."""
    page = chromium.new_page()
    for number, make in worksheets.SHEETS.items():
        for with_answers in (False, True):
            page.set_content(worksheets.page(number, make(), with_answers))
            printed = page.pdf(format="Letter", prefer_css_page_size=True)
            assert pages(printed) == 1, (number, with_answers)
    page.close()


@pytest.mark.slow
def test_the_command_prints_each_page(chromium, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(worksheets, "SHEETS", {"07": worksheets.sheet_07})
    worksheets.main([str(tmp_path)])
    printed = sorted(tmp_path.glob("*.pdf"))
    assert [path.name for path in printed] == ["07_worksheet.pdf", "07_worksheet_answers.pdf"]
    assert [pages(path.read_bytes()) for path in printed] == [1, 1]
    assert "no chromium" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["worksheets", "handouts"])
@pytest.mark.parametrize(
    ("words", "said"),
    [(["--help"], "one folder"), (["one", "two"], "one folder"), (["a/b"], "a is a file: name")],
)
def test_no_folder_is_told_in_a_sentence(command, words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").touch()
    assert main([command, *words]) == 1
    sentence = capsys.readouterr().err
    assert sentence.startswith(f"{command}: ") and said in sentence
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_the_website_needs_a_folder_too(tmp_path, capsys):
    (tmp_path / "README.md").touch()
    assert main(["site", str(tmp_path / "README.md")]) == 1
    assert "README.md is a file: name a folder" in capsys.readouterr().err


def test_a_command_that_is_none_gets_a_sentence(capsys):
    assert main(["tset"]) == 1
    assert "The commands are report, grade" in capsys.readouterr().err
