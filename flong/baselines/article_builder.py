"""Build articles from text leaves, and extractors from single-page methods."""

from collections.abc import Sequence

from flong.article import Article, Provenance
from flong.baselines.interface import Baseline, Extractor, Leaves, Title
from flong.baselines.titles import find_title
from flong.tree import SitePage, Tree


def body_text(tree: Tree, leaves: Leaves) -> str:
    r"""Return the text of some leaves, one per line.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<p>One<p>Two")
    >>> body_text(tree, (2, 4))
    'One\nTwo'
    """
    return "\n".join(map(tree.text_of, leaves))


def below_headline(leaves: Leaves, headline: int | None) -> Leaves:
    """Return the leaves after the headline, or all if the headline is not among them.

    >>> below_headline((2, 4, 6), 4), below_headline((2, 4), 9)
    ((6,), (2, 4))
    """
    return leaves[leaves.index(headline) + 1 :] if headline in leaves else leaves


def make_article(
    page: SitePage,
    leaves: Leaves,
    method: str,
    *,
    confidence: float = 0.0,
    title: Title | None = None,
) -> Article | None:
    """Return the article with these leaves as its body, or None if the body is empty.

    The headline and all leaves above it are removed from the body. Without `title`, the headline
    is searched on the page.

    >>> from flong.tree import build_tree
    >>> page = SitePage(url="http://a.org/", tree=build_tree("<h1>News</h1><p>It snows."))
    >>> article = make_article(page, (2, 4), "coreex")
    >>> article.title, article.body
    ('News', 'It snows.')
    """
    headline, place = title or find_title(page.tree, leaves)
    leaves = below_headline(leaves, place)
    if not leaves:
        return None
    return Article(
        url=page.url,
        title=headline,
        body=body_text(page.tree, leaves),
        confidence=confidence,
        method=method,
        provenance=(
            Provenance(field="title", source="head" if place is None else "heading"),
            Provenance(field="body", source=method),
        ),
    )


def on_each_page(method: str, baseline: Baseline) -> Extractor:
    """Return an extractor that applies a baseline to each page independently.

    >>> from flong.tree import build_tree
    >>> page = SitePage(url="http://a.org/", tree=build_tree("<h1>News</h1><p>It snows."))
    >>> articles = on_each_page("all", lambda tree, ignored=None: tuple(tree.leaves()))([page])
    >>> articles[0].method
    'all'
    """

    def extract(pages: Sequence[SitePage]) -> list[Article | None]:
        return [make_article(page, baseline(page.tree), method) for page in pages]

    return extract
