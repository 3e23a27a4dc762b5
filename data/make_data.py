"""Make the simulated data files of this folder.

    python data/make_data.py            rewrites every file
    python data/make_data.py acs ce     rewrites these two

Nobody in these files exists. The script knows a few totals, shares and averages of public survey
files (the tables below) and draws people who agree with them. It never reads a real record.
Each file has its own seed, so every run writes the same bytes.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent

# A simulation is one draw of many. These seeds were chosen among forty so that every fact listed in
# tests/test_data.py comes out close, also those that no table below prescribes: how many records
# are unique.
SEEDS = {"acs": 26, "ce": 28, "diagnosis": 5, "youth": 37}


def deal(shares, size, rng):
    """Deal out codes like cards: each gets its share of the `size` places, in random order.

    Drawing each place on its own would let the shares drift by chance; dealing keeps them exact
    up to rounding.
    """
    codes, weights = np.array(list(shares)), np.array(list(shares.values()), dtype=float)
    last_places = np.rint(np.cumsum(weights / weights.sum()) * size).astype(int)
    counts = np.diff(last_places, prepend=0)
    return rng.permutation(np.repeat(codes, counts))


# --- ACS: 10,000 persons, ten categorical variables ---------------------------------------------

# How many persons have code 1, 2, 3, … of each variable.
ACS_COUNTS = {
    "SEX": [4699, 5301],
    "RACE": [7429, 1971, 104, 126, 145, 225],
    "MAR": [5341, 805, 1085, 311, 2458],
    "LANX": [812, 9188],
    "WAOB": [9223, 35, 308, 231, 133, 40, 30],
    "DIS": [1846, 8154],
    "HICOV": [8350, 1650],
    "MIG": [8516, 54, 1430],
    "SCH": [8925, 835, 240],
    "HISP": [9539, 461],
}
ACS_VARIABLES = list(ACS_COUNTS)

# Who goes with whom. ("MAR", "DIS", 1, [.139, .498, …]) says: of those with MAR = 1, 13.9 % have
# DIS = 1; of those with MAR = 2, 49.8 %; and so on. FREE means that we do not prescribe it.
FREE = np.nan
ACS_SHARES = [
    # Where people were born goes with their race …
    ("RACE", "WAOB", 1, [0.945, 0.968, 0.933, 0.373, 0.821, 0.147]),
    ("RACE", "WAOB", 3, [FREE, FREE, FREE, 0.548, FREE, FREE]),
    ("RACE", "WAOB", 4, [FREE, FREE, FREE, FREE, FREE, 0.840]),
    # … and decides whether they speak another language at home and are Hispanic.
    ("WAOB", "LANX", 1, [0.026, 0.829, 0.883, 0.835, 0.308, 0.775, 0.133]),
    ("RACE", "LANX", 1, [0.059, 0.030, 0.115, 0.675, 0.200, 0.844]),
    ("WAOB", "HISP", 2, [0.016, 0.74, 0.90, 0.01, 0.05, 0.01, 0.01]),
    ("RACE", "HISP", 2, [0.04, 0.01, 0.08, 0.75, 0.12, 0.01]),
    # Most widowed persons are women; marriage differs by race.
    ("MAR", "SEX", 1, [0.50, 0.155, 0.41, 0.45, 0.535]),
    ("RACE", "MAR", 1, [0.59, 0.34, 0.32, 0.50, 0.44, 0.64]),
    ("RACE", "MAR", 5, [0.20, 0.39, 0.34, 0.40, 0.41, 0.28]),
    # Marital status stands in for age, which the file does not have: the widowed are old and often
    # disabled, the never married are young, move, and go to school.
    ("MAR", "DIS", 1, [0.139, 0.498, 0.258, 0.228, 0.142]),
    ("MAR", "MIG", 1, [0.904, 0.925, 0.861, 0.723, 0.727]),
    ("MAR", "SCH", 2, [0.035, 0.007, 0.041, 0.029, 0.239]),
    ("MAR", "SCH", 3, [0.01, 0.005, 0.01, 0.01, 0.065]),
    ("MIG", "SCH", 1, [0.91, 0.69, 0.78]),
    # Disability and health insurance differ by race, too; insurance also by language.
    ("RACE", "DIS", 1, [0.18, 0.22, 0.26, 0.08, 0.21, 0.06]),
    ("MAR", "HICOV", 2, [0.114, 0.048, 0.208, 0.296, 0.279]),
    ("LANX", "HICOV", 2, [0.383, 0.146]),
    ("RACE", "HICOV", 2, [0.13, 0.24, 0.23, 0.52, 0.20, 0.30]),
]


def simulate_acs(rng):
    """Return 10,000 simulated persons with the ten ACS variables, codes from 1."""
    joint = rake_joint_table(ACS_COUNTS, ACS_SHARES)
    size = sum(ACS_COUNTS["SEX"])
    people = draw_people(joint, size, rng)
    spares = draw_people(joint, 12 * size, rng)
    people = exchange_until_totals_agree(people, spares, ACS_COUNTS, rng)
    return pd.DataFrame(people + 1, columns=ACS_VARIABLES)


def rake_joint_table(counts, shares, rounds=40):
    """Return the expected number of persons in every combination of the ten variables.

    We begin with the same number everywhere and bend the table to one fact after the other. Each
    fact disturbs the ones before it a little, so we go round until hardly anything moves. This is
    called raking, or iterative proportional fitting; it adds no association we did not ask for.
    """
    table = np.ones([len(codes) for codes in counts.values()])
    names = list(counts)
    for _ in range(rounds):
        for given, variable, code, wanted in shares:
            bend_to_shares(table, names.index(given), names.index(variable), code - 1, wanted)
        for axis, name in enumerate(names):
            bend_to_counts(table, axis, counts[name])
    return table


def bend_to_shares(table, given, variable, code, wanted):
    """Scale `table` in place: the share of `code` among those with each code of `given`."""
    view = np.moveaxis(table, (given, variable), (0, 1))
    pairs = view.sum(axis=tuple(range(2, view.ndim)))
    now = pairs[:, code] / pairs.sum(axis=1)
    wanted = np.where(np.isnan(wanted), now, wanted)
    factors = np.empty_like(pairs)
    factors[:] = ((1 - wanted) / (1 - now))[:, np.newaxis]
    factors[:, code] = wanted / now
    view *= factors.reshape(factors.shape + (1,) * (view.ndim - 2))


def bend_to_counts(table, axis, wanted):
    """Scale `table` in place so that one variable has the wanted count of every code."""
    view = np.moveaxis(table, axis, 0)
    now = view.sum(axis=tuple(range(1, view.ndim)))
    view *= (wanted / now).reshape((-1,) + (1,) * (view.ndim - 1))


def draw_people(joint, size, rng):
    """Draw persons from the joint table: one row each, codes from 0."""
    up_to = np.cumsum(joint)
    cells = np.searchsorted(up_to, rng.random(size) * up_to[-1], side="right")
    return np.column_stack(np.unravel_index(cells, joint.shape))


def exchange_until_totals_agree(people, spares, counts, rng):
    """Exchange persons at random for spare ones, whenever that does not worsen the totals.

    `excess` holds, for every code of every variable, how many persons too many have it.
    """
    levels = [len(codes) for codes in counts.values()]
    first = np.cumsum([0, *levels[:-1]])
    people, spares = people + first, spares + first  # now each number names a variable and a code
    excess = np.bincount(people.ravel(), minlength=sum(levels)) - np.concatenate([*counts.values()])
    for spare, leaver in zip(spares, rng.integers(len(people), size=len(spares)), strict=True):
        after = excess.copy()
        after[people[leaver]] -= 1
        after[spare] += 1
        if np.abs(after).sum() <= np.abs(excess).sum():
            people[leaver], excess = spare, after
        if not excess.any():
            break
    return people - first


# --- CE: 5,571 consumer units, seven variables ----------------------------------------------------

CE_UNITS = 5571
CE_COLUMNS = ["Age", "Urban", "Tenure", "Educ", "Expenditure", "Marital", "Income"]

# 1 mortgage, 2 owned outright, 4 rented, 5 no rent, 6 student housing
TENURE_SHARES = {1: 0.3685, 2: 0.2712, 4: 0.3367, 5: 0.0171, 6: 0.0065}

# Codes of Marital 1–5 (married, widowed, divorced, separated, never married) in each tenure.
MARITAL_SHARES = {
    1: {1: 0.684, 2: 0.060, 3: 0.132, 4: 0.012, 5: 0.112},
    2: {1: 0.572, 2: 0.173, 3: 0.143, 4: 0.014, 5: 0.098},
    4: {1: 0.330, 2: 0.077, 3: 0.190, 4: 0.044, 5: 0.359},
    5: {1: 0.35, 2: 0.10, 3: 0.18, 4: 0.07, 5: 0.30},
    6: {5: 1.0},
}
RURAL_SHARES = {1: 0.06, 2: 0.11, 4: 0.036, 5: 0.15, 6: 0.08}

# Mean age of the married by tenure, what another marital status adds, and how alike the ages
# within such a group are (the larger, the closer they lie to their mean).
AGE_MEAN = {1: 50, 2: 62.5, 4: 45.5, 5: 47, 6: 30}
AGE_SHIFT = {1: 0, 2: 19, 3: 6, 4: 1, 5: -9.5}
AGE_ALIKE = {1: 7.5, 2: 6.5, 4: 4.7, 5: 5, 6: 21}
YOUNGEST, OLDEST = 16, 93
OLDEST_SHOWN, TOP_CODE = 83, 88  # to protect the oldest, everyone above 83 is shown as 88

EDUC_SHARES = {
    0: 0.0036,  # never attended school
    10: 0.0307,  # first to eighth grade
    11: 0.0666,  # ninth to twelfth grade without a diploma
    12: 0.2267,  # high school graduate
    13: 0.2086,  # some college without a degree
    14: 0.0950,  # associate degree
    15: 0.2289,  # bachelor's degree
    16: 0.1400,  # master's degree or higher
}
# Who tends to have gone to school for longer (in standard deviations).
EDUC_BY_TENURE = {1: 0.35, 2: 0.0, 4: -0.25, 5: -0.4, 6: 0.0}
EDUC_BY_MARITAL = {1: 0.1, 2: -0.4, 3: -0.1, 4: -0.3, 5: 0.1}

# Regression of log income on the household's characteristics, as estimated from the real file.
INCOME_LINE = {
    "constant": 10.241,
    "Age": 0.023,
    "Age²/100": -0.030,
    "Urban": {1: 0, 2: -0.495},
    "Tenure": {1: 0, 2: -0.361, 4: -0.604, 5: -0.915, 6: -2.041},
    "Educ": {
        0: 0,
        10: 0.199,
        11: 0.254,
        12: 0.453,
        13: 0.621,
        14: 0.694,
        15: 1.055,
        16: 1.317,
    },
    "Marital": {1: 0, 2: -0.601, 3: -0.597, 4: -0.433, 5: -0.589},
}
# Around that line: most lie close, about one in ten far below, and a handful had a few dollars in
# all (a little interest, say). That is why the logarithm of income is skewed to the left.
INCOME_KINDS = {"close": 0.8875, "far below": 0.110, "few dollars": 0.0025}
CLOSE_MEAN, CLOSE_SD = 0.30, 0.60
FAR_AT_LEAST, FAR_ON_TOP = 1.5, 0.85  # how far below, in logarithms: at least, and more on average
FEW_DOLLARS = 5
LARGEST_INCOME = 980_551

# The same for log expenditure, which also rises with log income.
EXPENDITURE_LINE = {
    "constant": 6.353,
    "Age": 0.015,
    "Age²/100": -0.017,
    "Urban": {1: 0, 2: -0.132},
    "Tenure": {1: 0, 2: -0.095, 4: -0.208, 5: -0.604, 6: -1.046},
    "Educ": {
        0: 0,
        10: -0.026,
        11: 0.005,
        12: 0.050,
        13: 0.202,
        14: 0.252,
        15: 0.309,
        16: 0.431,
    },
    "Marital": {1: 0, 2: -0.263, 3: -0.319, 4: -0.248, 5: -0.345},
}
EXPENDITURE_PER_LOG_INCOME = 0.215
EXPENDITURE_SD = 0.732

# Some units report no income, four of them a loss. Young people, students and those who live
# rent-free do so more often than others. Five of these units report no expenditure either.
NO_INCOME_UNITS = 449
NO_INCOME_ODDS = {1: 1.0, 2: 1.2, 4: 1.1, 5: 2.5, 6: 5.0}
LOSSES = [-115_800, -41_000, -6_500, -2_400]
NO_EXPENDITURE_UNITS = 5

# People round. How many answer to the nearest …, and nobody rounds by more than a tenth.
INCOME_ROUNDED_TO = {10_000: 0.07, 5_000: 0.09, 1_000: 0.24, 100: 0.15, 10: 0.09, 1: 0.36}
# Expenditure is averaged over months, so cents come as halves, thirds, quarters, …
EXPENDITURE_PARTS = {1: 0.14, 2: 0.06, 3: 0.16, 4: 0.08, 6: 0.08, 12: 0.10, 10_000: 0.38}


def simulate_ce(rng):
    """Return 5,571 simulated consumer units with the seven CE variables."""
    units = pd.DataFrame({"Tenure": deal(TENURE_SHARES, CE_UNITS, rng)})
    units["Marital"] = deal_within(units["Tenure"], MARITAL_SHARES, rng)
    rural = {tenure: {1: 1 - share, 2: share} for tenure, share in RURAL_SHARES.items()}
    units["Urban"] = deal_within(units["Tenure"], rural, rng)
    units["Age"] = draw_age(units, rng)
    units["Educ"] = draw_education(units, rng)
    log_income = draw_log_income(units, rng)
    log_expenditure = draw_log_expenditure(units, log_income, rng)
    units["Income"] = rounded_incomes(log_income, rng)
    units["Expenditure"] = monthly_averages(log_expenditure, rng)
    without = choose_without_income(units, rng)
    units.loc[without, "Income"] = LOSSES + [0] * (len(without) - len(LOSSES))
    units.loc[without[-NO_EXPENDITURE_UNITS:], "Expenditure"] = 0.0
    return units[CE_COLUMNS]


def deal_within(groups, shares, rng):
    """Deal codes out within each group, by that group's own shares."""
    codes = np.empty(len(groups), dtype=int)
    for group in shares:
        members = np.flatnonzero(groups == group)
        codes[members] = deal(shares[group], len(members), rng)
    return codes


