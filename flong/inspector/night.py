"""View of a night: findings, new, edited and missing articles."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Annotated

from fastapi import Depends

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.paging import Day
from flong.inspector.reports import Report, ShownFinding, read_reports
from flong.stages.drift import WeekdayBaseline, usual_volume
from flong.stages.report import ClippingNews
from flong.storage import ArticleRow, DayOfWork, NightArticle, NightPeriod, Site

SOME = 6
"""Maximum number of new articles shown per site."""
MORE = 50
"""Maximum number of new articles shown for a single site."""
SHOWN = 120
"""Maximum number of articles shown in total; with many sites each gets fewer."""
NIGHTS = 14
"""Maximum number of nights in a chart, latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNight:
    """Parameters of the view."""

    day: Day = ""
    """Day on which the night began; empty for the last night."""
    site: str = ""
    """Name of a site; empty for all sites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteNight:
    """Counts of one site."""

    site: str
    """Name of the site."""
    new: int
    """New articles."""
    edited: int
    """Edited articles."""
    gone: int
    """Articles taken down."""
    usual: float | None
    """Mean number of new articles on this weekday; None if unknown."""
    is_low: bool
    """True if far fewer articles than usual are new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteArticles:
    """Some new articles of a site."""

    site: str
    """Name of the site."""
    total: int
    """Number of new articles."""
    articles: list[ArticleRow]
    """The latest by section: the section of the latest article first, articles without last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightView:
    """One night."""

    asked: AskedNight
    """Parameters of the view."""
    day: str
    """Day on which it began; empty before the first night."""
    is_last: bool
    """True for the last night."""
    is_found: bool
    """True if a night began on that day."""
    earlier: str | None
    """Day of the previous night; None for the first."""
    later: str | None
    """Day of the next night; None for the last."""
    reports: Mapping[str, Report]
    """Reports by name of site."""
    findings: list[ShownFinding]
    """Findings that need attention, and those seen or muted since."""
    clippings: Mapping[str, list[ClippingNews]]
    """News of each clipping, one item per site."""
    sites: list[SiteNight]
    """Counts by name of site."""
    new: list[SiteArticles]
    """New articles by name of site."""
    edited: list[NightArticle]
    """Some edited articles."""
    gone: list[NightArticle]
    """Some articles taken down."""


def view_night(database: ReadOnlyDatabase, asked: Annotated[AskedNight, Depends()]) -> NightView:
    """Show the last night, or the night of a day."""
    if asked.site:
        database.site(asked.site)
    nights = {night.day: night for night in database.store.nights.all()}
    day = asked.day or max(nights, default="")
    night = nights.get(day)
    reading = database.store.nights
    if night is None:
        new, edited, gone = [], [], []
    else:
        some = min(SOME, SHOWN // max(1, database.store.sites.count()))
        most = MORE if asked.site else max(1, some)
        new = reading.new(night, most=most, site=asked.site)
        edited = reading.edited(night, most=most, site=asked.site)
        gone = reading.gone(night, most=most, site=asked.site)
    reports = _reports(database, night, asked.site) if night else {}
    return NightView(
        asked=asked,
        day=day,
        is_last=day == max(nights, default=""),
        is_found=night is not None,
        earlier=max((other for other in nights if other < day), default=None),
        later=min((other for other in nights if other > day), default=None),
        reports=reports,
        findings=[finding for report in reports.values() for finding in report.attention],
        clippings=_by_clipping(reports.values()),
        sites=_sites(database, night, (new, edited, gone), asked.site) if night else [],
        new=_by_site(new, database.store.articles.of([each.page_id for each in new[:SHOWN]])),
        edited=edited[:SHOWN],
        gone=gone[:SHOWN],
    )


def _reports(database: ReadOnlyDatabase, night: NightPeriod, site: str) -> Mapping[str, Report]:
    stored = database.store.nights.reports(night)
    chosen = [row for row in stored if site in ("", row.site)]
    return read_reports(database, chosen, with_seen=True)


def _by_clipping(reports: Iterable[Report]) -> dict[str, list[ClippingNews]]:
    found: dict[str, list[ClippingNews]] = {}
    for report in reports:
        for news in report.clippings:
            found.setdefault(news.name, []).append(news)
    return found


def _sites(
    database: ReadOnlyDatabase,
    night: NightPeriod,
    found: Sequence[Sequence[NightArticle]],
    only: str,
) -> list[SiteNight]:
    """Return the counts of all visited sites, or of one."""
    new, edited, gone = (Counter({each.site: each.total for each in part}) for part in found)
    usual = _usual(database, night, only)
    names = sorted({*new, *edited, *gone, *usual})
    return [
        SiteNight(
            site=name,
            new=new[name],
            edited=edited[name],
            gone=gone[name],
            usual=expected.mean if expected else None,
            is_low=expected is not None and expected.is_undercut_by(new[name]),
        )
        for name in names
        for expected in [usual.get(name)]
    ]


def _usual(
    database: ReadOnlyDatabase, night: NightPeriod, only: str
) -> dict[str, WeekdayBaseline | None]:
    """Return the usual volume of each site with a nightly run; None if unknown."""
    runs, names = database.store.runs, {site.id: site.name for site in database.store.sites.all()}
    found = {}
    period = (datetime.fromisoformat(time) for time in (night.since, night.until))
    tonight = [run for run in runs.nightly(*period) if only in ("", names[run.site_id])]
    past = runs.new_articles_by_day(tonight)
    for run in tonight:
        today = run.started_at.date()
        earlier = {day: number for day, number in past[run.id].items() if day < today}
        found[names[run.site_id]] = usual_volume(earlier, today)
    return found


def _by_site(found: Sequence[NightArticle], rows: Iterable[ArticleRow]) -> list[SiteArticles]:
    totals = {each.site: each.total for each in found}
    return [
        SiteArticles(site=site, total=totals[site], articles=_by_section(list(part)))
        for site, part in groupby(rows, key=lambda row: row.site)
    ]


def _by_section(rows: Sequence[ArticleRow]) -> list[ArticleRow]:
    sections = dict.fromkeys(row.article.section for row in rows if row.article.section)
    places = {section: at for at, section in enumerate(sections)}
    return sorted(rows, key=lambda row: places.get(row.article.section or "", len(places)))


def nights_of(
    database: ReadOnlyDatabase, sites: Sequence[Site]
) -> Mapping[str, Sequence[DayOfWork]]:
    """Return the last nights of some sites by name, earliest first."""
    # Figures noted that night come last and replace those from the latest decisions.
    fits = database.store.overview.site_fits(sites)
    drift = {(row.site, row.day): 1 - row.strict / row.pages for row in fits}
    found: dict[str, list[DayOfWork]] = defaultdict(list)
    for row in database.store.overview.days(sites):
        if len(found[row.site]) < NIGHTS:
            found[row.site].insert(0, replace(row, drift=drift.get((row.site, row.day))))
    return found
