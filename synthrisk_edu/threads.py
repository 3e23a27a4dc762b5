"""Can several cores share the work? Not in a browser, whose Python can start no thread."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


def map_parts(function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
    """Call a function for each part and list what it returns; several cores share the parts.

    >>> map_parts(abs, [1, -2, -3])
    [1, 2, 3]
    """
    workers = os.cpu_count()
    if workers == 1:
        return [function(part) for part in parts]
    with ThreadPoolExecutor(workers) as threads:  # NumPy lets them work at the same time
        return list(threads.map(function, parts))
