"""What the V-Wrapper takes for the article of a page whose blocks were kept while crawling."""

from dataclasses import dataclass

from flong.article import Article
from flong.inspector.highlights import Highlights
from flong.storage import PageRow, Store
from flong.tree import Tree
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
