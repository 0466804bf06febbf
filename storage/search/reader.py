"""Ranked search with one result per story and excerpts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, select, text

from flong.search import (
    Appearance,
    Descent,
    Entry,
    Excerpt,
    Feed,
    Query,
    Ranking,
    complete,
    correct,
    parse_query,
    summarise,
    trace_lineage,
    unfinished_word,
)
from flong.states import GONE_OUTCOMES
from flong.storage import tables
from flong.storage.articles import ArticleRow, read_articles
from flong.storage.columns import UtcTime, now
from flong.storage.database import Repository, batches
from flong.storage.marks import MARKED, MarkFilter
from flong.storage.search.index import index_is_current, make_index_current
from flong.storage.search.term_index import term_index

COUNTED = 50_000
"""Maximum number of hits to count; a search with more reports at least this many."""
LOOKED_AT_ONCE = 200
"""Number of articles whose texts one statement searches for phrases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of a search."""

    ranking: Ranking = field(default_factory=Ranking)
    """Ranking of hits."""
    limit: int = 20
    """Maximum number of results."""
    depth: int = 100
    """Maximum number of hits to group into stories."""
    candidates: int = 10_000
    """Maximum number of articles with all words of a query that are ranked, the latest first. More
    are only counted, and with phrases in the query not counted either."""
    looked_at: int = 500
    """Minimum number of texts to search for phrases, the most relevant first. The search goes on
    until `depth` articles are found."""
    is_folded: bool = True
    """True to show one result per story."""
    sites: frozenset[str] = frozenset()
    """Names of sites to search; empty for all."""
    is_latest_first: bool = False
    """True for the latest first instead of the best; of a story the earliest article is shown."""
    mark: MarkFilter = ""
    """`unread` or `starred` articles only; empty for all."""
    found_since: datetime | None = None
    """Only articles first found at this time or later; None for all."""
    found_after_run: int | None = None
    """Only articles first found by a later run than this id; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An article that matches a query."""

    page_id: int
    """Id of its page."""
    relevance: float
    """Relevance for sorting; 0 without search words."""
    story_id: int | None
    """The story that it belongs to; None without near-duplicates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """The articles that match a query."""

    total: int
    """Number of hits."""
    is_counted: bool
    """True if `total` is exact; otherwise there may be more."""
    best: list[Hit]
    """The best hits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """Another article of the story of a result."""

    page_id: int
    """Id of its page."""
    site: str
    """Name of its site."""
    url: str
    """Canonical URL of its page."""
    title: str
    """Its headline."""
    dated: datetime
    """When it was published, or else first seen."""
    shared: float
    """Fraction shared with the story's first article: containment, .5 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """An article that matches a query, with the others of its story."""

    row: ArticleRow
    """The article, without provenance."""
    relevance: float
    """Relevance, for sorting."""
    excerpts: tuple[Excerpt, ...]
    """Excerpts with words of the query."""
    story_id: int | None = None
    """Id of the story; None without near-duplicates."""
    copies: tuple[Copy, ...] = ()
    """The other articles of the story, the earliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """Results of a search."""

    query: Query
    """The parsed query."""
    total: int
    """Number of matching articles."""
    is_counted: bool
    """True if `total` is exact; otherwise there may be more."""
    results: tuple[Result, ...]
    """The best results."""
    suggestion: str | None = None
    """Corrected query, if there are no results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Near-duplicates, across all sites."""

    id: int
    """Id; it changes when the first article is edited."""
    title: str
    """Headline of its first article."""
    members: tuple[Copy, ...]
    """The articles, the earliest first."""


class Search(Repository):
    """Answers searches."""

    def find(
        self, typed: str, settings: SearchSettings | None = None, *, today: date | None = None
    ) -> SearchResults:
        """Return the articles that match a query, the best first; any query is valid."""
        settings = settings or SearchSettings()
        query = parse_query(typed, today or now().date())
        found = self.hits(query, settings)
        shown = _one_a_story(found.best, settings) if settings.is_folded else found.best
        shown = shown[: settings.limit]
        with self.reading() as connection:
            rows = {
                row.page_id: row for row in read_articles(connection, [h.page_id for h in shown])
            }
            members = _members(connection, {h.story_id for h in shown if h.story_id is not None})
        results = [
            Result(
                row=rows[hit.page_id],
                relevance=hit.relevance,
                excerpts=tuple(_summary(rows[hit.page_id], query)),
                story_id=hit.story_id,
                copies=tuple(
                    copy for copy in members.get(hit.story_id, ()) if copy.page_id != hit.page_id
                ),
            )
            for hit in shown
            if hit.page_id in rows
        ]
        return SearchResults(
            query=query,
            total=found.total,
            is_counted=found.is_counted,
            results=tuple(results),
            suggestion=None if found.total else self.did_you_mean(typed),
        )

    def hits(self, query: Query, settings: SearchSettings) -> Hits:
        """Return the number of hits and the best of them."""
        self.prepare()
        with self.reading() as connection:
            asked = _statement(connection, query, settings)
            if asked.looking:
                return _look_up(connection, asked, settings)
            rows = connection.execute(text(asked.finding), asked.values).all()
            total = rows[0].total if rows else 0
            if total < asked.candidates:
                return Hits(total=total, is_counted=True, best=list(map(_hit, rows)))
            if asked.counting:
                total = connection.execute(text(asked.counting), asked.values).scalar_one()
        is_counted = bool(asked.counting) and total <= COUNTED
        return Hits(total=total, is_counted=is_counted, best=list(map(_hit, rows)))

    def stories(self, *, since: datetime | None = None, limit: int = 20) -> list[Story]:
        """Return the stories with the most articles, also only of a period."""
        documents = tables.search_documents
        latest = func.max(documents.c.dated)
        query = select(documents.c.story_id).where(documents.c.story_id.is_not(None))
        query = query.group_by(documents.c.story_id)
        if since is not None:
            query = query.having(latest >= since)
        query = query.order_by(func.count().desc(), latest.desc(), documents.c.story_id)
        self.prepare()
        with self.reading() as connection:
            found = connection.execute(query.limit(limit or None)).scalars()
            ids = [story_id for story_id in found if story_id is not None]
            members = _members(connection, ids)
        return [Story(id=n, title=members[n][0].title, members=tuple(members[n])) for n in ids]

    def story_of(self, page_id: int) -> Story | None:
        """Return the story of a page's article; None without near-duplicates."""
        documents = tables.search_documents
        query = select(documents.c.story_id).where(documents.c.page_id == page_id)
        with self.reading() as connection:
            story_id = connection.execute(query).scalar()
            members = _members(connection, [] if story_id is None else [story_id]).get(story_id)
        if story_id is None or not members:
            return None
        return Story(id=story_id, title=members[0].title, members=tuple(members))

    def lineage(self, story_id: int) -> list[Descent]:
        """Return the history of a story: first article, copies with shared fractions, edits."""
        with self.reading() as connection:
            members = _members(connection, [story_id]).get(story_id, [])
            rows = read_articles(connection, [each.page_id for each in members])
            return trace_lineage([_appearance(connection, row) for row in rows])

    def languages(self) -> list[str]:
        """Return the codes of the languages of articles."""
        language = tables.search_documents.c.language
        query = select(language).where(language.is_not(None)).distinct().order_by(language)
        with self.reading() as connection:
            return [str(code) for code in connection.execute(query).scalars()]

    def completions(self, typed: str, limit: int = 8) -> list[str]:
        """Return completions of a query, the most frequent words first."""
        start = unfinished_word(typed)
        if not start:
            return []
        query = (
            "SELECT term FROM search_vocabulary WHERE term >= :start AND term < :end"
            " ORDER BY doc DESC, term LIMIT :limit"
        )
        values = {"start": start, "end": start + "\U0010ffff", "limit": limit}
        with self.reading() as connection:
            words = connection.execute(text(query), values).scalars().all()
        return complete(typed, words)

    def did_you_mean(self, typed: str) -> str | None:
        """Return the query with unknown words corrected, or None."""
        with self.reading() as connection:

            def is_known(word: str) -> bool:
                known = text("SELECT doc FROM search_vocabulary WHERE term = :term")
                return connection.execute(known, {"term": word}).scalar() is not None

            def words_like(word: str) -> dict[str, int]:
                query = text(
                    "SELECT term, doc FROM search_vocabulary"
                    " WHERE term >= '0' AND length(term) BETWEEN :size - 2 AND :size + 2"
                )
                rows = connection.execute(query, {"size": len(word)})
                return {row.term: row.doc for row in rows}

            return correct(typed, is_known, words_like)

    def prepare(self) -> None:
        """Rebuild the index if another version built it; the only method that writes."""
        with self.reading() as connection:
            if index_is_current(connection):
                return
        with self.writing() as connection:
            make_index_current(connection)


