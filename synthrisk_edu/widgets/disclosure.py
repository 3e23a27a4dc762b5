"""Panels of lesson 06: what the keys give away."""

from functools import lru_cache
from itertools import permutations
from types import SimpleNamespace

import ipywidgets
import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.disclosure import disclosure, multi_disclosure
from synthrisk_edu.plots import disclosure as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.widgets.panel import (
    Canvas,
    Panel,
    Ticks,
    choice,
    menu,
    percent_slider,
    picker,
    slider,
    step_slider,
    variable_menu,
)
from synthrisk_edu.words import listing, say_rounded

NO_KEYS = "An intruder who knows no key cannot look anybody up. Tick at least one."
MARGINS = {"left": 0.08, "right": 0.98, "top": 0.9, "bottom": 0.16}


def look_up_panel(original, synthetic, keys, targets, *, person=0):
    """Build panel (a), of one person: found, all the same answer, right, told by the original?"""
    margins = {"left": 0.02, "right": 0.98, "top": 0.9, "bottom": 0.16, "wspace": 0.05}
    figure = look.figure(3.3, 2, margins=margins, width_ratios=[1, 1.3])

    @lru_cache(maxsize=64)
    def measured(known, target):
        """Look everybody up once for each choice."""
        return disclosure(original, synthetic, list(known), target)

    def compute(person, known, target):
        if not known:
            return None
        return SimpleNamespace(found=measured(known, target), person=person)

    return Panel(
        {
            "person": picker("person", len(original), person),
            "known": Ticks("the intruder knows", plain_names(keys, original), keys),
            "target": variable_menu("and wants to learn", plain_names(targets, original)),
        },
        compute,
        lambda axes, now: pictures.draw_chain(axes, now.found, now.person),
        lambda now: now.found.explain(now.person),
        Canvas(*figure, pictures.frame_chain),
        nothing=NO_KEYS,
    )


def funnel_panel(original, synthetics, keys, targets, *, special=None):
    """Build panel (b), of the file: the chain in per cent, with every option."""
    numeric = [name for name in ("age", "income") if name in [*keys, *targets]]

    def compute(known, target, age, income, limit, missing, levels):
        if not known:
            return None
        wanted = {"age": age, "income": income}
        groups = {
            name: wanted[name] for name in numeric if wanted[name] and name in (*known, target)
        }
        whole = _has_commonest(original, target, groups, special)
        drop = [_commonest(original[target])] if levels != "all" and whole else []
        codes = {name: codes for name, codes in (special or {}).items() if name in groups}
        options = {"groups": groups, "special": codes, "drop_target": drop}
        options |= {"missing_keys": missing, "missing_target": missing}
        found = disclosure(
            original, synthetics, list(known), target, denom_limit=limit or None, **options
        )
        return SimpleNamespace(found=found, dropped=drop, grouped=levels != "all" and not whole)

    def draw(ax, now):
        pictures.draw_funnel(ax, now.found.attribute.mean())

    figure = look.figure(2.9, margins=MARGINS | {"left": 0.38, "bottom": 0.17})
    canvas = Canvas(*figure, pictures.frame_funnel)
    controls = _funnel_controls(original, keys, targets)
    return Panel(controls, compute, draw, say_funnel, canvas, nothing=NO_KEYS)


def _funnel_controls(original, keys, targets):
    """Return a control for every option of the funnel."""
    return {
        "known": Ticks("the intruder knows", plain_names(keys, original), keys),
        "target": variable_menu("target", plain_names(targets, original)),
        "age": none_or("groups for age", range(2, 31), 0),
        "income": none_or("groups for income", range(2, 31), 20),
        "limit": none_or("largest denominator", range(1, 21), 0),
        "missing": ipywidgets.Checkbox(value=True, description="missing values count"),
        "levels": choice("levels of the target", ["all", "without the commonest"]),
    }


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


def say_funnel(now):
    """Read the funnel aloud."""
    found = now.found
    *keys, asked_for = plain_names([*found.keys, found.target], found).values()
    target = labels([found.target], found)[found.target]
    mean, u = found.attribute.mean().map(say_rounded), found.identity.mean().map(say_rounded)
    left_out = found.exclusions.groupby("synthesis").original.sum().mean()
    note = f" {left_out:,.0f} original records are left out by your choices" if left_out else ""
    for level in now.dropped:
        word = f"{level:g}" if isinstance(level, float) else level
        note += f", among them all with {target} = {word}"
    note += "." if note else ""
    if now.grouped:
        note += f" The groups of {target} are about equal in size: none is left out."
    return (
        f"Of all original records {mean.iS} % are found in the synthetic data by {listing(keys)}, "
        f"{mean.DiS} % get a single answer for {asked_for}, and for {mean.DiSCO} % it "
        f"is right (DiSCO); in the original itself {mean.Dorig} % are disclosed. Unique in the "
        f"original: {u.UiO} %, in both: {u.repU} %.{note}"
    )


def targets_panel(original, synthetic, keys, targets, *, groups=None, special=None):
    """Build panel (c), of all targets at once: what may be left out, and what is flagged."""
    figure = look.figure(3.1, margins=pictures.TARGETS)
    canvas = Canvas(*figure, pictures.frame_targets, plain_names(targets, original).values())
    whole = [t for t in targets if _has_commonest(original, t, groups, special)]

    @lru_cache(maxsize=256)
    def compute(known, leave_out, one_way_most, one_way_share, two_way_most, two_way_share):
        if not known:
            return None
        options = _exclusion_options(original, whole, leave_out)
        options |= {"one_way": (one_way_most, one_way_share)}
        options |= {"two_way": (two_way_most, two_way_share)}
        options |= {"groups": groups or {}, "special": special}
        return multi_disclosure(original, synthetic, list(known), list(targets), **options)

    controls = {
        "known": Ticks("the intruder knows", plain_names(keys, original), keys),
        "leave_out": Ticks("leave out", LEAVE_OUT),
        **flag_sliders(),
    }

    def draw(ax, table):  # every target keeps its row, whatever is moved
        sorted_targets = list(table.target)
        pictures.draw_targets(ax, table.iloc[[sorted_targets.index(one) for one in targets]])

    return Panel(controls, compute, draw, say_targets, canvas, nothing=NO_KEYS)


