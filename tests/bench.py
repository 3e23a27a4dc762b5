"""How fast, and how much memory? `python3 start.py bench` prints this table.

Every line says what was measured, the goal, and how many times better than the goal it is: a
number above 1 is good. Measured on the machine it runs on, in one run; nothing here is a test.
All of it takes about ten minutes on two quiet cores. Give words to run some lines only, such as
`python3 start.py bench match` (seconds), `slider` (two minutes) or `growth` (three minutes).
"""

import json
import subprocess
import sys
import tempfile
import time
import tracemalloc
from functools import partial
from pathlib import Path
from statistics import median

import growth
import numpy as np
import pandas as pd
from panel_moves import settings

import synthrisk_edu as sr
from synthrisk_classroom import exercise, lesson
from synthrisk_classroom.grade import grade
from synthrisk_classroom.handed_in import MIME
from synthrisk_classroom.lesson import tables
from synthrisk_classroom.running import lesson_paths, run_lesson
from synthrisk_edu import households, widgets

KNOWN, NUMBERS = ["Age", "Urban", "Marital"], ["Expenditure", "Income"]


def seconds(function, repeats=5, clock=time.perf_counter):
    """Return the median time of a call."""
    times = []
    for _ in range(repeats):
        start = clock()
        function()
        times.append(clock() - start)
    return median(times)


