"""Field selectors: the shortest robust selector for title, date and author."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from flong.links import Element
from flong.recipes.documents import TextPiece, all_names, plainness
from flong.recipes.examples import Example
from flong.recipes.recipe import Place

TRIED = 24
"""Maximum candidates tried on all examples, most frequent first."""
SLACK = 0.005
"""Maximum loss in agreement for a shorter selector."""
LEAST = 0.5
"""Minimum agreement of a selector for date or author."""
_LONGEST = 15
"""Maximum pieces in a line that is considered."""
_HEADING = re.compile(r"(?:^| )h[1-6]\b[^ ]*$")
_META = ("property", "name", "itemprop")

Agrees = Callable[[Example, str], bool]


class Chosen(NamedTuple):
    """A location and its quality."""

    place: Place
    share: float
    """Fraction of the examples where it contains the field."""
    length: int
    """Characters found there in all examples; fewer means less noise."""


Preference = Callable[[Chosen], int]
"""First sort key among equally good locations; hint and plainness follow."""


def choose_title(examples: Sequence[Example], hint: str) -> Chosen | None:
    """Return the location of the headline, preferably in a heading."""

    def preference(one: Chosen) -> bool:
        return not _HEADING.search(one.place.css)

    return _choose(examples, hint, Example.has_title, preference, least=0.0)


def choose_date(examples: Sequence[Example], hint: str) -> Chosen | None:
    """Return the location of the publication date, preferably in an attribute.

    None if no location contains it on most articles.
    """
    dated = [one for one in examples if one.day]
    return _choose(dated, hint, Example.has_day, lambda one: not one.place.attribute)


def choose_author(examples: Sequence[Example], hint: str) -> Chosen | None:
    """Return the location of the authors' names with the least surrounding text.

    None if no location contains them on most articles.
    """
    signed = [one for one in examples if one.authors]
    return _choose(signed, hint, Example.has_authors, lambda one: one.length)


def _choose(
    examples: Sequence[Example],
    hint: str,
    agrees: Agrees,
    preference: Preference,
    least: float = LEAST,
) -> Chosen | None:
    counts = Counter(place for one in examples for place in set(_candidates(one, agrees)))
    tried = sorted(counts, key=lambda place: (-counts[place], plainness(place.css), place.css))
    tried = [*[Place(hint)] * bool(hint), *tried[:TRIED]]
    judged = [_judged(examples, place, agrees) for place in dict.fromkeys(tried)]
    best = max((one.share for one in judged), default=0.0)
    if best <= least:
        return None
    good = [one for one in judged if one.share >= best - SLACK]
    good.sort(key=lambda one: (one.place.css != hint, plainness(one.place.css), one.place.css))
    return min(good, key=preference)


def _judged(examples: Sequence[Example], place: Place, agrees: Agrees) -> Chosen:
    texts = [place.read(one.root) for one in examples]
    right = sum(agrees(one, text) for one, text in zip(examples, texts, strict=True))
    return Chosen(place, right / max(len(examples), 1), sum(map(len, texts)))


def _candidates(example: Example, agrees: Agrees) -> Iterator[Place]:
    """Yield the locations of the field on a page."""
    for pieces in example.lines.values():
        if len(pieces) <= _LONGEST and agrees(example, "".join(piece.text for piece in pieces)):
            yield from (Place(name) for one in _around(pieces) for name in all_names(one))
        elif 1 < len(pieces) <= _LONGEST:
            inner = (piece.owner for piece in pieces if agrees(example, piece.text))
            yield from (Place(name) for one in inner for name in all_names(one))
    for element in example.root.iter("meta", "time"):
        yield from _attributes(example, element, agrees)


def _around(pieces: Sequence[TextPiece]) -> Iterable[Element]:
    """Return elements that may contain just this line: owners of its pieces and two ancestors."""
    first = pieces[0].owner
    outer = [one for one in first.iterancestors() if isinstance(one.tag, str)][:2]
    return dict.fromkeys([*(piece.owner for piece in pieces), *outer])


def _attributes(example: Example, element: Element, agrees: Agrees) -> Iterator[Place]:
    if element.tag == "time":
        if agrees(example, element.get("datetime") or ""):
            yield from (Place(name, "datetime") for name in all_names(element))
        return
    key = next((key for key in _META if element.get(key)), None)
    value = element.get(key) if key else None
    if key and value and '"' not in value and agrees(example, element.get("content") or ""):
        yield Place(f'meta[{key}="{value}"]', "content")
