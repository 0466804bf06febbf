"""HTML pages of the portal."""

import re
from datetime import datetime

from flong.demo import plain
from flong.demo.edition import PER_PAGE, Edition, listing_name
from flong.demo.english import ENGLISH
from flong.demo.markup import biography, day
from flong.demo.newsroom import AUTHORS, SECTIONS, fate
from flong.demo.prose import PROSE, prose_story
from flong.demo.responses import Response, failure, page, redirect
from flong.demo.stories import Assignment
from flong.demo.views import Front, ListingPage, Notice, StoryPage
from flong.demo.visits import Visit


def missing(visit: Visit, status: int) -> Response:
    """Return an error page: 404 for unknown pages, 410 for removed ones."""
    gone = "This story has been taken down at the request of the desk."
    never = "The page you are looking for has moved, or was never there."
    notice = Notice(
        title="Gone" if status == 410 else "Page not found",
        text=gone if status == 410 else never,
        links=(("/", "To the front page"), ("/archive/", "To the archive")),
        origin=visit.origin,
    )
    return failure(status, visit.dress.notice(notice))


def front(visit: Visit, _: re.Match[str]) -> Response:
    """Return the home page."""
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


def _top(edition: Edition) -> tuple[Assignment, ...]:
    """Return the newest stories, starting with an English one that has a picture."""
    newest = [edition.entry(n) for n in edition.numbers[:8]]
    fit = [e for e in newest if e.kind == "story" and e.section.language is ENGLISH]
    return tuple(sorted(newest, key=lambda entry: entry not in fit[:1]))


def listing(visit: Visit, _: re.Match[str]) -> Response | None:
    """Return a page of a section, a tag or an author."""
    path, edition = visit.path, visit.edition
    if path not in edition.listings:
        return redirect(f"{path}/") if f"{path}/" in edition.listings else None
    numbers = edition.listings[path]
    pages = -(-len(numbers) // PER_PAGE)
    if not 1 <= visit.page <= pages:
        return None
    shown = numbers[(visit.page - 1) * PER_PAGE : visit.page * PER_PAGE]
    entries = tuple(map(edition.entry, shown))
    language = entries[0].section.language
    author = AUTHORS.get(path.removeprefix("/author/"))
    listing = ListingPage(
        title=listing_name(path),
        path=path,
        entries=entries,
        language=language,
        page=visit.page,
        pages=pages,
        blurb=biography(author, language) if author else "",
        author=author,
        most_read=tuple(edition.most_read(visit.restless)),
        origin=visit.origin,
    )
    return page(visit.dress.listing(listing), changed=edition.today)


def article(visit: Visit, found: re.Match[str]) -> Response | None:
    """Return a story; a redirect for other spellings of its URL, 410 or 404 if missing."""
    number, sheet, edition = int(found["number"]), int(found["sheet"] or 1), visit.edition
    if number in edition.removed:
        return missing(visit, 410 if number % 2 else 404)
    if number not in edition.live:
        return None
    story = edition.story(number)
    if found["path"] != story.entry.path:
        return redirect(story.entry.path)
    if not 1 <= sheet <= len(story.sheets):
        return None
    endless = story.entry.section.endless and sheet == 1
    below = edition.earlier(number, 2) if endless else []
    view = StoryPage(
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


def _changed(visit: Visit, written: datetime) -> datetime:
    """Return the time of the last change of text or design."""
    if visit.restless:
        return visit.edition.today
    return max(written, visit.edition.redesigned or written)


def prose(visit: Visit, _: re.Match[str]) -> Response | None:
    """Return a page about the newspaper itself."""
    if visit.path not in PROSE:
        return None
    story = prose_story(visit.path)
    view = StoryPage(
        story=story, most_read=tuple(visit.edition.most_read(visit.restless)), origin=visit.origin
    )
    return page(visit.dress.article(view), changed=_changed(visit, story.entry.published))


def archive(visit: Visit, _: re.Match[str]) -> Response | None:
    """Return the list of months, or a month's stories."""
    edition = visit.edition
    if visit.path == "/archive/":
        title, links = "Archive", [(path, path[9:16]) for path in edition.months]
    elif visit.path in edition.months:
        entries = map(edition.entry, edition.months[visit.path])
        title, links = visit.path[9:16], [(entry.path, entry.title) for entry in entries]
    else:
        return None
    text = "Everything that has appeared in the Courier, by month."
    notice = Notice(title=title, text=text, links=tuple(links), origin=visit.origin)
    return page(visit.dress.notice(notice), changed=edition.today)


def calendar(visit: Visit, found: re.Match[str]) -> Response | None:
    """Return a calendar month, with links to the previous and next one (a crawler trap)."""
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


def form(visit: Visit, _: re.Match[str]) -> Response:
    """Return a page with a form."""
    title, text = FORMS[visit.path]
    return page(visit.dress.notice(Notice(title=title, text=text, origin=visit.origin)))


FORMS = {
    "/newsletter": ("Newsletter", "The Morning Tide comes before seven, every day but Sunday."),
    "/account/login": ("Sign in", "Please enter the address with which you subscribed."),
    "/search": ("Search", "Please enter a word."),
}


def printed(visit: Visit, found: re.Match[str]) -> Response | None:
    """Return the print version of a story."""
    number = int(found["number"])
    if number not in visit.edition.live:
        return None
    story = visit.edition.story(number)
    return page(plain.printed(story, visit.origin), changed=story.modified or story.entry.published)
