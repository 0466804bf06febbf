"""Boilerplate that is removed before the baselines vote.

All baselines make the same mistakes: comments longer than the article, further articles below it.
Without this step they agree on the wrong text.
"""

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flong.baselines.first_half import first_half
from flong.baselines.interface import Mask
from flong.baselines.tag_hints import vertices_with
from flong.baselines.titles import find_title
from flong.tree import TEXT, Tree, remembered, tag_number

_COMMENTS = re.compile(
    r"(post-|fb-|wp-)?comments?([-_]?(area|box|container|list|respond|section|template|wrap\w*))?"
    r"|respond|disqus(_thread)?",
    re.IGNORECASE,
)
_H1, _H6 = tag_number("h1"), tag_number("h6")
_LINE, _TEXT_ABOVE = 12, 40
"""Minimum words of a line of text, and of such lines above the heading of comments: a counter of
comments may stand above a text."""
_TRIED = 100
"""Maximum number of headings compared with the headline."""


@remembered
def find_boilerplate(tree: Tree) -> Mask:
    """Return True for each vertex that is certainly not part of the article's body.

    These are comments, text up to and including the headline (unless more lines of text are above
    than below it), and everything from a second headline with the same markup in another element.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<p>Site<h1>News</h1><p>It snows.<div id=comments><p>Where?</div>")
    >>> find_boilerplate(tree).tolist()
    [False, False, True, False, True, False, False, True, False, False]
    """
    found = np.zeros(len(tree), dtype=np.bool_)
    _, title = find_title(tree, first_half(tree))
    found[_comments(tree, title)] = True
    if title is not None:
        lines = _lines(tree)
        if lines[:title].sum() <= lines[title:].sum():
            found[: title + 1] = tree.tag[: title + 1] == TEXT
        second = _second_article(tree, title)
        if second is not None:
            found[second:] = True
    return found


def _lines(tree: Tree) -> NDArray[np.integer]:
    """Return the words outside of links of each line of text; 0 for all other vertices."""
    plain = tree.words - tree.link_words
    return np.where((tree.tag == TEXT) & (plain >= _LINE), plain, 0)


def _comments(tree: Tree, title: int | None) -> list[int]:
    """Return the vertices with a class or id for comments, except ancestors of the headline."""
    around = {0} if title is None else {0, *tree.ancestors(title)}
    found = []
    for vertex in vertices_with(tree, b"omment", b"espond", b"isqus"):
        attributes = tree.attributes(vertex)
        tokens = f"{attributes.get('class', '')} {attributes.get('id', '')}".split()
        if vertex not in around and any(map(_COMMENTS.fullmatch, tokens)):
            found.append(vertex)
            found += _below_heading(tree, vertex)
    return found


def _below_heading(tree: Tree, vertex: int) -> list[int]:
    """Return the siblings below a heading that is named after comments, if a text is above it."""
    if not _H1 <= tree.tag[vertex] <= _H6 or _lines(tree)[:vertex].sum() < _TEXT_ABOVE:
        return []
    return [child for child in tree.children(int(tree.parent[vertex])) if child > vertex]


def _second_article(tree: Tree, title: int) -> int | None:
    """Return the first vertex of a further article: its headline has the same markup."""
    heading = int(tree.parent[title])
    if not _tokens(tree, heading) and tree.tag[heading] != _H1:
        return None
    path = [title, *tree.ancestors(title)]
    leaves = title + 1 + (tree.tag[title + 1 :] == TEXT).nonzero()[0]
    alike = tree.tag[tree.parent[leaves]] == tree.tag[heading]
    other = alike & (tree.text_hash[leaves] != tree.text_hash[title])
    tried: list[int] = leaves[other][:_TRIED].tolist()
    for leaf in tried:
        own = [leaf, *tree.ancestors(leaf)]
        same_make = _tokens(tree, own[1]) == _tokens(tree, heading)
        if tree.parent[own[1]] == tree.parent[heading]:
            continue  # a section of the same text
        if same_make and tree.tag[own].tolist() == tree.tag[path].tolist():
            known = set(path)
            return next(vertex for vertex, above in pairwise(own) if above in known)
    return None


def _tokens(tree: Tree, vertex: int) -> list[int]:
    """Return the hashes of an element's class tokens."""
    first, end = tree.class_start[vertex : vertex + 2]
    return [int(token) for token in tree.class_hash[first:end]]
