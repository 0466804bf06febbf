"""Real sites with truth, and their pages as a server would serve them.

Sites are directories or `SLUG.tar.xz` archives in the folders of `FLONG_SITES` (a list like
`PATH`), by default `../shared/sites` and `../shared/newsites`. Archives are unpacked once into
`FLONG_CACHE` (default `~/.cache/flong`), never into the project.
"""

import json
import os
import re
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from flong.text import fold_text

PROJECT = Path(__file__).parents[1]
_CHARSET = re.compile(
    rb"""<meta[^>]+charset=["']?\s*([\w-]+)|^.{0,199}encoding=["']([\w-]+)""", re.IGNORECASE
)
_UTF8 = HTMLParser(encoding="utf-8")
LONGEST_CAPTION = 2000
"""Maximum characters of a caption; longer elements are wrappers."""
_INDEX = re.compile(r"(^|/)index\.html?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleTruth:
    """Expected values of an article of the corpus."""

    title: str
    """Its headline."""
    body: str
    """Its text."""
    published: str | None = None
    """Time of publication, ISO 8601, local time; None if unknown."""
    author: str | None = None
    """Authors as named by the source, separated by `;`; None if unknown."""

    blocks: tuple[tuple[str, str], ...] = ()
    """Kind and text of headings, items, quotations, cells, captions, footnotes; may be empty."""
    links: tuple[tuple[str, str], ...] = ()
    """Words and URL of the links in its text; empty if unknown."""
    entries: tuple[tuple[str, str], ...] = ()
    """Entries of a live blog: time and text."""
    description: str | None = None
    """Standfirst; None if missing or unknown."""
    section: str | None = None
    """Section; None if missing or unknown."""
    tags: tuple[str, ...] = ()
    """Tags; empty if missing or unknown."""
    image: str | None = None
    """File name of the lead picture; None if missing or unknown."""

    @property
    def day(self) -> date | None:
        """Return the day of publication, or None."""
        try:
            return datetime.fromisoformat(self.published).date() if self.published else None
        except ValueError:
            return None

    @property
    def minute(self) -> datetime | None:
        """Return the time of publication, or None if at most the day is known."""
        if self.day is None or self.published is None:
            return None
        moment = datetime.fromisoformat(self.published)
        return moment if moment.time() != time.min else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPage:
    """One page of one site."""

    path: str
    """File below `www/`: its identity in the truth."""
    url: str
    """URL as served."""
    html: str
    """The decoded document."""
    kind: str
    """`article`, `other` (certainly not an article) or `unlabelled`."""


@dataclass(frozen=True)
class CorpusSite:
    """One unpacked site."""

    folder: Path
    """Holds `www/`, `truth.jsonl`, `other.txt`, `site.json`."""

    @property
    def slug(self) -> str:
        """Return the short name."""
        return self.folder.name

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """Return the host names that its own links use."""
        return tuple(json.loads((self.folder / "site.json").read_text())["hosts"])

    @cached_property
    def truth(self) -> dict[str, ArticleTruth]:
        """Return the articles by path."""
        with (self.folder / "truth.jsonl").open() as lines:
            rows = [json.loads(line) for line in lines]
        return {
            row["path"]: ArticleTruth(
                title=row["title"],
                body=row["body"],
                published=row.get("date"),
                author=row.get("author"),
                blocks=_pairs(row.get("blocks", ())),
                links=_pairs(row.get("links", ())),
                entries=_pairs(row.get("entries", ())),
                description=row.get("description") or None,
                section=row.get("section") or None,
                image=row.get("image") or None,
                tags=tuple(row.get("tags", ())),
            )
            for row in rows
        }

    @cached_property
    def other(self) -> frozenset[str]:
        """Return the paths of pages that are certainly not articles."""
        return frozenset((self.folder / "other.txt").read_text().split("\n")) - {""}

    @cached_property
    def paths(self) -> list[str]:
        """Return the paths of all pages, in a fixed order that mixes kinds."""
        www = self.folder / "www"
        found = (path.relative_to(www).as_posix() for path in www.rglob("*.htm*"))
        return sorted(found, key=_shuffled)

    def kind(self, path: str) -> str:
        """Return the kind of a page in the truth."""
        if path in self.truth:
            return "article"
        return "other" if path in self.other else "unlabelled"

    def halves(self) -> tuple[list[str], list[str]]:
        """Return the pages to learn from and those held out, each kind split evenly."""
        halves: tuple[list[str], list[str]] = ([], [])
        seen: Counter[str] = Counter()
        for path in self.paths:
            kind = self.kind(path)
            halves[seen[kind] % 2].append(path)
            seen[kind] += 1
        return halves

    def url(self, path: str) -> str:
        """Return the URL of a page as served.

        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "site.json").write_text('{"hosts": ["a.org"]}')
        >>> Site(folder).url("2024/index.html"), Site(folder).url("b c.html")
        ('http://a.org/2024/', 'http://a.org/b%20c.html')
        """
        return f"http://{self.hosts[0]}/" + quote(_INDEX.sub(r"\1", path))

    def page(self, path: str) -> CorpusPage:
        """Read one page."""
        data = (self.folder / "www" / path).read_bytes()
        return CorpusPage(path=path, url=self.url(path), html=decode(data), kind=self.kind(path))

    def captions(self, path: str) -> frozenset[str]:
        """Return the folded captions of a page: `figcaption`, or a class named after captions."""
        document = document_fromstring(
            self.page(path).html.encode("utf-8", "replace"), parser=_UTF8
        )
        found = [*document.iter("figcaption"), *document.cssselect("[class*=caption]")]
        texts = ["".join(map(str, each.itertext())) for each in found]
        return frozenset(fold_text(text) for text in texts if len(text) < LONGEST_CAPTION)

    def resolve(self, url: str) -> str | None:
        """Return the path of the page with a URL, or None if it is not in the corpus."""
        parts = urlsplit(url)
        if parts.netloc and parts.hostname not in self.hosts:
            return None
        name = unquote(parts.path, errors="replace").strip("/")
        tried = (name, f"{name}/index.html".lstrip("/"), f"{name}.html", f"{name}/index.htm")
        return next((path for path in tried if path in self._known), None)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.paths)


