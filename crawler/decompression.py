"""Decompression of response bodies, with a size limit and a check for completeness.

Scrapy's own middleware returns the readable part of a truncated stream. flong would learn from that
incomplete page.
"""

import sys
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Self

import brotli
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import DownloadCancelledError, ResponseDataLossError
from scrapy.http import Response
from scrapy.responsetypes import responsetypes

from flong.packing import zstd

ACCEPTED = b"gzip, deflate, br, zstd"
"""Accept-Encoding header of each request."""

_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
# RFC 9659 limits the window to 8 MB.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}


class TooLarge(ValueError):
    """The decompressed body exceeds the size limit."""


class CorruptBody(ValueError):
    """The compressed body is corrupt or incomplete."""


def decompress(body: bytes, encodings: Sequence[str], most: int, *, partly: bool = False) -> bytes:
    """Return the decompressed body; `encodings` are in the order in which they were applied.

    Raises `TooLarge` above `most` bytes and `CorruptBody` if the stream is incomplete; with
    `partly`, returns the bytes up to that point instead. Unknown encodings are ignored, as in
    browsers.

    >>> import gzip
    >>> decompress(gzip.compress(b"news" * 100), ["gzip"], most=1000)[:8]
    b'newsnews'
    >>> decompress(gzip.compress(b"news" * 100)[:-12], ["gzip"], most=1000)
    Traceback (most recent call last):
    flong.crawler.decompression.CorruptBody: the end is missing
    """
    for encoding in reversed(encodings):
        decompressor = _DECOMPRESSORS.get(encoding.strip().lower())
        if decompressor is not None and body:
            body = _collect(decompressor(body), most, partly)
    return body


def _collect(chunks: Iterator[bytes], most: int, partly: bool) -> bytes:
    whole = bytearray()
    try:
        for chunk in chunks:
            whole += chunk
            if len(whole) > most:
                raise TooLarge(f"more than {most} bytes")
    except (zlib.error, brotli.error, zstd.ZstdError) as error:
        if not partly:
            raise CorruptBody(str(error)) from error
    except (CorruptBody, TooLarge):
        if not partly:
            raise
    return bytes(whole[:most])


def _gunzip(data: bytes) -> Iterator[bytes]:
    data = yield from _inflate_stream(data, zlib.MAX_WBITS + 16)
    while data.startswith(_GZIP):  # concatenated members
        data = yield from _inflate_stream(data, zlib.MAX_WBITS + 16)


def _inflate(data: bytes) -> Iterator[bytes]:
    # Some servers omit the two-byte zlib header.
    has_header = data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0
    yield from _inflate_stream(data, zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


def _inflate_stream(data: bytes, window: int) -> Generator[bytes, None, bytes]:
    """Yield the chunks of one stream; return the bytes after it."""
    stream = zlib.decompressobj(window)
    while not stream.eof:
        chunk = stream.decompress(data, _CHUNK)
        data = stream.unconsumed_tail
        if not chunk and not data and not stream.eof:
            raise CorruptBody("the end is missing")
        yield chunk
    return stream.unused_data


def _unbrotli(data: bytes) -> Iterator[bytes]:
    stream = brotli.Decompressor()
    yield stream.process(data, output_buffer_limit=_CHUNK)
    while not stream.is_finished():
        chunk = stream.process(b"", output_buffer_limit=_CHUNK)
        if not chunk:
            raise CorruptBody("the end is missing")
        yield chunk


def _unzstd(data: bytes) -> Iterator[bytes]:
    while data:
        stream = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)
        while not stream.eof:
            yield stream.decompress(data, _CHUNK)
            data = b""
            if stream.needs_input and not stream.eof:
                raise CorruptBody("the end is missing")
        data = stream.unused_data


_DECOMPRESSORS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
ENCODINGS = frozenset(_DECOMPRESSORS)
"""Content encodings that can be decompressed."""


class DecompressionMiddleware:
    """Accepts compressed responses, and fails those that are corrupt or too large."""

    def __init__(self, crawler: Crawler, most: int) -> None:
        self._crawler = crawler
        self._most = most

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Use the limit `DOWNLOAD_MAXSIZE`."""
        return cls(crawler, crawler.settings.getint("DOWNLOAD_MAXSIZE"))

    def process_request(self, request: Request) -> None:
        """Set the Accept-Encoding header."""
        request.headers.setdefault("Accept-Encoding", ACCEPTED)

    def process_response(self, request: Request, response: Response) -> Response | Request:
        """Return the decompressed response, or a retry request if it is corrupt."""
        packed = response.headers.getlist("Content-Encoding")
        if not packed or not response.body:
            return response
        encodings = b",".join(packed).decode("latin-1").split(",")
        first = request.meta.get("take_first")
        # As everywhere in Scrapy, 0 means no limit.
        most = first or request.meta.get("download_maxsize", self._most) or sys.maxsize
        partly = first is not None or "download_stopped" in response.flags
        try:
            body = decompress(response.body, encodings, most, partly=partly)
        except TooLarge as error:
            raise DownloadCancelledError(str(error)) from error
        except CorruptBody as error:
            return self._again(request, error)
        kind = responsetypes.from_args(headers=response.headers, url=response.url, body=body)
        # `replace` would guess the encoding from the compressed body.
        decompressed = kind(
            **{name: getattr(response, name) for name in Response.attributes} | {"body": body}
        )
        del decompressed.headers["Content-Encoding"]
        return decompressed

    def _again(self, request: Request, error: CorruptBody) -> Request:
        spider = self._crawler.spider
        again = spider and get_retry_request(request, spider=spider, reason="broken")
        if not again:
            raise ResponseDataLossError(str(error)) from error
        return again
