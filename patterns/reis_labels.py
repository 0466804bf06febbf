"""The labels of the paper itself, page by page (Reis 2004, section 4.4), for comparison.

Each wildcard gives a passage. The body is the longest with more than 100 words; the title, before
it, has 1 to 20 words and the most words in common with the body over its distance to it.
"""

from typing import NamedTuple

import numpy as np

from flong.patterns.match import Match
from flong.text import words
from flong.tree import TEXT

LEAST_BODY = 100
"""A body has more words."""

MOST_TITLE = 20
"""A title has at most so many words."""


class Passage(NamedTuple):
    """What one wildcard takes out of a page."""

    vertex: int
    """The wildcard's position in the pattern."""
    leaves: tuple[int, ...]
    """Text leaves of the page."""
    words: int
    """Their words."""


def passages(found: Match) -> list[Passage]:
    """Return the passages of a match, in order; wildcards that take no text have none."""
    tree, taken = found.tree, []
    for wildcard in found.pattern.wildcards:
        start, stop = int(found.start[wildcard]), int(found.stop[wildcard])
        if start < 0:
            continue
        leaves = np.flatnonzero(tree.tag[start:stop] == TEXT) + start
        if len(leaves):
            count = int(tree.words[leaves].sum())
            taken.append(Passage(wildcard, tuple(leaves.tolist()), count))
    return taken


def label_by_paper(found: Match) -> tuple[Passage | None, Passage] | None:
    """Return title and body of a page; None if no passage is long enough to be a body.

    >>> from flong.patterns.compose import compose
    >>> from flong.patterns.match import match
    >>> from flong.patterns.pattern import pattern_of
    >>> from flong.tree import build_tree
    >>> pages = [build_tree(f"<h1>On {w}</h1><i>by me</i><p>{f'{w} ' * 101}</p>") for w in "ab"]
    >>> found = match(compose(*map(pattern_of, pages)), pages[0])
    >>> title, body = label_by_paper(found)
    >>> pages[0].text_of(title.leaves[0]), body.words
    ('On a', 101)
    """
    all_passages = passages(found)
    longest = max(all_passages, key=lambda passage: passage.words, default=None)
    if longest is None or longest.words <= LEAST_BODY:
        return None
    own = _terms(found, longest)
    titles = [
        (len(own & _terms(found, passage)) / (longest.vertex - passage.vertex), passage)
        for passage in all_passages
        if passage.vertex < longest.vertex and 1 <= passage.words <= MOST_TITLE
    ]
    best = max(titles, key=lambda pair: pair[0], default=None)
    return (best[1] if best is not None and best[0] > 0 else None), longest


def _terms(found: Match, passage: Passage) -> set[str]:
    return {word for leaf in passage.leaves for word in words(found.tree.text_of(leaf))}
