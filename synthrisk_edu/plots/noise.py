"""Pictures of noisy counts: what ε promises, and what two intruders get from such files."""

from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import rounded, say_percent

ENDS = (-5, 6)  # of the published count


def frame_noise(axes, epsilons, true):
    """Draw the empty pictures; `true` has both intruders' results without noise."""
    promise, believed, guessed = axes
    ends = {"xlim": ENDS, "ylim": (0, 1.45)}
    look.tidy(promise, "how likely is a published count?", "published count", **ends)
    promise.set_xticks(range(-4, 7, 2))
    promise.set_yticks([])
    promise.plot([], [], color=look.BLUE, label="with the person (1)")
    promise.plot([], [], color=look.DARK, linestyle="--", label="without (0)")
    look.legend(promise, loc="upper left")
    words = {"DiSCO": "DiSCO in 100 files (%)", "guess": "plain guess right (%)"}
    for ax, name, top in (
        (believed, "DiSCO", max(10, 1.35 * true["DiSCO"])),
        (guessed, "guess", 108),
    ):
        ax.set_xscale("log")
        ax.set_xticks(epsilons, [f"{one:g}" for one in epsilons])
        ax.minorticks_off()
        ax.axhline(true[name], **look.LINES["confidential"])
        above = {"xytext": (0, 3), "textcoords": "offset points", "fontsize": look.SMALL}
        ax.annotate("without noise", (epsilons[0], true[name]), **above)
        sides = {"xlim": (epsilons[0] / 1.6, 1.6 * epsilons[-1]), "ylim": (-0.04 * top, top)}
        look.tidy(ax, words[name], "ε", **sides)


def draw_noise(axes, now):
    """Draw both curves of one count, and a dot for each of the files."""
    promise, believed, guessed = axes
    promise.plot(now.published, now.with_person, color=look.BLUE)
    promise.plot(now.published, now.without_person, color=look.DARK, linestyle="--")
    for ax, values in ((believed, now.files.DiSCO), (guessed, now.files.guess)):
        places = [now.epsilon] * len(values)
        ax.plot(places, values, marker=".", color=look.GREEN, linestyle="none", alpha=0.4)
        ax.plot([now.epsilon], [values.mean()], **look.NOW)


def say_noise(now):
    """Read the promise and both intruders' results aloud."""
    files = now.files
    low, high = rounded(files.DiSCO.min()), rounded(files.DiSCO.max())
    return (
        f"With ε = {now.epsilon:g} a count is off by {1 / now.epsilon:g} on average before it is "
        "rounded. Whatever is "
        f"published is at most {rounded(now.times)} times as likely with a person as without. In "
        f"{len(files)} such files DiSCO is {say_percent(files.DiSCO.mean())} % on average ({low} "
        f"to {high}), without noise {say_percent(now.true['DiSCO'])} %. The plain guess is right "
        f"for {say_percent(files.guess.mean())} %, without noise "
        f"{say_percent(now.true['guess'])} %. A file has {files.records.mean():,.0f} records on "
        f"average, made of {now.people:,} people."
    )


NOISE = Picture(
    frame_noise,
    draw_noise,
    say_noise,
    {
        "height": 3.3,
        "columns": 3,
        "margins": {"left": 0.02, "right": 0.99, "top": 0.88, "bottom": 0.17, "wspace": 0.2},
    },
)
