"""NowOnWeb: runs of paragraphs that are long enough, poor in links and close together.

J. Parapar, A. Barreiro, An effective and efficient web news extraction technique for an
operational NewsIR system. Recognition and extraction are one step: a page without such a run
is no news page. It misses very short notes and takes long digests for news.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from extractors.articles import below_headline, make_article
from extractors.evidence import Evidence, look_at
from extractors.images import find_image
from extractors.method import Leaves, Mask, Title
from items import Article, words
from trees import TEXT, SitePage, Tree, tag_number

_HEADINGS = [tag_number(f"h{level}") for level in range(1, 7)]
_TRIED = 50
"""The title is among the last so many headings above the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The four parameters of the paper, which gives no values; these were tuned on real pages."""

    paragraph_words: int = 3
    """A paragraph has at least so many words."""
    news_words: int = 40
    """A news body has at least so many words."""
    distance: int = 8
    """Between two paragraphs of one body there are at most so many other vertices."""
    link_density: float = 0.3
    """At most this share of a paragraph's words is linked."""


def nowonweb(tree: Tree, ignored: Mask | None = None, *, limits: Limits | None = None) -> Leaves:
    """Return the paragraphs of the first body with at least half the words of the longest.

    Paragraphs are text leaves: only styling and links are folded into one, any other markup
    ends it. Time grows linearly with the page.

    >>> from trees import build_tree
    >>> text = "<p>Ten words make a paragraph here if nothing is linked.</p>"
    >>> tree = build_tree(f"<p>Short</p>{text * 7}")
    >>> len(nowonweb(tree)), nowonweb(build_tree(text))
    (7, ())
    """
    limits = limits or Limits()
    evidence = look_at(tree, ignored)
    bodies = _bodies(evidence, limits)
    sizes = [int(evidence.words[body].sum()) for body in bodies]
    enough = max(limits.news_words, max(sizes, default=0) / 2)
    for body, size in zip(bodies, sizes, strict=True):
        if size >= enough:
            return tuple(body.tolist())
    return ()


def _bodies(evidence: Evidence, limits: Limits) -> list[NDArray[np.intp]]:
    """Return the runs of paragraphs that lie close enough together, in document order."""
    words, links = evidence.words[evidence.leaves], evidence.link_words[evidence.leaves]
    good = (words >= limits.paragraph_words) & (links <= limits.link_density * words)
    paragraphs = evidence.leaves[good]
    between = np.diff(paragraphs) - 1
    return np.split(paragraphs, np.flatnonzero(between > limits.distance) + 1)


def nowonweb_article(page: SitePage, *, limits: Limits | None = None) -> Article | None:
    """Return the news article of a page with title and image; None if it is no news page.

    >>> from trees import build_tree
    >>> text = "<p>Ten words make a paragraph here if nothing is linked.</p>"
    >>> html = f"<title>Snow - Site</title><h1>Site</h1><h2>Snow</h2><img src=a.jpg>{text * 7}"
    >>> article = nowonweb_article(SitePage(url="http://a.org/b/", tree=build_tree(html)))
    >>> article.title, article.image
    ('Snow', 'http://a.org/b/a.jpg')
    """
    body = nowonweb(page.tree, limits=limits)
    if not body:
        return None
    title, place = _title(page.tree, body)
    body = below_headline(body, place)
    article = make_article(page, body, "nowonweb", title=(title, place))
    return article and replace(article, image=find_image(page, body, title))


def _title(tree: Tree, body: Leaves) -> Title:
    """Return the heading on top of the body that has most of its words in `<title>`.

    Of equals the nearest to the body wins. Without a heading it is `<title>` itself.
    """
    leaves = np.flatnonzero(tree.tag == TEXT)
    headed = leaves[np.isin(tree.tag[tree.parent[leaves]], _HEADINGS)]
    prose = np.setdiff1d(body, headed)
    above = headed[headed < prose[0]] if prose.size else headed
    said = set(words(tree.head.title))
    best, title = 0.0, (tree.head.title, None)
    for leaf in above[-_TRIED:].tolist():
        text = " ".join(tree.text_of(leaf).split())
        own = words(text)
        share = len(said.intersection(own)) / len(own) if own else 0.0
        if own and share >= best:
            best, title = share, (text, leaf)
    return title
