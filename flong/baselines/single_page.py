"""One page alone, without its site: the witnesses' answer, cleaned by what tags and names tell.

On whole sites the patterns know better what recurs; there these rules were measured to do harm.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flong.article import Article
from flong.baselines.article_builder import make_article
from flong.baselines.boilerplate import find_boilerplate
from flong.baselines.consensus import agree
from flong.baselines.interface import Leaves, Mask
from flong.baselines.tag_hints import invisible
from flong.baselines.word_counts import below
from flong.tree import TEXT, SitePage, Tree, tag_number

Vertices = NDArray[np.intp]

_ASIDE = [tag_number(name) for name in "nav aside footer form figcaption button dialog".split()]
_HEADINGS = [tag_number(f"h{rank}") for rank in range(1, 7)]
_NAMES = re.compile(
    r"(?:^|[-_\s])(?:related|recommend\w*|promos?|newsletters?|subscri\w*|shar(?:e|es|ing)|social\w*"
    r"|sidebar|comments?|disqus|respond|breadcrumbs?|captions?|credits?|bylines?|authors?|bio|tags?"
    r"|adverts?|advertisement|ads?|sponsor\w*|outbrain|taboola|cookies?|gdpr|popup|modal|signup"
    r"|trending|nav|navigation|navbar|menu|footer|toc|pagination|pager|donate|appeal|cta|postmeta"
    r"|timestamp|dateline|readmore|copyright|disclaimer)(?:$|[-_\s])",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LARGEST_ASIDE = 0.4
"""Share of a page's words that no aside has: a wrapper may have any name (`has-sidebar`)."""
LEAST_LEFT = 0.25
"""Share of the running text that must be left, else names are not believed, then tags not."""
SENTENCE = 10
"""Words from which on a text leaf is running text."""
LINKED = 0.4
"""Share of its words in links up to which it is."""
GROWTH = 0.1
"""Share of its own running text that a body must gain by containers of the same make."""
DIRT = 0.3
"""Words that are no running text, for each that is, which such a container may have."""
WIDER, WIDER_DIRT = 2.5, 0.1
"""A container around the body's is taken if it has so many times its running text, with so few
other words for each: a list of reviews, each in a box of its own make. F1 of `blogs_and_news` is
.941 without this, .946 with it."""


def read_single_page_body(page: SitePage) -> Article | None:
    """Return the article of a page of which nothing else is known; None if it has no text.

    Its confidence is how far the witnesses agree.

    >>> from flong.tree import build_tree
    >>> text = "<p>" + "This is what the article says, more or less. " * 5
    >>> html = f"<h1>News</h1><div>{text * 3}<p class=caption>By us</div><div>{text}</div>"
    >>> article = read_single_page_body(SitePage(url="http://a.org/", tree=build_tree(html)))
    >>> article.title, article.body.count("more or less"), "By us" in article.body
    ('News', 20, False)
    """
    asides = find_asides(page.tree)
    leaves, agreement = agree(page.tree, asides)
    if not leaves:
        leaves, agreement = agree(page.tree)
    if not leaves:
        return None
    return make_article(
        page, _complete(page.tree, leaves, asides), "lone-page", confidence=agreement
    )


def find_asides(tree: Tree) -> Mask:
    """Return what tags and names of elements call something else than the text.

    Names are not believed where hardly anything would be left, and then tags are not either.

    >>> from flong.tree import build_tree
    >>> find_asides(build_tree("<p>It snows in the hills.<nav>Home</nav>")).tolist()
    [False, False, False, True, True]
    """
    text = _running_text(tree) & ~find_boilerplate(tree)
    words = tree.words[text].sum()
    for by_name in (True, False):
        found = _asides(tree, by_name=by_name)
        if tree.words[text & ~found].sum() >= LEAST_LEFT * words:
            return found
    return np.zeros(len(tree), dtype=np.bool_)


def _asides(tree: Tree, *, by_name: bool) -> Mask:
    found = np.isin(tree.tag, _ASIDE) | invisible(tree)
    small = tree.words <= LARGEST_ASIDE * max(1, int(tree.words[0]))
    if by_name:
        found |= _named_asides(tree, small & ~found)
    return below(tree, found & small)


def _named_asides(tree: Tree, asked: Mask) -> Mask:
    """Return which of the elements that are asked for have a name that tells."""
    found = np.zeros(len(tree), dtype=np.bool_)
    is_named = (np.diff(tree.class_start) > 0) | (tree.id_hash != 0)
    for vertex in np.flatnonzero(asked & is_named).tolist():
        attributes = tree.attributes(vertex)
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        found[vertex] = _is_aside(names)
    return found


