"""Panels of lesson 06: what the keys give away."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from types import SimpleNamespace

import ipywidgets
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.disco import MISSING, disclosure, multi_disclosure
from synthrisk_edu.plots import disclosure as pictures
from synthrisk_edu.widgets.controls import (
    Ticks,
    choice,
    menu,
    percent_slider,
    picker,
    slider,
    step_slider,
    variable_menu,
)
from synthrisk_edu.widgets.panel import Panel

NO_KEYS = "An intruder who knows no key cannot look anybody up. Tick at least one."


def look_up_panel(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    keys: Sequence[str],
    targets: Sequence[str],
    *,
    person: int = 0,
) -> Panel:
    """Build panel (a), of one person: found, all the same answer, right, told by the original?"""
    checks.names("keys", keys, "key")
    checks.names("targets", targets, "target")
    checks.frame("original", original, [*keys, *targets])

    @lru_cache(maxsize=64)
    def measured(known, target):
        """Look everybody up once for each choice."""
        return disclosure(original, synthetic, list(known), target)

    def compute(person, known, target):
        if not known:
            return None
        return pictures.looked_up(measured(known, target), person)

    controls = {
        "person": picker("person", len(original), person),
        "known": Ticks("the intruder knows", plain_names(keys, original), keys),
        "target": variable_menu("and wants to learn", plain_names(targets, original)),
    }
    return Panel(pictures.look_up_picture, controls, compute, nothing=NO_KEYS)


def funnel_panel(
    original: pd.DataFrame,
    synthetics: Sequence[pd.DataFrame],
    keys: Sequence[str],
    targets: Sequence[str],
    *,
    special: Mapping[str, Sequence[float]] | None = None,
) -> Panel:
    """Build panel (b), of the file: the chain in per cent, with every option.

    A number with many values gets a slider for its groups, greyed while it plays no part. Where it
    is a key, a curve shows what more or fewer groups do to DiSCO.
    """
    checks.names("keys", keys, "key")
    checks.names("targets", targets, "target")
    checks.frame("original", original, [*keys, *targets])
    sliders = _group_sliders(original, keys, targets)
    numbers = [name.removeprefix(GROUPS) for name in sliders]
    on_the_curve = next((name for name in numbers if name in keys), None)

    def measured(known, target, groups, limit, missing, drop):
        """Look everybody up; `groups` is a mapping from a column to their number."""
        return disclosure(
            original,
            synthetics,
            list(known),
            target,
            groups=groups,
            special={name: codes for name, codes in (special or {}).items() if name in groups},
            missing_keys=missing,
            missing_target=missing,
            drop_target=drop,
            denom_limit=limit or None,
        )

    @lru_cache(maxsize=2048)
    def with_groups(k, known, target, others, *options):
        """Return DiSCO and Dorig with the key of the curve in k groups; 0 leaves it as it is.

        `others` has the groups of the other numbers, in pairs.
        """
        groups = dict(others)
        if k:
            groups[on_the_curve] = k
        return measured(known, target, groups, *options).attribute[["DiSCO", "Dorig"]].mean()

    def curve(now, groups, known, target, *options):
        """Return the table of the curve: a row for each number of groups, the exact values last."""
        chosen = groups.get(on_the_curve, 0)
        others = tuple((name, k) for name, k in groups.items() if name != on_the_curve)
        rows = {}
        for k in [*sorted({*CURVE, chosen} - {0}), 0]:
            rows[k] = now.attribute[["DiSCO", "Dorig"]]
            if k != chosen:
                rows[k] = with_groups(k, known, target, others, *options)
        return pd.DataFrame(rows).T

    def compute(known, target, limit, missing, levels, **groups_of):
        if not known:
            return None
        groups = {}
        for name in (*known, target):
            if groups_of.get(GROUPS + name):  # 0 is none
                groups[name] = groups_of[GROUPS + name]
        whole = _has_commonest(original, target, groups, special)
        drop = [_commonest(original[target])] if levels != "all" and whole else []
        options = (limit, missing, tuple(drop))
        found = measured(known, target, groups, *options)
        now = pictures.of_the_file(found, drop, grouped=levels != "all" and not whole)
        now.groups = groups.get(on_the_curve, 0)
        now.by_groups = None
        if on_the_curve in known:
            now.by_groups = curve(now, groups, known, target, *options)
        return now

    known = Ticks("the intruder knows", plain_names(keys, original), keys)
    target = variable_menu("target", plain_names(targets, original))
    controls = {
        "known": known,
        "target": target,
        **sliders,
        "limit": none_or("largest denominator", range(1, 21), 0),
        "missing": ipywidgets.Checkbox(value=True, description="missing values count"),
        "levels": choice("target levels", ["all", "not the commonest"]),
    }

    def grey(_change=None):
        """Grey the sliders of numbers that play no part."""
        for name, control in sliders.items():
            control.disabled = name.removeprefix(GROUPS) not in (*known.value, target.value)

    known.observe(grey, names="value")
    target.observe(grey, names="value")
    grey()
    if on_the_curve is None:
        return Panel(pictures.funnel_picture, controls, compute, nothing=NO_KEYS)
    name = labels([on_the_curve], original)[on_the_curve]
    stays = (name, GROUPS + on_the_curve)
    return Panel(pictures.funnel_and_groups_picture, controls, compute, *stays, nothing=NO_KEYS)


def guess_panel(
    original: pd.DataFrame,
    synthetics: Sequence[pd.DataFrame],
    keys: Sequence[str],
    targets: Sequence[str],
    *,
    ticked: Sequence[str] = (),
) -> Panel:
    """Build panel (f), of two intruders: one believes single answers, one guesses the commonest.

    The first uses all keys; the second looks at those that are ticked.
    """
    checks.names("keys", keys, "key")
    checks.names("targets", targets, "target")
    checks.frame("original", original, [*keys, *targets])

    @lru_cache(maxsize=16)
    def believed(target):
        """DiSCO with all keys."""
        return disclosure(original, synthetics, list(keys), target).attribute.DiSCO.mean()

    @lru_cache(maxsize=64)
    def guessed(looked_at, target):
        """For how many per cent the guess is right."""
        right = [_guessed_right(original, one, looked_at, target) for one in synthetics]
        return 100 * sum(right) / len(right)

    def compute(looked_at, target):
        return SimpleNamespace(
            keys=list(keys),
            looked_at=list(looked_at),
            target=target,
            believed=believed(target),
            guessed=guessed(looked_at, target),
            same=guessed((), target),
            attrs=original.attrs,
        )

    controls = {
        "looked_at": Ticks("the guess looks at", plain_names(keys, original), ticked),
        "target": variable_menu("and is about", plain_names(targets, original)),
    }
    return Panel(pictures.guess_picture, controls, compute)


def _guessed_right(original, synthetic, known, target):
    """Guess for everybody the commonest answer of the rows that agree on `known`: share right.

    Missing is an answer like any other. Where no row agrees nothing is guessed.
    """
    names = list(known)
    both = original[target], synthetic[target]
    truth, answers = (one.astype(object).where(one.notna(), MISSING) for one in both)
    if not names:
        return (truth == _commonest(answers)).mean()
    rows = synthetic[names].assign(guess=answers)
    counts = rows.groupby([*names, "guess"], observed=True, dropna=False).size()
    counts = counts.sort_values(ascending=False, kind="stable").reset_index(name="rows")
    commonest = counts.drop_duplicates(names)  # of answers that are equally common, the first
    guess = original[names].merge(commonest, on=names, how="left").guess
    return (guess.to_numpy() == truth.to_numpy()).mean()


GROUPS = "groups_"  # of a control, before the name of its column
CURVE = (2, 5, 10, 20, 30)  # groups at which DiSCO is computed
MOST_GROUPS = 30  # a number with fewer values needs no groups


def _group_sliders(original, keys, targets):
    """Return a slider for every number that may be put into groups; a target is, at first."""
    plain = plain_names([*keys, *targets], original)
    sliders = {}
    for name in checks.numeric_names(plain, [original]):
        if original[name].nunique() > MOST_GROUPS:
            first = 20 if name in targets else 0
            label = f"groups for {plain[name]}"
            sliders[GROUPS + name] = none_or(label, range(2, MOST_GROUPS + 1), first)
    return sliders


def none_or(label, numbers, value):
    """Return a slider over numbers, in front of them 0, which is shown as none."""
    return step_slider(label, [("none", 0), *((str(k), k) for k in numbers)], value)


def _commonest(column):
    """Return the most frequent level of a variable; it is missing if all values are."""
    return column.value_counts().index[0] if column.notna().any() else None


def _has_commonest(original, target, groups, special):
    """Is the most frequent value a level of its own: ungrouped, or a special code?"""
    codes = (special or {}).get(target, [])
    return target not in (groups or {}) or _commonest(original[target]) in codes


def targets_panel(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    keys: Sequence[str],
    targets: Sequence[str],
    *,
    groups: Mapping[str, int] | None = None,
    special: Mapping[str, Sequence[float]] | None = None,
) -> Panel:
    """Build panel (c), of all targets at once: what may be left out, and what is flagged."""
    checks.names("keys", keys, "key")
    checks.names("targets", targets, "target")
    checks.frame("original", original, [*keys, *targets])
    whole = [t for t in targets if _has_commonest(original, t, groups, special)]

    @lru_cache(maxsize=16)
    def measured(known, leave_out):
        """Measure every target; moving a threshold must only flag anew."""
        options = _exclusion_options(original, whole, leave_out)
        drop_target = options.pop("drop_target", {})
        results = []
        for target in targets:
            names = [*known, target]
            of_target = disclosure(
                original,
                synthetic,
                list(known),
                target,
                groups={name: k for name, k in (groups or {}).items() if name in names},
                special={name: codes for name, codes in (special or {}).items() if name in names},
                drop_target=drop_target.get(target, ()),
                **options,
            )
            results.append((of_target, of_target.in_short()))
        return results

    @lru_cache(maxsize=256)
    def compute(known, leave_out, one_way_most, one_way_share, two_way_most, two_way_share):
        if not known:
            return None
        rows = []
        for of_target, row in measured(known, leave_out):
            flags = of_target.is_flagged(
                one_way=(one_way_most, one_way_share), two_way=(two_way_most, two_way_share)
            )
            rows.append(row | flags)
        table = pd.DataFrame(rows)  # its index is the target's own row in the picture
        table.attrs = original.attrs
        return table.sort_values("DiSCO", ascending=False, kind="stable")

    controls = {
        "known": Ticks("the intruder knows", plain_names(keys, original), keys),
        "leave_out": Ticks("leave out", LEAVE_OUT),
        **flag_sliders(),
    }
    rows = _row_names(targets, original)
    return Panel(pictures.targets_picture, controls, compute, rows, nothing=NO_KEYS)


def _row_names(targets, original):
    """Name the rows of a picture, each a target."""
    return [pictures.shortened_label(name) for name in plain_names(targets, original).values()]


def flag_sliders():
    """Return the four thresholds of the flags, at what `disclosure` takes by itself."""
    return {
        "one_way_most": slider("one-way: records above", 0, 3000, 50, 50),
        "one_way_share": percent_slider("one-way: share above", 50, 100, 90),
        "two_way_most": slider("two-way: records above", 0, 20, 4),
        "two_way_share": percent_slider("two-way: share above", 50, 100, 80),
    }


LEAVE_OUT = ["commonest levels", "missing values", "denominators above 1"]


def _exclusion_options(original, targets, leave_out):
    """Return the options of `multi_disclosure` for what is ticked."""
    options = {}
    if "commonest levels" in leave_out:
        options["drop_target"] = {target: [_commonest(original[target])] for target in targets}
    if "missing values" in leave_out:
        options |= {"missing_keys": False, "missing_target": False}
    if "denominators above 1" in leave_out:
        options["denom_limit"] = 1
    return options


VARIANTS = {
    "nothing left out": [],
    "commonest levels": LEAVE_OUT[:1],
    "+ missing values": LEAVE_OUT[:2],
    "+ denominators above 1": LEAVE_OUT,
    "denominators above 1 alone": LEAVE_OUT[2:],
}
MEASURES = {"original (Dorig)": "Dorig", "synthetic (DiSCO)": "DiSCO"}


def exclusions_panel(
    original: pd.DataFrame, synthetic: pd.DataFrame, keys: Sequence[str], targets: Sequence[str]
) -> Panel:
    """Build panel (e), of the paper's Table 1: every target under every kind of exclusion."""
    checks.names("keys", keys, "key")
    checks.names("targets", targets, "target")
    checks.frame("original", original, [*keys, *targets])

    @lru_cache(maxsize=32)
    def tables(known):
        """Compute a table: a row a target, a column for each measure and what is left out."""
        results = {}
        for name, leave_out in VARIANTS.items():
            options = _exclusion_options(original, targets, leave_out)
            found = multi_disclosure(original, synthetic, list(known), list(targets), **options)
            results[name] = found.set_index("target").loc[targets, [*MEASURES.values()]]
        return pd.concat(results, axis=1).swaplevel(axis=1)

    def compute(known, measure):
        if not known:
            return None
        both = tables(known)
        table = both[measure]
        return SimpleNamespace(
            measure=measure,
            table=table,
            original=both["Dorig"],
            disco=both["DiSCO"],
            lost=(table["nothing left out"] - table["commonest levels"]).idxmax(),
        )

    controls = {
        "known": Ticks("the intruder knows", plain_names(keys, original), keys),
        "measure": choice("measure", [*MEASURES.items()]),
    }
    rows = _row_names(targets, original)
    return Panel(pictures.exclusions_picture, controls, compute, VARIANTS, rows, nothing=NO_KEYS)


