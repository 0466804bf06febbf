"""What was learned about a site, ready to look at its pages again."""

from dataclasses import dataclass
from threading import Lock

import numpy as np

from extractors import consensus
from inspector.database import Database
from patterns import Anchor, Examined, SiteModel, match, match_bounded, pattern_of
from storage import PageRow, Site
from trees import Ruler, SitePage, Tree, build_tree, plant, shape_of

KEPT = 8
"""Models that are kept in memory."""

PATTERNS = """
    SELECT id AS number FROM patterns WHERE site_id = :site AND retired_at IS NULL ORDER BY id
"""
ANCHORS = """
    SELECT text, pages, source FROM anchors
    WHERE site_id = :site AND url = :url AND text <> '' ORDER BY source, text
"""


@dataclass(frozen=True, slots=True)
class _Number:
    number: int


@dataclass(frozen=True, slots=True)
class Learned:
    """A site's model and the numbers that its patterns have in the database."""

    model: SiteModel
    """What was learned."""
    patterns: list[int]
    """Numbers of the patterns, in the order of the model."""


class Library:
    """Models of sites, each read once."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._lock = Lock()
        self._kept: dict[tuple[int, int], Learned] = {}

    def learned(self, site: Site) -> Learned | None:
        """Return what was learned about a site; None if nothing was, or it cannot be read."""
        key = site.id, self.database.store.model_version(site)
        with self._lock:
            if key not in self._kept:
                learned = self._read(site)
                if learned is None:
                    return None
                while len(self._kept) >= KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = learned
            return self._kept[key]

    def _read(self, site: Site) -> Learned | None:
        data = self.database.store.load_model(site)
        if data is None:
            return None
        try:
            model = SiteModel.from_json(data)
        except (ValueError, KeyError, TypeError):  # of another version of flong
            return None
        numbers = [row.number for row in self.database.rows(_Number, PATTERNS, site=site.id)]
        return Learned(model, numbers) if len(numbers) == len(model.patterns) else None

    def examine(self, learned: Learned, row: PageRow, tree: Tree) -> Examined:
        """Return everything that leads to the decision about a page."""
        anchors = self.database.rows(Anchor, ANCHORS, site=row.site_id, url=row.url)
        page = SitePage(url=row.url, tree=tree)
        return learned.model.examine(page, anchors, fallback=consensus)

    def warm_up(self) -> None:
        """Load what looking at a page needs, so that the first one does not wait for it."""
        tree = build_tree("<h1>News</h1><p>It snows.</p>")
        match(pattern_of(tree), tree)
        match_bounded(pattern_of(tree), tree)
        Ruler(plant([shape_of(tree), shape_of(tree)])).measure(np.array([0]), np.array([1]))
        consensus(tree)
        for site in self.database.store.sites()[:KEPT]:
            self.learned(site)
