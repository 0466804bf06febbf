"""Sections of a site whose articles are pages in prose, not news: courses, services, profiles.

News is dated, or announced in a feed or a news sitemap, and listed once: few pages link to it. A
section of a site with such news whose own articles are undated and linked from many pages, as by
menus, contains no news. If that holds for most of the undated articles, it holds for all undated
sections. A site that never dates its articles has no such sections.
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
"""Minimum median number of links to articles of a section in menus, as a multiple of that to news.
"""
MOSTLY = 0.75
"""Fraction of undated articles in such sections above which no undated section has news."""
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
    known: defaultdict[str, list[SectionArticle]] = defaultdict(list)
    for article in articles:
        known[article.section].append(article)
    timed = {
        name
        for name, found in known.items()
        if sum(a.is_timed for a in found) >= TIMED * len(found)
    }
    others = [article for article in articles if article.section not in timed]
    news = len(articles) - len(others)
    if min(news, len(others)) < FEWEST or news < NEWS * len(articles):
        return frozenset()
    links = {name: median(a.links for a in found) for name, found in known.items()}
    usual = min((links[name] for name in timed if len(known[name]) >= FEWEST), default=1)
    in_menus = {name for name in known if links[name] >= MORE_LINKS * max(1, usual)} - timed
    if sum(article.section in in_menus for article in others) > MOSTLY * len(others):
        return frozenset(sections) - timed
    return frozenset(in_menus)
