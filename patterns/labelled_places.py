"""Where standfirst, section and tags are printed: elected by the pages of a pattern.

They are looked for where the heads of the pages do not say them.
"""

import re
from collections.abc import Iterator, Sequence
from html import unescape

import numpy as np

from flong.patterns.candidates import folded_line
from flong.patterns.date_line import BylineSample, line_vertices, vote
from flong.patterns.dates import KEPT, parse_date
from flong.patterns.labels import Labels
from flong.patterns.selectors import Selector, find, first_leaf
from flong.patterns.thresholds import THRESHOLDS
from flong.text import cached_if_short, fold_text, token_f1, words
from flong.tree import TEXT, Tree, remembered

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
_OTHERWISE = re.compile(
    r"caption|photo|comment|related|share|social|byline|author|date|newsletter|promo|\bad\b",
    re.IGNORECASE,
)
_LABEL = re.compile("^[^:\uff1a]+[:\uff1a]\\s*(?=\\S)")
_LINK = re.compile(rb"<a\b[^>]*>(.{1,200}?)</a>", re.DOTALL)
_MARKUP = re.compile(rb"<[^>]*>")
_SOURCE_BYTES = 8000
"""Bytes of a block's source in which links are looked for."""


def label_places(labels: Labels, samples: Sequence[BylineSample]) -> Labels:
    """Return the labels with the places of standfirst, section and tags, where needed."""
    lacking = {
        name: not all(getattr(one.metadata, name) for one in samples)
        for name in ("description", "section", "tags")
    }
    return labels.replace(
        standfirst=elect_standfirst(samples, labels) if lacking["description"] else None,
        section=elect_section(samples, labels) if lacking["section"] else None,
        tags=elect_tags(samples) if lacking["tags"] else None,
    )


def elect_standfirst(samples: Sequence[BylineSample], labels: Labels) -> Selector | None:
    """Return where pages have a sentence of their own between title and text; None if nowhere."""
    selector, score = vote(samples, _standfirst_worth, _below_title)
    if selector is None or score < THRESHOLDS.least_score or _is_byline(samples, selector, labels):
        return None
    said = _texts(samples, selector)
    return selector if len({*said}) >= THRESHOLDS.own_standfirst * len(said) else None


def _is_byline(samples: Sequence[BylineSample], selector: Selector, labels: Labels) -> bool:
    """Return whether a place is the one of the date or of the byline."""
    return any(
        _holds_byline(one.tree, find(one.tree, selector, one.starts), _byline_lines(one, labels))
        for one in samples
    )


def _byline_lines(sample: BylineSample, labels: Labels) -> list[int]:
    """Return where the date and the byline are."""
    selectors = [labels.date, labels.author.selector if labels.author else None]
    lines = [find(sample.tree, selector, sample.starts) for selector in selectors]
    return [line for line in lines if line >= 0]


def _holds_byline(tree: Tree, vertex: int, lines: Sequence[int]) -> bool:
    """Return whether the line of the date or of the byline is in a vertex, or the other way."""
    size = tree.size
    return vertex >= 0 and any(
        line <= vertex < line + size[line] or vertex <= line < vertex + size[vertex]
        for line in lines
    )


def _authors(sample: BylineSample, labels: Labels) -> set[str]:
    found = labels.author.read(sample.tree, sample.starts) if labels.author else ()
    return {*map(fold_text, found)}


