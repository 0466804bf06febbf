"""Elections of the date line, standfirst, section and tags.

The pages of a pattern vote for the line near title or body that holds each of these fields. Where
all heads give the standfirst, section or tags, no place is elected for them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import unescape
from typing import Generic, NamedTuple

import numpy as np

from flong.patterns.dates import KEPT, may_have_date, parse_date
from flong.patterns.election import Feature, FeatureTable, Rated, Seen, elect, shortlist
from flong.patterns.labels import LabelledPage, Labels
from flong.patterns.metadata import Metadata
from flong.patterns.person_names import line_at
from flong.patterns.selectors import (
    Selector,
    Starts,
    find,
    first_leaf,
    in_pattern,
    plainness,
    selectors_of,
)
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import folded_line
from flong.text import cached_if_short, fold_text, token_f1, words
from flong.tree import TEXT, Tree, remembered

_BEFORE, _AFTER, _BELOW = 5, 9, 6
"""Number of lines searched before the title, from the title, and from the end of the body."""
_TRIED = 80
"""Maximum number of selectors that are scored."""
_SUMMARY = re.compile(
    r"stand-?first|sub-?(?:head|title)|summary|excerpt|\bdeck?\b|lead\b|lede|intro|teaser|chapo|abstract"
    r"|descri[pç]|entradilla|bajada|copete|sommario|vorspann|\bsy\b|preamble|ingress",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"section|categor|rubri|kicker|overline|channel|ressort|secci|department|desk\b", re.IGNORECASE
)
_TAGS = re.compile(
    r"\btags?\b|tag-?list|-tags?\b|\btags?[-_]|topics?\b|keywords?|labels?\b|etiquet|schlagw|mots?-?cle"
    r"|hashtag",
    re.IGNORECASE,
)
_TAG_URL = re.compile(
    rb'href="[^"]*/(?:tags?|topics?|keywords?|label|themen?|etiquetas?)[/=?]', re.IGNORECASE
)
_OTHER = re.compile(
    r"caption|photo|comment|related|share|social|byline|author|date|newsletter|promo|\bad\b",
    re.IGNORECASE,
)
_LABEL = re.compile("^[^:\uff1a]+[:\uff1a]\\s*(?=\\S)")
_LINK = re.compile(rb"<a\b[^>]*>(.{1,200}?)</a>", re.DOTALL)
_MARKUP = re.compile(rb"<[^>]*>")
_ATTRIBUTES = ("class", "id", "itemprop")
"""Attributes that name fields."""
_SOURCE_BYTES = 8000
"""Maximum bytes of a block's source that are searched for links."""


@dataclass(frozen=True, slots=True)
class BylineSample:
    """One page that votes."""

    tree: Tree
    """The page."""
    labelled: LabelledPage
    """Title and body of the page."""
    starts: Starts | None
    """Position of each vertex of the pattern in the page."""
    published: date | None
    """Day of publication in the metadata."""
    authors: tuple[str, ...]
    """Authors in the metadata."""
    metadata: Metadata = field(default_factory=Metadata)
    """Metadata of the head."""


# The lines that are candidates, and their election


def lines_around(tree: Tree, labelled: LabelledPage, *, with_digits: bool = False) -> list[int]:
    """Return short text leaves near the title and the end of the body: dates, bylines, sections.

    `with_digits` restricts them to lines that may contain a date (`may_have_date`).
    """
    leaves = np.flatnonzero(tree.tag == TEXT)
    top = labelled.title if labelled.title >= 0 else (*labelled.body, 0)[0]
    at = int(leaves.searchsorted(top))
    near = {*leaves[max(at - _BEFORE, 0) : at + _AFTER].tolist()}
    if labelled.body:
        end = int(leaves.searchsorted(labelled.body[-1]))
        near.update(leaves[max(end - 1, 0) : end + _BELOW].tolist())
    return [
        leaf
        for leaf in sorted(near)
        if 0 < tree.words[leaf] <= THRESHOLDS.byline_words
        and (not with_digits or may_have_date(tree.text, tree.start[leaf], tree.end[leaf]))
    ]