def draw_age(units, rng):
    """Draw ages between 16 and 93 from beta distributions, then hide the highest ones.

    A beta distribution lives between two ends, here 0 (the youngest) and 1 (the oldest). Its tail
    points away from the nearer end: young renters have a few old ones among them.
    """
    mean = units["Tenure"].map(AGE_MEAN) + units["Marital"].map(AGE_SHIFT)
    center = (mean - YOUNGEST) / (OLDEST - YOUNGEST)
    alike = units["Tenure"].map(AGE_ALIKE)
    place = rng.beta(center * alike, (1 - center) * alike)
    age = np.rint(YOUNGEST + place * (OLDEST - YOUNGEST)).astype(int)
    return np.where(age > OLDEST_SHOWN, TOP_CODE, age)


def draw_education(units, rng):
    """Rank the units by a schooling score and hand the levels out from the bottom up."""
    score = units["Tenure"].map(EDUC_BY_TENURE) + units["Marital"].map(EDUC_BY_MARITAL)
    lowest_first = np.argsort(score + rng.normal(size=len(units)))
    levels = np.empty(len(units), dtype=int)
    levels[lowest_first] = np.sort(deal(EDUC_SHARES, len(units), rng))
    return levels


def line(units, coefficients):
    """Return the height of a regression line for every unit."""
    height = coefficients["constant"] + coefficients["Age"] * units["Age"]
    height = height + coefficients["Age²/100"] * units["Age"] ** 2 / 100
    for variable in ["Urban", "Tenure", "Educ", "Marital"]:
        height = height + units[variable].map(coefficients[variable])
    return height