def _one_a_story(hits: Sequence[Hit], settings: SearchSettings) -> list[Hit]:
    """Return one hit of each story, and those without a story.

    It is the best one or, sorted by time, the earliest: that stays the same with new copies.
    """
    order = hits if settings.is_latest_first else hits[::-1]
    shown = set({hit.story_id or -hit.page_id: hit.page_id for hit in order}.values())
    return [hit for hit in hits if hit.page_id in shown]


def _hit(row: Row[*tuple[Any, ...]]) -> Hit:
    return Hit(page_id=row.page_id, relevance=float(row.relevance), story_id=row.story_id)


def _look_up(connection: Connection, asked: "_Statement", settings: SearchSettings) -> Hits:
    """Return the best candidates whose texts contain the phrases."""
    best: list[Hit] = []
    looked_at = total = 0
    is_counted = True
    candidates = connection.execute(text(asked.finding), asked.values)
    while batch := candidates.fetchmany(LOOKED_AT_ONCE):
        looked_at += len(batch)
        ids = ", ".join(str(row.page_id) for row in batch)
        looking = text(asked.looking.format(page_ids=ids))
        standing = set(connection.execute(looking, asked.values).scalars())
        total += len(standing)
        best += [_hit(row) for row in batch if row.page_id in standing]
        if len(best) >= settings.depth and looked_at >= settings.looked_at:
            is_counted = looked_at == batch[0].total
            break
    is_counted = is_counted and looked_at < asked.candidates
    return Hits(total=total, is_counted=is_counted, best=best[: settings.depth])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """The SQL of a search with its values."""

    counting: str
    """Counts hits, up to one more than `COUNTED`; empty for phrases, which would have to be
    searched in all texts."""
    finding: str
    """Finds the best candidates."""
    looking: str
    """Finds articles whose texts contain the phrases; empty if the index is sufficient."""
    values: dict[str, Any]
    """Values of all statements."""
    candidates: int
    """Maximum number of ranked articles."""