def line_vertices(sample: BylineSample, ignored: Collection[int] = ()) -> Iterator[int]:
    """Yield the elements around short lines near title and body, except those of some leaves."""
    for leaf in lines_around(sample.tree, sample.labelled):
        if leaf in ignored:
            continue
        around = int(sample.tree.parent[leaf])
        yield from (around, int(sample.tree.parent[around]))


See = Callable[[BylineSample, int], Seen | None]
"""Returns the features of a vertex of a page; None if the field cannot be there."""
Vertices = Callable[[BylineSample], Iterable[int]]
"""Returns the vertices of a page that can hold a field."""


def elect_place(
    samples: Sequence[BylineSample],
    table: FeatureTable[Seen],
    see: See[Seen],
    vertices: Vertices = line_vertices,
) -> Selector | None:
    """Return the selector with the most points, on the mean of all pages.

    Return None if no selector has `least_score`. Ties are decided by fewer words, then by the
    plainer selector.
    """
    pages = [_Page(sample, table, see) for sample in samples]
    tried = shortlist((page.propose(vertices(page.sample)) for page in pages), _TRIED)
    found = [
        [page.score(find(sample.tree, selector, sample.starts)) for selector in tried]
        for page, sample in zip(pages, samples, strict=True)
    ]
    best = elect(map(_rate, tried, zip(*found, strict=True)), least=THRESHOLDS.least_score)
    return best.choice if best is not None and best.score else None


def _rate(selector: Selector, found: Sequence[tuple[float, int]]) -> Rated[Selector]:
    """Rate a selector by the points and the words of the vertex that it finds on each page."""
    points, count = map(sum, zip(*found, strict=True))
    preference = (-count / len(found), *plainness(selector))
    return Rated(selector, round(points / len(found), 2), preference)


class _Page(Generic[Seen]):
    """A page that votes. Many selectors lead to the same vertices, which are scored once."""

    def __init__(self, sample: BylineSample, table: FeatureTable[Seen], see: See[Seen]) -> None:
        self.sample, self._table, self._see = sample, table, see
        self._known: dict[int, tuple[float, int]] = {-1: (0.0, 0)}

    def score(self, vertex: int) -> tuple[float, int]:
        """Return the points of a vertex, and its words."""
        if vertex not in self._known:
            seen = self._see(self.sample, vertex)
            points = 0.0 if seen is None else self._table.score(seen)
            self._known[vertex] = points, int(self.sample.tree.words[vertex])
        return self._known[vertex]

    def propose(self, vertices: Iterable[int]) -> Iterator[tuple[Selector, ...]]:
        """Yield the selectors that lead to those of some vertices that have points."""
        for vertex in dict.fromkeys(vertices):
            if vertex > 0 and self.score(vertex)[0] > 0:
                yield selectors_of(self.sample.tree, vertex)
                yield in_pattern(self.sample.starts, vertex)


# Date


class DateLine(NamedTuple):
    """A line that may be the date of publication."""

    printed: date | None
    """Day in the line."""
    published: date | None
    """Day in the metadata."""


DATE = FeatureTable[DateLine](
    "date",
    Feature(
        "the day of the metadata", 1.0, "line and metadata confirm each other",
        lambda seen: seen.printed is not None and seen.printed == seen.published,
    ),
    Feature(
        "any day, where the metadata has none", 0.5, "it may be the date of something else",
        lambda seen: seen.printed is not None and seen.published is None,
    ),
)  # fmt: skip
"""Features of a line as the date of publication."""


def elect_date(samples: Sequence[BylineSample]) -> Selector | None:
    """Return the selector of the date of publication, or None."""

    def see(sample: BylineSample, vertex: int) -> DateLine:
        moment = parse_date(line_at(sample.tree, vertex), language=sample.tree.head.language)
        return DateLine(None if moment is None else moment.day, sample.published)

    return elect_place(samples, DATE, see)


# Standfirst, section and tags