def draw_log_income(units, rng):
    """Draw log income: near the line, far below it, or next to nothing."""
    kind = deal(INCOME_KINDS, len(units), rng)
    expected = line(units, INCOME_LINE)
    close = expected + rng.normal(CLOSE_MEAN, CLOSE_SD, len(units))
    far_below = expected - FAR_AT_LEAST - rng.exponential(FAR_ON_TOP, len(units))
    few_dollars = np.log(rng.uniform(1, FEW_DOLLARS, len(units)))
    log_income = np.select([kind == "close", kind == "far below"], [close, far_below], few_dollars)
    return log_income.clip(min=0)


def draw_log_expenditure(units, log_income, rng):
    """Draw log expenditure: the line, plus the effect of income, plus chance."""
    expected = line(units, EXPENDITURE_LINE) + EXPENDITURE_PER_LOG_INCOME * log_income
    return expected + rng.normal(0, EXPENDITURE_SD, len(units))


def rounded_incomes(log_income, rng):
    """Turn log income into dollars and round most of them, as people do when they answer."""
    income = np.exp(log_income)
    step = deal(INCOME_ROUNDED_TO, len(income), rng)
    step = np.where(step <= income / 5, step, 1)
    return (np.rint(income / step) * step).clip(max=LARGEST_INCOME).astype(int)