def megabytes(function):
    """Return the peak of the memory a call takes beyond what was there."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def at_most(what, measured, goal, unit):
    """Return a line for something that should be small."""
    return what, f"{measured:,.4g} {unit}", f"under {goal:g} {unit}", goal / measured


def at_least(what, measured, goal):
    """Return a line for something that should be large."""
    return what, f"{measured:,.3g} times", f"at least {goal:g} times", measured / goal


def consumer_units():
    """Return the CE file and its synthetic version of lesson 02."""
    tables = lesson("02").story
    return tables.ce, tables.released


def bench_closest_record():
    """The closest record of 20,000, five numbers and ten categories, in blocks."""
    rng = np.random.default_rng(4)

    def file(n):
        numbers = {f"x{k}": rng.normal(size=n).round(2) for k in range(5)}
        return pd.DataFrame(numbers | {f"c{k}": rng.integers(0, 2 + 3 * k, n) for k in range(10)})

    original, synthetic = file(20_000), file(20_000)
    for name in [name for name in original if name.startswith("c")]:
        original[name], synthetic[name] = original[name].astype(str), synthetic[name].astype(str)
    measured = seconds(lambda: sr.closest_record(original, synthetic), 1)
    yield at_most("closest record: 20,000 × 20,000, 15 columns", measured, 10, "s")
    peak = megabytes(lambda: sr.closest_record(original.head(2000), synthetic.head(2000)))
    yield at_most("closest record: peak memory", peak, 500, "MB")
    acs = sr.load_acs()
    measured = seconds(lambda: sr.closest_record(acs, acs.sample(frac=1, random_state=1)), 3)
    yield at_most("closest record: 10,000 × 10,000, categories alone", measured, 0.2, "s")


def broadcasting(confidential, synthetic, exact, ranged, r):
    """Answer the same question by comparing every record with every other, all at once."""
    matches = np.ones((len(confidential), len(synthetic)), dtype=bool)
    for name in exact:
        matches &= confidential[name].to_numpy()[:, None] == synthetic[name].to_numpy()
    for name in ranged:
        x = confidential[name].to_numpy(dtype=float)[:, None]
        x_star = synthetic[name].to_numpy(dtype=float)
        matches &= np.abs(x_star - x) <= r * np.abs(x) * (1 + 1e-9)
    return matches.sum(axis=1)


def bench_matcher():
    """Match.at on CE, three continuous and two categorical variables, against broadcasting."""
    confidential, synthetic = (data.copy() for data in consumer_units())
    for data in (confidential, synthetic):  # codes compare faster than words: fair to both
        data[["Urban", "Marital"]] = data[["Urban", "Marital"]].apply(lambda c: c.cat.codes)
    ranged, exact = ["Age", *NUMBERS], ["Urban", "Marital"]
    radius = dict.fromkeys(ranged, 0.1)
    found = sr.match(confidential, synthetic, KNOWN, NUMBERS, radius)
    slow = broadcasting(confidential, synthetic, exact, ranged, 0.1)
    assert (found.at(radius).records.c == slow).all()
    slow_time = seconds(lambda: broadcasting(confidential, synthetic, exact, ranged, 0.1), 3)
    ratio = slow_time / seconds(lambda: found.at(radius), 21)
    yield at_least("match: CE at a radius, against full broadcasting", ratio, 8)
    ellipse = sr.match(confidential, synthetic, KNOWN, NUMBERS, radius, shape="ellipse")
    milliseconds = 1000 * seconds(lambda: ellipse.at(radius), 7)
    yield at_most("match: an ellipse over three numbers of CE", milliseconds, 50, "ms")


def bench_numbers():
    """Two and three continuous variables at n = 50,000: time, flatness in r, memory."""
    rng = np.random.default_rng(1)
    confidential = pd.DataFrame(rng.lognormal(10, 1, (50_000, 3)), columns=list("xyz"))
    synthetic = confidential * rng.lognormal(0, 0.2, (50_000, 3))

    def run(names, r):
        return sr.match(confidential, synthetic, [], list(names), r)

    times = [seconds(lambda r=r: run("xy", r), 3) for r in (0.01, 0.1, 0.5)]
    yield at_most("50,000 records, two continuous: slowest radius", max(times), 0.5, "s")
    yield at_most("50,000 records: slowest over fastest radius", max(times) / min(times), 2, "")
    yield at_most("50,000 records: peak memory", megabytes(lambda: run("xy", 0.5)), 1000, "MB")
    three = max(seconds(lambda r=r: run("xyz", r), 1) for r in (0.01, 0.1, 0.5))
    yield at_most("50,000 records, three continuous: slowest radius", three, 2, "s")


def bench_million():
    """One million records: categorical, and one continuous variable."""
    rng = np.random.default_rng(2)
    n = 1_000_000
    levels = {"sex": 2, "region": 20, "job": 50, "age": 80}
    confidential = pd.DataFrame({name: rng.integers(0, k, n) for name, k in levels.items()})
    confidential = confidential.astype("category").assign(income=rng.lognormal(10, 1, n))
    synthetic = confidential.assign(
        job=rng.permutation(confidential.job), income=rng.permutation(confidential.income)
    )

    def categorical():
        return sr.match(confidential, synthetic, ["sex", "region", "age"], ["job"])

    def continuous():
        return sr.match(confidential, synthetic, ["sex", "region"], ["income"], 0.1)

    yield at_most("1,000,000 records, categorical", seconds(categorical, 3), 2, "s")
    yield at_most("1,000,000 records, one continuous", seconds(continuous, 3), 1.5, "s")
    peak = max(megabytes(categorical), megabytes(continuous))
    yield at_most("1,000,000 records: peak memory", peak, 1000, "MB")


def moves(panel):
    """Yield a function for every move: tick boxes off and on, other controls through their range.

    The moves of a slider that stays where it is would cost nothing, so they are left out.
    """
    for control in panel.controls.values():
        for box in getattr(control, "boxes", {}).values():
            yield from [lambda box=box: setattr(box, "value", not box.value)] * 2
        if not hasattr(control, "boxes"):
            for value in settings(control):
                if value != control.value:
                    yield partial(setattr, control, "value", value)


def bench_sliders():
    """From a moved slider to a new picture, Python side, for every panel of every lesson.

    Processor time, so that other programs count less; the worst move of a panel is in its name.
    """
    every = []
    for path in lesson_paths().values():
        for cell, panel in run_lesson(path).panels.items():
            if hasattr(panel, "controls"):
                times = [1000 * seconds(move, 1, time.process_time) for move in moves(panel)]
                every.append(median(times))
                what = f"slider to picture: {path.name[:2]} {cell} (worst {max(times):.0f} ms)"
                yield at_most(what, every[-1], 50, "ms")
    yield at_most("slider to picture: median of all panels", median(every), 30, "ms")
    yield at_most("slider to picture: worst of all panels", max(every), 50, "ms")


IMPORTED = """
import time
import pandas

