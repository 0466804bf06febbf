"""Searches the articles: ranked, one result a story, each with what it says about the query."""

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
from flong.storage.search.index import index_is_current, make_index_current
from flong.storage.search.term_index import term_index

COUNTED = 50_000
"""Articles that fit a query up to which they are counted: of more only that there are as many."""
LOOKED_AT_ONCE = 200
"""Articles whose texts are looked at by one statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How a search is answered."""

    ranking: Ranking = field(default_factory=Ranking)
    """How hits are ordered."""
    limit: int = 20
    """Results at most."""
    depth: int = 100
    """Hits at most that are put together to stories."""
    candidates: int = 10_000
    """Articles with all words of a query, the last that came in, of which the best are found. More
    are counted only; with phrases in the query, not even that."""
    looked_at: int = 500
    """Texts in which phrases are looked for at least, the most relevant first; of more, no longer
    than until `depth` articles are found."""
    is_folded: bool = True
    """Whether the articles of a story are one result."""
    sites: frozenset[str] = frozenset()
    """Names of sites that are searched; empty for all."""
    is_latest_first: bool = False
    """Whether the latest come first, not the best, and of a story the earliest is shown."""
    found_since: datetime | None = None
    """Only articles that were first found then or later; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An article that fits a query."""

    page_id: int
    """Id of its page."""
    relevance: float
    """How well it fits; only the order means something. 0 without words to look for."""
    story_id: int | None
    """The story that it belongs to; None if no other article tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """The articles that fit a query."""

    total: int
    """How many there are."""
    is_counted: bool
    """Whether that is all of them; otherwise there may be more."""
    best: list[Hit]
    """The best of them."""


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
    """How much it shares with the story's first article: containment, .5 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """An article that fits a query, with the others of its story."""

    row: ArticleRow
    """The article, without provenance."""
    relevance: float
    """How well it fits; only the order means something."""
    excerpts: tuple[Excerpt, ...]
    """What it says about the query."""
    story_id: int | None = None
    """The story; None if no other article tells it."""
    copies: tuple[Copy, ...] = ()
    """The other articles of the story, the earliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """What a search found."""

    query: Query
    """The query as it was understood."""
    total: int
    """Articles that fit it."""
    is_counted: bool
    """Whether `total` is all of them; otherwise there may be more."""
    results: tuple[Result, ...]
    """The best of them."""
    suggestion: str | None = None
    """What may have been meant, if nothing fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Articles that are redundant to each other, across all sites."""

    id: int
    """By which it is named; another one after its first article was edited."""
    title: str
    """Headline of its first article."""
    members: tuple[Copy, ...]
    """The articles, the earliest first."""


class Search(Repository):
    """Answers searches."""

    def find(
        self, typed: str, settings: SearchSettings | None = None, *, today: date | None = None
    ) -> SearchResults:
        """Return the articles that fit what was typed, the best first; nothing is an error."""
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
        """Return how many articles fit a query, and the best of them."""
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
        """Return the stories told by most articles, only those of a time on request."""
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
        """Return the story that the article of a page belongs to; None if no other tells it."""
        documents = tables.search_documents
        query = select(documents.c.story_id).where(documents.c.page_id == page_id)
        with self.reading() as connection:
            story_id = connection.execute(query).scalar()
            members = _members(connection, [] if story_id is None else [story_id]).get(story_id)
        if story_id is None or not members:
            return None
        return Story(id=story_id, title=members[0].title, members=tuple(members))

    def lineage(self, story_id: int) -> list[Descent]:
        """Return who had a story first, who copied how much, what became of it."""
        with self.reading() as connection:
            members = _members(connection, [story_id]).get(story_id, [])
            rows = read_articles(connection, [each.page_id for each in members])
            return trace_lineage([_appearance(connection, row) for row in rows])

    def languages(self) -> list[str]:
        """Return the languages that articles are in, by code."""
        language = tables.search_documents.c.language
        query = select(language).where(language.is_not(None)).distinct().order_by(language)
        with self.reading() as connection:
            return [str(code) for code in connection.execute(query).scalars()]

    def completions(self, typed: str, limit: int = 8) -> list[str]:
        """Return what a query that is being typed may become, the most frequent words first."""
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
        """Return the query with words corrected that no article has; None if there are none."""
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
        """Make the index anew if another version made it; the only thing here that writes."""
        with self.reading() as connection:
            if index_is_current(connection):
                return
        with self.writing() as connection:
            make_index_current(connection)


def _one_a_story(hits: Sequence[Hit], settings: SearchSettings) -> list[Hit]:
    """Return one hit of each story, and those that are of none.

    The best, or, of those by time, the earliest: it stays the same when others copy it.
    """
    order = hits if settings.is_latest_first else hits[::-1]
    shown = set({hit.story_id or -hit.page_id: hit.page_id for hit in order}.values())
    return [hit for hit in hits if hit.page_id in shown]


def _hit(row: Row[*tuple[Any, ...]]) -> Hit:
    return Hit(page_id=row.page_id, relevance=float(row.relevance), story_id=row.story_id)


def _look_up(connection: Connection, asked: "_Statement", settings: SearchSettings) -> Hits:
    """Return the hits among the candidates, whose texts are looked at, the best first."""
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
    """Counts the articles that fit, one more than `COUNTED` at most; empty with phrases in it,
    which would have to be looked for in all of them."""
    finding: str
    """Finds the best of the candidates."""
    looking: str
    """Finds those of some articles in whose texts stands what is asked for; empty if the index
    knows all of that."""
    values: dict[str, Any]
    """Of all of them."""
    candidates: int
    """How many articles are ranked at most."""


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
    # names are ours, values are bound
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
    if settings.found_since is not None:
        new = "SELECT page_id FROM articles WHERE created_at >= :found_since"
        conditions.append(f"d.page_id IN ({new})")
        values["found_since"] = UtcTime().process_bind_param(
            settings.found_since, connection.dialect
        )
    since = query.since
    if since is None and settings.ranking.window:
        since = now().date() - timedelta(days=settings.ranking.window)
    # Times are text that sorts as time does.
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
    """Return a feed of what a query finds, the latest first, one entry a story."""
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