@lru_cache(10_000)
def _is_aside(names: str) -> bool:
    return bool(_NAMES.search(_CAMEL.sub("-", names)))


def _running_text(tree: Tree) -> Mask:
    linked = tree.link_words <= LINKED * tree.words
    found: Mask = (tree.tag == TEXT) & (tree.words >= SENTENCE) & linked
    return found


def _complete(tree: Tree, leaves: Leaves, asides: Mask) -> Leaves:
    """Add what the witnesses left out between the leaves, and in containers of the same make."""
    seen = (tree.tag == TEXT) & ~asides & ~find_boilerplate(tree)
    text = _running_text(tree) & seen
    heading = np.isin(tree.tag[np.maximum(tree.parent, 0)], _HEADINGS)
    share = tree.link_words / np.maximum(tree.words, 1)
    fine = text | (seen & (share < np.where(heading, 0.5, 0.2)))
    chosen = set(leaves)
    home = _widened(tree, _common_ancestor(tree, leaves), text, seen & ~fine)
    for place in (home, *_same_make(tree, home, text, seen & ~fine)):
        inside = slice(place, place + int(tree.size[place]))
        known = [*(np.flatnonzero(text[inside]) + place).tolist()]
        known += (leaves[0], leaves[-1]) if place == home else ()
        more = (np.flatnonzero(fine[inside]) + place).tolist()
        # A heading just above the first line belongs to it.
        chosen.update(leaf for leaf in more if min(known) - 2 <= leaf <= max(known))
    return tuple(sorted(chosen))


def _widened(tree: Tree, home: int, text: Mask, dirt: Mask) -> int:
    """Return the container around the body's that has far more running text, and little else.

    What names call something else, of any size, is none: comments may be most of a page.
    """
    around = np.array([*tree.ancestors(home)], dtype=np.intp)
    if _wider(tree, home, around, text, dirt) == home:
        return home
    asked = np.ones(len(tree), dtype=np.bool_)
    asked[[*around.tolist(), *range(home, home + int(tree.size[home]))]] = False
    aside = below(tree, _named_asides(tree, asked))
    return _wider(tree, home, around, text & ~aside, dirt | (text & aside))


def _wider(tree: Tree, home: int, around: Vertices, text: Mask, dirt: Mask) -> int:
    """Return the widest such container, the body's own if there is none."""
    clean_words, dirty_words = _running_sums(tree, text), _running_sums(tree, dirt)
    own, found = _between(clean_words, tree, home), home
    for vertex in around.tolist():
        words = _between(clean_words, tree, vertex)
        if words >= WIDER * own and _between(dirty_words, tree, vertex) <= WIDER_DIRT * words:
            own, found = words, vertex
    return found


def _same_make(tree: Tree, home: int, text: Mask, dirt: Mask) -> Iterator[int]:
    """Yield the containers beside the body's, at any height, that are made as it is."""
    clean_words, dirty_words = _running_sums(tree, text), _running_sums(tree, dirt)
    own = _between(clean_words, tree, home)
    below = home
    while below > 0:
        above = int(tree.parent[below])
        alike = [
            child
            for child in tree.children(above)
            if child != below
            and _make(tree, child) == _make(tree, below)
            and _between(dirty_words, tree, child) <= DIRT * _between(clean_words, tree, child)
            and _between(clean_words, tree, child)
        ]
        gained = sum(_between(clean_words, tree, child) for child in alike)
        if gained and gained >= GROWTH * own:
            own += gained
            yield from alike
        below = above


def _make(tree: Tree, vertex: int) -> tuple[int, ...]:
    """Return tag and class tokens of an element."""
    first, end = tree.class_start[vertex : vertex + 2]
    return (int(tree.tag[vertex]), *tree.class_hash[first:end].tolist())


def _running_sums(tree: Tree, mask: Mask) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.where(mask, tree.words, 0))])


def _between(sums: NDArray[np.int64], tree: Tree, vertex: int) -> int:
    return int(sums[vertex + int(tree.size[vertex])] - sums[vertex])


def _common_ancestor(tree: Tree, leaves: Leaves) -> int:
    vertex = int(tree.parent[leaves[0]])
    while vertex > 0 and leaves[-1] >= vertex + int(tree.size[vertex]):
        vertex = int(tree.parent[vertex])
    return vertex
