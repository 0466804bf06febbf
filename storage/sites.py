"""Sites: which portals there are, how they are crawled."""

import re
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Row, delete, func, insert, select, update

from flong.storage import tables
from flong.storage.columns import from_row, now
from flong.storage.database import Repository
from flong.storage.errors import InvalidUrl, UnknownSite
from flong.storage.joined_words import forget_articles

DEFAULT_PORTS = {"http": 80, "https": 443}
HOST = re.compile(r"[\w.:-]+", re.ASCII)
"""What the host of a URL may look like, in ASCII; colons are those of IPv6."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """How a site is crawled; kept with it, so that every night does the same."""

    depth: int = 3
    """Links from the home page that are followed."""
    delay: float | None = None
    """Seconds between two requests; None leaves it to the crawler's settings."""
    render: bool = False
    """Whether a browser renders the pages."""
    subdomains: bool = False
    """Whether other sub-domains belong to the site."""
    max_pages: int | None = None
    """Pages after which a crawl stops; None for no limit."""
    include: str | None = None
    """Regular expression that is found in every URL that is asked for; None for any."""
    exclude: str | None = None
    """Regular expression that is found in no URL that is asked for; None for none."""
    cookies: str | None = None
    """File with the cookies of one's own subscription; None for none."""
    visual: bool = False
    """Whether the browser keeps what a reader sees of the pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A portal."""

    id: int
    """Its id in the database."""
    name: str
    """What users call it: the host without `www.`, with the port if it is an unusual one."""
    url: str
    """URL of the home page."""
    paused: bool
    """Whether nightly runs leave it out."""
    settings: SiteSettings
    """How it is crawled."""
    created_at: datetime
    """When it was added."""
    importance: int = 0
    """Sites with a higher number are visited first by a fleet."""


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
        """Return the site of this URL, added if it is new.

        A site that is there keeps its URL, and its settings unless some are given.
        """
        name = site_name(url)
        with self.writing() as connection:
            found = connection.execute(
                select(tables.sites.c.id).where(tables.sites.c.name == name)
            ).scalar()
            if found is None:
                given = asdict(settings or SiteSettings())
                row = {"name": name, "url": url.strip(), "paused": False, "created_at": now()}
                connection.execute(insert(tables.sites).values(row | given))
            elif settings is not None:
                connection.execute(
                    update(tables.sites).where(tables.sites.c.id == found).values(asdict(settings))
                )
        return self.find(url)

    def find(self, name_or_url: str) -> Site:
        """Return the site of this name or of this URL, or raise `UnknownSite`."""
        wanted = name_or_url.strip()
        try:
            name = site_name(wanted if "://" in wanted else f"http://{wanted}")
        except InvalidUrl:
            name = ""
        with self.reading() as connection:
            query = select(tables.sites).where(tables.sites.c.name == name)
            row = connection.execute(query).first()
        if row is None:
            raise UnknownSite(f"No site {name_or_url!r} is stored: crawl or load it first.")
        return _site(row)

    def all(self) -> list[Site]:
        """Return all sites, by name."""
        with self.reading() as connection:
            rows = connection.execute(select(tables.sites).order_by(tables.sites.c.name))
            return [_site(row) for row in rows]

    def count(self) -> int:
        """Return how many sites there are."""
        with self.reading() as connection:
            query = select(func.count()).select_from(tables.sites)
            return connection.execute(query).scalar_one()

    def set_paused(self, site: Site, paused: bool) -> None:
        """Leave the site out of nightly runs, or take it in again."""
        change = update(tables.sites).where(tables.sites.c.id == site.id).values(paused=paused)
        with self.writing() as connection:
            connection.execute(change)

    def set_importance(self, site: Site, importance: int) -> None:
        """Let a fleet visit the site before all others whose number is lower."""
        these = update(tables.sites).where(tables.sites.c.id == site.id)
        with self.writing() as connection:
            connection.execute(these.values(importance=importance))

    def remove(self, site: Site) -> None:
        """Forget the site with everything that is stored for it."""
        with self.writing() as connection:
            forget_articles(connection, site.id)
            # From the leaves up: cascades from `sites` would scan all pages once per run.
            for table in reversed(tables.metadata.sorted_tables):
                if "site_id" in table.c:
                    connection.execute(delete(table).where(table.c.site_id == site.id))
            connection.execute(delete(tables.sites).where(tables.sites.c.id == site.id))


def _site(row: Row[*tuple[Any, ...]]) -> Site:
    return from_row(Site, row, settings=from_row(SiteSettings, row))