def flag_sliders():
    """Return the four thresholds of the flags, at what `disclosure` takes by itself."""
    return {
        "one_way_most": slider("one-way: records above", 0, 3000, 50, 50),
        "one_way_share": percent_slider("one-way: share above", 50, 100, 90),
        "two_way_most": slider("two-way: records above", 0, 20, 4),
        "two_way_share": percent_slider("two-way: share above", 50, 100, 80),
    }


MEASURED = ["UiO", "repU", "Dorig", "DiSCO"]
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


def say_targets(table):
    """Read the highest and the lowest target aloud."""
    first, then = plain_names(table.target, table), labels(table.target, table)
    shown = table.assign(**table[MEASURED].map(say_rounded))
    most, least = shown.iloc[0], shown.iloc[-1]
    whose = f" for {then[most.target]}" if table.UiO.nunique() > 1 else ""
    flagged = [then[row.target] for row in table.itertuples() if row.one_way or row.two_way]
    note = f" Flagged, so have a look: {listing(flagged)}."
    if not flagged:
        note = " No target is flagged; that does not say that nothing is disclosed."
    return (
        f"Disclosed most is {first[most.target]}: {most.DiSCO} % of the original records from the "
        f"synthetic data, {most.Dorig} % from the original; least {first[least.target]}: "
        f"{least.DiSCO} % and {least.Dorig} %.{note} UiO is {most.UiO} %, repU {most.repU} %"
        f"{whose}."
    )


VARIANTS = {
    "nothing left out": [],
    "commonest levels": LEAVE_OUT[:1],
    "+ missing values": LEAVE_OUT[:2],
    "+ denominators above 1": LEAVE_OUT,
    "denominators above 1 alone": LEAVE_OUT[2:],
}
MEASURES = {"original (Dorig)": "Dorig", "synthetic (DiSCO)": "DiSCO"}


def exclusions_panel(original, synthetic, keys, targets):
    """Build panel (e), of the paper's Table 1: every target under every kind of exclusion."""
    figure = look.figure(3.4, margins=MARGINS | {"left": 0.24, "bottom": 0.24})

    @lru_cache(maxsize=32)
    def tables(known):
        """Compute a table: a row a target, a column for each measure and what is left out."""
        results = {}
        for name, leave_out in VARIANTS.items():
            options = _exclusion_options(original, targets, leave_out)
            found = multi_disclosure(original, synthetic, list(known), list(targets), **options)
            results[name] = found.set_index(found.target.map(str))[[*MEASURES.values()]]
        return pd.concat(results, axis=1).swaplevel(axis=1)

    def compute(known, measure):
        if not known:
            return None
        table = tables(known)[measure].loc[list(map(str, targets))]
        return SimpleNamespace(measure=measure, table=table)

    return Panel(
        {
            "known": Ticks("the intruder knows", plain_names(keys, original), keys),
            "measure": choice("measure", [*MEASURES.items()]),
        },
        compute,
        lambda ax, now: pictures.draw_exclusions(ax, now.table),
        say_exclusions,
        Canvas(
            *figure, pictures.frame_exclusions, VARIANTS, plain_names(targets, original).values()
        ),
        nothing=NO_KEYS,
    )


def say_exclusions(now):
    """Read aloud what leaving things out does to the target that loses most."""
    lost = (now.table["nothing left out"] - now.table["commonest levels"]).idxmax()
    whole, drop, missing, limit, limit_alone = now.table.loc[lost].map(say_rounded)
    return (
        f"{now.measure} of {plain_names([lost], now.table)[lost]} falls most when the commonest "
        f"levels are left out: from {whole} to {drop} %, then to {missing} % without missing "
        f"values and to {limit} % with denominators of 1 only; denominators of 1 alone give "
        f"{limit_alone} %."
    )


def identity_panel(original, synthetics, keys):
    """Build panel (d), of uniques as keys are added one by one, in any order."""
    figure = look.figure(3.5, margins=MARGINS | {"bottom": 0.17})
    target = next(name for name in original.columns if name not in keys)

    @lru_cache(maxsize=64)
    def measured(known):
        """The order of the keys known does not matter: sorted, each set is measured once."""
        return disclosure(original, synthetics, list(known), target).identity.mean()

    def compute(order, known):
        rows = [measured(tuple(sorted(order[: k + 1], key=str))) for k in range(known)]
        steps = pd.DataFrame(rows, index=list(map(str, order[:known])))
        steps.attrs = original.attrs
        return steps

    plain = plain_names(keys, original)
    orders = [(" → ".join(plain[key] for key in order), order) for order in permutations(keys)]
    controls = {
        "order": menu("order of the keys", orders),
        "known": slider("keys known", 1, len(keys), 1),
    }
    canvas = Canvas(*figure, pictures.frame_identity, len(keys))
    return Panel(controls, compute, pictures.draw_identity, say_identity, canvas)


def say_identity(steps):
    """Read the last step aloud."""
    last, keys = steps.iloc[-1].map(say_rounded), plain_names(steps.index, steps).values()
    return (
        f"Knowing {listing(keys)}, {last.UiO} % of the original records are alone (UiO); "
        f"{last.UiOiS} % are alone and found in the synthetic data, and {last.repU} % are alone in "
        "both (repU)."
    )
