"""How does one ask the same in R? A script for the authors' own package."""

import inspect
import json
from collections.abc import Callable, Mapping

import pandas as pd

from synthrisk_edu import checks

MATCH_IN_R = """\
# What sr.match(..., bounds="open") answers, by the R package IdentificationRiskCalculation.
library(IdentificationRiskCalculation)
known <- {known}
synthesized <- {synthesized}
read <- function(file) {{
  read.csv(file, check.names = FALSE, na.strings = "")[c(known, synthesized)]
}}
confidential <- read("confidential.csv")
synthetic <- read("synthetic.csv")
for (name in {equal}) {{ # the same codes 1, 2, ... in both
  levels <- unique(c(confidential[[name]], synthetic[[name]]))
  coded <- function(column) factor(match(column, levels), seq_along(levels))
  confidential[[name]] <- coded(confidential[[name]])
  synthetic[[name]] <- coded(synthetic[[name]])
}}
found <- IdentificationRisk(
  confidential, list(synthetic),{asked}
)
print(found[c("exp.risk_vector", "true.rate_vector", "false.rate_vector", "s_vector")])
"""
DISCLOSURE_IN_R = """\
# What sr.disclosure answers, by the R package synthpop.
library(synthpop)
read <- function(file) read.csv(file, na.strings = "", stringsAsFactors = TRUE)
original <- read("confidential.csv")
synthetic <- read("synthetic.csv")
found <- disclosure(
  synthetic, original,{asked}
)
print(found$ident)
print(found$attrib)
print(found$allCAPs)
"""


def r_script(
    function: Callable,
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    *arguments: object,
    **options: object,
) -> str:
    """Write the R script that asks the authors' R package the same; nothing is run.

    `function` is `match` or `disclosure`, and then come its arguments as one would give them. Save
    the two frames beside the script as confidential.csv and synthetic.csv, with
    `to_csv(name, index=False)`. What the R package does not have (a closed range, an ellipse,
    `fallback`) is refused.

    >>> from synthrisk_edu.matching import match
    >>> people = pd.DataFrame({"Town": list("AAB"), "Home town": list("ABB")})
    >>> print(r_script(match, people, people, ["Town"], ["Home town"]).splitlines()[3])
    synthesized <- c("Home town")
    """
    checks.one_of("function", function.__name__, ("match", "disclosure"))
    checks.frame("synthetic", synthetic)
    asked = inspect.signature(function).bind(confidential, synthetic, *arguments, **options)
    asked.apply_defaults()
    if function.__name__ == "match":
        return _match_in_r(**asked.arguments)
    return _disclosure_in_r(**asked.arguments)


def _match_in_r(
    confidential, synthetic, known, synthesized, radius, relative, shape, bounds, fallback
):
    """Write the call of IdentificationRisk(); its radii follow the columns, as we order them."""
    checks.names("known", known, "variable, for the R package needs one")
    checks.names("synthesized", synthesized, "variable, for the R package needs one")
    checks.one_of("shape", shape, ("box",))
    checks.one_of("fallback", fallback, (False,))
    variables = [*known, *synthesized]
    files = {"confidential": confidential, "synthetic": synthetic}
    checks.same_kind(files, variables)
    r = checks.radii(radius, files, list(known), list(synthesized), relative)
    asked = {"known": "known", "syn": "synthesized"}
    if r:
        checks.one_of("bounds", bounds, ("open",))
        asked["r"] = _in_r([r[name] for name in variables if name in r])
        asked["percentage"] = _in_r(relative)
    return MATCH_IN_R.format(
        known=_texts(known),
        synthesized=_texts(synthesized),
        equal=_texts(name for name in variables if name not in r),
        asked=_arguments(asked),
    )


def _disclosure_in_r(
    original,
    synthetic,
    keys,
    target,
    groups,
    special,
    missing_keys,
    missing_target,
    drop_target,
    exclude,
    denom_limit,
    one_way,
    two_way,
):
    """Write the call of disclosure(); keys in the order of the columns, as synthpop sorts them.

    The limits of the flags, one_way and two_way, are not asked: the script prints no flags.
    """
    keys = checks.names("keys", keys, "key")
    checks.frame("confidential", original, [*keys, target])
    checks.frame("synthetic", synthetic, [*keys, target])
    keys = [name for name in original.columns if name in keys]
    groups = checks.mapping("groups", groups, [*keys, target], "a key or the target")
    special = checks.mapping("special", special, [*keys, target], "a key or the target")
    drop_target = checks.listed("drop_target", drop_target, "levels of the target")
    if not isinstance(missing_keys, Mapping):
        missing_keys = dict.fromkeys(keys, missing_keys)
    missing_keys = checks.mapping("missing_keys", missing_keys, keys, "a key")

    asked = {"keys": _names(keys), "target": _names([target]), "print.flag": "FALSE"}
    asked["usekeysNA"] = _in_r([missing_keys.get(name, True) for name in keys])
    asked["usetargetNA"] = _in_r(missing_target)
    if special:
        codes = ", ".join(_in_r(list(codes)) for codes in special.values())
        asked["cont.na"] = f"setNames(list({codes}), {_names(special)})"
    if groups:
        asked["ngroups_target"] = _in_r(groups.get(target, 0))
        asked["ngroups_keys"] = _in_r([groups.get(name, 0) for name in keys])
    if drop_target:
        asked["not.targetlev"] = _texts(drop_target)
    if exclude:
        asked["exclude.keys"] = _names([key for key, _, _ in exclude])
        asked["exclude.keylevs"] = _texts([level for _, level, _ in exclude])
        asked["exclude.targetlevs"] = _texts([answer for _, _, answer in exclude])
    if denom_limit:
        asked["denom_lim"] = _in_r(denom_limit)
        asked["exclude_ov_denom_lim"] = "TRUE"
    return DISCLOSURE_IN_R.format(asked=_arguments(asked))


def _in_r(value):
    r"""Write numbers, texts, yes and no as R does; a text is safe, whatever stands in it.

    >>> print(_in_r(['say "a"', 0.1, True]))
    c("say \"a\"", 0.1, TRUE)
    """
    if isinstance(value, list):
        return f"c({', '.join(map(_in_r, value))})"
    if checks.is_number(value):
        return f"{value:.15g}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).upper()


def _texts(values):
    """Write names and levels as texts, for so R has them: 18 as "18"."""
    texts = []
    for value in values:
        texts.append(f"{value:.15g}" if checks.is_number(value) else str(value))
    return _in_r(texts)


def _names(names):
    """Write names as R's data frames spell them: `Home town` is Home.town there."""
    return f"make.names({_texts(names)})"


def _arguments(asked):
    """Write the arguments of a call, a line for each."""
    return ",".join(f"\n  {name} = {value}" for name, value in asked.items())
