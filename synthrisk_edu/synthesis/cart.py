"""Synthesis by CART: a tree says who looks alike, and a record borrows from its leaf.

Variables are synthesized in order. Each gets a tree, grown on the confidential data, that predicts
it from the variables that were not synthesized and from those synthesized before it. A synthetic
record falls into a leaf of that tree by its *synthetic* values, and draws its value from the
confidential records in that leaf.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu.progress import track
from synthrisk_edu.synthesis import checks
from synthrisk_edu.synthesis.lookalikes import draw_donors, is_weighed, take_values

DEEPEST = 30
SPLIT = 3  # no node with fewer than SPLIT × min_leaf records is split, as in synthpop's trees


def synthesize_cart(
    data,
    variables,
    m=1,
    *,
    predictors=None,
    special=None,
    min_leaf=5,
    weights=None,
    weigh_donors=False,
    seed=None,
    progress=False,
):
    """Replace `variables` by values drawn from the leaves of trees; return m data sets.

    Args:
        data: the confidential data.
        variables: names of the variables to synthesize, in this order.
        m: how many synthetic data sets to make.
        predictors: variable → names; by default those not synthesized and those before it.
        special: a mapping from a numeric variable to codes that are no quantities, such as −8.
        min_leaf: the smallest number of records in a leaf.
        weights: one weight per record, for growing the trees; 0 leaves a record out.
        weigh_donors: draw donors by weight too: True, or "classes" for categories only.
        seed: equal seeds, equal data sets.
        progress: show a line of progress.

    >>> data = pd.DataFrame({"Town": list("AAABBB") * 5, "Rent": [5, 5, 5, 9, 9, 9] * 5})
    >>> synthesize_cart(data, ["Rent"], seed=1)[0].equals(data)  # the town settles the rent
    True
    """
    checks.usable_frame("data", data)
    variables, m = checks.to_synthesize(data, variables), checks.count("m", m)
    how = {"min_leaf": checks.count("min_leaf", min_leaf), "rng": checks.generator(seed)}
    how["weigh_donors"] = checks.weigh_donors(weigh_donors)
    how["weights"] = checks.weights(weights, len(data))
    plan = _plan(data, variables, predictors)
    coded = code_columns(data, {name for used in plan.values() for name in used})
    steps = _steps(data, plan, coded, special, progress, how)
    return [_synthesize_once(data, coded, steps, how["rng"]) for _ in range(m)]


def _steps(data, plan, coded, special, progress, how):
    """Grow the trees of every variable, in their order."""
    progress = checks.flag("progress", progress)
    codes = checks.mapping("special", special, list(plan))
    codes = {name: checks.special_codes(data[name], name, codes.get(name, ())) for name in plan}
    return [
        Step(data[name], {one: coded[one] for one in used}, codes[name], **how)
        for name, used in track(list(plan.items()), "growing trees", progress)
    ]


def _plan(data, variables, predictors):
    """Say which variables predict each variable: a mapping from names to lists of names.

    The first of a full synthesis has none: it is drawn with replacement.
    """
    plan, usable = {}, [name for name in data.columns if name not in variables]
    for name in variables:
        plan[name] = list(usable)
        usable.append(name)
    for name, chosen in checks.mapping("predictors", predictors, variables).items():
        plan[name] = checks.predictors(name, checks.names("predictors", chosen), plan[name])
    for name, used in plan.items():
        checks.bounded("data", data, [name, *used])
    return plan


def _synthesize_once(data, coded, steps, rng):
    """Draw one synthetic data set, variable by variable."""
    synthetic, coded = data.copy(), dict(coded)
    for step in steps:
        donors = step.donors(coded, len(data), rng)
        synthetic[step.name] = take_values(data[step.name], donors)
        if step.name in coded:  # it predicts others
            coded[step.name] = coded[step.name].take(donors)
    return synthetic


class Coded(NamedTuple):
    """A column as numbers: quantities, or codes and the levels they stand for; missing is −1."""

    values: np.ndarray
    levels: pd.Index | None  # None: quantities, and missing is NaN

    def take(self, positions):
        """The values at some positions; where the position is −1 the value is missing."""
        missing = np.nan if self.levels is None else -1
        return Coded(np.where(positions < 0, missing, self.values[positions]), self.levels)

    def where(self, rows):
        """The values of some rows."""
        return Coded(self.values[rows], self.levels)

    def turned(self):
        """Return quantities as levels, or levels as quantities.

        A column without any value is of neither kind, and the tree may have met it as the other.

        >>> Coded(np.array([0, -1, 1]), pd.Index([20, 30])).turned().values
        array([20., nan, 30.])
        """
        if self.levels is None:
            codes, levels = pd.factorize(self.values)
            return Coded(codes, pd.Index(levels).astype(object))
        return Coded(np.append(self.levels.to_numpy(dtype=float), np.nan)[self.values], None)


def code_columns(data, names):
    """Some columns of a frame, or of a mapping from names to arrays, as numbers.

    >>> code_columns(pd.DataFrame({"Town": ["B", None, "B"]}), ["Town"])["Town"].values
    array([ 0, -1,  0])
    """
    return {name: _code(data[name]) for name in names}


def _code(column):
    """One column as numbers."""
    if checks.is_numeric(column):
        return Coded(column.to_numpy(dtype=float, na_value=np.nan), None)
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = pd.Categorical(column)
        return Coded(column.codes.astype(np.int64), column.categories.astype(object))
    codes, levels = pd.factorize(column)
    return Coded(codes, pd.Index(levels).astype(object))


class Step:
    """The trees of one variable: which kind of value (if there are several), then which value.

    A number may be missing, or a special code; then whether it is one of these is decided first,
    by a tree of its own, and the quantity is drawn only where there is one.
    """

    def __init__(self, column, predictors, special, **how):
        """Grow the trees of a column from coded ones, by name; `how` is that of `Tree`."""
        self.name, self.predictors = column.name, list(predictors)
        self.kind = _kinds(column, special)
        self.trees = {}
        if self.kind.max() > 0:
            # A missing value is rare, and never the best prediction: no pruning.
            self.trees["kind"] = Tree(predictors, self.kind, prune=False, **how)
        quantity = self.kind == 0
        if quantity.any():
            self.trees["value"] = Tree(predictors, _outcome(column, quantity), quantity, **how)

    def donors(self, synthetic, n, rng):
        """Draw a donor of a value for each of n synthetic records: the donors' positions."""
        donors = None
        if "value" in self.trees:
            donors = self.trees["value"].donors(synthetic, n, rng)
        if "kind" in self.trees:
            model = self.trees["kind"].donors(synthetic, n, rng)
            donors = model if donors is None else np.where(self.kind[model] == 0, donors, model)
        return donors


