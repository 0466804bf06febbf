"""The learned site: learn it, read its pages, save and load it.

Needs no database: a process that reads pages does not even import storage.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from urllib.parse import urlsplit

from flong.article import Article
from flong.baselines import BASELINES, read_single_page_body, single_page_leaves
from flong.clustering import Clustering, Costs, cluster_pages, sample_pages, skeleton_of
from flong.errors import FlongError
from flong.links import page_links
from flong.model_document import ModelDocument
from flong.patterns import (
    Anchor,
    ClusterOfPages,
    Correction,
    ExtractionModel,
    fill_article,
    learn_site,
    read_json,
    read_model,
    read_single_page,
    with_language,
    write_json,
    write_model,
)
from flong.progress import Progress, unwatched
from flong.tree import SitePage, build_tree
from flong.urls import Scope, canonical_url


def load_model(document: ModelDocument) -> ExtractionModel:
    """Return a stored model; raise `ValueError` if another version of flong stored it."""
    return read_model(document, fallback=single_page_leaves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Settings for the clustering of pages by template."""

    similarity: float = 0.8
    """Minimum similarity of pages of one template."""
    replace_cost: int = 1
    """Cost of another tag for a vertex; removing or adding a vertex costs 1."""


def learn_pages(  # noqa: PLR0913 - public entry point, like `learn_site`
    pages: Sequence[SitePage],
    anchors: Mapping[str, Sequence[Anchor]],
    *,
    linking_pages: int,
    grouping: Grouping | None = None,
    tell: Progress = unwatched,
    corrections: Sequence[Correction] = (),
) -> tuple[Clustering, ExtractionModel]:
    """Return the clusters of a site's pages, by position, and the learned model.

    `anchors` are anchor texts by URL; `linking_pages` is the number of pages whose links were read
    for them. `corrections` override votes.
    """
    grouping = grouping or Grouping()
    found = cluster_pages(
        [skeleton_of(page.tree) for page in pages],
        similarity=grouping.similarity,
        costs=Costs(replace=grouping.replace_cost),
        tell=tell,
    )
    model = learn_site(
        pages,
        [ClusterOfPages(members=c.members, distances=c.distances) for c in found.clusters],
        baselines=BASELINES.values(),
        anchors=anchors,
        linking_pages=linking_pages,
        fallback=single_page_leaves,
        tell=tell,
        corrections=corrections,
    )
    return found, model


_OWN = ("title", "body")
"""Fields read together with a single page's body."""


def read_alone(page: SitePage, now: datetime) -> Article | None:
    """Return the article of a page without its site, or None if it has no text.

    Its confidence is the probability that the page is an article. Dates after `now` are ignored.
    """
    article = read_single_page_body(page)
    if article is None:
        return None
    headline, leaves = single_page_leaves(page.tree)
    fields, probability = read_single_page(page, headline, leaves, now)
    fields = with_language(fields, article.body)
    said = [reason for reason in fields.provenance if reason.field not in _OWN]
    return replace(
        fill_article(article, fields),
        confidence=probability,
        provenance=(*article.provenance, *said),
    )


FORMAT = 3
"""Format of saved models; others are refused."""
SAMPLE_SIZE = 3000
"""Default number of pages to cluster; others are only read."""

