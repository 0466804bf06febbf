"""The nightly run of a site: crawl, extract, notice, heal, report.

Every step finds out from the database whether it was done before the run was killed.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from time import sleep

from scrapy.cmdline import execute

from flong import features
from flong.program import program
from flong.stages.after_crawl import extract_waiting, take_in
from flong.stages.article_merge import is_same_text
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
from flong.stages.hints import hint
from flong.stages.learning_settings import LearningSettings
from flong.stages.report import LISTED, NightReport, ReportedArticle
from flong.states import Kept, RunStatus
from flong.storage import Decision, Figures, Run, RunCounts, Site, Store

ARTICLE_KINDS = frozenset({"article", "mixed"})
"""Kinds of patterns whose drift a person should know of."""
CUT = "Only the beginning of the article is shown, as on many other pages: a paywall."
RETIRED_SHARE = 0.1
"""Share of its articles that a site may lose by being learned again without anybody's notice."""
FEWEST_RETIRED = 3
"""Articles that must have been retired before that is worth a look."""

Crawl = Callable[[Site, Run], str]
"""Crawls a site as a part of a nightly run; returns what went wrong, empty if nothing did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSettings:
    """How nights are run."""

    learning: LearningSettings = field(default_factory=LearningSettings)
    """How sites are learned."""
    resumable: timedelta = timedelta(hours=24)
    """Age up to which a run that was killed is gone on with."""


def nightly(store: Store, site: Site, crawl: Crawl, settings: NightSettings) -> NightReport:
    """Do everything that is due for a site, and report; `LockedSite` if another process does."""
    with store.locks.hold(site):
        run = store.runs.unfinished(site, "nightly")
        if run is None or datetime.now(UTC) - run.started_at > settings.resumable:
            _let_the_second_pass(store, site)
            run = store.runs.start(site, "nightly")
        else:
            run = store.runs.resume(run)
        with store.runs.attend(run):
            night = _Night(store, site, run, settings)
            night.crawl(crawl)
            night.take_in()
            night.notice()
            night.heal()
            return night.report()


def _let_the_second_pass(store: Store, site: Site) -> None:
    """Wait until no earlier run has ended in this second, to which times are stored."""
    for earlier in store.runs.all(site, limit=1):
        if earlier.finished_at == datetime.now(UTC).replace(microsecond=0):
            sleep(1)


class _Night:
    """One site in one night, step by step."""

    def __init__(self, store: Store, site: Site, run: Run, settings: NightSettings) -> None:
        self._store, self._site, self._run, self._settings = store, site, run, settings
        self._page_seconds = settings.learning.page_seconds
        self._crawl: Run | None = None
        self._blocked = False
        self._articles_drift = False
        self._drifted: dict[int, list[str]] = {}
        self._done: list[str] = []
        self._look: list[str] = []

    def crawl(self, crawl: Crawl) -> None:
        """Crawl, unless that was done before this run was killed."""
        self._crawl = self._finished("crawl")
        if self._crawl is None:
            trouble = crawl(self._site, self._run)
            self._crawl = self._finished("crawl")
            if trouble:
                self._look.append(trouble)

    def take_in(self) -> None:
        """Undo walls; extract; learn first if that was never done."""
        if self._crawl is None:
            return
        again = "The site had been learned by another version, so it was learned again"
        intake = take_in(
            self._store,
            self._site,
            self._crawl,
            lambda: self._learn(again),
            seconds=self._page_seconds,
        )
        self._look += intake.sentences(self._site)
        self._blocked = bool(intake.walled or intake.broken)
        learned = self._store.models.version(self._site)
        if not self._blocked and not learned and self._store.pages.urls(self._site):
            self._learn("The site was learned for the first time")

    def notice(self) -> None:
        """Compare how the patterns did with how they did before.

        A night on which the site cannot be believed says nothing about its patterns.
        """
        store, site, run = self._store, self._site, self._run
        if self._blocked:
            return
        self._measure()
        past = store.patterns.figures(site, before=run)
        kinds = {row.id: row.kind for row in store.patterns.of(site, retired=True)}
        for figures in store.patterns.figures_of(run):
            kind = kinds.get(figures.pattern_id, "")
            broken = drift(figures, past)
            self._articles_drift |= bool(broken) and kind in ARTICLE_KINDS
            if found := [*broken, *loosening(figures, past)]:
                self._drifted[figures.pattern_id] = [
                    f"Pattern {figures.pattern_id} ({kind}): {sentence}." for sentence in found
                ]
        self._withhold(past)

    def _withhold(self, past: Sequence[Figures]) -> None:
        """Keep what is shown only in part from being stored as articles."""
        decisions = list(self._store.extractions.decisions(self._site, self._run))
        cut = find_cut(decisions)
        if cut:
            edited = [each.page_id for each in decisions if _was_edited(each, self._run)]
            self._store.articles.undo_edits(edited, Kept.PAYWALL)
        standing = self._store.articles.count_cut(self._site)
        if cut or is_cut_lastingly(standing, self._store.articles.count(self._site)):
            self._blocked = True
            withheld = find_short(decisions, past)
            self._store.articles.withhold(withheld, CUT)
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
        kept = sum(
            each.is_kept for each in self._store.extractions.decisions(self._site, self._run)
        )
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
        return outgrown(self._store, self._site)

    def _learn(self, why: str) -> None:
        """Learn the site and extract its pages, unless that was done before a kill."""
        if self._finished("learn") is None:
            from flong.stages.learning import learn  # noqa: PLC0415 - loads the compiler

            learned = learn(
                self._store,
                self._site,
                self._settings.learning,
                night=self._run,
                drifted=self._drifted,
            )
            self._done.append(f"{why}: {learned.summary}")
            self._look += learned.look
            if not learned.article_patterns:
                found = f"No pattern of articles was found on {self._site.name}."
                self._look.append(f"{found} {hint(self._store, self._site, few_articles=True)}")
        else:
            self._done.append(f"{why}.")
        extract_waiting(self._store, self._site, seconds=self._page_seconds)
        self._store.articles.forget_misreadings(self._site, since=self._run, is_same=is_same_text)
        self._look_at_retired()
        self._measure()

    def _look_at_retired(self) -> None:
        retired = self._store.articles.count_retired(self._site, since=self._run.started_at)
        left = self._store.articles.count(self._site)
        if retired >= max(FEWEST_RETIRED, RETIRED_SHARE * (retired + left)):
            self._look.append(
                f"{retired} articles of {self._site.name} are taken for none since it was learned "
                f"again; they are retired, not deleted: {program()} articles --retired"
            )

    def _measure(self) -> None:
        """Store how the patterns in force did tonight."""
        in_force = {row.id for row in self._store.patterns.of(self._site)}
        figures = measure(self._store.extractions.decisions(self._site, self._run))
        self._store.patterns.save_figures(
            self._run, [f for f in figures if f.pattern_id in in_force]
        )

    def report(self) -> NightReport:
        """Store what there is to say, end the run, and return it."""
        store, run = self._store, self._run
        decisions = list(store.extractions.decisions(self._site, run))
        alone = [each for each in decisions if each.article_id == each.page_id]
        fresh = [each for each in alone if each.is_new and each.title is not None]
        edited = {each.article_id: each for each in decisions if _was_edited(each, run)}
        counts = RunCounts() if self._crawl is None else store.runs.count(self._crawl)
        self._look_at_volume(len(fresh))
        if self._crawl is not None:
            store.pages.drop_idle_versions(self._site, self._crawl)
        report = NightReport(
            site=self._site.name,
            run=run.id,
            started=run.started_at.isoformat(),
            seconds=round((datetime.now(UTC) - run.started_at).total_seconds(), 1),
            pages=self._page_counts(counts),
            articles={
                "new": len(fresh),
                "changed": len(edited),
                "gone": 0 if self._crawl is None else store.crawls.count_gone_articles(self._crawl),
                "kept": sum(each.is_kept for each in decisions),
                "total": store.articles.count(self._site),
            },
            patterns=[asdict(each) for each in store.patterns.figures_of(run)],
            drifted=[sentence for said in self._drifted.values() for sentence in said],
            done=self._done,
            look=self._look,
            fresh=[
                ReportedArticle(url=each.url, title=each.title or "", page=each.page_id)
                for each in fresh[:LISTED]
            ],
            edited=[self._told(each) for each in list(edited.values())[:LISTED]],
            clippings=[
                clipping
                for find in features.load(features.NIGHT_REPORT)
                for clipping in find(store, self._site, run.started_at)
            ],
        )
        with store.transaction():
            store.reports.save(run, report.to_json(), needs_look=report.needs_look)
            found = RunCounts(**(asdict(counts) | {"articles": len(fresh)}))
            store.runs.finish(run, RunStatus.DONE, found, note=" ".join(report.sentences())[:500])
        return report

    def _look_at_volume(self, fresh: int) -> None:
        """Note if there are far fewer new articles than the site usually has on this weekday."""
        past = self._store.runs.new_articles_by_day(self._site, before=self._run)
        today = self._run.started_at.date()
        usual = usual_volume({day: n for day, n in past.items() if day < today}, today)
        # A second night on the same day finds what came since the first.
        if self._look or usual is None or today in past or not usual.is_undercut_by(fresh):
            return
        self._look.append(
            f"{self._site.name} has {fresh or 'no'} new article{'s' * (fresh != 1)}, "
            f"{usual.mean:.0f} on such a day on the mean: a section, a feed or a page of its "
            "listings may be missing."
        )

    def _page_counts(self, counts: RunCounts) -> dict[str, int]:
        named = {name: number for name, number in asdict(counts).items() if name != "articles"}
        rested = 0 if self._crawl is None else self._store.crawls.count_rested(self._crawl)
        return {**named, "rested": rested}

    def _told(self, edited: Decision) -> ReportedArticle:
        versions = self._store.articles.versions(edited.article_id)
        changes = versions[-1].changes if versions else ""
        row = self._store.articles.find(edited.article_id)
        if row is None:
            return ReportedArticle(url=edited.url, title=edited.title or "", changes=changes)
        article = row.article
        return ReportedArticle(
            url=article.url, title=article.title, changes=changes, page=row.page_id
        )

    def _finished(self, kind: str) -> Run | None:
        """Return the run of this kind that ended well as a part of this night; None if none did."""
        runs = self._store.runs.of_night(self._run, kind)
        return next((run for run in runs if run.status == RunStatus.DONE), None)


def _was_edited(decision: Decision, run: Run) -> bool:
    created, changed = decision.created_at, decision.changed_at
    if created is None or changed is None or decision.is_new:
        return False
    # A clock that was ahead once has left times that are still to come.
    return run.started_at <= changed <= datetime.now(UTC) and changed != created


STDOUT, STDERR = 1, 2
CTRL_C = {signal.SIGINT}
# A copy of this process has everything loaded; to start another one takes seconds of CPU.
START = get_context("fork") if sys.platform == "linux" else get_context("spawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """How crawls are started."""

    database: str
    """URL of the database."""
    options: Sequence[str] = ()
    """Settings of the command line, `NAME=VALUE` each."""


def crawl(site: Site, night: Run, settings: CrawlSettings) -> str:
    """Crawl a site as `flong crawl site` does; return what went wrong, empty if nothing did."""
    options = (*settings.options, f"FLONG_DATABASE={settings.database}", "FLONG_EXTRACT=0")
    options = (*options, f"FLONG_NIGHT={night.id}")
    words = ["scrapy", "crawl", "site", "-a", f"url={site.url}"]
    words += [word for option in options for word in ("-s", option)]
    process = START.Process(target=_run, args=(words,))
    signal.pthread_sigmask(signal.SIG_BLOCK, CTRL_C)  # until both know what to do then
    process.start()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
        process.join()
    except KeyboardInterrupt:
        process.terminate()  # it stores what it has, and gives back the lock
        process.join()
        raise
    if process.exitcode == 0:
        return ""
    with Store.open(settings.database) as store:
        return trouble_of(next(iter(store.runs.of_night(night, "crawl")), None), site)


def trouble_of(run: Run | None, site: Site) -> str:
    """Return what is wrong with a crawl that needs a look, by the run that it left."""
    if run is None or not (run.note or run.status == RunStatus.INTERRUPTED):
        return f"The crawl of {site.name} ended badly."
    if run.status == RunStatus.DONE:
        return run.note
    if not run.note:
        return f"The crawl of {site.name} was stopped; the next night goes on from there."
    return f"{site.url} could not be crawled: {run.note.rstrip('.')}."


def _run(words: list[str]) -> None:
    """Do what a command line says in this process, without a word, and end it."""
    os.setpgid(0, 0)  # ctrl-C is for the night, which ends us
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), STDOUT)
        os.dup2(nowhere.fileno(), STDERR)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
    gc.freeze()  # what is loaded stays: the collector need not look at it again and again
    execute(words)
