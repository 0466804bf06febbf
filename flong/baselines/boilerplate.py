"""What a reader sees at once is not the article: hidden from methods before they look.

All methods fall for the same things (comments longer than the article, further articles below
it), so that without this they agree on what is wrong.
"""

import re
from itertools import pairwise

import numpy as np

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
_H1 = tag_number("h1")
_TRIED = 100
"""A page with more headings like the first has no second article among the rest either."""


@remembered
def find_boilerplate(tree: Tree) -> Mask:
    """Return which vertices are certainly not the body of the page's article.

    Comments; text up to and including the headline, unless that is most of the page; and all
    from a second headline of the same make on.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<p>Site<h1>News</h1><p>It snows.<div id=comments><p>Where?</div>")
    >>> find_boilerplate(tree).tolist()
    [False, False, True, False, True, False, False, True, False, False]
    """
    found = np.zeros(len(tree), dtype=np.bool_)
    _, title = find_title(tree, first_half(tree))
    found[_comments(tree, title)] = True
    if title is not None:
        above = (tree.tag[: title + 1] == TEXT).nonzero()[0]
        if 2 * tree.words[above].sum() < tree.words[0]:
            found[above] = True
        second = _second_article(tree, title)
        if second is not None:
            found[second:] = True
    return found


def _comments(tree: Tree, title: int | None) -> list[int]:
    """Return the vertices whose class or id says that they hold comments, not the headline."""
    around = {0} if title is None else {0, *tree.ancestors(title)}
    found = []
    for vertex in vertices_with(tree, b"omment", b"espond", b"isqus"):
        attributes = tree.attributes(vertex)
        tokens = f"{attributes.get('class', '')} {attributes.get('id', '')}".split()
        if vertex not in around and any(map(_COMMENTS.fullmatch, tokens)):
            found.append(vertex)
    return found


def _second_article(tree: Tree, title: int) -> int | None:
    """Return where a further article begins: one whose headline is made like the first."""
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
        if same_make and tree.tag[own].tolist() == tree.tag[path].tolist():
            known = set(path)
            return next(vertex for vertex, above in pairwise(own) if above in known)
    return None


def _tokens(tree: Tree, vertex: int) -> list[int]:
    """Return the hashes of an element's class tokens."""
    first, end = tree.class_start[vertex : vertex + 2]
    return [int(token) for token in tree.class_hash[first:end]]
