"""A stored page as sent to a worker, plus checks that need no pattern (soft 404, visible words)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from flong.packing import PackedPage, Unpacker
from flong.patterns import Anchor
from flong.states import PageFate
from flong.text import shared_trigrams, words
from flong.tree import SitePage, Tree, build_tree

_MISSING = re.compile(
    r"\b(?:404|410)\b|not found|no longer (?:available|exists?)|does(?: not|n.t) exist"
    r"|nicht (?:mehr )?(?:gefunden|verfügbar|vorhanden)|existiert nicht"
    r"|no (?:se )?(?:ha )?(?:sido )?encontrad|no existe|introuvable|n.existe (?:pas|plus)"
    r"|não (?:foi )?encontrad|non (?:è stata )?trovat|niet gevonden|見つかりません|не найден",
    re.IGNORECASE,
)
MOST_WORDS = 300
"""Maximum words of a page whose text, beside its title, is searched for an error message."""
SHOWN = 0.5
"""Minimum fraction of an article's word trigrams on a page that still shows it."""
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A stored page as sent to a worker."""

    page_id: int
    """Id in the database."""
    content_hash: str
    """Fingerprint of the document."""
    url: str
    data: bytes
    """The document, as UTF-8."""
    anchors: Sequence[Anchor] = ()
    """Anchor texts of the page."""
    article: str = ""
    """Text of its previous article, if it is needed."""

    def weight(self) -> int:
        """Return its size in memory, in bytes."""
        return len(self.data)

    def page(self) -> SitePage:
        """Return it as a tree."""
        return SitePage(url=self.url, tree=build_tree(self.data))

    def packed_page(self) -> SitePage:
        """Return it as a compact tree, for storing many or sending."""
        return SitePage(url=self.url, tree=build_tree(self.data).packed())

    def words(self) -> frozenset[str]:
        """Return its visible words without numbers."""
        return visible_words(self.data)

    def fate(self) -> PageFate:
        """Return the content of the page in place of its previous article."""
        tree = build_tree(self.data)
        if shared_trigrams(self.article, tree.text.decode()) >= SHOWN:
            return PageFate.SHOWN
        return PageFate.MISSING if _says_missing(tree) else PageFate.LOST


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedDocument:
    """A stored page as sent to a worker that unpacks it."""

    page_id: int
    """Id in the database."""
    content_hash: str
    """Fingerprint of the document."""
    url: str
    packed: PackedPage | None
    """The packed document; None if there is no document."""
    anchors: Sequence[Anchor] = ()
    """Anchor texts of the page."""

    def weight(self) -> int:
        """Return its unpacked size in bytes."""
        return 0 if self.packed is None else self.packed.size

    def unpacked(self, dictionaries: Mapping[int, bytes]) -> Document:
        """Return it unpacked, or raise `ValueError` if it is damaged."""
        data, page = b"", self.packed
        if page is not None:
            unpacker = _unpacker(b"" if page.dictionary is None else dictionaries[page.dictionary])
            data = unpacker.unpack_utf8(page.html)
            unpacker.unpack_urls(page.links)  # fails here if they are damaged
        return Document(
            page_id=self.page_id,
            content_hash=self.content_hash,
            url=self.url,
            data=data,
            anchors=self.anchors,
        )


@lru_cache(maxsize=16)
def _unpacker(dictionary: bytes) -> Unpacker:
    return Unpacker(dictionary)


def visible_words(html: str | bytes) -> frozenset[str]:
    """Return the visible words of a page, without numbers.

    >>> sorted(visible_words("<title>Wall</title><script>x</script><p>Accept 27 <b>cookies"))
    ['accept', 'cookies', 'wall']
    """
    tree = build_tree(html)
    found = words(f"{tree.head.title} {tree.text.decode()}")
    return frozenset(word for word in found if not _DIGITS.search(word))


def says_missing(html: str) -> bool:
    """Return True for an error page: its text or title reports that nothing is at its URL.

    >>> says_missing("<title>Page not found</title>"), says_missing("<title>Lost and found</title>")
    (True, False)
    """
    return _says_missing(build_tree(html))


def _says_missing(tree: Tree) -> bool:
    text = tree.text.decode()
    said = tree.head.title if len(words(text)) > MOST_WORDS else f"{tree.head.title}\n{text}"
    return bool(_MISSING.search(said))
