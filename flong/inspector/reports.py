"""What nights of a site had to say."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flong.inspector.database import ReadOnlyDatabase
from flong.states import LookState
from flong.storage import Site, StoredReport, about


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Something that a person should look at."""

    site: str
    """Name of the site."""
    sentence: str
    """What it is."""
    said_at: str
    """When the nightly run began that said so."""
    state: LookState | None
    """What became of it; None if nobody has looked yet."""


def looks_of(database: ReadOnlyDatabase, reports: Mapping[str, Report]) -> list[Look]:
    """Return what needs a look by some reports, and what became of it."""
    known = database.store.look_states.all()

    def state(site: str, report: Report, sentence: str) -> LookState | None:
        found = known.get((site, about(sentence)))
        return found.state if found and found.covers(report.started) else None

    return [
        Look(
            site=site,
            sentence=sentence,
            said_at=report.started,
            state=state(site, report, sentence),
        )
        for site, report in reports.items()
        for sentence in report.look
    ]


def last_reports(database: ReadOnlyDatabase, sites: Sequence[Site]) -> dict[str, Report]:
    """Return the latest report of each of some sites, by name, without what was seen."""
    found = {row.site: read_report(row) for row in database.store.overview.last_reports(sites)}
    unseen: dict[str, list[str]] = {name: [] for name in found}
    for each in looks_of(database, found):
        if not each.state:
            unseen[each.site].append(each.sentence)
    return {name: replace(report, look=unseen[name]) for name, report in found.items()}


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
