"""Make what lesson 07 shows and what takes too long to compute in a lesson.

    python data/make_household_results.py            make everything anew (about an hour)
    python data/make_household_results.py risk       or one of: risk, sizes, methods, states,
                                                     knowledge, incomes, fractions, halves,
                                                     weighed, others
    python data/make_household_results.py adult      real people: it downloads the Adult file

Everything but `adult` starts from the simulated households and a fixed seed. `risk` comes first:
the others read its result.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu import cells
from synthrisk_edu import households as hh
from synthrisk_edu.households.comparison import NOT_COMPARED
from synthrisk_edu.households.structure import FLAG, SLOT_COLUMN
from synthrisk_edu.progress import track
from synthrisk_edu.utility import pmse, resampled_null

FOLDER = Path(__file__).parent
SEED = 2023
REPLICATES = 30
SPLITS = 100  # into halves
SAMPLES = 100  # of other households, or of a small state
BATCH = 10  # samples of other households that are drawn at once
LARGEST = 8  # H, the most respondents kept
SIZES = range(2, 13)
CUTOFFS = (0.9, 0.5, 0)
# What a weight acts on, and the `weigh_donors` that says so.
WEIGHED = {"tree only": False, "tree and classes": "classes", "tree and donors": True}
THRESHOLDS = (0, 0.1, 0.5, 0.95)
QIS = hh.qi_names()
# The three smallest states of every region join three of the largest.
STATES = {"N": 9, "C": 8, "E": 9, "S": 9}
GROUPS = {f"{one}{k}": f"{one}{most - 3 + k}" for one, most in STATES.items() for k in (1, 2, 3)}
SMALL_STATE, LARGE_STATE = "N1", "N7"
FRACTIONS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
DRAWN_AGAIN = (0.02, 0.15, 0.9)  # the fractions at which many samples are drawn
BINS = np.linspace(0, 1, 21)


def files(largest=LARGEST):
    """Return the wide file cut to `largest` respondents, the uncut one, and the population."""
    data = sr.load_households()
    wide = sr.households.flatten(data.persons, data.households, max_respondents=largest)
    return wide, sr.households.flatten(data.persons, data.households), data.population


def make_risk():
    """Estimate r and e^−h of every sample unique, and count its F in the population."""
    wide, _, population = files()
    table = hh.qi_table(wide)
    fraction = hh.sampling_fractions(population, table)
    records, path = hh.fit_population_model(table, QIS, fraction)
    path.round(6).to_csv(FOLDER / "household_penalties.csv", index=False)
    return pd.DataFrame(
        {
            "household": wide["household"],
            "r": records["r"].round(5),
            "unique": records["unique"].round(5),
            "r_main_effects": hh.population_risk(table, QIS, fraction, penalty=np.inf).round(5),
            "F": hh.population_counts(population, table, QIS),
        }
    )


def stored_risk():
    """Return r of every household."""
    return pd.read_csv(FOLDER / "household_risk.csv")["r"]


def draws(wide, replicates=REPLICATES, **options):
    """Return synthetic versions of a wide file."""
    return sr.households.synthesize(wide, replicates, seed=SEED, **options)


def whole_file(wide, like=None):
    """Return a wide file as the tree that tells two files apart gets it.

    Ids, weights, flags and what is not released are left out; ordered categories become numbers,
    state stays a category. The result has the slots of the wide file `like`, if there is one, and
    those that `wide` lacks stay empty.
    """
    columns = {}
    for name in (wide if like is None else like).columns:
        slot = SLOT_COLUMN.fullmatch(name)
        if (slot[1] if slot else name) in (FLAG, "household", *NOT_COMPARED):
            continue
        column = wide[name] if name in wide else pd.Series(np.nan, index=wide.index)
        if isinstance(column.dtype, pd.CategoricalDtype) and name != "state":
            column = column.cat.codes.replace(-1, np.nan)
        columns[name] = column
    return pd.DataFrame(columns)


def group_states(frame, mapping):
    """Return the frame with small states joined to others: coarser, and harder to find.

    `mapping` says for a small state which one it joins. The group is called by both names.
    """
    joined = {}
    for small, large in sorted(mapping.items()):
        joined.setdefault(large, []).append(small)
    names = {large: "+".join([large, *small]) for large, small in joined.items()}
    states = frame["state"].cat.remove_unused_categories().cat.categories
    target = {state: names.get(mapping.get(state, state), state) for state in states}
    grouped = frame["state"].astype(object).map(target)
    return frame.assign(state=pd.Categorical(grouped, list(dict.fromkeys(target.values()))))


def make_sizes():
    """The pMSE ratio of the whole file for every largest number of respondents (Figure 1)."""
    _, full, _ = files()
    theirs = whole_file(full)
    null = resampled_null(theirs, seed=SEED)
    rows = []
    for largest in track(SIZES, "sizes"):
        for replicate, one in enumerate(draws(files(largest)[0]), start=1):
            value = pmse(theirs, whole_file(one, like=full), model="cart")
            rows.append((largest, replicate, value / null))
    return pd.DataFrame(rows, columns=["largest", "replicate", "ratio"]).round(5)


def methods(wide, r):
    """Yield the name, the file to synthesize and the options of every way to protect it."""
    yield "no protection", wide, {}
    for acts_on, weigh_donors in WEIGHED.items():
        for cutoff in CUTOFFS:
            options = {"weights": hh.down_weights(r, cutoff), "weigh_donors": weigh_donors}
            yield f"{acts_on}, cutoff {cutoff:g}", wide, options
    yield "grouped states", group_states(wide, GROUPS), {}
    yield "grouped trees", group_states(wide, GROUPS), {}


def make_methods(chosen=None):
    """Risk and utility of every way to protect the file (Figures 5, 9 and 10).

    Both are those of the same release. Grouped states are grouped for whoever looks for a household
    and for whoever uses the file. Where they are grouped in the trees only, the release has the
    states as they are, for both. `chosen` names the methods to make; None makes all.
    """
    wide, full, population = files()
    plain = released(wide, full, population, {}, stored_risk())
    rows = []
    for method, file, options in track(list(methods(wide, stored_risk())), "methods"):
        if chosen and method not in chosen:
            continue
        seen = plain
        if method == "grouped states":
            seen = released(wide, full, population, GROUPS)
        for replicate, one in enumerate(draws(file, **options), start=1):
            one = one.assign(state=seen["state"])
            whole = whole_file(one, like=full)
            row = {"method": method, "replicate": replicate}
            row["ratio"] = pmse(seen["whole"], whole, model="cart") / seen["null"]
            rows.append(row | risks(seen["table"], hh.qi_table(one), seen["r"], seen["F"]))
    return pd.DataFrame(rows).round(6)


def released(wide, full, population, groups, r=None):
    """Return what a synthetic file is compared with, all of it with states grouped by `groups`."""
    wide, full, population = (group_states(one, groups) for one in (wide, full, population))
    table, whole = hh.qi_table(wide), whole_file(full)
    if r is None:
        r = hh.population_risk(table, QIS, hh.sampling_fractions(population, table))
    F, null = hh.population_counts(population, table, QIS), resampled_null(whole, seed=SEED)
    return {"state": wide["state"], "table": table, "whole": whole, "r": r, "F": F, "null": null}


def risks(confidential, synthetic, r, F):
    """SU-CU by threshold of r, the truth about them, and a1 and a2 for r > 0.1, as one row."""
    near = hh.attribute_risk(confidential, synthetic, QIS, "income", r, thresholds=(0.1,))
    return found(confidential, synthetic, r, F) | near.loc[0.1].to_dict()


def found(confidential, synthetic, r, F):
    """SU-CU by threshold of r, and the truth about them, as one row.

    The truth is how many of all matches are right, Σ 1/F, and how many are certain, F = 1.
    """
    su_cu = hh.unique_uniques(confidential, synthetic, QIS, r, THRESHOLDS[1:])["households"]
    row = {name: count for name, count in su_cu.items() if name != "all"}
    inside = F.iloc[hh.unique_pairs(confidential, synthetic, QIS)["confidential"]]
    return row | {"right": (1 / inside).sum(), "certain": int((inside == 1).sum())}


def make_states(replicates=10):
    """Mean three-way pMSE ratio by variable in a small and a large state (Figure 6).

    To look into one state, the file must say which it is: grouped are the trees alone.
    """
    wide, _, _ = files()
    chosen = {"no protection", "tree only, cutoff 0.9", "grouped trees"}
    rows = []
    for method, file, options in methods(wide, stored_risk()):
        if method not in chosen:
            continue
        for replicate, one in enumerate(draws(file, replicates, **options), start=1):
            for state in (SMALL_STATE, LARGE_STATE):
                here = (wide["state"] == state).to_numpy()
                ours, theirs = (file[here].drop(columns="state") for file in (wide, one))
                means = hh.mean_ratios(hh.tables(ours, theirs, 3))
                rows += [(method, state, replicate, *pair) for pair in means.items()]
    columns = ["method", "state", "replicate", "variable", "ratio"]
    return pd.DataFrame(rows, columns=columns).round(5)


def make_knowledge():
    """SU-CU and the distribution of r for everything an intruder may know."""
    wide, _, population = files()
    one = sr.households.synthesize(wide, seed=SEED)[0]
    table, other = hh.qi_table(wide), hh.qi_table(one)
    fraction = hh.sampling_fractions(population, table)
    rows = []
    for qis in track(knowledge(), "what the intruder knows"):
        r = hh.population_risk(table, qis, fraction)
        F = hh.population_counts(population, table, qis)
        found = hh.unique_pairs(table, other, qis)["confidential"]
        for truth, chance in (("estimated", r), ("true", (1 / F).where(r.notna()))):
            bins, top = np.histogram(chance.dropna(), BINS)[0], chance.iloc[found]
            row = {"qis": " ".join(qis), "r": truth, "unique": int(r.notna().sum())}
            row |= {"su_cu": len(found)}
            row |= {f"above_{R:g}": int((top > R).sum()) for R in THRESHOLDS[1:]}
            rows.append(row | {f"bin_{k}": count for k, count in enumerate(bins)})
    return pd.DataFrame(rows)


def make_incomes():
    """What one synthetic file tells about the incomes of its SU-CU households: behind a1 and a2."""
    wide, _, _ = files()
    table, other = hh.qi_table(wide), hh.qi_table(sr.households.synthesize(wide, seed=SEED)[0])
    near = hh.near_incomes(table, other, QIS, "income", b=range(10, 101, 10))
    homes = table.iloc[near["confidential"]][list(hh.HOUSEHOLD_QIS)].reset_index(drop=True)
    homes["r"] = stored_risk().iloc[near["confidential"]].to_numpy()
    shares = near.filter(like="a2").round(4)
    return homes.join(near[["x", "x_synthetic"]].astype(int)).join(shares)


def knowledge():
    """List the choices: state and rural always; residents or not; some things of 1 or 2 persons."""
    choices = [["state", "rural"], ["state", "rural", "residents"]]
    for size in range(1, len(hh.PERSON_QIS) + 1):
        for person in combinations(hh.PERSON_QIS, size):
            for household in (("state", "rural"), hh.HOUSEHOLD_QIS):
                for respondents in (1, 2):
                    choices.append(hh.qi_names(respondents, household, person))
    return choices


def make_fractions():
    """A small state sampled more and more: r, and how many sample uniques are alone for good.

    At the fractions of `DRAWN_AGAIN`, `gap_low` and `gap_high` are the lowest and the highest
    difference of mean r and mean 1/F in a hundred samples, of which the row describes the first.
    """
    _, _, population = files()
    state = population[population["state"] == SMALL_STATE].reset_index(drop=True)
    state = state.assign(state=state["state"].cat.remove_unused_categories())
    rows = []
    for number, fraction in enumerate(track(FRACTIONS, "sampling fractions")):
        samples = SAMPLES if fraction in DRAWN_AGAIN else 1
        drawn = [sampled(state, fraction, SEED + number + 100 * k) for k in range(samples)]
        gaps = [(r - truth).mean() for _, r, truth in drawn]
        sample, r, truth = drawn[0]
        row = {"fraction": fraction, "sampled": len(sample), "unique": int(r.notna().sum())}
        row |= {"sum_r": r.sum(), "sum_true": truth.sum(), "alone": int((truth == 1).sum())}
        if samples > 1:
            row |= {"gap_low": min(gaps), "gap_high": max(gaps)}
        for name, values in (("estimated", r), ("true", truth)):
            bins = np.histogram(values.dropna(), BINS)[0]
            row |= {f"{name}_{k}": count for k, count in enumerate(bins)}
        rows.append(row)
    return pd.DataFrame(rows).round(5)


def sampled(state, fraction, seed):
    """Draw a sample of a state; return it with r and 1/F of its sample uniques."""
    there, qis = state.groupby("rural", observed=True)["count"].sum(), QIS[1:]  # all but state
    sizes = (there * fraction).round().astype(int)
    sample = hh.draw_sample(state, sizes, strata=["rural"], seed=seed)
    r = hh.population_risk(sample, qis, hh.sampling_fractions(state, sample, ["rural"]))
    return sample, r, (1 / hh.population_counts(state, sample, qis)).where(r.notna())


def make_halves(cutoff=1, weigh_donors=False):
    """Members and others: households found in a file made of half of the sample (METHODS 7).

    Of 1,000 sample uniques with r above R, how many are SU-CU: among those the file was made of,
    and among the others? With a `cutoff` below 1 the members are weighted down.
    """
    wide, _, _ = files()
    table = hh.qi_table(wide).assign(r=stored_risk(), row=range(len(wide)))

    def synthesize(half, seed):
        rows = wide.iloc[half["row"]].reset_index(drop=True)
        options = {"weigh_donors": weigh_donors, "seed": seed}
        if cutoff < 1:
            options["weights"] = hh.down_weights(half["r"], cutoff)
        return hh.qi_table(sr.households.synthesize(rows, **options)[0])

    def found_of_1000(half, synthetic):
        found = half.iloc[hh.unique_pairs(half, synthetic, QIS)["confidential"]]
        shares = {R: (found["r"] > R).sum() / (half["r"] > R).sum() for R in THRESHOLDS}
        return pd.Series({f"r > {R:g}": 1000 * share for R, share in shares.items()})

    compared = sr.compare_members(table, synthesize, found_of_1000, splits=SPLITS, seed=SEED)
    return compared.splits.round(3)


def make_weighed():
    """The same halves with members weighted down at a cutoff of 0.9, for every way to do it."""
    made = [make_halves(0.9, how).assign(method=name) for name, how in WEIGHED.items()]
    return pd.concat(made)[["method", "split", "measure", "members", "others"]]


def make_others():
    """Would our households be found without having taken part?

    SU-CU of ours in files synthesized from ours, in samples of *other* households of the same
    population, and in files that were synthesized from these, as `found` counts them.
    """
    wide, _, _ = files()
    table, stored = hh.qi_table(wide), pd.read_csv(FOLDER / "household_risk.csv")
    rows = []
    for sample, others in enumerate(samples_of_others(), start=1):
        made = sr.households.synthesize(others, seed=SEED + sample)[0]
        from_ours = sr.households.synthesize(wide, seed=SEED + sample)[0]
        named = {
            "others": others,
            "synthesized from others": made,
            "synthesized from ours": from_ours,
        }
        for name, file in named.items():
            row = {"file": name, "sample": sample}
            rows.append(row | found(table, hh.qi_table(file), stored["r"], stored["F"]))
    return pd.DataFrame(rows).round(6)


def samples_of_others():
    """Yield samples of other households as wide files, a few drawn at once."""
    from make_households import simulate_others  # needs this folder on the path

    data = sr.load_households()
    for batch in track(range(SAMPLES // BATCH), "samples of others"):
        for homes, persons in simulate_others(BATCH, SEED + batch):
            homes = homes.astype(data.households.dtypes)
            persons = persons.astype(data.persons.dtypes)
            yield sr.households.flatten(persons, homes, max_respondents=LARGEST)


def make_adult(adult=None):
    """Σ r beside the truth in samples of the real people of Adult, one in ten of them drawn.

    `times` is Σ r divided by Σ 1/F, `main_effects` the same without interactions, and `tenth` the
    largest difference of mean r and mean 1/F in a tenth of the sample uniques.
    """
    adult = sr.fetch_adult() if adult is None else adult
    adult = adult.assign(age=adult["age"] // 5)
    qis = ["age", "sex", "race", "marital-status", "education", "occupation"]
    F = adult.groupby(qis, dropna=False)["age"].transform("size")
    rows = []
    for sample in track(range(SAMPLES), "samples of Adult"):
        drawn = adult.sample(frac=0.1, random_state=sample)
        r = hh.population_risk(drawn, qis, 0.1).dropna()
        main_effects = hh.population_risk(drawn, qis, 0.1, penalty=np.inf).dropna()
        truth = 1 / F[r.index]
        place = r.rank(method="first").to_numpy()
        tenth = cells.quantile_groups(place, cells.quantile_breaks(place, 10), right=True)
        gaps = r.groupby(tenth).mean() - truth.groupby(tenth).mean()
        rows.append(
            {
                "sample": sample,
                "times": r.sum() / truth.sum(),
                "main_effects": main_effects.sum() / truth.sum(),
                "tenth": gaps.abs().max(),
            }
        )
    return pd.DataFrame(rows).round(5)


MAKERS = {
    "risk": make_risk,
    "sizes": make_sizes,
    "methods": make_methods,
    "states": make_states,
    "knowledge": make_knowledge,
    "incomes": make_incomes,
    "fractions": make_fractions,
    "halves": make_halves,
    "weighed": make_weighed,
    "others": make_others,
}


def main(names):
    """Make the named results, or all that need no download."""
    for name in names or MAKERS:
        frame = make_adult() if name == "adult" else MAKERS[name]()
        frame.to_csv(FOLDER / f"household_{name}.csv", index=False, lineterminator="\n")
        print(f"household_{name}.csv: {len(frame)} rows")


if __name__ == "__main__":
    main(sys.argv[1:])
