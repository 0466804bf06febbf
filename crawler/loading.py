"""Loads parts of Scrapy without what they would do for others than us."""

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
