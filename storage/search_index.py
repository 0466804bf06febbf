"""Keeps the search index in step with the articles, and finds which ones tell one story.

What an article is found by is written in the transaction that writes the article: whoever
changes rows of `articles` does so inside `keep_index`. An index that another version of the
folding function made, or an older database, is made anew by itself.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, text, update

from search import FOLDING, Membership, Signatures, assign, index_terms, signature
from storage import tables
from storage.columns import UtcTime, now
from storage.database import Repository, batches
from storage.joined_words import is_part, join_words, joined_body, with_joined
from storage.term_index import IndexedArticle, term_index

AT_ONCE = 200
"""Articles that are in memory while many are indexed."""
COMPARED_AT_ONCE = 5000
"""Articles whose stories are found in one transaction."""

_Row = Row[*tuple[Any, ...]]


@contextmanager
def keep_index(connection: Connection, page_ids: Sequence[int]) -> Iterator[None]:
    """Bring the index up to date with what is done to the articles of these pages inside.

    An article whose words stay the same keeps its place in the index and its story. The words of
    one that is spread over several pages are joined anew.
    """
    make_index_current(connection)
    page_ids = with_joined(connection, page_ids)
    before = _articles(connection, page_ids)
    yield
    join_words(connection, page_ids)
    after = _articles(connection, page_ids)
    documents = _documents(connection, page_ids)
    same = {
        key: row
        for key, row in documents.items()
        if key in after and _digest(after[key]) == row.digest
    }
    _forget(connection, [row for key, row in documents.items() if key not in same], before)
    _add(connection, [row for key, row in after.items() if key not in same])
    changed = [key for key, row in same.items() if _values(row) != _values(after[key])]
    _update(connection, [after[key] for key in changed])


def forget_articles(connection: Connection, site_id: int) -> None:
    """Delete the articles of a site with all that they are found by, some at a time."""
    articles = tables.articles
    ours = select(articles.c.page_id).where(articles.c.site_id == site_id)
    for batch in batches(connection.execute(ours).scalars().all(), AT_ONCE):
        with keep_index(connection, batch):
            connection.execute(delete(articles).where(articles.c.page_id.in_(batch)))


def index_is_current(connection: Connection) -> bool:
    """Tell whether this version of the folding function made the index."""
    return connection.execute(select(tables.search_version.c.folding)).scalar() == FOLDING


def make_index_current(connection: Connection) -> None:
    """Make the index anew if it was made by another version, or never."""
    if not index_is_current(connection):
        rebuild_index(connection)


def rebuild_index(connection: Connection) -> None:
    """Make the index anew from the articles; their stories are found afterwards."""
    term_index(connection).clear(connection)
    for table in (tables.search_documents, tables.stories, tables.search_version):
        connection.execute(delete(table))
    articles = tables.articles
    page_ids = connection.execute(select(articles.c.page_id).order_by(articles.c.page_id)).scalars()
    for batch in batches(page_ids.all(), AT_ONCE):
        _add(connection, _articles(connection, batch).values())
    connection.execute(insert(tables.search_version).values(folding=FOLDING))


class SearchIndex(Repository):
    """Finds which articles tell one story."""

    def rebuild(self) -> None:
        """Make the search index anew from the articles, and find their stories again."""
        with self.writing() as connection:
            rebuild_index(connection)
        self.find_stories()

    def find_stories(self) -> int:
        """Compare the articles that came in or changed with all others; return how many."""
        compared = 0
        while self._are_waiting():
            compared += self._find_stories()
        if compared:
            self.refresh_vocabulary()
        return compared

    def refresh_vocabulary(self) -> None:
        """Let suggestions know new words; SQLite knows them at once."""
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
                # Elsewhere a writer is alone anyway.
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
    """Return the representative of each article that was compared, itself if it is alone."""
    documents, stories = tables.search_documents, tables.stories
    first = func.coalesce(stories.c.representative_id, documents.c.page_id).label("first")
    query = (
        select(documents.c.page_id, first)
        .outerjoin_from(documents, stories, documents.c.story_id == stories.c.id)
        .where(documents.c.is_compared.in_([True]))
    )
    return {row.page_id: row.first for row in connection.execute(query)}


def _reader(connection: Connection) -> Callable[[int], str]:
    def body(page_id: int) -> str:
        articles, parts = tables.articles, tables.article_pages
        query = select(joined_body()).outerjoin_from(
            articles, parts, articles.c.page_id == parts.c.page_id
        )
        query = query.where(articles.c.page_id == page_id)
        return connection.execute(query).scalar() or ""

    return body


def _join(connection: Connection, joined: Sequence[Membership]) -> None:
    stories = tables.stories
    ids = {row.representative_id: row.id for row in connection.execute(select(stories))}
    for each in joined:
        first = each.representative
        if first not in ids:
            row = insert(stories).values(representative_id=first, created_at=now())
            ids[first] = connection.execute(row.returning(stories.c.id)).scalar_one()
            _enter(connection, first, ids[first], 1.0)
        _enter(connection, each.key, ids[first], each.shared)


def _enter(connection: Connection, page_id: int, story_id: int, shared: float) -> None:
    documents = tables.search_documents
    row = update(documents).where(documents.c.page_id == page_id)
    connection.execute(row.values(story_id=story_id, shared=shared))


def _articles(connection: Connection, page_ids: Sequence[int]) -> dict[int, _Row]:
    articles, pages, parts = tables.articles, tables.pages, tables.article_pages
    dated = func.coalesce(articles.c.published, pages.c.first_seen, type_=UtcTime).label("dated")
    query = select(
        articles.c.page_id,
        articles.c.site_id,
        articles.c.title,
        articles.c.authors,
        articles.c.section,
        articles.c.language,
        dated,
        joined_body(),
    ).join_from(articles, pages, articles.c.page_id == pages.c.id)
    query = query.outerjoin(parts, articles.c.page_id == parts.c.page_id)
    query = query.where(articles.c.retired_at.is_(None), ~is_part())
    found = {}
    for batch in batches(page_ids):
        for row in connection.execute(query.where(articles.c.page_id.in_(batch))):
            found[row.page_id] = row
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
    found = {}
    for batch in batches(page_ids):
        for row in connection.execute(query.where(documents.c.page_id.in_(batch))):
            found[row.page_id] = row
    return found


def _values(row: _Row) -> tuple[Any, ...]:
    return row.dated, row.language


def _digest(article: _Row) -> bytes:
    words = "\0".join((article.title, article.authors, article.section or "", article.body))
    return blake2b(words.encode(), digest_size=8).digest()


def _document(document_id: int, article: _Row) -> IndexedArticle:
    return IndexedArticle(
        id=document_id,
        title=index_terms(article.title),
        body=index_terms(article.body),
        authors=index_terms(article.authors),
        section=index_terms(article.section or ""),
    )


def _forget(connection: Connection, gone: Sequence[_Row], before: Mapping[int, _Row]) -> None:
    """Take documents out; those whose representative goes are compared again."""
    documents, stories = tables.search_documents, tables.stories
    # Without the very text that was indexed it is left there: nobody finds it by its old id.
    removable = [
        _document(row.id, before[row.page_id])
        for row in gone
        if row.page_id in before and _digest(before[row.page_id]) == row.digest
    ]
    term_index(connection).remove(connection, removable)
    for batch in batches([row.page_id for row in gone]):
        led = select(stories.c.id).where(stories.c.representative_id.in_(batch))
        again = update(documents).where(documents.c.story_id.in_(led))
        connection.execute(again.values(story_id=None, shared=None, is_compared=False))
        connection.execute(delete(stories).where(stories.c.representative_id.in_(batch)))
        connection.execute(delete(documents).where(documents.c.page_id.in_(batch)))
    _end_stories(connection, {row.story_id for row in gone if row.story_id is not None})


def _end_stories(connection: Connection, story_ids: Collection[int]) -> None:
    """Forget those of these stories that have one member left."""
    documents, stories = tables.search_documents, tables.stories
    for batch in batches(story_ids):
        members = select(documents.c.story_id).where(documents.c.story_id.in_(batch))
        left = members.group_by(documents.c.story_id).having(func.count() > 1)
        kept = set(connection.execute(left).scalars())
        ended = delete(stories).where(stories.c.id.in_(set(batch) - kept))
        connection.execute(ended)


def _update(connection: Connection, articles: Sequence[_Row]) -> None:
    """Give documents whose words are the same the other values of their articles."""
    documents = tables.search_documents
    for row in articles:
        these = update(documents).where(documents.c.page_id == row.page_id)
        connection.execute(these.values(dated=row.dated, language=row.language))


def _add(connection: Connection, articles: Iterable[_Row]) -> None:
    documents, rows, added = tables.search_documents, [], {}
    for row in articles:
        document = added[row.page_id] = _document(0, row)
        rows.append(
            {
                "page_id": row.page_id,
                "site_id": row.site_id,
                "dated": row.dated,
                "language": row.language,
                "length": len(document.body),
                "is_compared": False,
                "digest": _digest(row),
                "signature": signature(document.body),
            }
        )
    if rows:
        # One statement for all: one for each would take longer than all the rest.
        insertion = insert(documents).returning(documents.c.page_id, documents.c.id)
        ids = connection.execute(insertion, rows)
        numbered = [replace(added[row.page_id], id=row.id) for row in ids]
        term_index(connection).add(connection, numbered)
