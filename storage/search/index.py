"""The search index, kept current with the articles, and the search for near-duplicates.

The index is written in the transaction that writes the article: `keep_index` is one of
`flong.features.ARTICLE_WATCHERS`. An index of another version of the folding function, or of an
older database, is rebuilt.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    type_coerce,
    update,
)

from flong.search import (
    FOLDING,
    IndexedWords,
    Membership,
    Signatures,
    assign,
)
from flong.storage import tables
from flong.storage.columns import UtcTime, now
from flong.storage.database import Repository, batches
from flong.storage.joined_words import is_part, joined_body
from flong.storage.search.term_index import TermIndex, term_index
from flong.storage.store import Store

AT_ONCE = 200
"""Number of articles in memory while many are indexed."""
COMPARED_AT_ONCE = 5000
"""Number of articles that are compared in one transaction."""

_Row = Row[*tuple[Any, ...]]


@contextmanager
def keep_index(connection: Connection, page_ids: Sequence[int]) -> Iterator[None]:
    """Update the index after changes to the articles of these pages in the block.

    An article with the same words keeps its place in the index and its story.
    """
    make_index_current(connection)
    before = _articles(connection, page_ids)
    yield
    after = _articles(connection, page_ids)
    documents = _documents(connection, page_ids)
    same = {
        key: row
        for key, row in documents.items()
        if key in after and _words(after[key]).digest == row.digest
    }
    _forget(connection, [row for key, row in documents.items() if key not in same], before)
    _add(connection, [row for key, row in after.items() if key not in same])
    changed = [key for key, row in same.items() if _values(row) != _values(after[key])]
    _update(connection, [after[key] for key in changed])


def index_is_current(connection: Connection) -> bool:
    """Return True if this version of the folding function built the index."""
    return connection.execute(select(tables.search_version.c.folding)).scalar() == FOLDING


def make_index_current(connection: Connection) -> None:
    """Rebuild the index if another version built it, or none did."""
    if not index_is_current(connection):
        rebuild_index(connection)


def rebuild_index(connection: Connection) -> None:
    """Rebuild the index from the articles, without stories."""
    _index(connection).clear(connection)
    for table in (tables.search_documents, tables.stories, tables.search_version):
        connection.execute(delete(table))
    articles = tables.articles
    page_ids = connection.execute(select(articles.c.page_id).order_by(articles.c.page_id)).scalars()
    for batch in batches(page_ids.all(), AT_ONCE):
        _add(connection, _articles(connection, batch).values())
    connection.execute(insert(tables.search_version).values(folding=FOLDING))


def find_stories(store: Store) -> None:
    """Find the stories of new and changed articles."""
    store.retry_while_busy(SearchIndex(store).find_stories)


def rebuild(store: Store) -> None:
    """Rebuild the search index and the stories of a copied database."""
    SearchIndex(store).rebuild()


class SearchIndex(Repository):
    """Rebuilds the search index and finds near-duplicates."""

    def rebuild(self) -> None:
        """Rebuild the search index from the articles, with stories."""
        with self.writing() as connection:
            rebuild_index(connection)
        self.find_stories()

    def find_stories(self) -> int:
        """Compare new and changed articles with all others; return the number of compared ones."""
        compared = 0
        while self._are_waiting():
            compared += self._find_stories()
        if compared:
            self.refresh_vocabulary()
        return compared

    def refresh_vocabulary(self) -> None:
        """Add new words to suggestions; on SQLite they are there immediately."""
        with self.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("REFRESH MATERIALIZED VIEW search_vocabulary"))

    def _are_waiting(self) -> bool:
        documents = tables.search_documents
        waiting = select(documents.c.id).where(documents.c.is_compared.in_([False])).limit(1)
        with self.reading() as connection:
            return connection.execute(waiting).first() is not None

    def _find_stories(self) -> int:
        documents = tables.search_documents
        with self.writing() as connection:
            make_index_current(connection)
            if connection.dialect.name == "postgresql":
                # On SQLite there is only one writer.
                connection.execute(text("LOCK TABLE stories IN SHARE ROW EXCLUSIVE MODE"))
            query = select(documents.c.page_id, documents.c.signature)
            waiting = query.where(documents.c.is_compared.in_([False])).order_by(documents.c.id)
            rows = connection.execute(waiting.limit(COMPARED_AT_ONCE))
            new = [(row.page_id, row.signature) for row in rows]
            everything = connection.execute(query)
            known = Signatures({row.page_id: row.signature for row in everything})
            stories = _representatives(connection)
            _join(connection, assign(new, known, stories, _reader(connection)))
            for batch in batches([page_id for page_id, _ in new]):
                these = update(documents).where(documents.c.page_id.in_(batch))
                connection.execute(these.values(is_compared=True))
        return len(new)


def _representatives(connection: Connection) -> Mapping[int, int]:
    """Return the representative of each compared article; itself if it has no story."""
    documents, stories = tables.search_documents, tables.stories
    first = func.coalesce(stories.c.representative_id, documents.c.page_id).label("first")
    query = (
        select(documents.c.page_id, first)
        .outerjoin_from(documents, stories, documents.c.story_id == stories.c.id)
        .where(documents.c.is_compared.in_([True]))
    )
    return {row.page_id: row.first for row in connection.execute(query)}


def _reader(connection: Connection) -> Callable[[int], str]:
    articles, parts = tables.articles, tables.article_pages
    query = select(joined_body()).outerjoin_from(
        articles, parts, articles.c.page_id == parts.c.page_id
    )
    query = query.where(articles.c.page_id == bindparam("page"))

    def body(page_id: int) -> str:
        return connection.execute(query, {"page": page_id}).scalar() or ""

    return body


def _join(connection: Connection, joined: Sequence[Membership]) -> None:
    """Store the stories of articles; a new representative begins a new story."""
    documents, stories = tables.search_documents, tables.stories
    ids = {row.representative_id: row.id for row in connection.execute(select(stories))}
    firsts = {each.representative: now() for each in joined if each.representative not in ids}
    if firsts:
        rows = [{"representative_id": key, "created_at": time} for key, time in firsts.items()]
        begun = insert(stories).returning(stories.c.representative_id, stories.c.id)
        ids |= {row.representative_id: row.id for row in connection.execute(begun, rows)}
    entered = [{"page": key, "story": ids[key], "share": 1.0} for key in firsts]
    entered += [
        {"page": each.key, "story": ids[each.representative], "share": each.shared}
        for each in joined
    ]
    if entered:
        these = update(documents).where(documents.c.page_id == bindparam("page"))
        change = these.values(story_id=bindparam("story"), shared=bindparam("share"))
        connection.execute(change, entered)


def _articles(connection: Connection, page_ids: Sequence[int]) -> dict[int, _Row]:
    articles, pages, parts = tables.articles, tables.pages, tables.article_pages
    dated = func.coalesce(articles.c.published, pages.c.first_seen, type_=UtcTime).label("dated")
    query = select(
        articles.c.page_id,
        articles.c.site_id,
        articles.c.title,
        type_coerce(articles.c.authors, Text).label("authors"),
        articles.c.section,
        articles.c.language,
        dated,
        joined_body(),
    ).join_from(articles, pages, articles.c.page_id == pages.c.id)
    query = query.outerjoin(parts, articles.c.page_id == parts.c.page_id)
    query = query.where(articles.c.retired_at.is_(None), ~is_part())
    found: dict[int, _Row] = {}
    for batch in batches(page_ids):
        rows = connection.execute(query.where(articles.c.page_id.in_(batch))).all()
        found |= {row.page_id: row for row in rows}
    return found


def _documents(connection: Connection, page_ids: Sequence[int]) -> dict[int, _Row]:
    documents = tables.search_documents
    query = select(
        documents.c.id,
        documents.c.page_id,
        documents.c.dated,
        documents.c.language,
        documents.c.story_id,
        documents.c.digest,
    )
    found: dict[int, _Row] = {}
    for batch in batches(page_ids):
        rows = connection.execute(query.where(documents.c.page_id.in_(batch))).all()
        found |= {row.page_id: row for row in rows}
    return found


def _values(row: _Row) -> tuple[Any, ...]:
    return row.dated, row.language


def _words(article: _Row) -> IndexedWords:
    return IndexedWords(article.title, article.authors, article.section or "", article.body)


def _index(connection: Connection) -> TermIndex:
    return term_index(connection.dialect.name)


def _forget(connection: Connection, gone: Sequence[_Row], before: Mapping[int, _Row]) -> None:
    """Remove documents; compare those again that lose their representative."""
    documents, stories = tables.search_documents, tables.stories
    # Without the indexed text the entry stays, under an id that no document has any more.
    words = {row.id: _words(before[row.page_id]) for row in gone if row.page_id in before}
    digests = {row.id: row.digest for row in gone}
    removable = {key: each for key, each in words.items() if each.digest == digests[key]}
    _index(connection).remove(connection, removable)
    for batch in batches([row.page_id for row in gone]):
        led = select(stories.c.id).where(stories.c.representative_id.in_(batch))
        again = update(documents).where(documents.c.story_id.in_(led))
        connection.execute(again.values(story_id=None, shared=None, is_compared=False))
        connection.execute(delete(stories).where(stories.c.representative_id.in_(batch)))
        connection.execute(delete(documents).where(documents.c.page_id.in_(batch)))
    _end_stories(connection, {row.story_id for row in gone if row.story_id is not None})


def _end_stories(connection: Connection, story_ids: Collection[int]) -> None:
    """Delete those of these stories that have one member left."""
    documents, stories = tables.search_documents, tables.stories
    for batch in batches(story_ids):
        members = select(documents.c.story_id).where(documents.c.story_id.in_(batch))
        left = members.group_by(documents.c.story_id).having(func.count() > 1)
        kept = set(connection.execute(left).scalars())
        ended = delete(stories).where(stories.c.id.in_(set(batch) - kept))
        connection.execute(ended)


def _update(connection: Connection, articles: Sequence[_Row]) -> None:
    """Update the columns of documents whose words are the same."""
    documents = tables.search_documents
    for row in articles:
        these = update(documents).where(documents.c.page_id == row.page_id)
        connection.execute(these.values(dated=row.dated, language=row.language))


def _add(connection: Connection, articles: Iterable[_Row]) -> None:
    documents, index = tables.search_documents, _index(connection)
    added, rows = {}, []
    for row in articles:
        entry = added[row.page_id] = index.entry_of(_words(row))
        rows.append(
            {
                "page_id": row.page_id,
                "site_id": row.site_id,
                "dated": row.dated,
                "language": row.language,
                "length": entry.length,
                "is_compared": False,
                "digest": entry.digest,
                "signature": entry.signature,
            }
        )
    if rows:
        # One statement for all rows: single ones would take most of the time.
        insertion = insert(documents).returning(documents.c.page_id, documents.c.id)
        ids = connection.execute(insertion, rows)
        index.add(connection, {row.id: added[row.page_id] for row in ids})
