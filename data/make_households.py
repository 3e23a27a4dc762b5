"""Make the simulated population of households and the sample of it.

    python data/make_households.py        rewrites households.csv, persons.csv, population.npz

Nobody in these files exists. A study of ageing asks everyone aged 45 and over, and their spouses
of any age: the respondents. We invent 35 states with 15 million households, draw a sample as such
studies do, and write down the sample and, for every combination of quasi-identifiers, how many
households of the population have it. In a real study nobody knows these counts; here we can look.

Most variables are made in the same way: a score, the sum of a few effects and of chance, is cut
into levels. Effects add up and nothing else is in them, so that the association of any two
variables does not depend much on a third.
"""

from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent
# A simulation is one draw of many. This seed was chosen among fifteen so that the facts listed in
# tests/test_household_data.py come out close.
SEED = 15

HOUSEHOLD_COLUMNS = "household region state rural residents respondents head_gender weight".split()
PERSON_COLUMNS = (
    "household couple place gender age education_years education health adl working earnings weight"
).split()

# --- What the population looks like ---------------------------------------------------------------

# The letter is the region. Numbers count from small states to large ones, in every region.
REGIONS = {"N": "North", "C": "Central", "E": "East", "S": "South"}
STATES = [f"{letter}{k}" for letter in REGIONS for k in range(1, 9 if letter == "C" else 10)]
SMALLEST_STATE, LARGEST_STATE = 5_000, 2_500_000  # households; each state a fixed factor larger

# The sample: more households in larger states, but far from in proportion.
SAMPLED = 42_311
FEWEST, MOST = 900, 1_520  # sampled households in the smallest and in the largest state
URBAN_OVERSAMPLING = 1.3  # the urban sampling fraction is so many times the rural one

# How states differ: the standard deviation of each effect between states.
RURAL_SHARES = (0.45, 0.80)  # here the range
STATE_SD = {
    "respondents": 0.08,  # log odds of one more respondent
    "residents": 0.12,  # log of the mean number of other residents
    "age": 0.03,  # log odds of one more age group
    "education": 0.30,  # the others in units of their scores
    "working": 0.20,
    "earnings": 0.30,
    "health": 0.20,
}

# Households by number of respondents, 1 to 12.
RESPONDENTS = [0.480, 0.431, 0.056, 0.024, 0.007, 0.003, 0.001, 0.0005, 0.0003, 0.0002, 1e-4, 1e-4]
# How many of the households with 0, 1, 2, … respondents have a couple in the first two places.
COUPLE_FIRST = [0, 0, 0.95, *[0.80] * 10]
COUPLE_LATER = 0.6  # the same for later respondents, where at least two are left
SAME_SEX = 0.01
FIRST_IS_MALE = {"single": 0.29, "couple": 0.60}

# Other residents (children, grandchildren, …): the mean, and effects on its logarithm.
OTHERS_MEAN, OTHERS_URBAN, OTHERS_PER_AGE_GROUP, OTHERS_SINGLE = 3.11, -0.10, -0.03, 0.05
MOST_RESIDENTS = 15  # the number is cut there

PERSON_QIS = ["age", "gender", "education", "working"]
PERSON_VALUES = (9, 2, 10, 2)
AGES = "under 45,45-49,50-54,55-59,60-64,65-69,70-74,75-79,over 79".split(",")
# Shares by age group. Who is under 45 is there because the spouse is not.
SINGLES = [0.0, 15.0, 13.3, 13.0, 15.5, 15.9, 11.3, 7.5, 8.2]
HUSBANDS = [2.0, 21.2, 18.4, 16.4, 15.7, 12.6, 7.4, 3.7, 2.6]
WIVES = [28.6, 19.5, 14.4, 12.1, 11.1, 7.3, 4.2, 2.1, 1.4]
SPOUSES_APART = 1.2  # age groups: how far apart spouses are beyond the usual difference

