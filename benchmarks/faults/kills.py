"""Kill a nightly run again and again; the result must equal that of an undisturbed run.

`python -m benchmarks.faults.kills [KILLS] [SEED] [ARTICLES] [--postgresql]`. The demo portal is
served on loopback for two nights, redesigned for the second, so that a night includes crawl,
extraction, drift, learning and reports. One database has both nights undisturbed. In another one,
all processes of a night receive SIGKILL together at random moments, as in a power failure, and the
night is started again, up to the number of kills. After each kill `PRAGMA integrity_check` must
succeed, and the search index must match the articles. At the end both databases must be equal. With
PostgreSQL only the night is killed, not the server.
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine, make_url

from flong.demo import Portal, serve
from flong.storage import Store
from flong.storage.search import SearchIndex
from tests import leftovers
from tests.databases import PostgresqlServer, SqliteFolder, find_postgresql, run_postgresql

PROJECT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "scrapy", "nightly", "-s", "DOWNLOAD_DELAY=0")
AT_ONCE = ("-s", "AUTOTHROTTLE_ENABLED=False", "-s", "FLONG_BATCH=10")
STATE = {
    "pages": "SELECT url, depth, outcome, status, content_hash FROM pages ORDER BY url",
    "aliases": "SELECT url, target, is_page FROM aliases ORDER BY url",
    "versions": "SELECT p.url, v.content_hash FROM page_versions v JOIN pages p ON p.id = v.page_id"
    " ORDER BY 1, 2",
    "articles": "SELECT p.url, a.title, a.published, a.authors, a.method, a.body"
    " FROM articles a JOIN pages p ON p.id = a.page_id ORDER BY 1",
    "edits": "SELECT p.url, v.title, v.changes FROM article_versions v"
    " JOIN pages p ON p.id = v.page_id ORDER BY 1, 2, 3",
    "decisions": "SELECT p.url, m.verdict, m.fit FROM matches m JOIN pages p ON p.id = m.page_id"
    " ORDER BY 1",
    "patterns": "SELECT kind, constants, made_from, retired_at IS NULL FROM patterns"
    " ORDER BY 1, 2, 3, 4",
    "nights": "SELECT kind, status, new, changed, unchanged, gone, failed, articles FROM runs"
    " WHERE kind = 'nightly' ORDER BY id",
    "found by words": "SELECT p.url FROM search_documents d JOIN pages p ON p.id = d.page_id"
    " ORDER BY 1",
    "locks": "SELECT count(*) FROM locks",
}
INDEX = (
    "SELECT page_id, dated, language, length, digest FROM search_documents ORDER BY page_id",
    "SELECT term, doc FROM search_vocabulary ORDER BY term",
)


@dataclass
class SiteInDatabase:
    """A database with one site."""

    url: str

    def start(self) -> subprocess.Popen[bytes]:
        """Start a night in a new session."""
        return subprocess.Popen(  # noqa: S603 - our own command
            [*COMMAND, *AT_ONCE],
            cwd=PROJECT,
            env={**os.environ, "FLONG_DATABASE": self.url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return the result of a query."""
        engine = create_engine(self.url)
        with engine.connect() as connection:
            found = [tuple(row) for row in connection.exec_driver_sql(query)]
        engine.dispose()
        return found

    def nights(self) -> int:
        """Return the number of finished nights."""
        return len(self.rows("SELECT id FROM runs WHERE kind = 'nightly' AND status = 'done'"))

    def is_sound(self) -> bool:
        """Return the result of SQLite's integrity check; a server checks its own files."""
        if not self.url.startswith("sqlite"):
            return True
        return self.rows("PRAGMA integrity_check") == [("ok",)]

    def state(self) -> dict[str, list[tuple[object, ...]]]:
        """Return all data that must not depend on kills."""
        return {name: self.rows(query) for name, query in STATE.items()}


class Files(SqliteFolder):
    """Databases on SQLite."""

    def copy(self, url: str) -> str:
        """Return the URL of a copy, including the log that a kill has left."""
        made = self.create()
        one, other = (sqlite3.connect(each.removeprefix("sqlite:///")) for each in (url, made))
        with closing(one), closing(other):
            one.backup(other)
        return made


