"""What speaks for or against a page being an article: one table of evidence, each with its weight.

Points are log-odds. Of rows that exclude each other at most one is seen on a page. The weights are
in `article_weights.json`: `python -m benchmarks.evidence --fit` writes them, and says what each row
is worth on sites that the fit did not see.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from flong.patterns.article_features import ArticleFeatures, SiteNorms
from flong.patterns.thresholds import THRESHOLDS

_FITTED = json.loads(Path(__file__).with_name("article_weights.json").read_text(encoding="utf-8"))
WEIGHTS: Mapping[str, float] = _FITTED["weights"]
"""The fitted weight of each row, by its name."""


class Point(NamedTuple):
    """One sign, weighed."""

    points: float
    """For an article if above 0."""
    said: str
    """What was seen; where it speaks of `{page}`, its features are to be filled in."""
    weak: bool = False
    """It says little about a page whose pattern is of one kind."""
    alone: bool = False
    """It says nothing about other pages of the pattern."""
    page: ArticleFeatures | None = None
    """The features of the page, for what was seen."""

    @property
    def words(self) -> str:
        """Return what was seen; few are ever asked, so that the numbers are filled in late."""
        return self.said.format(page=self.page) if self.page is not None else self.said

    def times(self, factor: float) -> "Point":
        """Return the same sign with other weight."""
        return Point(self.points * factor, self.said, self.weak, self.alone, self.page)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind of evidence."""

    name: str
    """What it is called in tables."""
    expected: float
    """Points that one would give it before any page was seen; the fit stays near."""
    words: str
    """What is said of a page that has it; `page` are its features."""
    is_seen: Callable[[ArticleFeatures, SiteNorms], bool]
    """Whether a page has it."""
    weak: bool = False
    """It says little about a page of a uniform pattern, all of whose pages were asked already."""
    alone: bool = False
    """It says nothing about other pages of the pattern: a list of a tag may be built like them."""

    @property
    def points(self) -> float:
        """Return its fitted weight: for an article if above 0."""
        return WEIGHTS[self.name]

    def point(self, page: ArticleFeatures) -> Point:
        """Return what it says of a page that has it."""
        return Point(WEIGHTS[self.name], self.words, self.weak, self.alone, page)


def _is_dense(page: ArticleFeatures) -> bool:
    return page.words < THRESHOLDS.per_teaser * page.teasers


def _is_list(page: ArticleFeatures) -> bool:
    return page.teasers >= THRESHOLDS.least_teasers and _is_dense(page)


def _linked_by(page: ArticleFeatures) -> float:
    return page.linked_by if page.links >= THRESHOLDS.least_repeats else 0.0


def _is_entry(page: ArticleFeatures) -> bool:
    """Return whether so many pages link here, by another name than its title, that it is a menu."""
    return page.in_menu and _linked_by(page) >= THRESHOLDS.menu


def _is_everywhere(page: ArticleFeatures) -> bool:
    return _linked_by(page) >= THRESHOLDS.every_menu


def _many(page: ArticleFeatures) -> float:
    return THRESHOLDS.often_linked if page.in_menu else THRESHOLDS.menu


def _is_poor(page: ArticleFeatures) -> bool:
    """Short, in short lines, or linked: often one sign in three guises, a note that is a link."""
    return page.words < THRESHOLDS.line_words or (
        page.link_share > THRESHOLDS.mostly_links
        and (page.words < THRESHOLDS.note_words or page.longest < THRESHOLDS.line_words)
    )


def _is_text(page: ArticleFeatures) -> bool:
    return page.words >= THRESHOLDS.line_words and not _is_poor(page)


def _is_like(likeness: float | None) -> bool:
    return likeness is not None and likeness >= THRESHOLDS.same_title


def _is_below(likeness: float | None, least: float) -> bool:
    return likeness is not None and likeness < least


def _some_og(norms: SiteNorms) -> bool:
    return THRESHOLDS.convention < norms.og_article < THRESHOLDS.all_called_articles


def _some_json_ld(norms: SiteNorms) -> bool:
    return norms.json_ld > THRESHOLDS.convention


def _is_called_article(page: ArticleFeatures, norms: SiteNorms) -> bool:
    return (_some_json_ld(norms) and page.json_ld) or (_some_og(norms) and page.og_article)