start = time.process_time()
import synthrisk_edu
print(time.process_time() - start)
"""


def bench_import():
    """Importing the package: processor time beyond pandas; then with its pictures and panels."""
    needed = median(printed_by(IMPORTED)[0] for _ in range(5))
    yield at_most("import synthrisk_edu, beyond pandas", needed, 0.15, "s")
    code = "import synthrisk_edu, synthrisk_edu.plots, synthrisk_edu.widgets"
    program = [sys.executable, "-c", code]
    yield at_most("import, with widgets", seconds(lambda: subprocess.run(program), 5), 1, "s")


def bench_growth():
    """How time grows from 10^5 to 10^6 records, and the peak of memory, one process a measure.

    Ten times the records take 10^e times as long; n log n is e = 1.08. Three numbers without a key
    grow faster, near e = 1.6 (see `growth.EXPONENTS`): a million take some ten seconds.
    """
    program = Path(__file__).with_name("growth.py")
    for name in growth.MEASURES:
        done = subprocess.run(
            [sys.executable, program, name], check=True, capture_output=True, text=True
        )
        small, large, peak = map(float, done.stdout.split())
        most = growth.EXPONENTS.get(name, growth.USUAL_EXPONENT)
        yield at_most(f"growth: {name}, exponent", np.log10(large / small), most, "")
        yield at_most(f"growth: {name}, a million", large, 60, "s")
        yield at_most(f"growth: {name}, peak memory", peak, 1000, "MB")


def bench_synthesis():
    """The synthesizers of lessons 03 and 04, and the sweep over four scenarios."""
    ce, acs = sr.load_ce(), sr.load_acs()
    scenario = ["Tenure", "Expenditure", "Income"]
    cart = seconds(lambda: sr.synthesize_cart(ce, scenario, 5, seed=1), 3)
    yield at_most("synthesis: CART, three variables of CE, m = 5", cart, 0.6, "s")
    dpmpm = seconds(lambda: sr.synthesize_dpmpm(acs, ["DIS", "HICOV"], seed=1), 1)
    yield at_most("synthesis: DPMPM on ACS, 40 classes, 1,000 steps", dpmpm, 25, "s")
    releases = [["Income"], ["Tenure", "Income"], NUMBERS, scenario]
    sets = {tuple(names): sr.synthesize_cart(ce, names, 20, seed=1) for names in releases}
    radii = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3]

    def sweep():
        for names, synthetics in sets.items():
            sr.radius_sweep(ce, synthetics, KNOWN, list(names), radii, fixed={"Age": 0.1})

    yield at_most("sweep: four scenarios, m = 20, six radii", seconds(sweep, 1), 10, "s")


def bench_disclosure():
    """DiSCO: five syntheses of one target, every target at 50,000, and a million records."""
    persons = sr.load_diagnosis()
    keys = ["sex", "age", "region", "placesize"]
    sets = sr.synthesize_cart(persons, list(persons.columns), 5, seed=1)
    five = seconds(lambda: sr.disclosure(persons, sets, keys, "depress"))
    yield at_most("DiSCO: five syntheses, n = 5,000", 1000 * five, 60, "ms")
    rng = np.random.default_rng(3)
    big = [persons.iloc[rng.integers(len(persons), size=50_000)] for _ in range(2)]
    every = seconds(lambda: sr.multi_disclosure(*big, keys), 3)
    yield at_most("DiSCO: every target, n = 50,000", every, 1, "s")
    times = {}
    for n in (250_000, 1_000_000):
        ages = {"age": rng.integers(16, 98, n), "income": rng.integers(0, 500, n)}
        codes = {name: rng.integers(0, k, n) for name, k in {"sex": 2, "region": 16}.items()}
        data = pd.DataFrame(ages | codes | {"target": rng.integers(0, 6, n)})

        def run(data=data):
            return sr.disclosure(data, data, ["sex", "age", "region", "income"], "target")

        times[n] = seconds(run, 3)
    yield at_most("DiSCO: n = 1,000,000, four keys", times[1_000_000], 5, "s")
    yield at_most("DiSCO: n = 1,000,000, peak memory", megabytes(run), 1000, "MB")
    growth = times[1_000_000] / times[250_000]
    yield at_most("DiSCO: four times the records take longer by", growth, 4 * 1.12 * 1.5, "times")


def bench_intruder():
    """Intruder knowledge: 2,562 targets against a hundred draws, and the fits."""
    youth = lesson("05").story.youth
    variables, known = ["facility", "race"], ["ethnicity"]
    predictors = ["ethnicity", "age", "sex", "crime", "weight"]
    chain = sr.fit_multinomial(youth, variables, predictors)
    rng = np.random.default_rng(1)
    draws = chain.draws(youth, rng, [None] * 100)

    def run():
        return sr.intruder_risk(youth, draws, known, variables)

    yield at_most("intruder: 2,562 targets, h = 100 draws", seconds(run, 3), 1, "s")
    yield at_most("intruder: peak memory", megabytes(run), 500, "MB")
    fit = seconds(lambda: sr.fit_multinomial(draws[0], variables, predictors), 1)
    yield at_most("intruder: fitting ten released data sets", 10 * fit, 4, "s")


def bench_drawing():
    """What the backdrop is worth: a picture drawn anew against one with new marks only."""
    panel = widgets.share_panel(sr.load_acs(), ["SEX", "RACE", "MAR"], ["DIS", "HICOV"])
    whole = seconds(panel.canvas.figure.canvas.draw, 9)
    yield at_least("drawing: everything, against the marks only", whole / seconds(panel.refresh), 1)


def bench_households():
    """Households: flatten, synthesis, and the population model."""
    data = sr.load_households()
    wide = sr.households.flatten(data.persons, data.households, max_respondents=8)
    flat = seconds(lambda: sr.households.flatten(data.persons, data.households), 3)
    yield at_most("households: flatten 42,311", flat, 0.5, "s")
    yield at_most(
        "households: unflatten", seconds(lambda: sr.households.unflatten(wide), 3), 0.5, "s"
    )
    one = seconds(lambda: sr.households.synthesize(wide, seed=1), 3)  # the first loads scikit-learn
    yield at_most("households: one synthesis, H = 8", one, 3, "s")
    table, qis = households.qi_table(wide), households.qi_names()
    fraction = households.sampling_fractions(data.population, table)
    fit = seconds(lambda: sr.households.population_risk(table, qis, fraction), 1)
    yield at_most("households: r on eleven QIs, all penalties, with B", fit, 20, "s")
    memory = megabytes(lambda: sr.households.population_risk(table, qis, fraction, penalty=1))
    yield at_most("households: peak memory of a fit", memory, 500, "MB")


def printed_by(code, *arguments):
    """Run a program of its own, so that the memory is its own; return the numbers it prints."""
    program = [sys.executable, "-c", code, *map(str, arguments)]
    how = {"check": True, "capture_output": True, "text": True, "cwd": Path(__file__).parent}
    # In front of the last line DuckDB may show a bar of progress.
    return [float(one) for one in subprocess.run(program, **how).stdout.splitlines()[-1].split()]


MAKE_POPULATION = """
import runpy, sys
from growth import peak

