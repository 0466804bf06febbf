"""The public extractors that we compare with, each as a function from a page to what it finds.

They are slow, so what they find is kept outside the project, by their version and the page.
"""

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from time import process_time

from lxml.etree import LxmlError
from lxml.html import fromstring

from benchmarks.corpus import CorpusPage, CorpusSite, cache_folder
from benchmarks.scoring import FoundArticle

# Each is imported where it is used: they are slow to load, and in the extra `bench` only.
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
"""Distribution and function of each by its name."""


def ask(
    name: str, site: CorpusSite, pages: Iterable[CorpusPage]
) -> tuple[dict[str, FoundArticle | None], float]:
    """Return what a peer finds on some pages of a site, and the seconds that it took a page."""
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


def installed(name: str) -> bool:
    """Return whether a peer can be asked here: `make bench-setup` installs them."""
    return find_spec(name) is not None


def seconds_a_page(name: str, pages: Sequence[CorpusPage]) -> float:
    """Return the seconds that a peer takes a page now; what it finds is not kept."""
    _, peer = PEERS[name]
    return sum(_ask_one(peer, page)[-1] for page in pages) / max(len(pages), 1)


def _ask_one(peer: Peer, page: CorpusPage) -> tuple[str, str, float]:
    """Return title, body and seconds; a page on which the peer fails gives nothing."""
    logging.disable(logging.CRITICAL)
    start = process_time()
    try:
        found = peer(page)
    except (LxmlError, ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError):
        found = None
    finally:
        logging.disable(logging.NOTSET)
    took = process_time() - start
    return (found.title, found.body, took) if found else ("", "", took)