_WORDS = "its body has {page.words} words"
_LONGEST = "its longest paragraph has {page.longest} words"
_LINKED = "{page.link_share:.0%} of its body is links"
_HEAD = "its title is {page.like_head:.0%} like its head title"
_ANCHOR = "its title is {page.like_anchor:.0%} like the links that lead to it"
_MENU_WORDS = "{page.linked_by:.0%} of the pages link to it in the same words"
_TEASERS = "{page.teasers} headings in it are links"

EVIDENCE: tuple[Evidence, ...] = (
    # its text
    Evidence("a line, or a link", -1.5, _WORDS, lambda page, _: _is_poor(page), weak=True),
    Evidence(
        "40 to 150 words", 0.5, _WORDS,
        lambda page, _: THRESHOLDS.note_words <= page.words < THRESHOLDS.long_words
        and _is_text(page), weak=True,
    ),
    Evidence(
        "150 words or more", 1.0, _WORDS,
        lambda page, _: page.words >= THRESHOLDS.long_words and _is_text(page), weak=True,
    ),
    Evidence(
        "a paragraph of 20 words", 0.5, _LONGEST,
        lambda page, _: page.longest >= THRESHOLDS.paragraph and _is_text(page), weak=True,
    ),
    Evidence(
        "no paragraph of 12 words", -0.7, _LONGEST,
        lambda page, _: page.longest < THRESHOLDS.line_words and _is_text(page), weak=True,
    ),
    Evidence(
        "a third of it links", -0.8, _LINKED,
        lambda page, _: page.link_share > THRESHOLDS.linked_text and _is_text(page), weak=True,
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
        lambda page, _: _is_below(page.like_head, THRESHOLDS.unlike_head), weak=True,
    ),
    Evidence(
        "title like links to it", 1.0, _ANCHOR,
        lambda page, _: _is_like(page.like_anchor), weak=True,
    ),
    Evidence(
        "title is a link", -1.5, "its title is a link, as those of the site's articles are not",
        lambda page, norms: page.linked_title and norms.linked_title < THRESHOLDS.convention,
    ),
    Evidence(
        "in every menu", -4.5, _MENU_WORDS,
        lambda page, _: _is_entry(page) and not page.headline_anchor and _is_everywhere(page),
    ),
    Evidence(
        "in a menu", -3.5, _MENU_WORDS,
        lambda page, _: _is_entry(page) and not page.headline_anchor and not _is_everywhere(page),
    ),
    Evidence(
        "in a menu, but a headline elsewhere", -2.2, _MENU_WORDS,
        lambda page, _: _is_entry(page) and page.headline_anchor,
    ),
    Evidence(
        "linked from many pages", -0.8, _MENU_WORDS,
        lambda page, _: not _is_entry(page) and _linked_by(page) >= _many(page),
    ),
    # what lists have
    Evidence("linked headings, little text", -2.0, _TEASERS, lambda page, _: _is_list(page)),
    Evidence(
        "some linked headings", -0.5, _TEASERS,
        lambda page, _: not _is_list(page)
        and (page.teasers >= THRESHOLDS.least_teasers or _is_dense(page)),
    ),
    Evidence(
        "a third are titles of others", -2.0,
        "{page.other_share:.0%} of its lines are titles of others",
        lambda page, _: page.other_share >= THRESHOLDS.other_titles,
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
        "more bodies than one", -1.5, "it has more bodies than one",
        lambda page, _: page.more_instances,
    ),
    Evidence(
        "in a directory without news", -5.0, "its address is below {page.newsless_directory}",
        lambda page, norms: bool(page.newsless_directory)
        and norms.newsless_pages < THRESHOLDS.newsless, alone=True,
    ),
    Evidence(
        "pages lie below its address", -2.5, "several pages of the site lie below its address",
        lambda page, _: page.is_directory, alone=True,
    ),
    # what its metadata and its byline say
    Evidence(
        "metadata of an article", 0.8, "its metadata calls it an article",
        _is_called_article,
    ),
    Evidence(
        "no metadata of an article", -1.0, "its metadata does not call it an article",
        lambda page, norms: (_some_json_ld(norms) or _some_og(norms))
        and not _is_called_article(page, norms),
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
        "unsigned as articles are not", -1.0, "it names no author, as the site's articles do",
        lambda page, norms: norms.signed > THRESHOLDS.usually_signed and not page.signed,
    ),
)  # fmt: skip
"""All evidence, in the order in which it is told."""


def weigh(page: ArticleFeatures, norms: SiteNorms) -> tuple[Point, ...]:
    """Return the points of a page by itself, on a site where this is usual."""
    return tuple([row.point(page) for row in EVIDENCE if row.is_seen(page, norms)])