EDUCATION = (
    "no schooling,some primary,primary,middle,secondary,higher secondary,diploma,degree,"
    "professional degree,postgraduate"
).split(",")
# Scores are cut here into levels …
EDUCATION_CUTS = np.array([0.05, 0.39, 0.79, 1.16, 1.55, 1.85, 2.04, 2.55, 2.68])
# … and are the sum of these, of the state's effect, and of chance, which the members of a household
# partly share.
EDUCATION_MALE, EDUCATION_URBAN, EDUCATION_PER_AGE_GROUP = 0.65, 0.55, -0.10
EDUCATION_SHARED = 0.55

WORKING_BY_AGE = [0.55, 0.50, 0.40, 0.25, -0.10, -0.40, -0.75, -1.10, -1.60]
WORKING_START, WORKING_MALE, WORKING_URBAN, WORKING_PER_LEVEL = -0.48, 1.00, -0.25, -0.03
WORKING_SHARED = 0.3

# Only for the sample: health from 1 to 5 and difficulties in daily living from 0 to 5, cut from
# scores, schooling in years (the least and the most at each level), and earnings.
HEALTH_CUTS = np.array([-2.07, -0.97, 0.0, 1.28])
HEALTH_PER_AGE_GROUP, HEALTH_MALE, HEALTH_WORKING = 0.10, -0.15, -0.25
ADL_CUTS = np.array([-1.27, 0.48, 1.28, 1.98, 2.58])
ADL_PER_AGE_GROUP, ADL_MALE, ADL_WORKING, ADL_PER_HEALTH = 0.10, -0.10, -0.20, 0.30
YEARS = [(0, 0), (1, 4), (5, 6), (8, 9), (10, 10), (12, 12), (12, 14), (15, 16), (16, 18), (17, 20)]
PAID = 0.55  # of those who work; the others help in the family, or earn nothing
LOG_EARNINGS, EARNINGS_SD = 9.81, 1.38
EARNINGS_PER_LEVEL, EARNINGS_MALE, EARNINGS_URBAN = 0.16, 0.45, 0.30
EARNINGS_ROUNDED_TO, LARGEST_EARNINGS = 100, 10_000_000

# Weights: one over the sampling fraction, times a factor for those who did not answer. These are
# effects on the logarithm of that factor.
HOUSEHOLD_WEIGHT = {"male head": 0.12, "per age group": -0.03, "per resident": 0.02, "chance": 0.2}
PERSON_WEIGHT = {"male": 0.06, "per age group": -0.03, "chance": 0.1}
HEAD_IS_FIRST = {"single": 0.80, "male of couple": 0.92, "female of couple": 0.25}


# --- Draws ----------------------------------------------------------------------------------------


def draw_from(table, rows, rng):
    """Draw a code for everyone from the shares in one's own row of the table."""
    up_to = np.cumsum(table, axis=1) / np.sum(table, axis=1, keepdims=True)
    place, codes = rng.random(len(rows)), np.zeros(len(rows), dtype=np.int8)
    for share in up_to.T[:-1]:
        codes += place >= share[rows]
    return codes


def tilt(shares, effect):
    """Multiply the odds of each further code by exp(effect)."""
    return np.asarray(shares) * np.exp(effect * np.arange(np.shape(shares)[-1]))


def couples_table():
    """Return the shares of couples by the husband's and the wife's age group.

    Couples of similar ages are the most frequent, and in no couple both are under 45. Scaling
    rows and columns in turn leads to the wanted ages of husbands and wives (raking).
    """
    group = np.arange(len(AGES))
    table = np.exp(-((group[:, None] - group) ** 2) / (2 * SPOUSES_APART**2))
    table[0, 0] = 0
    husbands, wives = np.array(HUSBANDS) / sum(HUSBANDS), np.array(WIVES) / sum(WIVES)
    for _ in range(200):
        table *= (husbands / table.sum(axis=1))[:, None]
        table *= wives / table.sum(axis=0)
    return table


