"""Pages of a mirror: a folder of files, as written by wget, read as if it were crawled."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlsplit

from flong.crawler import decode
from flong.errors import PipelineError
from flong.links import page_links, refusal
from flong.page import Link, Page
from flong.stages.archive import LARGEST, is_html
from flong.urls import Scope

_INDEX = re.compile(r"(^|/)index\.html?(?=\?|$)", re.IGNORECASE)
_ADJUSTED = re.compile(r"(\?.*|\.(?:php|aspx?|jsp|cgi))\.html$", re.IGNORECASE)
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_TAG = re.compile(r"<(?:link|meta)\b[^<>]*", re.IGNORECASE)
_OWN_NAME = re.compile(r"""\brel=["']?canonical\b|["']og:url["']""", re.IGNORECASE)
_VALUE = re.compile(r"""\b(?:href|content)=["']?([^"'\s>]+)""", re.IGNORECASE)
_BEGINNING = 65_536
SAMPLE = 100
"""Maximum number of pages that are searched for the original URL of the site."""
_ASIDE = ("", ".html", ".htm", "/")
"""Endings of file names that links may omit, because servers add them."""


def pages_of_mirror(folder: Path, home: str) -> Iterator[Page]:
    """Yield the pages of a folder, breadth first from the home page, each file once.

    The folder contains either the files of the site or a folder named after its host. The URL of a
    page is that of its file. Links are changed to the URL of their file, also if they omit `.html`.
    Pages without links to them come last, one level deeper than all others.
    """
    if not folder.is_dir():
        raise PipelineError(f"{folder} is not a folder.")
    mirror = _Mirror.of(folder, home)
    pages = mirror.walk()
    first = next(pages, None)
    if first is None:
        raise PipelineError(f"There is no HTML in the folder {folder}.")
    yield first
    yield from pages


def address_of(name: str) -> str:
    """Return the URL path from which a file of a mirror was saved.

    >>> address_of("2024/index.html"), address_of("index.html?p=5.html"), address_of("a b.html")
    ('2024/', '?p=5', 'a%20b.html')
    >>> address_of("story.php?id=7.html"), address_of("caf%C3%A9.html"), address_of("café")
    ('story.php?id=7', 'caf%C3%A9.html', 'caf%C3%A9')
    """
    name = _INDEX.sub(r"\1", _ADJUSTED.sub(r"\1", name))
    # Names with escapes are URLs already.
    safe = "/?&=+,;:@!$'()*~%" if _ESCAPE.search(name) else "/?&=+,;:@!$'()*~"
    return quote(os.fsencode(name), safe=safe)


@dataclass(frozen=True, slots=True)
class _Mirror:
    """The files of a site, by canonical URL."""

    scope: Scope
    files: dict[str, Path]
    aliases: re.Pattern[str] | None
    """Matches the URLs that the site had when it was saved; None if they were the same."""

    @classmethod
    def of(cls, folder: Path, home: str) -> "_Mirror":
        try:
            scope = Scope.of(home)
        except ValueError as error:
            raise PipelineError(f"{error}.") from error
        root, base = _root(folder, scope.home)
        files: dict[str, Path] = {}
        for path in _files(root):
            name = path.relative_to(root).as_posix()
            url = scope.canonical(base + address_of(name))
            if url is not None and refusal(url) is None:
                files.setdefault(url, path)
        return cls(scope, files, _aliases(scope, files))

    def walk(self) -> Iterator[Page]:
        waiting, seen, depth = [self.scope.home], {self.scope.home}, 0
        while waiting:
            following: list[str] = []
            for url in waiting:
                page = self.page(url, depth)
                if page is not None:
                    yield page
                    fresh = (link.url for link in page.links if link.url not in seen)
                    found = [url for url in dict.fromkeys(fresh) if url in self.files]
                    seen.update(found)
                    following += found
            waiting, depth = following, depth + 1
        for url in self.files:
            if url not in seen:
                page = self.page(url, depth)
                if page is not None:
                    yield page

    def page(self, url: str, depth: int) -> Page | None:
        path = self.files.get(url)
        data = _beginning(path, LARGEST + 1) if path else b""
        encoding, html = decode(data if len(data) <= LARGEST else b"")
        if path is None or not is_html(html):
            return None
        return Page(
            url=url,
            html=html,
            fetched_at=datetime.fromtimestamp(int(path.stat().st_mtime), UTC),
            depth=depth,
            encoding=encoding,
            links=self.links(html, url),
        )

    def links(self, html: str, url: str) -> tuple[Link, ...]:
        """Return the links of a page, with the URLs of their files."""
        if self.aliases is not None:
            html = self.aliases.sub(self.scope.home.rstrip("/"), html)
        texts: dict[str, str] = {}
        for link in page_links(html, url, self.scope):
            meant = self.meant(link.url)
            texts[meant] = texts.get(meant) or link.text
        texts.pop(url, None)
        return tuple(Link(url, text) for url, text in texts.items())

    def meant(self, url: str) -> str:
        tries = (url.rstrip("/") + ending for ending in _ASIDE)
        return next((each for each in (url, *tries) if each in self.files), url)


def _aliases(scope: Scope, files: dict[str, Path]) -> re.Pattern[str] | None:
    """Return an expression for the former URL of the site in its pages, or None.

    A mirror may be loaded under a name that the site did not have. If half of the pages declare
    URLs that differ only in the host, that host was the site.
    """
    origins: Counter[str] = Counter()
    sample = list(files.items())[:: max(1, len(files) // SAMPLE)]
    for url, path in sample:
        named = _own_name(decode(_beginning(path, _BEGINNING)).text)
        try:
            parts = urlsplit(named) if named else None
        except ValueError:  # not a URL
            continue
        if parts and parts.netloc and parts.path.strip("/") == urlsplit(url).path.strip("/"):
            origins[parts.netloc.lower()] += 1
    hosts = [host for host, pages in origins.items() if 2 * pages > sum(origins.values())]
    if not hosts or hosts[0] == urlsplit(scope.home).netloc or 4 * origins[hosts[0]] < len(sample):
        return None
    return re.compile(rf"(?:https?:)?//{re.escape(hosts[0])}(?=[/\"'?#<>\s]|$)", re.IGNORECASE)


def _own_name(html: str) -> str | None:
    """Return the URL that a page declares as its own, as written, or None."""
    tags = (tag[0] for tag in _TAG.finditer(html) if _OWN_NAME.search(tag[0]))
    values = (_VALUE.search(tag) for tag in tags)
    return next((value[1] for value in values if value), None)


def _beginning(path: Path, size: int) -> bytes:
    """Return at most `size` bytes of a file; no bytes if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def _root(folder: Path, home: str) -> tuple[Path, str]:
    """Return the folder of the site's files and its URL."""
    parts = urlsplit(home)
    origin = f"{parts.scheme}://{parts.netloc}/"
    host = (parts.hostname or "").removeprefix("www.")
    for name in (parts.netloc, parts.hostname or "", host, f"www.{host}"):
        if (folder / name).is_dir() and not (folder / name).is_symlink():
            return folder / name, origin
        if folder.resolve().name == name:
            return folder, origin
    return folder, origin.rstrip("/") + parts.path.rpartition("/")[0] + "/"


def _files(root: Path) -> Iterator[Path]:
    """Yield the files below a folder in a fixed order, without symbolic links."""
    for place, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                yield path
