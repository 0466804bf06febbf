"""Links between pages, their anchor texts, and aliases of URLs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from flong.page import Anchor, Link, Mention
from flong.storage import tables
from flong.storage.columns import clean_text, from_row, to_row
from flong.storage.database import Connections, Repository, batches, upsert
from flong.storage.documents import Documents
from flong.storage.errors import UnreadableDatabase
from flong.storage.tables import Alias, AnchorRow, Run, Site

MAX_TEXT = 500
"""Maximum number of characters of an anchor text; headlines are shorter, teasers are cut."""


class Links(Repository):
    """Writes and reads links, anchor texts and aliases."""

    def __init__(self, database: Connections, documents: Documents) -> None:
        super().__init__(database)
        self._codec = documents.codec

    def save_mentions(self, site: Site, mentions: Sequence[Mention]) -> None:
        """Store titles of feeds and sitemaps; storing them again changes nothing."""
        rows = {}
        for mention in mentions:
            text = clean_text(mention.title)[:MAX_TEXT]
            key = (clean_text(mention.url), mention.source, text)
            rows[key] = {"site_id": site.id, "url": key[0], "source": key[1], "text": key[2]}
            rows[key] |= {"pages": 1, "published": mention.published}
        with self.writing() as connection:
            for batch in batches(rows.values()):
                upsert(connection, tables.anchors, batch, key=("site_id", "url", "source", "text"))

    def rebuild_anchors(self, site: Site) -> None:
        """Count the link texts of all stored pages again."""
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

    def anchors(self, site: Site, urls: Iterable[str] | None = None) -> Iterator[AnchorRow]:
        """Stream the anchor texts of a site, grouped by page; `urls` selects pages."""
        anchors = tables.anchors
        query = select(anchors).where(anchors.c.site_id == site.id)
        query = query.order_by(anchors.c.url, anchors.c.source, anchors.c.text)
        some = [] if urls is None else [anchors.c.url.in_(batch) for batch in batches(urls)]
        for chosen in [query] if urls is None else map(query.where, some):
            with self.reading() as connection:
                rows = connection.execute(chosen).all()
            for row in rows:
                yield from_row(AnchorRow, row)

    def anchors_by_url(
        self, site: Site, urls: Iterable[str] | None = None
    ) -> defaultdict[str, list[Anchor]]:
        """Return the nonempty anchor texts of a site's pages by URL; `urls` selects pages."""
        found: defaultdict[str, list[Anchor]] = defaultdict(list)
        for row in self.anchors(site, urls):
            if row.text:
                found[row.url].append(Anchor(row.text, row.pages, row.source))
        return found

    def save_aliases(self, site: Site, crawl: Run, aliases: Sequence[Alias]) -> None:
        """Store the targets of URLs in place of earlier ones."""
        rows = [{"site_id": site.id, "run_id": crawl.id} | to_row(alias) for alias in aliases]
        with self.writing() as connection:
            for batch in batches(rows):
                upsert(connection, tables.aliases, batch, key=("site_id", "url"))

    def aliases(self, site: Site) -> list[Alias]:
        """Return all aliases of a site, by URL."""
        aliases = tables.aliases
        query = select(aliases).where(aliases.c.site_id == site.id).order_by(aliases.c.url)
        return self._read(Alias, query)

    def known_links(self, site: Site) -> dict[str, list[str]]:
        """Return the URLs that the pages of a site link to, by the URL of the page.

        Equal URLs are the same string object, which saves memory on large sites.
        """
        pages = tables.pages
        query = select(pages.c.url, pages.c.dictionary_id, pages.c.links)
        query = query.where(pages.c.site_id == site.id)
        one: dict[str, str] = {}
        known = {}
        with self.reading() as connection:
            for url, dictionary_id, links in connection.execute(query):
                if links is None:
                    continue
                with suppress(UnreadableDatabase):  # a damaged page has no links
                    found = self._codec(connection, dictionary_id).unpack_urls(links)
                    known[url] = [one.setdefault(link, link) for link in found]
        return known

    def links_at(self, site: Site, url: str) -> tuple[Link, ...]:
        """Return the links of the page at a URL; empty if it is not stored."""
        pages = tables.pages
        query = select(pages.c.dictionary_id, pages.c.links)
        query = query.where(pages.c.site_id == site.id, pages.c.url == url)
        with self.reading() as connection:
            row = connection.execute(query).first()
            if row is None or row.links is None:
                return ()
            return self._codec(connection, row.dictionary_id).unpack_links(row.links)

    def save_depths(self, site: Site, depths: Mapping[str, int]) -> None:
        """Update the distance of pages from the home page where it differs.

        A page may have been stored before the shortest path to it was found.
        """
        pages = tables.pages
        known = select(pages.c.id, pages.c.url, pages.c.depth).where(pages.c.site_id == site.id)
        change = update(pages).where(pages.c.id == bindparam("page"))
        with self.writing() as connection:
            rows = [
                {"page": page_id, "depth": depths[url]}
                for page_id, url, depth in connection.execute(known)
                if depths.get(url, depth) != depth
            ]
            if rows:
                connection.execute(change, rows)

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
            except UnreadableDatabase:  # skip a damaged page
                continue
            counts.update((link.url, link.text[:MAX_TEXT]) for link in found if link.url != url)
        return counts
