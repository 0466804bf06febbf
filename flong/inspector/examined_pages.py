"""Pages examined again with the model of their site; the latest are cached."""

from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TypeVar

import numpy as np

from flong.baselines import single_page_leaves
from flong.clustering import SubtreeDistances, build_index, skeleton_of
from flong.decision import Decision
from flong.inspector.database import ReadOnlyDatabase
from flong.patterns import Examined, ExtractionModel, match, match_bounded, pattern_of
from flong.site import load_model
from flong.states import Verdict
from flong.storage import PageRow, Site
from flong.tree import SitePage, Tree, build_tree

KEPT = 8
"""Maximum number of cached models."""
PAGES_KEPT = 4
"""Maximum number of cached pages; a view needs a page twice, as data and as a document."""

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedPage:
    """A stored page with its tree and the evidence of its decision."""

    row: PageRow
    """The stored page."""
    decision: Decision | None
    """Stored decision; None before extraction."""
    html: str
    """Document; empty if there is no document, or extraction failed on it."""
    tree: Tree
    """The parsed document."""
    model: ExtractionModel | None
    """Model of its site; None before learning, or if another version of flong wrote it."""
    examined: Examined | None
    """Evidence; None without a document or a model."""


class ExaminedPages:
    """Examines pages, and caches the latest ones."""

    def __init__(self, database: ReadOnlyDatabase) -> None:
        self.database = database
        self._lock = Lock()
        self._models: dict[tuple[int, int], ExtractionModel] = {}
        self._pages: dict[tuple[object, ...], ExaminedPage] = {}

    def page(self, page_id: int) -> ExaminedPage:
        """Return a page, parsed and examined at most once per stored state."""
        site, row = self.database.page(page_id)
        decision = self.database.store.extractions.find(page_id)
        with self._lock:
            model = self._model(site)
            read_at = decision and decision.extracted_at
            key = page_id, row.content_hash, model and model.version, read_at
            known = self._pages.get(key)
        if known is not None:
            return known
        found = self._examine(site, row, decision, model)  # slow: outside of the lock
        with self._lock:
            _keep(self._pages, key, found, PAGES_KEPT)
        return found

    def _model(self, site: Site) -> ExtractionModel | None:
        store = self.database.store
        key = site.id, store.templates.model_version(site)
        if key not in self._models:
            document = store.templates.model(site)
            if document is None:
                return None
            try:
                model = load_model(document)
            except ValueError:  # written by another version of flong
                return None
            _keep(self._models, key, model, KEPT)
        return self._models[key]

    def _examine(
        self,
        site: Site,
        row: PageRow,
        decision: Decision | None,
        model: ExtractionModel | None,
    ) -> ExaminedPage:
        failed = decision is not None and decision.verdict == Verdict.FAILED
        html = "" if failed else row.html
        page = SitePage(url=row.url, tree=build_tree(html))
        examined = None
        if model is not None and html:
            anchors = self.database.store.links.anchors_by_url(site, [row.url])[row.url]
            read_at = (decision and decision.extracted_at) or datetime.now(UTC)
            examined = model.examine(page, anchors, read_at)
        return ExaminedPage(
            row=row,
            decision=decision,
            html=html,
            tree=page.tree,
            model=model,
            examined=examined,
        )

    def warm_up(self) -> None:
        """Compile and load the code that examines pages, ahead of the first request."""
        tree = build_tree("<h1>News</h1><p>It snows.</p>")
        match(pattern_of(tree), tree)
        match_bounded(pattern_of(tree), tree)
        SubtreeDistances(build_index([skeleton_of(tree), skeleton_of(tree)])).measure(
            np.array([0]), np.array([1])
        )
        single_page_leaves(tree)
        with self._lock:
            for site in self.database.store.sites.all()[:KEPT]:
                self._model(site)


def _keep(kept: dict[K, V], key: K, value: V, most: int) -> None:
    """Insert into the cache, evicting the oldest entry."""
    while len(kept) >= most:
        kept.pop(next(iter(kept)))
    kept[key] = value