def _statement(connection: Connection, query: Query, settings: SearchSettings) -> _Statement:
    index, ranking = term_index(connection.dialect.name), settings.ranking
    conditions, values = _filters(connection, query, settings)
    in_text = index.in_text(query.required, query.excluded)
    relevance, join = "0.0", ""
    if query.required:
        required = index.required(query.required)
        rank = index.relevance(connection, query.required, ranking)
        conditions.append(required.sql)
        values |= {**required.values, **rank.values}
        relevance, join = rank.sql, index.join
    if query.excluded:
        excluded = index.excluded(query.excluded)
        conditions.append(excluded.sql)
        values |= excluded.values
    if query.required and ranking.half_life:
        half, values["now"] = float(ranking.half_life), now().isoformat()
        relevance = f"({relevance}) * {half} / ({half} + {index.age('now')})"
    by_time = "dated DESC, page_id DESC"
    is_by_time = settings.is_latest_first or not query.required
    most = max(settings.candidates, settings.depth)
    matching = f"FROM search_documents AS d {join} {_where(conditions)}"
    has_phrase = any(len(c.phrase.terms) > 1 for c in (*query.required, *query.excluded))
    counting = f"SELECT count(*) FROM (SELECT d.id {matching} LIMIT {COUNTED + 1}) AS c"  # noqa: S608
    looking = (
        f"SELECT d.page_id FROM search_documents AS d WHERE d.page_id IN ({{page_ids}})"  # noqa: S608
        f" AND {in_text.sql}"
    )
    # names are constants, values are bound
    finding = (
        f"WITH candidates AS MATERIALIZED (SELECT d.id, d.page_id, d.story_id, d.dated, d.length"  # noqa: S608
        f" {matching} ORDER BY {'d.dated DESC, d.page_id DESC' if is_by_time else 'd.id DESC'}"
        f" LIMIT {most}), found AS MATERIALIZED (SELECT d.page_id, d.story_id, d.dated,"
        f" {relevance} AS relevance FROM candidates AS d {join})"
        " SELECT page_id, story_id, relevance, count(*) OVER () AS total FROM found"
        f" ORDER BY {by_time if is_by_time else f'relevance DESC, {by_time}'}"
        f" LIMIT {most if in_text.sql else int(settings.depth)}"
    )
    return _Statement(
        counting="" if has_phrase else counting,
        finding=finding,
        looking=looking if in_text.sql else "",
        values=values | dict(in_text.values),
        candidates=most,
    )


def _where(conditions: Sequence[str]) -> str:
    return " AND ".join(["WHERE true", *filter(None, conditions)])