def label_places(labels: Labels, samples: Sequence[BylineSample]) -> Labels:
    """Return the labels with the places of standfirst, section and tags, where heads lack them."""
    lacking = {
        name: not all(getattr(one.metadata, name) for one in samples)
        for name in ("description", "section", "tags")
    }
    return labels.replace(
        standfirst=elect_standfirst(samples, labels) if lacking["description"] else None,
        section=elect_section(samples, labels) if lacking["section"] else None,
        tags=elect_tags(samples) if lacking["tags"] else None,
    )


class StandfirstLine(NamedTuple):
    """A sentence that may be the standfirst."""

    likeness: float | None
    """F1 of its words and those of the head's description; None without one."""
    named: bool
    """Its markup is named as that of a standfirst."""
    in_text: bool
    """It is the beginning of the body."""


STANDFIRST = FeatureTable[StandfirstLine](
    "standfirst",
    Feature(
        "the description of the head", 1.0, "heads repeat the standfirst",
        lambda seen: seen.likeness is not None and seen.likeness >= THRESHOLDS.like_description,
    ),
    Feature(
        "named as a standfirst", 0.8, "class or id name the field",
        lambda seen: seen.likeness is None and seen.named,
    ),
    Feature(
        "between title and body", 0.5, "without a name it may be something else",
        lambda seen: seen.likeness is None and not seen.named and not seen.in_text,
    ),
)  # fmt: skip
"""Features of a sentence as the standfirst."""


def elect_standfirst(samples: Sequence[BylineSample], labels: Labels) -> Selector | None:
    """Return the selector of a sentence between title and text that differs by page, or None."""
    selector = elect_place(samples, STANDFIRST, _see_standfirst, _below_title)
    if selector is None or _is_byline(samples, selector, labels):
        return None
    texts = _texts(samples, selector)
    return selector if len({*texts}) >= THRESHOLDS.own_standfirst * len(texts) else None


def _see_standfirst(sample: BylineSample, vertex: int) -> StandfirstLine | None:
    tree, body, title = sample.tree, sample.labelled.body, sample.labelled.title
    total = int(tree.words[vertex])
    end = vertex + int(tree.size[vertex])
    if (
        not body
        or vertex <= title
        or not THRESHOLDS.standfirst_words <= total <= THRESHOLDS.longest_standfirst
        or (len(body) > 1 and end > body[1])
        or tree.link_words[vertex] > THRESHOLDS.standfirst_links * total
    ):
        return None
    text = " ".join(tree.text_of(vertex).split())
    names = names_around(tree, vertex, _ATTRIBUTES)
    is_date = total <= THRESHOLDS.dated_line and parse_date(text) is not None
    if is_date or _matches(_OTHER, names):
        return None
    likeness = None
    if sample.metadata.description:
        likeness = token_f1(words(sample.metadata.description[0].value), words(text))
    return StandfirstLine(likeness, _matches(_SUMMARY, names), vertex <= body[0] < end)


def _below_title(sample: BylineSample) -> Iterator[int]:
    """Yield the elements around the leaves from the title to the second leaf of the body."""
    tree, body, title = sample.tree, sample.labelled.body, sample.labelled.title
    if not body or title < 0:
        return
    last = body[min(1, len(body) - 1)]
    leaves = np.flatnonzero(tree.tag[title + 1 : last + 1] == TEXT) + title + 1
    for leaf in leaves[: THRESHOLDS.standfirst_lines].tolist():
        around = int(tree.parent[leaf])
        yield from (around, int(tree.parent[around]))


def _is_byline(samples: Sequence[BylineSample], selector: Selector, labels: Labels) -> bool:
    """Return True if the place overlaps the date or the byline."""
    return any(
        _overlaps(one.tree, find(one.tree, selector, one.starts), _byline_lines(one, labels))
        for one in samples
    )


def _byline_lines(sample: BylineSample, labels: Labels) -> list[int]:
    """Return the vertices of the date and the byline."""
    selectors = [labels.date, labels.author.selector if labels.author else None]
    lines = [find(sample.tree, selector, sample.starts) for selector in selectors]
    return [line for line in lines if line >= 0]


