"""Pages looked at once more, as extraction looked at them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TypeVar

import numpy as np

from flong.baselines import consensus
from flong.clustering import SubtreeDistances, build_index, skeleton_of
from flong.inspector.database import ReadOnlyDatabase
from flong.patterns import Anchor, Examined, ExtractionModel, match, match_bounded, pattern_of
from flong.site import load_model
from flong.states import Verdict
from flong.storage import ExtractionRow, PageRow, Site
from flong.tree import SitePage, Tree, build_tree

KEPT = 8
"""Models that are kept in memory."""
PAGES_KEPT = 4
"""Pages that are kept in memory: a view asks for one twice, as data and as a document."""

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedPage:
    """A stored page, and what is found out about it."""

    row: PageRow
    """The page."""
    extraction: ExtractionRow | None
    """What was decided about it; None if nothing yet."""
    html: str
    """Its document; empty if there is none, or whoever read it gave up."""
    tree: Tree
    """The same, parsed."""
    model: ExtractionModel | None
    """The model of its site; None if there is none, or it cannot be read."""
    examined: Examined | None
    """What leads to the decision; None without a document or a model."""


class ExaminedPages:
    """Looks at pages once more; what was asked for last is kept."""

    def __init__(self, database: ReadOnlyDatabase) -> None:
        self.database = database
        self._lock = Lock()
        self._models: dict[tuple[int, int], ExtractionModel] = {}
        self._pages: dict[tuple[object, ...], ExaminedPage] = {}

    def page(self, page_id: int) -> ExaminedPage:
        """Return a page as it is stored now, parsed and examined once for all who ask."""
        site, row = self.database.page(page_id)
        extraction = self.database.store.extractions.find(page_id)
        with self._lock:
            model = self._model(site)
            read_at = extraction and extraction.extracted_at
            key = page_id, row.content_hash, model and model.version, read_at
            known = self._pages.get(key)
        if known is not None:
            return known
        found = self._examine(site, row, extraction, model)  # may be slow: holds up no other
        with self._lock:
            _keep(self._pages, key, found, PAGES_KEPT)
        return found

    def _model(self, site: Site) -> ExtractionModel | None:
        store = self.database.store
        key = site.id, store.models.version(site)
        if key not in self._models:
            document = store.models.load(site)
            if document is None:
                return None
            try:
                model = load_model(document)
            except ValueError:  # of another version of flong
                return None
            _keep(self._models, key, model, KEPT)
        return self._models[key]

    def _examine(
        self,
        site: Site,
        row: PageRow,
        extraction: ExtractionRow | None,
        model: ExtractionModel | None,
    ) -> ExaminedPage:
        failed = extraction is not None and extraction.verdict == Verdict.FAILED
        html = "" if failed else row.html
        page = SitePage(url=row.url, tree=build_tree(html))
        examined = None
        if model is not None and html:
            named = self.database.store.anchors.of(site, [row.url])
            anchors = [Anchor(each.text, each.pages, each.source) for each in named if each.text]
            read_at = (extraction and extraction.extracted_at) or datetime.now(UTC)
            examined = model.examine(page, anchors, read_at)
        return ExaminedPage(
            row=row,
            extraction=extraction,
            html=html,
            tree=page.tree,
            model=model,
            examined=examined,
        )

    def warm_up(self) -> None:
        """Load what looking at a page needs, so that the first one does not wait for it."""
        tree = build_tree("<h1>News</h1><p>It snows.</p>")
        match(pattern_of(tree), tree)
        match_bounded(pattern_of(tree), tree)
        SubtreeDistances(build_index([skeleton_of(tree), skeleton_of(tree)])).measure(
            np.array([0]), np.array([1])
        )
        consensus(tree)
        with self._lock:
            for site in self.database.store.sites.all()[:KEPT]:
                self._model(site)


def _keep(kept: dict[K, V], key: K, value: V, most: int) -> None:
    """Keep one thing more; the oldest goes when there are too many."""
    while len(kept) >= most:
        kept.pop(next(iter(kept)))
    kept[key] = value
