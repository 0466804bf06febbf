"""Pages in and out of WARC files, the archives of web crawlers."""

import logging
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from flong.crawler import ENCODINGS, CorruptBody, TooLarge, decode, decompress
from flong.errors import PipelineError
from flong.links import page_links, refusal
from flong.page import Link, Page
from flong.urls import Scope

logger = logging.getLogger(__name__)

HTML_TYPES = ("text/html", "application/xhtml+xml")


def pages_of_archive(
    path: Path, home: str, complain: Callable[[str], None] = logger.warning
) -> Iterator[Page]:
    """Yield the pages of a site in a WARC file, each URL once, as last received.

    The file may be compressed. Depths are those of a walk over the links from the home page; pages
    that it does not reach are one level deeper than all others. Records that cannot be read are
    skipped; `complain` gets one sentence with their number and the reasons. The file is read twice,
    so that only links are in memory.
    """
    try:
        scope = Scope.of(home)
    except ValueError as error:
        raise PipelineError(f"{error}.") from error
    latest, links = _survey(path, scope, complain)
    depths = walk_depths(scope.home, links)
    unreached = max(depths.values(), default=0) + 1
    for number, page in enumerate(_pages(path, scope)):
        if latest[page.url] == number:
            depth = depths.get(page.url, unreached)
            yield replace(page, depth=depth, links=links[page.url])


def write_archive(pages: Iterable[Page], stream: IO[bytes]) -> int:
    """Write pages as a compressed WARC file; return their number.

    Documents are written in UTF-8, whatever their original encoding.

    >>> page = Page(url="http://a.org/", html="<p>é", fetched_at=datetime(2026, 5, 1, tzinfo=UTC))
    >>> write_archive([page], BytesIO())
    1
    """
    writer = WARCWriter(stream, gzip=True)
    writer.write_record(writer.create_warcinfo_record("flong.warc.gz", {"software": "flong"}))
    count = 0
    for page in pages:
        data = page.html.encode("utf-8", "replace")
        headers = {"Content-Type": "text/html; charset=utf-8"}
        headers |= {"ETag": page.etag} if page.etag else {}
        headers |= {"Last-Modified": page.last_modified} if page.last_modified else {}
        status = StatusAndHeaders(f"{page.status} OK", list(headers.items()), "HTTP/1.1")
        date = page.fetched_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        record = writer.create_warc_record(
            page.url,
            "response",
            payload=BytesIO(data),
            length=len(data),
            warc_headers_dict={"WARC-Date": date},
            http_headers=status,
        )
        writer.write_record(record)
        count += 1
    return count


def walk_depths(home: str, links: Mapping[str, tuple[Link, ...]]) -> dict[str, int]:
    """Return the number of links from the home page to each page that can be reached.

    >>> walk_depths("a", {"a": (Link("b"),), "b": (Link("a"), Link("x")), "c": ()})
    {'a': 0, 'b': 1}
    """
    depths = {home: 0} if home in links else {}
    waiting = list(depths)
    for url in waiting:
        for link in links[url]:
            if link.url in links and link.url not in depths:
                depths[link.url] = depths[url] + 1
                waiting.append(link.url)
    return depths


def _survey(
    path: Path, scope: Scope, complain: Callable[[str], None]
) -> tuple[dict[str, int], dict[str, tuple[Link, ...]]]:
    """Return the number of each page's last record and its links there, by URL."""
    latest: dict[str, int] = {}
    links: dict[str, tuple[Link, ...]] = {}
    shared: dict[Link, Link] = {}  # the same navigation is on every page
    skipped: list[_Skipped] = []
    for number, page in enumerate(_pages(path, scope, skipped.append)):
        latest[page.url] = number
        found = page_links(page.html, page.url, scope)
        links[page.url] = tuple(shared.setdefault(link, link) for link in found)
    skipped = [each for each in skipped if each.reason != _REVISIT or each.url not in links]
    reasons = "; ".join(_sentences(skipped))
    if not links:
        begin = f"{reasons}; " if reasons else ""
        raise PipelineError(f"{path}: {begin}there is no page of {scope.home} in it.")
    if reasons:
        complain(f"{path}: {reasons}; the other {len(links)} pages are stored.")
    return latest, links


class _Skipped(NamedTuple):
    """A record that should contain a page, and the reason why it cannot be read."""

    reason: str
    url: str = ""


_DAMAGED = "damaged or cut off"
_COMPRESSED = "not decompressed"
_TOO_LARGE = "too large"
_TRUNCATED = "truncated by the crawler that wrote the file"
_REVISIT = "without the response that they refer to"


def _sentences(skipped: Iterable[_Skipped]) -> Iterator[str]:
    """Yield, for each reason, the number of records and the URL of the first."""
    groups: dict[str, list[str]] = {}
    for each in skipped:
        groups.setdefault(each.reason, []).append(each.url)
    for reason, urls in groups.items():
        first = f" (the first: {urls[0][:200]})" if urls[0] else ""
        yield f"{len(urls)} record{'s' * (len(urls) > 1)} {reason}{first}"