def _kinds(column, special):
    """0 for a quantity or a category, 1 for a missing number, 2, 3, … for its special codes."""
    if not checks.is_numeric(column):
        return np.zeros(len(column), dtype=int)  # a missing category is a level like the others
    kind = column.isna().to_numpy(dtype=int)
    for number, code in enumerate(special, start=2):
        kind[(column == code).to_numpy(dtype=bool, na_value=False)] = number
    return kind


def _outcome(column, rows):
    """The variable to predict in some rows: numbers as they are, categories as whole numbers."""
    if checks.is_numeric(column):
        return column[rows].to_numpy(dtype=float)
    return pd.factorize(column[rows], use_na_sentinel=False)[0]


class Tree:
    """A tree for one outcome, the leaf of every confidential record, and the weights of donors."""

    def __init__(
        self, known, outcome, rows=None, *, min_leaf, weights, rng, weigh_donors=False, prune=True
    ):
        """Grow the tree on some rows of the known, coded columns; `outcome` has only these rows."""
        rows = np.ones(len(weights), dtype=bool) if rows is None else rows
        self.positions = np.flatnonzero(rows)
        classes = outcome.dtype.kind in "iu"
        weighed = is_weighed(weigh_donors, classes) and weights[rows].any()
        self.donor_weights = weights[rows] if weighed else None
        # Records without weight have no say: not in a leaf's size, nor in the order of levels.
        grown = weights[rows] > 0
        y, w = outcome[grown], weights[rows][grown]
        used = {name: column.where(rows) for name, column in known.items() if len(y)}
        self.encoders = {name: _Encoder(column.where(grown), y, w) for name, column in used.items()}
        self.leaf_of = None
        x = self.encode(used, len(outcome))
        if self.encoders:
            self.tree = _grow(x[grown], y, w, min_leaf, int(rng.integers(2**31)))
            nodes = np.arange(self.tree.tree_.node_count)
            self.leaf_of = _useful_leaves(self.tree) if prune and classes else nodes
        self.donor_leaf = self.leaves(x)

    def encode(self, columns, n):
        """The coded predictors of n records as one array of numbers, in the trees' precision."""
        x = np.empty((n, len(self.encoders)), dtype=np.float32)
        for place, (name, encoder) in enumerate(self.encoders.items()):
            x[:, place] = encoder.encode(columns[name])
        return x

    def leaves(self, x):
        """The leaf each row falls into; without predictors there is one leaf for all."""
        if self.leaf_of is None:
            return np.zeros(len(x), dtype=int)
        return self.leaf_of[self.tree.apply(x, check_input=False)]

    def donors(self, synthetic, n, rng):
        """Draw a donor for each synthetic record from the leaf it falls into."""
        leaf = self.leaves(self.encode(synthetic, n))
        return self.positions[draw_donors(self.donor_leaf, leaf, rng, self.donor_weights)]


