"""What the other papers' methods find on a page, each by itself."""

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
    """The vertices of a page that look like its article."""

    titles: tuple[int, ...]
    """Text leaves that are the title."""
    content: tuple[int, ...]
    """Text leaves that are the text; none if it looks like no article."""

    def article(self, url: str, tree: Tree) -> Article | None:
        """Return what they say; None if there is no article."""
        if not self.content:
            return None
        title, body = (map(tree.text_of, leaves) for leaves in (self.titles, self.content))
        return Article(url=url, title=" ".join(title), body="\n".join(body), method="v-wrapper")

    def highlight(self, tree: Tree, highlights: Highlights) -> None:
        """Name the elements around them."""
        for name, leaves in (("seen-title", self.titles), ("seen-body", self.content)):
            for leaf in leaves:
                highlights.add(int(tree.place[leaf]), name)


METHODS = ("consensus", "coreex", "econ", "first-half", "nowonweb", "readability-score")
"""The other methods that can read one page by itself."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What another method finds."""

    method: str
    """Its name."""
    title: str
    """The headline that it finds; empty if it finds no article."""
    words: int
    """Words of its body."""
    agreement: float | None
    """Share of words that its body has in common with ours (F1); None if one has none."""


def run_other_methods(
    url: str, tree: Tree, article: Article | None, seen: SeenArticle | None
) -> list[MethodResult]:
    """Return what the other methods find on the page, each by itself, and what it looks like."""
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
    """Return what a page looks like; None if no browser looked at it as it is stored."""
    packed = store.pages.blocks(row)
    if packed is None:
        return None
    blocks = unpack_blocks(packed)
    answer = shipped_wrapper("v-wrapper").wrapper.read(blocks)
    return SeenArticle(
        titles=tuple(blocks.vertex[answer.titles].tolist()),
        content=tuple(blocks.vertex[answer.content].tolist()),
    )
