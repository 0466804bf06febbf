"""A stored page on its way to where it is read, and what it says without any pattern."""

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
"""Different words on a page up to which its text, and not only its title, may say that."""
SHOWN = 0.5
"""Share of an article's runs of three words that a page which still shows it has at least."""
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A stored page on its way to where it is read."""

    page_id: int
    """Its id in the database."""
    content_hash: str
    """Its fingerprint."""
    url: str
    """Its URL."""
    data: bytes
    """What was stored, as UTF-8."""
    anchors: Sequence[Anchor] = ()
    """What others call it."""
    article: str = ""
    """The text of the article that was there before, where that matters."""

    def weight(self) -> int:
        """Return how much memory it takes, in bytes."""
        return len(self.data)

    def page(self) -> SitePage:
        """Return it as the methods see it."""
        return SitePage(url=self.url, tree=build_tree(self.data))

    def packed_page(self) -> SitePage:
        """Return it for keeping with many others, and faster to send."""
        return SitePage(url=self.url, tree=build_tree(self.data).packed())

    def words(self) -> frozenset[str]:
        """Return the words that a reader sees, without numbers."""
        return visible_words(self.data)

    def fate(self) -> PageFate:
        """Return what it shows in the place of its article."""
        tree = build_tree(self.data)
        if shared_trigrams(self.article, tree.text.decode()) >= SHOWN:
            return PageFate.SHOWN
        return PageFate.MISSING if _says_missing(tree) else PageFate.LOST


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedDocument:
    """A stored page on its way to where it is unpacked and read."""

    page_id: int
    """Its id in the database."""
    content_hash: str
    """Its fingerprint."""
    url: str
    """Its URL."""
    packed: PackedPage | None
    """What was stored; None if nothing was."""
    anchors: Sequence[Anchor] = ()
    """What others call it."""

    def weight(self) -> int:
        """Return how much memory it takes when it is unpacked, in bytes."""
        return 0 if self.packed is None else self.packed.size

    def unpacked(self, dictionaries: Mapping[int, bytes]) -> Document:
        """Return it unpacked, or raise `ValueError` if it is damaged."""
        data, page = b"", self.packed
        if page is not None:
            unpacker = _unpacker(b"" if page.dictionary is None else dictionaries[page.dictionary])
            data = unpacker.unpack_utf8(page.html)
            unpacker.unpack_urls(page.links)  # others will want to follow them
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
    """Return the words that a reader sees on a page, without numbers.

    >>> sorted(visible_words("<title>Wall</title><script>x</script><p>Accept 27 <b>cookies"))
    ['accept', 'cookies', 'wall']
    """
    tree = build_tree(html)
    found = words(f"{tree.head.title} {tree.text.decode()}")
    return frozenset(word for word in found if not _DIGITS.search(word))


def says_missing(html: str) -> bool:
    """Tell whether a page says that there is nothing at its URL.

    >>> says_missing("<title>Page not found</title>"), says_missing("<title>Lost and found</title>")
    (True, False)
    """
    return _says_missing(build_tree(html))


def _says_missing(tree: Tree) -> bool:
    text = tree.text.decode()
    said = tree.head.title if len(words(text)) > MOST_WORDS else f"{tree.head.title}\n{text}"
    return bool(_MISSING.search(said))
