"""What speaks for or against a page being an article: one table of evidence, each with its weight.

Points are log-odds. Of rows that exclude each other at most one is seen on a page. What each row is
worth is printed by `python -m benchmarks.evidence --worth`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from patterns.article_features import ArticleFeatures, SiteNorms
from patterns.thresholds import THRESHOLDS


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
    return page.words < THRESHOLDS.per_teaser * page.teasers


def _is_list(page: ArticleFeatures) -> bool:
    return page.teasers >= THRESHOLDS.several and _is_dense(page)


def _linked_by(page: ArticleFeatures) -> float:
    return page.linked_by if page.links >= THRESHOLDS.menu_links else 0.0


def _is_poor(page: ArticleFeatures) -> bool:
    """Short, in short lines, or linked: often one sign in three guises, a note that is a link."""
    return THRESHOLDS.no_words <= page.words < THRESHOLDS.line_words or (
        page.link_share > THRESHOLDS.mostly
        and (page.words < THRESHOLDS.note_words or page.longest < THRESHOLDS.line_longest)
    )


def _is_text(page: ArticleFeatures) -> bool:
    return page.words >= THRESHOLDS.line_words and not _is_poor(page)


def _is_like(likeness: float | None) -> bool:
    return likeness is not None and likeness >= THRESHOLDS.nearly_all


def _is_below(likeness: float | None, least: float) -> bool:
    return likeness is not None and likeness < least


def _some_og(norms: SiteNorms) -> bool:
    return THRESHOLDS.habit < norms.og_article < THRESHOLDS.on_all_pages


_WORDS = "its body has {page.words} words"
_LONGEST = "its longest paragraph has {page.longest} words"
_LINKED = "{page.link_share:.0%} of its body is links"
_HEAD = "its title is {page.like_head:.0%} like its head title"
_ANCHOR = "its title is {page.like_anchor:.0%} like the links that lead to it"
_MENU_WORDS = "{page.linked_by:.0%} of the pages link to it in the same words"
_TEASERS = "{page.teasers} headings in it are links"

EVIDENCE: tuple[Evidence, ...] = (
    # its text
    Evidence("no body", -3.0, _WORDS, lambda page, _: page.words < THRESHOLDS.no_words),
    Evidence("a line, or a link", -1.5, _WORDS, lambda page, _: _is_poor(page), weak=True),
    Evidence(
        "15 to 40 words", -0.5, _WORDS,
        lambda page, _: _is_text(page) and page.words < THRESHOLDS.note_words, weak=True,
    ),
    Evidence(
        "40 to 150 words", 0.5, _WORDS,
        lambda page, _: _is_text(page) and THRESHOLDS.note_words <= page.words < THRESHOLDS.long_words, weak=True,
    ),
    Evidence(
        "150 words or more", 1.0, _WORDS,
        lambda page, _: _is_text(page) and page.words >= THRESHOLDS.long_words, weak=True,
    ),
    Evidence(
        "a paragraph of 20 words", 0.5, _LONGEST,
        lambda page, _: _is_text(page) and page.longest >= THRESHOLDS.paragraph, weak=True,
    ),
    Evidence(
        "no paragraph of 12 words", -0.7, _LONGEST,
        lambda page, _: _is_text(page) and page.longest < THRESHOLDS.line_longest, weak=True,
    ),
    Evidence(
        "a third of it links", -0.7, _LINKED,
        lambda page, _: _is_text(page)
        and THRESHOLDS.third_links < page.link_share <= THRESHOLDS.mostly, weak=True,
    ),
    Evidence(
        "most of it links", -1.5, _LINKED,
        lambda page, _: _is_text(page) and page.link_share > THRESHOLDS.mostly, weak=True,
    ),
    # its names
    Evidence(
        "no head title", 0.5, "there is no telling its head title",
        lambda page, _: page.like_head is None, weak=True,
    ),
    Evidence(
        "title like the head's", 1.0, _HEAD,
        lambda page, _: _is_like(page.like_head), weak=True,
    ),
    Evidence(
        "title unlike the head's", -1.0, _HEAD,
        lambda page, _: _is_below(page.like_head, THRESHOLDS.mostly), weak=True,
    ),
    Evidence(
        "no telling links to it", 0.5, "there is no telling the links that lead to it",
        lambda page, _: page.like_anchor is None, weak=True,
    ),
    Evidence(
        "title like links to it", 1.0, _ANCHOR,
        lambda page, _: _is_like(page.like_anchor), weak=True,
    ),
    Evidence(
        "title unlike links to it", -0.7, _ANCHOR,
        lambda page, _: _is_below(page.like_anchor, THRESHOLDS.majority), weak=True,
    ),
    Evidence(
        "title of several pages", -1.0, "its title is no title of its own",
        lambda page, _: page.shared_title,
    ),
    Evidence(
        "title is a link", -1.5, "its title is a link, as those of the site's articles are not",
        lambda page, norms: page.linked_title and norms.linked_title < THRESHOLDS.habit,
    ),
    Evidence(
        "in a menu", -3.5, _MENU_WORDS,
        lambda page, _: page.in_menu and not page.headline_anchor and _linked_by(page) >= THRESHOLDS.in_menus,
    ),
    Evidence(
        "in every menu, but a headline elsewhere", -2.8, _MENU_WORDS,
        lambda page, _: page.in_menu and page.headline_anchor and _linked_by(page) >= THRESHOLDS.in_every_menu,
    ),
    Evidence(
        "in many menus, but a headline elsewhere", -1.75, _MENU_WORDS,
        lambda page, _: page.in_menu and page.headline_anchor and THRESHOLDS.in_menus <= _linked_by(page) < THRESHOLDS.in_every_menu,
    ),
    Evidence(
        "perhaps in a menu", -1.0, _MENU_WORDS,
        lambda page, _: page.in_menu and not page.headline_anchor
        and THRESHOLDS.habit <= _linked_by(page) < THRESHOLDS.in_menus,
    ),
    Evidence(
        "a headline on many pages", -0.6, _MENU_WORDS,
        lambda page, _: (not page.in_menu and _linked_by(page) >= THRESHOLDS.in_menus)
        or (page.in_menu and page.headline_anchor and THRESHOLDS.habit <= _linked_by(page) < THRESHOLDS.in_menus),
    ),
    # what lists have
    Evidence("linked headings, little text", -2.0, _TEASERS, lambda page, _: _is_list(page)),
    Evidence(
        "some linked headings", -0.5, _TEASERS,
        lambda page, _: not _is_list(page) and (page.teasers >= THRESHOLDS.several or _is_dense(page)),
    ),
    Evidence(
        "a quarter are titles of others", -2.0,
        "{page.other_share:.0%} of its lines are titles of others",
        lambda page, _: page.other_share >= THRESHOLDS.other_titles,
    ),
    Evidence(
        "titles of others, little text", -1.0, "{page.others} titles of other pages are in it",
        lambda page, _: page.other_share < THRESHOLDS.other_titles and page.others >= THRESHOLDS.several
        and page.words < THRESHOLDS.per_teaser * page.others and not _is_list(page),
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
        lambda page, norms: norms.json_ld > THRESHOLDS.habit and page.json_ld,
    ),
    Evidence(
        "no JSON-LD of an article", -0.5, "JSON-LD does not call it an article",
        lambda page, norms: norms.json_ld > THRESHOLDS.habit and not page.json_ld,
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
        lambda page, norms: norms.dated > THRESHOLDS.usually_dated and page.dated, weak=True,
    ),
    Evidence(
        "undated as articles are not", -1.5, "it has no date, as the site's articles have",
        lambda page, norms: norms.dated > THRESHOLDS.usually_dated and not page.dated,
    ),
    Evidence(
        "signed as articles are", 0.3, "it is signed",
        lambda page, norms: norms.signed > THRESHOLDS.nearly_all and page.signed, weak=True,
    ),
    Evidence(
        "unsigned as articles are not", -1.0, "it names no author, as the site's articles do",
        lambda page, norms: norms.signed > THRESHOLDS.nearly_all and not page.signed,
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