MANY = 5  # keys: these have 120 orders


def _rotations(keys):
    """Return the orders that begin with each key in turn and go round.

    >>> _rotations(["age", "sex", "job"])
    [('age', 'sex', 'job'), ('sex', 'job', 'age'), ('job', 'age', 'sex')]
    """
    return [(*keys[k:], *keys[:k]) for k in range(len(keys))]


def identity_panel(
    original: pd.DataFrame, synthetics: Sequence[pd.DataFrame], keys: Sequence[str]
) -> Panel:
    """Build panel (d), of uniques as keys are added one by one, in any order.

    Above five keys there are too many orders for a list: offered are those that begin with another
    key and then go round.
    """
    checks.frame("original", original, keys)
    others = [name for name in original.columns if name not in keys]
    if not others:
        raise ValueError("all columns of original are keys; leave one out to look it up.")
    target = others[0]

    @lru_cache(maxsize=64)
    def measured(known):
        """The order of the keys known does not matter: sorted, each set is measured once."""
        return disclosure(original, synthetics, list(known), target).identity.mean()

    def compute(order, known):
        rows = [measured(tuple(sorted(order[: k + 1], key=str))) for k in range(known)]
        steps = pd.DataFrame(rows, index=order[:known])
        steps.attrs = original.attrs
        return steps

    plain = plain_names(keys, original)
    orders = permutations(keys) if len(keys) <= MANY else _rotations(keys)
    offered = [(" → ".join(plain[key] for key in order), order) for order in orders]
    controls = {
        "order": menu("order of the keys", offered),
        "known": slider("keys known", 1, len(keys), 1),
    }
    top = pictures.end_of_axis(measured(tuple(sorted(keys, key=str))).UiO)
    return Panel(pictures.identity_picture, controls, compute, len(keys), top)
