"""Runs: stages of work on a site, with their times, results and the outcomes of crawls."""

import os
import socket
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, TypeVarTuple

from sqlalchemy import (
    Connection,
    Row,
    Select,
    Text,
    cast,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from flong.states import (
    GONE_OUTCOMES,
    STORED_OUTCOMES,
    KeepReason,
    Outcome,
    RunKind,
    RunStatus,
    Verdict,
)
from flong.storage import tables
from flong.storage.columns import from_row, now
from flong.storage.database import Connections, Repository, batches
from flong.storage.documents import Documents
from flong.storage.errors import StorageError
from flong.storage.joined_words import is_part
from flong.storage.locks import pid_is_alive
from flong.storage.tables import Run, RunCounts, Site

Ts = TypeVarTuple("Ts")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFetches:
    """Outcomes of the articles that a crawl requested."""

    asked: int
    """Number of requested pages with an article."""
    gone: int
    """Number of pages that disappeared."""
    redirected: int
    """Number of pages that redirect to another URL."""
    failed: Mapping[str, int]
    """Number of pages without a usable response, by error message; rejected pages are excluded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeLinks:
    """Number of links from a home page to pages of its site."""

    now: int
    """After this crawl."""
    before: int
    """Before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedArticle:
    """An article that is kept although its page no longer has it."""

    page_id: int
    """Id of the page."""
    kept: KeepReason
    """`NOTHING` or `OTHER_TEXT`."""
    body: str
    """The kept text."""
    confidence: float
    """Confidence that it was an article."""
    method: str
    """Method that had read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneArticle:
    """An article whose page is gone."""

    page_id: int
    """Id of its page."""
    url: str
    """URL of its page."""
    title: str
    """Headline."""


class Runs(Repository):
    """Starts, finishes, resumes and lists runs, and reads the outcomes of crawls."""

    def __init__(self, database: Connections, documents: Documents) -> None:
        super().__init__(database)
        self._codec = documents.codec

    def start(self, site: Site, kind: RunKind, *, night_id: int | None = None) -> Run:
        """Begin a run, also as a part of a night; mark an earlier killed one as killed."""
        with self.writing() as connection:
            for run in _unfinished(connection, site, kind):
                if run.status == RunStatus.KILLED:
                    gone = update(tables.runs).where(tables.runs.c.id == run.id)
                    connection.execute(gone.values(status=RunStatus.KILLED))
            row = {"site_id": site.id, "kind": kind, "note": ""}
            row |= _process() | {"started_at": now(), "night_id": night_id} | asdict(RunCounts())
            added = insert(tables.runs).values(row).returning(tables.runs.c.id)
            return _find(connection, connection.execute(added).scalar_one())

    def unfinished(self, site: Site, kind: RunKind) -> Run | None:
        """Return the latest run of this kind if it stopped early and can be resumed."""
        with self.reading() as connection:
            runs = _unfinished(connection, site, kind)
        return runs[0] if runs and runs[0].status != RunStatus.RUNNING else None

    def resume(self, run: Run, *, night_id: int | None = None) -> Run:
        """Continue an interrupted run in this process, also in another night."""
        mine = _process() | {"finished_at": None, "note": ""}
        mine |= {} if night_id is None else {"night_id": night_id}
        with self.writing() as connection:
            connection.execute(update(tables.runs).where(tables.runs.c.id == run.id).values(mine))
            return _find(connection, run.id)

    @contextmanager
    def attend(self, run: Run) -> Iterator[Run]:
        """Mark a run as `interrupted` after Ctrl-C in the block, as `failed` after an error.

        The error is raised again, also if marking fails. A failed night can be resumed, so it
        counts as interrupted.
        """
        try:
            yield run
        except BaseException as error:
            stopped = run.kind is RunKind.NIGHTLY or not isinstance(error, Exception)
            with suppress(StorageError):
                self.leave(run, RunStatus.INTERRUPTED if stopped else RunStatus.FAILED, str(error))
            raise

    def leave(self, run: Run, status: RunStatus, note: str = "") -> None:
        """End an unfinished run, without counts."""
        end = {"status": status, "note": note, "finished_at": now()}
        with self.writing() as connection:
            connection.execute(update(tables.runs).where(tables.runs.c.id == run.id).values(end))

    def finish(
        self, run: Run, status: RunStatus, counts: RunCounts | None = None, note: str = ""
    ) -> Run:
        """End a run. Default counts are those of the pages it saw, also before it was killed."""
        found = asdict(self.count(run) if counts is None else counts)
        end = {"status": status, "note": note, "finished_at": now()}
        with self.writing() as connection:
            connection.execute(
                update(tables.runs).where(tables.runs.c.id == run.id).values(end | found)
            )
            return _find(connection, run.id)

    def count(self, run: Run) -> RunCounts:
        """Return the results of a run so far, counted from pages and articles."""
        pages, matches = tables.pages, tables.matches
        seen = (
            select(pages.c.outcome, func.count().label("number"))
            .where(pages.c.site_id == run.site_id, pages.c.run_id == run.id)
            .group_by(pages.c.outcome)
        )
        articles = (
            select(func.count())
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .where(pages.c.site_id == run.site_id, matches.c.run_id == run.id)
            .where(matches.c.verdict == Verdict.ARTICLE)
        )
        with self.reading() as connection:
            counts: Counter[str] = Counter()
            for row in connection.execute(seen):
                counts[row.outcome.counted_as] += row.number
            return RunCounts(articles=connection.execute(articles).scalar_one(), **counts)

    def new_articles_by_day(self, before: Sequence[Run]) -> dict[int, dict[date, int]]:
        """Return the number of new articles of earlier nights by day, by the id of each run.

        The first night of a site is left out: all its articles were new.
        """
        runs = tables.runs
        # One row a site: fetching one row a night would take most of the time.
        day = func.substr(runs.c.started_at, 1, 10, type_=Text)
        night = cast(runs.c.id, Text) + " " + day + " " + cast(runs.c.articles, Text)
        query = select(runs.c.site_id, func.aggregate_strings(night, ","))
        query = query.where(runs.c.kind == RunKind.NIGHTLY, runs.c.status == RunStatus.DONE)
        query = query.where(runs.c.id < max((run.id for run in before), default=0))
        query = query.group_by(runs.c.site_id)
        past: dict[int, list[tuple[int, date, int]]] = {}
        with self.reading() as connection:
            for sites in batches({run.site_id for run in before}):
                rows = connection.execute(query.where(runs.c.site_id.in_(sites)))
                past |= {site_id: _nights(written) for site_id, written in rows}
        found = {}
        for run in before:
            days: Counter[date] = Counter()
            for run_id, then, articles in past.get(run.site_id, [])[1:]:
                if run_id < run.id:
                    days[then] += articles
            found[run.id] = dict(days)
        return found

    def of_night(self, night: Run, kind: RunKind) -> list[Run]:
        """Return the runs of this kind in a night, the latest first."""
        runs = tables.runs
        query = select(runs).where(runs.c.site_id == night.site_id, runs.c.kind == kind)
        query = query.where(runs.c.night_id == night.id).order_by(runs.c.id.desc())
        return self._runs(query)

    def nightly(self, since: datetime, until: datetime) -> list[Run]:
        """Return the nightly runs that began in a period, the earliest first."""
        runs = tables.runs
        query = select(runs).where(runs.c.kind == RunKind.NIGHTLY, runs.c.started_at >= since)
        query = query.where(runs.c.started_at < until).order_by(runs.c.id)
        return self._runs(query)

    def all(self, site: Site | None = None, limit: int | None = None) -> list[Run]:
        """Return runs, the latest first."""
        query = select(tables.runs).order_by(tables.runs.c.id.desc()).limit(limit)
        if site is not None:
            query = query.where(tables.runs.c.site_id == site.id)
        return self._runs(query)

    def _runs(self, query: Select[*tuple[Any, ...]]) -> list[Run]:
        with self.reading() as connection:
            return [_run(row) for row in connection.execute(query)]

    def urls(self, run: Run) -> Sequence[str]:
        """Return the URLs of the pages that a run found, new or known."""
        pages = tables.pages
        query = select(pages.c.url).where(
            pages.c.site_id == run.site_id,
            pages.c.run_id == run.id,
            pages.c.outcome.in_(STORED_OUTCOMES),
        )
        return self._column(query)

    def fetched(self, run: Run) -> dict[int, Outcome]:
        """Return the ids of new and changed pages of a run, with their outcome."""
        pages = tables.pages
        query = select(pages.c.id, pages.c.outcome).where(
            pages.c.site_id == run.site_id,
            pages.c.run_id == run.id,
            pages.c.outcome.in_((Outcome.NEW, Outcome.CHANGED)),
        )
        with self.reading() as connection:
            return {row.id: row.outcome for row in connection.execute(query.order_by(pages.c.id))}

    def count_rested(self, run: Run) -> int:
        """Return the number of stored pages that a run did not request, without gone ones."""
        pages = tables.pages
        query = select(func.count()).select_from(pages).where(pages.c.site_id == run.site_id)
        query = query.where(
            pages.c.content_hash.is_not(None), pages.c.outcome.not_in(GONE_OUTCOMES)
        )
        query = query.where(or_(pages.c.run_id.is_(None), pages.c.run_id != run.id))
        return self._number(query)

    def count_outcome(self, run: Run, outcome: Outcome) -> int:
        """Return the number of pages with an outcome in a run."""
        pages = tables.pages
        query = select(func.count()).select_from(pages).where(pages.c.site_id == run.site_id)
        query = query.where(pages.c.run_id == run.id, pages.c.outcome == outcome)
        return self._number(query)

    def gone_articles(self, run: Run) -> list[GoneArticle]:
        """Return the articles whose pages were gone in a run, the latest first."""
        pages, articles = tables.pages, tables.articles
        query = (
            select(pages.c.id.label("page_id"), pages.c.url, articles.c.title)
            .join_from(pages, articles, pages.c.id == articles.c.page_id)
            .where(articles.c.retired_at.is_(None), ~is_part())
            .where(pages.c.site_id == run.site_id, pages.c.run_id == run.id)
            .where(pages.c.outcome.in_(GONE_OUTCOMES))
            .order_by(articles.c.published.desc(), pages.c.id)
        )
        with self.reading() as connection:
            return [GoneArticle(**row._asdict()) for row in connection.execute(query)]

    def article_fetches(self, crawl: Run) -> ArticleFetches:
        """Return the outcomes of the articles that a crawl requested."""
        pages, articles, aliases = tables.pages, tables.articles, tables.aliases
        known = (
            select(pages.c.outcome, pages.c.error, func.count().label("number"))
            .join_from(pages, articles, pages.c.id == articles.c.page_id)
            .where(pages.c.site_id == crawl.site_id, articles.c.retired_at.is_(None))
        )
        seen = known.where(pages.c.run_id == crawl.id).group_by(pages.c.outcome, pages.c.error)
        moved = (
            select(func.count())
            .join_from(pages, articles, pages.c.id == articles.c.page_id)
            .join(aliases, (aliases.c.site_id == pages.c.site_id) & (aliases.c.url == pages.c.url))
            .where(pages.c.site_id == crawl.site_id, articles.c.retired_at.is_(None))
            .where(aliases.c.run_id == crawl.id, aliases.c.target.is_not(None))
        )
        with self.reading() as connection:
            rows = connection.execute(seen).all()
            redirected = connection.execute(moved).scalar_one()
        return ArticleFetches(
            asked=sum(row.number for row in rows) + redirected,
            gone=sum(row.number for row in rows if row.outcome in GONE_OUTCOMES),
            redirected=redirected,
            failed={row.error or "": row.number for row in rows if row.outcome == Outcome.FAILED},
        )

    def home_links(self, crawl: Run) -> HomeLinks | None:
        """Return the number of links of a home page that is new or changed, else None.

        A new home page, the target of a redirect, is compared with the earlier home page.
        """
        pages, versions = tables.pages, tables.page_versions
        found = select(pages.c.id, pages.c.outcome, pages.c.dictionary_id, pages.c.links).where(
            pages.c.site_id == crawl.site_id,
            pages.c.run_id == crawl.id,
            pages.c.depth == 0,
            pages.c.outcome.in_([Outcome.CHANGED, Outcome.NEW]),
        )
        with self.reading() as connection:
            home = connection.execute(found.limit(1)).first()
            if home is None:
                return None
            if home.outcome == Outcome.NEW:
                earlier = select(pages.c.dictionary_id, pages.c.links).where(
                    pages.c.site_id == crawl.site_id,
                    pages.c.depth == 0,
                    pages.c.id != home.id,
                    pages.c.links.is_not(None),
                )
                earlier = earlier.order_by(pages.c.last_seen.desc())
            else:
                earlier = (
                    select(versions.c.dictionary_id, versions.c.links)
                    .where(versions.c.page_id == home.id, versions.c.links.is_not(None))
                    .order_by(versions.c.id.desc())
                )
            old = connection.execute(earlier.limit(1)).first()
            if old is None or home.links is None:
                return None
            count = [
                len(self._codec(connection, row.dictionary_id).unpack_urls(row.links))
                for row in (home, old)
            ]
        return HomeLinks(now=count[0], before=count[1])

    def replaced_articles(self, crawl: Run, *, unread: bool = False) -> list[ReplacedArticle]:
        """Return the articles whose pages have nothing, or a different text, since a crawl.

        With `unread`, return all articles with a changed document that was not read yet.
        """
        pages, matches, articles = tables.pages, tables.matches, tables.articles
        wanted = (
            select(articles.c.page_id, articles.c.body)
            .add_columns(literal(KeepReason.NOTHING).label("kept") if unread else matches.c.kept)
            .add_columns(articles.c.confidence, articles.c.method)
        )
        query = _changed(wanted, crawl).join(matches, pages.c.id == matches.c.page_id)
        if not unread:
            query = query.where(matches.c.kept.in_((KeepReason.NOTHING, KeepReason.OTHER_TEXT)))
            query = query.where(matches.c.content_hash == pages.c.content_hash)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(pages.c.id))
            return [from_row(ReplacedArticle, row, kept=KeepReason(row.kept)) for row in rows]

    def count_changed_articles(self, crawl: Run) -> int:
        """Return the number of pages with an article whose document changed in a crawl."""
        return self._number(_changed(select(func.count()), crawl))

    def edited_articles(self, crawl: Run) -> Sequence[int]:
        """Return the ids of pages whose articles a crawl edited."""
        versions, articles = tables.article_versions, tables.articles
        edit = select(versions.c.id).where(
            versions.c.page_id == articles.c.page_id, versions.c.run_id > crawl.id
        )
        query = _changed(select(articles.c.page_id), crawl).where(
            articles.c.content_hash == tables.pages.c.content_hash,
            edit.exists(),
        )
        return self._column(query)

    def begun_articles(self, crawl: Run) -> Sequence[int]:
        """Return the ids of changed pages that became articles by a crawl."""
        created = tables.articles.c.created_run_id
        return self._column(_changed(select(tables.pages.c.id), crawl).where(created > crawl.id))

    def cut_articles(self, crawl: Run) -> Sequence[int]:
        """Return the ids of pages on which a crawl found only a part of the article."""
        matches, pages = tables.matches, tables.pages
        query = _changed(select(pages.c.id), crawl).join(matches, pages.c.id == matches.c.page_id)
        query = query.where(matches.c.kept.in_((KeepReason.PART, KeepReason.SHORTER)))
        return self._column(query.where(matches.c.content_hash == pages.c.content_hash))


def _process() -> dict[str, Any]:
    return {"pid": os.getpid(), "host": socket.gethostname(), "status": RunStatus.RUNNING}


def _unfinished(connection: Connection, site: Site, kind: RunKind) -> list[Run]:
    """Return the latest run of this kind, unless it ended, as a list of at most one."""
    runs = tables.runs
    query = (
        select(runs)
        .where(runs.c.site_id == site.id, runs.c.kind == kind)
        .order_by(runs.c.id.desc())
        .limit(1)
    )
    latest = [_run(row) for row in connection.execute(query)]
    over = (RunStatus.DONE, RunStatus.FAILED)
    return [run for run in latest if run.status not in over]


def _nights(written: str) -> list[tuple[int, date, int]]:
    """Return runs with their days and articles, in order.

    >>> _nights("12 2026-05-02 0,7 2026-05-01 3")[0]
    (7, datetime.date(2026, 5, 1), 3)
    """
    nights = (night.split(" ") for night in written.split(","))
    return sorted((int(run), _date(day), int(articles)) for run, day, articles in nights)


_date = lru_cache(date.fromisoformat)


def _find(connection: Connection, run_id: int) -> Run:
    query = select(tables.runs).where(tables.runs.c.id == run_id)
    return _run(connection.execute(query).one())


def _run(row: Row[*tuple[Any, ...]]) -> Run:
    # The process of another machine cannot be checked: taking its lock marks it as killed.
    alive = (
        row.status != RunStatus.RUNNING or row.host != socket.gethostname() or pid_is_alive(row.pid)
    )
    status = row.status if alive else RunStatus.KILLED
    return from_row(Run, row, status=status)


def _changed(query: Select[*Ts], crawl: Run) -> Select[*Ts]:
    """Restrict a query to pages with an article whose document changed in a crawl."""
    pages, articles = tables.pages, tables.articles
    return (
        query.join_from(pages, articles, pages.c.id == articles.c.page_id)
        .where(pages.c.site_id == crawl.site_id, pages.c.run_id == crawl.id)
        .where(pages.c.outcome == Outcome.CHANGED, articles.c.retired_at.is_(None))
    )