runpy.run_path(sys.argv[1])["simulate"]()
print(peak())
"""


def bench_population():
    """Making the population of households: time and memory."""
    script = Path(__file__).parent.parent / "data" / "make_households.py"
    start = time.perf_counter()
    (memory,) = printed_by(MAKE_POPULATION, script)
    yield at_most("households: making the population", time.perf_counter() - start, 90, "s")
    yield at_most("households: peak memory of that", memory, 1000, "MB")


# The rows are made while they are counted.
COUNT_IN_DATABASE = """
import duckdb, synthrisk_edu as sr
from growth import peak

counts = duckdb.sql('''
    SELECT sex, age, region, job, count(*) AS "count"
    FROM (SELECT i % 2 AS sex, hash(i) % 80 AS age, hash(i + 1) % 16 AS region,
                 hash(i + 2) % 9 AS job FROM range(100000000) AS r(i)) AS survey
    GROUP BY sex, age, region, job''').df()
assert counts["count"].sum() == 10**8
sr.disclosure_from_counts(counts, counts, ["sex", "age", "region"], "job")
print(peak())
"""


def bench_database():
    """Beyond one machine: DuckDB counts a hundred million rows, and DiSCO needs only the counts."""
    start = time.perf_counter()
    (memory,) = printed_by(COUNT_IN_DATABASE)
    yield at_most("database: 100 million rows", time.perf_counter() - start, 60, "s")
    yield at_most("database: peak memory of that", memory, 4000, "MB")


MAKE_REPORT = """
import sys, time
import numpy as np, pandas as pd
import synthrisk_edu as sr
from growth import peak

