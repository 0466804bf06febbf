"""Reports: what nights had to say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, select

from flong.states import LookState
from flong.storage import tables
from flong.storage.columns import from_row
from flong.storage.database import Repository, upsert
from flong.storage.runs import Run
from flong.storage.sites import Site


class Reports(Repository):
    """Writes and reads reports."""

    def save(self, run: Run, data: str, *, needs_look: bool) -> None:
        """Store what a run has to say, as JSON text."""
        row = {"run_id": run.id, "needs_look": needs_look, "data": data}
        with self.writing() as connection:
            upsert(connection, tables.reports, [row], key=("run_id",))

    def find(self, run_id: int) -> str | None:
        """Return what a run had to say; None if it left no report."""
        query = select(tables.reports.c.data).where(tables.reports.c.run_id == run_id)
        with self.reading() as connection:
            return connection.execute(query).scalar()


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def about(sentence: str) -> str:
    """Return what a sentence is about, whatever its figures are tonight.

    >>> about("12 articles of a.example are gone.") == about("7 articles of a.example are gone.")
    True
    """
    return _NUMBER.sub("#", sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenLook:
    """What became of something that needed a look."""

    about: str
    """What it said, without figures."""
    state: LookState
    """Seen, or muted."""
    said_at: str
    """When the nightly run began that said so: a later one that says it again is news."""

    def covers(self, said_at: str) -> bool:
        """Tell whether it holds for what a nightly run says that began then."""
        return self.state is LookState.MUTED or said_at <= self.said_at


class LookStates(Repository):
    """Writes and reads what was seen."""

    def mark(self, site: Site, sentence: str, said_at: str, state: LookState) -> None:
        """Note that a sentence of a nightly run was seen, or that it is not to come again."""
        row = {"site_id": site.id, "about": about(sentence), "state": state, "said_at": said_at}
        with self.writing() as connection:
            upsert(connection, tables.look_states, [row], key=("site_id", "about"))

    def forget(self, site: Site, sentence: str) -> None:
        """Let a sentence need a look again."""
        seen = tables.look_states
        these = (seen.c.site_id == site.id, seen.c.about == about(sentence))
        with self.writing() as connection:
            connection.execute(delete(seen).where(*these))

    def all(self) -> Mapping[tuple[str, str], SeenLook]:
        """Return what was seen, by the name of the site and what it is about."""
        seen, sites = tables.look_states, tables.sites
        query = select(seen, sites.c.name).join(sites, sites.c.id == seen.c.site_id)
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return {(row.name, row.about): from_row(SeenLook, row) for row in rows}
