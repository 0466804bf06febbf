"""What speaks for or against a page being an article: one table of evidence, each with its weight.

Points are log-odds. Of rows that exclude each other at most one is seen on a page. What each row is
worth is printed by `python -m benchmarks.evidence --worth`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from patterns.article_features import ArticleFeatures, SiteNorms

MENU = 4
"""So many pages must link to a page in the same words before that makes it an entry of a menu: of a
site of ten pages one is a tenth."""
PER_TEASER = 250
"""In a list of articles there are fewer words than this to a linked heading."""
SAYS_SOMETHING = 0.1
"""Share of the site's pages that must have a sign before its absence says anything."""
ON_ALL_PAGES = 0.95
"""Share of the site's pages from which on a sign says nothing: all have it."""
USUALLY_DATED, USUALLY_SIGNED = 0.8, 0.9
"""Share of the site's likely articles from which on one without a date, or an author, is odd."""
LIKE = 0.9
"""Likeness of two names of a page from which on they are the same."""


class Point(NamedTuple):
    """One sign, weighed."""

    points: float
    """For an article if above 0."""
    words: str
    """What was seen."""
    weak: bool = False
    """It says little about a page whose pattern is of one kind."""

    def times(self, factor: float) -> "Point":
        """Return the same sign with other weight."""
        return Point(self.points * factor, self.words, self.weak)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind of evidence."""

    name: str
    """What it is called in tables."""
    points: float
    """For an article if above 0."""
    words: str
    """What is said of a page that has it; `page` are its features."""
    is_seen: Callable[[ArticleFeatures, SiteNorms], bool]
    """Whether a page has it."""
    weak: bool = False
    """It says little about a page of a uniform pattern, all of whose pages were asked already."""


def _is_dense(page: ArticleFeatures) -> bool:
    return page.words < PER_TEASER * page.teasers


def _is_list(page: ArticleFeatures) -> bool:
    return page.teasers >= 3 and _is_dense(page)


def _linked_by(page: ArticleFeatures) -> float:
    return page.linked_by if page.links >= MENU else 0.0


def _is_poor(page: ArticleFeatures) -> bool:
    """Short, in short lines, or linked: often one sign in three guises, a note that is a link."""
    return 4 <= page.words < 15 or (
        page.link_share > 0.6 and (page.words < 40 or page.longest < 12)
    )


def _is_text(page: ArticleFeatures) -> bool:
    return page.words >= 15 and not _is_poor(page)


def _some_og(norms: SiteNorms) -> bool:
    return SAYS_SOMETHING < norms.og_article < ON_ALL_PAGES


_WORDS = "its body has {page.words} words"
_LONGEST = "its longest paragraph has {page.longest} words"
_LINKED = "{page.link_share:.0%} of its body is links"
_HEAD = "its title is {page.like_head:.0%} like its head title"
_ANCHOR = "its title is {page.like_anchor:.0%} like the links that lead to it"
_MENU_WORDS = "{page.linked_by:.0%} of the pages link to it in the same words"
_TEASERS = "{page.teasers} headings in it are links"

EVIDENCE: tuple[Evidence, ...] = (
    # its text
    Evidence("no body", -3.0, _WORDS, lambda page, _: page.words < 4),
    Evidence("a line, or a link", -1.5, _WORDS, lambda page, _: _is_poor(page), weak=True),
    Evidence(
        "15 to 40 words", -0.5, _WORDS,
        lambda page, _: _is_text(page) and page.words < 40, weak=True,
    ),
    Evidence(
        "40 to 150 words", 0.5, _WORDS,
        lambda page, _: _is_text(page) and 40 <= page.words < 150, weak=True,
    ),
    Evidence(
        "150 words or more", 1.0, _WORDS,
        lambda page, _: _is_text(page) and page.words >= 150, weak=True,
    ),
    Evidence(
        "a paragraph of 20 words", 0.5, _LONGEST,
        lambda page, _: _is_text(page) and page.longest >= 20, weak=True,
    ),
    Evidence(
        "no paragraph of 12 words", -0.7, _LONGEST,
        lambda page, _: _is_text(page) and page.longest < 12, weak=True,
    ),
    Evidence(
        "a third of it links", -0.7, _LINKED,
        lambda page, _: _is_text(page) and 0.35 < page.link_share <= 0.6, weak=True,
    ),
    Evidence(
        "most of it links", -1.5, _LINKED,
        lambda page, _: _is_text(page) and page.link_share > 0.6, weak=True,
    ),
    # its names
    Evidence(
        "no head title", 0.5, "there is no telling its head title",
        lambda page, _: page.like_head is None, weak=True,
    ),
    Evidence(
        "title like the head's", 1.0, _HEAD,
        lambda page, _: page.like_head is not None and page.like_head >= LIKE, weak=True,
    ),
    Evidence(
        "title unlike the head's", -1.0, _HEAD,
        lambda page, _: page.like_head is not None and page.like_head < 0.6, weak=True,
    ),
    Evidence(
        "no telling links to it", 0.5, "there is no telling the links that lead to it",
        lambda page, _: page.like_anchor is None, weak=True,
    ),
    Evidence(
        "title like links to it", 1.0, _ANCHOR,
        lambda page, _: page.like_anchor is not None and page.like_anchor >= LIKE, weak=True,
    ),
    Evidence(
        "title unlike links to it", -0.7, _ANCHOR,
        lambda page, _: page.like_anchor is not None and page.like_anchor < 0.5, weak=True,
    ),
    Evidence(
        "title of several pages", -1.0, "its title is no title of its own",
        lambda page, _: page.shared_title,
    ),
    Evidence(
        "title is a link", -1.5, "its title is a link, as those of the site's articles are not",
        lambda page, norms: page.linked_title and norms.linked_title < SAYS_SOMETHING,
    ),
    Evidence(
        "in a menu", -3.5, _MENU_WORDS,
        lambda page, _: page.in_menu and not page.headline_anchor and _linked_by(page) >= 0.25,
    ),
    Evidence(
        "in every menu, but a headline elsewhere", -2.8, _MENU_WORDS,
        lambda page, _: page.in_menu and page.headline_anchor and _linked_by(page) >= 0.75,
    ),
    Evidence(
        "in many menus, but a headline elsewhere", -1.75, _MENU_WORDS,
        lambda page, _: page.in_menu and page.headline_anchor and 0.25 <= _linked_by(page) < 0.75,
    ),
    Evidence(
        "perhaps in a menu", -1.0, _MENU_WORDS,
        lambda page, _: page.in_menu and not page.headline_anchor
        and SAYS_SOMETHING <= _linked_by(page) < 0.25,
    ),
    Evidence(
        "a headline on many pages", -0.6, _MENU_WORDS,
        lambda page, _: (not page.in_menu and _linked_by(page) >= 0.25)
        or (page.in_menu and page.headline_anchor and SAYS_SOMETHING <= _linked_by(page) < 0.25),
    ),
    # what lists have
    Evidence("linked headings, little text", -2.0, _TEASERS, lambda page, _: _is_list(page)),
    Evidence(
        "some linked headings", -0.5, _TEASERS,
        lambda page, _: not _is_list(page) and (page.teasers >= 3 or _is_dense(page)),
    ),
    Evidence(
        "a quarter are titles of others", -2.0,
        "{page.other_share:.0%} of its lines are titles of others",
        lambda page, _: page.other_share >= 0.25,
    ),
    Evidence(
        "titles of others, little text", -1.0, "{page.others} titles of other pages are in it",
        lambda page, _: page.other_share < 0.25 and page.others >= 3
        and page.words < PER_TEASER * page.others and not _is_list(page),
    ),
    Evidence(
        "below a linked heading", -1.5, "the heading above its body is a link",
        lambda page, _: page.below_teaser,
    ),
    Evidence(
        "built unlike the main articles", -1.0,
        "neither title nor body is where the site's articles have them",
        lambda page, _: not page.like_main,
    ),
    Evidence(
        "body by consensus", -1.0, "no label gives its body", lambda page, _: page.by_consensus
    ),
    Evidence(
        "more bodies than one", -1.5, "it has more bodies than one",
        lambda page, _: page.more_instances,
    ),
    # what its metadata and its byline say
    Evidence(
        "JSON-LD of an article", 1.0, "JSON-LD calls it an article",
        lambda page, norms: norms.json_ld > SAYS_SOMETHING and page.json_ld,
    ),
    Evidence(
        "no JSON-LD of an article", -0.5, "JSON-LD does not call it an article",
        lambda page, norms: norms.json_ld > SAYS_SOMETHING and not page.json_ld,
    ),
    Evidence(
        "OpenGraph of an article", 0.7, "OpenGraph calls it an article",
        lambda page, norms: _some_og(norms) and page.og_article,
    ),
    Evidence(
        "no OpenGraph of an article", -0.7, "OpenGraph does not call it an article",
        lambda page, norms: _some_og(norms) and not page.og_article,
    ),
    Evidence(
        "dated as articles are", 0.3, "it is dated",
        lambda page, norms: norms.dated > USUALLY_DATED and page.dated, weak=True,
    ),
    Evidence(
        "undated as articles are not", -1.5, "it has no date, as the site's articles have",
        lambda page, norms: norms.dated > USUALLY_DATED and not page.dated,
    ),
    Evidence(
        "signed as articles are", 0.3, "it is signed",
        lambda page, norms: norms.signed > USUALLY_SIGNED and page.signed, weak=True,
    ),
    Evidence(
        "unsigned as articles are not", -1.0, "it names no author, as the site's articles do",
        lambda page, norms: norms.signed > USUALLY_SIGNED and not page.signed,
    ),
)  # fmt: skip
"""All evidence, in the order in which it is told."""


def weigh(page: ArticleFeatures, norms: SiteNorms) -> tuple[Point, ...]:
    """Return the points of a page by itself, on a site where this is usual."""
    return tuple(
        Point(row.points, row.words.format(page=page), row.weak)
        for row in EVIDENCE
        if row.is_seen(page, norms)
    )