COUPLES = couples_table()


# --- The population -------------------------------------------------------------------------------


def state_sizes():
    """Return the number of households of every state, in the order of STATES."""
    by_size = sorted(STATES, key=lambda state: (state[1], list(REGIONS).index(state[0])))
    sizes = np.geomspace(SMALLEST_STATE, LARGEST_STATE, len(STATES)).astype(int)
    return [sizes[by_size.index(state)] for state in STATES]


def state_effects(rng):
    """Return how the states differ: a row for each state, every effect with mean 0."""
    draws = {name: rng.normal(0, sd, len(STATES)) for name, sd in STATE_SD.items()}
    effects = pd.DataFrame({name: draw - draw.mean() for name, draw in draws.items()})
    return effects.assign(rural=rng.permutation(np.linspace(*RURAL_SHARES, len(STATES))))


def simulate_homes(size, effect, rng):
    """Return all households of one state with their first two respondents, as codes from 0."""
    rural = round(size * effect["rural"])
    homes = {"urban": np.repeat(np.array([0, 1], dtype=np.int8), [rural, size - rural])}
    homes["shared"] = rng.standard_normal(size, dtype=np.float32)  # what members have in common
    one_row = tilt([RESPONDENTS], effect["respondents"])
    homes["respondents"] = 1 + draw_from(one_row, np.zeros(size, dtype=np.int8), rng)
    homes["couple"] = rng.random(size) < np.take(COUPLE_FIRST, homes["respondents"])
    first = draw_first(homes["couple"], effect, rng)
    second = draw_other(homes["couple"], first, effect, rng)
    for number, person in (1, first), (2, second):
        finish(person, homes, effect, rng)
        homes |= {f"{name}_{number}": codes for name, codes in person.items()}
    homes["residents"] = draw_residents(homes, effect, rng)
    return pd.DataFrame(homes)


def draw_first(couple, effect, rng):
    """Draw gender and age of the first person of couples, and of those who are alone."""
    shares = np.where(couple, FIRST_IS_MALE["couple"], FIRST_IS_MALE["single"])
    male = (rng.random(len(couple)) < shares).astype(np.int8)
    ages = tilt([SINGLES, WIVES, HUSBANDS], effect["age"])
    return {"gender": male, "age": draw_from(ages, couple * (1 + male), rng)}


def draw_other(couple, first, effect, rng):
    """Draw gender and age of the next person: the spouse in a couple, else somebody alone."""
    spouse, alone = draw_spouse(first, rng), draw_first(np.zeros_like(couple), effect, rng)
    return {name: np.where(couple, spouse[name], alone[name]) for name in spouse}


def draw_spouse(first, rng):
    """Draw gender and age of the spouse, given those of the first person."""
    same = rng.random(len(first["gender"])) < SAME_SEX
    ages = np.vstack([COUPLES.T, COUPLES])  # rows: wives by age, then husbands by age
    age = draw_from(ages, first["gender"] * len(AGES) + first["age"], rng)
    return {"gender": np.where(same, first["gender"], 1 - first["gender"]), "age": age}


def finish(person, homes, effect, rng):
    """Add education and work to a person's gender and age."""
    male, age, urban = person["gender"], person["age"], homes["urban"]
    own, chance = rng.standard_normal((2, len(age)), dtype=np.float32)
    score = EDUCATION_MALE * male + EDUCATION_URBAN * urban + EDUCATION_PER_AGE_GROUP * age
    score += effect["education"] + mix(homes["shared"], own, EDUCATION_SHARED)
    person["education"] = np.searchsorted(EDUCATION_CUTS, score).astype(np.int8)
    score = WORKING_START + np.array(WORKING_BY_AGE)[age] + WORKING_MALE * male
    score += WORKING_URBAN * urban + WORKING_PER_LEVEL * person["education"]
    score += effect["working"] + mix(homes["shared"], chance, WORKING_SHARED)
    person["working"] = (score > 0).astype(np.int8)