def monthly_averages(log_expenditure, rng):
    """Turn log expenditure into dollars with the fractions that averaging leaves."""
    parts = deal(EXPENDITURE_PARTS, len(log_expenditure), rng)
    return np.round(np.rint(np.exp(log_expenditure) * parts) / parts, 4)


def choose_without_income(units, rng):
    """Choose the units without income: a lottery in which larger odds win more often."""
    odds = units["Tenure"].map(NO_INCOME_ODDS) * np.where(units["Age"] < 25, 1.6, 1.0)
    tickets = rng.random(len(units)) ** (1 / odds.to_numpy())
    return np.argsort(tickets)[-NO_INCOME_UNITS:]


# --- Diagnosis: 5,000 persons, nine variables -----------------------------------------------------

DIAGNOSIS_PERSONS = 5000
DIAGNOSIS_COLUMNS = [
    *["sex", "age", "region", "placesize"],
    *["depress", "income", "ls", "marital", "workab"],
]
MISSING = None

SEX_COUNTS = {"FEMALE": 2818, "MALE": 2182}
PLACESIZE_COUNTS = {
    "URBAN 500,000 AND OVER": 392,
    "URBAN 200,000-500,000": 327,
    "URBAN 100,000-200,000": 843,
    "URBAN 20,000-100,000": 407,
    "URBAN BELOW 20,000": 642,
    "RURAL AREAS": 2389,
}
MARITAL_COUNTS = {
    "SINGLE": 1253,
    "MARRIED": 2979,
    "WIDOWED": 531,
    "DIVORCED": 199,
    "LEGALLY SEPARATED": 7,
    "DE FACTO SEPARATED": 22,
    MISSING: 9,
}

# Persons in each region, and roughly how many of 100 live in places of each size, largest first.
# Not every region has a city of every size: a zero stays a zero.
REGIONS = {
    "Dolnoslaskie": (319, [20, 10, 20, 0, 15, 35]),
    "Kujawsko-pomorskie": (313, [0, 5, 10, 20, 15, 50]),
    "Lodzkie": (358, [25, 0, 20, 0, 10, 45]),
    "Lubelskie": (301, [0, 0, 15, 15, 10, 60]),
    "Lubuskie": (153, [0, 20, 10, 0, 25, 45]),
    "Malopolskie": (371, [15, 5, 10, 0, 10, 60]),
    "Mazowieckie": (570, [20, 2, 15, 5, 13, 45]),
    "Opolskie": (153, [0, 10, 25, 0, 15, 50]),
    "Podkarpackie": (313, [0, 5, 15, 0, 10, 70]),
    "Podlaskie": (193, [0, 0, 15, 25, 10, 50]),
    "Pomorskie": (306, [0, 0, 20, 25, 10, 45]),
    "Slaskie": (500, [0, 25, 25, 15, 5, 30]),
    "Swietokrzyskie": (230, [0, 0, 15, 15, 15, 55]),
    "Warminsko-mazurskie": (259, [0, 15, 15, 0, 20, 50]),
    "Wielkopolskie": (413, [10, 2, 20, 0, 13, 55]),
    "Zachodnio-pomorskie": (248, [0, 10, 20, 15, 20, 35]),
}