def _overlaps(tree: Tree, vertex: int, lines: Sequence[int]) -> bool:
    """Return True if a vertex contains one of some lines, or lies in one."""
    size = tree.size
    return vertex >= 0 and any(
        line <= vertex < line + size[line] or vertex <= line < vertex + size[vertex]
        for line in lines
    )


class SectionLine(NamedTuple):
    """A short line that may name the section."""

    stated: bool | None
    """It is the section in the metadata; None if the metadata has none."""
    in_menu: bool = False
    """A menu lists it, and the page has it once more than other pages."""
    named: bool = False
    """Its markup is named as that of a section."""


SECTION = FeatureTable[SectionLine](
    "section",
    Feature(
        "the section of the metadata", 1.0, "line and metadata confirm each other",
        lambda seen: seen.stated is True,
    ),
    Feature(
        "in a menu, and named as a section", 1.0, "menus list the sections, class or id the field",
        lambda seen: seen.stated is None and seen.in_menu and seen.named,
    ),
    Feature(
        "in a menu only", 0.6, "menus list the sections, and other things",
        lambda seen: seen.stated is None and seen.in_menu and not seen.named,
    ),
    Feature(
        "named as a section only", 0.35, "class or id name the field, but it is in no menu",
        lambda seen: seen.stated is None and seen.named and not seen.in_menu,
    ),
)  # fmt: skip
"""Features of a line as the name of the section."""