def mix(shared, own, correlation):
    """Mix two chances such that the members of a household have this correlation."""
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own


def draw_residents(homes, effect, rng):
    """Draw the number of residents: the respondents and a Poisson number of others."""
    alone = homes["respondents"] == 1
    log_mean = np.log(OTHERS_MEAN) + effect["residents"] + OTHERS_URBAN * homes["urban"]
    log_mean = log_mean + OTHERS_PER_AGE_GROUP * (homes["age_1"] - 4) + OTHERS_SINGLE * alone
    others = rng.poisson(np.exp(log_mean))
    return (homes["respondents"] + others).clip(max=MOST_RESIDENTS).astype(np.int8)


NOBODY = int(np.prod(PERSON_VALUES))
CELL_VALUES = (len(STATES), 2, MOST_RESIDENTS, *PERSON_VALUES, NOBODY + 1)


def cells(homes, state):
    """Return one number for every household: the cell of its quasi-identifiers.

    The codes are like the digits of a number: state, urban, residents, then age, gender, education
    and work of the first respondent. The last digit is the second respondent: one of 360
    combinations of the same four, or the 361st value for nobody.
    """
    first, second = ([homes[f"{name}_{number}"] for name in PERSON_QIS] for number in (1, 2))
    second = np.ravel_multi_index(second, PERSON_VALUES)
    second[homes["respondents"] == 1] = NOBODY
    home = [np.full(len(homes), state), homes["urban"], homes["residents"] - 1]
    return np.ravel_multi_index([*home, *first, second], CELL_VALUES)


# --- The sample -----------------------------------------------------------------------------------


def sample_sizes(sizes):
    """Return how many households to sample in every state: larger states get somewhat more."""
    rank = np.argsort(np.argsort(sizes))
    wanted = FEWEST + (MOST - FEWEST) * rank / (len(sizes) - 1)
    last_places = np.rint(np.cumsum(wanted / wanted.sum()) * SAMPLED).astype(int)
    return np.diff(last_places, prepend=0)


def rural_and_urban(homes, number):
    """Return how many of the sampled households of a state are rural, and how many urban."""
    rural, urban = np.bincount(homes["urban"])
    chosen_rural = round(number * rural / (rural + URBAN_OVERSAMPLING * urban))
    return chosen_rural, number - chosen_rural


def choose(homes, numbers, rng):
    """Choose simple random samples of rural and of urban households; return their places.

    `numbers` says how many of each. Rural households come first in a state.
    """
    rural, urban = np.bincount(homes["urban"])
    chosen_rural = np.sort(rng.choice(rural, numbers[0], replace=False))
    chosen_urban = np.sort(rng.choice(urban, numbers[1], replace=False))
    return np.concatenate([chosen_rural, rural + chosen_urban])


def places(homes, rng):
    """Say for the first, second, … respondent: which couple, which place, and is it one of two?

    Couples are filled in order; somebody alone is a couple of one. Households with fewer
    respondents are carried along; `list_persons` leaves them out.
    """
    couple, place = np.ones(len(homes), dtype=int), np.ones(len(homes), dtype=int)
    of_two, left = homes["couple"].to_numpy(), homes["respondents"].to_numpy()
    for _ in range(homes["respondents"].max()):
        yield couple, place, of_two
        left = left - 1
        is_spouse = of_two & (place == 1)
        place, couple = np.where(is_spouse, 2, 1), couple + ~is_spouse
        of_two = is_spouse | ((left >= 2) & (rng.random(len(homes)) < COUPLE_LATER))


