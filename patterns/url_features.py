"""What the address of a page says about it, and what it is to those of other pages."""

import re
from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit

from flong.patterns.thresholds import THRESHOLDS

_NO_NEWS = re.compile(
    r"/(classifieds?|small-?ads|kleinanzeigen|anzeigen(?:markt)?|(?:petites-)?annonces?|anuncios?"
    r"|[ck]las+ific?ados|avisos(?:-clasificados)?|ob[yj]?avleni[yj]?a|ogloszenia|annunci|inzerce"
    r"|ilan(?:lar)?|shop|store|products?|produkte?|productos?|produits?|tienda|boutique|forums?"
    r"|authors?|autor(?:en|es)?|auteurs?|tags?)/",
    re.IGNORECASE,
)
"""Directories of addresses whose pages are written well and are no news."""
_FILE = re.compile(r"(?:/(?:index|default))?(?:\.\w{2,5})?$", re.IGNORECASE)
"""What a file adds to the name of its directory, or to its own."""
_FILE_LENGTH = len("/default.shtml")
"""It is never longer."""


def find_newsless_directory(url: str) -> str:
    """Return the directory of a URL that speaks of adverts, goods or talk; empty if none does.

    >>> find_newsless_directory("https://a.example/kleinanzeigen/haus.html")
    'kleinanzeigen'
    >>> find_newsless_directory("https://a.example/news/forum")
    ''
    """
    found = _NO_NEWS.search(urlsplit(url).path)
    return found[1] if found else ""


def directory_of(url: str) -> str:
    """Return the directory that a page stands for: the path of its address, without a file's name.

    >>> [directory_of(f"https://a.example/{at}") for at in ("sport/index.html", "sport.php", "")]
    ['/sport', '/sport', '']
    """
    path = urlsplit(url).path.rstrip("/")
    found = _FILE.search(path, max(0, len(path) - _FILE_LENGTH))
    return path[: found.start()] if found else path


def find_directories(urls: Iterable[str]) -> frozenset[str]:
    """Return the directories below which several pages lie; the whole site is none.

    >>> sorted(find_directories(f"https://a.example/sport/golf/{at}.html" for at in range(3)))
    ['/sport', '/sport/golf']
    """
    below: Counter[str] = Counter()
    for path in map(directory_of, urls):
        parts = path.split("/")
        below.update("/".join(parts[:last]) for last in range(2, len(parts)))
    return frozenset(path for path, pages in below.items() if pages >= THRESHOLDS.least_repeats)
