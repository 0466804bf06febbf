"""Comparison of trees, and other questions about pages, in compiled code.

The modules are imported when somebody first needs them (`kernel.align`): the compiler takes long.
`__init__.pyi` tells type checkers which there are.
"""

from importlib import import_module
from types import ModuleType

_MODULES = frozenset(["align", "page_queries", "prepare"])


def __getattr__(name: str) -> ModuleType:
    """Import one of the modules; from then on it is an attribute like any other."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
