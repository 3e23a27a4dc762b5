"""A class that never was: notebooks of one lesson as students hand them in, good and bad.

    python tests/made_up_class.py FOLDER [LESSON]      thirty students, and their list ids.csv

Every notebook is the lesson itself, with answers typed and stored as Jupyter stores them.
"""

import csv
import json
import sys
from itertools import cycle, islice
from pathlib import Path

import nbformat
from nbformat.v4 import new_output
from test_exercises import hand_in, right_answers

from synthrisk_classroom import lesson
from synthrisk_classroom.handed_in import MIME, VERSION
from synthrisk_classroom.lesson import exercises, predictions, tables
from synthrisk_classroom.running import cores
from synthrisk_classroom.solutions import DOTS, exercise_in

NAMES = """ana bela cai dina emre fay gita hans ines jiro kofi lena milo nora omar pia quinn rosa
sami tara uma vera wim xena yara zoe aki bruno celia david""".split()


def notebook_of(number):
    """The lesson as it comes."""
    path = next(path for path in cores().values() if path.name.startswith(number))
    return nbformat.read(path, as_version=4)


def answered(number, student, answers, guesses=()):
    """The lesson with these answers (exercise → answer) typed, run and saved."""
    made, my = notebook_of(number), lesson(number, student=student)
    for cell in made.cells:
        id = exercise_in(cell)
        if cell.cell_type == "code" and f'my = lesson("{number}")' in cell.source:
            named = f'lesson("{number}", student="{student}")'
            cell.source = (
                cell.source.replace(f'lesson("{number}")', named) if student else cell.source
            )
            cell.outputs = [new_output("stream", text="ready")]
        if id in answers:
            verdict = my.check(id, answers[id])
            cell.source = DOTS.sub("answer = 0", cell.source)
            data = {"text/plain": repr(verdict), MIME: verdict.handed_in}
            cell.outputs = [new_output("execute_result", data)]
            cell.execution_count = 1
    made.cells[-1] = nbformat.v4.new_code_cell("my.predictions()")
    made.cells[-1].outputs = [new_output("display_data", {MIME: one}) for one in guesses]
    return json.loads(nbformat.writes(made))


def best(number, student):
    """The right answer to everything."""
    own = {id: tables(number, None if one.story else student) for id, one in known(number)}
    return {id: right_answers(one, own[id])[0] for id, one in known(number)}


def known(number):
    """The exercises of a lesson's core, without what is only practice."""
    asked = exercises(number).items()
    return [(id, one) for id, one in asked if one.points and not one.further]


def usual_mistakes(number, student):
    """The first usual mistake in everything that has one."""
    own = {id: tables(number, None if one.story else student) for id, one in known(number)}
    having = [(id, one) for id, one in known(number) if one.mistakes and one.form.is_stored]
    return {id: hand_in(one, next(iter(one.mistakes)), own[id]) for id, one in having}


def guessed(id, kind, said):
    """What a prediction stores."""
    record = {"given": 1, "said": said, "truth": "12", "kind": kind, "words": f"You said {said}."}
    return {"version": VERSION, "prediction": id} | record


def some_guesses(number, turn):
    """Predictions of one student: some near enough, some not, one only looked at."""
    kinds = [("right", "12"), ("mistake", "57"), ("wrong", "57"), ("open", None)]
    ways = islice(cycle(kinds), turn, None)
    return [guessed(id, *way) for id, way in zip(predictions(number), ways, strict=False)]


def without_outputs(notebook):
    """What "Clear All Outputs" leaves."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return notebook


def never_run(notebook, id):
    """An answer that was typed after Run All, and not run since."""
    verdict = lesson(id[:2]).check(id, ...)
    open_still = {"text/plain": repr(verdict), MIME: verdict.handed_in}
    for cell in notebook["cells"]:
        if exercise_in(cell) == id:
            cell["outputs"] = [new_output("execute_result", open_still)]
    return notebook


def forged(notebook):
    """Every verdict is called right, and text wants to be a formula, a script or a template."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            stored = output.get("data", {}).get(MIME, {})
            if "exercise" in stored:
                stored |= {"kind": "right", "answer": "<script>alert(1)</script>{{ 7 * 7 }}=1+1"}
    return notebook


def make(folder, number="01", other="02", names=NAMES):
    """Write the notebooks and the list; return the ids, most of whom hand in something usual."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for turn, name in enumerate(names[10:]):
        right, wrong = best(number, name), usual_mistakes(number, name)
        mixed = dict(list(right.items())[: 2 + turn % 6]) | dict(list(wrong.items())[turn % 3 :: 3])
        files[f"{number}_{name}"] = answered(number, name, mixed, some_guesses(number, turn))
    first, *_, last = [id for id, one in known(number) if one.form.is_stored]
    ana, bela, cai, dina, emre, fay, gita, hans, _ines, jiro = names[:10]
    files |= {
        f"{number}_{ana}": answered(number, ana, best(number, ana), some_guesses(number, 0)),
        f"{number}_{bela}": answered(number, bela, usual_mistakes(number, bela)),
        f"{other}_{cai}": answered(other, cai, best(other, cai)),  # another lesson
        f"{number}_{dina}": without_outputs(answered(number, dina, best(number, dina))),
        f"{number}_{emre}": never_run(answered(number, emre, best(number, emre)), last),
        f"{number}_{fay}": answered(number, None, best(number, None)),  # no student id
        f"{number}_{gita}": answered(number, gita, {first: best(number, gita)[first]}),
        f"again/{number}_{gita} (1)": answered(number, gita, {last: best(number, gita)[last]}),
        f"{number}_{hans}": forged(answered(number, hans, best(number, hans))),
        # ines has handed in nothing; jiro has typed another id
        f"{number}_{jiro}": answered(number, "jirro", best(number, "jirro")),
        "=cmd()<b>": answered(number, "=1+1<script>", {first: 0}),
        "broken": "no notebook",
        "no name": answered(number, None, {first: best(number, None)[first]}),
    }
    for name, content in files.items():
        path = folder / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    with open(folder / "ids.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["name", "id"], *([name.title(), name] for name in names)])


if __name__ == "__main__":
    make(Path(sys.argv[1]), *sys.argv[2:3])
