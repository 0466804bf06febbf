"""The first view: what last night brought, or another night."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.paging import Day
from flong.inspector.reports import Look, Report, looks_of, read_report
from flong.search import summarise
from flong.stages.drift import WeekdayBaseline, usual_volume
from flong.storage import ArticleRow, DayOfWork, NightArticle, NightPeriod, Site

SOME = 6
"""New articles of each site that are shown."""
MORE = 50
"""Those that are shown of one site alone."""
SHOWN = 120
"""Articles of all sites that are shown: of many sites fewer each, and not of each of thousands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNight:
    """Which night is asked for."""

    day: Day = ""
    """On which it began; the last one if not given."""
    site: str = ""
    """What it brought of one site; empty for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteNight:
    """What a night brought of a site, in figures."""

    site: str
    """Its name."""
    new: int
    """New articles."""
    edited: int
    """Edited ones."""
    gone: int
    """Those that are gone."""
    usual: float | None
    """New articles on such a day on the mean; None if that is not known yet."""
    is_low: bool
    """Whether the new ones are far fewer than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewArticle:
    """A new article."""

    article: int
    """Id of its page."""
    title: str
    """The headline."""
    section: str | None
    """As the site names it."""
    dated: str
    """When it was published, or else first seen."""
    excerpt: str
    """Its first sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteArticles:
    """New articles of a site, some of many."""

    site: str
    """Its name."""
    total: int
    """How many there are."""
    articles: list[NewArticle]
    """The latest, section by section: first that of the latest one, last those without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightView:
    """One night."""

    asked: AskedNight
    """What was asked for."""
    day: str
    """On which it began; empty if there was none yet."""
    is_last: bool
    """Whether it is the last one."""
    is_found: bool
    """Whether one began on that day."""
    earlier: str | None
    """Day of the night before it; None for the first."""
    later: str | None
    """Day of the night after it; None for the last."""
    reports: Mapping[str, Report]
    """What was said about the sites, by name."""
    looks: list[Look]
    """What needs a look of that, and what became of it."""
    sites: list[SiteNight]
    """What it brought, by name."""
    new: list[SiteArticles]
    """New articles, by name of their site."""
    edited: list[NightArticle]
    """Edited articles, some of many."""
    gone: list[NightArticle]
    """Articles that are gone, some of many."""


def view_night(database: ReadOnlyDatabase, asked: AskedNight) -> NightView:
    """Return what a night brought, the last one unless another day is asked for."""
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
        looks=looks_of(database, reports),
        sites=_sites(database, night, (new, edited, gone), asked.site) if night else [],
        new=_by_site(new, reading.texts(new[:SHOWN])),
        edited=edited[:SHOWN],
        gone=gone[:SHOWN],
    )


def _reports(database: ReadOnlyDatabase, night: NightPeriod, site: str) -> dict[str, Report]:
    said = database.store.nights.reports(night)
    return {row.site: read_report(row) for row in said if site in ("", row.site)}


def _sites(
    database: ReadOnlyDatabase,
    night: NightPeriod,
    found: Sequence[Sequence[NightArticle]],
    only: str,
) -> list[SiteNight]:
    """Return the figures of all sites that were visited, or of one."""
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
    """Return what each site that had a nightly run usually brings; None if it is not known yet."""
    runs, names = database.store.runs, {site.id: site.name for site in database.store.sites.all()}
    found = {}
    period = (datetime.fromisoformat(time) for time in (night.since, night.until))
    tonight = [run for run in runs.nightly(*period) if only in ("", names[run.site_id])]
    past = runs.new_articles_of_sites(tonight)
    for run in tonight:
        today = run.started_at.date()
        earlier = {day: number for day, number in past[run.id].items() if day < today}
        found[names[run.site_id]] = usual_volume(earlier, today)
    return found


def _by_site(found: Sequence[NightArticle], rows: Sequence[ArticleRow]) -> list[SiteArticles]:
    totals = {each.site: each.total for each in found}
    return [
        SiteArticles(site=site, total=totals[site], articles=_by_section(part))
        for site, part in groupby(rows, key=lambda row: row.site)
    ]


def _by_section(rows: Iterable[ArticleRow]) -> list[NewArticle]:
    found = [_new_article(row) for row in rows]
    sections = dict.fromkeys(each.section for each in found if each.section)
    places = {section: at for at, section in enumerate(sections)}
    return sorted(found, key=lambda each: places.get(each.section or "", len(places)))


def _new_article(row: ArticleRow) -> NewArticle:
    article = row.article
    return NewArticle(
        article=row.page_id,
        title=article.title,
        section=article.section,
        dated=row.dated,
        excerpt=" ".join(map(str, summarise(article.body, (), article.language))),
    )


NIGHTS = 14
"""So many nights are shown, the latest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One day of work on one site."""

    day: str
    """`2026-05-01`, in UTC."""
    runs: int
    """Stages that ran."""
    broken: int
    """Those of them that failed or were killed."""
    new: int
    """Pages seen for the first time."""
    changed: int
    """Pages with another content than before."""
    gone: int
    """Pages no longer there."""
    failed: int
    """URLs that gave no page."""
    articles: int
    """Articles written."""
    drift: float | None
    """Share of the pages read that day that no pattern accepts exactly; None if none was read."""


def nights_of(database: ReadOnlyDatabase, sites: Sequence[Site]) -> Mapping[str, Sequence[Night]]:
    """Return the last nights of some sites, by name, the earliest first."""
    # What was noted that night counts more than what is left of it in the latest decisions.
    fits = database.store.overview.site_fits(sites)
    drift = {(row.site, row.day): 1 - row.strict / row.pages for row in fits}
    found: dict[str, list[Night]] = defaultdict(list)
    for row in database.store.overview.days(sites):
        if len(found[row.site]) < NIGHTS:
            night = Night(drift=drift.get((row.site, row.day)), **_of_day(row))
            found[row.site].insert(0, night)
    return found


def _of_day(row: DayOfWork) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "site"}
