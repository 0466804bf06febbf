"""The nightly run of a site: crawl, extract, notice, heal, report.

A night that was killed can be resumed: each step reads from the database whether it is done.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

from scrapy.cmdline import execute

from flong import features
from flong.findings import Finding, needing_attention
from flong.stages.after_crawl import after_crawl, is_blocked, learn_again, was_learned
from flong.stages.drift import (
    drift,
    find_cut,
    find_short,
    is_cut_lastingly,
    loosening,
    measure,
    outgrown,
    usual_volume,
)
from flong.stages.learning_settings import LearningSettings
from flong.stages.report import LISTED, NightReport, ReportedArticle
from flong.states import FindingKind, KeepReason, RunKind, RunStatus, TemplateKind
from flong.storage import Figures, NightPage, Run, RunCounts, Site, Store

ARTICLE_KINDS = frozenset({TemplateKind.ARTICLE, TemplateKind.MIXED})
"""Kinds of patterns whose drift is reported as a redesign."""
CUT = "Only the beginning of the article is shown, as on many other pages: a paywall."

Crawl = Callable[[Site, Run], Finding | None]
"""Crawls a site as a part of a nightly run; returns a finding if that fails, else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSettings:
    """Settings of nights."""

    learning: LearningSettings = field(default_factory=LearningSettings)
    """Settings of learning."""
    resumable: timedelta = timedelta(hours=24)
    """Maximum age of a killed run that is resumed."""


def nightly(store: Store, site: Site, crawl: Crawl, settings: NightSettings) -> NightReport:
    """Run the night of a site and report; raise `LockedSite` if another process works on it."""
    with store.locks.hold(site):
        run = store.runs.unfinished(site, RunKind.NIGHTLY)
        if run is None or datetime.now(UTC) - run.started_at > settings.resumable:
            run = store.runs.start(site, RunKind.NIGHTLY)
        else:
            run = store.runs.resume(run)
        with store.runs.attend(run):
            found: list[Finding] = []
            crawled = finished_crawl(store, run)
            if crawled is None:
                trouble = crawl(site, run)
                found += [trouble] if trouble else []
                crawled = finished_crawl(store, run)
            if crawled is None:
                return _save(store, run, _empty_report(store, site, found), RunCounts())
            return _Night(store, site, run, crawled, settings.learning, found).work()


def finished_crawl(store: Store, night: Run) -> Run | None:
    """Return the finished crawl of a night, or None."""
    crawls = store.runs.of_night(night, RunKind.CRAWL)
    return next((run for run in crawls if run.status == RunStatus.DONE), None)


