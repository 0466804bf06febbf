"""Functions that run as compiled code.

The compiler takes 0.6 s to load, so modules that use it are imported inside the functions
that need them. The compiled code is kept beside the source or, where that cannot be written,
in the user's cache directory: only the first run ever on a machine waits for the compiler.
Where neither can be written every process compiles for itself.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])


@cache
def _digest(package: Path) -> str:
    """Return a digest of a package's source, and of this module's, which says how to compile."""
    paths = [Path(__file__), *sorted(package.glob("*.py"))]
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:12]


def compiled(function: Function) -> Function:
    """Compile a function of numbers, arrays and named tuples of them; it must not make arrays.

    It runs outside Python's lock. What it calls is compiled into it, and numba looks for
    changes only in the function's own file: the name under which the code is kept holds a
    digest of the whole package, so that no stale code is run. Decorating loads the compiler.
    """
    import numba  # noqa: PLC0415 - takes 0.6 s to import

    function.__qualname__ += f"-{_digest(Path(function.__code__.co_filename).parent)}"
    # Without nrt nobody counts references to arrays, which took half of the time.
    options: dict[str, Any] = {"nogil": True, "_nrt": False, "forceinline": True}
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no directory can be written: compile anew in each process
        return cast(Function, numba.njit(**options)(function))
