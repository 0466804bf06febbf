"""Sites and their crawl settings."""

import re
from urllib.parse import urlsplit

from sqlalchemy import delete, func, insert, select, update

from flong.storage import tables
from flong.storage.columns import now, to_row
from flong.storage.database import Repository
from flong.storage.errors import InvalidUrl, UnknownSite
from flong.storage.joined_words import forget_articles
from flong.storage.tables import Site, SiteSettings

DEFAULT_PORTS = {"http": 80, "https": 443}
HOST = re.compile(r"[\w.:-]+", re.ASCII)
"""Host of a URL in ASCII; colons are those of IPv6."""


def site_name(url: str) -> str:
    """Return the name of the site that a URL belongs to.

    >>> site_name("https://www.example.org/news"), site_name("http://localhost:8000")
    ('example.org', 'localhost:8000')
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
        host = host if host.isascii() else host.encode("idna").decode()
    except ValueError as error:
        raise InvalidUrl(f"{url!r} is not a URL: {error}.") from error
    if parts.scheme not in DEFAULT_PORTS or not HOST.fullmatch(host):
        raise InvalidUrl(f"{url!r} is not the http:// or https:// URL of a site.")
    if parts.username is not None:
        raise InvalidUrl("A URL with a name and password in it cannot be the URL of a site.")
    host = f"[{host}]" if ":" in host else host.removeprefix("www.")
    return host if port in (None, DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"


class Sites(Repository):
    """Adds, finds and removes sites."""

    def add(self, url: str, settings: SiteSettings | None = None) -> Site:
        """Return the site of this URL; add it if it is new.

        A known site keeps its URL, and its settings unless new ones are given.
        """
        name = site_name(url)
        with self.writing() as connection:
            found = connection.execute(
                select(tables.sites.c.id).where(tables.sites.c.name == name)
            ).scalar()
            if found is None:
                given = to_row(settings or SiteSettings())
                row = {"name": name, "url": url.strip(), "paused": False, "created_at": now()}
                connection.execute(insert(tables.sites).values(row | given))
            elif settings is not None:
                connection.execute(
                    update(tables.sites).where(tables.sites.c.id == found).values(to_row(settings))
                )
        return self.find(url)

    def find(self, name_or_url: str) -> Site:
        """Return the site of this name or URL, or raise `UnknownSite`."""
        wanted = name_or_url.strip()
        try:
            name = site_name(wanted if "://" in wanted else f"http://{wanted}")
        except InvalidUrl:
            name = ""
        found = self._first(Site, select(tables.sites).where(tables.sites.c.name == name))
        if found is None:
            raise UnknownSite(f"No site {name_or_url!r} is stored: crawl or load it first.")
        return found

    def all(self) -> list[Site]:
        """Return all sites, by name."""
        return self._read(Site, select(tables.sites).order_by(tables.sites.c.name))

    def count(self) -> int:
        """Return the number of sites."""
        return self._number(select(func.count()).select_from(tables.sites))

    def set_paused(self, site: Site, paused: bool) -> None:
        """Exclude a site from nightly runs, or include it again."""
        change = update(tables.sites).where(tables.sites.c.id == site.id).values(paused=paused)
        with self.writing() as connection:
            connection.execute(change)

    def set_importance(self, site: Site, importance: int) -> None:
        """Set the importance: a fleet visits sites with a higher number first."""
        these = update(tables.sites).where(tables.sites.c.id == site.id)
        with self.writing() as connection:
            connection.execute(these.values(importance=importance))

    def remove(self, site: Site) -> None:
        """Delete a site with all its rows."""
        with self.writing() as connection:
            forget_articles(connection, site.id)
            # Leaves first: cascades from `sites` would scan all pages once per run.
            for table in reversed(tables.metadata.sorted_tables):
                if "site_id" in table.c:
                    connection.execute(delete(table).where(table.c.site_id == site.id))
            connection.execute(delete(tables.sites).where(tables.sites.c.id == site.id))