class Server(PostgresqlServer):
    """Databases on PostgreSQL."""

    def copy(self, url: str) -> str:
        """Return the URL of a copy; connections that a kill has left are closed first."""
        name = make_url(url).database
        with self.engine.connect() as connection:
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                (name,),
            )
        time.sleep(0.2)
        return super().copy(url)


def index_agrees(url: str) -> bool:
    """Return True if the search index equals a rebuilt one."""
    base = SiteInDatabase(url)
    with Store.open(url) as store:
        SearchIndex(store).refresh_vocabulary()
        kept = [base.rows(query) for query in INDEX]
        SearchIndex(store).rebuild()
        return kept == [base.rows(query) for query in INDEX]


def kill_session(leader: int) -> None:
    """Kill a process and its descendants; its crawl is in another process group."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            session = int(stat.read_text().rpartition(")")[2].split()[3])
            if session == leader:
                os.kill(int(stat.parent.name), signal.SIGKILL)


def killed_nights(
    base: SiteInDatabase, databases: Files | Server, kills: int, seconds: float, dice: random.Random
) -> list[str]:
    """Kill a night at random moments of its usual duration, then let it end.

    A night that ended before its moment is undone, and killed earlier.
    """
    moments: list[str] = []
    before = base.nights()
    while len(moments) < kills:
        copy = databases.copy(base.url)
        process = base.start()
        moment = dice.uniform(0.3, seconds)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            kill_session(process.pid)
            process.wait()
        if not base.is_sound():
            raise SystemExit(f"The database is damaged after a kill at {moment:.1f} s.")
        if not index_agrees(databases.copy(base.url)):
            raise SystemExit(f"Index and articles disagree after a kill at {moment:.1f} s.")
        if base.nights() > before:
            base.url = copy
            seconds *= 0.9
        else:
            moments.append(f"{moment:.1f}")
    base.start().wait()
    if base.nights() == before:
        raise SystemExit("The night did not end when it was left alone.")
    return moments


def compare(kills: int, seed: int, articles: int, *, postgresql: bool) -> bool:
    """Print the tables of the two databases; return True if all are equal."""
    dice = random.Random(seed)  # noqa: S311 - moments of kills, no secrets
    portal = Portal(articles=articles)
    nights = (portal, portal.with_changes(new=3, edited=1, removed=1).redesigned())
    programs = find_postgresql() if postgresql else None
    if postgresql and programs is None:
        raise SystemExit("PostgreSQL or psycopg is not installed.")
    running = nullcontext() if programs is None else run_postgresql(programs)
    with tempfile.TemporaryDirectory() as folder, serve(portal) as site, running as server:
        databases = Files(Path(folder)) if server is None else Server(server.engine)
        quiet, killed = SiteInDatabase(databases.create()), SiteInDatabase(databases.create())
        for base in (quiet, killed):
            with Store.open(base.url) as store:
                store.sites.add(site.url)
        for number, night in enumerate(nights, 1):
            site.portal = night
            begun = time.monotonic()
            code = quiet.start().wait()
            seconds = time.monotonic() - begun
            share = kills // 2 if number == 1 else kills - kills // 2
            moments = killed_nights(killed, databases, share, seconds, dice)
            print(f"night {number}: {seconds:.1f} s undisturbed, exit code {code};", end=" ")
            print(f"killed after {', '.join(moments)} s")
        one, other = quiet.state(), killed.state()
    for name, rows in one.items():
        same = rows == other[name]
        print(f"{name}: {len(rows)} rows, {'the same' if same else 'DIFFERENT'}")
        if not same:
            print(*sorted(set(map(str, rows)) ^ set(map(str, other[name])))[:6], sep="\n")
    return one == other


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if the two databases differ."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults.kills",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kills", nargs="?", type=int, default=20, help="default: 20")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="default: 1")
    parser.add_argument("articles", nargs="?", type=int, default=40, help="default: 40")
    parser.add_argument("--postgresql", action="store_true", help="on a server of its own")
    options = parser.parse_args(arguments)
    leftovers.watch()
    same = compare(options.kills, options.seed, options.articles, postgresql=options.postgresql)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