def _filters(
    connection: Connection, query: Query, settings: SearchSettings
) -> tuple[list[str], dict[str, Any]]:
    conditions, values = [], dict[str, Any]()
    if query.sites or query.excluded_sites or settings.sites:
        ids = ", ".join(map(str, _site_ids(connection, query, settings.sites)))
        conditions.append(f"d.site_id IN ({ids or 'NULL'})")
    if query.languages:
        names = [f"language_{number}" for number, _ in enumerate(query.languages)]
        values.update(zip(names, sorted(query.languages), strict=True))
        conditions.append(f"d.language IN ({', '.join(f':{name}' for name in names)})")
    if settings.mark:
        conditions.append(f"d.page_id {MARKED[settings.mark]}")
    if settings.found_after_run is not None:
        new = "SELECT page_id FROM articles WHERE created_run_id > :found_after_run"
        conditions.append(f"d.page_id IN ({new})")
        values["found_after_run"] = settings.found_after_run
    if settings.found_since is not None:
        new = "SELECT page_id FROM articles WHERE created_at >= :found_since"
        conditions.append(f"d.page_id IN ({new})")
        values["found_since"] = UtcTime().process_bind_param(
            settings.found_since, connection.dialect
        )
    since = query.since
    if since is None and settings.ranking.window:
        since = now().date() - timedelta(days=settings.ranking.window)
    # Times are text that sorts chronologically.
    if since is not None:
        conditions.append("d.dated >= :since")
        values["since"] = f"{since.isoformat()}T00:00:00Z"
    if query.until is not None:
        conditions.append("d.dated <= :until")
        values["until"] = f"{query.until.isoformat()}T23:59:59Z"
    return conditions, values


def _site_ids(connection: Connection, query: Query, chosen: Collection[str]) -> list[int]:
    sites = connection.execute(select(tables.sites.c.id, tables.sites.c.name))
    return [
        site_id
        for site_id, name in sites
        if (not query.sites or _is_of(name, query.sites))
        and (not chosen or name in chosen)
        and not _is_of(name, query.excluded_sites)
    ]


def _is_of(name: str, sites: Collection[str]) -> bool:
    return any(name == site or name.endswith(f".{site}") for site in sites)


def _members(connection: Connection, story_ids: Collection[int]) -> dict[int | None, list[Copy]]:
    """Return the articles of stories, the earliest first."""
    documents, articles = tables.search_documents, tables.articles
    pages, sites = tables.pages, tables.sites
    query = (
        select(
            documents.c.story_id,
            documents.c.page_id,
            sites.c.name.label("site"),
            pages.c.url,
            articles.c.title,
            documents.c.dated,
            documents.c.shared,
        )
        .join_from(documents, articles, documents.c.page_id == articles.c.page_id)
        .join(pages, documents.c.page_id == pages.c.id)
        .join(sites, documents.c.site_id == sites.c.id)
        .order_by(documents.c.dated, documents.c.id)
    )
    found: dict[int | None, list[Copy]] = {}
    for batch in batches(story_ids):
        for row in connection.execute(query.where(documents.c.story_id.in_(batch))):
            values = dict(row._mapping)
            found.setdefault(values.pop("story_id"), []).append(Copy(**values))
    return found


def _summary(row: ArticleRow, query: Query) -> list[Excerpt]:
    return summarise(row.article.body, query.terms, row.article.language)


def _appearance(connection: Connection, row: ArticleRow) -> Appearance:
    pages, runs, versions = tables.pages, tables.runs, tables.article_versions
    edits = select(versions.c.seen_until).where(versions.c.page_id == row.page_id)
    gone = (
        select(runs.c.started_at)
        .join_from(pages, runs, pages.c.run_id == runs.c.id)
        .where(pages.c.id == row.page_id, pages.c.outcome.in_(GONE_OUTCOMES))
    )
    return Appearance(
        key=row.page_id,
        site=row.site,
        url=row.article.url,
        title=row.article.title,
        body=row.article.body,
        first_seen=row.first_seen,
        published=row.article.published,
        edited=tuple(connection.execute(edits.order_by(versions.c.id)).scalars()),
        taken_down=connection.execute(gone).scalar(),
    )


def search_feed(
    search: Search, query: str, settings: SearchSettings, feed: Feed, *, full_text: bool
) -> Feed:
    """Return a feed of the results of a query, the latest first, one entry per story."""
    results = search.find(query, replace(settings, is_latest_first=True)).results
    return replace(feed, entries=[_entry(each, full_text=full_text) for each in results])


def _entry(result: Result, *, full_text: bool) -> Entry:
    article = result.row.article
    published = article.published or result.row.first_seen
    return Entry(
        url=article.url,
        title=article.title,
        summary=" ".join(str(excerpt) for excerpt in result.excerpts),
        published=published,
        updated=max(published, article.modified or published),
        authors=article.authors,
        body=article.body if full_text else "",
        image=article.image,
        language=article.language,
        site=result.row.site,
    )
