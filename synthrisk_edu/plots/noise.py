"""The picture of noisy counts: what ε promises, and what two intruders get from such files."""

from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Mark, Shown, Tile, columns, picture
from synthrisk_edu.words import counted, percent, rounded

ENDS = (-4.5, 5.5)  # of the published count
COUNTS = range(-4, 6)  # whole ones, which can be read
RANGE = {"facecolor": look.GREEN, "edgecolor": "none", "alpha": 0.25}
PER_CENT = {"DiSCO": "DiSCO (%)", "guess": "Plain guess, right for (%)"}


@picture(
    height=3.1,
    columns=3,
    gridspec_kw={"width_ratios": [1.15, 1, 1]},
    touch="Click one of the two curves on the right to move ε.",
)
def noise_picture(axes, by_epsilon, true):
    """Draw what a person's taking part changes, and what two intruders get at every ε.

    `by_epsilon` has a row for every ε and the columns mean, min and max of DiSCO and of the plain
    guess in its files; `true` has both without noise.
    """
    promise, believed, guessed = axes
    look.tidy(promise, "How likely is a published count?", "published count", xlim=ENDS)
    promise.set(ylim=(0, 1.35), xticks=range(-4, 6, 2), yticks=[])
    promise.spines["left"].set_visible(False)
    look.label(promise, 0.1, 1, "without the\nperson: 0", away=(0, 4), ha="right")
    look.label(promise, 0.9, 1, "with the\nperson: 1", look.BLUE, away=(0, 4))
    most = by_epsilon["DiSCO", "max"].max()
    tops = {"DiSCO": max(10, 1.35 * true["DiSCO"], 1.05 * most), "guess": 100}
    for ax, name in ((believed, "DiSCO"), (guessed, "guess")):
        _draw_every_epsilon(ax, name, by_epsilon[name], true[name], tops[name])

    def move(now):
        promise.plot(now.published, now.with_person, color=look.BLUE, linewidth=2)
        promise.plot(now.published, now.without_person, **look.LINES["confidential"])
        marks = _marks_of_counts(promise, now)
        words = [_epsilon_in_words(epsilon, row) for epsilon, row in by_epsilon.iterrows()]
        for ax, name in ((believed, "DiSCO"), (guessed, "guess")):
            mean = by_epsilon[name, "mean"]
            ax.plot([now.epsilon], [mean[now.epsilon]], **look.NOW)
            marks += columns(ax, mean.index, mean, words, "epsilon", list(mean.index))
        return Shown(_say_noise(now), _noise_tiles(now), marks)

    return move


def _draw_every_epsilon(ax, name, files, without_noise, top):
    """Draw the mean of the files of every ε, the range of single files, and the true value."""
    epsilons = files.index
    ax.set_xscale("log")
    ax.set_xticks(epsilons, [f"{one:g}" for one in epsilons])
    ax.minorticks_off()
    look.tidy(ax, PER_CENT[name], "ε", grid="y")
    ax.set(xlim=(epsilons[0] / 1.4, 1.4 * epsilons[-1]), ylim=(0, top))
    ax.axhline(without_noise, **look.LINES["confidential"])
    right = {"ha": "right", "away": (0, 8)}
    look.label(ax, ax.get_xlim()[1], without_noise, "without noise", **right)
    ax.fill_between(epsilons, files["min"], files["max"], **RANGE)
    ax.plot(epsilons, files["mean"], marker=".", **look.LINES["synthetic"])


def _marks_of_counts(ax, now):
    """Return a mark for every whole count that may be published; it can only be read."""
    bottom, top = ax.get_ylim()
    marks = []
    for count, height in now.heights.items():
        who = "with" if count > 0 else "without"
        words = f"published {count}\n{rounded(now.times)} times as likely {who} the person"
        box = (count - 0.5, bottom, count + 0.5, top)
        marks.append(Mark(ax, count, height, words, box=box))
    return marks


def _epsilon_in_words(epsilon, row):
    """Read what both intruders get with one ε."""
    disco = row["DiSCO"]
    low, high = rounded(disco["min"]), rounded(disco["max"])
    return (
        f"ε = {epsilon:g}\nDiSCO {percent(disco['mean'])} ({low} to {high})\n"
        f"plain guess {percent(row['guess', 'mean'])}"
    )


def _noise_tiles(now):
    """Return the promise, and what both intruders get."""
    tiles = [Tile("at most", rounded(now.times), "times as likely", look.BLUE)]
    for name, label in {"DiSCO": "DiSCO", "guess": "plain guess"}.items():
        words = f"{percent(now.true[name])} without noise"
        tiles.append(Tile(label, percent(now.found[name, "mean"]), words, look.GREEN))
    return tiles


def _say_noise(now):
    """Say how large the noise is, what one person changes, and what the files hold."""
    low, high = (rounded(now.found["DiSCO", end]) for end in ("min", "max"))
    made = counted(round(now.records), "record", "records")
    return (
        f"With ε = {now.epsilon:g} a count is off by {1 / now.epsilon:g} on average, and one "
        "person more or less changes the chance of any result by the factor e^ε at most. "
        f"In {len(now.files)} files DiSCO lies between {low} % and {high} %; they have {made} on "
        f"average, made of {now.people:,} people."
    )
