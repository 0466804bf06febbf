"""Headline of a page, for methods whose paper does not define one."""

import re
from dataclasses import dataclass

import numpy as np

from flong.baselines.interface import Leaves, Mask, Title
from flong.text import fold_text
from flong.tree import TEXT, Head, Tree, tag_number

_RANKS = {tag_number(name): points for name, points in (("h1", 0.25), ("h2", 0.15), ("h3", 0.1))}
_IS_RANKED = np.zeros(max(_RANKS) + 2, dtype=np.bool_)
_IS_RANKED[[*_RANKS]] = True
"""Indexed by tag number; the last entry is for all other tags."""
_SEPARATOR = re.compile(r"\s+[-\u2013\u2014|·•:»«/\\>~]+\s+|\s*[|»«]\s*|:\s+")
_META = ("og:title", "twitter:title", "headline", "dc.title")
_LONGEST = 40
"""Maximum words of a headline."""
_CHARACTERS = 500
"""Maximum characters of a head title; every piece of it is compared, so longer ones are cut."""
_TRIED = 200
"""Maximum number of candidates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _HeadTitles:
    """Titles in the head of the page."""

    titles: tuple[str, ...]
    """Whole titles, the most trusted first."""
    pieces: dict[str, float]
    """Each title and its pieces between separators, with their fraction of the whole title."""
    folded: dict[str, float]
    """The same, folded."""
    words: tuple[frozenset[str], ...]
    """The words of each whole title."""


def find_title(tree: Tree, body: Leaves = (), ignored: Mask | None = None) -> Title:
    """Return the headline and its text leaf; the leaf is None if only the head has a title.

    Evidence for a leaf: the rank of its heading, words shared with the titles in the head, a
    position just above or at the start of the body, and not being a link. `ignored` leaves, such as
    the name of the site, are not candidates.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<title>Big news - Site</title><h1>Site</h1><h2>Big news</h2><p>It is.")
    >>> find_title(tree)
    ('Big news', 4)
    """
    head_titles = _read(tree.head)
    start = next((leaf for leaf in body if int(tree.tag[tree.parent[leaf]]) not in _RANKS), 0)
    best, place = 0.2 if head_titles.titles else 0.0, None
    for leaf in _candidates(tree, head_titles):
        if ignored is not None and ignored[leaf]:
            continue
        points = _points(tree, leaf, fold_text(tree.text_of(leaf)), head_titles)
        points += 0.3 * leaf / start if leaf <= start else 0.0
        if points > best:
            best, place = points, leaf
    title = " ".join(tree.text_of(place).split()) if place is not None else ""
    return title or _longest_piece(head_titles), place


def _read(head: Head) -> _HeadTitles:
    """Collect the titles of the head."""
    titles = (*(head.meta.get(name, "") for name in _META), head.title)
    distinct = tuple(dict.fromkeys(title[:_CHARACTERS] for title in titles if title))
    pieces: dict[str, float] = {}
    for title in distinct:
        pieces.setdefault(title, 1.0)
        for cut in _SEPARATOR.finditer(title):
            for piece in (title[: cut.start()], title[cut.end() :]):
                pieces.setdefault(piece, len(piece) / len(title))
    folded = {fold_text(piece): share for piece, share in pieces.items()}
    folded.pop("", None)
    words = tuple(frozenset(fold_text(title).split()) for title in distinct)
    return _HeadTitles(titles=distinct, pieces=pieces, folded=folded, words=words)


def _candidates(tree: Tree, head_titles: _HeadTitles) -> list[int]:
    """Return the text leaves in headings, and leaves equal to a title in the head."""
    head_texts = {piece.encode("utf-8", "replace") for piece in head_titles.pieces}
    leaves = ((tree.tag == TEXT) & (tree.words <= _LONGEST)).nonzero()[0]
    starts, ends = tree.start[leaves], tree.end[leaves] - 1
    tags, lengths = tree.tag[tree.parent[leaves]], ends - starts
    in_heading = _IS_RANKED[np.minimum(tags, len(_IS_RANKED) - 1)]
    likely = in_heading.copy()
    for length in {len(text) for text in head_texts}:
        likely |= lengths == length
    rows = zip(*(each[likely].tolist() for each in (leaves, in_heading, starts, ends)), strict=True)
    candidates = [
        leaf for leaf, ranked, at, end in rows if ranked or tree.text[at:end] in head_texts
    ]
    return candidates[:_TRIED]


def _points(tree: Tree, leaf: int, text: str, head_titles: _HeadTitles) -> float:
    """Return the points of a leaf with this folded text, independent of its position."""
    if not text:
        return 0.0
    points = _RANKS.get(int(tree.tag[tree.parent[leaf]]), 0.0)
    points -= 0.1 if tree.link_words[leaf] else 0.0
    if text in head_titles.folded:
        return points + 0.8 + 0.4 * head_titles.folded[text]
    own = set(text.split())
    return points + 0.8 * max([_common(own, title) for title in head_titles.words], default=0.0)


def _common(own: set[str], other: frozenset[str]) -> float:
    """Return the Jaccard index of two sets of words."""
    return len(own & other) / len(own | other)


def _longest_piece(head_titles: _HeadTitles) -> str:
    """Return the longest piece of the most trusted title, usually without the site's name."""
    if not head_titles.titles:
        return ""
    title = head_titles.titles[0]
    return max(_SEPARATOR.split(title), key=len, default=title).strip()
