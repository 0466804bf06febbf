"""A nightly run killed again and again ends as one that was not.

`python -m benchmarks.faults.kills [KILLS] [SEED] [ARTICLES]`. The demo portal is served on
loopback for two nights, the second of them redesigned, so that everything a night can do is
done: crawl, extraction, drift, learning, reports. One database sees both nights undisturbed.
In another one each night is killed with SIGKILL, the whole group of processes at once as when
the power fails, at random moments, and started again, until all kills are spent. After each
kill `PRAGMA integrity_check` must say ok; in the end both must hold the same.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from demo import Portal, serve
from storage import Store

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
    "locks": "SELECT count(*) FROM locks",
}


@dataclass(frozen=True)
class Base:
    """One database and the site in it."""

    path: Path

    def start(self) -> subprocess.Popen[bytes]:
        """Begin a night in a group of processes of its own."""
        return subprocess.Popen(  # noqa: S603 - our own command
            [*COMMAND, *AT_ONCE],
            cwd=PROJECT,
            env={**os.environ, "FLONG_DATABASE": f"sqlite:///{self.path}"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def copy(self) -> Path:
        """Return a copy of the database, with what is in its log."""
        path = self.path.with_suffix(".copy")
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(self.path)) as one, closing(sqlite3.connect(path)) as other:
            one.backup(other)
        return path

    def restore(self, copy: Path) -> None:
        """Make the database what it was."""
        for suffix in ("-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)
        copy.replace(self.path)

    def nights(self) -> int:
        """Return how many nights have ended."""
        query = "SELECT count(*) FROM runs WHERE kind = 'nightly' AND status = 'done'"
        with closing(sqlite3.connect(self.path)) as connection:
            return int(connection.execute(query).fetchone()[0])

    def is_sound(self) -> bool:
        """Tell what SQLite says about the file."""
        with closing(sqlite3.connect(self.path)) as connection:
            return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))

    def state(self) -> dict[str, list[tuple[object, ...]]]:
        """Return everything that must not depend on kills."""
        with closing(sqlite3.connect(self.path)) as connection:
            return {name: connection.execute(query).fetchall() for name, query in STATE.items()}


def killed_nights(base: Base, kills: int, seconds: float, dice: random.Random) -> list[str]:
    """Kill a night so often at random moments of its usual length, then let it end.

    One that ended before its moment came is undone and killed earlier.
    """
    moments: list[str] = []
    before = base.nights()
    while len(moments) < kills:
        copy = base.copy()
        process = base.start()
        moment = dice.uniform(0.3, seconds)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if not base.is_sound():
            raise SystemExit(f"The database is damaged after a kill at {moment:.1f} s.")
        if base.nights() > before:
            base.restore(copy)
            seconds *= 0.9
        else:
            moments.append(f"{moment:.1f}")
    base.start().wait()
    return moments


def main(kills: int, seed: int, articles: int) -> None:
    """Compare the two databases and print what was found."""
    dice = random.Random(seed)  # noqa: S311 - moments of kills, no secrets
    portal = Portal(articles=articles)
    nights = (portal, portal.with_changes(new=3, edited=1, removed=1).redesigned())
    with tempfile.TemporaryDirectory() as folder, serve(portal) as site:
        quiet, killed = Base(Path(folder, "quiet.db")), Base(Path(folder, "killed.db"))
        for base in (quiet, killed):
            with Store.open(f"sqlite:///{base.path}") as store:
                store.add_site(site.url)
        for number, night in enumerate(nights, 1):
            site.portal = night
            begun = time.monotonic()
            code = quiet.start().wait()
            seconds = time.monotonic() - begun
            share = kills // 2 if number == 1 else kills - kills // 2
            moments = killed_nights(killed, share, seconds, dice)
            print(f"night {number}: {seconds:.1f} s undisturbed, exit code {code};", end=" ")
            print(f"killed after {', '.join(moments)} s")
        one, other = quiet.state(), killed.state()
    for name, rows in one.items():
        same = rows == other[name]
        print(f"{name}: {len(rows)} rows, {'the same' if same else 'DIFFERENT'}")
        if not same:
            print(*sorted(set(map(str, rows)) ^ set(map(str, other[name])))[:6], sep="\n")
    sys.exit(one != other)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [20, 1, 40][len(given) :]))
