"""Functions that run as machine code.

Importing this takes half a second, so the modules that use it are imported when the first
pattern is composed or matched. Compiled code is kept beside the source or in the user's
cache directory: only the first run on a machine waits for the compiler.
"""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


@cache
def _source() -> str:
    """Return a digest of this package's source."""
    state = blake2b(digest_size=6)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        state.update(path.read_bytes())
    return state.hexdigest()


def compiled(function: Function) -> Function:
    """Compile a function of numbers, arrays and tuples of arrays that makes no arrays itself.

    It runs outside Python's lock, and counts no references (half of the time otherwise). Code
    is kept under a name that changes with the package: numba sees changes only in the file of
    the outermost function, and would go on with what it compiled from the others.
    """
    function.__qualname__ += f"-{_source()}"
    options: dict[str, Any] = {"nogil": True, "_nrt": False}
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # nowhere to write: compiled anew in each process
        return cast(Function, numba.njit(**options)(function))
