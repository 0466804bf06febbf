"""Loads parts of Scrapy without what they would load, or do, for others than us."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from scrapy.utils import deprecate


@contextmanager
def without_module(name: str) -> Iterator[None]:
    """Let the block find that a module is not installed, unless it is loaded already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment] # which makes `import` fail
    try:
        yield
    finally:
        del sys.modules[name]


@contextmanager
def without_old_names() -> Iterator[None]:
    """Let Scrapy load without the names that some of its classes had in earlier versions.

    To find out where such a name is defined it looks at the files of all modules there are, which
    takes as long as two hundred requests.
    """
    create = deprecate.create_deprecated_class
    deprecate.create_deprecated_class = lambda name, new_class, **_: new_class
    try:
        yield
    finally:
        deprecate.create_deprecated_class = create


# It is here for the inspector. Our items are dataclasses, and to load it takes as long as sixty
# requests.
with without_module("pydantic"):
    import itemadapter  # noqa: F401
