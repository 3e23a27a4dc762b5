"""Pictures of disclosure: one person looked up, the funnel of the file, and many targets."""

from textwrap import fill

import numpy as np

from synthrisk_edu.plots import look

QUESTIONS = ["found?", "all the same\nanswer?", "is it right?", "and known from\nthe original?"]
LINKS = {True: ("yes", look.BLUE), False: ("no", look.ORANGE), None: ("–", look.LIGHT)}
IN_ORIGINAL = {"marker": "D", "color": look.DARK, "fillstyle": "none", "markersize": 10}
IN_SYNTHETIC = {"marker": "o", "color": look.GREEN, "markersize": 10}
FUNNEL = {
    "iS": "found (iS)",
    "DiS": "… all the same answer (DiS)",
    "DiSCO": "… and it is right (DiSCO)",
    "DiSDiO": "… and known from the original (DiSDiO)",
}


# One person


def frame_chain(axes):
    """Draw the four questions, and the empty picture of the answers."""
    chain, answers = axes
    for place, question in enumerate(QUESTIONS):
        chain.text(0.3, 3 - place, question, va="center", fontsize=look.NORMAL)
    chain.set_xlim(0, 1)
    chain.set_ylim(-0.7, 3.7)
    chain.set_axis_off()
    answers.set_xlim(0, 100)
    answers.set_ylim(5.6, -0.6)
    answers.set_yticks([])
    look.tidy(
        answers, "answers found under these keys", "% of the synthetic records with these keys"
    )


def draw_chain(axes, links, answers, truth):
    """Show how far the chain goes, and the answers; `links` are four times True, False or None."""
    chain, bars = axes
    for place, link in enumerate(links):
        sign, color = LINKS[link]
        box = {"boxstyle": "round,pad=0.4", "facecolor": color, "edgecolor": "none"}
        chain.text(0.13, 3 - place, sign, color="white", va="center", ha="center", bbox=box,
                   fontsize=look.NORMAL)  # fmt: skip
    shown = _answers_to_show(answers, truth)
    for place, (level, count) in enumerate(shown.items()):
        right = level == truth
        color = look.BLUE if right else look.LIGHT
        bars.barh(place, 100 * count / answers.sum(), 0.7, color=color, alpha=0.5)
        word = f"{level:g}" if isinstance(level, float) else level
        text = f"{word}: {count}" + (" (the truth)" if right else "")
        bars.text(1, place, text, va="center", fontsize=look.SMALL)
    more = len(answers) - len(shown)
    if answers.empty:
        bars.text(1, 0, "nobody", va="center", fontsize=look.SMALL)
    elif more:
        text = f"and {more} other answer" + ("s" if more > 1 else "")
        bars.text(1, len(shown), text, va="center", fontsize=look.SMALL)


def _answers_to_show(answers, truth, most=5):
    """The most frequent answers, highest first, and always the truth if it is among them."""
    answers = answers.sort_values(ascending=False, kind="stable")
    if truth in answers.index[most:]:
        return answers.loc[[*answers.index[: most - 1], truth]]
    return answers.head(most)


# The file


def frame_funnel(ax):
    """Draw the empty funnel."""
    ax.set_xlim(0, 108)
    ax.set_ylim(5.6, -0.6)
    words = ["original records (100 %)", *FUNNEL.values(), "disclosive in the original (Dorig)"]
    ax.set_yticks(range(6), words)
    look.tidy(ax, "how far an intruder gets", "% of the original records")
    ax.tick_params(labelsize=look.SMALL, length=0)


def draw_funnel(ax, attribute):
    """Show the chain from iS to DiSDiO, and Dorig beside it; `attribute` is a Series."""
    values = [100, *(attribute[name] for name in FUNNEL)]
    ax.barh(range(5), values, 0.65, color=[look.LIGHT] + [look.GREEN] * 4)
    ax.barh([5], [attribute.Dorig], 0.65, fill=False, hatch="///", edgecolor=look.DARK)
    for place, value in enumerate([*values, attribute.Dorig]):
        ax.text(min(value, 100) + 0.6, place, f"{value:.1f}", va="center", fontsize=look.SMALL)


