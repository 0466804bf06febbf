"""Features wired into the core, by name. The core calls these hooks and imports no feature.

A feature adds its hooks here; its commands are files in `flong/commands/`.
"""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

ARTICLE_WATCHERS = ("flong.storage.search.index:keep_index",)
"""Entered in the transaction that changes articles, with its connection and the page ids."""
SQLITE_FUNCTIONS = ("flong.storage.search.term_index:define_functions",)
"""Called with each new SQLite connection."""
AFTER_EXTRACTION = ("flong.storage.search.index:find_stories",)
"""Called with the store after the articles of a site were extracted."""
AFTER_COPY = ("flong.storage.search.index:rebuild",)
"""Called with the store that a database was copied into."""
NIGHT_REPORT = ("flong.search.clippings:new_clippings",)
"""Called with store, site and run of a night; returns the clippings of its report."""
DELIVERY = ("flong.search.clippings:mail",)
"""Called with the reports of a night and a function that returns settings."""
RENDERED_PAGES = ("flong.visual.crawled_blocks:take_blocks",)
"""Awaited with a Playwright page in crawls with `visual=1`; returns data stored with the page."""


def load(hooks: tuple[str, ...]) -> list[Callable[..., Any]]:
    """Import the functions named in a list of hooks."""
    return [resolve_name(name) for name in hooks]
