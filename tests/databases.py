"""Databases for tests: files of SQLite, and a PostgreSQL server of their own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from sqlalchemy import Engine, create_engine, make_url

from tests import leftovers
from tests.waiting import HANG_SECONDS

DIALECTS = ("sqlite", "postgresql")
DEBIAN = Path("/usr/lib/postgresql")
HASTE = (
    *("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=64MB"),
    *("max_parallel_workers_per_gather=0", "max_parallel_maintenance_workers=0", "jit=off"),
)
"""Settings for data that need not survive a crash of the machine, and use little space.

Parallel queries need shared memory, of which containers often have little.
"""
WAIT = f"--timeout={HANG_SECONDS:.0f}"
MEMORY = Path("/dev/shm")  # noqa: S108 - the file system, for a folder that mkdtemp makes
"""File system in memory: there a database is made in a tenth of the time."""
MEMORY_BYTES = 4 << 30
"""Minimum free space there; containers often have some megabytes."""
STOP = 'cat; "$0" --pgdata="$1/data" stop --silent --mode=immediate 2>/dev/null; rm -rf "$1"'
"""Waits until its input is closed, then ends a server."""


@dataclass
class SqliteFolder:
    """Makes databases, each in a file of a folder."""

    folder: Path
    numbers: Iterator[int] = field(default_factory=count)

    def create(self) -> str:
        """Return the URL of a database that does not exist yet."""
        return f"sqlite:///{self.folder / f'{next(self.numbers)}.db'}"

    def copy(self, url: str) -> str:
        """Return the URL of a copy of a database that no process has open."""
        made = self.create()
        shutil.copy(url.removeprefix("sqlite:///"), made.removeprefix("sqlite:///"))
        return made

    def drop(self, url: str) -> None:
        """Leave it to pytest, which keeps the files of the latest runs."""


@dataclass
class PostgresqlServer:
    """Makes databases on a server."""

    engine: Engine
    """Connected with the database that every server has."""
    numbers: Iterator[int] = field(default_factory=count)

    def create(self, template: str = "template0") -> str:
        """Return the URL of an empty database."""
        name = f"test_{next(self.numbers)}"
        # The other strategy writes all of it into the log first, and takes five times as long.
        self._do(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return str(self.engine.url.set(database=name))

    def copy(self, url: str) -> str:
        """Return the URL of a copy of a database that no process has open."""
        return self.create(str(make_url(url).database))

    def drop(self, url: str) -> None:
        """Drop a database, even if a process has it open."""
        self._do(f"DROP DATABASE {make_url(url).database} WITH (FORCE)")

    def _do(self, command: str) -> None:
        with self.engine.connect() as connection:
            connection.exec_driver_sql(command)


def find_postgresql() -> Path | None:
    """Return the folder of PostgreSQL's programs, which Debian does not put into the path.

    None if there are none, or if Python could not talk to them.
    """
    if find_spec("psycopg") is None:
        return None
    installed = sorted(DEBIAN.glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    other = shutil.which("pg_ctl")
    if installed:
        return installed[-1].parent
    return Path(other).resolve().parent if other else None


def _outside() -> dict[str, Any]:
    """Return how PostgreSQL's programs are started: not as root, and ended by their own process."""
    options: dict[str, Any] = {"env": {k: v for k, v in os.environ.items() if k != leftovers.MARK}}
    if os.geteuid() == 0:
        options |= {"user": "postgres", "group": "postgres", "extra_groups": []}
    return options


def restart_postgresql(url: str, programs: Path) -> None:
    """Restart the server that has a database, as an administrator does."""
    folder = str(make_url(url).query["host"])
    command = [str(programs / "pg_ctl"), f"--pgdata={folder}/data", "restart", WAIT]
    subprocess.run(
        [*command, "--mode=fast"], cwd=folder, stdout=subprocess.DEVNULL, check=True, **_outside()
    )


@contextmanager
def run_postgresql(programs: Path) -> Iterator[PostgresqlServer]:
    """Run a server in a temporary folder; only its user and root reach it, by a socket there."""
    outside = _outside()
    with _server_folder(programs, outside) as folder, (folder / "log").open("w") as log:

        def run(program: str, *arguments: str) -> None:
            command = [str(programs / program), f"--pgdata={folder}/data", *arguments]
            done = subprocess.run(
                command, cwd=folder, stdout=log, stderr=log, check=False, **outside
            )
            assert done.returncode == 0, Path(log.name).read_text()

        options = [f"-k {folder}", "-c listen_addresses=", *(f"-c {each}" for each in HASTE)]
        run("initdb", "--username=flong", "--auth=trust", "--encoding=UTF8", "--no-locale")
        run("pg_ctl", "start", "--wait", WAIT, "--options", " ".join(options))
        url = f"postgresql+psycopg://flong@/postgres?host={folder}"
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        try:
            yield PostgresqlServer(engine)
        finally:
            engine.dispose()


@contextmanager
def _server_folder(programs: Path, outside: dict[str, Any]) -> Iterator[Path]:
    """Make a folder for a server; at the end stop the server and remove the folder.

    A process of its own does that, so that it is done even if this one is killed.
    """
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > MEMORY_BYTES
    folder = Path(mkdtemp(prefix="flong-", dir=MEMORY if roomy else None))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    command = ["sh", "-c", STOP, str(programs / "pg_ctl"), str(folder)]
    with subprocess.Popen(
        command, cwd="/", stdin=subprocess.PIPE, start_new_session=True, **outside
    ):
        yield folder
