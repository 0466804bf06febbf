"""Serialised source of a page, with access to attributes and head on demand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flong.packing import zstd
from flong.text import cached_if_short
from flong.tree.characters import CONTROLS

LEVEL = 1
UNPACKED = 384
"""Maximum number of unpacked sources in the cache: enough for the voting pages of most sites."""
TAGS = 4096
"""Maximum number of tags whose parsed attributes are cached; templates repeat them."""

_ATTRIBUTE = re.compile(rb'\s([^\s][^\s=]*)="([^"]*)"')
_NAME = re.compile(rb"<([^\s/>]+)")
_META = re.compile(rb'<meta (?:property|name|itemprop)="([^"]*)" content="([^"]*)"')
"""The common form of meta tags, for speed."""
_ENTITY = re.compile(r"&(amp|lt|gt|quot|nbsp);")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "nbsp": "\xa0"}
_NOTHING = re.compile(f"[{CONTROLS}]")


def unescape(data: bytes) -> str:
    r"""Return serialised text with its entities decoded.

    >>> unescape(b"a &amp;amp; b&nbsp;c")
    'a &amp; b\xa0c'
    """
    text = data.decode()
    if "&" in text:
        text = _ENTITY.sub(lambda entity: _CHARACTERS[entity[1]], text)
    return text if text.isprintable() else _NOTHING.sub("", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Data from a page's head, kept beside the tree."""

    title: str = ""
    """Text of `<title>`, spaces normalised."""
    meta: Mapping[str, str] = field(default_factory=dict)
    """First content of each `<meta>` by lower-case `property`, `name` or `itemprop`."""
    canonical: str | None = None
    """`<link rel=canonical>`, as written."""
    language: str | None = None
    """`lang` of `<html>`, as written."""
    json_ld: tuple[str, ...] = ()
    """Text of each `<script type="application/ld+json">`, not parsed."""


@dataclass(frozen=True, slots=True, eq=False)
class PageSource:
    """Serialised bytes of one page, addressed by offset."""

    data: bytes
    """UTF-8 in HTML serialisation: values in double quotes, with `<`, `>` and `&` escaped."""
    head_tags: NDArray[np.int32]
    """Offsets of the `title`, `meta`, `link` and `script` tags, in document order."""

    def packed(self) -> "PageSource":
        """Return a compressed copy, which is slower to read."""
        return PackedSource(self)

    def name(self, start: int) -> str:
        """Return the name of the tag at an offset."""
        found = _NAME.match(self.data, start)
        return found[1].decode() if found else ""

    def attributes(self, start: int) -> Mapping[str, str]:
        """Return the attributes of the tag at an offset, in document order."""
        return _pairs(self.data[start : self.data.index(b">", start)])

    def text(self, start: int) -> str:
        """Return the text after the tag at an offset, up to the next tag."""
        begin = self.data.index(b">", start) + 1
        return unescape(self.data[begin : self.data.index(b"<", begin)])

    def head(self) -> Head:
        """Return the page's metadata."""
        data, title, meta = self.data, None, dict[str, str]()
        canonicals, json_ld = list[str | None](), list[str]()
        for start in self.head_tags.tolist():
            end = data.index(b">", start)
            kind, name, content = _said(data[start:end])
            if kind == "meta":
                meta.setdefault(name, content or "")
            elif kind == "link":
                canonicals.append(content)
            elif kind == "script":
                json_ld.append(data[end + 1 : data.index(b"</script", end)].decode())
            elif kind == "title" and title is None:
                title = " ".join(self.text(start).split())
        return Head(
            title=title or "",
            meta=meta,
            canonical=canonicals[0] if canonicals else None,
            language=self.attributes(0).get("lang"),
            json_ld=tuple(json_ld),
        )


class PackedSource(PageSource):
    """A compressed source; recently used ones stay unpacked in a cache.

    >>> source = PageSource(b"<html lang=en>" * 100, np.zeros(0, dtype=np.int32))
    >>> source.packed().data == source.data
    True
    """

    __slots__ = ("_blob",)
    _blob: bytes

    def __init__(self, source: PageSource) -> None:
        self.__setstate__((source.head_tags, zstd.compress(source.data, LEVEL)))

    def __getstate__(self) -> tuple[NDArray[np.int32], bytes]:
        return self.head_tags, self._blob

    def __setstate__(self, state: tuple[NDArray[np.int32], bytes]) -> None:
        object.__setattr__(self, "head_tags", state[0])
        object.__setattr__(self, "_blob", state[1])

    @property
    def data(self) -> bytes:
        """The unpacked bytes."""
        return _unpacked(self._blob)


@lru_cache(maxsize=UNPACKED)
def _unpacked(blob: bytes) -> bytes:
    return zstd.decompress(blob)


@cached_if_short(TAGS)
def _pairs(inner: bytes) -> Mapping[str, str]:
    """Return the attributes of a tag; the mapping is shared, do not modify it."""
    return {name.decode(): unescape(value) for name, value in _ATTRIBUTE.findall(inner)}


@cached_if_short(TAGS)
def _said(inner: bytes) -> tuple[str, str, str | None]:
    """Return the metadata in a tag: kind of tag, name and content.

    All parts are empty for tags without metadata.
    """
    if inner.startswith(b"<meta"):
        plain = _META.fullmatch(inner)
        name, content = plain.groups() if plain else _name_and_content(inner)
        if name and content:
            return "meta", unescape(name).lower(), " ".join(unescape(content).split())
    elif inner.startswith(b"<link"):
        attributes = _pairs(inner) if b"canonical" in inner.lower() else {}
        if "canonical" in attributes.get("rel", "").lower().split():
            return "link", "canonical", attributes.get("href")
    elif inner.startswith(b"<script"):
        attributes = _pairs(inner) if b"ld+json" in inner.lower() else {}
        if attributes.get("type", "").strip().lower() == "application/ld+json":
            return "script", "", None
    elif inner.startswith(b"<title"):
        return "title", "", None
    return "", "", None


def _name_and_content(inner: bytes) -> tuple[bytes | None, bytes | None]:
    """Return name and content of a `meta` tag."""
    pairs: dict[bytes, bytes] = dict(_ATTRIBUTE.findall(inner))
    name = pairs.get(b"property") or pairs.get(b"name") or pairs.get(b"itemprop")
    return name, pairs.get(b"content")