# Everything that goes with age, by the age at which each band begins. First the number of persons
# and the percentage of men; then, of 100 women and of 100 men, how many are married, widowed and
# divorced (nearly all others are single).
AGE_BANDS = {
    16: (100, 50, (0, 0, 0), (0, 0, 0)),
    18: (185, 50, (2, 0, 0), (1, 0, 0)),
    20: (80, 50, (1.5, 0, 0), (0.5, 0, 0)),
    21: (175, 50, (8, 0, 0), (3, 0, 0)),
    23: (160, 46, (15, 0, 0.5), (8, 0, 0)),
    25: (165, 46, (35, 0, 1), (15, 0, 0.5)),
    27: (210, 45, (53, 0, 3), (33, 0, 1)),
    30: (350, 43, (74, 0.5, 5), (65, 0.5, 2)),
    35: (405, 43, (80, 1, 8), (75, 0.5, 3)),
    40: (345, 43, (78, 3, 9), (80, 1, 4)),
    45: (385, 44, (74, 7, 9), (80, 1, 5)),
    50: (485, 44, (74, 10, 8), (82, 1, 6)),
    55: (510, 45, (72, 15, 5), (86, 2, 6)),
    60: (505, 44, (69, 21, 4), (88, 3, 5)),
    65: (275, 42, (58, 35, 4), (88, 6, 2)),
    70: (240, 38, (45, 46, 4), (83, 10, 1)),
    75: (215, 37, (33, 62, 1), (78, 17, 1)),
    80: (130, 38, (20, 74, 1), (70, 27, 0.5)),
    85: (80, 28, (14, 79, 2), (65, 33, 0.5)),
}
SEPARATED_OR_MISSING = (0.2, 0.5, 0.2)  # of 100 from this age on: legally, de facto, no answer
SEPARATED_FROM_AGE = 23
LAST_AGE = 97
FEWER_AT_16 = 0.3  # most of those who are 16 are not asked yet
FEWER_EACH_YEAR = 0.8  # … and from 85 on, each year has a fifth fewer persons than the year before

# The depression score: how many have 0, 1, …, 21 points. Who has more: at the ages given, what
# we expect of a man (women and the widowed get something on top), and how far chance spreads it.
DEPRESS_COUNTS = [
    *[1113, 453, 457, 454, 384, 382, 338, 311, 232, 229, 168],
    *[132, 79, 59, 70, 52, 29, 13, 15, 8, 7, 15],
]
DEPRESS_MISSING = 89
DEPRESS_AT_AGE = {16: 0.0, 28: 0.5, 40: 2.6, 50: 4.4, 60: 5.9, 70: 8.3, 80: 10.8, 90: 12.8}
DEPRESS_WOMEN, DEPRESS_WIDOWED, DEPRESS_SD = 0.8, 0.6, 3.9

# Satisfaction with life falls with the depression score. Among those with the same score the old
# are a little happier; the rest is chance (SD 1).
LS_COUNTS = {
    "DELIGHTED": 191,
    "PLEASED": 1947,
    "MOSTLY SATISFIED": 1692,
    "MIXED": 827,
    "MOSTLY DISSATISFIED": 274,
    "UNHAPPY": 41,
    "TERRIBLE": 20,
}
LS_PER_POINT, LS_PER_YEAR = 0.105, -0.005

# Work abroad: the young, many still at school, often give no answer; the old never say yes.
# Percentages at the ages given.
WORKAB_COUNTS = {"YES": 130, MISSING: 438}
WORKAB_MISSING_AT_AGE = {16: 66, 19: 62, 21: 37, 24: 20, 26: 9, 30: 3, 75: 3, 90: 8}
WORKAB_YES_AT_AGE = {18: 0.0, 20: 1, 26: 7, 35: 5, 50: 4, 57: 1, 65: 0.2, 75: 0.0}
WORKAB_YES_MEN = 2.0  # times as often as women

# Income: the code -8 and no answer, both most often at young ages. The others: log income of a
# woman in the country, what men and towns have on top, and how far chance spreads it.
INCOME_CODE, INCOME_CODED, INCOME_MISSING = -8, 603, 683
INCOME_CODED_AT_AGE = {16: 75, 19: 70, 21: 30, 27: 16, 40: 16, 50: 15, 60: 9, 75: 5, 85: 1}
INCOME_MISSING_AT_AGE = {16: 68, 19: 61, 21: 42, 25: 23, 30: 12, 50: 9, 58: 9, 65: 2, 85: 1}
LOG_INCOME_AT_AGE = {16: 5.95, 20: 6.3, 25: 6.9, 30: 7.08, 43: 7.12, 55: 6.93, 65: 6.87, 97: 6.86}
LOG_INCOME_MEN = 0.24
LOG_INCOME_BY_PLACE = dict(zip(PLACESIZE_COUNTS, [0.51, 0.37, 0.28, 0.35, 0.20, 0], strict=True))
LOG_INCOME_SD_AT_AGE = {16: 0.7, 22: 0.62, 58: 0.62, 66: 0.40, 97: 0.40}
LEAST_INCOME = 100
ZLOTY_ROUNDED_TO = {1000: 0.14, 500: 0.20, 100: 0.43, 50: 0.06, 10: 0.11, 1: 0.06}


def simulate_diagnosis(rng):
    """Return 5,000 simulated persons with the nine variables of the Diagnosis file."""
    persons = draw_homes_and_families(rng)
    persons["age"] = deal_ages(persons["band"], rng)
    persons["depress"] = draw_depression(persons, rng)
    persons["ls"] = draw_satisfaction(persons, rng)
    persons["workab"] = draw_work_abroad(persons, rng)
    persons["income"] = draw_zlotys(persons, rng)
    unanswered = rng.choice(DIAGNOSIS_PERSONS, DEPRESS_MISSING, replace=False)
    persons.loc[unanswered, "depress"] = np.nan
    return persons[DIAGNOSIS_COLUMNS]


