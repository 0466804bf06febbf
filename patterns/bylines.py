"""Where dates and bylines are printed: found near the title, elected by the pages of a pattern."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from items import fold_text, word_count
from patterns.dates import parse_date
from patterns.labels import Reading
from patterns.places import Place, Starts, find, first_leaf, places_of, plainness
from trees import TEXT, Tree

_BY = re.compile(
    r"(?:(?:posted|published|written|publicado|escrito|redactado|geschrieben|publi[eé]|[eé]crit|"
    r"scritto|pubblicato|postado|texto?|autore?|author|auteur|автор|文|著者|編集)\s*)?"
    r"(?:\b(?:by|por|von|par|di|da|door|av|af|przez)\b|:|\uff1a)\s*(?P<name>.+)",
    re.IGNORECASE,
)
_END_OF_NAME = re.compile(
    r"\s*(?:[|,\u00b7\u2022/()\n\u2013\u2014@]|\s-\s|\d|\b(?:in|on|en|em|el|am|le|il|at|il|под|updated|posted|published)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_ONLY_BY = re.compile(r"(?:by|por|von|par|di|da|door|av|af|przez|autore?|author)\W*", re.IGNORECASE)
_NAMED = re.compile(r"author|autor|auteur|byline|verfasser", re.IGNORECASE)
_LONGEST = 30
"""No line with a date or a byline has more words."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One page that votes."""

    tree: Tree
    """The page."""
    reading: Reading
    """What its labels give."""
    starts: Starts | None
    """Where the vertices of its pattern are."""
    published: datetime | None
    """Date of publication by its metadata."""
    authors: tuple[str, ...]
    """Authors by its metadata."""


def lines_around(tree: Tree, reading: Reading) -> list[int]:
    """Return short text leaves above and below title and body, where dates and names stand."""
    leaves = np.flatnonzero(tree.tag == TEXT)
    at = int(np.searchsorted(leaves, max(reading.title, 0)))
    near = set(leaves[max(0, at - 5) : at + 9].tolist())
    if reading.body:
        end = int(np.searchsorted(leaves, reading.body[-1]))
        near.update(leaves[max(0, end - 1) : end + 6].tolist())
    return sorted(leaf for leaf in near if 0 < tree.words[leaf] <= _LONGEST)


def read_byline(text: str, *, certain: bool = False) -> str:
    """Return the name in a byline; empty if it does not look like one.

    A line that is `certain` to be a byline needs no "by".

    >>> [read_byline(text) for text in ("By Ann Lee in Sports on May 3", "Ann Lee", "Go by bus")]
    ['Ann Lee', '', '']
    >>> read_byline("Ann Lee | 3 May", certain=True)
    'Ann Lee'
    """
    found = _BY.match(text.strip())
    if found is None and (not certain or _ONLY_BY.fullmatch(text.strip())):
        return ""
    name = _END_OF_NAME.sub("", found["name"] if found else text.strip()).strip(" .:")
    return name if 1 <= word_count(name) <= 6 else ""


def line_at(tree: Tree, vertex: int) -> str:
    """Return the text of a short block as one line, of a long one its first leaf; empty if none.

    >>> from trees import build_tree
    >>> line_at(build_tree("<div><p>By<p>Ann Lee</div>"), 1)
    'By Ann Lee'
    """
    if vertex < 0:
        return ""
    if tree.words[vertex] > _LONGEST:
        vertex = first_leaf(tree, vertex)
    return " ".join(tree.text_of(vertex).split()) if tree.words[vertex] <= _LONGEST else ""


def vote_date(samples: Sequence[Sample]) -> Place | None:
    """Return where the date is printed on at least half of the pages."""

    def worth(sample: Sample, vertex: int) -> float:
        date = parse_date(line_at(sample.tree, vertex))
        if date is None:
            return 0.0
        if sample.published is None:
            return 0.5
        return 1.0 if date.date() == sample.published.date() else 0.2

    place, score = _vote(samples, worth)
    return place if score >= 0.3 else None


def vote_author(samples: Sequence[Sample]) -> Place | None:
    """Return where the byline is on at least half of the pages."""

    def worth(sample: Sample, vertex: int) -> float:
        named = _is_named(sample.tree, vertex)
        name = read_byline(line_at(sample.tree, vertex), certain=named)
        if not name:
            return 0.0
        if fold_text(name) in map(fold_text, sample.authors):
            return 1.0
        return 0.6 if named else 0.4

    place, score = _vote(samples, worth)
    return place if score >= 0.3 else None


def _is_named(tree: Tree, vertex: int) -> bool:
    """Return whether an element, or one of the two around it, is named after authors."""
    for _ in range(3):
        attributes = tree.attributes(vertex)
        said = " ".join(attributes.get(key, "") for key in ("class", "id", "rel", "itemprop"))
        if _NAMED.search(said):
            return True
        vertex = max(int(tree.parent[vertex]), 0)
    return False


def _vote(
    samples: Sequence[Sample], worth: Callable[[Sample, int], float]
) -> tuple[Place | None, float]:
    counts: Counter[Place] = Counter()
    for sample in samples:
        counts.update(dict.fromkeys(_proposals(sample, worth)).keys())
    best: tuple[float, tuple[int, int], Place | None] = (0.0, (0, 0), None)
    for place, pages in counts.most_common(80):
        if pages >= 0.3 * len(samples):
            score = sum(
                worth(sample, vertex)
                for sample in samples
                if (vertex := find(sample.tree, place, sample.starts)) >= 0
            )
            best = max(best, (round(score / len(samples), 2), plainness(place), place), key=_rank)
    return best[2], best[0]


def _rank(row: tuple[float, tuple[int, int], Place | None]) -> tuple[float, tuple[int, int]]:
    return row[:2]


def _proposals(sample: Sample, worth: Callable[[Sample, int], float]) -> Iterator[Place]:
    for leaf in lines_around(sample.tree, sample.reading):
        around = int(sample.tree.parent[leaf])
        for vertex in (around, int(sample.tree.parent[around])):
            if vertex > 0 and worth(sample, vertex) > 0:
                yield from places_of(sample.tree, vertex)
