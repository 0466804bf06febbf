"""What the last night of a site had to say."""

import json
from dataclasses import dataclass

from inspector.database import Database

REPORTS = """
    SELECT s.name AS site, r.started_at AS started, n.data
    FROM reports n JOIN runs r ON r.id = n.run_id JOIN sites s ON s.id = r.site_id
    WHERE r.id IN (SELECT max(x.run_id) FROM reports x JOIN runs y ON y.id = x.run_id
        GROUP BY y.site_id)
"""


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


@dataclass(frozen=True, slots=True)
class _Stored:
    site: str
    started: str
    data: str


def last_reports(database: Database) -> dict[str, Report]:
    """Return the latest report of each site that has one, by the site's name."""
    return {
        row.site: Report(started=row.started, **_sentences(row.data))
        for row in database.rows(_Stored, REPORTS)
    }


def _sentences(data: str) -> dict[str, list[str]]:
    """Return what a report says in words.

    >>> _sentences('{"look": ["A wall."], "run": 7}')
    {'look': ['A wall.'], 'drifted': [], 'done': []}
    """
    values = json.loads(data)
    return {
        name: [str(said) for said in values.get(name, ())] for name in ("look", "drifted", "done")
    }
