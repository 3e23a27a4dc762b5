"""Run one function that a student handed in: only for `grade --run`, in a process of its own.

The process computes what the function gives in every case, and says it in plain values; the
teacher's own process judges them. Around it is a fence: little time, little memory, no network, no
other programs, nothing written. It keeps mistakes in, and most mischief. It is no wall, so run it
where nothing precious is.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from io import StringIO

import numpy as np
import pandas as pd

from synthrisk_edu.classroom import engine
from synthrisk_edu.classroom.handed_in import from_plain, to_plain

SECONDS, WAIT, MEMORY, LARGEST = 10, 60, 4 * 2**30, 2**20
ALONE = ["unshare", "--map-root-user", "--net"]  # Linux: a process without any network
# Passed on to the process: where Python is, and nothing about the teacher.
KEPT = ("PATH", "PYTHONPATH", "HOME", "SYSTEMROOT", "LANG", "MPLCONFIGDIR")
# What the function may not do, by the names under which Python announces it; reading is allowed,
# because a function may import.
FORBIDDEN = ("socket.", "subprocess.", "os.", "shutil.", "ctypes.", "pty.", "signal.", "winreg.")
ALLOWED = ("os.listdir", "os.scandir")


# ---------------------------------------------------------------- the teacher's side
@cache
def has_no_network():
    """Tell whether this computer lets us start a process without any network."""
    try:
        return subprocess.run([*ALONE, "true"], capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def warning():
    """Say what `--run` does, and how good the fence is here."""
    network = "without a network" if has_no_network() else "with sockets blocked inside Python only"
    limits = f"at most {SECONDS} s and {MEMORY // 2**30} GB" if os.name == "posix" else f"{WAIT} s"
    return (
        "Warning: --run runs what students wrote, on this computer and as you: each function in a "
        f"process of its own, {limits}, {network}. This is a fence, not a wall."
    )


def run_function(exercise, plain, seed):
    """Run a function, given as text, and return one that gives the same in the same cases."""
    request = {"exercise": exercise.id, "seed": seed, "answer": plain}
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    start = {"env": kept | {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}, "timeout": WAIT}
    command = [*(ALONE if has_no_network() else []), sys.executable, "-m", __name__]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as results_file:
        with suppress(subprocess.TimeoutExpired):  # then nothing is results_file
            streams = {"stdout": results_file, "stderr": subprocess.DEVNULL, "cwd": folder}
            subprocess.run(command, input=json.dumps(request).encode(), **streams, **start)
        results_file.seek(0)
        return replay(results_file.read(LARGEST))


def replay(written):
    """Return a function that gives, call after call, what the process wrote."""
    try:
        results = iter(json.loads(written)["results"])
    except (ValueError, KeyError, TypeError):
        results = iter([])

    def function(*_case):
        """Return the next stored result, or fail as the student's function did."""
        result = next(results, ["TimeoutError", f"no result: it needs more than {SECONDS} s or GB"])
        if isinstance(result, dict) and "given" in result:
            return from_plain(result["given"])
        kind, words = (str(part) for part in result)
        raise type(kind, (Exception,), {})(words)

    return function


# --------------------------------------------------------------- the process's own side
def fence():
    """Limit time, memory and what may be written, then forbid what a function does not need."""
    try:
        import resource
    except ImportError:  # Windows: there the teacher's process ends this one after a while
        pass
    else:
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime) + SECONDS
        for name, most in [("CPU", seconds), ("AS", MEMORY), ("FSIZE", LARGEST), ("CORE", 0)]:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    sys.addaudithook(forbid)


def forbid(event, arguments):
    """Stop what is forbidden; Python calls this before it does anything of the kind."""
    mode = arguments[1] if event == "open" else "r"
    writes = mode is None or not set(mode) <= {*"rbtU"}
    if writes or (event.startswith(FORBIDDEN) and event not in ALLOWED):
        raise PermissionError(f"{event} is not allowed here")


def find_function(source, name):
    """Run the text that defines a function, and return the function."""
    namespace = {"math": math, "np": np, "pd": pd, "sr": sys.modules["synthrisk_edu"]}
    before = set(namespace)
    exec(compile(source, "<handed in>", "exec"), namespace)
    made = [value for key, value in namespace.items() if key not in before and callable(value)]
    return namespace.get(name) or made[-1]


def tried(function, case):
    """Return what a function gives in one case, or how it failed."""
    try:
        return {"given": to_plain(function(*case))}
    except Exception as error:  # whatever a student's function may raise
        return [type(error).__name__, str(error)[:200]]


def main():
    """Read what to run, run it inside the fence, and write the results."""
    request = json.load(sys.stdin)
    exercise = engine.find(request["exercise"])
    data = engine.data_for(exercise.lesson, seed=request["seed"])
    cases = list(exercise.form.cases(data))
    output, sys.stdout = sys.stdout, StringIO()  # what the function prints goes nowhere
    fence()
    try:
        function = find_function(request["answer"]["function"], request["answer"].get("name"))
        results = [tried(function, case) for case in cases]
    except Exception as error:
        results = [[type(error).__name__, str(error)[:200]]] * len(cases)
    output.write(json.dumps({"results": results}))


if __name__ == "__main__":
    main()
