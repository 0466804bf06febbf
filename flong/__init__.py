"""Learn a news site from its pages and read articles from them.

>>> import flong
>>> html = "<h1>Rain</h1>" + "<p>It rained all day long, and the streets were empty." * 9
>>> flong.read("https://news.example/1", html).title
'Rain'

Public API. See docs/library.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from flong.program import VERSION as __version__

if TYPE_CHECKING:
    from flong.article import Article, Provenance
    from flong.database import Database, StoredSite, open
    from flong.errors import FlongError
    from flong.site import SiteModel, learn, load, read

__all__ = [
    "Article",
    "Database",
    "FlongError",
    "Provenance",
    "SiteModel",
    "StoredSite",
    "__version__",
    "learn",
    "load",
    "open",
    "read",
]

_HOMES = {
    "Article": "article",
    "Database": "database",
    "FlongError": "errors",
    "Provenance": "article",
    "SiteModel": "site",
    "StoredSite": "database",
    "learn": "site",
    "load": "site",
    "open": "database",
    "read": "site",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use: commands and add-ons need only parts of the package."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
