"""Loads parts of Scrapy without what they would do for others than us."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from scrapy.utils import deprecate


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


@contextmanager
def without(name: str) -> Iterator[None]:
    """Let what is loaded do without a module, as if that were not installed."""
    loaded = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if loaded is not None:
            sys.modules[name] = loaded


# Our items are none of pydantic's, which takes a tenth of the time in which a command starts.
with without("pydantic"):
    import itemadapter  # noqa: F401
