"""Evidence for or against an article: one table of features, each with its weight.

Points are log-odds. Of rows that exclude each other at most one applies to a page. The weights are
in `article_weights.json`. `python -m benchmarks.evidence --fit` writes them and reports the worth
of each row on sites outside of the fit.
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
"""Fitted weight of each row, by its name."""


class Point(NamedTuple):
    """A piece of evidence with its weight."""

    points: float
    """Log-odds; above 0 for an article."""
    said: str
    """Text for a reason, with `{page}` for features."""
    weak: bool = False
    """It counts less on a pattern whose pages are of one kind."""
    alone: bool = False
    """It holds for this page only, not for other pages of the pattern."""
    page: ArticleFeatures | None = None
    """Features of the page, to fill in `said`."""

    @property
    def words(self) -> str:
        """Return the text with its numbers. Few are ever shown, so they are filled in late."""
        return self.said.format(page=self.page) if self.page is not None else self.said


@dataclass(frozen=True, slots=True)
class Evidence:
    """One row: a kind of evidence."""

    name: str
    """Name, as shown in reports."""
    expected: float
    """Prior of the fitted weight, in points; the fit stays near it."""
    words: str
    """Text for a reason; `page` are the features."""
    is_seen: Callable[[ArticleFeatures, SiteNorms], bool]
    """Return True if a page has it."""
    weak: bool = False
    """It counts less on a pattern of one kind, whose prior already contains it."""
    alone: bool = False
    """It holds for one page only: a list of a tag may be built like the other pages."""

    @property
    def points(self) -> float:
        """Return the fitted weight, above 0 for an article."""
        return WEIGHTS[self.name]


def _is_dense(page: ArticleFeatures) -> bool:
    return page.words < THRESHOLDS.per_teaser * page.teasers


def _is_list(page: ArticleFeatures) -> bool:
    return page.teasers >= THRESHOLDS.least_teasers and _is_dense(page)


def _linked_by(page: ArticleFeatures) -> float:
    return page.linked_by if page.links >= THRESHOLDS.least_repeats else 0.0


def _is_entry(page: ArticleFeatures) -> bool:
    """Return True if many pages link here, by another name than the title: an entry of a menu."""
    return page.in_menu and _linked_by(page) >= THRESHOLDS.menu


def _is_poor(page: ArticleFeatures) -> bool:
    """Return True for a text that is short, in short lines or linked, such as a linked note."""
    return page.words < THRESHOLDS.line_words or (
        page.link_share > THRESHOLDS.mostly_links
        and (page.words < THRESHOLDS.note_words or page.longest < THRESHOLDS.line_words)
    )


def _is_text(page: ArticleFeatures) -> bool:
    return page.words >= THRESHOLDS.line_words and not _is_poor(page)


def _is_called_article(page: ArticleFeatures, norms: SiteNorms) -> bool | None:
    """Return True if the metadata call it an article; None if they mean nothing on the site."""
    is_json = norms.json_ld > THRESHOLDS.called_articles
    is_og = THRESHOLDS.called_articles < norms.og_article < THRESHOLDS.all_called_articles
    if not (is_json or is_og):
        return None
    return (is_json and page.json_ld) or (is_og and page.og_article)


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
    # its titles
    Evidence(
        "no head title", 0.5, "its head title is not known",
        lambda page, _: page.like_head is None, weak=True,
    ),
    Evidence(
        "title like the head's", 1.0, _HEAD,
        lambda page, _: (page.like_head or 0) >= THRESHOLDS.same_title, weak=True,
    ),
    Evidence(
        "title unlike the head's", -1.0, _HEAD,
        lambda page, _: page.like_head is not None and page.like_head < THRESHOLDS.unlike_head,
        weak=True,
    ),
    Evidence(
        "title like links to it", 1.0, _ANCHOR,
        lambda page, _: (page.like_anchor or 0) >= THRESHOLDS.same_title, weak=True,
    ),
    Evidence(
        "no link to it is known", 0.8, "no link to it is known",
        lambda page, norms: 2 * norms.linked_pages < 1
        and page.like_anchor is None and page.links == 0, weak=True,
    ),
    Evidence(
        "title is a link", -1.5, "its title is a link, as those of the site's articles are not",
        lambda page, norms: page.linked_title
        and page.like_main and norms.linked_title < THRESHOLDS.linked_titles,
    ),
    Evidence(
        "in every menu", -4.5, _MENU_WORDS,
        lambda page, _: _is_entry(page) and not page.headline_anchor
        and _linked_by(page) >= THRESHOLDS.every_menu,
    ),
    Evidence(
        "in a menu", -3.5, _MENU_WORDS,
        lambda page, _: _is_entry(page) and not page.headline_anchor
        and _linked_by(page) < THRESHOLDS.every_menu,
    ),
    Evidence(
        "in a menu, but a headline elsewhere", -2.2, _MENU_WORDS,
        lambda page, _: _is_entry(page) and page.headline_anchor,
    ),
    Evidence(
        "linked from many pages", -0.8, _MENU_WORDS,
        lambda page, _: not _is_entry(page) and _linked_by(page)
        >= (THRESHOLDS.often_linked if page.in_menu else THRESHOLDS.linked_by_title),
    ),
    # features of lists
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
        lambda page, norms: 2 * norms.like_main > 1
        and not page.like_main and not page.of_unknown_era,
    ),
    Evidence(
        "more bodies than one", -1.5, "it has more bodies than one",
        lambda page, _: page.more_instances,
    ),
    Evidence(
        "in a directory without news", -5.0, "its URL is below {page.newsless_directory}",
        lambda page, norms: bool(page.newsless_directory)
        and norms.newsless_pages < THRESHOLDS.newsless, alone=True,
    ),
    Evidence(
        "pages are below its URL", -2.5, "several pages of the site are below its URL",
        lambda page, _: page.is_directory, alone=True,
    ),
    # its metadata and byline
    Evidence(
        "metadata of an article", 0.8, "its metadata calls it an article",
        lambda page, norms: _is_called_article(page, norms) is True,
    ),
    Evidence(
        "no metadata of an article", -1.0, "its metadata does not call it an article",
        lambda page, norms: page.like_main and _is_called_article(page, norms) is False,
    ),
    Evidence(
        "dated as articles are", 0.3, "it is dated",
        lambda page, norms: norms.dated > THRESHOLDS.usually_dated and page.dated, weak=True,
    ),
    Evidence(
        "undated as articles are not", -1.5, "it has no date, as the site's articles have",
        lambda page, norms: norms.dated > THRESHOLDS.usually_dated
        and page.like_main and not page.dated,
    ),
    Evidence(
        "unsigned as articles are not", -1.0, "it names no author, as the site's articles do",
        lambda page, norms: norms.signed > THRESHOLDS.usually_signed
        and page.like_main and not page.signed,
    ),
)  # fmt: skip
"""All evidence, in the order of reports."""


def weigh(page: ArticleFeatures, norms: SiteNorms) -> tuple[Point, ...]:
    """Return the evidence of a page, given the norms of its site."""
    seen = [row for row in EVIDENCE if row.is_seen(page, norms)]
    return tuple([Point(WEIGHTS[row.name], row.words, row.weak, row.alone, page) for row in seen])