def _grow(x, y, weights, min_leaf, seed):
    """Grow a tree: of classes where the outcome is whole numbers, of means where it is not."""
    from sklearn import config_context, tree  # slow to import

    kind = tree.DecisionTreeClassifier if y.dtype.kind in "iu" else tree.DecisionTreeRegressor
    limits = {"max_depth": DEEPEST, "min_samples_leaf": min_leaf}
    limits["min_samples_split"] = max(2, SPLIT * min_leaf)
    weights = None if (weights == 1).all() else weights  # the same tree, and quicker
    with config_context(skip_parameter_validation=True):
        return kind(**limits, random_state=seed).fit(x, y, weights, check_input=False)


class _Encoder:
    """A predictor as numbers a tree can split.

    Numbers count from the lowest, for the tree has only seven digits to tell them apart; a missing
    one stands below all others, so that one split sets it apart. The levels of a category stand in
    the order of their mean outcome, for then the best split of the levels into two groups is among
    the splits at a point. With an outcome of several classes, the order is that of the first
    principal component of the levels' class shares.
    """

    def __init__(self, column, outcome, weights):
        self.levels = column.levels
        if self.levels is None:
            known = column.values[~np.isnan(column.values)]
            self.lowest = known.min() if len(known) else 0.0
            return
        codes, met = pd.factorize(column.values)
        scores = _level_scores(codes, outcome, weights)
        # A level the tree has never met stands in the middle. Missing is the last: its code is −1.
        self.middle = len(met) / 2
        self.rank = np.full(len(self.levels) + 1, self.middle)
        self.rank[met] = np.argsort(np.argsort(scores, kind="stable"))

    def encode(self, column):
        """The predictor of every row as a number."""
        if (column.levels is None) != (self.levels is None):
            column = column.turned()
        if self.levels is None:
            values = column.values - self.lowest
            return np.where(np.isnan(values), -1.0, values)
        if column.levels is self.levels:
            return self.rank[column.values]
        place = np.append(self.levels.get_indexer(column.levels), len(self.levels))
        return np.where(place < 0, self.middle, self.rank[place])[column.values]


def _level_scores(codes, outcome, weights):
    """A score for each level of a category, by which its levels are put in order."""
    size = np.bincount(codes, weights)
    if outcome.dtype.kind == "f":
        return np.bincount(codes, weights * outcome) / size
    classes = outcome.max() + 1
    counts = np.bincount(codes * classes + outcome, weights, minlength=len(size) * classes)
    shares = counts.reshape(-1, classes) / size[:, None]
    centred = shares - shares.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2][0]


def _useful_leaves(tree):
    """Map every node of a tree of classes to the leaf left when useless splits are taken back.

    The tree splits as long as the classes get purer. Splits that do not change which class is
    predicted gain nothing in prediction, and are taken back from the bottom up.
    """
    grown = tree.tree_
    useful = np.arange(grown.node_count)
    wrong = grown.weighted_n_node_samples * (1 - grown.value[:, 0, :].max(axis=1))
    fewest_wrong = wrong.copy()
    inner = np.flatnonzero(grown.children_left >= 0)
    for node in inner[::-1]:  # children have larger numbers than their parents
        split = fewest_wrong[[grown.children_left[node], grown.children_right[node]]].sum()
        fewest_wrong[node] = min(split, wrong[node])
    closed = fewest_wrong >= wrong * (1 - 1e-9)
    for node in inner:
        if useful[node] != node or closed[node]:
            useful[[grown.children_left[node], grown.children_right[node]]] = useful[node]
    return useful
