"""Disclosure from keys: hand-made tables, synthpop's answers, published figures, and an oracle."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synthrisk_edu as sr
from synthrisk_edu.disco import code, measures

GOLDEN = Path(__file__).parent / "golden"
KEYS = ["sex", "age", "region", "place"]
SD_KEYS = ["sex", "age", "region", "placesize"]

# A hand-made pair. Keys: age. Original: 30 a a, 40 b, 50 c, 60 a b, 70 c. Synthetic: 30 a, 40 b b,
# 50 a, 60 a, 80 c.
ORIGINAL = pd.DataFrame({"age": [30, 30, 40, 50, 60, 60, 70], "job": list("aabcabc")})
SYNTHETIC = pd.DataFrame({"age": [30, 40, 40, 50, 60, 80], "job": list("abbaac")})


@pytest.fixture
def hand():
    return sr.disclosure(ORIGINAL, SYNTHETIC, ["age"], "job")


def test_identity_by_hand(hand):
    # Unique in the original: 40, 50, 70. Of these 40 and 50 are found, and 50 is unique there.
    assert hand.identity.loc[1].tolist() == pytest.approx(
        [100 * 3 / 7, 100 * 4 / 6, 100 * 2 / 7, 100 * 1 / 7]
    )


def test_attribute_by_hand(hand):
    row = hand.attribute.loc[1]
    assert row.Dorig == pytest.approx(100 * 5 / 7)  # 30, 30, 40, 50, 70
    assert row.Dsyn == pytest.approx(100)
    assert row.iS == pytest.approx(100 * 6 / 7)  # all but 70
    assert row.DiS == pytest.approx(100 * 6 / 7)
    assert row.DiSCO == pytest.approx(100 * 4 / 7)  # 30, 30, 40 and one of 60
    assert row.DiSDiO == pytest.approx(100 * 3 / 7)  # without 60
    assert (row.max_denom, row.mean_denom) == (2, pytest.approx(4 / 3))


def test_cap_by_hand(hand):
    row = hand.cap.loc[1]
    assert row.baseCAPd == pytest.approx(100 * (9 + 4 + 4) / 49)
    assert row.CAPd == pytest.approx(100 * (2 + 1 + 1 + 0.5 + 0.5 + 1) / 7)
    assert row.CAPs == pytest.approx(100)
    assert pytest.approx(100 * 4 / 7) == row.DCAP
    assert pytest.approx(100 * 4 / 6) == row.TCAP


def test_records_tell_the_chain_of_each_person(hand):
    table = hand.records()
    assert table.found.tolist() == [True] * 6 + [False]
    assert table.disclosive.tolist() == [True] * 6 + [False]
    assert table.correct.tolist() == [True, True, True, False, True, False, False]
    assert not table.excluded.any()


def test_the_answers_of_all_who_have_the_same_keys(hand):
    assert hand.same_keys(4).to_dict() == {4: "a", 5: "b"}
    assert hand.same_keys(6).to_dict() == {6: "c"}  # also of who is not found
    missing = pd.DataFrame({"age": [np.nan, 30, np.nan], "job": ["a", None, None]})
    found = sr.disclosure(missing, missing, ["age"], "job")
    assert found.same_keys(2).to_dict() == {0: "a", 2: "Missing"}


def test_the_plain_guess_says_the_commonest_synthetic_answer_of_everybody():
    other = SYNTHETIC.assign(job="b")
    found = sr.disclosure(ORIGINAL, [SYNTHETIC, other], ["age"], "job", drop_target=["a"])
    assert found.plain_guess.to_dict() == {1: pytest.approx(300 / 7), 2: pytest.approx(200 / 7)}


def test_records_carry_the_labels_and_the_rules():
    labelled = ORIGINAL.set_axis(list("ABCDEFG"))
    found = sr.disclosure(labelled, [SYNTHETIC, ORIGINAL], ["age"], "job", drop_target=["a"])
    assert found.records(1).index.tolist() == list("ABCDEFG")
    assert found.records(1).excluded.tolist() == [True, True, False, False, True, False, False]


def test_numbers_compare_and_text_levels_may_hold_separators():
    original = pd.DataFrame({"a": ["x|y", "x"], "b": ["z", "y|z"], "t": [1, 2]})
    got = sr.disclosure(original, original[::-1], ["a", "b"], "t")
    assert got.identity.UiO[1] == 100  # "x|y" + "z" and "x" + "y|z" are not the same keys
    as_float = original.assign(t=[1.0, 2.0])
    assert sr.disclosure(original, as_float, ["a", "b"], "t").attribute.DiSCO[1] == 100


def test_dropping_and_excluding_and_the_count_of_what_each_removed():
    got = sr.disclosure(
        ORIGINAL, SYNTHETIC, ["age"], "job", drop_target=["c"], exclude=[("age", 30, "a")]
    )
    table = got.exclusions.set_index("step")
    assert table.original.to_dict() == {
        "target levels": 2, "missing target": 0, "missing keys": 0, "key-target pairs": 2,
        "limit": 0,
    }  # fmt: skip
    assert table.synthetic["target levels"] == 1
    assert got.attribute.DiSCO[1] == pytest.approx(100 * 2 / 7)


def test_uio_can_rise_when_records_are_left_out():
    original = pd.DataFrame({"age": [30, 30], "job": ["a", "b"]})
    assert sr.disclosure(original, original, ["age"], "job").identity.UiO[1] == 0
    dropped = sr.disclosure(original, original, ["age"], "job", drop_target=["b"])
    assert dropped.identity.UiO[1] == 50


def test_missing_values_are_a_level_or_not():
    original = pd.DataFrame({"age": [30, np.nan, np.nan], "job": ["a", None, "b"]})
    on = sr.disclosure(original, original, ["age"], "job")
    assert on.attribute.Dorig[1] == pytest.approx(100 / 3)
    no_keys = sr.disclosure(original, original, ["age"], "job", missing_keys={"age": False})
    assert no_keys.attribute.iS[1] == pytest.approx(100 / 3)
    no_target = sr.disclosure(original, original, ["age"], "job", missing_target=False)
    assert no_target.attribute.iS[1] == pytest.approx(200 / 3)


def test_no_disco_cell_at_all():
    other = pd.DataFrame({"age": [99], "job": ["a"]})
    row = sr.disclosure(ORIGINAL, other, ["age"], "job").attribute.loc[1]
    assert row.max_denom == 0 and np.isnan(row.mean_denom)
    assert np.isnan(sr.disclosure(ORIGINAL, other, ["age"], "job").cap.TCAP[1])


def test_grouping_by_pooled_quantiles():
    original = pd.DataFrame({"age": [1, 2, 3, 4, -8, np.nan], "t": list("abcdef")})
    got = sr.disclosure(
        original, original, ["age"], "t", groups={"age": 2}, special={"age": [-8]},
        exclude=[("age", "[1, 2.5)", "a"), ("age", -8.0, "e")],
    )  # fmt: skip
    assert got.exclusions.set_index("step").original["key-target pairs"] == 2
    assert got.identity.UiO[1] == pytest.approx(100 * 2 / 6)  # b, alone now, and the missing one


def test_remove_replicated_uniques_leaves_no_replicated_unique():
    made = sr.remove_replicated_uniques(SYNTHETIC, ORIGINAL, ["age"])
    assert made.age.tolist() == [30, 40, 40, 60, 80]
    assert sr.disclosure(ORIGINAL, made, ["age"], "job").identity.repU[1] == 0


# What synthpop gets wrong on some inputs: follow the definitions


def test_ungrouped_numeric_target_with_values_absent_from_the_synthetic_data():
    original = pd.DataFrame({"k": list("aabb"), "t": [1, 2, 3, 3]})
    synthetic = pd.DataFrame({"k": list("aabb"), "t": [1, 1, 3, 3]})
    row = sr.disclosure(original, synthetic, ["k"], "t").attribute.loc[1]
    assert (row.DiS, row.DiSCO, row.Dorig) == (100, 75, 50)


def test_missing_switched_off_key_by_key_in_any_order():
    original = pd.DataFrame({"a": [None, "x", "x"], "b": ["u", None, "u"], "t": ["p", "p", "q"]})
    for keys in (["a", "b"], ["b", "a"]):
        got = sr.disclosure(original, original, keys, "t", missing_keys={"b": False})
        assert got.exclusions.set_index("step").original["missing keys"] == 1
        assert got.attribute.iS[1] == pytest.approx(200 / 3)


def test_uiois_with_a_single_text_key():
    original = pd.DataFrame({"k": pd.Categorical(list("abc")), "t": list("ppp")})
    synthetic = pd.DataFrame({"k": pd.Categorical(list("abb")), "t": list("ppp")})
    row = sr.disclosure(original, synthetic, ["k"], "t").identity.loc[1]
    assert (row.UiO, row.UiOiS, row.repU) == (
        100, pytest.approx(200 / 3), pytest.approx(100 / 3),
    )  # fmt: skip


# The definition is shown in the lesson: it takes a table of counts as it is


def test_the_definition_takes_counts(hand):
    q = np.array([30, 40, 50, 50, 60, 60, 70, 80])
    d, s = np.array([2, 1, 1, 0, 1, 1, 1, 0]), np.array([1, 2, 0, 1, 1, 0, 0, 1])
    table = pd.concat([hand.identity, hand.attribute], axis=1).loc[1]
    assert measures(q, d, s) == pytest.approx(dict(table))


# synthpop's answers

CASES = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))["disclosure"]


@pytest.fixture(scope="module")
def survey():
    original = pd.read_csv(GOLDEN / "survey_original.csv")
    return original, [pd.read_csv(GOLDEN / f"survey_synthetic_{k}.csv") for k in (1, 2, 3)]


def options_of(args):
    """The options of synthpop in our words."""
    options = {}
    if "not.targetlev" in args:
        options["drop_target"] = args["not.targetlev"]
    if "usetargetNA" in args:
        options["missing_target"] = args["usetargetNA"][0]
    if "usekeysNA" in args:
        options["missing_keys"] = args["usekeysNA"][0]
    if "denom_lim" in args:
        options["denom_limit"] = args["denom_lim"][0]
    if "exclude.keys" in args:
        names = args["exclude.keys"], args["exclude.keylevs"], args["exclude.targetlevs"]
        options["exclude"] = [(k, int(v), t) for k, v, t in zip(*names, strict=True)]
    return options


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_golden(survey, case):
    got = sr.disclosure(*survey, KEYS, case["target"][0], **options_of(case["args"] or {}))
    for table, expected in (
        (got.identity, case["ident"]), (got.attribute, case["attrib"]), (got.cap, case["allCAPs"]),
    ):  # fmt: skip
        wanted = pd.DataFrame(expected)
        np.testing.assert_allclose(table[wanted.columns], wanted, rtol=0, atol=1e-6)


# The published figures, where the files are at hand


@pytest.fixture(scope="module")
def sd(reference):
    folder = reference / "sd2011"
    five = [pd.read_csv(folder / f"synthetic_{k}.csv") for k in range(1, 6)]
    return pd.read_csv(folder / "original.csv"), five, pd.read_csv(folder / "synthetic_contna.csv")


PUBLISHED = {
    "UiO": [48.38] * 5,
    "repU": [14.86, 13.96, 13.62, 13.78, 14.62],
    "UiS": [37.34, 35.44, 35.18, 34.90, 36.14],
    "UiOiS": [22.68, 22.24, 21.98, 22.08, 22.00],
    "Dorig": [53.30] * 5,
    "Dsyn": [46.26, 44.80, 44.60, 45.80, 44.52],
    "iS": [64.90, 64.00, 64.02, 63.88, 63.44],
    "DiS": [34.18, 32.50, 32.14, 33.38, 31.46],
    "DiSCO": [9.54, 10.26, 9.10, 9.20, 9.34],
    "DiSDiO": [6.14, 6.78, 5.92, 5.52, 5.80],
    "max_denom": [3, 4, 4, 4, 4],
    "mean_denom": [1.16, 1.19, 1.19, 1.21, 1.23],
    "baseCAPd": [9.81] * 5,
    "CAPd": [74.15] * 5,
    "CAPs": [69.78, 69.36, 69.24, 69.87, 69.00],
    "DCAP": [16.39, 17.45, 16.20, 15.92, 16.17],
    "TCAP": [14.70, 16.03, 14.21, 14.40, 14.72],
}


def test_published_tables_of_depress(sd):
    got = sr.disclosure(sd[0], sd[1], SD_KEYS, "depress")
    table = pd.concat([got.identity, got.attribute, got.cap], axis=1)
    for name, figures in PUBLISHED.items():
        assert table[name].round(2).tolist() == figures, name


def test_published_targets(sd):
    groups = {"groups": {"income": 20}, "special": {"income": [-8]}}
    got = sr.multi_disclosure(sd[0], sd[2], SD_KEYS, **groups).set_index("target")
    figures = {"workab": (90.90, 52.10), "marital": (79.24, 35.18), "ls": (58.46, 13.78),
               "depress": (53.30, 9.54), "income": (52.34, 6.14)}  # fmt: skip
    assert got.index.tolist() == list(figures)
    for target, (dorig, disco) in figures.items():
        assert (round(got.Dorig[target], 2), round(got.DiSCO[target], 2)) == (dorig, disco)
    assert got.one_way.to_dict() == {name: name == "workab" for name in figures}
    assert got.two_way.to_dict() == {name: name in ("workab", "marital") for name in figures}


def test_published_denominators_of_one(sd):
    got = sr.multi_disclosure(sd[0], sd[2], SD_KEYS, denom_limit=1).set_index("target")
    assert got.Dorig.round(2).eq(48.38).all()
    figures = {"workab": 20.48, "marital": 15.40, "ls": 9.84, "depress": 7.02, "income": 3.36}
    assert got.DiSCO.round(2).to_dict() == figures
    assert (round(got.UiO["depress"], 2), round(got.repU["depress"], 2)) == (50.26, 16.36)


def test_published_checks(sd):
    workab = sr.disclosure(sd[0], sd[2], SD_KEYS, "workab")
    row = workab.one_way.iloc[0]
    assert (row.level, row["all"], row.disclosive, row.n_level) == ("NO", 5000, 2605, 2482)
    assert (round(row.pct_all, 2), round(row.pct_level, 2)) == (88.64, 95.28)
    assert len(workab.two_way) == 26
    marital = sr.disclosure(sd[0], sd[2], SD_KEYS, "marital").two_way
    pairs = {
        (row.target_level, row.key_level): (row.pairs, row.key_target_total, row.key_total)
        for row in marital.itertuples()
    }
    assert pairs == {
        ("SINGLE", 19): (10, 91, 92), ("MARRIED", 41): (5, 59, 73),
        ("SINGLE", 18): (5, 91, 92), ("SINGLE", 22): (5, 85, 91),
    }  # fmt: skip
    assert (marital.key == "age").all()


ADULT = {
    "capital-gain": (22.55, 0.21, 0.19, 0.19, 2.68),
    "capital-loss": (30.61, 0.08, 0.08, 0.08, 2.68),
    "education": (3.71, 3.71, 3.43, 2.45, 2.68),
    "fnlwgt": (2.70, 2.70, 2.47, 2.45, 2.68),
    "hours-per-week": (4.36, 4.36, 4.06, 2.45, 2.68),
    "income": (4.97, 4.97, 3.17, 1.58, 2.68),
    "marital-status": (8.23, 8.23, 7.26, 2.45, 2.68),
    "native-country": (17.09, 0.94, 0.76, 0.67, 2.68),
    "relationship": (5.17, 5.17, 4.75, 2.45, 2.68),
    "workclass": (14.27, 14.27, 9.14, 2.45, 2.68),
}


def test_published_adult(reference):
    adult = pd.read_csv(reference / "adult.csv.gz")
    adult["income"] = adult.income.mask(adult.part == "test")
    drop = {"capital-gain": [0], "capital-loss": [0], "native-country": ["United-States"]}
    no_missing = {"drop_target": drop, "missing_keys": False, "missing_target": False}
    variants = [{}, {"drop_target": drop}, no_missing, no_missing | {"denom_limit": 1},
                {"denom_limit": 1}]  # fmt: skip
    keys = ["age", "occupation", "race", "sex"]
    for place, options in enumerate(variants):
        # The paper takes the weights as they are, though no two people share one.
        how = options | {"groups": {"fnlwgt": None}}
        got = sr.multi_disclosure(adult, adult, keys, list(ADULT), **how).set_index("target")
        for target, figures in ADULT.items():
            assert round(got.Dorig[target], 2) == figures[place], (target, place)


# Against a plain crosstab


def oracle(original, synthetic, keys, target):
    """The definitions, on crosstabs of text."""

    def words(data, names):
        columns = [
            data[name].map(lambda v: "Missing" if pd.isna(v) else f"<{v!r}>") for name in names
        ]
        return [tuple(row) for row in zip(*columns, strict=True)]

    d, s = pd.Series(words(original, keys)), pd.Series(words(synthetic, keys))
    t, u = pd.Series(words(original, [target])), pd.Series(words(synthetic, [target]))
    n_d, n_s = len(d), len(s)
    in_d, in_s = d.value_counts(), s.value_counts()
    answers = {q: set(u[s == q]) for q in in_s.index}
    truths = {q: set(t[d == q]) for q in in_d.index}
    found = [q in in_s.index for q in d]
    dis = [q in answers and len(answers[q]) == 1 for q in d]
    disco = [ok and answers[q] == {a} for ok, q, a in zip(dis, d, t, strict=True)]
    disdio = [ok and len(truths[q]) == 1 for ok, q in zip(disco, d, strict=True)]
    unique = [q for q in in_d.index if in_d[q] == 1]
    chance = [(u[s == q] == a).mean() if q in answers else 0 for q, a in zip(d, t, strict=True)]
    return {
        "UiO": 100 * len(unique) / n_d,
        "UiS": 100 * (in_s == 1).sum() / n_s,
        "UiOiS": 100 * sum(q in in_s.index for q in unique) / n_d,
        "repU": 100 * sum(in_s.get(q, 0) == 1 for q in unique) / n_d,
        "Dorig": 100 * sum(len(truths[q]) == 1 for q in d) / n_d,
        "Dsyn": 100 * sum(len(answers[q]) == 1 for q in s) / n_s,
        "iS": 100 * np.mean(found),
        "DiS": 100 * np.mean(dis),
        "DiSCO": 100 * np.mean(disco),
        "DiSDiO": 100 * np.mean(disdio),
        "DCAP": 100 * np.mean(chance),
    }


LEVELS = {
    "number": st.sampled_from([0, 1, 2, -8, None]),
    "text": st.sampled_from(["a", "b|c", "b-c", "1", "Missing ", None]),
}


@st.composite
def files(draw):
    kinds = draw(st.lists(st.sampled_from(["number", "text"]), min_size=2, max_size=4))
    sizes = draw(st.integers(1, 14)), draw(st.integers(1, 14))
    frames = [
        pd.DataFrame({
            f"v{k}": pd.Series(
                draw(st.lists(LEVELS[kind], min_size=n, max_size=n)),
                dtype="float64" if kind == "number" else "object",
            ) for k, kind in enumerate(kinds)
        }) for n in sizes
    ]  # fmt: skip
    return (*frames, [f"v{k}" for k in range(len(kinds))])


@settings(max_examples=100, deadline=None)
@given(files(), st.randoms(use_true_random=False))
def test_disclosure_equals_the_crosstab(pair, random):
    original, synthetic, names = pair
    keys, target = names[:-1], names[-1]
    got = sr.disclosure(original, synthetic, keys, target)
    row = pd.concat([got.identity, got.attribute, got.cap], axis=1).loc[1]
    for name, value in oracle(original, synthetic, keys, target).items():
        assert row[name] == pytest.approx(value, abs=1e-9), name
    tiny = 1e-9
    assert (
        row.DiSDiO <= row.DiSCO + tiny <= row.DiS + 2 * tiny <= row.iS + 3 * tiny <= 100 + 4 * tiny
    )
    assert row.repU <= row.UiOiS + tiny <= row.UiO + 2 * tiny
    # Neither the order of rows and keys nor the names of levels matter.
    rows = random.sample(range(len(original)), len(original))
    shuffled = random.sample(keys, len(keys))
    again = sr.disclosure(original.iloc[rows], synthetic[::-1], shuffled, target)
    pd.testing.assert_frame_equal(again.attribute, got.attribute)
    pd.testing.assert_frame_equal(again.identity, got.identity)
    other = {"a": "zz", "b|c": "q", "b-c": "r", "1": "one", "Missing ": "m"}
    renamed = [data.replace(other) if data[target].dtype == object else data for data in pair[:2]]
    relabelled = sr.disclosure(*renamed, keys, target)
    pd.testing.assert_frame_equal(relabelled.attribute, got.attribute)


@settings(max_examples=100, deadline=None)
@given(files(), st.integers(0, 3), st.sampled_from([0, 30, 60, 99]))
def test_the_two_way_check_equals_counting_pair_by_pair(pair, most, share):
    original, synthetic, names = pair
    both = original, synthetic
    original, synthetic = (
        one.astype(object).where(one.notna(), "none").astype(str) for one in both
    )
    keys, target = names[:-1], names[-1]
    got = sr.disclosure(original, synthetic, keys, target, two_way=(most, share))
    right = got.records().correct.to_numpy()
    under = original.groupby(names)[target].transform("size")
    expected = set()
    for key in keys:
        for level, answer in {*zip(original[key], original[target], strict=True)}:
            here = original[key] == level
            both = here & (original[target] == answer)
            in_large = int((both & right & (under > most)).sum())
            if in_large and 100 * both.sum() / here.sum() > share:
                expected.add((answer, key, level, in_large, both.sum(), here.sum()))
    rows = got.two_way.drop(columns=["synthesis", "pct"])
    assert {*rows.itertuples(index=False, name=None)} == expected
    assert len(rows) == len(expected)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([-8, -0.0, 0.0, 1, 2.5, 7, 1000, None]), min_size=4, max_size=20),
    st.sampled_from([2, 4]),  # quarters add up without rounding
)
def test_groups_equal_those_of_numpy_value_by_value(values, k):
    data = pd.DataFrame({"x": pd.Series(values, dtype=float)})
    quantities = [value + 0.0 for value in values if value not in (None, -8)]
    if len(set(quantities)) < 2:
        return
    breaks = np.unique(np.quantile(quantities, np.linspace(0, 1, k + 1)))
    codes, levels = code(data.x, k=k, special=[-8])
    for value, one in zip(values, codes, strict=True):
        level = levels[one]
        if value is None:
            assert level == "Missing"
        elif value == -8:
            assert level == -8
        else:
            place = min(int((breaks <= value).sum()), len(breaks) - 1) - 1
            end = "]" if place == len(breaks) - 2 else ")"
            assert level == f"[{breaks[place]:.6g}, {breaks[place + 1]:.6g}{end}"


@settings(max_examples=60, deadline=None)
@given(files())
def test_counts_give_the_same(pair):
    original, synthetic, names = pair
    keys, target = names[:-1], names[-1]
    counted = [
        data.groupby(names, dropna=False).size().rename("count").reset_index() for data in pair[:2]
    ]
    one = sr.disclosure(original, synthetic, keys, target, denom_limit=2)
    two = sr.disclosure_from_counts(*counted, keys, target, denom_limit=2)
    for table in ("identity", "attribute", "cap", "one_way", "two_way", "exclusions"):
        ours, theirs = getattr(one, table), getattr(two, table)
        pd.testing.assert_frame_equal(ours, theirs, check_dtype=False)


def test_grouping_from_counts_weighs_the_quantiles():
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"age": rng.integers(16, 90, 500), "t": rng.choice(list("ab"), 500)})
    counted = data.groupby(["age", "t"]).size().rename("count").reset_index()
    for k in (2, 5, 20):
        one = sr.disclosure(data, data, ["age"], "t", groups={"age": k})
        two = sr.disclosure_from_counts(counted, counted, ["age"], "t", groups={"age": k})
        pd.testing.assert_frame_equal(one.attribute, two.attribute, check_dtype=False)


def test_a_database_can_do_the_counting(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    # Three million records in a Parquet file: duckdb counts them, we see a few thousand cells.
    path = (tmp_path / "big.parquet").as_posix()
    with duckdb.connect() as database:
        database.execute(f"""
            COPY (SELECT i % 2 AS sex, (i * 7919) % 80 AS age, (i // 13) % 16 AS region,
                         ((i * 31) % 80) // 20 AS job, repeat('x', 40) AS story
                  FROM range(3000000) AS r(i)) TO '{path}' (FORMAT parquet)""")
        counted = database.execute(f"""
            SELECT sex, age, region, job, count(*) AS count
            FROM '{path}' GROUP BY sex, age, region, job""").df()
    assert counted["count"].sum() == 3_000_000
    got = sr.disclosure_from_counts(counted, counted, ["sex", "age", "region"], "job")
    # Age settles the job here, so the whole file is disclosed.
    by_age = counted.groupby(["sex", "age", "region"]).job.nunique()
    share = counted.set_index(["sex", "age", "region"])["count"][by_age[by_age == 1].index].sum()
    assert got.attribute.Dorig[1] == pytest.approx(100 * share / 3_000_000)


run = sr.disclosure

WRONG = [
    (lambda o, s: run(o, s, ["age"], "age"), ValueError, "'age' is both in keys and"),
    (lambda o, s: run(o, s, ["age", "age"], "job"), ValueError, "'age' more than once"),
    (lambda o, s: run(o, s[["job"]], ["age"], "job"), KeyError, "synthetic has no colu"),
    (lambda o, s: run(o[["job"]], s, ["age"], "job"), KeyError, "original has no column"),
    (lambda o, s: run(o, [s, s[["job"]]], ["age"], "job"), KeyError, r"synthetic\[1\]"),
    (lambda o, s: run(o, s, ["age"], "job", drop_target=["z"]), ValueError, "no level 'z'"),
    (lambda o, s: run(o, s, ["age"], "job", drop_target="a"), TypeError, r"\['a'\]"),
    (
        lambda o, s: run(o, s, ["age"], "job", exclude=[("age", "30", "a")]),
        ValueError,
        "'age' has no level '30'; its levels are: 30",
    ),
    (lambda o, s: run(o, s, ["age"], "job", exclude=[("sex", 1, "a")]), ValueError, "'sex'"),
    (lambda o, s: run(o, s, ["age"], "job", exclude=["age"]), ValueError, "write \\(one of"),
    (lambda o, s: run(o, s, ["age"], "job", groups={"age": 1}), ValueError, "from 2 to 10000"),
    (lambda o, s: run(o, s, ["age"], "job", groups={"job": 3}), TypeError, "must hold numbers"),
    (lambda o, s: run(o, s, ["age"], "job", groups={"sex": 3}), KeyError, "'sex', which"),
    (lambda o, s: run(o, s, ["age"], "job", denom_limit=0), ValueError, "1 or more, not 0"),
    (lambda o, s: run(o, s, [], "job"), ValueError, "keys is empty"),
    (lambda o, s: run(o, s, "age", "job"), TypeError, r"such as \['age'\]"),
    (lambda o, s: run(o[:0], s, ["age"], "job"), ValueError, "original is an empty frame"),
    (lambda o, s: run(o, s[:0], ["age"], "job"), ValueError, "synthetic is an empty"),
    (lambda o, s: run(o, [], ["age"], "job"), ValueError, "empty list"),
    (lambda o, s: run(o, s, ["age"], ["job"]), TypeError, "use multi_disclosure"),
    (lambda o, s: run(o, s.astype({"age": str}), ["age"], "job"), TypeError, "numbers in"),
    (lambda o, s: run(o, s, ["age"], "job", missing_keys="no"), ValueError, "missing_keys"),
    (lambda o, s: run(o, s, ["age"], "job", missing_keys={"b": True}), KeyError, "'b'"),
    (lambda o, s: run(o, s, ["age"], "job", one_way=3), TypeError, "a list of numbers"),
    (lambda o, s: run(o, s, ["age"], "job").records(1), IndexError, "l is 1"),
    (lambda o, s: sr.multi_disclosure(o, s, ["age", "job"]), ValueError, "targets is empty"),
    (
        lambda o, s: sr.multi_disclosure(o, s, ["age"], drop_target={"sex": [1]}),
        KeyError,
        "'sex', which is not one of the targets",
    ),
    (lambda o, s: sr.disclosure_from_counts(o, s, ["age"], "job"), KeyError, "no column 'count'"),
    (
        lambda o, s: sr.disclosure_from_counts(o.assign(count=-1), s, ["age"], "job"),
        ValueError,
        "count of original_counts must hold whole",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "error", "words"), WRONG)
def test_bad_input_gets_one_clear_sentence(wrong, error, words):
    before = ORIGINAL.copy(), SYNTHETIC.copy()
    with pytest.raises(error, match=words) as caught:
        wrong(ORIGINAL, SYNTHETIC)
    message = str(caught.value.args[0])
    assert message.endswith(".") and "\n" not in message
    pd.testing.assert_frame_equal(ORIGINAL, before[0])
    pd.testing.assert_frame_equal(SYNTHETIC, before[1])


# Odd but legal, and odd and not


def test_groups_of_large_numbers_are_as_many_as_those_of_small_ones():
    small = pd.DataFrame({"k": range(100), "t": list("ab") * 50})
    large = small.assign(k=small.k + 10**9)
    few, many = (sr.disclosure(one, one, ["k"], "t", groups={"k": 100}) for one in (small, large))
    pd.testing.assert_frame_equal(few.attribute, many.attribute)
    halves = sr.disclosure(large, large, ["t"], "k", groups={"k": 2}).look_up(0)
    assert halves.index.tolist() == ["[1e+09, 1.00000005e+09)", "[1.00000005e+09, 1.0000001e+09]"]


@pytest.mark.parametrize("level", [np.nan, None, pd.NA, "Missing"])
def test_missing_can_be_dropped_and_excluded_however_it_is_written(level):
    data = pd.DataFrame({"k": [1, np.nan, np.nan], "t": ["a", None, "b"]})
    dropped = sr.disclosure(data, data, ["k"], "t", drop_target=[level])
    assert dropped.exclusions.original.tolist() == [1, 0, 0, 0, 0]
    excluded = sr.disclosure(data, data, ["k"], "t", exclude=[("k", level, "b")])
    assert excluded.exclusions.original.tolist() == [0, 0, 0, 1, 0]


@pytest.mark.parametrize("dtype", [bool, "boolean", object])
def test_a_yes_or_no_is_dropped_whatever_its_type(dtype):
    data = pd.DataFrame({"k": [1, 2, 3], "t": pd.Series([True, False, True], dtype=dtype)})
    for level in (True, np.True_):
        found = sr.disclosure(data, data, ["k"], "t", drop_target=[level])
        assert found.exclusions.original.iloc[0] == 2


def test_levels_may_come_from_numpy():
    found = sr.disclosure(ORIGINAL, SYNTHETIC, ["age"], "job", drop_target=np.array(["a"]))
    assert found.exclusions.original.iloc[0] == 3


def test_multi_disclosure_takes_iterators():
    data = ORIGINAL.assign(other=ORIGINAL.job)
    made = SYNTHETIC.assign(other=SYNTHETIC.job)
    triples = [("age", 30, "a"), ("age", 40, "b")]
    listed = sr.multi_disclosure(data, made, ["age"], drop_target=["c"], exclude=triples)
    iterated = sr.multi_disclosure(
        data, iter([made]), iter(["age"]), iter(["job", "other"]),
        drop_target=iter(["c"]), exclude=iter(triples),
    )  # fmt: skip
    pd.testing.assert_frame_equal(listed, iterated)
    assert listed.DiSCO.nunique() == 1


def test_groups_of_a_variable_that_nobody_has_a_value_of():
    counts = pd.DataFrame({"k": [1.0, np.nan], "t": list("ab"), "count": [0, 3]})
    found = sr.disclosure_from_counts(counts, counts, ["k"], "t", groups={"k": 2})
    assert found.attribute.DiSCO.item() == 100


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (
            {"groups": {"age": 2}, "special": {"age": 30}},
            TypeError,
            "a list of numbers, not an int",
        ),
        ({"groups": {"age": 2}, "special": {"age": ["30"]}}, TypeError, "must hold numbers only"),
        ({"exclude": [("age", 30)]}, ValueError, "its level"),
    ],
)
def test_bad_options_in_one_sentence(options, error, words):
    with pytest.raises(error, match=words):
        sr.multi_disclosure(ORIGINAL, SYNTHETIC, ["age"], ["job"], **options)
    with pytest.raises(error, match=words):
        counts = ORIGINAL.assign(count=1), SYNTHETIC.assign(count=1)
        sr.disclosure_from_counts(*counts, ["age"], "job", **options)


def test_an_infinite_value_has_no_group():
    data = pd.DataFrame({"k": [1.0, 2, np.inf], "t": list("aab")})
    with pytest.raises(ValueError, match="column 'k' of original holds an infinite value"):
        sr.disclosure(data, data, ["k"], "t", groups={"k": 2})
    assert sr.disclosure(data, data, ["k"], "t").attribute.DiSCO.item() == 100


def test_a_synthesis_that_does_not_exist(hand):
    with pytest.raises(IndexError, match="l is 1, but there are 1 synthetic data sets: positions"):
        hand.records(1)
    with pytest.raises(TypeError, match="0-based position of a synthetic data set, not a str"):
        hand.explain(0, "0")


def exactly(most, share, check):
    """The flags of a file with 10 DiSCO records, 9 of them of level a, all under one key level.

    Keys 1 … 9 hold one person each who says a, key 10 one who says b; all have side x. Of the ten
    with side x nine say a: 90 %.
    """
    file = pd.DataFrame({"key": range(10), "side": "x", "job": [*"aaaaaaaaa", "b"]})
    found = sr.disclosure(file, file, ["key", "side"], "job", **{check: (most, share)})
    return getattr(found, check)


@pytest.mark.parametrize(
    ("most", "share", "flagged"),
    [(8, 89, True), (9, 89, False), (8, 90, False), (9, 90, False), (8.5, 89.5, True)],
)
def test_a_one_way_flag_is_above_both_of_its_thresholds(most, share, flagged):
    assert (len(exactly(most, share, "one_way")) > 0) == flagged


@pytest.mark.parametrize(
    ("most", "share", "flagged"), [(0, 89, True), (1, 89, False), (0, 90, False), (0.5, 89.5, True)]
)
def test_a_two_way_flag_is_above_both_of_its_thresholds(most, share, flagged):
    flags = exactly(most, share, "two_way")
    assert (("side", "a") in set(zip(flags.key, flags.target_level, strict=True))) == flagged


def test_seven_answers_are_named_and_eight_are_not():
    for answers, some in ((7, "f and g"), (8, "f and 2 others")):
        file = pd.DataFrame({"key": "x", "job": list("abcdefgh")[:answers]})
        told = sr.disclosure(file, file, ["key"], "job").explain(0)
        assert f"{some}): not disclosive" in told
