"""Compressed responses, decompressed up to a size and only if they are whole.

Scrapy's own middleware hands on what it could read of a stream that breaks off; a page cut in
the middle would be learned from as if its publisher had written it so.
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
"""What servers are told that they may send."""

_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
# A window of 8 MB is what RFC 9659 allows on the web.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}


class TooLarge(ValueError):
    """What was compressed is larger than it may be."""


class CorruptBody(ValueError):
    """What was compressed is damaged or not all there."""


def decompress(body: bytes, encodings: Sequence[str], most: int, *, partly: bool = False) -> bytes:
    """Return what was compressed with these encodings, the last of them last.

    `TooLarge` as soon as there are more than `most` bytes, `CorruptBody` if the end is missing;
    with `partly` the bytes up to there instead. Encodings that are not known are ignored, as
    browsers do: servers write all sorts of things there.

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
    while data.startswith(_GZIP):  # several parts in one file
        data = yield from _inflate_stream(data, zlib.MAX_WBITS + 16)


def _inflate(data: bytes) -> Iterator[bytes]:
    # Some servers leave out the header of two bytes.
    has_header = data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0
    yield from _inflate_stream(data, zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


def _inflate_stream(data: bytes, window: int) -> Generator[bytes, None, bytes]:
    """Yield the chunks of one stream; return what comes after it."""
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


class DecompressionMiddleware:
    """Lets servers send compressed responses; one that is too large or corrupt is refused."""

    def __init__(self, crawler: Crawler, most: int) -> None:
        self._crawler = crawler
        self._most = most

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Decompress up to the size at which downloads end."""
        return cls(crawler, crawler.settings.getint("DOWNLOAD_MAXSIZE"))

    def process_request(self, request: Request) -> None:
        """Say what may be sent."""
        request.headers.setdefault("Accept-Encoding", ACCEPTED)

    def process_response(self, request: Request, response: Response) -> Response | Request:
        """Return the response decompressed; ask again for one that is corrupt."""
        packed = response.headers.getlist("Content-Encoding")
        if not packed or not response.body:
            return response
        encodings = b",".join(packed).decode("latin-1").split(",")
        first = request.meta.get("take_first")
        # As everywhere in Scrapy, 0 is no limit.
        most = first or request.meta.get("download_maxsize", self._most) or sys.maxsize
        partly = first is not None or "download_stopped" in response.flags
        try:
            body = decompress(response.body, encodings, most, partly=partly)
        except TooLarge as error:
            raise DownloadCancelledError(str(error)) from error
        except CorruptBody as error:
            return self._again(request, error)
        kind = responsetypes.from_args(headers=response.headers, url=response.url, body=body)
        # Not `replace`: that would guess an encoding from the compressed body.
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
