"""What do we look at? The simulated data files and their codebooks.

Nobody in these files exists: `data/make_data.py` and `data/make_households.py` simulate them, so
that they agree with a few published totals and averages of real surveys. Every call reads the file
anew; change what you get as you like. A frame from here says in its `attrs` which codebook it is
written in, and so do frames made from it: `labels` gives plain words to these and to no others.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu import checks

CODEBOOK = "codebook"  # where a frame's `attrs` say which codebook it is written in

# Made by the scripts in data/: make_synthetic.py, make_youth_results.py, make_disclosure.py,
# make_household_results.py and make_members.py
RESULTS = """acs_classes acs_luck acs_steps acs_relinked
ce_releases ce_scenarios ce_pool ce_together ce_spread ce_surface ce_repels
youth_knowledge youth_releases youth_linked youth_reasons youth_files
household_risk household_penalties household_sizes household_methods household_states
household_knowledge household_incomes household_fractions household_halves household_weighed
household_others household_adult members_keys members_leaves members_leaf_keys members_copies
members_sizes members_splits members_both disclosure_files disclosure_actions disclosure_ways
disclosure_exact""".split()

# The codebook of such results, by how their name begins.
RESULT_BOOKS = {"household": "households", "members": "diagnosis", "disclosure": "diagnosis"}

LEFT_OUT = (34, 20, 12, 22)  # facilities that `prepare_youth` leaves out
PERSON_QIS = ("age", "gender", "education", "working")  # of the respondents of a household


def load_acs() -> pd.DataFrame:
    """Return 10,000 simulated persons with ten categorical variables.

    They stand in for a sample of the American Community Survey of 2012.

    >>> load_acs()["SEX"].cat.categories.tolist()
    [1, 2]
    """
    return _load("acs")


def load_ce() -> pd.DataFrame:
    """Return 5,571 simulated consumer units with seven variables.

    They stand in for a sample of the Consumer Expenditure Surveys. Age, Expenditure and Income are
    numbers, the other four are categories.

    >>> list(load_ce().select_dtypes("number"))
    ['Age', 'Expenditure', 'Income']
    """
    return _load("ce")


def load_diagnosis() -> pd.DataFrame:
    """Return 5,000 simulated persons with nine variables.

    They stand in for a sample of Social Diagnosis 2011, a survey in Poland. Age, depress (a
    depression score) and income are numbers, the other six are categories. Missing values are NaN.
    An income of -8 is a code, not a quantity: not applicable or refused.

    >>> list(load_diagnosis().select_dtypes("number"))
    ['age', 'depress', 'income']
    """
    return _load("diagnosis")


def load_youth() -> pd.DataFrame:
    """Return 2,621 simulated youths in 50 facilities, with eight variables.

    They stand in for the Survey of Youth in Custody of 1987. Age and weight are numbers, the other
    six are categories. Missing values of race, ethnicity and crime are NaN.

    >>> load_youth()["ethnicity"].value_counts(dropna=False).tolist()
    [2146, 467, 8]
    """
    return _load("youth")


def prepare_youth(youth: pd.DataFrame) -> pd.DataFrame:
    """Return the youths as Reiter and Mitra use them: 46 facilities, and missing as a level.

    They leave out four of the 50 facilities. Which ones they do not say; leaving out these four
    gives their number of youths and of sample uniques in the real file (`fetch_youth`). A missing
    race, ethnicity or crime becomes the code 9.

    >>> youth = prepare_youth(load_youth())
    >>> len(youth), youth["facility"].nunique(), int(youth.isna().sum().sum())
    (2562, 46, 0)
    """
    _with_codes("youth", youth, ["facility", "race", "ethnicity", "crime"])
    youth = youth[~youth["facility"].isin(LEFT_OUT)].reset_index(drop=True)
    youth["facility"] = youth["facility"].cat.remove_unused_categories()
    for name in ("race", "ethnicity", "crime"):
        youth[name] = youth[name].astype("Int64").fillna(9).astype(int).astype("category")
    return youth


class Households(NamedTuple):
    """A simulated sample of households, the persons in them, and the population it comes from.

    `households` has one row for each sampled household, `persons` one for each respondent: number
    `household` links the two. `population` says how many households of the whole population,
    sampled or not, have each combination of quasi-identifiers: where they live, how many residents
    they have, and age, gender, education and work of their first two respondents (`age_1`, …,
    `working_2`). The values of a second respondent are NaN where there is only one.
    """

    persons: pd.DataFrame
    households: pd.DataFrame
    population: pd.DataFrame


def load_households() -> Households:
    """Return 42,311 simulated households, their respondents, and the population: `Households`.

    They stand in for a sample of the Longitudinal Aging Study in India, which asks everyone aged 45
    and over, and their spouses of any age. In a real study the population's counts are unknown.

    >>> everyone = load_households()
    >>> len(everyone.households), int(everyone.population["count"].sum())
    (42311, 14940562)
    """
    return Households(
        persons=_load("persons", book_name="households"),
        households=_load("households"),
        # Read once for all; what one caller changes no other sees.
        population=_read_population(_existing("population.npz")).copy(),
    )


def codebook(name: str) -> pd.DataFrame:
    """Return what the variables and codes of a simulated file mean, one row for each code.

    A numeric variable has a single row, without a code; its meaning is the unit and the range.

    >>> book = codebook("acs")
    >>> book.loc[book["variable"] == "DIS", ["code", "meaning"]].to_numpy().tolist()
    [[1, 'yes'], [2, 'no']]
    """
    ending = "_codebook.csv"
    options = sorted(path.name.removesuffix(ending) for path in _folder().glob("*" + ending))
    checks.one_of("name", name, options)
    book = read_shipped(name + ending)
    if pd.api.types.is_numeric_dtype(book["code"]):
        book["code"] = book["code"].astype("Int64")  # whole numbers, though some are missing
    return book


def plain_names(variables: Iterable[str], data: pd.DataFrame) -> dict[str, str]:
    """Name variables where they are first mentioned: by their `labels`, with codes in brackets.

    >>> plain_names(["SEX", "MAR"], load_acs())
    {'SEX': 'sex', 'MAR': 'marital status (MAR)'}
    """
    plain = {}
    for name, label in labels(variables, data).items():
        is_the_name = label.casefold() == str(name).casefold()
        plain[name] = label if is_the_name else f"{label} ({name})"
    return plain


def labels(variables: Iterable[str], data: pd.DataFrame) -> dict[str, str]:
    """Return the labels of variables in the codebook that `data` is written in, or their names.

    `data` is a frame, or a result that has kept the `attrs` of one. Nobody else's SEX is ours.

    >>> labels(["SEX", "MAR"], load_acs()), labels(["MAR"], pd.DataFrame({"MAR": [1]}))
    ({'SEX': 'sex', 'MAR': 'marital status'}, {'MAR': 'MAR'})
    """
    book = _labels_of(data.attrs[CODEBOOK]) if CODEBOOK in data.attrs else {}
    return {name: book.get(name, str(name)) for name in variables}


@cache
def _labels_of(book_name):
    """Return a codebook as a mapping: variable → label."""
    book = codebook(book_name)
    return dict(zip(book["variable"], book["label"], strict=True))


def load_acs_synthetics() -> list[pd.DataFrame]:
    """Return 20 synthetic versions of `load_acs()`, with DIS and HICOV synthesized by DPMPM.

    `data/make_synthetic.py` made them.
    """
    acs = load_acs()
    drawn = read_shipped("acs_dpmpm.csv")  # DIS_1, HICOV_1, DIS_2, …
    synthetics = []
    for k in range(1, drawn.shape[1] // 2 + 1):
        synthetic = acs.copy()
        for name in ("DIS", "HICOV"):
            synthetic[name] = drawn[f"{name}_{k}"].astype(acs[name].dtype)
        synthetics.append(synthetic)
    return synthetics


def load_results(name: str) -> pd.DataFrame:
    """Return results that take minutes to compute, as the scripts in `data` stored them.

    >>> load_results("ce_pool").columns.tolist()
    ['risk', 'pmse']
    """
    checks.one_of("name", name, RESULTS)
    results = read_shipped(name + ".csv")
    begins = name.split("_")[0]
    results.attrs[CODEBOOK] = RESULT_BOOKS.get(begins, begins)
    return results


def in_words(data: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the data with every code replaced by its meaning in the codebook `name`.

    >>> in_words(load_acs().head(2), "acs").loc[0, ["SEX", "MAR"]].tolist()
    ['female', 'married']
    """
    checks.frame("data", data)
    book = codebook(name).dropna(subset=["code"])
    book = book[book["variable"].isin(data.columns)]
    if book.empty:
        raise KeyError(
            f"no column of data is in the codebook {name!r}; name the codebook that the data are "
            "written in."
        )
    _with_codes("data", data, book["variable"].unique())
    worded = data.copy()
    for variable, rows in book.groupby("variable"):
        meaning_of = dict(zip(rows["code"], rows["meaning"], strict=True))
        worded[variable] = data[variable].cat.rename_categories(meaning_of)
    return worded


