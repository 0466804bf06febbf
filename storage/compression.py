"""Pages and links as small blobs: zstd with what the pages of a site have in common.

Level 3 with a dictionary of 110 KB: `benchmarks/storage.py` shows what other choices cost.
"""

import json
from collections.abc import Sequence
from hashlib import blake2b

from backports.zstd import ZstdCompressor, ZstdDict, ZstdError, decompress, train_dict

from items import Link
from storage.errors import UnreadableDatabase

LEVEL = 3
DICTIONARY_SIZE = 110_000
SAMPLES = 60
"""Pages that a dictionary is trained on; more cost time and gain nothing."""


class Codec:
    r"""Packs and unpacks with one dictionary, or without any.

    >>> codec = Codec(None)
    >>> codec.unpack_html(codec.pack(b"<p>caf\xc3\xa9"))
    '<p>café'
    """

    def __init__(self, dictionary: bytes | None) -> None:
        self._dictionary = None if dictionary is None else ZstdDict(dictionary)
        self._compressor = ZstdCompressor(level=LEVEL, zstd_dict=self._dictionary)

    def pack(self, data: bytes) -> bytes:
        """Return the data compressed."""
        return self._compressor.compress(data, ZstdCompressor.FLUSH_FRAME)

    def unpack(self, blob: bytes) -> bytes:
        """Return what was packed."""
        try:
            return decompress(blob, zstd_dict=self._dictionary)
        except ZstdError as error:
            raise UnreadableDatabase(f"A stored page is damaged: {error}.") from error

    def unpack_html(self, blob: bytes) -> str:
        """Return the document that was packed as UTF-8."""
        return self.unpack(blob).decode()

    def pack_links(self, links: Sequence[Link]) -> bytes:
        """Return links as compressed JSON: `[[address, text], ...]`."""
        rows = [[link.url, link.text] for link in links]
        return self.pack(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())

    def unpack_links(self, blob: bytes) -> tuple[Link, ...]:
        """Return the links that were packed."""
        return tuple(Link(url, text) for url, text in json.loads(self.unpack(blob)))


def train(samples: Sequence[bytes]) -> bytes | None:
    """Return a dictionary for pages like these; None if they are too small or too few."""
    try:
        return train_dict(samples, DICTIONARY_SIZE).dict_content
    except ZstdError:
        return None


def content_hash(data: bytes) -> str:
    """Return a fingerprint of a document; equal documents have equal ones.

    >>> content_hash(b"news")
    '451966dc3e36ee1d080f7fc56a460600'
    """
    return blake2b(data, digest_size=16).hexdigest()
