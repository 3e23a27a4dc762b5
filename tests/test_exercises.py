"""Exercises accept what is right, know the usual mistakes, and never answer with a traceback."""

import json
import re
import signal
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.classroom import engine, forms
from synthrisk_edu.classroom import solutions as handouts
from synthrisk_edu.classroom.engine import Exercise, exercises, find, lessons
from synthrisk_edu.classroom.forms import Choice, Function, Names, Number, Numbers, Table

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
SEEDS = [None, *(sr.seed_for(student) for student in ("anna", "bert"))]
OF_A_STUDENT = pytest.param(SEEDS[1], marks=pytest.mark.slow)
ALL = list(exercises().values())
WITH_EXERCISES = [number for number, module in lessons().items() if module.EXERCISES]


def number(exercise):
    return exercise.id


def tables(exercise, seed=None):
    """The tables of an exercise, not to be changed."""
    return engine._data(exercise.lesson, seed)


@cache
def computed(function, d):
    """What an answer or a mistake gives with these tables, computed once for all tests."""
    return function(d)


@pytest.fixture(scope="module", autouse=True)
def nothing_is_forgotten():
    """A classroom forgets old tables; here each is made once for all tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_data", "once"):
            patch.setattr(engine, name, cache(getattr(engine, name).__wrapped__))
        yield
    computed.cache_clear()


def right_answers(exercise, d):
    """Everything a student may hand in that is right: exact, rounded, in other types."""
    form = exercise.form
    if isinstance(form, Function):
        return [exercise.answer]
    right = computed(exercise.answer, d)
    if isinstance(form, Choice):
        return [pair for pair, (fine, _) in right.items() if fine]
    if isinstance(form, Number):
        rounded = round(float(right), form.digits or 0)
        return [right, np.float64(right), np.float32(rounded), rounded, pd.Series([right])]
    if isinstance(form, Numbers):
        listed = [float(right[part]) for part in form.parts]
        rounded = [round(one, form.digits or 0) for one in listed]
        by_name = dict(zip(form.parts, listed, strict=True))
        return [listed, rounded, np.array(listed), pd.Series(by_name), by_name | {"more": 1}]
    if isinstance(form, Table):
        return [right, right.astype(float), right.iloc[::-1], right.assign(more=0)]
    return [right, set(right), [name.upper() for name in right], pd.Index(right, dtype=object)]


def hand_in(exercise, wrong, d):
    """What a student who made a mistake hands in."""
    if isinstance(exercise.form, Function):
        return wrong
    if type(exercise.form) is Numbers:
        return dict(computed(exercise.answer, d)) | dict(computed(wrong, d))
    return computed(wrong, d)


# -------------------------------------------------------------------- right ones


@pytest.mark.parametrize("seed", [SEEDS[0], OF_A_STUDENT])
@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_right_answers_are_accepted(exercise, seed):
    answers = right_answers(exercise, tables(exercise, seed))
    assert answers
    for answer in answers:
        verdict = sr.check(exercise.id, answer, seed=seed)
        assert verdict.right, (answer, verdict)


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_rounding_by_more_than_the_digits_asked_for_is_not_accepted(exercise):
    form, d = exercise.form, tables(exercise)
    step = 1 if getattr(form, "digits", None) is None else 10**-form.digits
    step = 2 * (getattr(form, "within", None) or step / 2)
    if isinstance(form, Number):
        right = computed(exercise.answer, d)
        wrong = [right + 0.6 * step, right - 0.6 * step]
    elif isinstance(form, Numbers):
        right = [float(computed(exercise.answer, d)[part]) for part in form.parts]
        wrong = [
            [one + 0.6 * step * (k == n) for k, one in enumerate(right)] for n in range(len(right))
        ]
    elif isinstance(form, Table):
        wrong = [computed(exercise.answer, d) + 0.6]
    else:
        return  # nothing to round
    assert not any(sr.check(exercise.id, answer).right for answer in wrong)


@pytest.mark.parametrize("lesson", WITH_EXERCISES)
def test_a_lesson_has_five_exercises_of_several_kinds(lesson):
    mine = [exercise for exercise in ALL if exercise.lesson == lesson]
    first = int(mine[0].id[-1])  # 0 for what is counted before the exercises begin
    assert first in (0, 1)
    assert [one.id for one in mine] == [f"{lesson}.{first + n}" for n in range(len(mine))]
    assert len(mine) >= 5
    forms = {type(exercise.form) for exercise in mine}
    assert {Function, Choice} <= forms and forms & {Number, Numbers}
    assert isinstance(mine[-1].form, Choice)


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_an_exercise_is_complete(exercise):
    assert 1 <= len(exercise.hints) <= 3
    messages = list(exercise.mistakes)
    assert len(set(messages)) == len(messages)
    assert isinstance(exercise.form, Choice) or len(messages) >= 3


# ------------------------------------------------------------------ usual mistakes


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_every_mistake_is_told_in_its_own_words(exercise):
    """On the lesson's tables or, where a mistake does no harm there, on a student's."""
    told = set()
    for seed in [*SEEDS, *range(20)]:
        d = tables(exercise, seed)
        for sentence, mistake in exercise.mistakes.items():
            if sentence not in told:
                verdict = sr.check(exercise.id, hand_in(exercise, mistake, d), seed=seed)
                told |= {sentence} & {verdict.message.removeprefix("Not yet. ")}
        if len(told) == len(exercise.mistakes):
            return
    assert told == set(exercise.mistakes)


@pytest.mark.parametrize("seed", [SEEDS[0], OF_A_STUDENT])
@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_a_mistake_is_called_right_only_if_it_makes_no_difference(exercise, seed):
    d = tables(exercise, seed)
    right = engine.once(exercise.form.value, exercise.answer, d)
    for mistake in exercise.mistakes.values():
        harmless = exercise.form.same(right, engine.once(exercise.form.value, mistake, d))
        verdict = sr.check(exercise.id, hand_in(exercise, mistake, d), seed=seed)
        assert verdict.right == harmless


@pytest.mark.parametrize("seed", [SEEDS[0], OF_A_STUDENT])
@pytest.mark.parametrize("exercise", [e for e in ALL if isinstance(e.form, Choice)], ids=number)
def test_every_choice_and_reason_gets_its_own_words_with_numbers(exercise, seed):
    pairs = [(a, b) for a in exercise.form.choices for b in exercise.form.reasons]
    verdicts = [sr.check(exercise.id, pair, seed=seed) for pair in pairs]
    assert len({verdict.message for verdict in verdicts}) == len(pairs)
    assert {verdict.right for verdict in verdicts} == {True, False}
    for verdict in verdicts:
        assert not verdict.right or sum(c.isdigit() for c in verdict.message) >= 4, verdict


def test_right_beats_a_mistake_that_happens_to_give_the_same():
    exercise = Exercise(
        id="99.1", form=Number(), answer=lambda d: 3, code="answer = 3",
        words=lambda d: "3.", hints=["Count."],
        mistakes={"Never said.": lambda d: 3, "One too many.": lambda d: 4},
    )  # fmt: skip
    assert exercise.judge(3, None).right
    assert exercise.judge(4, None).message == "Not yet. One too many."
    assert (
        exercise.judge(5, None).message == 'Not yet. That is another number. Try sr.hint("99.1").'
    )


# -------------------------- the same mistakes, found without the exercises' own code


def says(id, answer, *words):
    """The verdict is no, and says this."""
    verdict = sr.check(id, answer)
    assert not verdict.right
    assert all(word in verdict.message for word in words), verdict
    return True


def count(true, synthetic, i):
    """c and T of row i, by going through all rows."""
    hits = [j for j, row in enumerate(synthetic) if row == true[i]]
    return len(hits), int(i in hits)


def rows(frame, names):
    return list(frame[names].itertuples(index=False, name=None))


def test_lesson_01_by_going_through_the_table():
    d = sr.data_for("01")
    names = ["Sex", "Town", "Job"]
    true, new = rows(d.confidential, names), rows(d.synthetic, names)
    counted = [count(true, new, i) for i in range(10)]
    c, T = counted[5]
    assert sr.check("01.1", [c, T, T / c]).right
    says("01.1", [c, T, 1 / c], "not 1/c")
    says("01.1", [count(true, true, 5)[0], T, T / c], "confidential table")
    says("01.1", [*count(new, new, 5), T / c], "synthetic job")

    def town_forgotten(own, other):
        own, other = rows(own, ["Sex", "Job"]), rows(other, ["Sex", "Job"])
        pairs = [count(own, other, i) for i in range(10)]
        return pd.DataFrame(pairs, columns=["c", "T"], index=d.confidential.index)

    assert sr.check("01.2", town_forgotten(d.confidential, d.synthetic)).right
    says("01.2", town_forgotten(d.confidential, d.confidential), "confidential table")
    says("01.2", pd.DataFrame(counted, columns=["c", "T"]), "with the town")

    women = counted[:4]
    risk = sum(T / c for c, T in women if c)
    K, F = women.count((1, 1)), women.count((1, 0))
    assert sr.check("01.3", [risk, K / 4, F / (K + F)]).right
    says("01.3", [sum(1 / c for c, T in women if c), K / 4, F / (K + F)], "added up 1/c")
    says("01.3", [risk, K / 10, F / (K + F)], "divided by all ten")
    says("01.3", [risk, K / 4, F / 4], "divided by N")

    says("01.4", lambda c, T: c.count(1) / len(c), "may be false")
    says("01.4", lambda c, T: list(zip(c, T, strict=True)).count((1, 1)), "divide by N")
    says("01.4", lambda c, T: np.mean(T), "also where c is more than 1")
    says("01.4", lambda c, T: list(zip(c, T, strict=True)).count((1, 1)) / 10, "by ten")
    says("01.4", lambda c, T: 100 * np.mean(np.multiply(c, T) == 1), "per cent")

    sizes = Counter(rows(d.people, d.known + d.synthesized))
    assert sr.check("01.5", len(sizes)).right
    says("01.5", list(sizes.values()).count(1), "alone with their values")
    says("01.5", len(set(rows(d.people, d.known))), "left out disability")
    says("01.5", len(d.people), "everybody with certainty")


def test_lesson_02_by_going_through_the_numbers():
    d = sr.data_for("02")
    new = dict(zip(d.synthetic.index, rows(d.synthetic, ["Income", "Expenditure"]), strict=True))
    old = dict(zip(d.true.index, rows(d.true, ["Income", "Expenditure"]), strict=True))

    def outside(units, times):
        out = {name: (not 40 <= x <= 60) + (not 8 <= y <= 12) for name, (x, y) in units.items()}
        return [name for name, number in out.items() if number == times]

    assert sr.check("02.1", outside(new, 1)).right
    says("02.1", outside(new, 0), "candidates")
    says("02.1", outside(new, 2), "outside on both")
    says("02.1", outside(old, 1), "true values")

    incomes = [x for x, _ in new.values()]
    c = sum(45 <= x <= 55 for x in incomes)
    T = int(45 <= incomes[0] <= 55)
    c_open = sum(40 < x < 60 for x in [incomes[0], *incomes[2:]])  # Bob, at 40, is out
    assert sr.check("02.2", [c, T, c_open]).right
    says("02.2", [sum(45 < x < 55 for x in incomes), T, c_open], "open range; here")
    says("02.2", [sum(47.5 <= x <= 52.5 for x in incomes), 0, c_open], "either side")
    says("02.2", [c, T, c_open + 1], "Bob")
    says("02.2", [c, 1 - T, c_open], "Look again at T")

    def within(x, half_width):
        return sum(abs(other - x) <= half_width for other in incomes)

    differ = [name for name, (x, _) in old.items() if within(x, x / 5) != within(x, 10)]
    assert sr.check("02.3", differ).right
    says("02.3", set(old) - set(differ), "c is the same")
    says("02.3", set(old) - {"Ana"}, "as many records")

    def loop(x_i, x_star, r, inside):
        return sum(inside(x, x_i, r) for x in x_star)

    def student(inside):
        return lambda x_i, x_star, r: loop(x_i, x_star, r, inside)

    assert sr.check("02.4", student(lambda x, t, r: abs(x - t) <= r * abs(t))).right
    says("02.4", student(lambda x, t, r: abs(x - t) < r * abs(t)), "open range")
    says("02.4", student(lambda x, t, r: t - r * t <= x <= t + r * t), "|x|")
    says("02.4", student(lambda x, t, r: t - r <= x <= t + r), "r itself")
    says("02.4", student(lambda x, t, r: abs(x - t) <= r * abs(x)), "around the candidate")
    says("02.4", student(lambda x, t, r: abs(x - t) <= r * abs(t) / 2), "to either side")
    says("02.4", lambda x_i, x_star, r: abs(x_star - x_i) <= r * abs(x_i), "True and False")
    says("02.5", [0.2, 360.22], "section 5")


def test_a_students_radius_is_one_of_the_six_that_the_lesson_sweeps():
    radii = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5]
    for seed in (1, 2):  # with the finer grid of the surface their maximum would be at 15 %
        d = sr.data_for("02", seed=seed)
        sweep = sr.radius_sweep(d.ce, [d.released], d.known, ["Income"], radii, fixed={"Age": 0.1})
        top = sweep.loc[sweep.expected_match_risk.idxmax()]
        assert sr.check("02.5", [top.radius, top.expected_match_risk], seed=seed).right


def test_lesson_03_by_counting_combinations():
    d = sr.data_for("03")
    names = d.known + d.synthesized
    true, files = rows(d.people, names), [rows(file, names) for file in d.released]

    def c_and_T(file):
        sizes = Counter(file)
        return [(sizes[one], int(one == own)) for one, own in zip(true, file, strict=True)]

    counted = [c_and_T(file) for file in files]
    K, F = counted[0].count((1, 1)), counted[0].count((1, 0))
    assert sr.check("03.1", [K, F]).right
    says("03.1", [F, K], "exchanged")
    says("03.1", [sum(T for _, T in counted[0]), F], "added up T")
    says("03.1", [K, sum(T == 0 for _, T in counted[0])], "every T = 0")

    men = [pair for pair, sex in zip(counted[0], d.people.SEX, strict=True) if sex == "male"]
    assert sr.check("03.2", sum(T / c for c, T in men if c)).right
    says("03.2", sum(1 / c for c, _ in men if c), "added up 1/c")
    says("03.2", sum(T / c for c, T in counted[0] if c), "everybody")

    unique = [(pairs.count((1, 1)), pairs.count((1, 0))) for pairs in counted]
    assert sr.check("03.4", np.mean([F / (K + F) for K, F in unique])).right
    false, all_unique = sum(F for _, F in unique), sum(K + F for K, F in unique)
    says("03.4", false / all_unique, "pooled")
    says("03.4", false / 20 / len(true), "by n instead of s")
    says("03.4", unique[0][1] / sum(unique[0]), "first file alone")

    says("03.3", lambda found, k: (found.records.c <= k).mean(), "forgot T")
    says("03.3", lambda found, k: (found.records.query("T == 1").c <= k).mean(), "out of all")


def test_lesson_04_by_going_through_the_rows():
    d = sr.data_for("04")
    tenants = d.drawn.Income.tolist()[4:]
    c, T = sum(20 <= x <= 30 for x in tenants), int(20 <= tenants[1] <= 30)
    assert sr.check("04.1", [c, T, T / c]).right
    says("04.1", [sum(20 < x < 30 for x in tenants), T, 0], "open range")
    says("04.1", [c, T, 1 / c], "not 1/c")
    says("04.1", [4, 1, 0], "whole leaf")

    def means(name):
        """The average risk at every radius, and the average pMSE × 1,000."""
        risk, pmse = {}, []
        chosen = (d.releases.synthesized == name) & (d.releases.intruder == "fixed")
        for row in d.releases[chosen].itertuples():
            risk.setdefault(row.radius, []).append(row.expected_match_risk)
            pmse.append(1000 * row.pmse)
        return {radius: sum(r) / len(r) for radius, r in risk.items()}, sum(pmse) / len(pmse)

    one, cost = means("Income")
    three, dearer = means("Expenditure+Income")
    saved = max(one.values()) - max(three.values())
    assert sr.check("04.2", [saved, dearer - cost]).right
    says("04.2", [one[0.01] - three[0.01], dearer - cost], "both at r = 1 %")
    says("04.2", [saved, (dearer - cost) / 1000], "pMSE × 1,000")
    says("04.2", [(sum(one.values()) - sum(three.values())) / 10, dearer - cost], "all radii")

    sides = ["Urban", "Marital", "Age", "Income"]
    true, new = rows(d.ce, sides), rows(d.hat, sides)
    candidates = {}
    for urban, marital, age, income in new:
        candidates.setdefault((urban, marital), []).append((age, income))
    total, of_same, same = 0, 0, 0
    for (urban, marital, age, income), (*_, drawn) in zip(true, new, strict=True):
        if abs(drawn - income) > 0.01 * abs(income) * (1 + 1e-9):
            continue  # T = 0, no risk
        near = candidates[urban, marital]
        near = [x for a, x in near if abs(a - age) <= 0.1 * age * (1 + 1e-9)]
        risk = 1 / sum(abs(x - income) <= 0.01 * abs(income) * (1 + 1e-9) for x in near)
        total, of_same, same = (
            total + risk,
            of_same + risk * (drawn == income),
            same + (drawn == income),
        )
    assert sr.check("04.3", [same, of_same / total]).right
    says("04.3", [same, same / len(true)], "share of the units")
    says("04.3", [same, 100 * of_same / total], "not per cent")

    says("04.4", lambda results: results.expected_match_risk.max(), "one file")
    says("04.4", lambda results: results.expected_match_risk.mean(), "over the radii, too")

    def largest_step(x, y):
        return max(abs(np.mean(x <= at) - np.mean(y <= at)) for at in sorted({*x, *y}))

    x, trees, hat = (frame.Income.to_numpy() for frame in (d.ce, d.trees, d.hat))
    given = [
        largest_step(x, trees),
        largest_step(x, hat),
        *(1000 * sr.pmse(d.ce, f) for f in (d.trees, d.hat)),
    ]
    assert sr.check("04.5", given).right
    says("04.5", [given[1], given[0], given[3], given[2]], "exchanged")


def shares_by_hand(target, file):
    """Who could (sex, facility) be in a file? Equal shares; of all of that sex if nobody fits."""
    fits = [j for j, row in enumerate(file) if row == target]
    fits = fits or [j for j, row in enumerate(file) if row[0] == target[0]]
    return {j: 1 / len(fits) for j in fits}


def test_lesson_05_by_making_shares():
    d = sr.data_for("05")
    true, first, second = (rows(one, ["sex", "facility"]) for one in (d.true, d.first, d.second))
    both = [shares_by_hand(true[4], file) for file in (first, second)]
    average = {j: sum(one.get(j, 0) for one in both) / 2 for j in range(10)}
    top = max(average.values())
    leaders = [j for j, value in average.items() if abs(value - top) < 1e-9]
    c, hit = len(leaders), int(4 in leaders)
    assert sr.check("05.1", [top, c, hit, int(leaders == [4])]).right
    says("05.1", [2 * top, c, hit, 0], "added up")
    says("05.1", [top, c, hit, 1], "alone on top")
    in_first = first.count(("M", "A"))
    says("05.1", [1 / in_first, in_first, 1, 0], "first file alone")
    pooled = max((first[j] == true[4]) + (second[j] == true[4]) for j in range(10))
    both_files = (first + second).count(("M", "A"))
    says("05.1", [pooled / both_files, c, hit, 0], "pooled")

    own, outside = 0, 0
    for file in (first, second):
        n_t = file.count(("F", "A"))
        own += (file[0] == ("F", "A")) / (4 * n_t) / 2
        outside += (4 * n_t - n_t) / (4 * n_t) / 2
    assert sr.check("05.5", [own, outside]).right
    says("05.5", [4 * own, 0], "knows that the target took part")
    says("05.5", [own, 1 - own], "The other records that fit")

    names = ["ethnicity", "facility", "race"]
    targets, files = rows(d.youth, names), [rows(file, names) for file in d.released]
    ethnicity = Counter(target[0] for target in targets)

    def judged(m):
        """Highest probability, c and whether the true record is on top, for every youth."""
        where = []
        for file in files[:m]:
            where.append({})
            for j, row in enumerate(file):
                where[-1].setdefault(row, []).append(j)
        for i, target in enumerate(targets):
            found = [one.get(target, []) for one in where]
            points = Counter()
            for fits in found:
                for j in fits:
                    points[j] += 1 / len(fits) / m
            spread = sum(not fits for fits in found) / ethnicity[target[0]] / m
            top = max(points.values(), default=0)
            leaders = [j for j, point in points.items() if point > top - 1e-9]
            if leaders:
                yield top + spread, len(leaders), i in leaders
            else:  # nobody ever fits: all of this ethnicity are on top
                yield spread, ethnicity[target[0]], True

    two, ten = list(judged(2)), list(judged(10))
    perceived = [one for one in two if one[0] > 0.25]
    K = sum(c == 1 and hit for _, c, hit in perceived)
    assert sr.check("05.2", [len(perceived), K]).right
    says("05.2", [sum(one[0] >= 0.25 for one in two), K], "exceed the threshold")
    says("05.2", [len(perceived), sum(c == 1 and hit for _, c, hit in two)], "among all")
    risks = [sum(one[0] > 0.2 for one in found) for found in (two, ten)]
    risks += [sum(hit / c for _, c, hit in found) for found in (two, ten)]
    assert sr.check("05.4", risks).right
    true_risks = [sum(c == 1 and hit for _, c, hit in found) for found in (two, ten)]
    says("05.4", [*risks[:2], *true_risks], "true match risk")
    says("05.4", [risks[1], risks[0], *risks[2:]], "exchanged")

    def first_only(i, true, files):
        target, file = rows(true, ["sex", "facility"])[i], rows(files[0], ["sex", "facility"])
        return [shares_by_hand(target, file).get(j, 0) for j in range(10)]

    says("05.3", first_only, "first file only")
    says("05.3", lambda i, true, files: [np.nan] * 10, "right in 0 of")


def test_a_function_that_only_rounds_is_told_so():
    def rounded(c, T):
        return round(sum(one * hit == 1 for one, hit in zip(c, T, strict=True)) / len(c), 2)

    says("01.4", rounded, "Very near: return the numbers as they are, without rounding.")


def chain_by_hand(original, synthetic):
    """Found, single answer and right, for (keys, answer) of everybody, as numbers of persons."""
    answers = {}
    for keys, answer in synthetic:
        answers.setdefault(keys, set()).add(answer)
    found = [keys in answers for keys, _ in original]
    single = [len(answers.get(keys, ())) == 1 for keys, _ in original]
    right = [answers.get(keys) == {answer} for keys, answer in original]
    return found, single, right


def keyed(frame, keys, target):
    """(keys, answer) of every row; missing is an answer."""
    answers = [None if pd.isna(one) else one for one in frame[target]]
    return list(zip(rows(frame, keys), answers, strict=True))


def test_differences_of_the_printed_means_are_right_in_04_2():
    """Whoever reads the table of section 6, two digits each, and subtracts, is right."""
    for student in ("bert", "dan", "leo"):
        seed = sr.seed_for(student)
        d = sr.data_for("04", seed=seed)
        best = sr.at_maximizing_radius(d.releases[d.releases.intruder == "fixed"], by="synthesized")
        printed = best.groupby("synthesized")[["expected_match_risk", "pmse"]].mean()
        printed = printed.assign(pmse=1000 * printed.pmse).round(2)
        one, three = printed.loc["Income"], printed.loc["Expenditure+Income"]
        saved = round(one.expected_match_risk - three.expected_match_risk, 2)
        assert sr.check("04.2", [saved, round(three.pmse - one.pmse, 2)], seed=seed).right


CHOICES = [one for one in exercises().values() if isinstance(one.form, Choice)]


@pytest.mark.parametrize("exercise", CHOICES, ids=lambda exercise: exercise.id)
def test_the_example_of_a_choice_is_not_an_answer(exercise):
    told = str(sr.check(exercise.id, "something else"))
    choice, reason = re.search(r'such as \("(.*)", "(.*)"\)', told).groups()
    assert not sr.check(exercise.id, (choice, reason)).right


def test_differences_of_the_printed_means_are_right_in_05_6():
    """Printed to one digit, as in the table of section 5; and the exact ones; not much else."""
    results = sr.data_for("05").results
    table = results[results.m == 3].groupby("knows").expected.mean()
    steps = ["nothing (averaged)", "models (mean β)", "f(β) (mode)"]
    for digits in (1, 9):
        files, models, coefficients = table.round(digits)[steps]
        assert sr.check("05.6", [models - files, coefficients - models]).right
    says("05.6", [models - files + 0.2, coefficients - models], "coefficients is right, models is")


def test_lesson_06_by_looking_everybody_up():
    d = sr.data_for("06")
    eight, twelve = (keyed(one, d.toy_keys, "marital") for one in (d.original, d.synthetic))
    found, single, right = chain_by_hand(eight, twelve)
    wrong = [n for n, s, ok in zip(d.original.index, single, right, strict=True) if s and not ok]
    says("06.1", wrong, "all four keys")  # what section 1 has told

    fewer = ["sex", "age", "place"]
    tables = (keyed(one, fewer, "marital") for one in (d.original, d.synthetic))
    steps = chain_by_hand(*tables)
    names = dict(zip(d.original.index, zip(*steps, strict=True), strict=True))
    assert sr.check("06.1", [name for name, (_, s, ok) in names.items() if s and not ok]).right
    says("06.1", [name for name, (_, _, ok) in names.items() if ok], "disclosed")
    says("06.1", [name for name, (f, s, _) in names.items() if f and not s], "answers differ")

    new = (("F", 62, "north", "farm"), "widowed")
    more = [100 * sum(step) / 8 for step in chain_by_hand(eight, [*twelve, new])]
    assert sr.check("06.2", more).right
    says("06.2", [100 * sum(step) / 8 for step in (found, single, right)], "without the new row")
    says("06.2", [step * 8 / 13 for step in more], "13 synthetic rows")
    says("06.2", [step / 100 for step in more], "shares")
    within = chain_by_hand(eight, eight)[2]
    says("06.2", [*more[:2], 100 * sum(within) / 8], "Dorig")

    persons, released = (keyed(one, d.keys, "workab") for one in (d.persons, d.released[0]))
    _, _, right = chain_by_hand(persons, released)
    left = [ok and answer != "NO" for ok, (_, answer) in zip(right, persons, strict=True)]
    no = sum(answer == "NO" for _, answer in persons)
    assert sr.check("06.4", [100 * sum(left) / len(persons), no]).right
    says("06.4", [100 * sum(right) / len(persons), 0], "Nothing is left out")
    says("06.4", [100 * sum(left) / (len(persons) - no), no], "base stays everybody")
    kept = [[one for one in file if one[1] != "NO"] for file in (persons, released)]
    before = 100 * sum(chain_by_hand(*kept)[2]) / len(persons)
    says("06.4", [before, no], "removed rows before")
    says("06.4", [9.3, no], "base stays everybody")

    by_keys, by_cell = Counter(), Counter()
    persons = keyed(d.persons, d.keys, "marital")
    for keys, answer in persons:
        by_keys[keys] += 1
        by_cell[keys, answer] += 1
    alone = sum(size == 1 for size in by_keys.values())
    disclosive = [(cell, size) for cell, size in by_cell.items() if size == by_keys[cell[0]]]
    small = [cell for cell, size in by_cell.items() if size == 1]
    alone_after = sum(size == 1 for size in Counter(keys for keys, _ in small).values())
    counts = [alone, sum(size for _, size in disclosive), alone_after]
    counts.append(sum(size for _, size in disclosive if size == 1))
    shares = [100 * one / len(persons) for one in counts]
    assert sr.check("06.5", shares).right
    says("06.5", [*shares[:2], *shares[:2]], "the same twice")

    def disco(original, synthetic, keys, target):
        pairs = (keyed(one, keys, target) for one in (original, synthetic))
        return 100 * np.mean(chain_by_hand(*pairs)[2])

    def step(number, of=100):
        def share(original, synthetic, keys, target):
            pairs = (keyed(one, keys, target) for one in (original, synthetic))
            return of * np.mean(chain_by_hand(*pairs)[number])

        return share

    def single_answers(original, synthetic, keys, target):
        """DiS as groupby gives it: nunique does not count a missing answer."""
        answers = synthetic.groupby(keys, observed=True)[target].nunique().to_dict()
        return 100 * np.mean([answers.get(one) == 1 for one in rows(original, keys)])

    assert sr.check("06.3", disco).right
    says("06.3", step(1), "That is DiS")
    says("06.3", step(2, of=1), "return per cent")
    says("06.3", single_answers, "That is DiS, and missing answers are passed over")
    says("06.3", lambda o, s, keys, target: disco(o, o, keys, target), "Dorig")


def test_doing_nothing_can_be_right_and_prices_are_compared_at_the_released_level():
    assert sr.check("06.7", ("nothing", "price")).right
    assert sr.check("06.7", ("bands", "risk")).right
    says("06.7", ("regions", "price"), "DiSCO does not fall")
    says("06.7", ("regions", "price"), "a pMSE ratio of 1.3")
    says("06.7", ("uniques", "price"), "The tables get worse")


def known(frame, qis):
    """The QIs of every row; missing is None, a level like others."""
    return [tuple(None if pd.isna(one) else one for one in row) for row in rows(frame, qis)]


def test_lesson_07_by_going_through_the_households():
    d = sr.data_for("07")
    lines = sorted(rows(d.newcomers, ["couple", "place", "age"]))
    taken = [line[:2] for line in lines]
    flags = [int(slot in taken) for slot in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]]
    assert sr.check("07.1", [*flags, lines[1][2]]).right
    says("07.1", [*flags, d.newcomers.age[1]], "second line of the table")
    says("07.1", [1, 1, 1, 1, 0, 0, lines[1][2]], "from the left")
    says("07.1", [*flags, np.nan], "slot (1, 2)")

    ours, theirs = known(d.families, d.toy_qis), known(d.released, d.toy_qis)

    def families(chosen):
        pairs = zip(d.families.index, ours, strict=True)
        return [name for name, one in pairs if chosen(ours.count(one), theirs.count(one))]

    both = families(lambda f, s: (f, s) == (1, 1))
    assert sr.check("07.2", both).right
    says("07.2", families(lambda f, s: f == 1), "CU")
    says("07.2", families(lambda f, s: s), "more than once")
    says("07.2", [name for name in both if pd.notna(d.families.age_2[name])], "a level, too")
    same = [name for n, name in enumerate(d.families.index) if ours[n] == theirs[n]]
    says("07.2", same, "row by row")

    def su_cu(confidential, synthetic, qis, chosen=lambda f, s: f == s == 1):
        ours, theirs = known(confidential, qis), known(synthetic, qis)
        f, s = Counter(ours), Counter(theirs)
        return sum(bool(chosen(f[one], s[one])) for one in ours)

    assert sr.check("07.3", su_cu).right
    says("07.3", lambda *a: su_cu(*a, lambda f, s: f == 1 and s), "may be several")
    says("07.3", lambda *a: su_cu(*a, lambda f, s: s), "alone in each of them")
    says("07.3", lambda a, b, q: su_cu(a.dropna(subset=q), b.dropna(subset=q), q), "get lost")

    def mean_inverse(h):
        """1/F for F − 1 = n others, times the chance of n others, added up."""
        chance, total = np.exp(-h), 0
        for n in range(200):
            total += chance / (n + 1)
            chance *= h / (n + 1)
        return total

    h = d.expected - d.pi * d.expected
    assert sr.check("07.4", [h, mean_inverse(h)]).right
    says("07.4", [d.expected, mean_inverse(d.expected)], "used λ̂ for h")
    says("07.4", [h, 1 / (1 + h)], "1 over the mean")
    says("07.4", [h, np.exp(-h)], "no others at all")

    persons = [f"{name}_{n}" for n in (1, 2) for name in ("age", "gender", "education", "working")]
    qis = ["state", "rural", "residents", *persons]
    sample, there = known(d.table, qis), Counter()
    for one, number in zip(known(d.population, qis), d.population["count"], strict=True):
        there[one] += number
    f = Counter(sample)
    F = [there[one] for one in sample if f[one] == 1]
    right = sum(1 / one for one in F)
    assert sr.check("07.5", [len(F), F.count(1), right]).right
    says("07.5", [len(F), F.count(1), sum(1 / there[one] for one in sample)], "all households")
    says("07.5", [len(F), len(F), len(F)], "column count")
    says("07.5", [len(F), F.count(1), right / len(F)], "mean of 1/F")

    unique = [list(Counter(known(d.table, qis[:n])).values()).count(1) for n in (7, 11)]
    counted = [su_cu(d.table, d.synthetic, qis[:n]) for n in (7, 11)]
    assert sr.check("07.6", unique + counted).right
    found = [su_cu(d.table, d.synthetic, qis[:n], lambda f, s: f == 1 and s) for n in (7, 11)]
    says("07.6", unique + found, "exactly once")

    def near(x, x_s, b):
        return x_s * (100 + b) > 100 * x and 100 * x_s < x * (100 + b)

    assert sr.check("07.7", near).right
    says("07.7", lambda x, x_s, b: abs(x_s - x) < b / 100 * x, "lower end is x/b'")
    says("07.7", lambda x, x_s, b: near(x, x_s + 1e-6, b) or near(x, x_s - 1e-6, b), "the ends")

    def weigh(power, at=None):
        rule = {c: [1 if pd.isna(r) else 0 if r > c or r == at else 1 - r**power for r in d.r]
                for c in (0.5, 0)}  # fmt: skip
        return pd.DataFrame({f"cutoff {c}": column for c, column in rule.items()}, index=d.r.index)

    assert sr.check("07.8", weigh(2)).right
    says("07.8", weigh(1), "1 − r²")
    says("07.8", weigh(2, at=0.5), "at the cutoff")
    says("07.8", weigh(2).mask(d.r.isna(), 0), "safest of all")


def test_lesson_08_by_going_through_the_rows():
    """With the tables of the lesson, what its sections have told is not what is asked for."""
    d = sr.data_for("08")
    people = {name: row for name, *row in d.ten.itertuples(name=None)}

    def told(people):
        def is_right(name, file):
            same = {row[2] for row in file if row[:2] == people[name][:2]}
            return same == {people[name][2]}

        without = {name: [people[n] for n in people if n != name] for name in people}
        return [
            sum(is_right(name, people.values()) for name in people),
            sum(is_right(name, without[name]) for name in people),
        ]

    assert told(people) == [7, 5]
    says("08.1", [7, 5], "before Ivan has moved")
    says("08.2", 0.4, "before Ivan has moved")
    people["Ivan"][1] = "C"
    members, others = told(people)
    assert sr.check("08.1", [members, others]).right
    assert sr.check("08.2", (members - others) / (10 - others)).right

    def copied(names):
        ours, theirs = (Counter(known(one, names)) for one in (d.members, d.others))
        made = known(d.synthetic, names)
        return [sum(one in file for one in made) for file in (ours, theirs)] + [
            sum(ours[one] == 1 for one in made)
        ]

    names = list(d.members)
    assert copied(names) == [29, 7, 29]
    says("08.4", [29, 7, 29], "all columns, as in section 5")
    names.remove("income")
    assert sr.check("08.4", copied(names)).right

    ages = pd.concat([d.members.age, d.others.age, d.members.age + 1])
    year = 1 / 9 / (ages.max() - ages.min())  # a year is all that differs, in one of nine columns
    far = sr.closest_record(d.others, d.members.assign(age=d.members.age + 1))["median"].iloc[0]
    assert sr.check("08.6", [year, far]).right
    says("08.6", [0.046, 0.058], "the honest file")


# ----------------------------------------------------------- data of one's own


@pytest.mark.slow
@pytest.mark.parametrize("lesson", WITH_EXERCISES)
def test_students_have_other_right_answers_and_not_their_neighbours(lesson):
    plain = [e for e in ALL if e.lesson == lesson and not isinstance(e.form, Function | Choice)]
    differ = 0
    for exercise in plain:
        given = [right_answers(exercise, tables(exercise, seed))[0] for seed in SEEDS]
        values = [
            engine.once(exercise.form.value, exercise.answer, tables(exercise, seed))
            for seed in SEEDS
        ]
        for seed, mine in zip(SEEDS, values, strict=True):
            for answer, theirs in zip(given, values, strict=True):
                same = exercise.form.same(mine, theirs)
                assert sr.check(exercise.id, answer, seed=seed).right == same
                differ += not same
    pairs = len(plain) * len(SEEDS) * (len(SEEDS) - 1)
    assert differ > 0.7 * pairs  # small counts may agree by chance


def test_seeds_are_whole_numbers_that_depend_on_the_id_alone():
    students = [f"student {n}" for n in range(1000)]
    seeds = [sr.seed_for(student) for student in students]
    assert len(set(seeds)) == 1000 and all(0 <= seed < 2**32 for seed in seeds)
    # SHA-256 of "abc" begins with ba7816bf, as its definition (FIPS 180-4) shows.
    assert sr.seed_for("abc") == 0xBA7816BF
    assert sr.seed_for(123) == sr.seed_for("123")


def test_equal_seeds_give_equal_tables_and_nobody_can_spoil_them():
    one, two = sr.data_for("01", seed=5), sr.data_for("01", seed=5)
    pd.testing.assert_frame_equal(one.released, two.released)
    right = find("01.1").answer(one)
    one.synthetic.loc[:, "Job"] = "spoilt"
    one.known.append("spoilt")
    assert sr.check("01.1", right, seed=5).right
    assert sr.data_for("01", seed=5).known == two.known


def test_a_students_function_cannot_spoil_the_tables():
    def greedy(x_i, x_star, r):
        close = sum(abs(x - x_i) <= r * abs(x_i) for x in x_star)
        x_star.iloc[:] = 0
        return close

    assert sr.check("02.4", greedy).right
    assert sr.check("02.4", greedy).right


# -------------------------------------------------- not answered, or not an answer


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_dots_are_no_answer_and_compute_nothing(exercise, monkeypatch):
    monkeypatch.setattr(engine, "_data", None)
    for dots in (..., [...], (1, ...)):
        verdict = sr.check(exercise.id, dots)
        assert not verdict.right
        assert verdict.message.startswith("Not answered yet: hand in ")


def test_a_function_of_dots_is_not_answered():
    def untouched(c, T):
        """Say what it does."""
        ...

    assert sr.check("01.4", untouched).message.startswith("Not answered yet:")


ODD = ["12", "", None, [], {}, print, np.nan, -1, True, [1], [1] * 50, ["a", None], ("A",),
       {"c": "x"}, pd.NA, pd.DataFrame(), pd.Series(["x"]), np.zeros((3, 3)), [[1, 2], [3]],
       pd.DataFrame({"c": ["x"] * 10, "T": 1}), lambda *a: "text", lambda *a: [1, 2, 3],
       lambda *a: 1 / 0, lambda: 1, range(3)]  # fmt: skip


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_no_odd_answer_is_right_or_ends_in_a_traceback(exercise):
    for answer in ODD:
        verdict = sr.check(exercise.id, answer)
        assert not verdict.right, answer
        assert verdict.message.startswith(("Not yet", "Not answered yet")), answer
        assert "\n" not in verdict.message and len(verdict.message) < 400


HALF_FILLED = pd.DataFrame(index=sr.data_for("01").synthetic.index, columns=["c", "T"])
HALF_FILLED.loc[["Ana", "Cleo"]] = [[1, 1], [2, 1]]


@pytest.mark.parametrize(
    ("id", "answer", "words"),
    [
        ("01.5", "172", "without quotes"),
        ("01.5", None, "return anything"),
        ("01.5", len, "call it"),
        ("01.5", [1, 2], "2 parts"),
        ("01.1", 1, "hand in a list: [c, T, risk]"),
        ("01.1", [1, 0], "2 entries, and 3 are asked for"),
        ("01.1", [1], "the answer has 1 entry, and 3 are asked for"),
        ("01.1", [7, 0, 0], "T and risk are right, c is not"),
        ("01.2", pd.DataFrame({"c": range(9), "T": 0}), "9 rows and should have 10"),
        ("01.2", pd.DataFrame({"c": range(10)}), "no column 'T'"),
        ("01.2", [1] * 10, "hand in a table with the columns c, T"),
        ("01.4", 0.2, "hand in the function itself"),
        ("01.4", lambda c: 0.2, "stopped with TypeError"),
        ("01.4", lambda c, T: sum(c) / 0, "stopped with ZeroDivisionError (division by zero) in"),
        ("01.4", lambda c, T: "much", "returns a text"),
        ("01.6", "A", "choice and your reason"),
        ("01.6", ("D", "risk"), "no choice 'D'; the choices are 'A', 'B', 'C'"),
        ("01.6", ("A", "luck"), "no reason 'luck'"),
        ("02.1", 5, "hand in names"),
        ("02.1", ["Eva", "Dan"], "1 of your 2 names belongs there, and none is missing"),
        ("07.2", "Ahn, Dutta, Iyer", "2 of your 3 names belong there, and 1 is missing"),
        ("07.2", [0, 3, 6], "the answer holds 0, which is no name; hand in names"),
        ("07.2", np.array([True, False]), "the answer holds True, which is no name; hand in names"),
        ("02.1", ["Dan"], "None of your names belongs there, and 1 is missing"),
        ("02.1", [], "None of your names belongs there, and 1 is missing"),
        ("01.0", HALF_FILLED, "4 of 20 entries are right; Bea is still empty"),
        ("01.3", [1.5, 25, 50], "For true_match_rate and false_match_rate you have per cent"),
        ("01.5", 956, "all ten columns; the intruder has five facts"),
        ("02.5", [10, 361.41], "For radius you have per cent; hand in shares"),
        ("02.5", [0.1, 361], "Very near: hand in risk to 2 digits"),
        ("03.2", 24, "Very near: hand in the number rounded to 1 digit"),
        ("03.4", 74.26, "per cent"),
        ("03.4", 0.7427, "rounded to 4 digits"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(id, answer, words):
    verdict = sr.check(id, answer)
    assert not verdict.right
    assert words in verdict.message


@pytest.mark.parametrize("seed", [SEEDS[0], OF_A_STUDENT])
@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_right_says_why_with_the_numbers_of_ones_own_tables(exercise, seed):
    answer = right_answers(exercise, tables(exercise, seed))[0]
    verdict = sr.check(exercise.id, answer, seed=seed)
    if not isinstance(exercise.form, Choice):  # a choice is told what the numbers say of it
        assert verdict.message == f"Right. {computed(exercise.words, tables(exercise, seed))}"
    assert verdict.message.endswith(".") and len(verdict.message) > 50


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_every_verdict_is_a_whole_sentence(exercise):
    told = list(exercise.mistakes)
    if isinstance(exercise.form, Choice):
        told = [words for _, words in computed(exercise.answer, tables(exercise)).values()]
    for sentence in [*told, computed(exercise.words, tables(exercise))]:
        assert re.match(r"[A-Z0-9(]|(c|h|nunique) ", sentence), sentence  # or a name of the code
        assert sentence.endswith((".", "?")), sentence


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("01.3", [1.5, "25%", "50 %"]),
        ("01.3", [1.5, 0.25, 0.5]),
        ("02.5", ["10 %", 361.41]),
        ("02.6", ("5%", "this intruder")),
        ("02.6", ("BOTH", "This  Intruder")),
        ("06.2", ["87.5 %", "75%", 50]),
    ],
)
def test_per_cent_signs_and_blanks_are_read_as_they_are_meant(id, answer):
    plain = {"01.3": [1.5, 0.25, 0.5], "02.5": [0.1, 361.41], "06.2": [87.5, 75, 50]}
    if id == "02.6":
        plain[id] = ("5 %" if answer[0] == "5%" else "both", "this intruder")
    assert sr.check(id, answer).message == sr.check(id, plain[id]).message


def test_a_column_with_the_names_beside_it_is_read_as_names():
    d = sr.data_for("02")
    relative = sr.match(d.true, d.synthetic, [], ["Income"], 0.2).records
    absolute = sr.match(d.true, d.synthetic, [], ["Income"], 10, relative=False).records
    differ = relative.c != absolute.c
    for answer in (differ, relative[differ], relative.c[differ], differ.index[differ]):
        assert sr.check("02.3", answer).right
    assert not sr.check("02.3", ~differ).right


def test_a_function_that_prints_in_place_of_returning_is_told_so(capsys):
    def printing(c, T):
        print(sum(a * b == 1 for a, b in zip(c, T, strict=True)) / len(c))

    says("01.4", printing, "true_match_rate(c, T) prints", "return in place of print")
    assert capsys.readouterr().out == ""
    assert "which returns its result" in sr.check("01.4", lambda c, T: None).message


def test_a_series_may_stand_in_any_order():
    exercise = Exercise(
        id="99.1", form=Table(digits=1), code="", hints=[],
        answer=lambda d: pd.Series([1.5, 2.0], index=["a", "b"]), words=lambda d: "",
    )  # fmt: skip
    for answer in ([1.5, 2], {"b": 2, "a": 1.5}, pd.Series([2, 1.52], index=["b", "a"])):
        assert exercise.judge(answer, None).right
    assert "1 of 2 entries is right; look again at b" in exercise.judge([1.5, 3], None).message
    assert "no number" in exercise.judge(["x", 3], None).message
    assert "one number for each row" in exercise.judge("x", None).message


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sr.check("01.99", 1), "'01.99'; look among 01.0, 01.1"),
        (lambda: sr.hint("2.1"), "'2.1'; look among 02.1, 02.2"),
        (lambda: sr.solution("nonsense"), "no exercise 'nonsense'; look among"),
        (lambda: sr.data_for("99"), "no lesson '99' with exercises, only 00, 01"),
        (lambda: sr.check("01.1", 1, seed="anna"), "seed_for"),
        (lambda: sr.check("01.1", ..., seed=-1), "seed_for"),
        (lambda: sr.hint("01.1", 0), "number must be a whole number, 1 or more"),
    ],
)
def test_wrong_calls_are_said_in_a_sentence(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.parametrize("student", ["", None, 1.5])
def test_a_student_id_is_a_text(student):
    with pytest.raises(TypeError, match="a student id is a text"):
        sr.seed_for(student)


# ------------------------------------------------------------- hints and solutions


def test_hints_come_one_after_the_other(monkeypatch):
    monkeypatch.setattr(engine, "_hints_given", Counter())
    hints = find("01.1").hints
    for number, text in enumerate(hints, start=1):
        assert repr(sr.hint("01.1")) == f"Hint {number} of {len(hints)}. {text}"
    assert 'sr.solution("01.1")' in repr(sr.hint("01.1"))
    assert repr(sr.hint("01.1", 1)).endswith(hints[0])


@pytest.mark.parametrize("seed", [SEEDS[0], OF_A_STUDENT])
@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_solutions_have_code_and_words(exercise, seed):
    note = sr.solution(exercise.id, seed=seed)
    assert exercise.solution in repr(note)
    assert len(note.message) > 40 and not re.search(r"\bnan\b", note.message)  # tenants may be


def test_what_a_student_typed_is_escaped():
    verdict = sr.check("01.6", ("<b>", "risk"))
    assert "<b>" in verdict.message
    assert "<b>" not in verdict._repr_html_() and "&lt;b&gt;" in verdict._repr_html_()
    note = sr.solution("02.4")
    assert "<=" in note.code and "<=" not in note._repr_html_()


# ---------------------------------------------------------------------- the lessons


def notebook_of(lesson):
    (path,) = FOLDER.glob(f"{lesson}_*.ipynb")
    return json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("lesson", WITH_EXERCISES)
def test_every_exercise_stands_in_its_lesson_once_and_untouched(lesson):
    cells = notebook_of(lesson)["cells"]
    found = [(handouts.exercise_in(cell), n) for n, cell in enumerate(cells)]
    found = [(id, n) for id, n in found if id]
    assert [id for id, _ in found] == [one.id for one in ALL if one.lesson == lesson]
    for id, n in found:
        assert len(handouts.DOTS.findall(handouts.source(cells[n]))) == 1
        question, form = handouts.source(cells[n - 1]), find(id).form
        assert question.startswith(f"**{id} ")
        if isinstance(form, Choice):
            assert all(f'"{name}"' in question for name in [*form.choices, *form.reasons])


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS[1:3])
@pytest.mark.parametrize("lesson", WITH_EXERCISES)
def test_solutions_are_right_with_a_students_own_tables(lesson, seed):
    cells = handouts.with_solutions(notebook_of(lesson))["cells"]
    names = {"me": seed, "mine": sr.data_for(lesson, seed=seed)}
    exec(handouts.source(next(one for one in cells if one["cell_type"] == "code")), names)
    for cell in cells:
        if not handouts.exercise_in(cell):
            continue
        *before, last = handouts.source(cell).strip().splitlines()
        exec("\n".join([*before, f"verdict = {last}"]), names)
        assert names["verdict"].right, (last, names["verdict"])


def test_a_solution_takes_the_place_of_the_dots_and_nothing_else():
    text = 'def f(x):\n    """Say ... this."""\n    ...\n\n\nsr.check("01.4", f)'
    filled = handouts.fill_in(text, "y = x\nreturn y")
    assert filled == text.replace("    ...\n", "    y = x\n    return y\n")
    assert handouts.fill_in("answer = ...\nrest", "answer = 1") == "answer = 1\nrest"


def test_a_handout_leaves_the_notebook_alone_and_tells_in_words():
    notebook = notebook_of("01")
    text = json.dumps(notebook)
    solved = handouts.with_words(handouts.with_solutions(notebook))
    assert json.dumps(notebook) == text
    told = [cell for cell in solved["cells"] if "**Solution of 01.1.**" in handouts.source(cell)]
    assert len(told) == 1 and told[0]["cell_type"] == "markdown"
    assert len(solved["cells"]) == len(notebook["cells"]) + sum(e.lesson == "01" for e in ALL)


def test_names_are_compared_as_a_set():
    form = Names()
    assert form.value(lambda d: ["Ana", "Bob"], None) == form.read("bob ana".split(), None, None)


# ------------------------------------------------------------- loops without an end

FORM = Function("f(x)", lambda data: [(1,), (2,)])


def endless(x):
    while True:
        with suppress(Exception):
            x += 1


def endless_whatever_comes(x):
    while True:
        try:
            x = abs(abs(abs(abs(x))))
        except:  # noqa: E722 (what a student may write)
            x = 0


@pytest.mark.parametrize("function", [endless, endless_whatever_comes])
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
def test_a_function_that_never_ends_is_stopped_with_a_sentence(monkeypatch, function):
    monkeypatch.setattr(forms, "SECONDS", 0.2)
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(
        ValueError,
        match=r"stopped after 0.2 seconds in f\(1\); see .* ever end, or find a shorter way\.$",
    ):
        FORM.read(function, [1, 2], None)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert FORM.read(lambda x: x, [1, 2], None) == [1, 2]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
def test_a_timer_of_somebody_else_goes_on():
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 50)
    try:
        FORM.read(lambda x: x, [1, 2], None)
        assert 40 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_in_another_thread_a_function_is_left_to_itself():
    found = []
    thread = Thread(target=lambda: found.append(FORM.read(lambda x: x, [1, 2], None)))
    thread.start()
    thread.join()
    assert found == [[1, 2]]
