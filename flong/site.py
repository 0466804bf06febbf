"""What was learned about a site, ready to read its pages.

Nothing here knows of the database, which the process that reads pages need not even import.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flong.article import Article
from flong.baselines import BASELINES, consensus, read_single_page_body
from flong.clustering import Clustering, Costs, cluster_pages, sample_pages, skeleton_of
from flong.errors import FlongError
from flong.links import page_links
from flong.model_document import ModelDocument, PatternDocument
from flong.patterns import (
    Anchor,
    ClusterOfPages,
    Correction,
    ExtractionModel,
    fill_article,
    learn_site,
    read_model,
    read_single_page,
    with_language,
    write_model,
)
from flong.progress import Progress, unwatched
from flong.tree import SitePage, build_tree
from flong.urls import Scope, canonical_url


def load_model(document: ModelDocument) -> ExtractionModel:
    """Return a stored model; raise `ValueError` if another version of flong stored it."""
    return read_model(document, fallback=consensus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Which pages share a template."""

    similarity: float = 0.8
    """Pages at least so similar do."""
    replace_cost: int = 1
    """What it costs to give a vertex another tag; to remove or add one costs 1."""


def learn_pages(  # noqa: PLR0913 - a front door, as `learn_site` is
    pages: Sequence[SitePage],
    anchors: Mapping[str, Sequence[Anchor]],
    *,
    linking_pages: int,
    grouping: Grouping | None = None,
    tell: Progress = unwatched,
    corrections: Sequence[Correction] = (),
) -> tuple[Clustering, ExtractionModel]:
    """Return how a site's pages are grouped, by position, and what was learned from them.

    `anchors` say what others call each page, by URL; `linking_pages` is the number of pages whose
    links were read for that. `corrections` count more than what the pages vote for.
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
        fallback=consensus,
        tell=tell,
        corrections=corrections,
    )
    return found, model


_OWN = ("title", "body")
"""Fields that the method for lone pages reads itself."""


def read_alone(page: SitePage, now: datetime) -> Article | None:
    """Return the article of a page without its site; None if it has no text.

    Dates after `now` are not believed.
    """
    article = read_single_page_body(page)
    if article is None:
        return None
    fields = with_language(read_single_page(page, now), article.body)
    said = [reason for reason in fields.provenance if reason.field not in _OWN]
    return replace(fill_article(article, fields), provenance=(*article.provenance, *said))


FORMAT = 2
"""Of the file of a model; another one is refused."""
SAMPLE_SIZE = 3000
"""Pages that are clustered, unless the caller says otherwise; further ones are only read."""

Anchors = Mapping[str, Sequence[Anchor]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SiteModel:
    """What was learned about a site: reads its pages, also those that it has never seen."""

    model: ExtractionModel
    """Patterns, labels and what is usual on the site."""
    scope: Scope
    """Which URLs belong to the site."""
    anchors: Anchors
    """What the site itself calls its pages, by canonical URL."""

    def read(
        self, url: str, html: str, *, anchors: Iterable[str] = (), now: datetime | None = None
    ) -> Article | None:
        """Return the article of a page of the site; None if it is none.

        `anchors` are the texts of links to a page that appeared after the site was learned; those
        to the other pages are known. Dates after `now` are not believed.
        """
        page = _page(self._canonical(url), html)
        called = [*self.anchors.get(page.url, ()), *map(Anchor, anchors)]
        return self.model.read(page, called, now or datetime.now(UTC)).article

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file, as JSON, for `flong.load`."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """Return the model as the text of such a file."""
        data = {
            "flong": FORMAT,
            "home": self.scope.home,
            "subdomains": bool(self.scope.domain),
            "anchors": {url: [list(one) for one in said] for url, said in self.anchors.items()},
            "model": asdict(write_model(self.model)),
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "SiteModel":
        """Return the model that `to_json` wrote; raise `ValueError` for any other text."""
        try:
            return _model_of(json.loads(text))
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("no model of this version of flong") from error

    def _canonical(self, url: str) -> str:
        found = self.scope.canonical(url)
        if found is None:
            raise FlongError(f"{url!r} is not a page of {self.scope.home}: learn that site itself.")
        return found


def learn(pages: Iterable[tuple[str, str]], *, sample_size: int = SAMPLE_SIZE) -> SiteModel:
    """Learn a site from pages of it, each a URL and the HTML found there.

    Some dozens of each template are enough, and pages that are no articles belong to them: by
    these it is known what is none. Of more than `sample_size` pages a sample is compared with each
    other.
    """
    given = list(pages)
    if not given:
        raise FlongError("There is no page to learn from.")
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
        raise FlongError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FlongError(
            f"{path} is not a model that this version of flong has saved: learn the site again."
        ) from error


def read(url: str | None, html: str, *, now: datetime | None = None) -> Article | None:
    """Return the article of a single page, or None if the page has no text.

    Without a `url`, links and pictures stay relative. Only a learned site can tell whether a page
    is an article. Dates after `now` are ignored.

    >>> read(None, "<h1>Rain</h1>" + "<p>It rained all day long in the whole town." * 9).title
    'Rain'
    """
    if not isinstance(html, str):
        raise FlongError(f"html must be a string, not {type(html).__name__}.")
    page = _page("" if url is None else _canonical(url), html)
    return read_alone(page, now or datetime.now(UTC))


def _canonical(url: str) -> str:
    found = canonical_url(url)
    if found is None:
        raise FlongError(f"{url!r} is not the URL of a web page.")
    return found


def _page(url: str, html: str) -> SitePage:
    return SitePage(url=url, tree=build_tree(html))


def _scope_of(urls: Sequence[str]) -> Scope:
    """Return the site of which all of these are pages, under the host that most of them have."""
    parts = [urlsplit(_canonical(url)) for url in urls]
    ((scheme, host), _), *_ = Counter((part.scheme, part.netloc) for part in parts).most_common(1)
    home = f"{scheme}://{host}/"
    for subdomains in (False, True):
        scope = Scope.of(home, subdomains=subdomains)
        others = [url for url in urls if scope.canonical(url) is None]
        if not others:
            return scope
    raise FlongError(f"{others[0]!r} is not a page of {home}: learn one site at a time.")


def _find_anchors(documents: Mapping[str, str], scope: Scope) -> Anchors:
    """Return what links call each page, as the database counts it."""
    counts: Counter[tuple[str, str]] = Counter()
    for url, html in documents.items():
        counts.update((link.url, link.text) for link in page_links(html, url, scope) if link.text)
    found: dict[str, list[Anchor]] = defaultdict(list)
    for (url, text), pages in sorted(counts.items()):
        found[url].append(Anchor(text, pages))
    return dict(found)


def _model_of(data: Mapping[str, Any]) -> SiteModel:
    if data["flong"] != FORMAT:
        raise ValueError(f"a file of format {data['flong']!r}")
    return SiteModel(
        model=load_model(_document_of(**data["model"])),
        scope=Scope.of(data["home"], subdomains=data["subdomains"]),
        anchors={url: [Anchor(*one) for one in said] for url, said in data["anchors"].items()},
    )


def _document_of(*, patterns: Iterable[Mapping[str, Any]], **rest: Any) -> ModelDocument:
    return ModelDocument(patterns=tuple(PatternDocument(**each) for each in patterns), **rest)
