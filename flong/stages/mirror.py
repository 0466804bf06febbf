"""Pages of a mirror: a folder of files, as wget leaves it, read as if it were crawled."""

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
_OWN_NAME = re.compile(
    r"""<link\b(?=[^>]*\brel=["']?canonical\b)[^>]*\bhref=["']?([^"'\s>]+)"""
    r"""|<meta\b(?=[^>]*["']og:url["'])[^>]*\bcontent=["']?([^"'\s>]+)""",
    re.IGNORECASE,
)
_BEGINNING = 65_536
SAMPLE = 100
"""Pages that are asked what the site was called."""
_ASIDE = ("", ".html", ".htm", "/")
"""What may be missing at the end of a link, for a server that knows what is meant."""


def pages_of_mirror(folder: Path, home: str) -> Iterator[Page]:
    """Yield the pages of a folder, breadth first from the home page, each file once.

    The folder holds either the files of the site or a folder named after its host. A page's
    URL is that of its file; links lead to the URL of the file that is meant, also
    if they leave out `.html`. Pages that no link leads to come last, one deeper than all
    others.
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
    """Return the path of the URL that a file of a mirror was saved from.

    >>> address_of("2024/index.html"), address_of("index.html?p=5.html"), address_of("a b.html")
    ('2024/', '?p=5', 'a%20b.html')
    >>> address_of("story.php?id=7.html"), address_of("caf%C3%A9.html"), address_of("café")
    ('story.php?id=7', 'caf%C3%A9.html', 'caf%C3%A9')
    """
    name = _INDEX.sub(r"\1", _ADJUSTED.sub(r"\1", name))
    # Names that hold escapes are URLs already.
    safe = "/?&=+,;:@!$'()*~%" if _ESCAPE.search(name) else "/?&=+,;:@!$'()*~"
    return quote(os.fsencode(name), safe=safe)


@dataclass(frozen=True, slots=True)
class _Mirror:
    """The files of a site, by canonical URL."""

    scope: Scope
    files: dict[str, Path]
    aliases: re.Pattern[str] | None
    """Finds the URLs that the site had when it was saved, if they were others."""

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
        if path is None or path.stat().st_size > LARGEST:
            return None
        encoding, html = decode(path.read_bytes())
        if not is_html(html):
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
        """Return the links of a page, as the files that they mean are addressed."""
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
    """Return what finds the site's former URL in its pages; None if it has none.

    A mirror may be loaded under another name than the site had. What half of the pages call
    themselves, but for the host, is the same site.
    """
    origins: Counter[str] = Counter()
    sample = list(files.items())[:: max(1, len(files) // SAMPLE)]
    for url, path in sample:
        named = _OWN_NAME.search(decode(path.read_bytes()[:_BEGINNING])[1])
        try:
            parts = urlsplit(named[1] or named[2]) if named else None
        except ValueError:  # it is no URL
            continue
        if parts and parts.netloc and parts.path.strip("/") == urlsplit(url).path.strip("/"):
            origins[parts.netloc.lower()] += 1
    hosts = [host for host, pages in origins.items() if 2 * pages > sum(origins.values())]
    if not hosts or hosts[0] == urlsplit(scope.home).netloc or 4 * origins[hosts[0]] < len(sample):
        return None
    return re.compile(rf"(?:https?:)?//{re.escape(hosts[0])}(?=[/\"'?#<>\s]|$)", re.IGNORECASE)


def _root(folder: Path, home: str) -> tuple[Path, str]:
    """Return the folder of the site's files and the URL that it stands for."""
    parts = urlsplit(home)
    origin = f"{parts.scheme}://{parts.netloc}/"
    host = (parts.hostname or "").removeprefix("www.")
    for name in (parts.netloc, parts.hostname or "", host, f"www.{host}"):
        if (folder / name).is_dir():
            return folder / name, origin
        if folder.resolve().name == name:
            return folder, origin
    return folder, origin.rstrip("/") + parts.path.rpartition("/")[0] + "/"


def _files(root: Path) -> Iterator[Path]:
    """Yield the files below a folder in a fixed order; links out of it are not followed."""
    for place, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                yield path
