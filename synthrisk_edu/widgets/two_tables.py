"""The live part of the report's panel: two tables, and what follows at once as a control moves."""

from dataclasses import replace
from types import SimpleNamespace

from synthrisk_edu.disco import disclosure
from synthrisk_edu.matching import match, three_matches
from synthrisk_edu.plots.disclosure import FUNNEL
from synthrisk_edu.plots.matching import draw_summaries, frame_summaries, summary_limits
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.report.notes import named
from synthrisk_edu.widgets.panel import Panel, Ticks, percent_slider, variable_menu
from synthrisk_edu.words import rounded, say_percent

TICK = "Tick at least one thing the intruder knows."


def ticks(names, ticked, label="the intruder knows"):
    """Tick boxes for the columns; many of them scroll."""
    made = Ticks(label, names, ticked)
    made.layout.max_height, made.layout.overflow = "150px", "auto"
    return made


def matching_panel(roles):
    """Build the live panel of two tables whose rows pair: matching, beside the baseline."""
    variables = roles.known + roles.synthesized

    def compute(knows, radius):
        """Match with what is ticked: the three tables of the picture, and who falls back."""
        if not knows:
            return None
        sides = (roles.known, roles.synthesized)
        sides = [[name for name in side if name in knows] for side in sides]
        how = *sides, radii_of(roles, knows, radius)
        pair = roles.confidential, roles.synthetics[0]
        back = match(*pair, *how, fallback=True)
        return SimpleNamespace(matches=three_matches(*pair, *how), back=back)

    limits = summary_limits(compute(variables, 0).matches["confidential"])
    controls = {
        "knows": ticks(variables, variables),
        "radius": percent_slider("radius of synthesized", 0, 100, 10),
    }
    controls["radius"].disabled = not roles.radius  # categories alone have none
    return Panel(MATCHING, controls, compute, limits, nothing=TICK)


def draw_matching(axes, now):
    """Show the three summaries."""
    draw_summaries(axes, now.matches)


def say_matching(now):
    """Read the three summaries aloud, in short."""
    result, back = now.matches, rounded(now.back.summary().expected_match_risk)
    risk = {name: rounded(one.summary().expected_match_risk) for name, one in result.items()}
    found, truth = result["synthetic"].records, result["confidential"].summary()
    true, false = found.K.sum(), found.F.sum()
    parts = f"{true + false:,} ({true:,} true and {false:,} false)"
    unique = parts if true + false else "none, so the false match rate is undefined"
    beside = f"{truth.unique_matches:,.0f}, all true" if truth.unique_matches else "none"
    return (
        f"Pointing at one candidate for each of the {len(found):,} records, the intruder is right "
        f"about {risk['synthetic']} times (confidential: {risk['confidential']}; floor: "
        f"{risk['floor']}); falling back where nobody matches, {back} times. Unique matches: "
        f"{unique}; confidential: {beside}."
    )


MATCHING = Picture(
    frame_summaries,
    draw_matching,
    say_matching,
    {
        "height": 2.5,
        "columns": 3,
        "margins": {"left": 0.03, "right": 0.97, "top": 0.82, "bottom": 0.18, "wspace": 0.25},
    },
)


def radii_of(roles, knows, per_cent):
    """The radius of every number that is ticked; known ones keep theirs, as in the report."""
    moved = roles.varied or list(roles.radius)
    return {
        name: per_cent / 100 if name in moved else r
        for name, r in roles.radius.items()
        if name in knows
    }


def funnel_panel(roles):
    """Build the live panel of two tables whose rows do not pair: how far keys lead."""
    target = variable_menu("and wants to learn", roles.compared)
    target.value = roles.targets[0] if roles.targets else roles.compared[0]

    def compute(knows, target):
        """Look everybody up by what is ticked."""
        keys = [name for name in knows if name != target]
        if not keys:
            return None
        groups = {name: k for name, k in roles.groups.items() if name in [*keys, target]}
        pair = roles.confidential, roles.synthetics[0]
        found = disclosure(*pair, keys, target, groups=groups)
        return SimpleNamespace(found=found)

    controls = {"knows": ticks(roles.compared, roles.keys), "target": target}
    return Panel(SHORT_FUNNEL, controls, compute, nothing=TICK)


def say_funnel(now):
    """Read the funnel aloud, in short; names come from a stranger's file."""
    share = now.found.attribute.iloc[0].map(say_percent)
    return (
        f"Knowing {named(now.found.keys)}, the intruder finds {share.iS} % of the records' keys in "
        f"the synthetic table; {share.DiS} % get a single answer for {named([now.found.target])}, "
        f"and for {share.DiSCO} % it is right (DiSCO). The confidential table itself would tell it "
        f"for {share.Dorig} % (Dorig)."
    )


SHORT_FUNNEL = replace(
    FUNNEL,
    say=say_funnel,
    size={"height": 2.5, "margins": {"left": 0.38, "right": 0.97, "top": 0.87, "bottom": 0.2}},
)