Anchors = Mapping[str, Sequence[Anchor]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _SavedSite:
    """Contents of a saved model."""

    flong: int
    """Format of the file."""
    home: str
    """URL of the home page."""
    subdomains: bool
    """The site's subdomains belong to it."""
    anchors: Anchors
    """Anchor texts by canonical URL."""
    model: ModelDocument


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SiteModel:
    """Learned model of a site; reads any of its pages, also new ones."""

    model: ExtractionModel
    """Patterns, labels and norms of the site."""
    scope: Scope
    """URLs that belong to the site."""
    anchors: Anchors
    """Anchor texts in the site's own links, by canonical URL."""

    def read(
        self, url: str, html: str, *, anchors: Iterable[str] = (), now: datetime | None = None
    ) -> Article | None:
        """Return the page's article, or None if the page is not an article or not news.

        `anchors` are texts of links to a page that appeared after the site was learned. Dates after
        `now` are ignored.
        """
        own = self.scope.canonical(url)
        if own is None:
            raise FlongError(f"{url!r} is not a page of {self.scope.home}. Learn its own site.")
        called = [*self.anchors.get(own, ()), *map(Anchor, anchors)]
        page = SitePage(url=own, tree=build_tree(html))
        return self.model.read(page, called, now or datetime.now(UTC)).news

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file, as JSON, for `flong.load`."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """Return the text that `save` writes."""
        return write_json(
            _SavedSite(
                flong=FORMAT,
                home=self.scope.home,
                subdomains=bool(self.scope.domain),
                anchors=self.anchors,
                model=write_model(self.model),
            )
        )

    @classmethod
    def from_json(cls, text: str) -> "SiteModel":
        """Return the model in a text from `to_json`; raise `ValueError` for any other text."""
        saved = read_json(text, _SavedSite)
        if saved.flong != FORMAT:
            raise ValueError(f"unknown format {saved.flong!r}")
        return cls(
            model=load_model(saved.model),
            scope=Scope.of(saved.home, subdomains=saved.subdomains),
            anchors=saved.anchors,
        )


def learn(pages: Iterable[tuple[str, str]], *, sample_size: int = SAMPLE_SIZE) -> SiteModel:
    """Learn a site from its pages, each given as URL and HTML.

    A few dozen pages per template are enough. Include section fronts and listings: they serve as
    negative examples. If there are more than `sample_size` pages, a sample of them is clustered.
    """
    given = list(pages)
    if not given:
        raise FlongError("No pages were given to learn from.")
    scope = _scope_of([url for url, _ in given])
    documents = {scope.canonical(url) or url: html for url, html in given}
    anchors = _find_anchors(documents, scope)
    urls = list(documents)
    chosen = [urls[at] for at in sample_pages([(url, 0) for url in urls], sample_size)]
    _, model = learn_pages(
        [SitePage(url=url, tree=build_tree(documents[url]).packed()) for url in chosen],
        anchors,
        linking_pages=len(documents),
    )
    return SiteModel(model=model, scope=scope, anchors=anchors)


def load(path: str | PathLike[str]) -> SiteModel:
    """Return the model that `SiteModel.save` wrote to a file."""
    try:
        return SiteModel.from_json(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FlongError(f"Cannot read {path}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FlongError(
            f"{path} is not a model saved by this version of flong. Learn the site again."
        ) from error


def read(
    url: str | None, html: str, *, now: datetime | None = None, least_confidence: float = 0.0
) -> Article | None:
    """Return the article of a single page, or None if the page has no text.

    Its confidence is the probability that the page is an article; below `least_confidence` the
    result is None. Without a `url`, links and pictures stay relative. Dates after `now` are
    ignored.

    >>> read(None, "<h1>Rain</h1>" + "<p>It rained all day long in the whole town." * 9).title
    'Rain'
    """
    if not isinstance(html, str):
        raise FlongError(f"html must be a string, not {type(html).__name__}.")
    page = SitePage(url="" if url is None else _canonical(url), tree=build_tree(html))
    article = read_alone(page, now or datetime.now(UTC))
    return article if article is not None and article.confidence >= least_confidence else None


def _canonical(url: str) -> str:
    found = canonical_url(url)
    if found is None:
        raise FlongError(f"{url!r} is not the URL of a web page.")
    return found


def _scope_of(urls: Sequence[str]) -> Scope:
    """Return the site of all these pages, under their most frequent host."""
    parts = [urlsplit(_canonical(url)) for url in urls]
    ((scheme, host), _), *_ = Counter((part.scheme, part.netloc) for part in parts).most_common(1)
    home = f"{scheme}://{host}/"
    for subdomains in (False, True):
        scope = Scope.of(home, subdomains=subdomains)
        others = [url for url in urls if scope.canonical(url) is None]
        if not others:
            return scope
    raise FlongError(f"{others[0]!r} is not a page of {home}. Learn one site at a time.")


def _find_anchors(documents: Mapping[str, str], scope: Scope) -> Anchors:
    """Return the anchor texts of each page, counted as in the database."""
    counts: Counter[tuple[str, str]] = Counter()
    for url, html in documents.items():
        counts.update((link.url, link.text) for link in page_links(html, url, scope) if link.text)
    found: dict[str, list[Anchor]] = defaultdict(list)
    for (url, text), pages in sorted(counts.items()):
        found[url].append(Anchor(text, pages))
    return dict(found)