def list_persons(homes, effect, rng):
    """Return the respondents of the sampled households, one row each.

    The first two are known from the population; the others are drawn now.
    """
    persons = []
    for number, (couple, place, of_two) in enumerate(places(homes, rng), start=1):
        if number <= 2:
            person = {name: homes[f"{name}_{number}"].to_numpy() for name in PERSON_QIS}
        else:
            spouse, first = draw_spouse(person, rng), draw_first(of_two, effect, rng)
            person = {name: np.where(place == 2, spouse[name], first[name]) for name in spouse}
            finish(person, homes, effect, rng)
        rows = pd.DataFrame({"home": homes.index, "couple": couple, "place": place, **person})
        persons.append(rows[homes["respondents"] >= number])
    return pd.concat(persons).sort_values(["home", "couple", "place"], ignore_index=True)


def add_details(persons, homes, effect, rng):
    """Add what is no quasi-identifier: years of schooling, health, difficulties, earnings."""
    least, most = np.array(YEARS)[persons["education"]].T
    persons["education_years"] = rng.integers(least, most + 1)
    male, age, working = persons["gender"], persons["age"] - 4, persons["working"]
    score = HEALTH_PER_AGE_GROUP * age + HEALTH_MALE * male + HEALTH_WORKING * working
    score += effect["health"] + rng.standard_normal(len(persons))
    persons["health"] = 1 + np.searchsorted(HEALTH_CUTS, score)
    score = ADL_PER_AGE_GROUP * age + ADL_MALE * male + ADL_WORKING * working
    score += ADL_PER_HEALTH * (persons["health"] - 3) + rng.standard_normal(len(persons))
    persons["adl"] = np.searchsorted(ADL_CUTS, score)
    persons["earnings"] = draw_earnings(persons, homes, effect, rng)


def draw_earnings(persons, homes, effect, rng):
    """Draw earnings: for those who work, and only for some of them, with a long tail."""
    urban = homes["urban"].to_numpy()[persons["home"]]
    log = LOG_EARNINGS + EARNINGS_PER_LEVEL * persons["education"] + EARNINGS_URBAN * urban
    log += EARNINGS_MALE * persons["gender"] + effect["earnings"]
    log += EARNINGS_SD * rng.standard_normal(len(persons))
    paid = (persons["working"] == 1) & (rng.random(len(persons)) < PAID)
    rounded = np.ceil(np.exp(log) / EARNINGS_ROUNDED_TO) * EARNINGS_ROUNDED_TO
    return (rounded * paid).clip(upper=LARGEST_EARNINGS).astype(int)


def draw_head(homes, rng):
    """Draw the gender of the head of the household: often, but not always, the first person's."""
    male = homes["gender_1"].to_numpy()
    in_couple = np.where(male, HEAD_IS_FIRST["male of couple"], HEAD_IS_FIRST["female of couple"])
    share = np.where(homes["couple"], in_couple, HEAD_IS_FIRST["single"])
    return np.where(rng.random(len(homes)) < share, male, 1 - male)


def add_weights(homes, persons, rng):
    """Add weights: how many households, or persons, of the population each one stands for.

    The weights of the households of a stratum sum to the stratum's size.
    """
    by = HOUSEHOLD_WEIGHT
    log = by["male head"] * homes["head_gender"] + by["per age group"] * homes["age_1"]
    log += by["per resident"] * homes["residents"]
    factor = np.exp(log + by["chance"] * rng.standard_normal(len(homes)))
    mean = factor.groupby(homes["urban"]).transform("mean")
    homes["weight"] = factor / mean / homes["fraction"]
    by = PERSON_WEIGHT
    log = by["male"] * persons["gender"] + by["per age group"] * persons["age"]
    factor = np.exp(log + by["chance"] * rng.standard_normal(len(persons)))
    persons["weight"] = factor / factor.mean() * homes["weight"].to_numpy()[persons["home"]]


def interview(homes, places, effect, rng):
    """Return the sampled households of one state and their respondents.

    `fraction` is the share that is sampled: the same for all rural, and for all urban households.
    """
    there, homes = homes["urban"], homes.iloc[places].reset_index(drop=True)
    fraction = np.bincount(homes["urban"]) / np.bincount(there)
    homes["fraction"] = fraction[homes["urban"]]
    homes["head_gender"] = draw_head(homes, rng)
    persons = list_persons(homes, effect, rng)
    add_details(persons, homes, effect, rng)
    add_weights(homes, persons, rng)
    return homes, persons


