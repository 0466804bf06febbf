"""Extraction methods under comparison: flong, the other papers' methods, public extractors.

flong learns one half of a site and extracts the other, or learns and extracts the whole site. The
public extractors are slow, so `ask_peer` caches their results outside the project, by version and
page.
"""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from time import process_time

from lxml.etree import LxmlError
from lxml.html import document_fromstring, fromstring

from benchmarks.corpus import CorpusPage, CorpusSite, anchors, cache_folder, reachable
from benchmarks.scoring import FoundArticle
from flong.article import Article
from flong.baselines import BASELINES, EXTRACTORS, single_page_leaves
from flong.clustering import cluster_pages, shuffled, skeleton_of
from flong.decision import Decision
from flong.patterns import Anchor, ClusterOfPages, ExtractionModel, learn_site
from flong.stages.methods import learn_published
from flong.tree import SitePage, build_tree

NOW = datetime(2030, 1, 1, tzinfo=UTC)
"""Fixed time after all dates of the corpus."""

AT_ONCE = 16
"""Batch size of parsing, as in the pipeline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Results of a method on the held-out pages of one site."""

    found: Mapping[str, FoundArticle | None]
    """Articles by path; None if none was found."""
    seconds: float
    """Seconds per page, from its text to the article, on one core."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Reasons by path, if the method has them."""
    matches: Mapping[str, str] = field(default_factory=dict)
    """Fit of the pattern, by path."""
    articles: Mapping[str, Article] = field(default_factory=dict)
    """Complete articles, by path."""


@dataclass(frozen=True, slots=True)
class Half:
    """Pages of one site: to learn from, and to judge."""

    site: CorpusSite
    learning: list[CorpusPage]
    judged: list[CorpusPage]
    anchors: dict[str, list[Anchor]]
    linking: int
    """Number of pages with known links."""

    @classmethod
    def of(cls, site: CorpusSite, articles: int | None = None, others: int | None = None) -> "Half":
        """Read a site; judge at most this number of articles and others of the held-out half."""
        first, second = site.halves()
        chosen = [
            *[path for path in second if site.kind(path) == "article"][:articles],
            *[path for path in second if site.kind(path) == "other"][:others],
        ]
        pages = {path: site.page(path) for path in site.paths}
        said = named_anchors(site, pages.values())
        return cls(site, [pages[p] for p in first], [pages[p] for p in chosen], said, len(pages))

    @classmethod
    def whole(cls, site: CorpusSite, most: int | None = None) -> "Half":
        """Read at most `most` pages that a crawl of depth 3 reaches, to learn and to judge.

        The order is fixed: that of the `learn` command.
        """
        links = reachable(site)
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for said in links.values():
            for path, text in said:
                counts[site.url(path)][text] += 1
        anchors = {
            url: [Anchor(text, pages) for text, pages in texts.most_common() if text]
            for url, texts in counts.items()
        }
        paths = sorted(links, key=lambda path: shuffled(site.url(path)))[:most]
        pages = [site.page(path) for path in paths]
        return cls(site, pages, pages, anchors, len(links))


def named_anchors(site: CorpusSite, pages: Iterable[CorpusPage]) -> dict[str, list[Anchor]]:
    """Return the anchor texts of each page of the site, by URL."""
    return {
        site.url(path): [Anchor(text, count) for text, count in texts]
        for path, texts in anchors(site, pages).items()
    }


Clustered = tuple[list[SitePage], list[ClusterOfPages]]
"""Pages to learn from, and their clusters."""


def clustered(half: Half) -> Clustered:
    """Parse and cluster the pages to learn from."""
    pages = [SitePage(url=page.url, tree=build_tree(page.html)) for page in half.learning]
    clusters = cluster_pages([skeleton_of(page.tree) for page in pages]).clusters
    return pages, [ClusterOfPages(members=c.members, distances=c.distances) for c in clusters]


def learn_half(half: Half) -> ExtractionModel:
    """Learn a site from one half of its pages."""
    return learn_clustered(half, clustered(half))


def learn_clustered(half: Half, found: Clustered) -> ExtractionModel:
    """Learn a site from clustered pages."""
    pages, clusters = found
    return learn_site(
        pages,
        clusters,
        baselines=BASELINES.values(),
        anchors=half.anchors,
        linking_pages=half.linking,
        fallback=single_page_leaves,
    )


def extract_half(half: Half, model: ExtractionModel) -> Results:
    """Extract the judged pages."""
    extractions: dict[str, Decision] = {}
    start = process_time()
    for first in range(0, len(half.judged), AT_ONCE):
        pages = half.judged[first : first + AT_ONCE]
        trees = [build_tree(page.html) for page in pages]
        for page, tree in zip(pages, trees, strict=True):
            extractions[page.path] = model.read(
                SitePage(url=page.url, tree=tree),
                half.anchors.get(page.url, ()),
                now=NOW,
            )
    seconds = (process_time() - start) / max(len(half.judged), 1)
    articles = {path: one.news for path, one in extractions.items() if one.news}
    return Results(
        found={
            path: FoundArticle(articles[path].title, articles[path].body)
            if path in articles
            else None
            for path in extractions
        },
        seconds=seconds,
        reasons={path: one.reason for path, one in extractions.items()},
        matches={path: one.fit for path, one in extractions.items()},
        articles=articles,
    )