def _pages(
    path: Path, scope: Scope, skip: Callable[[_Skipped], None] = lambda skipped: None
) -> Iterator[Page]:
    """Yield the pages of the site in the order of the file, without links."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise PipelineError(f"{path} cannot be read: {error.strerror}.") from error
    with file:
        for data in _records(file):
            found = _Skipped(_DAMAGED) if data is None else _page(data, scope)
            if isinstance(found, _Skipped):
                skip(found)
            elif found is not None:
                yield found


_START = b"WARC/"
_GZIP = b"\x1f\x8b\x08"
_LOST = b"\0"
"""Placeholder for damaged or missing compressed data; no record starts or ends with it."""
_BLOCK = 16_384
_MOST_DAMAGED = 1000
"""Maximum number of failed attempts to resume reading before the rest of a file is given up."""
LONGEST_HEAD = 256 * 1024
"""Maximum bytes of the headers of a record, and of those of the response in it."""
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r?\n", re.IGNORECASE)
_SEPARATORS = (b"\r\n\r\n", b"\n\n", b"\r\nWARC", b"\nWARC")


def _records(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield each record, at most `LARGEST` bytes of its body; None in place of a damaged one.

    warcio reads the headers of single records. It cannot continue after a damaged one, and it has
    no limit for the length of a line, so the file is split here.
    """
    source = _Source(file)
    while source.fill(1) or source.resume():
        if source.skip_to_record():
            yield None
        head = source.find_end_of_head()
        length = head and _LENGTH.search(source.data, 0, head)
        if not head or not length:
            source.skip(1)  # the rest of the record is then skipped, and counted
            continue
        end = head + int(length[1])
        if end > source.left:
            source.skip(1)
        elif end > head + LARGEST:
            source.fill(head + LONGEST_HEAD)
            yield bytes(source.data[: head + LONGEST_HEAD])
            source.skip(end)
        elif source.is_whole(end):
            yield bytes(source.data[:end])
            source.skip(end)
        else:
            source.skip(1)


class _Source:
    """Decompressed bytes of a file, up to the next place where a record must begin."""

    def __init__(self, file: BinaryIO) -> None:
        self.data = bytearray()
        """Bytes that were read and not skipped."""
        self._is_compressed = file.read(len(_GZIP)) == _GZIP
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        self._unread = sys.maxsize if self._is_compressed else size
        self._blocks = _decompress_members(file) if self._is_compressed else _blocks(file)
        self._is_at_break = self._is_over = False

    @property
    def left(self) -> int:
        """Upper bound of the bytes up to the end of the file."""
        return len(self.data) + self._unread

    def fill(self, size: int) -> bool:
        """Read until `size` bytes are buffered; return False if there are fewer."""
        while len(self.data) < size and not self._is_at_break:
            block = next(self._blocks, None)
            self._is_over = block is None
            self._is_at_break = not block
            self.data += block or b""
            self._unread -= len(block or b"")
        return len(self.data) >= size

    def is_whole(self, end: int) -> bool:
        """Return True if the record up to `end` has no damage and is followed by another one."""
        self.fill(end + 5)
        is_lost = self._is_compressed and _LOST in self.data[end : end + 5]
        return self.data.startswith(_SEPARATORS, end) and not is_lost

    def resume(self) -> bool:
        """Go on after a break, with all bytes skipped; return False at the end of the file."""
        self._is_at_break = self._is_over
        return not self._is_over

    def skip(self, size: int) -> None:
        """Skip bytes, fewer if a break comes first."""
        while size > len(self.data):
            size -= len(self.data)
            self.data.clear()
            if not self.fill(1):
                return
        del self.data[:size]

    def skip_to_record(self) -> bool:
        """Skip to the next record or break; return True if more than line ends was skipped."""
        is_blank = True
        while self.fill(len(_START)) or self.data:
            blank = len(self.data) - len(self.data.lstrip(b"\r\n"))
            del self.data[:blank]
            self.fill(len(_START))
            if self.data.startswith(_START):
                break
            if not self.data:
                continue
            is_blank = False
            place = self.data.find(b"\n" + _START)
            # The start may be divided between this block and the next.
            del self.data[: place + 1 if place >= 0 else max(1, len(self.data) - len(_START))]
        return not is_blank

    def find_end_of_head(self) -> int | None:
        """Return the position after the headers of a record; None if they do not end."""
        for size in (4096, LONGEST_HEAD):
            self.fill(size)
            end = _END_OF_HEAD.search(self.data, 0, size)
            if end:
                return end.end()
        return None


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(_BLOCK):
        yield block