def draw_homes_and_families(rng):
    """Draw region, size of the place, sex, age band and marital status, with exact totals.

    Home and family do not depend on each other here, so their joint table is a product. With some
    seeds (not ours) the rarest codes keep a total that is off by one or two.
    """
    counts = {
        "region": {region: count for region, (count, _) in REGIONS.items()},
        "placesize": PLACESIZE_COUNTS,
        "sex": SEX_COUNTS,
        "band": {band: facts[0] for band, facts in AGE_BANDS.items()},
        "marital": MARITAL_COUNTS,
    }
    totals = {name: list(codes.values()) for name, codes in counts.items()}
    homes = np.array([percentages for _, percentages in REGIONS.values()], dtype=float)
    joint = np.multiply.outer(homes, expected_families())
    for _ in range(40):
        for axis, name in enumerate(totals):
            bend_to_counts(joint, axis, totals[name])
    persons = draw_people(joint, DIAGNOSIS_PERSONS, rng)
    spares = draw_people(joint, 40 * DIAGNOSIS_PERSONS, rng)
    persons = exchange_until_totals_agree(persons, spares, totals, rng)
    columns = zip(counts, persons.T, strict=True)
    return pd.DataFrame({name: np.array([*counts[name]])[codes] for name, codes in columns})


def expected_families():
    """Return the expected number of persons by sex, age band and marital status."""
    table = np.zeros([len(SEX_COUNTS), len(AGE_BANDS), len(MARITAL_COUNTS)])
    for row, (band, (count, men, *families)) in enumerate(AGE_BANDS.items()):
        for sex, percentage in enumerate([100 - men, men]):
            rare = SEPARATED_OR_MISSING if band >= SEPARATED_FROM_AGE else (0, 0, 0)
            others = [*families[sex], *rare]
            shares = np.array([100 - sum(others), *others]) / 100
            table[sex, row] = count * percentage / 100 * shares
    return table


def deal_ages(bands, rng):
    """Deal out the years of each age band."""
    ends = [*AGE_BANDS][1:] + [LAST_AGE + 1]
    shares = {}
    for band, end in zip(AGE_BANDS, ends, strict=True):
        shares[band] = {age: FEWER_EACH_YEAR ** max(age - 85, 0) for age in range(band, end)}
    shares[16][16] = FEWER_AT_16
    return deal_within(bands, shares, rng)


def at_age(persons, values):
    """Return a value for every person, on straight lines between the ages given."""
    return np.interp(persons["age"], list(values), list(values.values()))


def hand_out(values, score):
    """Hand the values out in their order, the first to the lowest score."""
    handed = np.empty_like(values)
    handed[np.argsort(score)] = values
    return handed


def choose_by_share(percentages, size, rng):
    """Choose exactly `size` persons, each with about the given chance (if these add up to it)."""
    odds = -np.log1p(-np.asarray(percentages) / 100)
    return np.argsort(rng.exponential(size=len(odds)) / np.maximum(odds, 1e-9))[:size]


def draw_depression(persons, rng):
    """Rank the persons by a score and hand the points out from the bottom up."""
    score = at_age(persons, DEPRESS_AT_AGE) + DEPRESS_WOMEN * (persons["sex"] == "FEMALE")
    score = score + DEPRESS_WIDOWED * (persons["marital"] == "WIDOWED")
    points = np.repeat(np.arange(22.0), DEPRESS_COUNTS)
    return hand_out(points, score + rng.normal(0, DEPRESS_SD, len(persons)))


def draw_satisfaction(persons, rng):
    """Hand the levels out from the best down; eight persons, any of them, give no answer."""
    answers = rng.permutation(DIAGNOSIS_PERSONS)[: sum(LS_COUNTS.values())]
    score = LS_PER_POINT * persons["depress"] + LS_PER_YEAR * persons["age"]
    score = score.to_numpy()[answers] + rng.normal(size=len(answers))
    levels = np.full(DIAGNOSIS_PERSONS, MISSING, dtype=object)
    levels[answers] = hand_out(np.repeat([*LS_COUNTS], [*LS_COUNTS.values()]), score)
    return levels


def draw_work_abroad(persons, rng):
    """Choose who gives no answer and, among the others, who worked abroad."""
    missing = choose_by_share(at_age(persons, WORKAB_MISSING_AT_AGE), WORKAB_COUNTS[MISSING], rng)
    yes = at_age(persons, WORKAB_YES_AT_AGE)
    yes = yes * np.where(persons["sex"] == "MALE", WORKAB_YES_MEN, 1)
    yes[missing] = 0
    answers = np.full(DIAGNOSIS_PERSONS, "NO", dtype=object)
    answers[choose_by_share(yes, WORKAB_COUNTS["YES"], rng)] = "YES"
    answers[missing] = MISSING
    return answers


def draw_zlotys(persons, rng):
    """Draw incomes, rounded as people round; then choose who has none to tell."""
    logs = at_age(persons, LOG_INCOME_AT_AGE) + LOG_INCOME_MEN * (persons["sex"] == "MALE")
    logs = logs + persons["placesize"].map(LOG_INCOME_BY_PLACE)
    spread = at_age(persons, LOG_INCOME_SD_AT_AGE)
    income = np.exp(logs + rng.normal(0, spread)).clip(lower=LEAST_INCOME).to_numpy()
    step = deal(ZLOTY_ROUNDED_TO, len(income), rng)
    step = np.where(step <= income / 1.7, step, 100)  # nobody makes 700 a 1000
    income = np.rint(income / step) * step
    missing = choose_by_share(at_age(persons, INCOME_MISSING_AT_AGE), INCOME_MISSING, rng)
    coded = at_age(persons, INCOME_CODED_AT_AGE)
    coded[missing] = 0
    income[choose_by_share(coded, INCOME_CODED, rng)] = INCOME_CODE
    income[missing] = np.nan
    return income