def elect_section(samples: Sequence[BylineSample], labels: Labels) -> Selector | None:
    """Return where pages name one of the few sections of the site, as its menus do."""
    known = labels.constants
    # A page has the name of its own section once more than other pages have it.
    counts = {one.tree: _counts(one.tree, known) for one in samples}
    usual = np.min([*counts.values()], axis=0)
    authors = {one.tree: _authors(one, labels) for one in samples}
    lines = {one.tree: _byline_lines(one, labels) for one in samples}

    def worth(sample: BylineSample, vertex: int) -> float:
        tree = sample.tree
        leaf = first_leaf(tree, vertex)
        if (
            leaf < 0
            or not 0 < tree.words[vertex] <= THRESHOLDS.label_words
            or leaf == sample.labelled.title
            or _holds_byline(tree, vertex, lines[tree])
        ):
            return 0.0
        folded = folded_line(tree.text_of(vertex))
        if folded in authors[tree]:  # columnists are in menus, too
            return 0.0
        if sample.metadata.section:
            return float(any(folded == folded_line(one.value) for one in sample.metadata.section))
        at = int(np.searchsorted(known, tree.text_hash[leaf]))
        is_known = at < len(known) and known[at] == tree.text_hash[leaf]
        in_menu = is_known and counts[tree][at] > usual[at]
        named = _says(_SECTION, names_around(tree, vertex))
        if in_menu:
            return THRESHOLDS.section_in_menu + (1 - THRESHOLDS.section_in_menu) * named
        return THRESHOLDS.section_named * named

    selector, score = vote(samples, worth, line_vertices)
    if selector is None or score < THRESHOLDS.least_score:
        return None
    said = _texts(samples, selector)
    return selector if 1 < len({*said}) <= max(2, len(said) // 2) else None


def elect_tags(samples: Sequence[BylineSample]) -> Selector | None:
    """Return where pages have links to what they are about; None if nowhere."""

    def worth(sample: BylineSample, vertex: int) -> float:
        tree, metadata = sample.tree, sample.metadata
        found = tag_texts(tree, vertex)
        if not found or vertex <= sample.labelled.title < vertex + int(tree.size[vertex]):
            return 0.0
        if metadata.tags:
            stated = {folded_line(part) for one in metadata.tags for part in one.value.split(",")}
            return len({*map(folded_line, found)} & stated) / max(len(stated), len(found))
        named = _says(_TAGS, names_around(tree, vertex))
        linked = bool(_TAG_URL.search(_source(tree, vertex)))
        whole = 1 - (1 - THRESHOLDS.first_tag) ** len(found)  # the list says more than its first
        return whole * (named + linked) / 2

    selector, score = vote(samples, worth, line_vertices)
    return selector if score >= THRESHOLDS.least_score else None


def tag_texts(tree: Tree, vertex: int) -> list[str]:
    """Return the texts of the links in a short block of links; none if it is another one."""
    total = int(tree.words[vertex])
    if (
        not 0 < total <= THRESHOLDS.note_words
        or tree.link_words[vertex] < THRESHOLDS.tag_links * total
    ):
        return []
    found = (_text(link[1]) for link in _LINK.finditer(_source(tree, vertex)))
    return list(dict.fromkeys(text for text in found if text))


def standfirst_text(tree: Tree, vertex: int) -> str:
    """Return the text of a standfirst in one line; empty if it is none."""
    fits = vertex >= 0 and 0 < tree.words[vertex] <= THRESHOLDS.summary_words
    return " ".join(tree.text_of(vertex).split()) if fits else ""


def section_text(tree: Tree, vertex: int) -> str:
    """Return the name of a section in one line; empty if it is none."""
    fits = 0 < tree.words[vertex] <= THRESHOLDS.label_words
    text = " ".join(tree.text_of(vertex).split()) if fits else ""
    return _LABEL.sub("", text)


def _counts(tree: Tree, known: np.ndarray) -> np.ndarray:
    """Return how often a page has each of some texts, which are in order."""
    if not len(known):
        return np.zeros(0, np.intp)
    at = np.minimum(np.searchsorted(known, tree.text_hash), len(known) - 1)
    return np.bincount(at[known[at] == tree.text_hash], minlength=len(known))


def _below_title(sample: BylineSample) -> Iterator[int]:
    """Yield the elements around the leaves from the title to the second of the text."""
    tree, body, title = sample.tree, sample.labelled.body, sample.labelled.title
    if not body or title < 0:
        return
    last = body[min(1, len(body) - 1)]
    for leaf in (
        np.flatnonzero(tree.tag[title + 1 : last + 1] == TEXT)[: THRESHOLDS.standfirst_lines]
        + title
        + 1
    ).tolist():
        around = int(tree.parent[leaf])
        yield from (around, int(tree.parent[around]))


def _standfirst_worth(sample: BylineSample, vertex: int) -> float:
    tree, body, title = sample.tree, sample.labelled.body, sample.labelled.title
    total = int(tree.words[vertex])
    end = vertex + int(tree.size[vertex])
    if (
        not body
        or vertex <= title
        or not THRESHOLDS.label_words <= total <= THRESHOLDS.summary_words
    ):
        return 0.0
    if (len(body) > 1 and end > body[1]) or tree.link_words[vertex] > THRESHOLDS.tag_links * total:
        return 0.0
    text = " ".join(tree.text_of(vertex).split())
    names = names_around(tree, vertex)
    if _says(_OTHERWISE, names) or (
        total <= THRESHOLDS.line_words and parse_date(text) is not None
    ):
        return 0.0
    named = _says(_SUMMARY, names)
    if sample.metadata.description:
        stated = words(sample.metadata.description[0].value)
        return float(token_f1(stated, words(text)) >= THRESHOLDS.like_description)
    in_text = vertex <= body[0] < end
    if named:
        return THRESHOLDS.standfirst_named
    return 0.0 if in_text else THRESHOLDS.standfirst_unnamed


def _texts(samples: Sequence[BylineSample], selector: Selector) -> list[str]:
    found = [(one.tree, find(one.tree, selector, one.starts)) for one in samples]
    return [fold_text(tree.text_of(vertex)) for tree, vertex in found if vertex >= 0]


@cached_if_short(KEPT)
def _says(word: re.Pattern[str], names: str) -> bool:
    """Return whether names have a word: pages of a template have the same names."""
    return word.search(names) is not None


@remembered
def names_around(tree: Tree, vertex: int) -> str:
    """Return class, id and the like of an element and of the one around it."""
    said = []
    for at in (vertex, max(int(tree.parent[vertex]), 0)):
        attributes = tree.attributes(at)
        said += [attributes.get(key, "") for key in ("class", "id", "itemprop")]
        said.append(tree.name(at))
    return " ".join(said)


def _source(tree: Tree, vertex: int) -> bytes:
    start = int(tree.tag_start[vertex])
    following = tree.tag_start[vertex + int(tree.size[vertex]) :]
    following = following[following >= 0]
    end = int(following[0]) if len(following) else len(tree.source.data)
    return tree.source.data[start : min(end, start + _SOURCE_BYTES)] if start >= 0 else b""


def _text(markup: bytes) -> str:
    return " ".join(unescape(_MARKUP.sub(b" ", markup).decode("utf-8", "replace")).split())
