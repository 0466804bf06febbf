"""Broadsheet design: serif type, rules and white space."""

from flong.demo.broadsheet_frame import frame, rail
from flong.demo.broadsheet_story import article
from flong.demo.english import ENGLISH
from flong.demo.grammar import Language
from flong.demo.markup import day, each, esc, given, link
from flong.demo.metadata import ArticleHead
from flong.demo.newsroom import MOTTO, PAPER, Section
from flong.demo.stories import Assignment
from flong.demo.views import Front, ListingPage, Notice

__all__ = ["article", "front", "listing", "notice"]


def front(front: Front) -> str:
    """Return the home page: one lead story, the newest beside it, a strip per section."""
    lead, *others = front.top
    below, beside = others[:2], others[2:7]
    main = f"""<main class="columns columns-front" id="content">
<div class="well">
<section class="splash">
<div class="splash-lead"><a href="{lead.path}"><img src="{lead.picture}" alt="" width="1200" height="675"></a>
<p class="kicker">{esc(lead.section.name)}</p>
<h2>{link(lead.path, lead.title)}</h2><p>{esc(lead.standfirst)}</p>
<div class="splash-below">{_teasers(below, picture=False)}</div></div>
<div class="splash-side">
{_teasers(beside, picture=False)}
</div></section>
{_strips(front.sections)}
</div>
{rail(ENGLISH, front.most_read)}
</main>"""
    top = ArticleHead(
        title=f"{PAPER} | {MOTTO}", path="/", origin=front.origin, design="broadsheet"
    )
    return frame(top, main, date=front.date)


def _strips(sections: tuple[tuple[Section, tuple[Assignment, ...]], ...]) -> str:
    return "\n".join(
        f"""<section class="strip"><h3 class="strip-name">{link(f"/{section.key}/", section.name)}</h3>
<div class="strip-row">{_teasers(list(entries), picture=True)}</div></section>"""
        for section, entries in sections
    )


def _teasers(entries: list[Assignment], *, picture: bool) -> str:
    return "\n".join(
        f"""<div class="teaser">{given(picture, _thumb(entry))}
<h4>{link(entry.path + "?utm_source=front", entry.title)}</h4>
<p>{esc(entry.standfirst)}</p></div>"""
        for entry in entries
    )


def _thumb(entry: Assignment) -> str:
    return f"""<a class="thumb" href="{entry.path}"><img src="{entry.picture}" alt="" width="400" height="225"
loading="lazy"></a>"""


def listing(listing: ListingPage) -> str:
    """Return a page of teasers with a pager."""
    rows = "\n".join(_row(entry) for entry in listing.entries)
    main = f"""<main class="columns" id="content">
<div class="well">
<header class="index-head">{_face(listing)}<h1>{esc(listing.title)}</h1>
{given(bool(listing.blurb), f"<p>{esc(listing.blurb)}</p>")}</header>
<div class="index">
{rows}
</div>
{_pager(listing)}
</div>
{rail(listing.language, listing.most_read)}
</main>"""
    number = given(listing.page > 1, f" (page {listing.page})")
    title = f"{listing.title}{number} | {PAPER}"
    top = ArticleHead(
        title=title,
        path=listing.at(listing.page),
        origin=listing.origin,
        design="broadsheet",
        lang=listing.language.code,
    )
    return frame(top, main, mark=listing.path.strip("/").split("/")[0])


def _face(listing: ListingPage) -> str:
    if not listing.author:
        return ""
    return f'<img class="portrait" src="/portraits/{listing.author.key}.svg" alt="" width="96" height="96">'


def _row(entry: Assignment) -> str:
    language = entry.section.language
    return f"""<div class="index-row">{_thumb(entry)}
<div><h2>{link(entry.path, entry.title)}</h2>
<p class="index-by">{_by(language, entry)}</p>
<p>{esc(entry.standfirst)}</p></div></div>"""


def _by(language: Language, entry: Assignment) -> str:
    return f"{language.labels['by']} {esc(entry.author.name)} · {day(language, entry.published)}"


def _pager(listing: ListingPage) -> str:
    """Return links to nearby pages, the first and the last; to all if there are few."""
    if listing.pages == 1:
        return ""
    near = range(listing.page - 3, listing.page + 4)
    pages = [
        p
        for p in range(1, listing.pages + 1)
        if listing.pages < 12 or p in near or p in (1, listing.pages)
    ]
    links = each(
        f"<b>{page}</b>" if page == listing.page else link(listing.at(page), str(page))
        for page in pages
    )
    return f'<nav class="pager"><ul>{links}</ul></nav>'


def notice(notice: Notice) -> str:
    """Return a notice page."""
    links = each(link(href, text) for href, text in notice.links)
    main = f"""<main class="columns" id="content"><div class="well"><div class="notice">
<h1>{esc(notice.title)}</h1><p>{esc(notice.text)}</p>
<ul>{links}</ul></div></div></main>"""
    top = ArticleHead(title=f"{notice.title} | {PAPER}", origin=notice.origin, design="broadsheet")
    return frame(top, main)