# --- Writing --------------------------------------------------------------------------------------


def simulate_states():
    """Yield every state: its population, the places of the sampled ones, its effects, its rng."""
    rng, *rngs = np.random.default_rng(SEED).spawn(1 + len(STATES))
    sizes, effects = state_sizes(), state_effects(rng)
    for state, (number, rng) in enumerate(zip(sample_sizes(sizes), rngs, strict=True)):
        effect = effects.iloc[state]
        population = simulate_homes(sizes[state], effect, rng)
        places = choose(population, rural_and_urban(population, number), rng)
        yield population, places, effect, rng


def simulate():
    """Return the sampled households, their respondents, and the population's cells and counts."""
    samples, found = [], []
    for state, (population, places, effect, rng) in enumerate(simulate_states()):
        samples.append(interview(population, places, effect, rng))
        found.append(np.unique(cells(population, state), return_counts=True))
    return *together(samples), *(np.concatenate(part) for part in zip(*found, strict=True))


def simulate_others(samples, seed):
    """Return as many samples of *other* households: none of them is in ours.

    Each is drawn from the same population, as large as ours among the rural and the urban
    households of every state. A household may be in several of them.
    """
    rng, drawn = np.random.default_rng(seed), [[] for _ in range(samples)]
    for population, ours, effect, _ in simulate_states():
        numbers = np.bincount(population["urban"].iloc[ours])
        left = population.drop(index=population.index[ours])
        for sample in drawn:
            sample.append(interview(left, choose(left, numbers, rng), effect, rng))
    return [in_words(*together(sample)) for sample in drawn]


def together(samples):
    """Join the states' households and persons, and number the households."""
    first_id = 1
    for state, (homes, persons) in enumerate(samples):
        homes["state"], homes["household"] = state, np.arange(first_id, first_id + len(homes))
        persons["household"] = persons["home"] + first_id
        first_id += len(homes)
    return [pd.concat(tables, ignore_index=True) for tables in zip(*samples, strict=True)]


def in_words(homes, persons):
    """Return both tables as they are written: words instead of codes, columns in order."""
    genders = np.array(["female", "male"])
    homes = homes.assign(
        state=np.array(STATES)[homes["state"]],
        rural=np.array(["rural", "urban"])[homes["urban"]],
        head_gender=genders[homes["head_gender"]],
        weight=homes["weight"].round(1),
    )
    homes["region"] = homes["state"].str[0].map(REGIONS)
    persons = persons.assign(
        gender=genders[persons["gender"]],
        age=np.array(AGES)[persons["age"]],
        education=np.array(EDUCATION)[persons["education"]],
        working=np.array(["no", "yes"])[persons["working"]],
        weight=persons["weight"].round(1),
    )
    return homes[HOUSEHOLD_COLUMNS], persons[PERSON_COLUMNS]


def as_csv(frame):
    """Return a frame as the bytes of a CSV file, the same on every computer."""
    return frame.to_csv(index=False, lineterminator="\n").encode("utf-8")


def main():
    """Write the three files."""
    homes, persons, cell, count = simulate()
    homes, persons = in_words(homes, persons)
    (FOLDER / "households.csv").write_bytes(as_csv(homes))
    (FOLDER / "persons.csv").write_bytes(as_csv(persons))
    # Cells are in ascending order. Steps from one to the next are small numbers and pack well.
    steps = np.diff(cell, prepend=0).astype(np.uint32)
    arrays = {"values": np.array(CELL_VALUES), "step": steps, "count": count.astype(np.uint32)}
    np.savez_compressed(FOLDER / "population.npz", **arrays)
    print("households.csv, persons.csv and population.npz written")


if __name__ == "__main__":
    main()