# --- Youth: 2,621 youths in 50 facilities, eight variables ----------------------------------------

YOUTHS = 2621
YOUTH_COLUMNS = ["facility", "stratum", "race", "ethnicity", "sex", "age", "crime", "weight"]

# The facilities of every stratum, and how many youths of each are in the file. The numbers of
# facilities are ours. Strata 6 to 16 are single large facilities.
YOUTH_STRATA = {
    1: {8: 12, 9: 6, 12: 8, 20: 7, 22: 39, 30: 8, 34: 5, 36: 18, 38: 7, 41: 5, 48: 13},
    2: {3: 45, 11: 15, 21: 19, 25: 19, 42: 28, 43: 28, 47: 22},
    3: {13: 48, 16: 51, 19: 46, 26: 44, 29: 48, 31: 47, 32: 32},
    4: {1: 69, 2: 57, 7: 57, 10: 48, 15: 58, 40: 52, 49: 59},
    5: {6: 81, 23: 115, 24: 105, 37: 94, 39: 76, 45: 72, 46: 83},
    6: {27: 47},
    7: {44: 65},
    8: {5: 65},
    9: {4: 66},
    10: {33: 77},
    11: {28: 78},
    12: {18: 84},
    13: {17: 93},
    14: {50: 103},
    15: {35: 143},
    16: {14: 154},
}

# How many youths have each race (1 white, 2 Black, 3 Asian or Pacific islander, 4 American Indian
# or Alaska native, 5 other) and ethnicity (1 Hispanic, 2 not Hispanic).
YOUTH_PAIRS = {
    (1, 1): 344,
    (1, 2): 1001,
    (1, MISSING): 3,
    (2, 1): 53,
    (2, 2): 1062,
    (2, MISSING): 5,
    (3, 1): 2,
    (3, 2): 21,
    (4, 1): 10,
    (4, 2): 59,
    (5, 1): 55,
    (5, 2): 3,
    (MISSING, 1): 3,
}

# Facilities differ. The share of Hispanic youths follows a beta distribution: low in most, high in
# some. The log odds of being Black rather than white follow a normal distribution, and the rare
# races are concentrated in a few facilities (gamma: the smaller the number, the fewer).
HISPANIC_BETA = (0.8, 3.4)
BLACK_LOG_ODDS_SD = 1.05
RARE_GAMMA = {3: 1.0, 4: 0.5, 5: 0.9}

# Age: how many are 11, 12, …, 24 years old. Facilities take youths of similar ages, so the mean
# differs between facilities; the rest is chance (SD 1).
YOUTH_AGES = dict(
    zip(range(11, 25), [2, 9, 52, 168, 372, 620, 635, 335, 195, 122, 58, 27, 14, 12], strict=True)
)
AGE_SD_BETWEEN_FACILITIES = 1.1

# Most facilities are for boys. Twelve take girls as well; their shares lie between these.
GIRLS = 148
FACILITIES_WITH_GIRLS = 12
GIRLS_SHARES = (5, 40)

# The most serious crime, chosen in this order from those who are left: how many, how the odds
# change with each year of age, and how many times the odds of a boy a girl has.
YOUTH_CRIMES = {
    MISSING: (12, 1.0, 1.0),
    5: (40, 0.65, 6.0),  # juvenile-status offence, such as running away
    3: (169, 1.25, 1.6),  # drug
    4: (123, 0.9, 1.3),  # public order
    1: (1169, 1.15, 1.1),  # violent
}
PROPERTY = 2  # everyone else

# Weights: how many youths in custody each one stands for. The fewer a facility has in the file, the
# more; the single large ones are alike. Chance moves facilities by a factor; whole numbers.
WEIGHT_MEAN, WEIGHT_LEAST, WEIGHT_MOST = 9.54, 5, 50
WEIGHT_POWER, WEIGHT_SINGLE, WEIGHT_FACTOR_SD = -0.6, 0.095, 0.25
FIRST_SINGLE_STRATUM = 6


def simulate_youth(rng):
    """Return 2,621 simulated youths with the eight variables of the Youth file."""
    stratum_of = {place: stratum for stratum in YOUTH_STRATA for place in YOUTH_STRATA[stratum]}
    sizes = dict(sorted(pair for places in YOUTH_STRATA.values() for pair in places.items()))
    youths = draw_facilities_and_races(sizes, rng)
    youths["stratum"] = youths["facility"].map(stratum_of)
    youths["age"] = hand_out_youth_ages(youths["facility"], rng)
    youths["sex"] = draw_youth_sex(youths["facility"], sizes, rng)
    youths["crime"] = draw_crimes(youths, rng)
    youths["weight"] = draw_weights(youths, sizes, rng)
    return youths[YOUTH_COLUMNS]


