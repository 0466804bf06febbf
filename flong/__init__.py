"""Learn a news site from its pages and read articles from them, as a library.

>>> html = "<h1>Rain</h1>" + "<p>It rained all day long, and nobody went out." * 9
>>> read("https://news.example/1", html).title
'Rain'

What is named here is all that is meant for others; `docs/library.md` tells how it is used.
"""

from flong.database import Database, StoredSite, open
from flong.errors import FlongError
from flong.site_model import SiteModel, learn, load, read
from items import VERSION as __version__
from items import Article, Provenance

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
