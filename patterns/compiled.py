"""Functions that run as machine code.

Importing this takes half a second, so the modules that use it are imported when the first
pattern is composed or matched. The compiled code is kept beside the source or in the user's
cache directory: only the first run on a machine waits for the compiler.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile a function of numbers and arrays; it runs outside Python's lock.

    >>> compiled(lambda a, b: a + b)(1, 2)
    3
    """
    cache = function.__name__ != "<lambda>"
    return cast(Function, numba.njit(cache=cache, nogil=True)(function))