def _decompress_members(file: BinaryIO) -> Iterator[bytes]:
    """Yield decompressed blocks, an empty one where a gzip member begins with a record."""
    packed, stream, is_new, failures = file.read(_BLOCK), zlib.decompressobj(31), True, 0
    is_whole = True
    while packed and failures < _MOST_DAMAGED:
        is_whole = False
        try:
            block = stream.decompress(packed, _BLOCK)
        except zlib.error:
            yield from (b"", _LOST, b"") if is_new else (_LOST, b"")
            failures += 1
            packed, stream, is_new = _next_member(file, packed[1:]), zlib.decompressobj(31), True
            continue
        if is_new and block.startswith(_START):
            yield b""
        if block:
            yield block
        is_new = is_new and not block
        packed = stream.unconsumed_tail or stream.unused_data.lstrip(b"\0") or file.read(_BLOCK)
        if stream.eof:
            stream, is_new, is_whole, failures = zlib.decompressobj(31), True, True, 0
    if not is_whole:
        yield from (b"", _LOST) if is_new else (_LOST,)


def _next_member(file: BinaryIO, packed: bytes) -> bytes:
    """Return the compressed data, starting at the next gzip member."""
    while (place := packed.find(_GZIP)) < 0:
        block = file.read(_BLOCK)
        if not block:
            return b""
        packed = packed[1 - len(_GZIP) :] + block
    return packed[place:]


def _page(data: bytes, scope: Scope) -> Page | _Skipped | None:
    """Return the page of a record, the reason why it cannot be read, or None if it has no page."""
    try:
        record = _parse(data)
    except (ArchiveLoadFailed, AttributeError):  # the latter if a record has no URL
        return _Skipped(_DAMAGED)
    headers = record.http_headers
    if record.rec_type not in ("response", "revisit") or headers is None:
        return None
    kind = headers.get_header("Content-Type", "")
    url = scope.canonical(record.rec_headers.get_header("WARC-Target-URI", "").strip("<>"))
    is_page = headers.get_statuscode() == "200" and _is_html_type(kind)
    if not is_page or url is None or refusal(url):
        return None
    body = _REVISIT if record.rec_type == "revisit" else _body(record)
    if isinstance(body, str):
        return _Skipped(body, url)
    encoding, html = decode(body, kind)
    if not is_html(html):
        return None
    return Page(
        url=url,
        html=html,
        fetched_at=_date(record.rec_headers.get_header("WARC-Date")),
        encoding=encoding,
        etag=headers.get_header("ETag"),
        last_modified=headers.get_header("Last-Modified"),
    )


def _parse(data: bytes) -> Any:
    """Return a record of warcio; raise `ArchiveLoadFailed` if headers in it do not end."""
    head = _END_OF_HEAD.search(data)
    start = head.end() if head else 0
    found = _END_OF_HEAD.search(data, start, start + LONGEST_HEAD)
    if b"response" in data[:start] and len(data) > start + LONGEST_HEAD and not found:
        raise ArchiveLoadFailed("The headers are too long.")
    return next(iter(ArchiveIterator(BytesIO(data), no_record_parse=found is None)))


def _is_html_type(kind: str) -> bool:
    return kind.partition(";")[0].strip().lower() in HTML_TYPES


def _body(record: Any) -> bytes | str:
    """Return the body of a response, decompressed, or the reason why it cannot be read."""
    if record.rec_headers.get_header("WARC-Truncated"):
        return _TRUNCATED
    if record.length > LARGEST:
        return _TOO_LARGE
    headers = record.http_headers
    named = [value for name, value in headers.headers if name.lower() == "content-encoding"]
    encodings = [each.strip().lower() for each in ",".join(named).split(",")]
    while headers.remove_header("Content-Encoding"):  # warcio knows gzip and deflate only
        pass
    if "chunked" in headers.get_header("Transfer-Encoding", "").lower():
        headers.replace_header("Transfer-Encoding", "chunked")
    body: bytes = record.content_stream().read()
    if not {*encodings} <= {"", "identity", *ENCODINGS}:
        return _COMPRESSED
    try:
        return decompress(body, encodings, LARGEST)
    except TooLarge:
        return _TOO_LARGE
    except CorruptBody:
        # Some crawlers store the body decompressed and keep the header.
        return body if is_html(decode(body).text) else _COMPRESSED


def _date(text: str | None) -> datetime:
    try:
        return datetime.fromisoformat(text or "").astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError):
        return datetime(1970, 1, 1, tzinfo=UTC)


LARGEST = 10 * 1024 * 1024
"""Maximum size of a page in bytes."""

_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table)\b", re.IGNORECASE
)
_DATA = re.compile(r"[{\[]|<(?:rss|feed|rdf|urlset|sitemapindex|svg|opml|oembed)\b", re.IGNORECASE)
_BEGINNING = 4096


def is_html(text: str) -> bool:
    """Return True if a text is an HTML page, not a feed, data or plain text.

    >>> is_html("<!DOCTYPE html><p>news"), is_html("<?xml version='1.0'?><html>")
    (True, True)
    >>> is_html("<?xml version='1.0'?><rss><title>news"), is_html('{"p": "<p>"}'), is_html("news")
    (False, False, False)
    """
    beginning = text[:_BEGINNING]
    tag, data = _HTML.search(beginning), _DATA.search(beginning)
    return tag is not None and (data is None or tag.start() < data.start())