n, rng = int(sys.argv[1]), np.random.default_rng(1)
levels = [2, 2, 5, 7, 9, 16, 6, 42, 14, 4]
data = {f"c{k}": rng.choice([f"level {j}" for j in range(one)], n) for k, one in enumerate(levels)}
data |= {"age": rng.integers(17, 91, n), "hours": rng.integers(1, 99, n)}
data |= {name: rng.lognormal(10, 1, n).round() for name in ("gain", "income", "spending")}
confidential = pd.DataFrame(data)
changed = ["c6", "c8", "income", "spending"]
synthetic = confidential.assign(**{c: rng.permutation(confidential[c]) for c in changed})
start = time.perf_counter()
known = [name for name in confidential if name not in changed]
sr.risk_report(confidential, synthetic, known=known, synthesized=changed, identifiers=[]).html
print(time.perf_counter() - start, peak())
"""


def bench_report():
    """The whole report with its page, 15 columns, in a process of its own: time and memory."""
    for n, most_seconds, most_memory in (
        (50_000, 15, 1500),
        (400_000, 20, 1500),
        (10**6, 60, 4000),
    ):
        needed, memory = printed_by(MAKE_REPORT, n)
        yield at_most(f"report: {n:,} rows, 15 columns", needed, most_seconds, "s")
        yield at_most(f"report: {n:,} rows, peak memory", memory, most_memory, "MB")


def bench_grades():
    """Grades: thirty students of lesson 01, each with tables of their own."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(30):
            my = lesson("01", student=f"student {number}")
            answers = [("01.1", [1, 1, 1]), ("01.2", 3), ("01.3", [1, 0, 0]), ("01.5", 100)]
            stored = [my.check(one, answer).handed_in for one, answer in answers]
            outputs = [{"data": {MIME: one}} for one in stored]
            notebook = json.dumps({"cells": [{"outputs": outputs}]})
            (Path(folder) / f"{number}.ipynb").write_text(notebook)
        tables.cache_clear()
        exercise.once.cache_clear()
        yield at_most("grades: thirty students", seconds(lambda: grade(folder), 1), 30, "s")


BENCHMARKS = [
    bench_import,
    bench_matcher,
    bench_numbers,
    bench_million,
    bench_growth,
    bench_sliders,
    bench_closest_record,
    bench_synthesis,
    bench_disclosure,
    bench_intruder,
    bench_drawing,
    bench_households,
    bench_population,
    bench_database,
    bench_report,
    bench_grades,
]


def main(words):
    """Print the table, line by line as it is measured."""
    print(f"{'what':58}{'measured':>14}{'goal':>20}{'margin':>9}")
    for benchmark in BENCHMARKS:
        if words and not any(word in benchmark.__name__ + benchmark.__doc__ for word in words):
            continue
        for what, measured, goal, margin in benchmark():
            print(f"{what:58}{measured:>14}{goal:>20}{margin:>8.1f}×", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
