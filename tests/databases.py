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
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Engine, create_engine, make_url

DIALECTS = ("sqlite", "postgresql")
DEBIAN = Path("/usr/lib/postgresql")
HASTE = ("fsync", "synchronous_commit", "full_page_writes")
"""What makes sure that data survive a crash of the machine, which tests can do without."""


@dataclass
class SqliteFolder:
    """Makes databases, each in a file of a folder."""

    folder: Path
    numbers: Iterator[int] = field(default_factory=count)

    def create(self) -> str:
        """Return the URL of a database that does not exist yet."""
        return f"sqlite:///{self.folder / f'{next(self.numbers)}.db'}"

    def copy(self, url: str) -> str:
        """Return the URL of a database that holds what that one does, which nobody has open."""
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
        """Return the URL of a database that holds what that one does, which nobody has open."""
        return self.create(str(make_url(url).database))

    def drop(self, url: str) -> None:
        """Free the disk of a database, whoever has it open."""
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


def _user() -> dict[str, Any]:
    """Return whom to run programs of PostgreSQL as, which refuses to run as root."""
    user: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []}
    return user if os.geteuid() == 0 else {}


def restart_postgresql(url: str, programs: Path) -> None:
    """Restart the server that has a database, as an administrator does."""
    folder = str(make_url(url).query["host"])
    command = [str(programs / "pg_ctl"), f"--pgdata={folder}/data", "restart", "--wait"]
    subprocess.run(
        [*command, "--mode=fast"], cwd=folder, stdout=subprocess.DEVNULL, check=True, **_user()
    )


@contextmanager
def run_postgresql(programs: Path) -> Iterator[PostgresqlServer]:
    """Run a server in a temporary folder; only its user and root reach it, by a socket there."""
    user = _user()
    with TemporaryDirectory(prefix="flong-") as folder:
        if user:
            shutil.chown(folder, "postgres", "postgres")

        def run(program: str, *arguments: str) -> None:
            command = [str(programs / program), f"--pgdata={folder}/data", *arguments]
            done = subprocess.run(command, cwd=folder, stdout=log, stderr=log, check=False, **user)
            assert done.returncode == 0, Path(log.name).read_text()

        options = [f"-k {folder}", "-c listen_addresses=", *(f"-c {each}=off" for each in HASTE)]
        with Path(folder, "log").open("w") as log:
            run("initdb", "--username=flong", "--auth=trust", "--encoding=UTF8", "--no-locale")
            run("pg_ctl", "start", "--wait", "--options", " ".join(options))
            url = f"postgresql+psycopg://flong@/postgres?host={folder}"
            engine = create_engine(url, isolation_level="AUTOCOMMIT")
            try:
                yield PostgresqlServer(engine)
            finally:
                engine.dispose()
                run("pg_ctl", "stop", "--wait", "--mode=immediate")