def elect_section(samples: Sequence[BylineSample], labels: Labels) -> Selector | None:
    """Return the selector of the name of one of the site's few sections, or None."""
    known = labels.constants
    # A page has the name of its own section once more than other pages have it.
    counts = {one.tree: _counts(one.tree, known) for one in samples}
    usual = np.min([*counts.values()], axis=0)
    authors = {one.tree: _authors(one, labels) for one in samples}
    lines = {one.tree: _byline_lines(one, labels) for one in samples}

    def see(sample: BylineSample, vertex: int) -> SectionLine | None:
        tree = sample.tree
        leaf = first_leaf(tree, vertex)
        if (
            leaf < 0
            or not 0 < tree.words[vertex] <= THRESHOLDS.section_words
            or leaf == sample.labelled.title
            or _overlaps(tree, vertex, lines[tree])
        ):
            return None
        folded = folded_line(tree.text_of(vertex))
        if folded in authors[tree]:  # menus list columnists, too
            return None
        if stated := sample.metadata.section:
            return SectionLine(any(folded == folded_line(one.value) for one in stated))
        at = int(np.searchsorted(known, tree.text_hash[leaf]))
        is_known = at < len(known) and known[at] == tree.text_hash[leaf]
        in_menu = bool(is_known and counts[tree][at] > usual[at])
        return SectionLine(
            None, in_menu, _matches(_SECTION, names_around(tree, vertex, _ATTRIBUTES))
        )

    selector = elect_place(samples, SECTION, see)
    if selector is None:
        return None
    texts = _texts(samples, selector)
    return selector if 1 < len({*texts}) <= max(2, len(texts) // 2) else None


def _authors(sample: BylineSample, labels: Labels) -> set[str]:
    found = labels.author.read(sample.tree, sample.starts) if labels.author else ()
    return {*map(fold_text, found)}


def _counts(tree: Tree, known: np.ndarray) -> np.ndarray:
    """Return the number of times that a page has each of some texts; these are sorted."""
    if not len(known):
        return np.zeros(0, np.intp)
    at = np.minimum(np.searchsorted(known, tree.text_hash), len(known) - 1)
    return np.bincount(at[known[at] == tree.text_hash], minlength=len(known))


class TagBlock(NamedTuple):
    """A short block of links that may be the tags."""

    stated: float | None
    """Overlap with the tags in the metadata, from 0 to 1; None if the metadata has none."""
    length: float = 0.0
    """Points for the number of links, from 0 to 1: a whole list beats its first tag."""
    named: bool = False
    """Its markup is named as that of tags."""
    linked: bool = False
    """A link leads to the page of a tag."""


TAGS = FeatureTable[TagBlock](
    "tags",
    Feature(
        "the tags of the metadata", 1.0, "links and metadata confirm each other",
        lambda seen: seen.stated or 0.0,
    ),
    Feature(
        "named as tags", 0.5, "class or id name the field",
        lambda seen: seen.length if seen.named else 0.0,
    ),
    Feature(
        "links to pages of tags", 0.5, "URLs of such pages contain /tag/ or the like",
        lambda seen: seen.length if seen.linked else 0.0,
    ),
)  # fmt: skip
"""Features of a block of links as the tags."""


def elect_tags(samples: Sequence[BylineSample]) -> Selector | None:
    """Return the selector of the links to tags, or None."""

    def see(sample: BylineSample, vertex: int) -> TagBlock | None:
        tree, metadata = sample.tree, sample.metadata
        found = tag_texts(tree, vertex)
        if not found or vertex <= sample.labelled.title < vertex + int(tree.size[vertex]):
            return None
        if metadata.tags:
            stated = {folded_line(part) for one in metadata.tags for part in one.value.split(",")}
            both = {*map(folded_line, found)} & stated
            return TagBlock(len(both) / max(len(stated), len(found)))
        return TagBlock(
            None,
            1 - (1 - THRESHOLDS.first_tag) ** len(found),
            _matches(_TAGS, names_around(tree, vertex, _ATTRIBUTES)),
            bool(_TAG_URL.search(_source(tree, vertex))),
        )

    return elect_place(samples, TAGS, see)


# The text of an elected place


def tag_texts(tree: Tree, vertex: int) -> list[str]:
    """Return the texts of the links in a short block of links; empty for any other block."""
    total = int(tree.words[vertex])
    if (
        not 0 < total <= THRESHOLDS.tag_words
        or tree.link_words[vertex] < THRESHOLDS.tag_links * total
    ):
        return []
    found = (_text(link[1]) for link in _LINK.finditer(_source(tree, vertex)))
    return list(dict.fromkeys(text for text in found if text))


def standfirst_text(tree: Tree, vertex: int) -> str:
    """Return the text of a standfirst in one line; empty if it is too long for one."""
    fits = vertex >= 0 and 0 < tree.words[vertex] <= THRESHOLDS.longest_standfirst
    return " ".join(tree.text_of(vertex).split()) if fits else ""


def section_text(tree: Tree, vertex: int) -> str:
    """Return the name of a section in one line; empty if it is too long for one."""
    fits = 0 < tree.words[vertex] <= THRESHOLDS.section_words
    text = " ".join(tree.text_of(vertex).split()) if fits else ""
    return _LABEL.sub("", text)


def _texts(samples: Sequence[BylineSample], selector: Selector) -> list[str]:
    found = [(one.tree, find(one.tree, selector, one.starts)) for one in samples]
    return [fold_text(tree.text_of(vertex)) for tree, vertex in found if vertex >= 0]


@cached_if_short(KEPT)
def _matches(word: re.Pattern[str], names: str) -> bool:
    """Return True if names contain a word; cached, because a template repeats its names."""
    return word.search(names) is not None


@remembered
def names_around(tree: Tree, vertex: int, keys: tuple[str, ...]) -> str:
    """Return some attributes and the tag of an element and of the element around it."""
    found = []
    for at in (vertex, max(int(tree.parent[vertex]), 0)):
        attributes = tree.attributes(at)
        found += [attributes.get(key, "") for key in keys]
        found.append(tree.name(at))
    return " ".join(found)


def _source(tree: Tree, vertex: int) -> bytes:
    start = int(tree.tag_start[vertex])
    end = tree.tag_from(vertex + int(tree.size[vertex]))
    return tree.source.data[start : min(end, start + _SOURCE_BYTES)] if start >= 0 else b""


def _text(markup: bytes) -> str:
    return " ".join(unescape(_MARKUP.sub(b" ", markup).decode("utf-8", "replace")).split())
