"""Anchors: what links, feeds and sitemaps call a page, and how often."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from flong.page import Mention
from flong.storage import tables
from flong.storage.columns import clean_text, from_row, to_row
from flong.storage.database import Connections, Repository, batches, upsert
from flong.storage.dictionaries import Dictionaries
from flong.storage.errors import UnreadableDatabase
from flong.storage.sites import Site

MAX_TEXT = 500
"""Characters of a text that are kept; headlines are shorter, teasers are cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorRow:
    """What others call a page."""

    url: str
    """Canonical URL of the page that is meant; it need not be stored."""
    text: str
    """The words of the link, or the title in a feed or sitemap; may be empty."""
    source: str
    """`link`, `feed`, `sitemap` or `news`."""
    pages: int
    """From how many other pages of the site it is linked so; 1 for feeds and sitemaps."""
    published: datetime | None
    """When a feed or sitemap says it was published; None for links and if it does not say."""


class Anchors(Repository):
    """Gathers what pages are called."""

    def __init__(self, database: Connections, dictionaries: Dictionaries) -> None:
        super().__init__(database)
        self._codec = dictionaries.codec

    def save_mentions(self, site: Site, mentions: Sequence[Mention]) -> None:
        """Store what feeds and sitemaps say; saving it again changes nothing."""
        rows = {}
        for mention in mentions:
            text = clean_text(mention.title)[:MAX_TEXT]
            key = (clean_text(mention.url), mention.source, text)
            rows[key] = {"site_id": site.id, "url": key[0], "source": key[1], "text": key[2]}
            rows[key] |= {"pages": 1, "published": mention.published}
        with self.writing() as connection:
            for batch in batches(rows.values()):
                upsert(connection, tables.anchors, batch, key=("site_id", "url", "source", "text"))

    def rebuild(self, site: Site) -> None:
        """Count anew, over all stored pages, which links name a page how."""
        anchors = tables.anchors
        with self.writing() as connection:
            counts = self._count_links(connection, site)
            old = delete(anchors).where(anchors.c.site_id == site.id, anchors.c.source == "link")
            connection.execute(old)
            shared = {"site_id": site.id, "source": "link", "published": None}
            for batch in batches(counts.items()):
                rows = [
                    shared | {"url": url, "text": text, "pages": pages}
                    for (url, text), pages in batch
                ]
                connection.execute(insert(anchors), rows)

    def of(self, site: Site, urls: Iterable[str] | None = None) -> Iterator[AnchorRow]:
        """Stream what the pages of a site are called, all or these, those of one after another."""
        anchors = tables.anchors
        query = select(anchors).where(anchors.c.site_id == site.id)
        query = query.order_by(anchors.c.url, anchors.c.source, anchors.c.text)
        some = [] if urls is None else [anchors.c.url.in_(batch) for batch in batches(urls)]
        for chosen in [query] if urls is None else map(query.where, some):
            with self.reading() as connection:
                rows = connection.execute(chosen).all()
            for row in rows:
                yield from_row(AnchorRow, row)

    def _count_links(self, connection: Connection, site: Site) -> Counter[tuple[str, str]]:
        pages = tables.pages
        query = (
            select(pages.c.url, pages.c.dictionary_id, pages.c.links)
            .where(pages.c.site_id == site.id, pages.c.links.is_not(None))
            .execution_options(yield_per=200)
        )
        counts: Counter[tuple[str, str]] = Counter()
        for url, dictionary, links in connection.execute(query):
            try:
                found = self._codec(connection, dictionary).unpack_links(links or b"")
            except UnreadableDatabase:  # a page that is damaged leads nowhere
                continue
            counts.update((link.url, link.text[:MAX_TEXT]) for link in found if link.url != url)
        return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A URL that was asked for and gave nothing to keep."""

    url: str
    """Canonical URL."""
    target: str | None
    """Where the page is that it stands for; None if there is none, as behind a picture."""
    is_page: bool
    """Whether there is a page with links of its own; a redirect has none."""
    checked_at: datetime
    """When it was last asked for."""


class Aliases(Repository):
    """Writes and reads aliases."""

    def save(self, site: Site, aliases: Sequence[Alias]) -> None:
        """Store where URLs lead; what was known of them is replaced."""
        rows = [{"site_id": site.id} | to_row(alias) for alias in aliases]
        with self.writing() as connection:
            for batch in batches(rows):
                upsert(connection, tables.aliases, batch, key=("site_id", "url"))

    def of(self, site: Site) -> list[Alias]:
        """Return all aliases of a site, by URL."""
        aliases = tables.aliases
        query = select(aliases).where(aliases.c.site_id == site.id).order_by(aliases.c.url)
        return self._read(Alias, query)