class _Night:
    """One site in one night, after its crawl."""

    def __init__(  # noqa: PLR0913, PLR0917 - the night, its crawl and their findings
        self,
        store: Store,
        site: Site,
        run: Run,
        crawl: Run,
        settings: LearningSettings,
        found: list[Finding],
    ) -> None:
        self._store, self._site, self._run, self._crawl = store, site, run, crawl
        self._settings, self._found = settings, found
        self._pages: list[NightPage] = []

    def work(self) -> NightReport:
        """Extract, measure, learn again if necessary, and report."""
        store, site, run = self._store, self._site, self._run
        self._found += after_crawl(store, site, self._crawl, self._settings, night=run)
        self._read()
        if not is_blocked(self._found):
            past = store.templates.figures(site, before=run)
            drifted, redesigned = self._measure(past)
            if not self._withhold(past) and not was_learned(self._found):
                self._heal(drifted, redesigned=redesigned)
        return self._report()

    def _read(self) -> None:
        """Read the decisions of the night; again after they have changed."""
        found = self._store.extractions.night_pages(self._site, self._run, self._crawl)
        self._pages = list(found)

    def _save_figures(self) -> None:
        in_force = {row.id for row in self._store.templates.patterns(self._site)}
        figures = [each for each in measure(self._pages) if each.pattern_id in in_force]
        self._store.templates.save_figures(self._run, figures)

    def _measure(self, past: Sequence[Figures]) -> tuple[set[int], bool]:
        """Compare the patterns with their past.

        Return the patterns that drifted, and True if one of them has articles.
        """
        self._save_figures()
        kinds = {
            row.id: row.kind for row in self._store.templates.patterns(self._site, retired=True)
        }
        drifted, redesigned = set(), False
        for figures in self._store.templates.figures_of(self._run):
            kind, worse = kinds.get(figures.pattern_id, ""), drift(figures, past)
            redesigned |= bool(worse) and kind in ARTICLE_KINDS
            for name, counts in (worse | loosening(figures, past)).items():
                drifted.add(figures.pattern_id)
                self._note(name, counts, subject=str(figures.pattern_id), detail=kind)
        return drifted, redesigned

    def _withhold(self, past: Sequence[Figures]) -> bool:
        """Withhold new articles that are cut; return True if the site has a paywall."""
        articles = self._store.articles
        cut, standing = find_cut(self._pages), articles.count_cut(self._site)
        if cut:
            edited = [each.page_id for each in self._pages if each.is_edited]
            articles.undo_edits(edited, KeepReason.PAYWALL)
        if not cut and not is_cut_lastingly(standing, articles.count(self._site)):
            return False
        withheld = find_short(self._pages, past)
        articles.withhold(withheld, self._run, CUT)
        counts = {"articles": max(cut, standing), "withheld": len(withheld)}
        self._note(FindingKind.PAYWALL, counts)
        self._read()
        return True

    def _heal(self, drifted: Collection[int], *, redesigned: bool) -> None:
        """Learn the site again if patterns drifted or too many pages fit none."""
        store, site, run = self._store, self._site, self._run
        why = outgrown(store, site)
        if drifted:
            why = Finding(kind=FindingKind.LEARN_DRIFT, site=site.name)
        if why is None:
            return
        self._found += learn_again(
            store, site, self._crawl, self._settings, why, night=run, drifted=drifted
        )
        self._read()
        self._save_figures()
        if redesigned:
            kept = sum(each.is_kept for each in self._pages)
            self._note(FindingKind.REDESIGN, {"kept": kept})

    def _report(self) -> NightReport:
        """Store the report, end the run, and return the report."""
        store, run, crawl = self._store, self._run, self._crawl
        own = [each for each in self._pages if each.article_id == each.page_id]
        fresh = [each for each in own if each.is_new and each.title is not None]
        edited = {each.article_id: each for each in self._pages if each.is_edited}
        gone = store.runs.gone_articles(crawl)
        self._compare_volume(len(fresh))
        store.documents.drop_idle_versions(self._site, crawl)
        counts = store.runs.count(crawl)
        pages = {name: number for name, number in asdict(counts).items() if name != "articles"}
        report = NightReport(
            site=self._site.name,
            pages={**pages, "rested": store.runs.count_rested(crawl)},
            articles={
                "new": len(fresh),
                "changed": len(edited),
                "gone": len(gone),
                "kept": sum(each.is_kept for each in self._pages),
                "total": store.articles.count(self._site),
            },
            patterns=[asdict(each) for each in store.templates.figures_of(run)],
            findings=self._found,
            fresh=[self._reported(each) for each in fresh[:LISTED]],
            edited=[self._edit(each) for each in list(edited.values())[:LISTED]],
            gone=[
                ReportedArticle(url=each.url, title=each.title, page=each.page_id)
                for each in gone[:LISTED]
            ],
            clippings=[
                clipping
                for find in features.load(features.NIGHT_REPORT)
                for clipping in find(store, self._site, run)
            ],
        )
        return _save(store, run, report, replace(counts, articles=len(fresh)))

    def _compare_volume(self, fresh: int) -> None:
        """Report if there are far fewer new articles than the site usually has on this weekday."""
        past = self._store.runs.new_articles_by_day([self._run])[self._run.id]
        today = self._run.started_at.date()
        usual = usual_volume({day: n for day, n in past.items() if day < today}, today)
        # A second night on the same day finds only the articles since the first.
        if needing_attention(self._found) or usual is None or today in past:
            return
        if usual.is_undercut_by(fresh):
            self._note(FindingKind.FEW_ARTICLES, {"new": fresh, "usual": usual.mean})

    def _edit(self, edited: NightPage) -> ReportedArticle:
        versions = self._store.articles.versions(edited.article_id)
        return self._reported(edited, versions[-1].changes if versions else "")

    def _reported(self, page: NightPage, changes: str = "") -> ReportedArticle:
        row = self._store.articles.find(page.article_id)
        if row is None:
            return ReportedArticle(url=page.url, title=page.title or "", changes=changes)
        article = row.article
        return ReportedArticle(
            url=article.url,
            title=article.title,
            changes=changes,
            page=row.page_id,
            doubts=article.doubts,
        )

    def _note(
        self, kind: FindingKind, counts: Mapping[str, float], subject: str = "", detail: str = ""
    ) -> None:
        site = self._site.name
        found = Finding(kind=kind, site=site, subject=subject, counts=counts, detail=detail)
        self._found.append(found)


