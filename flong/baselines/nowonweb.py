"""NowOnWeb: runs of paragraphs that are long enough, have few links and are close together.

J. Parapar, A. Barreiro, An effective and efficient web news extraction technique for an
operational NewsIR system. Recognition and extraction are one step: a page without such a run
is not a news page. Known failures: very short notes are missed, long digests are accepted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import unescape
from urllib.parse import urljoin

import numpy as np

from flong.article import Article
from flong.baselines.article_builder import below_headline, make_article
from flong.baselines.interface import Leaves, Mask, Title
from flong.baselines.word_counts import count_words
from flong.text import words
from flong.tree import TEXT, SitePage, Tree, tag_number

_HEADINGS = [tag_number(f"h{level}") for level in range(1, 7)]
_TRIED = 50
"""Maximum number of headings above the body that can be the title."""
_PICTURE = tag_number("img")
_EMPHASIS = re.compile(
    rb"""<(?:b|strong|big|font[^>]*\ssize="(?:\+|[4-7])|[a-z]+[^>]*\sstyle="[^"]*(?:"""
    rb"""font-weight:\s*(?:bold|[6-9]00)|font-size:\s*(?:large|x+-large|1[89]px|[2-9]\dpx|"""
    rb"""1\.[3-9]\d*em|[2-9]\w*em|1[3-9]\d%|[2-9]\d\d%)))\b[^>]*>"""
)
_MARKUP = re.compile(r"<[^>]*>")
_NEAR = 20
"""Maximum vertices between the body and a picture above it."""
_DECORATION = re.compile(
    r"ads?|avatar|banner|blank|button|emoji|gravatar|icons?|loader|logo|pixel|smil\w+|spacer|sprite"
)
_FORMATS = {"jpg": 1.0, "jpeg": 1.0, "webp": 1.0, "avif": 1.0, "png": 0.5, "gif": -1.0, "svg": -2.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The four parameters of the paper, which has no values; these were tuned on real pages."""

    paragraph_words: int = 3
    """Minimum words of a paragraph."""
    news_words: int = 40
    """Minimum words of a news body."""
    distance: int = 8
    """Maximum other vertices between two paragraphs of one body."""
    link_density: float = 0.3
    """Maximum fraction of a paragraph's words that are linked."""


RECOGNITION = Limits(paragraph_words=3, news_words=80, distance=2, link_density=0.3)
"""Values that separate news pages from others. As limits of bodies they truncate some."""


def nowonweb(tree: Tree, ignored: Mask | None = None, *, limits: Limits | None = None) -> Leaves:
    """Return the paragraphs of the first body with at least half the words of the longest.

    Paragraphs are text leaves: styling and links are folded into them, and any other markup ends
    them. Time grows linearly with the page.

    >>> from flong.tree import build_tree
    >>> text = "<p>Ten words make a paragraph here if nothing is linked.</p>"
    >>> tree = build_tree(f"<p>Short</p>{text * 7}")
    >>> len(nowonweb(tree)), nowonweb(build_tree(text))
    (7, ())
    """
    limits = limits or Limits()
    counts = count_words(tree, ignored)
    words, links = counts.leaf_words, counts.leaf_links
    good = (words >= limits.paragraph_words) & (links <= limits.link_density * words)
    paragraphs = counts.leaves[good]
    if not len(paragraphs):
        return ()
    # Paragraphs that are close enough form a body.
    between = paragraphs[1:] - paragraphs[:-1] - 1
    starts = [0, *((between > limits.distance).nonzero()[0] + 1).tolist()]
    sizes = np.add.reduceat(words[good], starts).tolist()
    enough = max(limits.news_words, max(sizes) / 2)
    chosen = next((at for at, size in enumerate(sizes) if size >= enough), None)
    if chosen is None:
        return ()
    end = [*starts[1:], len(paragraphs)][chosen]
    return tuple(paragraphs[starts[chosen] : end].tolist())


def nowonweb_article(
    page: SitePage, *, limits: Limits | None = None, recognition: Limits | None = None
) -> Article | None:
    """Return the news article of a page with title and image, or None if it is not a news page.

    `recognition` are separate limits for that decision.

    >>> from flong.tree import build_tree
    >>> text = "<p>Ten words make a paragraph here if nothing is linked.</p>"
    >>> html = f"<title>Snow - Site</title><h1>Site</h1><h2>Snow</h2><img src=a.jpg>{text * 7}"
    >>> article = nowonweb_article(SitePage(url="http://a.org/b/", tree=build_tree(html)))
    >>> article.title, article.image
    ('Snow', 'http://a.org/b/a.jpg')
    """
    body = nowonweb(page.tree, limits=limits)
    if not body or (recognition and not nowonweb(page.tree, limits=recognition)):
        return None
    title, place = _title(page.tree, body)
    body = below_headline(body, place)
    name = "nowonweb" if recognition is None else "nowonweb-recognition"
    article = make_article(page, body, name, title=(title, place))
    return article and replace(article, image=find_image(page, body, title))


def _title(tree: Tree, body: Leaves) -> Title:
    """Return the heading above the body with the largest fraction of its words in `<title>`.

    The nearest of equal headings wins. Fallbacks are lines in bold or large type, then `<title>`.
    """
    leaves = np.flatnonzero(tree.tag == TEXT)
    headed = leaves[np.isin(tree.tag[tree.parent[leaves]], _HEADINGS)]
    prose = np.setdiff1d(body, headed)
    above = headed[headed < prose[0]] if prose.size else headed
    if not above.size:
        before = leaves[leaves <= body[0]][-_TRIED:].tolist()
        above = np.array([leaf for leaf in before if _is_emphasised(tree, leaf)], np.intp)
    head = set(words(tree.head.title))
    best, title = 0.0, (tree.head.title, None)
    for leaf in above[-_TRIED:].tolist():
        text = " ".join(tree.text_of(leaf).split())
        own = words(text)
        share = len(head.intersection(own)) / len(own) if own else 0.0
        if own and share >= best:
            best, title = share, (text, leaf)
    return title


def _is_emphasised(tree: Tree, leaf: int) -> bool:
    """Return True if all of a text is in bold or large type, judged by the page's own markup."""
    before = int(np.max(tree.tag_start[:leaf]))
    after = int(tree.tag_start[leaf + 1]) if leaf + 1 < len(tree) else len(tree.source.data)
    markup = tree.source.data[before : max(after, before)]
    opened = _EMPHASIS.search(markup)
    if opened is None:
        return False
    inside = _MARKUP.sub(" ", markup[opened.end() :].decode("utf-8", "replace"))
    return words(unescape(inside)) == words(tree.text_of(leaf))


def find_image(page: SitePage, body: Leaves, title: str) -> str | None:
    """Return the URL of the best picture in or next to the body, or None.

    Points are given for position, size, format, common words of `alt` and title, and words of the
    URL. A picture needs more than 0 points.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<img src=logo.png><p>Text<img src=snow.jpg width=600></p>")
    >>> find_image(SitePage(url="http://a.org/", tree=tree), (3,), "Snow")
    'http://a.org/snow.jpg'
    """
    if not body:
        return None
    tree, best, url = page.tree, 0.0, None
    first, last = max(0, body[0] - _NEAR), body[-1] + 2
    for vertex in (first + np.flatnonzero(tree.tag[first : last + 1] == _PICTURE)).tolist():
        attributes = tree.attributes(vertex)
        points = _points(attributes, title) + (1.0 if vertex > body[0] else 0.5)
        absolute = _absolute(page.url, _source(attributes))
        if absolute and points > best:
            best, url = points, absolute
    return url


def _source(attributes: Mapping[str, str]) -> str:
    """Return the URL of a picture; pages with lazy loading have it in other attributes."""
    sources = (attributes.get(name, "") for name in ("data-src", "data-lazy-src", "src"))
    return next((source for source in sources if source and not source.startswith("data:")), "")


def _points(attributes: Mapping[str, str], title: str) -> float:
    """Return the points of a picture, independent of its position."""
    path = _source(attributes).partition("?")[0].lower()
    points = _FORMATS.get(path.rpartition(".")[2], 0.0)
    if any(map(_DECORATION.fullmatch, re.split(r"[^a-z]+", path))):
        points -= 3.0
    if set(words(attributes.get("alt", ""))) & set(words(title)):
        points += 1.0
    sizes = [_pixels(attributes.get(side, "")) for side in ("width", "height")]
    known = [size for size in sizes if size is not None]
    if known:
        points += 1.0 if min(known) >= 150 else -3.0
    return points


def _pixels(size: str) -> int | None:
    """Return a size in pixels, or None if it has another unit."""
    found = re.fullmatch(r"\s*(\d{1,5})\s*(px)?\s*", size)
    return int(found[1]) if found else None


def _absolute(base: str, url: str) -> str | None:
    """Return the absolute URL, or None if it is empty or invalid."""
    try:
        return urljoin(base, url.strip()) if url else None
    except ValueError:
        return None
