"""The parsed page as serialised by the parser: attributes and head, read only when asked for."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trees.head import Head

_ATTRIBUTE = re.compile(rb'\s([^\s][^\s=]*)="([^"]*)"')
_NAME = re.compile(rb"<([^\s/>]+)")
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
        end = self.data.index(b">", start)
        pairs = _ATTRIBUTE.findall(self.data, start, end)
        return {name.decode(): unescape(value) for name, value in pairs}

    def text(self, start: int) -> str:
        """Return the text right after the tag that begins here, up to the next tag."""
        begin = self.data.index(b">", start) + 1
        if self.data[begin - 2 : begin] == b"/>":
            return ""
        return unescape(self.data[begin : self.data.index(b"<", begin)])

    def head(self) -> Head:
        """Return what the page says about itself."""
        tags = [(self.name(start), start) for start in self.head_tags.tolist()]
        meta: dict[str, str] = {}
        for name, content in self._metadata([start for name, start in tags if name == "meta"]):
            meta.setdefault(name.lower(), content.strip())
        titles = (self.text(start) for name, start in tags if name == "title")
        return Head(
            title=" ".join(next(titles, "").split()),
            meta=meta,
            canonical=self._canonical([start for name, start in tags if name == "link"]),
            language=self.attributes(0).get("lang"),
            json_ld=tuple(
                self.text(start)
                for name, start in tags
                if name == "script"
                and self.attributes(start).get("type", "").strip().lower() == "application/ld+json"
            ),
        )

    def _metadata(self, starts: list[int]) -> list[tuple[str, str]]:
        """Return name and content of the `meta` tags that have both."""
        found = []
        for start in starts:
            attributes = self.attributes(start)
            keys = ("property", "name", "itemprop")
            name = next((attributes[key] for key in keys if attributes.get(key)), "")
            content = attributes.get("content", "")
            if name and content:
                found.append((name, content))
        return found

    def _canonical(self, starts: list[int]) -> str | None:
        """Return where the first `link rel=canonical` goes."""
        for start in starts:
            attributes = self.attributes(start)
            if "canonical" in attributes.get("rel", "").lower().split():
                return attributes.get("href")
        return None