def draw_facilities_and_races(sizes, rng):
    """Draw facility, race and ethnicity, with exact sizes and exact totals of race by ethnicity."""
    totals = {"facility": [*sizes.values()], "pair": [*YOUTH_PAIRS.values()]}
    joint = tilt_facilities(len(sizes), rng)
    for _ in range(100):
        for axis, counts in enumerate(totals.values()):
            bend_to_counts(joint, axis, counts)
    youths = draw_people(joint, YOUTHS, rng)
    spares = draw_people(joint, 40 * YOUTHS, rng)
    youths = exchange_until_totals_agree(youths, spares, totals, rng)
    youths = youths[np.argsort(youths[:, 0], kind="stable")]
    races, ethnicities = np.array([*YOUTH_PAIRS], dtype=float)[
        youths[:, 1]
    ].T  # MISSING becomes NaN
    facilities = np.array([*sizes])[youths[:, 0]]
    return pd.DataFrame({"facility": facilities, "race": races, "ethnicity": ethnicities})


def tilt_facilities(number, rng):
    """Return how many times as many as usual each facility has of each race and ethnicity."""
    hispanic = spread_evenly(rng.beta(*HISPANIC_BETA, 100 * number), rng)
    by_ethnicity = {1: hispanic / hispanic.mean(), 2: (1 - hispanic) / (1 - hispanic).mean()}
    by_race = {2: np.exp(spread_evenly(rng.normal(0, BLACK_LOG_ODDS_SD, 100 * number), rng))}
    for race, shape in RARE_GAMMA.items():
        by_race[race] = rng.gamma(shape, 1 / shape, number) + 1e-6
    same = np.ones(number)
    columns = [by_race.get(race, same) * by_ethnicity.get(eth, same) for race, eth in YOUTH_PAIRS]
    return np.column_stack(columns)


def spread_evenly(values, rng):
    """Keep every hundredth value of those in order, and shuffle: few values, no lucky extremes."""
    return rng.permutation(np.sort(values)[50::100])


def hand_out_youth_ages(facilities, rng):
    """Rank the youths by a score that their facility shares, and hand the ages out."""
    shared = dict(zip(np.unique(facilities), rng.normal(0, 1, facilities.nunique()), strict=True))
    score = AGE_SD_BETWEEN_FACILITIES * facilities.map(shared) + rng.normal(size=YOUTHS)
    return hand_out(np.repeat([*YOUTH_AGES], [*YOUTH_AGES.values()]), score)


def draw_youth_sex(facilities, sizes, rng):
    """Choose the facilities that take girls, and then the girls: 1 is male, 2 is female."""
    places = rng.choice([*sizes], FACILITIES_WITH_GIRLS, replace=False)
    shares = dict(zip(places, rng.uniform(*GIRLS_SHARES, len(places)), strict=True))
    sex = np.ones(YOUTHS, dtype=int)
    sex[choose_by_share(facilities.map(shares).fillna(0), GIRLS, rng)] = 2
    return sex


def draw_crimes(youths, rng):
    """Choose who committed which crime, the rare ones first; property is what remains."""
    crimes = np.full(YOUTHS, float(PROPERTY))
    left = np.ones(YOUTHS, dtype=bool)
    for crime, (count, per_year, girls) in YOUTH_CRIMES.items():
        odds = per_year ** (youths["age"] - 17) * np.where(youths["sex"] == 2, girls, 1) * left
        share = count * odds / odds.sum()
        chosen = choose_by_share(100 * share.clip(upper=0.99), count, rng)
        crimes[chosen] = np.nan if crime is MISSING else crime
        left[chosen] = False
    return crimes


def draw_weights(youths, sizes, rng):
    """Give every facility a weight, and round it up or down for each youth."""
    factor = dict(zip(sizes, np.exp(rng.normal(0, WEIGHT_FACTOR_SD, len(sizes))), strict=True))
    by_size = youths["facility"].map(sizes) ** WEIGHT_POWER
    single = youths["stratum"] >= FIRST_SINGLE_STRATUM
    weight = by_size.mask(single, WEIGHT_SINGLE) * youths["facility"].map(factor)
    for _ in range(20):  # the ends cut something off, so the mean needs a few rounds
        weight = (weight * WEIGHT_MEAN / weight.mean()).clip(WEIGHT_LEAST, WEIGHT_MOST)
    return np.floor(weight + rng.random(YOUTHS)).clip(WEIGHT_LEAST, WEIGHT_MOST).astype(int)


# --- Writing --------------------------------------------------------------------------------------

RECIPES = {
    "acs": simulate_acs,
    "ce": simulate_ce,
    "diagnosis": simulate_diagnosis,
    "youth": simulate_youth,
}


def simulate(name):
    """Return the frame of one file, simulated with that file's own seed."""
    return RECIPES[name](np.random.default_rng(SEEDS[name]))


def as_csv(frame):
    """Return a frame as the bytes of a CSV file, the same on every computer.

    A missing value is an empty field.
    """
    text = frame.copy()
    for column in frame.select_dtypes("float"):
        written = [f"{value:.4f}".rstrip("0").rstrip(".") for value in frame[column]]
        text[column] = np.where(frame[column].isna(), "", written)
    return text.to_csv(index=False, lineterminator="\n").encode("utf-8")


def main(names):
    """Write the named files, or all of them."""
    for name in names:
        if name not in RECIPES:
            sys.exit(f"There is no recipe for {name!r}; choose from {', '.join(RECIPES)}.")
    for name in names or RECIPES:
        (FOLDER / f"{name}.csv").write_bytes(as_csv(simulate(name)))
        print(f"{name}.csv written")


if __name__ == "__main__":
    main(sys.argv[1:])
