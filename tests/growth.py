"""How do time and memory grow? One measure in a process of its own; `bench` starts these.

    python3 tests/growth.py "match, exact"

prints the seconds at 100,000 records, the seconds at a million (of the processor, so that other
programs do not count), and the peak memory of the process in MB, the data included.
"""

import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr

CALLS = {100_000: 5, 1_000_000: 2}  # records: how often a measure is called; the quickest counts
LEVELS = {"sex": 2, "region": 20, "job": 50, "age": 80}


def files(n):
    """Return a confidential and a synthetic file: four categories and three numbers."""
    rng = np.random.default_rng(n)
    data = pd.DataFrame({name: rng.integers(0, k, n) for name, k in LEVELS.items()})
    data = data.astype("category")
    numbers = pd.DataFrame(rng.lognormal(10, 1, (n, 3)), columns=["income", "rent", "debt"])
    confidential = pd.concat([data, numbers], axis=1)
    changed = {"job": rng.permutation(confidential.job)}
    changed |= {name: numbers[name] * rng.lognormal(0, 0.2, n) for name in numbers}
    return confidential, confidential.assign(**changed)


def draws(confidential, synthetic):
    """Return two draws for an intruder who knows everything but the job."""
    shuffled = confidential.assign(job=synthetic.job.to_numpy())
    return [shuffled, confidential.assign(job=synthetic.job.to_numpy()[::-1])]


KEYS = ["sex", "region", "age"]
NUMBERS = ["income", "rent", "debt"]
MEASURES = {
    "match, exact": lambda a, b: sr.match(a, b, KEYS, ["job"]),
    "match, one number": lambda a, b: sr.match(a, b, ["sex", "region"], ["income"], 0.1),
    "match, two numbers": lambda a, b: sr.match(a, b, KEYS, NUMBERS[:2], 0.1),
    "match, three numbers": lambda a, b: sr.match(a, b, KEYS, NUMBERS, 0.1),
    "match, two numbers, no key": lambda a, b: sr.match(a, b, [], NUMBERS[:2], 0.1),
    "match, three numbers, no key": lambda a, b: sr.match(a, b, [], NUMBERS, 0.1),
    "disclosure": lambda a, b: sr.disclosure(a, b, KEYS, "job"),
    "intruder_risk, two draws": lambda a, b: sr.intruder_risk(a, draws(a, b), KEYS, ["job"]),
    "copies": lambda a, b: sr.copies(a, b, columns=list(LEVELS)),
    "pmse": lambda a, b: sr.pmse(a, b, ["sex", "region", "income", "rent"]),
    "unique_uniques": lambda a, b: sr.households.unique_uniques(a, b, [*KEYS, "job"]),
}

# Ten times the records take 10^e times as long: the largest e that we accept. Without a key the
# window of a target is a share of the whole file, and rows of bits go through all of it. With two
# numbers only its two ends are costly; with three the time is between n and n², near n^1.6.
USUAL_EXPONENT = 1.3
EXPONENTS = {"match, two numbers, no key": 1.4, "match, three numbers, no key": 1.9}


def peak():
    """Return the peak memory of this process in MB; missing where the system does not say.

    Linux counts what the process was copied from as its own, except in /proc.
    """
    with suppress(OSError):
        status = Path("/proc/self/status").read_text()
        return float(status.split("VmHWM:")[1].split()[0]) / 1e3
    try:
        import resource  # not on Windows
    except ImportError:
        return float("nan")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1e6 if sys.platform == "darwin" else 1e3)


def seconds(measure, n, calls=1):
    """Return the processor's time for a call with files of n records, the quickest of some."""
    pair, times = files(n), []
    for _ in range(calls):
        start = time.process_time()
        measure(*pair)
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    measure = MEASURES[sys.argv[1]]
    seconds(measure, 1_000)  # what is loaded or prepared once does not count
    print(*(seconds(measure, n, calls) for n, calls in CALLS.items()), peak())
