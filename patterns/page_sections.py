"""Sections of a site whose articles are pages in prose, not news: courses, services, profiles.

News is dated, or announced in a feed or a news sitemap, and listed once: few pages link to it. If
some sections of a site are like that, and the articles of all its other sections are undated and
linked from many pages, as by menus, then these other sections contain no news. A site that never
dates its articles has no such sections.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

from flong.patterns.article_features import directory_of

TIMED = 0.2
"""Minimum fraction of dated or announced articles in a section with news."""
NEWS = 0.05
"""Minimum fraction of a site's articles in sections with news."""
FEWEST = 10
"""Minimum number of articles in sections with news, and in all others."""
MORE_LINKS = 5
"""Minimum median number of links to articles of the other sections, as a multiple of that to news.
"""
_SECTION = re.compile(r"/([^/\d]{3,})/")


class SectionArticle(NamedTuple):
    """An article, as evidence about its section."""

    section: str
    """Its section, from `section_of`."""
    is_timed: bool
    """It is dated, or announced in a feed or a news sitemap."""
    links: int
    """Number of pages that link to it with the same words."""


def section_of(url: str) -> str:
    """Return the first directory of a URL that is neither a number nor a language; or "".

    >>> [section_of(f"https://a.example/{at}") for at in ("en/news/2020/rain.html", "2020/rain/")]
    ['news', '']
    """
    found = _SECTION.search(directory_of(url))
    return found[1] if found else ""


def find_page_sections(
    articles: Sequence[SectionArticle], sections: Iterable[str]
) -> frozenset[str]:
    """Return those of a site's `sections` whose articles are pages, not news.

    >>> news = [SectionArticle("news", is_timed=True, links=1)] * 10
    >>> courses = [SectionArticle("courses", is_timed=False, links=9)] * 30
    >>> find_page_sections(news + courses, {"news", "courses"})
    frozenset({'courses'})
    >>> find_page_sections(courses, {"courses"})
    frozenset()
    """
    known: defaultdict[str, list[bool]] = defaultdict(list)
    for article in articles:
        known[article.section].append(article.is_timed)
    timed = {name for name, found in known.items() if sum(found) >= TIMED * len(found)}
    news = [article.links for article in articles if article.section in timed]
    others = [article.links for article in articles if article.section not in timed]
    if min(len(news), len(others)) < FEWEST or len(news) < NEWS * len(articles):
        return frozenset()
    is_linked = median(others) >= MORE_LINKS * max(1, median(news))
    return frozenset(sections) - timed if is_linked else frozenset()
