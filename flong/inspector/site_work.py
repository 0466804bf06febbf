"""What is done with a site: its settings, what it brings by day, what fails, what goes on."""

from collections import defaultdict
from dataclasses import dataclass, replace

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.jobs import Job
from flong.states import Outcome
from flong.storage import DayOfArticles, FailedReason, LiveFigures, MemberLine, Site, SiteSettings

CARDS = 6
"""Templates that are shown as cards."""
_IN_WORDS = {outcome.value: outcome.sentence for outcome in Outcome if outcome.sentence}
"""What an outcome that no error explains means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCard:
    """A template, by the page in its middle."""

    cluster: int
    """Id of the cluster."""
    pages: int
    """Its pages."""
    kind: str
    """What they are: `article`, `mixed`, `listing` or `other`."""
    example: MemberLine
    """The page in its middle (the medoid)."""
    first_day: str | None
    """Day on which the first of its articles was published; None if not known."""
    last_day: str | None
    """Day of the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteWork:
    """What is done with a site."""

    settings: SiteSettings
    """How it is crawled."""
    figures: LiveFigures
    """How much there is by now."""
    days: list[DayOfArticles]
    """Articles by day, the earliest first."""
    failures: list[FailedReason]
    """Why URLs gave no page, the most frequent reason first."""
    templates: list[TemplateCard]
    """The largest templates."""
    corrections: int
    """Corrections in force."""
    jobs: list[Job]
    """What was asked for here, the latest first."""


def work_of(database: ReadOnlyDatabase, editor: Editor | None, site: Site) -> SiteWork:
    """Return what is done with a site."""
    store = database.store
    return SiteWork(
        settings=site.settings,
        figures=store.activity.figures(site),
        days=store.activity.articles_by_day(site),
        failures=[
            replace(each, reason=_IN_WORDS.get(each.reason, each.reason))
            for each in store.activity.failures(site)
        ],
        templates=_templates(database, site),
        corrections=len(store.corrections.in_force(site)),
        jobs=editor.jobs.of(site.name)[:3] if editor else [],
    )


def _templates(database: ReadOnlyDatabase, site: Site) -> list[TemplateCard]:
    overview = database.store.overview
    days: dict[int | None, list[str]] = defaultdict(list)
    for era in database.store.coverage.eras(site):
        days[era.cluster_id] += [day for day in (era.first_day, era.last_day) if day]
    return [
        TemplateCard(
            cluster=cluster.id,
            pages=cluster.size,
            kind=cluster.kind,
            example=middle,
            first_day=min(days[cluster.id], default=None),
            last_day=max(days[cluster.id], default=None),
        )
        for cluster in overview.clusters(site.name)[:CARDS]
        for middle in overview.members(cluster.id, first=0, rows=1)
    ]
