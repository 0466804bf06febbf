"""The nightly run of a site: crawl, extract, notice, heal, report.

Every step finds out from the database whether it was done before the run was killed.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta

from pipeline.command import LearningSettings, OutdatedModel
from pipeline.drift import drift, loosening, measure
from pipeline.nightly_crawl import CrawlSettings, crawl
from pipeline.nightly_guard import find_cut, find_short, is_cut_lastingly
from pipeline.nightly_intake import extract_waiting, take_in
from pipeline.report import LISTED, NightReport, Told
from storage import Decision, Figures, Run, RunCounts, Site, Store

UNFITTED = 10
"""Pages that fit no pattern at which a site is learned again; more on a large site."""
UNFITTED_SHARE = 0.1
"""Share of the pages of a site that may fit no pattern."""
GROWN_SHARE = 0.25
"""Share of the pages of a site that may have come since it was learned."""
ARTICLE_KINDS = frozenset({"article", "mixed"})
"""Kinds of patterns whose drift a person should know of."""
CUT = "Only the beginning of the article is shown, as on many other pages: a paywall."


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSettings:
    """How nights are run."""

    crawl: CrawlSettings
    """How crawls are started."""
    learning: LearningSettings = field(default_factory=LearningSettings)
    """How sites are learned."""
    resumable: timedelta = timedelta(hours=24)
    """Age up to which a run that was killed is gone on with."""


def nightly(store: Store, site: Site, settings: NightSettings) -> NightReport:
    """Do everything that is due for a site, and report; `LockedSite` if another process does."""
    with store.lock_site(site):
        run = store.unfinished_run(site, "nightly")
        if run is None or datetime.now(UTC) - run.started_at > settings.resumable:
            run = store.start_run(site, "nightly")
        else:
            run = store.resume_run(run)
        night = _Night(store, site, run, settings)
        night.crawl()
        night.take_in()
        night.notice()
        night.heal()
        return night.report()


class _Night:
    """One site in one night, step by step."""

    def __init__(self, store: Store, site: Site, run: Run, settings: NightSettings) -> None:
        self._store, self._site, self._run, self._settings = store, site, run, settings
        self._page_seconds = settings.learning.page_seconds
        self._crawl: Run | None = None
        self._blocked = False
        self._articles_drift = False
        self._drifted: list[str] = []
        self._done: list[str] = []
        self._look: list[str] = []

    def crawl(self) -> None:
        """Crawl, unless that was done before this run was killed."""
        self._crawl = self._finished("crawl")
        if self._crawl is None:
            trouble = crawl(self._site, self._settings.crawl)
            self._crawl = self._finished("crawl")
            if trouble:
                self._look.append(trouble)

    def take_in(self) -> None:
        """Undo walls; extract; learn first if that was never done."""
        if self._crawl is None:
            return
        walled = self._take_in(self._crawl)
        if walled:
            self._blocked = True
            self._look.append(
                f"{walled} pages of {self._site.name} showed one and the same text, such as a "
                "consent wall: nothing of it was stored, everything known before was kept."
            )
        elif not self._store.model_version(self._site) and self._store.urls(self._site):
            self._learn("The site was learned for the first time")

    def _take_in(self, crawl: Run) -> int:
        """Do all that follows a crawl; learn first what only another version could read."""
        try:
            return take_in(self._store, self._site, crawl, seconds=self._page_seconds)
        except OutdatedModel:
            self._learn("The site had been learned by another version, so it was learned again")
            return take_in(self._store, self._site, crawl, seconds=self._page_seconds)

    def notice(self) -> None:
        """Compare how the patterns did with how they did before."""
        store, site, run = self._store, self._site, self._run
        self._measure()
        past = store.figures(site, before=run)
        kinds = {row.id: row.kind for row in store.patterns(site, retired=True)}
        for figures in store.figures_of(run):
            kind = kinds.get(figures.pattern_id, "")
            broken = drift(figures, past)
            self._articles_drift |= bool(broken) and kind in ARTICLE_KINDS
            self._drifted += [
                f"Pattern {figures.pattern_id} ({kind}): {sentence}."
                for sentence in (*broken, *loosening(figures, past))
            ]
        self._withhold(past)

    def _withhold(self, past: Sequence[Figures]) -> None:
        """Keep what is shown only in part from being stored as articles."""
        decisions = list(self._store.decisions(self._site, self._run))
        cut = find_cut(decisions)
        if cut:
            edited = [each.page_id for each in decisions if _was_edited(each, self._run)]
            self._store.undo_edits(edited, CUT)
        standing = self._store.cut_articles(self._site, CUT)
        if cut or is_cut_lastingly(standing, self._store.count_articles(self._site)):
            self._blocked = True
            withheld = find_short(decisions, past)
            self._store.withhold_articles(withheld, CUT)
            self._look.append(
                f"{max(cut, standing)} articles of {self._site.name} are {'' if cut else 'still '}"
                "shown only in part, as behind a paywall: the earlier ones were kept, "
                f"{len(withheld)} new ones not stored."
            )

    def heal(self) -> None:
        """Learn the site again if patterns drifted or too many pages fit none."""
        why = self._why_learn()
        if self._blocked or self._done or not why:
            return
        self._learn(f"{why}, so the site was learned again")
        kept = sum(each.is_kept for each in self._store.decisions(self._site, self._run))
        if self._articles_drift:
            less = f"{kept} earlier articles were kept because their pages give less now. "
            self._look.append(
                f"The templates of {self._site.name} have changed; it was learned again and its "
                f"pages extracted anew. {less if kept else ''}Please look at a few new ones."
            )

    def _why_learn(self) -> str:
        """Return why the site is to be learned again; empty if it is not."""
        if self._drifted:
            return "Its templates have changed"
        pages = len(self._store.urls(self._site))
        unfitted = self._store.unfitted(self._site)
        if unfitted >= max(UNFITTED, UNFITTED_SHARE * pages):
            return f"{unfitted} pages fit no pattern"
        new = self._store.pages_since_learned(self._site)
        if new >= max(UNFITTED, GROWN_SHARE * pages):
            return f"{new} of {pages} pages have come since it was last learned"
        return ""

    def _learn(self, why: str) -> None:
        """Learn the site and extract its pages, unless that was done before a kill."""
        if self._finished("learn") is None:
            from pipeline.learning import learn  # noqa: PLC0415 - loads the compiler

            learned = learn(self._store, self._site, self._settings.learning)
            self._done.append(f"{why}: {learned.summary}")
            if not learned.article_patterns:
                self._look.append(f"No pattern of articles was found on {self._site.name}.")
        else:
            self._done.append(f"{why}.")
        extract_waiting(self._store, self._site, seconds=self._page_seconds)
        self._measure()

    def _measure(self) -> None:
        """Store how the patterns in force did tonight."""
        in_force = {row.id for row in self._store.patterns(self._site)}
        figures = measure(self._store.decisions(self._site, self._run))
        self._store.save_figures(self._run, [f for f in figures if f.pattern_id in in_force])

    def report(self) -> NightReport:
        """Store what there is to say, end the run, and return it."""
        store, run = self._store, self._run
        decisions = list(store.decisions(self._site, run))
        fresh = [each for each in decisions if each.is_new and each.title is not None]
        edited = [each for each in decisions if _was_edited(each, run)]
        counts = RunCounts() if self._crawl is None else store.count_run(self._crawl)
        if self._crawl is not None:
            store.drop_idle_versions(self._site, self._crawl)
        report = NightReport(
            site=self._site.name,
            run=run.id,
            started=run.started_at.isoformat(),
            seconds=round((datetime.now(UTC) - run.started_at).total_seconds(), 1),
            pages=self._page_counts(counts),
            articles={
                "new": len(fresh),
                "changed": len(edited),
                "gone": 0 if self._crawl is None else store.gone_articles(self._crawl),
                "kept": sum(each.is_kept for each in decisions),
                "total": store.count_articles(self._site),
            },
            patterns=[asdict(each) for each in store.figures_of(run)],
            drifted=self._drifted,
            done=self._done,
            look=self._look,
            fresh=[Told(url=each.url, title=each.title or "") for each in fresh[:LISTED]],
            edited=[self._told(each) for each in edited[:LISTED]],
        )
        with store.transaction():
            store.save_report(run, report.to_json(), needs_look=report.needs_look)
            found = RunCounts(**(asdict(counts) | {"articles": len(fresh)}))
            store.finish_run(run, "done", found, note=" ".join(report.sentences())[:500])
        return report

    def _page_counts(self, counts: RunCounts) -> dict[str, int]:
        named = {name: number for name, number in asdict(counts).items() if name != "articles"}
        rested = 0 if self._crawl is None else self._store.count_rested(self._site, self._crawl)
        return {**named, "rested": rested}

    def _told(self, edited: Decision) -> Told:
        versions = self._store.article_versions(edited.page_id)
        changes = versions[-1].changes if versions else ""
        return Told(url=edited.url, title=edited.title or "", changes=changes)

    def _finished(self, kind: str) -> Run | None:
        """Return the run of this kind that ended well since this night began; None if none did."""
        for run in self._store.runs(self._site, limit=50):
            # Times are in seconds, and a crawl may be over in less; one begun before may be gone on
            # with.
            later = run.finished_at is not None and run.finished_at > self._run.started_at
            if run.kind == kind and run.status == "done" and (later or run.id > self._run.id):
                return run
        return None


def _was_edited(decision: Decision, run: Run) -> bool:
    created, changed = decision.created_at, decision.changed_at
    if created is None or changed is None or decision.is_new:
        return False
    return changed >= run.started_at and changed > created
