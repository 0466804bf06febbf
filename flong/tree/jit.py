"""Decorator for compiled functions (numba).

Numba takes 0.6 s to load, so modules that use it are imported inside the functions that need them.
Compiled code is cached beside the source or, if that is read-only, in the user's cache directory.
The target is a generic processor, so that a wheel can contain the cache. Code for the specific
processor was not faster on five sites.
"""

import logging
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])
_IMPORT = re.compile(r"^(?:from|import) ([\w.]+)", re.MULTILINE)


@cache
def _digest(module: Path) -> str:
    """Return a digest of a module, its imports, and this module.

    Changes in other modules cause no recompilation.
    """
    paths, waiting = {Path(__file__)}, [module]
    while waiting:
        path = waiting.pop()
        if path not in paths and path.is_file():
            paths.add(path)
            waiting += _imported(path)
    return sha256(b"".join(sorted({path.read_bytes() for path in paths}))).hexdigest()[:12]


def _imported(module: Path) -> Iterator[Path]:
    """Yield the files of our modules that a module imports, without package `__init__` files."""
    for name in _IMPORT.findall(module.read_text()):
        places = (parent / f"{name.replace('.', '/')}.py" for parent in module.parents)
        yield from (place for place in places if place.is_file())


def compiled(function: Function) -> Function:
    """Compile a function of numbers, arrays and named tuples; it must not create arrays.

    It runs without the GIL. Callees are compiled into it, but numba checks only the function's own
    file for changes. The cache key therefore contains a digest of all imported modules.

    Each combination of argument types is compiled separately, with all callees. A literal, or a
    32-bit number instead of a 64-bit one, doubles the compile time, so callers write `np.int64(0)`.
    """
    os.environ.setdefault("NUMBA_CPU_NAME", "generic")
    os.environ.setdefault("NUMBA_CPU_FEATURES", "")
    import numba  # noqa: PLC0415 - takes 0.6 s to import

    logging.getLogger("numba").setLevel(logging.WARNING)  # it logs thousands of lines
    function.__qualname__ += f"-{_digest(Path(function.__code__.co_filename))}"
    # `_nrt` is undocumented and has no documented counterpart. With reference counting, learning a
    # site of long pages takes 3.4 times as long.
    options: dict[str, Any] = {"nogil": True, "_nrt": False, "forceinline": True}
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no writable directory: compile in each process
        return cast(Function, numba.njit(**options)(function))
