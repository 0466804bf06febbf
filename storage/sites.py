"""Sites: which portals there are, how they are crawled, who works on them."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Row, delete, insert, select, update

from storage import tables
from storage.columns import now
from storage.database import Database
from storage.errors import InvalidAddress, LockedSite, UnknownSite
from storage.processes import is_same_process, process_is_alive

DEFAULT_PORTS = {"http": 80, "https": 443}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A portal."""

    id: int
    """Its number in the database."""
    name: str
    """What users call it: the host without `www.`, with the port if it is an unusual one."""
    url: str
    """Address of the home page."""
    paused: bool
    """Whether nightly runs leave it out."""
    settings: SiteSettings
    """How it is crawled."""
    created_at: datetime
    """When it was added."""


def site_name(url: str) -> str:
    """Return the name of the site that an address belongs to.

    >>> site_name("https://www.example.org/news"), site_name("http://localhost:8000")
    ('example.org', 'localhost:8000')
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
        host = host if host.isascii() else host.encode("idna").decode()
    except ValueError as error:
        raise InvalidAddress(f"{url!r} is not an address: {error}.") from error
    if parts.scheme not in DEFAULT_PORTS or not host:
        raise InvalidAddress(f"{url!r} is not the http:// or https:// address of a site.")
    host = f"[{host}]" if ":" in host else host.removeprefix("www.")
    return host if port in (None, DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"


class SiteStore(Database):
    """Adds, finds and locks sites."""

    def add_site(self, url: str, settings: SiteSettings | None = None) -> Site:
        """Return the site of this address, added if it is new.

        A site that is there keeps its address, and its settings unless some are given.
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
        return self.find_site(url)

    def find_site(self, name_or_url: str) -> Site:
        """Return the site of this name or of this address, or raise `UnknownSite`."""
        wanted = name_or_url.strip()
        try:
            name = site_name(wanted if "://" in wanted else f"http://{wanted}")
        except InvalidAddress:
            name = ""
        with self.reading() as connection:
            query = select(tables.sites).where(tables.sites.c.name == name)
            row = connection.execute(query).first()
        if row is None:
            raise UnknownSite(f"No site {name_or_url!r} is stored: crawl or load it first.")
        return _site(row)

    def sites(self) -> list[Site]:
        """Return all sites, by name."""
        with self.reading() as connection:
            rows = connection.execute(select(tables.sites).order_by(tables.sites.c.name))
            return [_site(row) for row in rows]

    def set_paused(self, site: Site, paused: bool) -> None:
        """Leave the site out of nightly runs, or take it in again."""
        change = update(tables.sites).where(tables.sites.c.id == site.id).values(paused=paused)
        with self.writing() as connection:
            connection.execute(change)

    def remove_site(self, site: Site) -> None:
        """Forget the site with everything that is stored for it."""
        with self.writing() as connection:
            # From the leaves up: cascades from `sites` would scan all pages once per run.
            for table in reversed(tables.metadata.sorted_tables):
                if "site_id" in table.c:
                    connection.execute(delete(table).where(table.c.site_id == site.id))
            connection.execute(delete(tables.sites).where(tables.sites.c.id == site.id))

    @contextmanager
    def lock_site(self, site: Site) -> Iterator[None]:
        """Keep other processes off a site; raise `LockedSite` if one is at work.

        The lock of a process that died is taken over (of one on another host: after a day).
        A process that works on a site may start another one on it, and waits for it: the lock
        is lent to the child and given back, so that a child that outlives its parent has it.
        """
        lender = self._take_lock(site)
        try:
            yield
        finally:
            with self.writing() as connection:
                connection.execute(delete(tables.locks).where(tables.locks.c.site_id == site.id))
                if lender:
                    connection.execute(insert(tables.locks).values(lender))

    def _take_lock(self, site: Site) -> dict[str, Any]:
        """Write this process down; return the parent's lock if it is lent, else nothing."""
        locks = tables.locks
        with self.writing() as connection:
            held = connection.execute(select(locks).where(locks.c.site_id == site.id)).first()
            lent = held is not None and _is_lent(held)
            if held is not None and not lent and _holds(held):
                raise LockedSite(
                    f"Process {held.pid} on {held.host} has been working on {site.name} "
                    f"since {held.taken_at:%Y-%m-%d %H:%M} UTC."
                )
            connection.execute(delete(locks).where(locks.c.site_id == site.id))
            mine = {"pid": os.getpid(), "host": socket.gethostname(), "taken_at": now()}
            connection.execute(insert(locks).values(site_id=site.id, **mine))
        return dict(held._mapping) if held is not None and lent else {}


def _is_lent(lock: Row[*tuple[Any, ...]]) -> bool:
    """Tell whether the process that started this one has the lock."""
    here = lock.host == socket.gethostname()
    return here and lock.pid == os.getppid() and is_same_process(lock.pid, lock.taken_at)


def _holds(lock: Row[*tuple[Any, ...]]) -> bool:
    if not process_is_alive(lock.pid, lock.host, lock.taken_at):
        return False
    return lock.host != socket.gethostname() or is_same_process(lock.pid, lock.taken_at)


def _site(row: Row[*tuple[Any, ...]]) -> Site:
    return Site(
        id=row.id,
        name=row.name,
        url=row.url,
        paused=row.paused,
        created_at=row.created_at,
        settings=SiteSettings(
            depth=row.depth,
            delay=row.delay,
            render=row.render,
            subdomains=row.subdomains,
            max_pages=row.max_pages,
        ),
    )
