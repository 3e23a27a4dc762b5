"""What a lesson says to who runs it, in the words of a page on which everything has been run."""

import re

# What a notebook says (a pattern), and what its page says in its place.
ROWS = {
    # cells
    r": you run cells, and the text says what each of them does\.": ".",
    r"First run the cell below \(.*?\)\. It loads": "The first code loads",
    r"The next cell asks whether .*? once more\.": "The next one looks whether all is in place.",
    r", once you have run the next two cells": "",
    r"In place of the dots write a line .*?, and run the cell(: it says how far you are|\. It "
    r"tells you how many are right so far)\.": ("Write c and T on paper, a line for each."),
    r"The table has only .*? run both cells again: it grows\.": (
        "Here it has Cleo alone; in a notebook it grows as you count."
    ),
    r"Decide, then run the cell and unfold\.": "Decide, then unfold.",
    r"Then run the cell and compare\.": "Then compare.",
    r"click on the next cell and choose \*Run\*, \*Run All Above Selected Cell\*\.": (
        "come back to this page: your answers stay in this browser."
    ),
    r"\(Each new choice takes about a second\.\) ": "",
    # exercises
    r"\b([Pp])ut your answer in place of the dots and run the cell(, as in the core)?": (
        r"\1ress *check* when you have filled in your answer"
    ),
    r"Write a letter in place of the dots, such as `\"a\"`, and run the cell": (
        "Choose an answer and press *check*"
    ),
    r"\b([Pp])ut (`\"a\"`, `\"b\"` or `\"c\"`|the letter) in place of the dots"
    r"(, such as `\"a\"`, and run the cell)?": r"\1ress *check* when you have chosen an answer",
    r"`my\.hint\(.*?\)` gives one hint after the other, `my\.solution\(.*?\)` shows one way "
    r"to do it": "*Hint* gives one hint after the other",
    r"`my\.hint\(.*?\)` and `my\.solution\(.*?\)` help": "*hint* helps",
    r"`my\.hint\(.*?\)` gives hints": "*hint* gives hints",
    r"Write your line in place of the dots and run the cell\. `my\.hint.*? shows one way\.": "",
    r"\*\*Optional:\*\* for tables.*?run the cells below again\.": "",
    r"\(For tables of your own, write your student id .*?, and run it again\.\)": "",
    r" \(With your student id .*?\)": "",
    # controls
    r"type a number and press <kbd>Enter</kbd>, or press an arrow or \*another one\*": (
        "choose one from the list, or press an arrow"
    ),
    r"\b([Tt])ype a target and press <kbd>Enter</kbd>, go .*? \*another one\*": (
        r"\1ake a target from the list, or go on with the arrows"
    ),
    r"Press \*play\* \(the triangle\), and watch": "Move the slider to the right, and watch",
    r", press play, or click": ", or click",
    r"with \*another one\*, or with a click": "from the list, or with a click",
}


def on_page(text):
    """Return a text of a lesson as its page has it.

    >>> on_page("2. Decide, then run the cell and unfold.")
    '2. Decide, then unfold.'
    """
    for said, words in ROWS.items():
        text = re.sub(said, words, text)
    return text
