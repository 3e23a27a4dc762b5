"""Synthesis by CART: a tree says who looks alike, and a record borrows from its leaf.

Variables are synthesized in order. Each gets a tree, grown on the confidential data, that predicts
it from the variables that were not synthesized and from those synthesized before it. A synthetic
record falls into a leaf of that tree by its *synthetic* values, and draws its value from the
confidential records in that leaf.
"""

import numpy as np
import pandas as pd

from synthrisk_edu.progress import track
from synthrisk_edu.synthesis import checks
from synthrisk_edu.synthesis.donors import draw_donors, is_weighed, take_values

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
        predictors: variable → names it is predicted from; by default those not synthesized, and
            those before it (the first of a full synthesis is drawn with replacement).
        special: a mapping from a numeric variable to codes that are no quantities, such as −8.
        min_leaf: the smallest number of records in a leaf.
        weights: one weight per record, for growing the trees; 0 leaves a record out.
        weigh_donors: draw donors by weight too (0 never lends): True, or "classes", not numbers.
        seed: equal seeds, equal data sets.
        progress: show a line of progress.

    >>> data = pd.DataFrame({"Town": list("AAABBB") * 5, "Rent": [5, 5, 5, 9, 9, 9] * 5})
    >>> synthesize_cart(data, ["Rent"], seed=1)[0].equals(data)  # the town settles the rent
    True
    """
    checks.frame("data", data)
    checks.usable_columns("data", data)
    variables, m = checks.to_synthesize(data, variables), checks.count("m", m)
    how = {"min_leaf": checks.count("min_leaf", min_leaf)}
    how["weights"] = checks.weights(weights, len(data))
    how |= {"weigh_donors": checks.weigh_donors(weigh_donors), "rng": checks.generator(seed)}
    steps = _steps(data, variables, predictors, special, progress, how)
    return [_synthesize_once(data, steps, how["rng"]) for _ in range(m)]


def _steps(data, variables, predictors, special, progress, how):
    """Grow the trees of every variable, in their order."""
    progress = checks.flag("progress", progress)
    plan = _plan(data, variables, predictors)
    for name, used in plan.items():
        checks.bounded("data", data, [name, *used])
    codes = checks.mapping("special", special, variables)
    codes = {name: checks.special_codes(data[name], name, codes.get(name, ())) for name in plan}
    named = track(variables, "growing trees", progress)
    return [Step(data, name, plan[name], codes[name], **how) for name in named]


def _plan(data, variables, predictors):
    """Say which variables predict each variable: a mapping from names to lists of names."""
    plan, usable = {}, [name for name in data.columns if name not in variables]
    for name in variables:
        plan[name] = list(usable)
        usable.append(name)
    for name, chosen in checks.mapping("predictors", predictors, variables).items():
        plan[name] = checks.predictors(name, checks.names("predictors", chosen), plan[name])
    return plan


def _synthesize_once(data, steps, rng):
    """Draw one synthetic data set, variable by variable."""
    synthetic = data.copy()
    for step in steps:
        donors = step.donors(synthetic, rng)
        synthetic[step.name] = take_values(data[step.name], donors)
    return synthetic


class Step:
    """The trees of one variable: which kind of value (if there are several), then which value.

    A number may be missing, or a special code; then whether it is one of these is decided first,
    by a tree of its own, and the quantity is drawn only where there is one.
    """

    def __init__(self, data, name, predictors, special, **how):
        """Grow the trees of the variable `name` of the data; `how` is that of `Tree`."""
        self.name, self.predictors = name, predictors
        self.kind = _kinds(data[name], special)
        self.trees = {}
        if self.kind.max() > 0:
            # A missing value is rare, and never the best prediction: no pruning.
            self.trees["kind"] = Tree(data, self.kind, predictors, prune=False, **how)
        quantity = self.kind == 0
        if quantity.any():
            outcome = _outcome(data[name], quantity)
            self.trees["value"] = Tree(data, outcome, predictors, quantity, **how)

    def donors(self, synthetic, rng):
        """Draw for each synthetic record who lends it a value; return the donors' positions."""
        donors = None
        if "value" in self.trees:
            donors = self.trees["value"].donors(synthetic, rng)
        if "kind" in self.trees:
            model = self.trees["kind"].donors(synthetic, rng)
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
    """A tree for one outcome, the leaf of every confidential record, and how likely each lends."""

    def __init__(
        self,
        data,
        outcome,
        predictors,
        rows=None,
        *,
        min_leaf,
        weights,
        rng,
        weigh_donors=False,
        prune=True,
    ):
        """Grow the tree on some rows of the data; `outcome` holds these rows only."""
        rows = np.ones(len(data), dtype=bool) if rows is None else rows
        self.positions = np.flatnonzero(rows)
        classes = outcome.dtype.kind in "iu"
        weighed = is_weighed(weigh_donors, classes) and weights[rows].any()
        self.lending = weights[rows] if weighed else None
        # Records without weight have no say: not in a leaf's size, nor in the order of levels.
        grown = weights[rows] > 0
        y, w = outcome[grown], weights[rows][grown]
        data = data if rows.all() else data[rows]
        learnt = data if grown.all() else data[grown]
        self.encoders = [_Encoder(learnt[name], y, w) for name in predictors if len(y)]
        self.leaf_of = None
        x = self.encode(data)
        if self.encoders:
            self.tree = _grow(x[grown], y, w, min_leaf, int(rng.integers(2**31)))
            nodes = np.arange(self.tree.tree_.node_count)
            self.leaf_of = _useful_leaves(self.tree) if prune and classes else nodes
        self.donor_leaf = self.leaves(x)

    def encode(self, data):
        """The predictors as one array of numbers."""
        columns = [encoder.encode(data) for encoder in self.encoders]
        return np.column_stack(columns) if columns else np.empty((len(data), 0))

    def leaves(self, x):
        """The leaf each row falls into; without predictors there is one leaf for all."""
        if self.leaf_of is None:
            return np.zeros(len(x), dtype=int)
        return self.leaf_of[self.tree.apply(x)]

    def donors(self, synthetic, rng):
        """Draw a donor for each synthetic record from the leaf it falls into."""
        leaf = self.leaves(self.encode(synthetic))
        return self.positions[draw_donors(self.donor_leaf, leaf, rng, self.lending)]


