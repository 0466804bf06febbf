"""Pages in and out of WARC files, the archives of web crawlers."""

import gzip
import logging
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, Any

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataException
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from flong.crawler import decode
from flong.errors import PipelineError
from flong.links import page_links, refusal
from flong.page import Link, Page
from flong.urls import Scope

logger = logging.getLogger(__name__)

HTML_TYPES = ("text/html", "application/xhtml+xml")
_GZIP = b"\x1f\x8b"
_END = b"\r\n\r\n"


def pages_of_archive(
    path: Path, home: str, complain: Callable[[str], None] = logger.warning
) -> Iterator[Page]:
    """Yield the pages of a site that a WARC file holds, each URL once, as last received.

    The file may be compressed. Depth is that of a walk over the links from the home page;
    pages that it does not reach are one deeper than all others. Of a file that was cut off
    or damaged everything before that place is kept, and `complain` is told so. The file is
    read twice, so that only links are in memory.
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
    """Write pages as a compressed WARC file; return how many they were.

    Documents are written in UTF-8, whatever they were served in.

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
    """Return how many links each page is away from the home page, if any lead to it.

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
    """Return, by URL, the number of a page's last record and its links there."""
    latest: dict[str, int] = {}
    links: dict[str, tuple[Link, ...]] = {}
    shared: dict[Link, Link] = {}  # the same navigation is on every page
    damage: list[str] = []
    for number, page in enumerate(_pages(path, scope, damage.append)):
        latest[page.url] = number
        found = page_links(page.html, page.url, scope)
        links[page.url] = tuple(shared.setdefault(link, link) for link in found)
    if not links:
        reason = f"{damage[0]}; " if damage else ""
        raise PipelineError(f"{path}: {reason}there is no page of {scope.home} in it.")
    for each in damage:
        complain(f"{path}: {each}; the {len(links)} pages before that place are kept.")
    return latest, links


def _pages(
    path: Path, scope: Scope, damaged: Callable[[str], None] = lambda reason: None
) -> Iterator[Page]:
    """Yield what is a page of the site, in the order of the file, without links."""
    try:
        with path.open("rb") as file:
            compressed = file.read(2) == _GZIP
    except OSError as error:
        raise PipelineError(f"{path} cannot be read: {error.strerror}.") from error
    with gzip.open(path) if compressed else path.open("rb") as opened:
        source = _Source(opened)
        try:
            for record in _Records(source):
                page = _page(record, scope)
                if not _is_whole(record):
                    damaged("its last record is cut off")
                    return
                if page is not None:
                    yield page
        except (ArchiveLoadFailed, AttributeError, zlib.error) as error:
            # AttributeError is what the library makes of headers that end too early.
            damaged("it is cut off" if source.ended else f"it is damaged ({_short(error)})")
            return
        if source.broken or (source.tail and source.tail != _END):
            damaged("it is cut off")


class _Records(ArchiveIterator):  # type: ignore[misc]
    """An iterator that does not print about damage: it is reported once, by us."""

    INC_RECORD = ""


@dataclass(slots=True)
class _Source:
    """A stream that ends, and knows it, where the compressed data under it breaks off."""

    stream: BufferedReader | gzip.GzipFile
    tail: bytes = b""
    ended: bool = False
    broken: bool = False

    def read(self, size: int = -1) -> bytes:
        try:
            data = self.stream.read1(size)  # `read` would lose what comes before the break
        except (EOFError, zlib.error, gzip.BadGzipFile):
            data, self.broken = b"", True
        self.tail = (self.tail + data)[-len(_END) :]
        self.ended = self.ended or not data
        return data

    def tell(self) -> int:
        return self.stream.tell()


def _is_whole(record: Any) -> bool:
    while record.raw_stream.read(65536):
        pass
    return getattr(record.raw_stream, "limit", 1) == 0


def _page(record: Any, scope: Scope) -> Page | None:
    headers = record.http_headers
    if record.rec_type != "response" or headers is None or headers.get_statuscode() != "200":
        return None
    kind = headers.get_header("Content-Type", "")
    url = scope.canonical(record.rec_headers.get_header("WARC-Target-URI", "").strip("<>"))
    if kind.partition(";")[0].strip().lower() not in HTML_TYPES or url is None or refusal(url):
        return None
    try:
        data = record.content_stream().read(LARGEST + 1)
    except (ChunkedDataException, zlib.error):
        return None
    encoding, html = decode(data, kind)
    if len(data) > LARGEST or not is_html(html):
        return None
    return Page(
        url=url,
        html=html,
        fetched_at=_date(record.rec_headers.get_header("WARC-Date")),
        encoding=encoding,
        etag=headers.get_header("ETag"),
        last_modified=headers.get_header("Last-Modified"),
    )


def _date(text: str | None) -> datetime:
    try:
        return datetime.fromisoformat(text or "").astimezone(UTC).replace(microsecond=0)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:60]


LARGEST = 10 * 1024 * 1024
"""Bytes beyond which a document is not taken for a page."""

_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table)\b", re.IGNORECASE
)
_DATA = re.compile(r"[{\[]|<(?:rss|feed|rdf|urlset|sitemapindex|svg|opml|oembed)\b", re.IGNORECASE)
_BEGINNING = 4096


def is_html(text: str) -> bool:
    """Tell whether a text is a page of HTML, not a feed, data or plain text.

    >>> is_html("<!DOCTYPE html><p>news"), is_html("<?xml version='1.0'?><html>")
    (True, True)
    >>> is_html("<?xml version='1.0'?><rss><title>news"), is_html('{"p": "<p>"}'), is_html("news")
    (False, False, False)
    """
    beginning = text[:_BEGINNING]
    tag, data = _HTML.search(beginning), _DATA.search(beginning)
    return tag is not None and (data is None or tag.start() < data.start())
