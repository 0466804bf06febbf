"""Single-page reading: consensus of the baselines, cleaned by tags and names of elements.

On whole sites the patterns remove boilerplate; there these rules were measured to do harm.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flong.article import Article
from flong.baselines.article_builder import below_headline, make_article
from flong.baselines.boilerplate import find_boilerplate
from flong.baselines.consensus import agree
from flong.baselines.interface import Leaves, Mask
from flong.baselines.tag_hints import invisible
from flong.baselines.titles import find_title
from flong.baselines.word_counts import below
from flong.tree import TEXT, SitePage, Tree, remembered, tag_number

Vertices = NDArray[np.intp]

_ASIDE = [tag_number(name) for name in "nav aside footer form figcaption button dialog".split()]
_HEADINGS = [tag_number(f"h{rank}") for rank in range(1, 7)]
_PARAGRAPHS = [tag_number(name) for name in "p li dd dt td th pre blockquote".split()] + _HEADINGS
_LINK = tag_number("a")
_ENDED = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f\u061f\u0964]['\"\u201d\u2019\u00bb\u300d)\]]*\s*$"
)
"""End of a sentence in several scripts."""
_NAMES = re.compile(
    r"(?:^|[-_\s])(?:related|recommend\w*|promos?|newsletters?|subscri\w*|shar(?:e|es|ing)|social\w*"
    r"|sidebar|comments?|disqus|respond|breadcrumbs?|captions?|credits?|bylines?|authors?|bio|tags?"
    r"|adverts?|advertisement|ads?|sponsor\w*|outbrain|taboola|cookies?|gdpr|popup|modal|signup"
    r"|trending|nav|navigation|navbar|menu|footer|toc|pagination|pager|donate|appeal|cta|postmeta"
    r"|meta|dates?|published|timestamp|dateline|readmore|copyright|disclaimer)(?:$|[-_\s])",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LARGEST_ASIDE = 0.4
"""Maximum fraction of a page's words in an aside: wrappers, too, have names like `has-sidebar`."""
LEAST_LEFT = 0.25
"""Minimum fraction of running text that remains; otherwise names, then tags are ignored."""
SENTENCE = 10
"""Minimum words of a text leaf that is running text."""
LINKED = 0.4
"""Maximum fraction of linked words in running text."""
STRAY = 12
"""Maximum words of a line outside of paragraphs that ends no sentence: a date, byline or label."""
ALL_LINKED, TEASER = 0.8, 4
"""Minimum fraction of linked words, and minimum words, of a link to another article."""
GROWTH = 0.1
"""Minimum gain of running text by containers like the body's, as a fraction of the body's."""
DIRT = 0.3
"""Maximum number of other words per word of running text in such a container."""
COPY, COPIED_LINES = 0.25, 3
"""Minimum fraction of the words, and minimum different paragraphs, that a second copy repeats."""
INTRODUCTION = 60
"""Minimum words of two or more paragraphs between headline and body that belong to the body.

A single one is a standfirst, which has a field of its own.
"""
WIDER, WIDER_DIRT = 2.5, 0.1
"""Minimum factor of running text, and maximum other words per word, of a container around the body.

Example: a list of reviews, each in a differently marked box. F1 of `blogs_and_news` is .942 without
this rule, .947 with it.
"""


def read_single_page_body(page: SitePage) -> Article | None:
    """Return the article of a page of an unknown site, or None if the page has no text.

    The confidence is the agreement of the baselines.

    >>> from flong.tree import build_tree
    >>> text = "<p>" + "This is what the article says, more or less. " * 5
    >>> html = f"<h1>News</h1><div>{text * 3}<p class=caption>By us</div><div>{text}</div>"
    >>> article = read_single_page_body(SitePage(url="http://a.org/", tree=build_tree(html)))
    >>> article.title, article.body.count("more or less"), "By us" in article.body
    ('News', 20, False)
    """
    leaves, agreement = _body_alone(page.tree)
    if not leaves:
        return None
    return make_article(page, leaves, "lone-page", confidence=agreement)


def single_page_leaves(tree: Tree, ignored: Mask | None = None) -> tuple[int, Leaves]:
    """Return the text leaf of the headline of a single page, and those of its body.

    The vertices of `ignored`, such as texts of other pages, are hidden. The leaf is -1 if the page
    has no headline.

    >>> from flong.tree import build_tree
    >>> single_page_leaves(build_tree("<h1>News</h1><p>" + "It snows in the hills. " * 9))
    (2, (4,))
    """
    leaves, _ = _body_alone(tree) if ignored is None else _body(tree, ignored)
    _, headline = find_title(tree, leaves, ignored)
    return -1 if headline is None else headline, below_headline(leaves, headline)


@remembered
def _body_alone(tree: Tree) -> tuple[Leaves, float]:
    return _body(tree)


