"""How does one ask the same in R? A script for the authors' own package."""

import inspect
import json
from collections.abc import Mapping

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


def r_script(function, confidential, synthetic, *arguments, **options):
    """Write the R script that asks the authors' R package the same; nothing is run.

    `function` is `match` or `disclosure`, and then come its arguments as one would give them. Save
    the two frames beside the script as confidential.csv and synthetic.csv, with
    `to_csv(name, index=False)`. What the R package does not have (a closed range, an ellipse,
    `fallback`) is refused.

    >>> import pandas as pd
    >>> from synthrisk_edu.matching import match
    >>> people = pd.DataFrame({"Town": list("AAB"), "Home town": list("ABB")})
    >>> print(r_script(match, people, people, ["Town"], ["Home town"]).splitlines()[3])
    synthesized <- c("Home town")
    """
    writers = {"match": _match_in_r, "disclosure": _disclosure_in_r}
    checks.frame("synthetic", synthetic)
    asked = inspect.signature(function).bind(confidential, synthetic, *arguments, **options)
    asked.apply_defaults()
    return writers[checks.one_of("function", function.__name__, tuple(writers))](**asked.arguments)


def _match_in_r(
    confidential, synthetic, known, synthesized, radius, relative, shape, bounds, fallback
):
    """Write the call of IdentificationRisk(); its radii follow the columns, as we order them."""
    for argument, names in {"known": known, "synthesized": synthesized}.items():
        checks.names(argument, names, "variable, for the R package needs one")
    checks.one_of("shape", shape, ("box",))
    checks.one_of("fallback", fallback, (False,))
    variables = [*known, *synthesized]
    numeric = checks.numeric_names(variables, [confidential, synthetic])
    r = checks.radii(radius, variables, numeric, relative)
    asked = {"known": "known", "syn": "synthesized"}
    if r:
        checks.one_of("bounds", bounds, ("open",))
        asked["r"] = _in_r([r[name] for name in variables if name in r])
        asked["percentage"] = _in_r(relative)
    equal = _texts(name for name in variables if name not in r)
    texts = {"known": _texts(known), "synthesized": _texts(synthesized), "equal": equal}
    return MATCH_IN_R.format(asked=_arguments(asked), **texts)


def _disclosure_in_r(original, synthetic, keys, target, **options):
    """Write the call of disclosure(); keys in the order of the columns, as synthpop sorts them."""
    checks.columns("confidential", original, [*keys, target])
    keys = [name for name in original.columns if name in keys]
    groups, special, with_missing = (options[k] for k in ("groups", "special", "missing_keys"))
    if not isinstance(with_missing, Mapping):
        with_missing = dict.fromkeys(keys, with_missing)
    asked = {"keys": _names(keys), "target": _names([target]), "print.flag": "FALSE"}
    asked["usekeysNA"] = _in_r([with_missing.get(name, True) for name in keys])
    asked["usetargetNA"] = _in_r(options["missing_target"])
    if special:
        codes = ", ".join(_in_r(list(some)) for some in special.values())
        asked["cont.na"] = f"setNames(list({codes}), {_names(special)})"
    if groups:
        asked["ngroups_target"] = _in_r(groups.get(target, 0))
        asked["ngroups_keys"] = _in_r([groups.get(name, 0) for name in keys])
    if options["drop_target"]:
        asked["not.targetlev"] = _texts(options["drop_target"])
    if options["exclude"]:
        names, levels, answers = zip(*options["exclude"], strict=True)
        asked |= {"exclude.keys": _names(names), "exclude.keylevs": _texts(levels)}
        asked["exclude.targetlevs"] = _texts(answers)
    if options["denom_limit"]:
        asked |= {"denom_lim": _in_r(options["denom_limit"]), "exclude_ov_denom_lim": "TRUE"}
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
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value).upper()


def _texts(values):
    """Write names and levels as texts, for so R has them: 18 as "18"."""
    return _in_r([f"{one:.15g}" if checks.is_number(one) else str(one) for one in values])


def _names(names):
    """Write names as R's data frames spell them: `Home town` is Home.town there."""
    return f"make.names({_texts(names)})"


def _arguments(asked):
    """Write the arguments of a call, a line for each."""
    return ",".join(f"\n  {name} = {value}" for name, value in asked.items())
