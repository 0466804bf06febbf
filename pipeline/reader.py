"""What a worker does with a page: reads it, and decides by what was learned about its site.

Nothing here knows of the database, which a worker need not even import.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from extractors import consensus
from items import Article, fold_text, words
from patterns import Anchor, Explanation, Extraction, SiteModel, explain
from trees import Head, SitePage, build_tree

_MISSING = re.compile(
    r"\b(?:404|410)\b|not found|no longer (?:available|exists?)|does(?: not|n.t) exist"
    r"|nicht (?:mehr )?(?:gefunden|verfügbar|vorhanden)|existiert nicht"
    r"|no (?:se )?(?:ha )?(?:sido )?encontrad|no existe|introuvable|n.existe (?:pas|plus)"
    r"|não (?:foi )?encontrad|non (?:è stata )?trovat|niet gevonden|見つかりません|не найден",
    re.IGNORECASE,
)
MOST_WORDS = 300
"""Different words on a page up to which its text, and not only its title, may say that."""
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A stored page on its way to where it is read."""

    page_id: int
    """Its number in the database."""
    content_hash: str
    """Its fingerprint."""
    url: str
    """Its address."""
    html: str
    """What was stored."""
    anchors: Sequence[Anchor] = ()
    """What others call it."""

    def page(self) -> SitePage:
        """Return it as the methods see it."""
        return SitePage(url=self.url, tree=build_tree(self.html))

    def words(self) -> frozenset[str]:
        """Return the words that a reader sees, without numbers."""
        return visible_words(self.html)

    def is_missing(self) -> bool:
        """Return whether it says that there is nothing at its address."""
        return says_missing(self.html)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What came of reading a document."""

    extraction: Extraction
    """Article or not, and why."""
    words: int
    """Number of words on the page."""
    partial: bool
    """Whether a part of the page is too deep, or too far down, to be read."""
    agrees: bool | None
    """Whether the page's metadata has the same title; None without either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Everything that turns a document into a decision."""

    model: SiteModel
    """What was learned about the site."""
    now: datetime
    """Dates after this are not believed."""

    def read_all(self, documents: Sequence[Document]) -> list[Finding]:
        """Return what is decided about each of some pages; parsing all first is faster."""
        return list(map(self._read, documents, [document.page() for document in documents]))

    def read(self, document: Document) -> Finding:
        """Return what is decided about a page."""
        return self._read(document, document.page())

    def _read(self, document: Document, page: SitePage) -> Finding:
        found = self.model.extract(page, document.anchors, now=self.now, fallback=consensus)
        tree, article = page.tree, found.article
        return Finding(
            extraction=found,
            words=int(tree.words[0]) if len(tree) else 0,
            partial=tree.partial,
            agrees=None if article is None else _agrees(article, tree.head),
        )

    def explain(self, document: Document) -> Explanation:
        """Return why that is decided."""
        page = document.page()
        return explain(self.model, page, document.anchors, now=self.now, fallback=consensus)


def _agrees(article: Article, head: Head) -> bool | None:
    """Tell whether the head of a page has the title of its article; None if it has no title."""
    said = fold_text(f"{head.meta.get('og:title', '')} {head.title}")
    return fold_text(article.title) in said if said else None


def visible_words(html: str) -> frozenset[str]:
    """Return the words that a reader sees on a page, without numbers.

    >>> sorted(visible_words("<title>Wall</title><script>x</script><p>Accept 27 <b>cookies"))
    ['accept', 'cookies', 'wall']
    """
    tree = build_tree(html)
    found = words(f"{tree.head.title} {tree.text.decode()}")
    return frozenset(word for word in found if not _DIGITS.search(word))


def says_missing(html: str) -> bool:
    """Tell whether a page says that there is nothing at its address.

    >>> says_missing("<title>Page not found</title>"), says_missing("<title>Lost and found</title>")
    (True, False)
    """
    tree = build_tree(html)
    text = tree.text.decode()
    said = tree.head.title if len(words(text)) > MOST_WORDS else f"{tree.head.title}\n{text}"
    return bool(_MISSING.search(said))