def _empty_report(store: Store, site: Site, found: Sequence[Finding]) -> NightReport:
    """Return the report of a night without a crawl."""
    return NightReport(
        site=site.name,
        pages=dict.fromkeys(("new", "changed", "unchanged", "gone", "failed", "rested"), 0),
        articles=dict.fromkeys(("new", "changed", "gone", "kept"), 0)
        | {"total": store.articles.count(site)},
        findings=found,
    )


def _save(store: Store, run: Run, report: NightReport, counts: RunCounts) -> NightReport:
    """Store a report, end its run, and return the report with the run in it."""
    seconds = round((datetime.now(UTC) - run.started_at).total_seconds(), 1)
    started = run.started_at.isoformat()
    whole = replace(report, run=run.id, started=started, seconds=seconds)
    with store.transaction():
        store.nights.save_report(run, whole.to_json(), needs_attention=whole.needs_attention)
        store.runs.finish(run, RunStatus.DONE, counts)
    return whole


STDOUT, STDERR = 1, 2
CTRL_C = {signal.SIGINT}
# A forked process has everything loaded; starting a new one takes seconds of CPU.
START = get_context("fork") if sys.platform == "linux" else get_context("spawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """Settings for starting crawls."""

    database: str
    """URL of the database."""
    options: Sequence[str] = ()
    """Settings from the command line, each `NAME=VALUE`."""


def crawl(site: Site, night: Run, settings: CrawlSettings) -> Finding | None:
    """Crawl a site like `flong crawl site`; return a finding if that fails, else None."""
    options = (*settings.options, f"FLONG_DATABASE={settings.database}", "FLONG_EXTRACT=0")
    options = (*options, f"FLONG_NIGHT={night.id}")
    words = ["scrapy", "crawl", "site", "-a", f"url={site.url}"]
    words += [word for option in options for word in ("-s", option)]
    process = START.Process(target=_run, args=(words,))
    signal.pthread_sigmask(signal.SIG_BLOCK, CTRL_C)  # until both can handle it
    process.start()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
        process.join()
    except KeyboardInterrupt:
        process.terminate()  # it stores its pages and releases the lock
        process.join()
        raise
    if process.exitcode == 0:
        return None
    with Store.open(settings.database) as store:
        return trouble_of(next(iter(store.runs.of_night(night, RunKind.CRAWL)), None), site)


def trouble_of(run: Run | None, site: Site) -> Finding:
    """Return the finding about a crawl that failed or was cut short, from its run."""
    kind, note = FindingKind.CRAWL_FAILED, run.note if run else ""
    if run is not None and note:
        is_done = run.status == RunStatus.DONE
        kind = FindingKind.CRAWL_BOUNDED if is_done else FindingKind.CRAWL_REFUSED
    elif run is not None and run.status == RunStatus.INTERRUPTED:
        kind = FindingKind.CRAWL_STOPPED
    detail = note.rstrip(".") if kind is FindingKind.CRAWL_REFUSED else note
    return Finding(kind=kind, site=site.name, detail=detail)


def _run(words: list[str]) -> None:
    """Execute a command line in this process, without output, and exit."""
    os.setpgid(0, 0)  # Ctrl-C goes to the parent, which terminates us
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), STDOUT)
        os.dup2(nowhere.fileno(), STDERR)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
    gc.freeze()  # exempt all loaded objects from garbage collection
    execute(words)
