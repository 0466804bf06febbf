"""What nights of a site had to say."""

import json
from dataclasses import dataclass

from inspector.database import ReadOnlyDatabase
from storage import StoredReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The report of a nightly run, in sentences."""

    started: str
    """When the run began."""
    look: list[str]
    """What a person should look at; nothing on a quiet night."""
    drifted: list[str]
    """What is wrong with which pattern."""
    done: list[str]
    """What was done about it."""


def last_reports(database: ReadOnlyDatabase) -> dict[str, Report]:
    """Return the latest report of each site that has one, by the site's name."""
    return {row.site: read_report(row) for row in database.store.overview.last_reports()}


def read_report(row: StoredReport) -> Report:
    """Return what a night had to say."""
    return Report(started=row.started, **_sentences(row.data))


def _sentences(data: str) -> dict[str, list[str]]:
    """Return what a report says in words.

    >>> _sentences('{"look": ["A wall."], "run": 7}')
    {'look': ['A wall.'], 'drifted': [], 'done': []}
    """
    values = json.loads(data)
    return {
        name: [str(said) for said in values.get(name, ())] for name in ("look", "drifted", "done")
    }