def _load(name, book_name=None):
    """Read a data file and turn coded variables into categories with the codebook's levels."""
    book_name = book_name or name
    frame = read_shipped(f"{name}.csv")
    for variable, codes in _levels(book_name).items():
        if variable in frame:
            numbers = pd.api.types.is_numeric_dtype(frame[variable])
            codes = codes.astype("int64" if numbers else frame[variable].dtype)
            frame[variable] = frame[variable].astype(pd.CategoricalDtype(codes))
    frame.attrs[CODEBOOK] = book_name
    return frame


def _levels(book_name):
    """Return the codes of every coded variable, in the order of the codebook."""
    book = codebook(book_name)
    coded = book[book["type"] == "categorical"]
    return {variable: rows["code"] for variable, rows in coded.groupby("variable")}


@cache
def _read_population(path):
    """Read, once, how many households of the population have each combination.

    A combination is stored as one number whose digits are the codes, from 0; of that number only
    the step from the combination before is in the file. `values` says how many values each digit
    can have.
    """
    with np.load(path, allow_pickle=False) as stored:
        values = stored["values"]
        step = stored["step"]
        count = stored["count"]
    combination = np.cumsum(step, dtype=np.int64)
    household, second = np.divmod(combination, values[-1])
    state, rural, residents, *of_first = _digits(values[:-1])
    columns = {
        "state": state[household],
        "rural": rural[household],
        "residents": 1 + residents[household].astype(np.int64),
    }
    for name, digit in zip(PERSON_QIS, of_first, strict=True):
        columns[f"{name}_1"] = digit[household]
    for name, digit in zip(PERSON_QIS, _digits(values[3:-1]), strict=True):
        with_nobody = np.append(digit, np.int8(-1))  # the last value: nobody, missing
        columns[f"{name}_2"] = with_nobody[second]
    for variable, levels in _levels("households").items():
        for name in (variable, f"{variable}_1", f"{variable}_2"):
            if name in columns:
                columns[name] = pd.Categorical.from_codes(columns[name], levels)
    population = pd.DataFrame({**columns, "count": count.astype(np.int64)})
    population.attrs[CODEBOOK] = "households"
    return population


def _digits(values):
    """Return the digits of 0, 1, 2, … if each digit can have so many values, an array for each.

    >>> [digit.tolist() for digit in _digits([2, 3])]
    [[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]
    """
    return [digit.astype(np.int8).ravel() for digit in np.indices(values)]


def read_shipped(file_name: str) -> pd.DataFrame:
    """Read a table that ships with the package."""
    return pd.read_csv(_existing(file_name), encoding="utf-8")


def _folder():
    """Return where the files are: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "files"
    return installed if installed.is_dir() else package.parent / "data"


def _with_codes(argument, data, names):
    """A frame has these columns, and they are categories as the load functions make them."""
    checks.frame(argument, data, names)
    for name in names:
        if not isinstance(data[name].dtype, pd.CategoricalDtype):
            raise TypeError(
                f"column {name!r} of {argument} must be a category of codes, as the load functions "
                "return it."
            )


def _existing(file_name):
    """Return the path of a file that ships with the package."""
    path = _folder() / file_name
    if not path.is_file():
        raise FileNotFoundError(
            f"The data file {file_name} is missing from this installation; get the project again, "
            "or make it anew with the script that data/README.md names for it."
        )
    return path
