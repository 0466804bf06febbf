"""Results of the other papers' methods on one page."""

from dataclasses import dataclass

from flong.article import Article
from flong.baselines import EXTRACTORS
from flong.inspector.highlights import Highlights
from flong.storage import PageRow, Store
from flong.text import token_f1, words
from flong.tree import SitePage, Tree
from flong.visual import shipped_wrapper, unpack_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenArticle:
    """Vertices of a page that the visual wrapper classifies as its article."""

    titles: tuple[int, ...]
    """Text leaves of the title."""
    content: tuple[int, ...]
    """Text leaves of the body; empty if the page does not look like an article."""

    def article(self, url: str, tree: Tree) -> Article | None:
        """Return the article, or None if the page does not look like one."""
        if not self.content:
            return None
        title, body = (map(tree.text_of, leaves) for leaves in (self.titles, self.content))
        return Article(url=url, title=" ".join(title), body="\n".join(body), method="v-wrapper")

    def highlight(self, tree: Tree, highlights: Highlights) -> None:
        """Highlight the elements around the leaves."""
        for name, leaves in (("seen-title", self.titles), ("seen-body", self.content)):
            for leaf in leaves:
                highlights.add(int(tree.place[leaf]), name)


METHODS = ("consensus", "coreex", "econ", "first-half", "nowonweb", "readability-score")
"""Baselines that can read a single page."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """Result of another method."""

    method: str
    """Name of the method."""
    title: str
    """Headline; empty without an article."""
    words: int
    """Number of words in the body."""
    agreement: float | None
    """F1 of the words of its body and ours; None if either is empty."""


def run_other_methods(
    url: str, tree: Tree, article: Article | None, seen: SeenArticle | None
) -> list[MethodResult]:
    """Return the results of the baselines and of the visual wrapper on a page."""
    page = SitePage(url=url, tree=tree)
    ours = words(article.body) if article else []
    found_by = {method: EXTRACTORS[method]([page])[0] for method in METHODS}
    if seen is not None:
        found_by["v-wrapper"] = seen.article(url, tree)
    results = []
    for method, found in found_by.items():
        theirs = words(found.body) if found else []
        agreement = token_f1(ours, theirs) if ours and theirs else None
        results.append(MethodResult(method, found.title if found else "", len(theirs), agreement))
    return results


def see_article(store: Store, row: PageRow, tree: Tree) -> SeenArticle | None:
    """Return the visual classification; None if no browser rendered the stored document."""
    packed = store.pages.blocks(row)
    if packed is None:
        return None
    blocks = unpack_blocks(packed)
    answer = shipped_wrapper("v-wrapper").wrapper.read(blocks)
    return SeenArticle(
        titles=tuple(blocks.vertex[answer.titles].tolist()),
        content=tuple(blocks.vertex[answer.content].tolist()),
    )
