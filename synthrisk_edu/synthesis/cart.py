"""Synthesis by CART: a tree says who looks alike, and a record borrows from its leaf.

Variables are synthesized in order. Each gets a tree, grown on the confidential data, that predicts
it from the variables that were not synthesized and from those synthesized before it. A synthetic
record falls into a leaf of that tree by its *synthetic* values, and draws its value from the
confidential records in that leaf.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.progress import track
from synthrisk_edu.synthesis import doors
from synthrisk_edu.synthesis.lookalikes import draw_donors, take_values

DEEPEST = 30
SPLIT = 3  # no node with fewer than SPLIT × min_leaf records is split, as in synthpop's trees


def synthesize_cart(
    data: pd.DataFrame,
    variables: Sequence[str],
    m: int = 1,
    *,
    predictors: Mapping[str, Sequence[str]] | None = None,
    special: Mapping[str, Sequence[float]] | None = None,
    min_leaf: int = 5,
    weights: Sequence[float] | None = None,
    weigh_donors: bool | str = False,
    seed: int | None = None,
    progress: bool = False,
) -> list[pd.DataFrame]:
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
    variables = doors.to_synthesize(data, variables)
    plan = _plan(data, variables, predictors)
    used = _names_used(plan)
    checks.same_kind({"data": data}, used)
    checks.quantities("data", data, checks.numeric_names(used, [data]))
    doors.no_numbers_as_text(data, used)
    special = _special_codes(special, data, variables)
    checks.number("m", m, 1, whole=True)
    checks.number("min_leaf", min_leaf, 1, whole=True)
    _weights_to_weigh(weights, weigh_donors)
    weights = checks.weights(weights, len(data))
    rng = checks.generator(seed)

    coded, levels = code_table(data, [[name] for name in used])
    every_row = np.arange(len(data))
    trees = {}
    for name, known in track(list(plan.items()), "growing trees", progress):
        trees[name] = VariableTrees(
            x=matrix(coded, known, every_row),
            levels=[levels[predictor] for predictor in known],
            outcome=coded[name],
            levels_of_outcome=levels[name],
            special=special.get(name, ()),
            weights=weights,
            min_leaf=min_leaf,
            rng=rng,
            weigh_donors=weigh_donors,
        )
    return [_synthesize_once(data, coded, plan, trees, rng) for _ in range(m)]


def _plan(data, variables, predictors):
    """Say which variables predict each variable: a mapping from names to lists of names.

    The first of a full synthesis has none: it is drawn with replacement.
    """
    plan = {}
    usable = [name for name in data.columns if name not in variables]
    for name in variables:
        plan[name] = list(usable)
        usable.append(name)
    for name, chosen in checks.mapping("predictors", predictors, variables).items():
        plan[name] = doors.predictors(name, chosen, plan[name])
    return plan


def _names_used(plan):
    """List all variables of a plan once: those to synthesize and those that predict them."""
    names = []
    for variable, predictors in plan.items():
        names += [*predictors, variable]
    return list(dict.fromkeys(names))


def _special_codes(special, data, variables):
    """Return the special codes by variable: lists of numbers, and the variable holds numbers."""
    special = checks.mapping("special", special, variables)
    for name, codes in special.items():
        codes = checks.listed(f"special[{checks.show(name)}]", codes, "codes, such as [-8]")
        if not checks.is_numeric(data[name]):
            raise TypeError(
                f"special names {checks.show(name)}, which holds no numbers; a code among "
                "categories is a level like the others, so leave it out of special."
            )
        for code in codes:
            if not checks.is_number(code):
                raise TypeError(
                    f"special[{checks.show(name)}] holds {checks.show(code)}, but the column holds "
                    "numbers; write the code as a number."
                )
    return special


def _weights_to_weigh(weights, weigh_donors):
    """Whoever weighs donors says by which weights."""
    checks.one_of("weigh_donors", weigh_donors, (False, True, "classes"))
    if weigh_donors and weights is None:
        raise ValueError(
            f"weigh_donors is {weigh_donors!r}, but there are no weights; give weights, one per "
            "record, or leave weigh_donors out."
        )


def _synthesize_once(data, coded, plan, trees, rng):
    """Draw one synthetic data set, variable by variable."""
    synthetic = data.copy()
    drawn = dict(coded)
    every_row = np.arange(len(data))
    for name, known in plan.items():
        donors = trees[name].donors(matrix(drawn, known, every_row), rng)
        synthetic[name] = take_values(data[name], donors)
        drawn[name] = coded[name][donors]
    return synthetic


# ------------------------------------------------------------------- a table as numbers


def code_table(
    data: pd.DataFrame, variables: Iterable[list[str]]
) -> tuple[dict[str, np.ndarray], dict[str, pd.Index | None]]:
    """Return the columns of a table as numbers, and the levels behind the numbers: two mappings.

    Quantities stay as they are, and have no levels (None). Categories become 0, 1, 2, …. Missing
    is NaN. `variables` lists the columns of each variable, which have their levels in common.

    >>> coded, levels = code_table(pd.DataFrame({"Town": ["B", None, "A"]}), [["Town"]])
    >>> coded["Town"].tolist(), list(levels["Town"])
    ([0.0, nan, 1.0], ['B', 'A'])
    """
    coded = {}
    levels = {}
    for names in variables:
        columns = [data[name] for name in names]
        stacked = pd.concat(columns, ignore_index=True)
        if all(checks.is_numeric(column) for column in columns if column.notna().any()):
            numbers = cells.as_floats(stacked)
            levels_in_common = None
        else:
            codes, levels_in_common = pd.factorize(stacked)
            numbers = np.where(codes < 0, np.nan, codes)
        for name, numbers_of_column in zip(names, np.split(numbers, len(names)), strict=True):
            coded[name] = numbers_of_column
            levels[name] = levels_in_common
    return coded, levels


def matrix(coded: Mapping[str, np.ndarray], names: Sequence[str], rows: np.ndarray) -> np.ndarray:
    """Return some coded columns side by side, at some rows.

    >>> matrix({"Age": np.array([40.0, 50.0])}, ["Age"], rows=[1]).tolist()
    [[50.0]]
    """
    x = np.empty((len(rows), len(names)))
    for place, name in enumerate(names):
        x[:, place] = coded[name][rows]
    return x


# ------------------------------------------------------------------------------- trees


class VariableTrees:
    """The trees of one variable: what sort of answer is it (if there are several), and which value?

    A number may be missing, or a special code. Whether it is one of these is decided by a tree of
    its own, and the value is drawn only where there is one.
    """

    def __init__(
        self,
        x: np.ndarray,
        levels: list,
        outcome: np.ndarray,
        levels_of_outcome: pd.Index | None,
        special: Sequence[float] = (),
        *,
        weights: np.ndarray,
        min_leaf: int,
        rng: np.random.Generator,
        weigh_donors: bool | str = False,
    ) -> None:
        """Grow the trees; the outcome is coded like the predictors x, the rest is for `Tree`."""
        self.answer = np.zeros(len(outcome), dtype=int)  # 0: there is a value
        if levels_of_outcome is None:
            self.answer[np.isnan(outcome)] = 1
            for number, code in enumerate(special, start=2):
                self.answer[outcome == code] = number
        else:  # a missing category is a level like the others
            outcome = pd.factorize(outcome, use_na_sentinel=False)[0]
        self.answer_tree = None
        if self.answer.any():
            self.answer_tree = Tree(
                x,
                levels,
                self.answer,
                weights=weights,
                min_leaf=min_leaf,
                rng=rng,
                weigh_donors=weigh_donors,
                prune=False,  # a missing value is rare, and never the best prediction
            )
        self.value_tree = None
        self.rows = np.flatnonzero(self.answer == 0)
        if len(self.rows):
            self.value_tree = Tree(
                x[self.rows],
                levels,
                outcome[self.rows],
                weights=weights[self.rows],
                min_leaf=min_leaf,
                rng=rng,
                weigh_donors=weigh_donors,
            )

    def donors(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a donor of a value for each row of x; return the donors' positions."""
        if self.value_tree is None:
            return self.answer_tree.donors(x, rng)
        value_donors = self.rows[self.value_tree.donors(x, rng)]
        if self.answer_tree is None:
            return value_donors
        answer_donors = self.answer_tree.donors(x, rng)
        has_value = self.answer[answer_donors] == 0
        return np.where(has_value, value_donors, answer_donors)


