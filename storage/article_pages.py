"""Which pages belong to the article of another page: further pages of a story, and copies."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Select, delete, insert, select

from flong.page import Link
from flong.states import Kept, PageRole
from flong.storage import tables
from flong.storage.columns import from_row, to_row
from flong.storage.compression import Codec
from flong.storage.database import Connections, Repository, batches
from flong.storage.dictionaries import Dictionaries
from flong.storage.joined_words import AT_ONCE, changing_articles
from flong.storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedPage:
    """A page that belongs to an article of several."""

    page_id: int
    """Its id."""
    article_id: int
    """Id of the page whose article it belongs to; its own if it is the first of several."""
    position: int
    """Its place among the pages, from 1; 0 for a copy."""
    role: PageRole
    """What it is to the article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TitledPage:
    """A page with an article, by its names."""

    page_id: int
    """Its id."""
    url: str
    """Its URL."""
    title: str
    """The headline."""
    canonical_url: str | None
    """The URL that it names as its own; None if it names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """A page with an article, and all that says whether it belongs to another one."""

    page_id: int
    """Its id."""
    url: str
    """Its URL."""
    title: str
    """The headline."""
    canonical_url: str | None
    """The URL that it names as its own; None if it names none."""
    body: str
    """The words that it gives itself."""
    published: datetime | None
    """When it was published; None if that is not known."""
    pattern_id: int | None
    """The pattern that gave its article; None if none did."""
    structure: str | None
    """Its blocks, as `items.read_blocks` reads them; None if they were not read."""
    is_shown: bool
    """Whether the stored document is the one that gave the article."""
    links: Iterable[Link]
    """Where it leads; stored links are unpacked each time that somebody asks."""


@dataclass(frozen=True, slots=True)
class _PackedLinks:
    """Links as they are stored, and what unpacks them."""

    codec: Codec
    packed: bytes

    def __iter__(self) -> Iterator[Link]:
        return iter(self.codec.unpack_links(self.packed))


class ArticlePages(Repository):
    """Reads and writes which pages belong together."""

    def __init__(self, database: Connections, dictionaries: Dictionaries) -> None:
        super().__init__(database)
        self._codec = dictionaries.codec

    def titles(self, site: Site) -> list[TitledPage]:
        """Return the pages of a site that have an article, by id."""
        articles, pages = tables.articles, tables.pages
        return self._read(
            TitledPage,
            _standing(
                select(
                    articles.c.page_id, pages.c.url, articles.c.title, articles.c.canonical_url
                ).where(articles.c.site_id == site.id)
            ),
        )

    def read(self, page_ids: Sequence[int]) -> list[ReadPage]:
        """Return those of these pages that have an article, by id."""
        articles, pages, matches = tables.articles, tables.pages, tables.matches
        query = _standing(
            select(
                articles.c.page_id,
                pages.c.url,
                articles.c.title,
                articles.c.canonical_url,
                articles.c.body,
                articles.c.published,
                articles.c.structure,
                articles.c.pattern_id,
                articles.c.content_hash.label("article_hash"),
                pages.c.content_hash,
                matches.c.kept,
                pages.c.dictionary_id,
                pages.c.links.label("packed"),
            )
        ).outerjoin(matches, articles.c.page_id == matches.c.page_id)
        found = []
        with self.reading() as connection:
            for batch in batches(page_ids):
                for row in connection.execute(query.where(articles.c.page_id.in_(batch))).all():
                    links = self._links(connection, row.dictionary_id, row.packed)
                    is_shown = row.article_hash == row.content_hash and row.kept in (
                        None, Kept.NONE,
                    )  # fmt: skip
                    found.append(from_row(ReadPage, row, links=links, is_shown=is_shown))
        return found

    def of(self, site: Site) -> list[JoinedPage]:
        """Return which pages of a site belong together, by id."""
        parts, pages = tables.article_pages, tables.pages
        query = select(parts).join_from(parts, pages, parts.c.page_id == pages.c.id)
        return self._read(
            JoinedPage, query.where(pages.c.site_id == site.id).order_by(parts.c.page_id)
        )

    def save(self, site: Site, rows: Sequence[JoinedPage]) -> None:
        """Let these pages of a site belong together, and no others, in one transaction.

        The words of articles and what they are found by follow.
        """
        parts = tables.article_pages
        with self.writing() as connection:
            before = {row.page_id: row for row in self.of(site)}
            after = {row.page_id: row for row in rows}
            changed = [key for key in {*before, *after} if before.get(key) != after.get(key)]
            # Those of an article are in one batch, or in the next: few articles are made twice.
            changed.sort(key=lambda key: ((after.get(key) or before[key]).article_id, key))
            for batch in batches(changed, AT_ONCE):
                told = [rows[key] for rows in (before, after) for key in batch if key in rows]
                touched = {row.article_id for row in told}
                with changing_articles(connection, sorted({*batch, *touched})):
                    connection.execute(delete(parts).where(parts.c.page_id.in_(batch)))
                    new = [to_row(after[key]) for key in batch if key in after]
                    if new:
                        connection.execute(insert(parts), new)

    def _links(
        self, connection: Connection, dictionary: int | None, packed: bytes | None
    ) -> Iterable[Link]:
        return () if packed is None else _PackedLinks(self._codec(connection, dictionary), packed)


def _standing(query: Select[*tuple[object, ...]]) -> Select[*tuple[object, ...]]:
    """Ask for articles that are not retired, with their pages."""
    articles, pages = tables.articles, tables.pages
    joined = query.join_from(articles, pages, articles.c.page_id == pages.c.id)
    return joined.where(articles.c.retired_at.is_(None)).order_by(articles.c.page_id)