# Identity


def frame_identity(ax, keys):
    """Draw the empty picture of uniques as keys are added."""
    words = [keys[0], *(f"+ {key}" for key in keys[1:])]
    ax.set_xlim(-0.6, len(keys) - 0.4)
    ax.set_ylim(0, 100)
    ax.set_xticks(range(len(keys)), words)
    for name, style in (("UiO: unique in the original", {"fill": False, "hatch": "///"}),
                        ("repU: unique in both", {"color": look.GREEN})):  # fmt: skip
        ax.bar([-9], [0], label=name, edgecolor=look.DARK, **style)
    look.tidy(ax, "records alone with their keys", "keys the intruder knows", "% of records")
    look.legend(ax, loc="upper left")


def draw_identity(ax, identity):
    """Show UiO and repU for the first keys, one by one; `identity` has a row for each."""
    place = np.arange(len(identity))
    ax.bar(place - 0.2, identity.UiO, 0.4, fill=False, hatch="///", edgecolor=look.DARK)
    ax.bar(place + 0.2, identity.repU, 0.4, color=look.GREEN)
    for x, row in zip(place, identity.itertuples(), strict=True):
        ax.text(x - 0.2, row.UiO + 1, f"{row.UiO:.1f}", ha="center", fontsize=look.SMALL)
        ax.text(x + 0.2, row.repU + 1, f"{row.repU:.1f}", ha="center", fontsize=look.SMALL)


# Many targets


def frame_targets(ax, n):
    """Draw the empty picture of n targets."""
    ax.set_xlim(0, 104)
    ax.set_ylim(n - 0.4, -0.6)
    ax.set_yticks([])
    look.tidy(ax, "", "% of the original records disclosed")
    for label, style in (("original (Dorig)", IN_ORIGINAL), ("synthetic (DiSCO)", IN_SYNTHETIC)):
        ax.plot([], [], linestyle="none", label=label, **style)
    look.legend(ax, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)


def draw_targets(ax, table):
    """Show Dorig and DiSCO of every target, highest DiSCO first, with its flags."""
    at_axis = ax.get_yaxis_transform()
    for place, row in enumerate(table.itertuples()):
        flags = [name for name, on in (("1-way", row.one_way), ("2-way", row.two_way)) if on]
        text = row.target + (f"\ncheck {' and '.join(flags)}" if flags else "")
        ax.text(-0.01, place, text, transform=at_axis, ha="right", va="center", fontsize=look.SMALL)
        ax.plot([row.DiSCO, row.Dorig], [place, place], color=look.LIGHT, zorder=1)
        ax.plot([row.Dorig], [place], **IN_ORIGINAL)
        ax.plot([row.DiSCO], [place], **IN_SYNTHETIC)


def frame_exclusions(ax, variants, targets):
    """Draw the empty picture of what is left after each kind of exclusion."""
    ax.set_xlim(-0.3, len(variants) - 0.7)
    ax.set_ylim(0, 100)
    ax.set_xticks(range(len(variants)), [fill(name, 16) for name in variants])
    look.tidy(ax, "", "what is left out", "% of the original records")
    look.legend(ax, _target_looks(targets).items(), loc="center left", bbox_to_anchor=(1.0, 0.5))


def draw_exclusions(ax, table, targets):
    """Show one line a target over the kinds of exclusion; `table` has a row for each target."""
    for target, style in _target_looks(targets).items():
        ax.plot(range(table.shape[1]), table.loc[target], **style)


def _target_looks(targets):
    """One marker and colour for each target."""
    colors = [look.BLUE, look.ORANGE, look.GREEN, look.PURPLE, look.DARK]
    return {
        target: {"marker": "os^Dv<>P"[k % 8], "color": colors[k % 5], "markersize": 8, "lw": 1.2}
        for k, target in enumerate(targets)
    }
