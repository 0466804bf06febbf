"""Reports: what nights had to say."""

from sqlalchemy import select

from flong.storage import tables
from flong.storage.database import Repository, upsert
from flong.storage.runs import Run


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
