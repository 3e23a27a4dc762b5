"""Who may come in? What several synthesizers ask of the data and of the names they are given.

What all rooms ask is in `checks`; what one synthesizer alone asks stands beside it.
"""

from collections.abc import Iterable, Sequence

import pandas as pd

from synthrisk_edu import checks


def to_synthesize(data: pd.DataFrame, variables: Sequence[str]) -> list[str]:
    """Return the names of the variables to synthesize: each is there, with a value to draw."""
    variables = checks.names("variables", variables, "variable to synthesize")
    checks.same_kind({"data": data}, variables)
    some_values(data, variables)
    return variables


def predictors(variable: str, chosen: Sequence[str], usable: Iterable[str]) -> list[str]:
    """Return the predictors of a variable: not itself, nor what is synthesized later."""
    chosen = checks.names("predictors", chosen)
    for name in chosen:
        if name not in usable:
            raise ValueError(
                f"{checks.show(variable)} cannot be predicted from {checks.show(name)}, which is "
                "missing from data or synthesized at the same time or later; choose among the "
                "others."
            )
    return chosen


def some_values(data: pd.DataFrame, wanted: Iterable[str]) -> None:
    """No column is missing in every record."""
    for name in wanted:
        if data[name].isna().all():
            raise ValueError(
                f"column {checks.show(name)} of data has no value at all, so nothing can be learnt "
                "from it; leave it out."
            )


def no_numbers_as_text(data: pd.DataFrame, wanted: Iterable[str]) -> None:
    """No column holds quantities that were read as text: each would be a level of its own.

    Whole numbers with few different values pass: they are codes.
    """
    for name in wanted:
        is_category = isinstance(data[name].dtype, pd.CategoricalDtype)
        if is_category or checks.kind("data", data[name]) != "text":
            continue
        texts = pd.Series(data[name].dropna().unique(), dtype=object)
        values = pd.to_numeric(texts.str.replace(",", ""), errors="coerce")  # 36,000 is a number
        are_codes = len(values) <= checks.MOST_CODES and (values % 1 == 0).all()
        if values.notna().all() and not are_codes:
            raise TypeError(
                f"column {checks.show(name)} of data holds numbers that were read as text, such as "
                f"{checks.show(texts[0])}; convert it to numbers, or codes with "
                ".astype('category')."
            )