def _grow(x, y, weights, min_leaf, seed):
    """Grow a tree: of classes where the outcome is whole numbers, of means where it is not."""
    from sklearn import tree  # slow to import

    kind = tree.DecisionTreeClassifier if y.dtype.kind in "iu" else tree.DecisionTreeRegressor
    limits = {"max_depth": DEEPEST, "min_samples_leaf": min_leaf}
    limits["min_samples_split"] = max(2, SPLIT * min_leaf)
    return kind(**limits, random_state=seed).fit(x, y, sample_weight=weights)


class _Encoder:
    """A predictor as numbers a tree can split.

    Numbers count from the lowest, for the tree has only seven digits to tell them apart; a missing
    one stands below all others, so that one split sets it apart. The levels of a
    category stand in the order of their mean outcome, for then the best split of the levels into
    two groups is among the splits at a point. With an outcome of several classes, the order is
    that of the first principal component of the levels' class shares.
    """

    def __init__(self, column, outcome, weights=None):
        self.name = column.name
        self.levels = self.dtype = None
        if checks.is_numeric(column):
            lowest = column.min(skipna=True)
            self.lowest = 0.0 if pd.isna(lowest) else float(lowest)
        else:
            codes, levels = pd.factorize(column, use_na_sentinel=False)
            self.levels = pd.Index(levels.astype(object))
            weights = np.ones(len(codes)) if weights is None else weights
            scores = _level_scores(codes, outcome, weights)
            self.rank = np.argsort(np.argsort(scores, kind="stable"))

    def encode(self, data):
        """The predictor of every row as a number."""
        column = data[self.name]
        if self.levels is None:
            values = column.to_numpy(dtype=float, na_value=np.nan) - self.lowest
            return np.where(np.isnan(values), -1.0, values)
        if not isinstance(column.dtype, pd.CategoricalDtype):
            codes, levels = pd.factorize(column, use_na_sentinel=False)
            return self._ranks(levels.astype(object))[codes]
        if column.dtype is not self.dtype:  # a category knows its codes: one look at its levels
            self.dtype = column.dtype
            self.by_code = self._ranks([*column.cat.categories.tolist(), np.nan])
        return self.by_code[column.array.codes]  # missing has the code -1: the last

    def _ranks(self, levels):
        """The ranks of some levels; one the tree has never met stands in the middle."""
        place = self.levels.get_indexer(pd.Index(levels, dtype=object))
        return np.where(place < 0, len(self.rank) / 2, self.rank[place])


def _level_scores(codes, outcome, weights):
    """A score for each level of a category, by which its levels are put in order."""
    size = np.bincount(codes, weights)
    if outcome.dtype.kind == "f":
        return np.bincount(codes, weights * outcome) / size
    shares = np.zeros((len(size), outcome.max() + 1))
    np.add.at(shares, (codes, outcome), weights)
    shares /= size[:, None]
    centred = shares - shares.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2][0]


def _useful_leaves(tree):
    """Map every node of a tree of classes to the leaf left when useless splits are taken back.

    It splits as long as the classes get purer. Splits that do not change which
    class is predicted gain nothing in prediction, and are taken back from the bottom up.
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
