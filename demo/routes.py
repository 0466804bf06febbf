"""From an address to the page that is there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import resources
from urllib.parse import parse_qs

from demo import broadsheet, feeds, pictures, plain
from demo.edition import PER_PAGE, Edition, listing_name
from demo.english import ENGLISH
from demo.markup import day
from demo.newsroom import AUTHORS, PAPER, SECTIONS, fate
from demo.prose import PROSE, prose_story
from demo.responses import XML, Response, failure, page, redirect
from demo.stories import Entry
from demo.views import Design, Front, Listing, Notice, Page

DESIGNS: dict[str, Design] = {"broadsheet": broadsheet}
"""The clothes that the portal can wear."""

_FEED_SIZE = 20


@dataclass(frozen=True, kw_only=True, eq=False)
class Visit:
    """One request, with all that its answer depends on."""

    path: str
    """Without the query."""
    query: str
    """What comes after the question mark."""
    origin: str
    """Scheme and host by which the portal was reached."""
    edition: Edition
    """The stories of the night."""
    design: str
    """The clothes."""
    paywall: int = 0
    """Per cent of the stories that are locked."""
    restless: bool = False
    """Whether the boxes beside a story change every night."""

    @property
    def page(self) -> int:
        """The page of a listing that was asked for; 0 if that is no number."""
        asked = parse_qs(self.query).get("page", ["1"])[0]
        return int(asked) if asked.isdecimal() and len(asked) < 7 else 0

    @property
    def dress(self) -> Design:
        """The design."""
        return DESIGNS[self.design]


Handler = Callable[[Visit, re.Match[str]], Response | None]


def respond(visit: Visit) -> Response:
    """Return what is at an address; a 404 page if nothing is."""
    for route, handler in _ROUTES:
        if (found := route.fullmatch(visit.path)) and (response := handler(visit, found)):
            return response
    return missing(visit, 404)


def missing(visit: Visit, status: int) -> Response:
    """Return an error page: 404 for what never was, 410 for what is no longer."""
    gone = "This story has been taken down at the request of the desk."
    never = "The page you are looking for has moved, or was never there."
    notice = Notice(
        title="Gone" if status == 410 else "Page not found",
        text=gone if status == 410 else never,
        links=(("/", "To the front page"), ("/archive/", "To the archive")),
        origin=visit.origin,
    )
    return failure(status, visit.dress.notice(notice))


def _front(visit: Visit, _: re.Match[str]) -> Response:
    edition = visit.edition
    sections = tuple(
        (section, tuple(edition.entry(n) for n in edition.listings[f"/{section.key}/"][:4]))
        for section in SECTIONS
        if f"/{section.key}/" in edition.listings
    )
    front = Front(
        top=_top(edition),
        sections=sections,
        most_read=tuple(edition.most_read(visit.restless)),
        date=f"{edition.today:%A}, {day(ENGLISH, edition.today)}",
        origin=visit.origin,
    )
    return page(visit.dress.front(front), changed=edition.today)


def _top(edition: Edition) -> tuple[Entry, ...]:
    """Return the newest stories, one with a picture and in English before the others."""
    newest = [edition.entry(n) for n in edition.numbers[:8]]
    fit = [e for e in newest if e.kind == "story" and e.section.language is ENGLISH]
    return tuple(sorted(newest, key=lambda entry: entry not in fit[:1]))


def _listing(visit: Visit, _: re.Match[str]) -> Response | None:
    path, edition = visit.path, visit.edition
    if path not in edition.listings:
        return redirect(f"{path}/") if f"{path}/" in edition.listings else None
    numbers = edition.listings[path]
    pages = -(-len(numbers) // PER_PAGE)
    if not 1 <= visit.page <= pages:
        return None
    shown = numbers[(visit.page - 1) * PER_PAGE : visit.page * PER_PAGE]
    entries = tuple(map(edition.entry, shown))
    author = AUTHORS.get(path.removeprefix("/author/"))
    listing = Listing(
        title=listing_name(path),
        path=path,
        entries=entries,
        language=entries[0].section.language,
        page=visit.page,
        pages=pages,
        blurb=_blurb(author.name, author.desk) if author else "",
        author=author,
        most_read=tuple(edition.most_read(visit.restless)),
        origin=visit.origin,
    )
    return page(visit.dress.listing(listing), changed=edition.today)


def _blurb(name: str, desk: str) -> str:
    return (
        f"{name} is {desk} of {PAPER}. Before that: eight years on the night desk, two on a trawler, "
        "and a prize for a series on lost letters. Tips are read, letters are answered, and calls "
        "before nine are taken with good grace."
    )


def _article(visit: Visit, found: re.Match[str]) -> Response | None:
    number, sheet, edition = int(found["number"]), int(found["sheet"] or 1), visit.edition
    if number in edition.removed:
        return missing(visit, 410 if number % 2 else 404)
    if number not in _numbers(edition):
        return None
    story = edition.story(number)
    if found["path"] != story.entry.path:
        return redirect(story.entry.path)
    if not 1 <= sheet <= len(story.sheets):
        return None
    endless = story.entry.section.endless and sheet == 1
    below = edition.earlier(number, 2) if endless else []
    view = Page(
        story=story,
        sheet=sheet,
        related=tuple(edition.earlier(number, 3)),
        most_read=tuple(edition.most_read(visit.restless)),
        appendix=tuple(edition.story(entry.number) for entry in below),
        locked=fate(edition.seed, number, "paywall") % 100 < visit.paywall,
        origin=visit.origin,
    )
    return page(
        visit.dress.article(view), changed=_changed(visit, story.modified or story.entry.published)
    )


@cache
def _numbers(edition: Edition) -> frozenset[int]:
    return frozenset(edition.numbers)


def _changed(visit: Visit, written: datetime) -> datetime:
    """Return when a page last changed: with its text, or with its clothes."""
    if visit.restless:
        return visit.edition.today
    return max(written, visit.edition.redesigned or written)


def _prose(visit: Visit, _: re.Match[str]) -> Response | None:
    if visit.path not in PROSE:
        return None
    story = prose_story(visit.path)
    view = Page(
        story=story, most_read=tuple(visit.edition.most_read(visit.restless)), origin=visit.origin
    )
    return page(visit.dress.article(view), changed=_changed(visit, story.entry.published))


def _archive(visit: Visit, _: re.Match[str]) -> Response | None:
    edition = visit.edition
    if visit.path == "/archive/":
        title, links = "Archive", [(path, path[9:16]) for path in edition.months]
    elif visit.path in edition.months:
        entries = map(edition.entry, edition.months[visit.path])
        title, links = (
            f"Archive {visit.path[9:16]}",
            [(entry.path, entry.title) for entry in entries],
        )
    else:
        return None
    text = "Everything that has appeared in the Courier, by month."
    notice = Notice(title=title, text=text, links=tuple(links), origin=visit.origin)
    return page(visit.dress.notice(notice), changed=edition.today)


def _calendar(visit: Visit, found: re.Match[str]) -> Response | None:
    """Return a month of events; there is always one before and one after, for ever."""
    year, month = int(found["year"]), int(found["month"])
    if not 1 <= month <= 12:
        return None
    months = year * 12 + month - 1
    near = [
        (f"/whats-on/{m // 12}/{m % 12 + 1:02}", f"{m // 12}-{m % 12 + 1:02}")
        for m in (months - 1, months + 1)
    ]
    text = f"No events have been announced for {ENGLISH.months[month - 1]} {year} yet."
    notice = Notice(title="What's on", text=text, links=tuple(near), origin=visit.origin)
    return page(visit.dress.notice(notice))


def _form(visit: Visit, _: re.Match[str]) -> Response:
    title, text = _FORMS[visit.path]
    return page(visit.dress.notice(Notice(title=title, text=text, origin=visit.origin)))


_FORMS = {
    "/newsletter": ("Newsletter", "The Morning Tide comes before seven, every day but Sunday."),
    "/account/login": ("Sign in", "Please enter the address with which you subscribed."),
    "/search": ("Search", "Please enter a word."),
}


def _print(visit: Visit, found: re.Match[str]) -> Response | None:
    number = int(found["number"])
    if number not in _numbers(visit.edition):
        return None
    story = visit.edition.story(number)
    return page(plain.printed(story, visit.origin), changed=story.modified or story.entry.published)


def _picture(_: Visit, found: re.Match[str]) -> Response:
    if found["type"] == "png":
        return page(pictures.thumbnail(found["key"]), "image/png")
    return page(pictures.picture(found["key"]), "image/svg+xml")


def _portrait(_: Visit, found: re.Match[str]) -> Response:
    return page(pictures.portrait(found["key"]), "image/svg+xml")


def _style(_: Visit, found: re.Match[str]) -> Response:
    return page(resources.files("demo").joinpath(found["name"]).read_bytes(), "text/css")


def _icon(_: Visit, found: re.Match[str]) -> Response:
    return page(pictures.thumbnail("icon"), "image/png")


def _feed(visit: Visit, _: re.Match[str]) -> Response:
    entries = [visit.edition.entry(n) for n in visit.edition.numbers[:_FEED_SIZE]]
    make = {
        "/feed.xml": feeds.rss,
        "/atom.xml": feeds.atom,
        "/sitemap-news.xml": feeds.news_sitemap,
    }
    return page(make[visit.path](entries, visit.origin), XML, visit.edition.today)


def _sitemap(visit: Visit, found: re.Match[str]) -> Response | None:
    if found["lot"]:
        text = feeds.story_sitemap(visit.edition, int(found["lot"]), visit.origin)
    elif visit.path == "/sitemap.xml":
        text = feeds.sitemap_index(visit.edition, visit.origin)
    else:
        text = feeds.page_sitemap(["/", *visit.edition.listings, *PROSE], visit.origin)
    return page(text, XML, visit.edition.today) if text else None


def _robots(visit: Visit, _: re.Match[str]) -> Response:
    return page(feeds.robots(visit.origin), "text/plain; charset=utf-8")


_ROUTES: tuple[tuple[re.Pattern[str], Handler], ...] = tuple(
    (re.compile(route), handler)
    for route, handler in (
        (
            r"(?P<path>/\w+/\d{4}/\d\d/(?:[a-z0-9-]+-)?(?P<number>\d+))(?:/page/(?P<sheet>\d))?",
            _article,
        ),
        ("/", _front),
        (r"/pictures/(?P<key>\d+-\d+)\.(?P<type>svg|png)", _picture),
        (r"/portraits/(?P<key>[a-z-]+)\.svg", _portrait),
        (r"/style/(?P<name>broadsheet\.css|tabloid\.css)", _style),
        (r"/favicon\.png", _icon),
        (r"/robots\.txt", _robots),
        (r"/(feed|atom|sitemap-news)\.xml", _feed),
        (r"/sitemap(-pages|-stories-(?P<lot>\d{1,6}))?\.xml", _sitemap),
        (r"/print/(?P<number>\d{1,9})", _print),
        (r"/whats-on/(?P<year>\d{4})/(?P<month>\d\d)", _calendar),
        (r"/archive/(\d{4}/\d\d/)?", _archive),
        ("|".join(_FORMS), _form),
        (r"/\w+", _prose),
        (r"/.+", _listing),
    )
)

HTML_OTHERS = ("/", "/archive/", "/newsletter", "/whats-on/2024/11", *PROSE)
"""Addresses of single pages that are no stories."""
