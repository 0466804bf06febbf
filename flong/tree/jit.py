"""Compiled functions.

Numba takes 0.6 s to load, so modules that use it are imported inside the functions that need them.
Compiled code is cached beside the source or, where that is read-only, in the user's cache
directory. It is compiled for any processor of the architecture, so that a wheel can contain the
cache: measured on five sites, code for the very processor was not faster.
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
    """Return a digest of a module, those that it imports, and this one, which says how to compile.

    Other modules of its package may change and nothing is compiled again.
    """
    paths, waiting = {Path(__file__)}, [module]
    while waiting:
        path = waiting.pop()
        if path not in paths and path.is_file():
            paths.add(path)
            waiting += _imported(path)
    return sha256(b"".join(sorted({path.read_bytes() for path in paths}))).hexdigest()[:12]


def _imported(module: Path) -> Iterator[Path]:
    """Yield the files of the modules that a module of ours imports; not the doors of packages."""
    for name in _IMPORT.findall(module.read_text()):
        places = (parent / f"{name.replace('.', '/')}.py" for parent in module.parents)
        yield from (place for place in places if place.is_file())


def compiled(function: Function) -> Function:
    """Compile a function of numbers, arrays and named tuples of them; it must not make arrays.

    It runs outside Python's lock. What it calls is compiled into it, and numba looks for
    changes only in the function's own file: the name under which the code is kept holds a
    digest of all modules that it is made of, so that no stale code is run. Decorating loads the
    compiler.

    It is compiled once for each combination of types that it is called with, and so is all that it
    calls: a literal number, or one of 32 bits in the place of one of 64, takes as long again. So
    callers write `np.int64(0)`.
    """
    os.environ.setdefault("NUMBA_CPU_NAME", "generic")
    os.environ.setdefault("NUMBA_CPU_FEATURES", "")
    import numba  # noqa: PLC0415 - takes 0.6 s to import

    logging.getLogger("numba").setLevel(logging.WARNING)  # it logs thousands of lines otherwise
    function.__qualname__ += f"-{_digest(Path(function.__code__.co_filename))}"
    # `_nrt` has no documented counterpart. With reference counting, learning a site of long pages
    # takes 3.4 times as long.
    options: dict[str, Any] = {"nogil": True, "_nrt": False, "forceinline": True}
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no directory can be written: compile anew in each process
        return cast(Function, numba.njit(**options)(function))
