"""Functions that run as machine code.

Importing this costs 0.6 s, so modules that use it are imported inside the functions that
need them. The compiled code is kept beside the source or, where that cannot be written,
in the user's cache directory: only the first run ever on a machine waits for the compiler.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


@cache
def _digest() -> str:
    """Return a digest of this package's source."""
    paths = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:12]


def compiled(function: Function) -> Function:
    """Compile a function of numbers, arrays and named tuples of them; it must not make arrays.

    It runs outside Python's lock. What it calls is compiled into it, and numba looks for
    changes only in the function's own file: the name under which the code is kept holds a
    digest of the whole package, so that no stale code is run.
    """
    function.__qualname__ += f"-{_digest()}"
    # Without nrt nobody counts references to arrays, which took half of the time.
    options: dict[str, Any] = {"nogil": True, "_nrt": False, "forceinline": True}
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no directory can be written: compile anew in each process
        return cast(Function, numba.njit(**options)(function))
