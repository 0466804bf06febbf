"""The parsed page as serialised by the parser: attributes and head, read only when asked for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trees.head import Head

_ATTRIBUTE = re.compile(rb'\s([^\s][^\s=]*)="([^"]*)"')
_NAME = re.compile(rb"<([^\s/>]+)")
_TAG = re.compile(rb"<([^\s/>]+)([^>]*)>")
_ENTITY = re.compile(r"&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name:
        return _NAMED[name]
    return chr(int(decimal) if decimal else int(hexadecimal, 16))


def unescape(data: bytes) -> str:
    r"""Return serialised text as it was in the page.

    >>> unescape(b"a &amp;amp; b&#10;c")
    'a &amp; b\nc'
    """
    text = data.decode()
    return _ENTITY.sub(_character, text) if "&" in text else text


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Well-formed bytes of one page; places in it are found by offset."""

    data: bytes
    """UTF-8, as `lxml` serialises: values in double quotes, `<`, `>` and `&` escaped."""
    head_tags: NDArray[np.int32]
    """Where each `title`, `meta`, `link` and `script` tag begins, in document order."""

    def name(self, start: int) -> str:
        """Return the name of the tag that begins here."""
        found = _NAME.match(self.data, start)
        return found[1].decode() if found else ""

    def attributes(self, start: int) -> dict[str, str]:
        """Return the attributes of the tag that begins here, in the page's order."""
        return _pairs(self.data[start : self.data.index(b">", start)])

    def text(self, start: int) -> str:
        """Return the text right after the tag that begins here, up to the next tag."""
        begin = self.data.index(b">", start) + 1
        if self.data[begin - 2 : begin] == b"/>":
            return ""
        return unescape(self.data[begin : self.data.index(b"<", begin)])

    def head(self) -> Head:
        """Return what the page says about itself."""
        tags: dict[bytes, list[tuple[int, bytes]]] = {}
        for start in self.head_tags.tolist():
            if found := _TAG.match(self.data, start):
                tags.setdefault(found[1], []).append((start, found[2]))
        titles = (self.text(start) for start, _ in tags.get(b"title", ()))
        return Head(
            title=" ".join(next(titles, "").split()),
            meta=_metadata(inner for _, inner in tags.get(b"meta", ())),
            canonical=_canonical(inner for _, inner in tags.get(b"link", ())),
            language=self.attributes(0).get("lang"),
            json_ld=tuple(
                self.text(start)
                for start, inner in tags.get(b"script", ())
                if b"ld+json" in inner.lower()
                and _pairs(inner).get("type", "").strip().lower() == "application/ld+json"
            ),
        )


def _pairs(inner: bytes) -> dict[str, str]:
    """Return the attributes that a tag has after its name."""
    return {name.decode(): unescape(value) for name, value in _ATTRIBUTE.findall(inner)}


def _metadata(tags: Iterable[bytes]) -> dict[str, str]:
    """Return the first content of each name among `meta` tags; the attributes of each are given."""
    meta: dict[str, str] = {}
    for inner in tags:
        pairs: dict[bytes, bytes] = dict(_ATTRIBUTE.findall(inner))
        name = pairs.get(b"property") or pairs.get(b"name") or pairs.get(b"itemprop")
        content = pairs.get(b"content")
        if name and content:
            meta.setdefault(unescape(name).lower(), unescape(content).strip())
    return meta


def _canonical(tags: Iterable[bytes]) -> str | None:
    """Return where the first `link rel=canonical` goes; the attributes of each are given."""
    for inner in tags:
        if b"canonical" in inner.lower():
            attributes = _pairs(inner)
            if "canonical" in attributes.get("rel", "").lower().split():
                return attributes.get("href")
    return None
