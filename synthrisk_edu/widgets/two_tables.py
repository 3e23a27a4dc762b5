"""The live part of the report's panel: two tables, and what follows at once as a control moves."""

from dataclasses import replace
from types import SimpleNamespace

from synthrisk_edu.disclosure import disclosure
from synthrisk_edu.match import three_matches
from synthrisk_edu.plots import look
from synthrisk_edu.plots.disclosure import draw_funnel, frame_funnel
from synthrisk_edu.plots.matching import draw_summaries, frame_summaries
from synthrisk_edu.report.matching import varied
from synthrisk_edu.report.section import named
from synthrisk_edu.widgets.panel import Canvas, Panel, Ticks, percent_slider, variable_menu
from synthrisk_edu.words import about, say_rounded

TICK = "Tick at least one thing the intruder knows."


def ticks(names, ticked, label="the intruder knows"):
    """Tick boxes for the columns; many of them scroll."""
    made = Ticks(label, names, ticked)
    made.layout.max_height, made.layout.overflow = "150px", "auto"
    return made


def matching_panel(roles):
    """Build the live panel of two tables whose rows pair: matching, beside the baseline."""
    variables = roles.known + roles.synthesized
    margins = {"left": 0.03, "right": 0.97, "top": 0.82, "bottom": 0.18, "wspace": 0.25}

    def compute(knows, radius):
        """Match with what is ticked: the three tables of the picture."""
        if not knows:
            return None
        now = roles.knowing(knows)
        how = now.known, now.synthesized, radii_of(roles, knows, radius)
        return three_matches(roles.confidential, roles.synthetic, *how)

    most = compute(variables, 0)["confidential"].summary()
    limits = [most.expected_match_risk, max(most.true_match_rate, 1e-9), 1]
    controls = {
        "knows": ticks(variables, variables),
        "radius": percent_slider("radius of synthesized", 0, 100, 10),
    }
    controls["radius"].disabled = not roles.radius  # categories alone have none
    canvas = Canvas(*look.figure(2.5, 3, margins=margins), frame_summaries, limits, list(look.BARS))
    return Panel(controls, compute, draw_summaries, say_matching, canvas, nothing=TICK)


def say_matching(result):
    """Read the three summaries aloud, in short."""
    risk = {name: about(one.summary().expected_match_risk) for name, one in result.items()}
    found, truth = result["synthetic"].records, result["confidential"].summary()
    true, false = found.K.sum(), found.F.sum()
    parts = f"{true + false:,} ({true:,} true and {false:,} false)"
    unique = parts if true + false else "none, so the false match rate is undefined"
    beside = f"{truth.unique_matches:,.0f}, all true" if truth.unique_matches else "none"
    return (
        f"Pointing at one candidate for each of the {len(found):,} records, the intruder is right "
        f"about {risk['synthetic']} times (confidential: {risk['confidential']}; floor: "
        f"{risk['floor']}). Unique matches: {unique}; confidential: {beside}."
    )


def radii_of(roles, knows, per_cent):
    """The radius of every number that is ticked; known ones keep theirs, as in the report."""
    moved = varied(roles) or list(roles.radius)
    return {
        name: per_cent / 100 if name in moved else r
        for name, r in roles.radius.items()
        if name in knows
    }


def funnel_panel(roles):
    """Build the live panel of two tables whose rows do not pair: how far keys lead."""
    names, margins = roles.compared, {"left": 0.38, "right": 0.97, "top": 0.87, "bottom": 0.2}
    target = variable_menu("and wants to learn", names)
    target.value = roles.targets[0] if roles.targets else names[0]

    def compute(knows, target):
        """Look everybody up by what is ticked."""
        keys = [name for name in knows if name != target]
        if not keys:
            return None
        options = replace(roles, keys=keys).options_of(target)
        found = disclosure(roles.confidential, roles.synthetic, keys, target, **options)
        return SimpleNamespace(keys=keys, target=target, attribute=found.attribute.iloc[0])

    return Panel(
        {"knows": ticks(names, roles.keys), "target": target},
        compute,
        lambda ax, now: draw_funnel(ax, now.attribute),
        say_funnel,
        Canvas(*look.figure(2.5, margins=margins), frame_funnel),
        nothing=TICK,
    )


def say_funnel(now):
    """Read the funnel aloud."""
    share = now.attribute.map(say_rounded)
    return (
        f"Knowing {named(now.keys)}, the intruder finds {share.iS} % of the records' keys in the "
        f"synthetic table; {share.DiS} % get a single answer for {named([now.target])}, and "
        f"for {share.DiSCO} % it is right (DiSCO). The confidential table itself would tell it for "
        f"{share.Dorig} % (Dorig)."
    )
