"""Joined texts of multi-page articles.

`articles` has the text of each page. The joined text of all pages is in `article_pages`, in the row
of the first page. Code that changes rows of `articles` does so inside `changing_articles`, which
joins the texts again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, or_, select, update

from flong import features
from flong.article import paragraphs_of, read_blocks, write_blocks
from flong.joining import join_blocks, join_texts
from flong.states import PageRole
from flong.storage import tables
from flong.storage.database import batches

AT_ONCE = 200
"""Number of articles that are changed in one step, and in memory meanwhile."""
IS_PART = """EXISTS (
    SELECT 1 FROM article_pages j WHERE j.page_id = a.page_id AND j.article_id <> j.page_id
)"""
"""SQL condition: the article `a` is a part or a copy of another one."""

_Row = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class PageUrls:
    """Other URLs of an article."""

    pages: tuple[str, ...] = ()
    """All its pages, in order; empty for a single-page article."""
    copies: tuple[str, ...] = ()
    """Its copies."""


def is_part() -> ColumnElement[bool]:
    """Return the condition that an article is a part or a copy of another one."""
    parts, articles = tables.article_pages.alias(), tables.articles
    found = select(parts.c.page_id).where(parts.c.page_id == articles.c.page_id)
    return found.where(parts.c.article_id != parts.c.page_id).correlate(articles).exists()


def joined_body() -> ColumnElement[str | None]:
    """Return the joined text of an article, else its own, given rows of both tables."""
    return func.coalesce(tables.article_pages.c.body, tables.articles.c.body).label("body")


@contextmanager
def changing_articles(connection: Connection, page_ids: Sequence[int]) -> Iterator[None]:
    """Update joined texts, and data of features, after changes to these articles in the block."""
    affected = with_joined(connection, page_ids)
    with ExitStack() as watchers:
        for watch in features.load(features.ARTICLE_WATCHERS):
            watchers.enter_context(watch(connection, affected))
        yield
        join_words(connection, affected)


def forget_articles(connection: Connection, site_id: int) -> None:
    """Delete the articles of a site, in batches."""
    articles = tables.articles
    ours = select(articles.c.page_id).where(articles.c.site_id == site_id)
    for batch in batches(connection.execute(ours).scalars().all(), AT_ONCE):
        with changing_articles(connection, batch):
            connection.execute(delete(articles).where(articles.c.page_id.in_(batch)))


def with_joined(connection: Connection, page_ids: Sequence[int]) -> list[int]:
    """Return these pages, and all pages that share an article with one of them."""
    parts = tables.article_pages
    found = dict.fromkeys(page_ids)
    for article_ids in _articles_with(connection, page_ids):
        found |= dict.fromkeys(article_ids)
        query = select(parts.c.page_id).where(parts.c.article_id.in_(article_ids))
        found |= dict.fromkeys(connection.execute(query.order_by(parts.c.page_id)).scalars())
    return list(found)


def join_words(connection: Connection, page_ids: Sequence[int]) -> None:
    """Join the texts of the articles that these pages belong to.

    Pages of an article without its first page become articles of their own.
    """
    parts, articles = tables.article_pages, tables.articles
    columns = (parts.c.article_id, parts.c.page_id, parts.c.role, parts.c.body.label("joined"))
    query = (
        select(*columns, articles.c.body, articles.c.structure)
        .outerjoin_from(
            parts,
            articles,
            (parts.c.page_id == articles.c.page_id) & articles.c.retired_at.is_(None),
        )
        .order_by(parts.c.article_id, parts.c.position, parts.c.page_id)
    )
    for article_ids in _articles_with(connection, page_ids):
        alive = select(articles.c.page_id).where(articles.c.page_id.in_(article_ids))
        standing = set(connection.execute(alive.where(articles.c.retired_at.is_(None))).scalars())
        gone = delete(parts).where(parts.c.article_id.in_(set(article_ids) - standing))
        connection.execute(gone)
        rows = connection.execute(query.where(parts.c.article_id.in_(standing))).all()
        for article_id, members in groupby(rows, key=lambda row: row.article_id):
            _join(connection, article_id, list(members))


def page_urls(connection: Connection, page_ids: Sequence[int]) -> Mapping[int, PageUrls]:
    """Return the other URLs of the articles of these pages, by page."""
    parts, pages = tables.article_pages, tables.pages
    query = (
        select(parts.c.article_id, parts.c.role, pages.c.url)
        .join_from(parts, pages, parts.c.page_id == pages.c.id)
        .order_by(parts.c.article_id, parts.c.position, pages.c.url)
    )
    found: dict[int, PageUrls] = {}
    for batch in batches(page_ids):
        rows = connection.execute(query.where(parts.c.article_id.in_(batch))).all()
        for article_id, members in groupby(rows, key=lambda row: row.article_id):
            found[article_id] = _urls(list(members))
    return found


def _urls(rows: Sequence[_Row]) -> PageUrls:
    pages = tuple(row.url for row in rows if row.role is PageRole.PAGE)
    copies = tuple(row.url for row in rows if row.role is PageRole.COPY)
    return PageUrls(pages, copies)


def _articles_with(connection: Connection, page_ids: Sequence[int]) -> Iterable[list[int]]:
    """Yield batches of multi-page articles that these pages belong to."""
    parts = tables.article_pages
    for batch in batches(page_ids):
        theirs = or_(parts.c.page_id.in_(batch), parts.c.article_id.in_(batch))
        found = connection.execute(select(parts.c.article_id).where(theirs).distinct()).scalars()
        if article_ids := sorted(found):
            yield article_ids


def _join(connection: Connection, article_id: int, members: Sequence[_Row]) -> None:
    pages = [row for row in members if row.role is PageRole.PAGE and row.body is not None]
    body = structure = None
    if len(pages) > 1:
        body = join_texts([row.body for row in pages])
        structure = _join_structures(pages)
    elif all(row.joined is None for row in members):
        return  # such as an article with only copies
    parts = tables.article_pages
    first = update(parts).where(parts.c.page_id == article_id, parts.c.article_id == article_id)
    connection.execute(first.values(body=body, structure=structure))


def _join_structures(pages: Sequence[_Row]) -> str | None:
    if not any(row.structure for row in pages):
        return None
    blocks = [
        read_blocks(row.structure) if row.structure else paragraphs_of(row.body) for row in pages
    ]
    return write_blocks(join_blocks(blocks))