def _pairs(rows: Iterable[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, other in rows)


def _shuffled(path: str) -> bytes:
    return sha256(path.encode("utf-8", "surrogateescape")).digest()


def decode(data: bytes) -> str:
    """Decode a document by its own declaration, else as UTF-8, else as Latin 1.

    >>> decode("<meta charset=utf-8>ü".encode()), decode("ü".encode("latin-1"))
    ('<meta charset=utf-8>ü', 'ü')
    """
    declared = _CHARSET.search(data[:6000])
    name = (declared[1] or declared[2]).decode() if declared else "utf-8"
    try:
        return data.decode(name)
    except (LookupError, UnicodeDecodeError):
        pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1", "replace")


def find_sites(names: Sequence[str] = ()) -> list[CorpusSite]:
    """Return the sites of the corpus, all or those named; empty if there is no corpus.

    Exit with a message if a named site is missing.
    """
    folders = [path for path in corpus_folders() if path.is_dir()]
    if not folders:
        return []
    unpacked = {
        path.name: path
        for folder in folders
        for path in folder.iterdir()
        if (path / "truth.jsonl").is_file()
    }
    for archive in sorted(path for folder in folders for path in folder.glob("*.tar.xz")):
        slug = archive.name.removesuffix(".tar.xz")
        if slug not in unpacked and (not names or slug in names):
            unpacked[slug] = _unpack(archive, slug)
    unknown = set(names) - set(unpacked)
    if unknown:
        places = " or ".join(map(str, folders))
        raise SystemExit(f"There is no site {', '.join(sorted(unknown))} in {places}.")
    return [
        CorpusSite(path) for slug, path in sorted(unpacked.items()) if not names or slug in names
    ]


def corpus_folders() -> list[Path]:
    """Return the folders of sites; some may not exist."""
    given = os.environ.get("FLONG_SITES")
    if given:
        return [Path(folder) for folder in given.split(os.pathsep)]
    return [PROJECT.parent / "shared" / name for name in ("sites", "newsites")]


def cache_folder() -> Path:
    """Return the folder of unpacked sites and cached results, outside the project."""
    folder = Path(os.environ.get("FLONG_CACHE") or Path.home() / ".cache" / "flong")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _unpack(archive: Path, slug: str) -> Path:
    target = cache_folder() / "sites"
    done = target / slug / ".unpacked"
    if not done.is_file():
        target.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as tar:
            tar.extractall(target, filter="data")
        done.touch()
    return target / slug


def anchors(site: CorpusSite, pages: Iterable[CorpusPage]) -> dict[str, list[tuple[str, int]]]:
    """Return the anchor texts of each page with their counts, by path, most frequent first.

    Repetitions on a page count once.
    """
    found: Mapping[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        for path, text in inner_links(site, page):
            found[path][text] += 1
    return {path: texts.most_common() for path, texts in found.items()}


def inner_links(site: CorpusSite, page: CorpusPage) -> dict[tuple[str, str], None]:
    """Return the paths of pages that a page links to, with the anchor texts, in document order."""
    return {
        (path, text): None
        for url, text in links(page)
        if (path := site.resolve(url)) and path != page.path
    }


def reachable(site: CorpusSite, depth: int = 3) -> dict[str, list[tuple[str, str]]]:
    """Return the links of each page within `depth` links of the home page, as found by a crawl.

    The result is cached.
    """
    kept = cache_folder() / "links" / f"{site.slug}-{depth}-{digest([site])}.json"
    if kept.is_file():
        found: dict[str, list[tuple[str, str]]] = json.loads(kept.read_text())
        return found
    found = {}
    level: list[str] = [path for path in ("index.html", "index.htm") if path in site.paths]
    for _ in range(depth + 1):
        for path in level:
            found[path] = list(inner_links(site, site.page(path)))
        linked = dict.fromkeys(to for path in level for to, _ in found[path])
        level = [path for path in linked if path not in found]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found))
    return found


def links(page: CorpusPage) -> list[tuple[str, str]]:
    """Return URLs and texts of the links of a page, in document order.

    >>> html = "<a href=b>B <i>c</i></a>"
    >>> page = CorpusPage(path="", url="http://a.org/", html=html, kind="other")
    >>> links(page)
    [('http://a.org/b', 'B c')]
    """
    try:
        document = document_fromstring(page.html.encode("utf-8", "replace"), parser=_UTF8)
    except etree.ParserError:
        return []
    found = []
    for element in document.iter("a"):
        href = (element.get("href") or "").strip()
        if href and not href.startswith(("#", "mailto:", "javascript:", "data:")):
            try:
                url = urljoin(page.url, href)
            except ValueError:
                continue
            found.append((url, " ".join("".join(map(str, element.itertext())).split())))
    return found


def digest(sites: Sequence[CorpusSite]) -> str:
    """Return a fingerprint of the truth of these sites; figures of equal ones are comparable."""
    whole = sha256()
    for site in sites:
        for name in ("truth.jsonl", "other.txt"):
            whole.update(sha256((site.folder / name).read_bytes()).digest())
    return whole.hexdigest()[:16]