def read_as_published(half: Half, bridge: int) -> Results:
    """Learn and extract with Reis et al. as printed."""
    learned = learn_published(
        [SitePage(url=page.url, tree=build_tree(page.html)) for page in half.learning],
        bridge=bridge,
    )
    start = process_time()
    pages = [SitePage(url=page.url, tree=build_tree(page.html)) for page in half.judged]
    return _results(half, [learned.read(page) for page in pages], start)


def ask_extractor(half: Half, name: str) -> Results:
    """Extract the judged pages with one of the baselines."""
    start = process_time()
    pages = [SitePage(url=page.url, tree=build_tree(page.html)) for page in half.judged]
    return _results(half, EXTRACTORS[name](pages), start)


def _results(half: Half, articles: Sequence[Article | None], start: float) -> Results:
    seconds = (process_time() - start) / max(len(half.judged), 1)
    found = {
        page.path: FoundArticle(article.title, article.body) if article is not None else None
        for page, article in zip(half.judged, articles, strict=True)
    }
    return Results(found=found, seconds=seconds)


def parse_seconds(pages: Sequence[CorpusPage]) -> float:
    """Return the seconds per page of the bare `lxml` parse, on one core."""
    data = [page.html.encode("utf-8", "replace") for page in pages if page.html.strip()]
    start = process_time()
    for html in data:
        document_fromstring(html)
    return (process_time() - start) / max(len(data), 1)


# Public extractors are imported where they are used: they are slow to load, and only the extra
# `bench` installs them.
Peer = Callable[[CorpusPage], FoundArticle | None]


def _trafilatura(page: CorpusPage) -> FoundArticle | None:
    from trafilatura import bare_extraction  # noqa: PLC0415

    found = bare_extraction(page.html, url=page.url, with_metadata=True, as_dict=False)
    row = found if isinstance(found, dict) or found is None else found.as_dict()
    return FoundArticle(row.get("title") or "", row["text"]) if row and row.get("text") else None


def _readability(page: CorpusPage) -> FoundArticle | None:
    from readability import Document  # noqa: PLC0415

    document = Document(page.html)
    summary = document.summary(html_partial=True)
    lines = fromstring(summary).itertext() if summary.strip() else iter(())
    body = "\n".join(str(line).strip() for line in lines if line.strip())
    return FoundArticle(document.short_title() or "", body) if body else None


def _newspaper(page: CorpusPage) -> FoundArticle | None:
    import newspaper  # noqa: PLC0415

    article = newspaper.article(page.url, input_html=page.html, fetch_images=False)
    return FoundArticle(article.title or "", article.text) if article.text else None


def _newsplease(page: CorpusPage) -> FoundArticle | None:
    from newsplease import NewsPlease  # noqa: PLC0415

    article = NewsPlease.from_html(page.html, url=page.url, fetch_images=False)
    return FoundArticle(article.title or "", article.maintext) if article.maintext else None


PEERS: dict[str, tuple[str, Peer]] = {
    "trafilatura": ("trafilatura", _trafilatura),
    "readability": ("readability-lxml", _readability),
    "newspaper": ("newspaper4k", _newspaper),
    "newsplease": ("news-please", _newsplease),
}
"""Distribution and function of each public extractor, by the name of its package."""
PEER_ERRORS = (
    LxmlError,
    ValueError,
    TypeError,
    AttributeError,
    KeyError,
    IndexError,
    RecursionError,
)
"""Errors of public extractors that count as "no article found"."""


def ask_peer(
    name: str, site: CorpusSite, pages: Iterable[CorpusPage]
) -> tuple[dict[str, FoundArticle | None], float]:
    """Return a public extractor's articles by path, and its CPU seconds per page."""
    distribution, peer = PEERS[name]
    folder = cache_folder() / "peers" / f"{distribution}-{version(distribution)}"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{site.slug}.json"
    known = json.loads(file.read_text()) if file.is_file() else {}
    found, seconds = {}, []
    for page in pages:
        key = f"{page.path} {sha256(page.html.encode('utf-8', 'replace')).hexdigest()[:12]}"
        if key not in known:
            known[key] = _ask_one(peer, page)
        title, body, took = known[key]
        found[page.path] = FoundArticle(title, body) if body else None
        seconds.append(took)
    file.write_text(json.dumps(known))
    return found, sum(seconds) / max(len(seconds), 1)


def read_or_none(peer: Peer, page: CorpusPage) -> FoundArticle | None:
    """Return a public extractor's article, or None if it raises one of `PEER_ERRORS`."""
    logging.disable(logging.CRITICAL)
    try:
        return peer(page)
    except PEER_ERRORS:
        return None
    finally:
        logging.disable(logging.NOTSET)


def _ask_one(peer: Peer, page: CorpusPage) -> tuple[str, str, float]:
    """Return title, body and seconds; both texts are empty without an article."""
    start = process_time()
    found = read_or_none(peer, page)
    took = process_time() - start
    return (found.title, found.body, took) if found else ("", "", took)