class Tree:
    """A tree that predicts one outcome: its leaves say who looks alike."""

    def __init__(
        self,
        x: np.ndarray,
        levels: list,
        y: np.ndarray,
        *,
        weights: np.ndarray,
        min_leaf: int,
        rng: np.random.Generator,
        weigh_donors: bool | str = False,
        prune: bool = True,
    ) -> None:
        """Grow the tree on coded predictors x; the outcome y is floats, or classes as integers."""
        classes = y.dtype.kind == "i"
        self.weights = None  # every donor of a leaf is equally likely
        if is_weighed(weigh_donors, classes) and weights.any():
            self.weights = weights
        self.tree = None  # one leaf for all
        # Records without weight have no say: not in a leaf's size, nor in the order of levels.
        grown = weights > 0
        if x.shape[1] and grown.any():
            self._order_levels(x[grown], levels, y[grown], weights[grown])
            seed = int(rng.integers(2**31))
            self.tree = _grow(self._numbers(x[grown]), y[grown], weights[grown], min_leaf, seed)
            self.leaf_of_node = np.arange(self.tree.tree_.node_count)
            if prune and classes:
                self.leaf_of_node = _useful_leaves(self.tree)
        self.leaf_of_donor = self.leaves(x)

    def _order_levels(self, x, levels, y, weights):
        """Remember the lowest of every quantity, and in which order a category's levels stand."""
        is_category = np.array([names is not None for names in levels], dtype=bool)
        self.lowest = np.where(is_category, 0.0, np.fmin.reduce(x))
        self.ranks = {}
        for place in np.flatnonzero(is_category):
            self.ranks[place] = _ranks(x[:, place], len(levels[place]), y, weights)

    def _numbers(self, x):
        """Return the predictors as numbers that a tree can split.

        Quantities count from the lowest, for a tree has only seven digits to tell them apart. The
        levels of a category stand in the order of `_ranks`. Missing quantities stand below all
        others, so that one split sets them apart.
        """
        x = np.nan_to_num(x - self.lowest, nan=-1.0)
        for place, rank in self.ranks.items():
            x[:, place] = rank[x[:, place].astype(int)]
        return x.astype(np.float32)

    def leaves(self, x: np.ndarray) -> np.ndarray:
        """Return the leaf each row falls into."""
        if self.tree is None:
            return np.zeros(len(x), dtype=int)
        return self.leaf_of_node[self.tree.apply(self._numbers(x), check_input=False)]

    def donors(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a donor for each synthetic record: a tree says who looks alike.

        The record falls into a leaf by its synthetic values x, and borrows from that leaf: every
        confidential record there is equally likely, or as likely as its share of the weights.

        >>> x, rent = np.array([[1.0], [1.0], [7.0], [7.0]]), np.array([5.0, 5.0, 9.0, 9.0])
        >>> rng = np.random.default_rng(1)
        >>> tree = Tree(x, [None], rent, weights=np.ones(4), min_leaf=1, rng=rng)
        >>> rent[tree.donors(np.array([[1.0], [7.0], [6.0]]), rng)].tolist()
        [5.0, 9.0, 9.0]
        """
        leaf = self.leaves(x)
        return draw_donors(self.leaf_of_donor, leaf, rng, self.weights)


def is_weighed(weigh_donors: bool | str, classes: bool) -> bool:
    """Say whether a value is drawn by its donors' weights: True, False, or "classes" alone.

    >>> is_weighed("classes", True), is_weighed("classes", False), is_weighed(True, False)
    (True, False, True)
    """
    return classes if weigh_donors == "classes" else weigh_donors


def _grow(x, y, weights, min_leaf, seed):
    """Grow a tree: of classes where the outcome is whole numbers, of means where it is not."""
    from sklearn import config_context, tree  # slow to import

    grower = tree.DecisionTreeClassifier if y.dtype.kind == "i" else tree.DecisionTreeRegressor
    seedling = grower(
        max_depth=DEEPEST,
        min_samples_leaf=min_leaf,
        min_samples_split=max(2, SPLIT * min_leaf),
        random_state=seed,
    )
    if (weights == 1).all():
        weights = None  # the same tree, and quicker
    with config_context(skip_parameter_validation=True), warnings.catch_warnings():
        # Many classes among few records are meant: a small table of people, and their names.
        warnings.filterwarnings("ignore", message="The number of unique classes is greater")
        return seedling.fit(x, y, weights, check_input=False)


def _ranks(codes, size, outcome, weights):
    """Return the rank of each of `size` levels of a category, and of missing as the last entry.

    Levels stand in the order of their mean outcome, for then the best split of the levels into two
    groups is among the splits at a point. With an outcome of several classes, the order is that of
    the first principal component of the levels' class shares. A level nobody has stands in the
    middle.

    >>> _ranks(np.array([0.0, 1, 1, np.nan]), 3, np.array([7.0, 1, 3, 4]), np.ones(4)).tolist()
    [2.0, 0.0, 1.5, 1.0]
    """
    numbers, met = pd.factorize(np.nan_to_num(codes, nan=-1).astype(int))
    weight_of_level = np.bincount(numbers, weights)
    if outcome.dtype.kind == "f":
        scores = np.bincount(numbers, weights * outcome) / weight_of_level
    else:
        classes = outcome.max() + 1
        counts = np.bincount(numbers * classes + outcome, weights, minlength=len(met) * classes)
        shares = counts.reshape(-1, classes) / weight_of_level[:, None]
        centred = shares - shares.mean(axis=0)
        components = np.linalg.svd(centred, full_matrices=False)[2]
        scores = centred @ components[0]
    rank = np.full(size + 1, len(met) / 2)
    rank[met] = np.argsort(np.argsort(scores, kind="stable"))
    return rank


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
        children = [grown.children_left[node], grown.children_right[node]]
        fewest_wrong[node] = min(fewest_wrong[children].sum(), wrong[node])
    useless = fewest_wrong >= wrong * (1 - 1e-9)  # the splits below this node
    for node in inner:
        if useful[node] != node or useless[node]:
            children = [grown.children_left[node], grown.children_right[node]]
            useful[children] = useful[node]
    return useful
