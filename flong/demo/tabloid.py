"""Tabloid design: the newspaper after a redesign, with other elements, classes and order."""

from flong.demo.english import ENGLISH
from flong.demo.markup import day, esc, given, link
from flong.demo.metadata import ArticleHead
from flong.demo.newsroom import MOTTO, PAPER
from flong.demo.stories import Assignment
from flong.demo.tabloid_frame import frame, side
from flong.demo.tabloid_story import article
from flong.demo.views import Front, ListingPage, Notice

__all__ = ["article", "front", "listing", "notice"]


def front(front: Front) -> str:
    """Return the home page: tiles, the first one large."""
    first, *others = front.top
    rows = "\n".join(
        f"""<div class="bar-title">{link(f"/{section.key}/", section.name)}</div>
<div class="tiles">{"".join(map(_tile, entries))}</div>"""
        for section, entries in front.sections
    )
    main = f"""<div class="main">
<div class="today">{esc(front.date)}</div>
<a class="giant" href="{first.path}"><img src="{first.picture}" alt="" width="1200" height="675">
<span class="giant-text"><em>{esc(first.section.name)}</em><strong>{esc(first.title)}</strong></span></a>
<div class="tiles">{"".join(map(_tile, others[:3]))}</div>
{rows}
</div>"""
    head = ArticleHead(title=f"{PAPER} - {MOTTO}", path="/", origin=front.origin, design="tabloid")
    return frame(head, side(ENGLISH, front.most_read), main)


def _tile(entry: Assignment) -> str:
    return f"""<a class="tile" href="{entry.path}?ref=home"><img src="{entry.picture}" alt="" width="400"
height="225" loading="lazy"><strong>{esc(entry.title)}</strong></a>
"""


def listing(listing: ListingPage) -> str:
    """Return a page of rows with links to the next and previous page, or to all if few."""
    rows = "\n".join(_row(entry) for entry in listing.entries)
    main = f"""<div class="main"><div class="list-top"><h1>{esc(listing.title)}</h1>
{given(bool(listing.blurb), f"<p>{esc(listing.blurb)}</p>")}</div>
{rows}
{_steps(listing)}
</div>"""
    head = ArticleHead(
        title=f"{listing.title} - {PAPER}",
        path=listing.at(listing.page),
        origin=listing.origin,
        design="tabloid",
        lang=listing.language.code,
    )
    return frame(head, side(listing.language, listing.most_read), main)


def _row(entry: Assignment) -> str:
    return f"""<div class="line"><a href="{entry.path}"><img src="{entry.picture}" alt="" width="200" height="112"
loading="lazy"></a><div class="line-text">{link(entry.path, entry.title, 'class="line-title"')}
<span>{esc(entry.standfirst)}</span>
<i>{day(entry.section.language, entry.published)}</i></div></div>"""


def _steps(listing: ListingPage) -> str:
    labels = listing.language.labels
    page, pages = listing.page, listing.pages
    few = range(1, pages + 1) if 1 < pages < 12 else ()
    steps = [link(listing.at(number), str(number)) for number in few]
    if page > 1:
        steps.insert(0, link(listing.at(page - 1), labels["newer"], 'rel="prev"'))
    if page < pages:
        steps.append(link(listing.at(page + 1), labels["older"], 'rel="next"'))
    return f'<div class="steps">{" ".join(steps)}</div>'


def notice(notice: Notice) -> str:
    """Return a notice page."""
    links = "\n".join(f"<div>{link(href, text)}</div>" for href, text in notice.links)
    main = f"""<div class="main"><div class="list-top"><h1>{esc(notice.title)}</h1></div>
<p>{esc(notice.text)}</p>
<div class="names">{links}</div></div>"""
    head = ArticleHead(title=f"{notice.title} - {PAPER}", origin=notice.origin, design="tabloid")
    return frame(head, "", main)