def _body(tree: Tree, ignored: Mask | None = None) -> tuple[Leaves, float]:
    """Return the text leaves of a single page's body, and how far the baselines agree on it."""
    asides = find_asides(tree) if ignored is None else find_asides(tree) | ignored
    leaves, agreement = agree(tree, asides)
    if not leaves:
        leaves, agreement = agree(tree, ignored)
    if not leaves:
        return (), agreement
    leaves = _without_strays(tree, _complete(tree, leaves, asides))
    return _with_introduction(tree, leaves, asides, ignored), agreement


def _with_introduction(tree: Tree, leaves: Leaves, asides: Mask, ignored: Mask | None) -> Leaves:
    """Add an introduction: running text between the headline and the body."""
    _, headline = find_title(tree, leaves, ignored)
    if headline is None or headline >= leaves[0]:
        return leaves
    seen = _running_text(tree) & ~asides & ~below(tree, find_boilerplate(tree))
    lead = np.flatnonzero(seen[headline + 1 : leaves[0]]) + headline + 1
    if len(lead) < 2 or tree.words[lead].sum() < INTRODUCTION:
        return leaves
    return (*lead.tolist(), *leaves)


def find_asides(tree: Tree) -> Mask:
    """Return True for each vertex that tags or names of elements declare as secondary content.

    Names are ignored if too little text would remain; then tags are ignored, too.

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


def _named_asides(tree: Tree, candidates: Mask) -> Mask:
    """Return True for each candidate element whose name declares an aside."""
    found = np.zeros(len(tree), dtype=np.bool_)
    is_named = (np.diff(tree.class_start) > 0) | (tree.id_hash != 0)
    for vertex in np.flatnonzero(candidates & is_named).tolist():
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
    """Add missed text between the leaves, and in containers with the same markup."""
    seen = (tree.tag == TEXT) & ~asides & ~below(tree, find_boilerplate(tree))
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
        # Include a heading just above the first line.
        chosen.update(leaf for leaf in more if min(known) - 2 <= leaf <= max(known))
    return tuple(sorted(chosen))


def _without_strays(tree: Tree, leaves: Leaves) -> Leaves:
    """Remove linked blocks, short bare lines, a second copy, links and copyright after the text.

    A bare line is outside of paragraphs; it stays if most of the text is. Nothing is removed if
    little would be left.
    """
    body = np.array(leaves)
    words, linked = tree.words[body], tree.link_words[body]
    bare = ~below(tree, np.isin(tree.tag, _PARAGRAPHS))[body]
    running = np.flatnonzero((words >= SENTENCE) & (linked <= LINKED * words))
    after = np.arange(len(body)) > (running[-1] if len(running) else len(body))
    texts = [tree.text_of(leaf) for leaf in leaves]
    stray = below(tree, tree.tag == _LINK)[body]  # a link around whole blocks
    stray |= after & (linked > ALL_LINKED * words) & (words >= TEASER)
    stray |= after & np.array(["\u00a9" in text for text in texts])
    stray |= _second_copy(tree, body)
    if 2 * words[bare].sum() < words.sum():
        ended = np.array([bool(_ENDED.search(text)) for text in texts])
        stray |= bare & (words < STRAY) & ~ended
    if words[~stray].sum() < LEAST_LEFT * words.sum():
        return leaves
    return tuple(body[~stray].tolist())


def _second_copy(tree: Tree, body: Vertices) -> Mask:
    """Return True for each paragraph of a body's second copy, as for narrow screens."""
    words, hashes = tree.words[body], tree.text_hash[body]
    again = words >= SENTENCE
    again[np.unique(hashes, return_index=True)[1]] = False
    enough = words[again].sum() >= COPY * words.sum()
    return again & bool(enough and len(np.unique(hashes[again])) >= COPIED_LINES)


def _widened(tree: Tree, home: int, text: Mask, dirt: Mask) -> int:
    """Return the ancestor of the body's container with far more running text and little else.

    Named asides of any size do not count: comments may be most of a page.
    """
    around = np.array([*tree.ancestors(home)], dtype=np.intp)
    if _wider(tree, home, around, text, dirt) == home:
        return home
    candidates = np.ones(len(tree), dtype=np.bool_)
    candidates[[*around.tolist(), *range(home, home + int(tree.size[home]))]] = False
    aside = below(tree, _named_asides(tree, candidates))
    return _wider(tree, home, around, text & ~aside, dirt | (text & aside))


def _wider(tree: Tree, home: int, around: Vertices, text: Mask, dirt: Mask) -> int:
    """Return the widest such ancestor, or the body's own container."""
    clean_words, dirty_words = _running_sums(tree, text), _running_sums(tree, dirt)
    own, found = _between(clean_words, tree, home), home
    for vertex in around.tolist():
        words = _between(clean_words, tree, vertex)
        if words >= WIDER * own and _between(dirty_words, tree, vertex) <= WIDER_DIRT * words:
            own, found = words, vertex
    return found


def _same_make(tree: Tree, home: int, text: Mask, dirt: Mask) -> Iterator[int]:
    """Yield the containers beside the body's, at any height, with the same markup."""
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
