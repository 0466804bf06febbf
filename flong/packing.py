"""Packed pages: zstd with a dictionary shared by the pages of a site."""

import json
import sys
from dataclasses import dataclass

from flong.page import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedPage:
    """A document and its links, packed."""

    html: bytes
    """The document, packed as UTF-8."""
    links: bytes
    """The links, packed as JSON."""
    dictionary: int | None
    """Id of the dictionary; None without one."""
    size: int
    """Size of the document in bytes."""


class Unpacker:
    r"""Unpacks with a dictionary, or without one.

    >>> Unpacker(b"").unpack_html(zstd.compress(b"<p>caf\xc3\xa9"))
    '<p>café'
    """

    damaged: type[Exception] = ValueError
    """Exception raised for damaged data."""

    def __init__(self, dictionary: bytes) -> None:
        self.dictionary = dictionary
        self._dictionary = zstd.ZstdDict(dictionary) if dictionary else None

    def unpack(self, blob: bytes) -> bytes:
        """Return the unpacked bytes."""
        try:
            return zstd.decompress(blob, zstd_dict=self._dictionary)
        except zstd.ZstdError as error:
            raise self.damaged(f"A stored page is damaged: {error}.") from error

    def unpack_html(self, blob: bytes) -> str:
        """Return the unpacked document as text."""
        return self.unpack_utf8(blob).decode()

    def unpack_utf8(self, blob: bytes) -> bytes:
        """Return the unpacked document as UTF-8."""
        data = self.unpack(blob)
        if not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError as error:
                raise self.damaged(f"A stored page is damaged: {error}.") from error
        return data

    def unpack_links(self, blob: bytes) -> tuple[Link, ...]:
        """Return the unpacked links."""
        return tuple(Link(url, text) for url, text in self._pairs(blob))

    def unpack_urls(self, blob: bytes) -> list[str]:
        """Return the URLs of the unpacked links."""
        return [url for url, _ in self._pairs(blob)]

    def _pairs(self, blob: bytes) -> list[tuple[str, str]]:
        data = self.unpack(blob)
        try:
            return [(url, text) for url, text in json.loads(data)]
        except (ValueError, TypeError) as error:
            raise self.damaged(f"The links of a page are damaged: {error}.") from error


if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["zstd"]
