"""Tabloid design: the newspaper after a redesign, with other elements, classes and order."""

from collections.abc import Iterable

from flong.demo.edition import tag_path
from flong.demo.english import ENGLISH
from flong.demo.grammar import Language
from flong.demo.markup import biography, day, each, esc, given, link, linked, share_links, stamp
from flong.demo.metadata import ArticleHead, article_head
from flong.demo.newsroom import MOTTO, PAPER, SECTIONS
from flong.demo.prose import PROSE
from flong.demo.stories import Assignment, StoryBlock, WrittenStory
from flong.demo.views import Front, ListingPage, Notice, StoryPage

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


def frame(head: ArticleHead, side: str, main: str) -> str:
    """Return a whole page: top bar, sidebar, main part, footer."""
    return f"""{head}<body>
<div id="cc-banner" class="cc"><span>Cookies help us to keep the lights on. {link("/privacy", "Details")}</span>
<button type="button">OK</button></div>
<div class="bar"><div class="bar-in"><a class="logo" href="/">{PAPER.removeprefix("The ")}</a>
<div class="bar-links">{_links()}</div>
<a class="bar-join" href="/subscribe">Join</a></div></div>
<div class="page">
<div class="grid">
{side}
{main}
</div>
</div>
<div class="bottom"><div class="bottom-in">
<div class="bottom-links">{" ".join(link(path, prose.title) for path, prose in PROSE.items())}</div>
<div class="bottom-links">{link("/archive/", "Archive")} {link("/whats-on/2024/11", "What's on")}
{link("/newsletter", "Newsletter")} {link("/puzzles/", "Puzzles")} {link("/feed.xml", "RSS")}</div>
<div class="bottom-small">© Merrow Courier Press Ltd, Ropewalk Street 14, Merrow</div>
</div></div>
</body>
</html>
"""


def _links() -> str:
    return "\n".join(link(f"/{section.key}/", section.name) for section in SECTIONS)


def side(language: Language, most_read: Iterable[Assignment]) -> str:
    """Return the sidebar: an advertisement and the most-read stories."""
    rows = each(
        (
            f'<a href="{entry.path}?ref=top5"><img src="{entry.picture}" alt="" width="80" height="45"><span>'
            f"{esc(entry.title)}</span></a>"
            for entry in most_read
        ),
        "div",
    )
    return f"""<div class="side">
<div class="promo"><small>{language.labels["ad"]}</small><a href="https://ads.example/northlight">
<b>Northlight</b> Electric vans from £199 a month. Test one on Saturday.</a></div>
<div class="top5"><div class="bar-title">{language.labels["most_read"]}</div>
{rows}
</div>
</div>"""


def article(page: StoryPage) -> str:
    """Return an article page: headline above the picture, then comments and cards."""
    language = page.story.entry.section.language
    main = f"""<div class="main">
{_post(page)}
{_talk(page.story)}
{_cards(page)}
{_appendix(page)}
</div>"""
    return frame(article_head(page, "tabloid", "-"), side(language, page.most_read), main)


def _post(page: StoryPage) -> str:
    entry = page.story.entry
    return f"""<div class="post post-{entry.number} in-{entry.section.key}" data-kind="{entry.kind}">
{_top(entry)}
{_meta(page)}
<section class="copy">
{_copy(page)}
</section>
{_pages(page)}
{_signature(entry)}
</div>"""


def _top(entry: Assignment) -> str:
    label = f'<span class="label">{link(f"/{entry.section.key}/", entry.section.name)}</span>'
    title = f'<h1 class="shout">{esc(entry.title)}</h1>'
    deck = f'<div class="deck">{esc(entry.standfirst)}</div>'
    picture = f'<img class="wide" src="{entry.picture}" alt="" width="1200" height="675">'
    if entry.kind == "page":
        return f'<div class="top">{title}</div>'
    if entry.kind in ("note", "gallery"):
        return f'<div class="top">{label}{title}</div>'
    if entry.kind == "column":
        return f'<div class="top top-voice">{_face(entry)}{label}{title}{deck}</div>'
    return (
        f'<div class="top top-over">{picture}<div class="over">{label}{title}</div></div>\n{deck}'
    )


def _face(entry: Assignment) -> str:
    return (
        f'<img class="face" src="/portraits/{entry.author.key}.svg" alt="" width="64" height="64">'
    )


def _meta(page: StoryPage) -> str:
    story, entry = page.story, page.story.entry
    language = entry.section.language
    shares = " ".join(share_links(page.origin + page.path, entry.title))
    edited = (
        f'<span class="clock">{language.labels["updated"]} {stamp(language, story.modified)}</span>'
        if story.modified
        else ""
    )
    tag = given(entry.kind != "page", link(tag_path(entry.tag), f"#{entry.tag}", 'class="hash"'))
    return f"""<div class="meta">{link(f"/author/{entry.author.key}", entry.author.name, 'class="name"')}
<span class="clock">{stamp(language, entry.published)}</span>
{edited}
{tag}
<span class="spread">{shares}</span></div>"""


def _copy(page: StoryPage) -> str:
    """Return the body with inserted boxes."""
    entry = page.story.entry
    pieces = [_piece(block, entry) for block in page.blocks]
    language = entry.section.language
    if len(pieces) > 5 and entry.kind != "page":
        pieces.insert(
            3, f'<div class="promo promo-in"><small>{language.labels["ad"]}</small>{_AD}</div>'
        )
    if page.related and len(pieces) > 4:
        also, other = language.labels["also"], page.related[-1]
        pieces.insert(2, f'<p class="also"><b>{also}:</b> {link(other.path, other.title)}</p>')
    if page.locked:
        pieces.append(_LOCK)
    return "\n".join(pieces)


_AD = '<a href="https://ads.example/marlow">Marlow-Hede hearing aids: hear the tide again.</a>'
_LOCK = """<div class="lock"><b>Members only</b> <span>The rest of this story is for members. Join today,
first month free.</span> <a href="/subscribe">Join</a></div>"""


def _piece(block: StoryBlock, entry: Assignment) -> str:
    texts = [linked(line, entry) for line in block.lines]
    if block.kind == "figure":
        return f"""<div class="shot"><img src="{block.picture}" alt="" width="1200" height="675" loading="lazy">
<span class="shot-text">{texts[0]}</span></div>"""
    if block.kind == "quote":
        return f'<div class="said"><q>{texts[0]}</q><span>{texts[1]}</span></div>'
    if block.kind == "list":
        return f"<ol>{each(texts)}</ol>"
    tag = "h3" if block.kind == "h2" else block.kind
    return f"<{tag}>{texts[0]}</{tag}>"


def _pages(page: StoryPage) -> str:
    sheets = len(page.story.sheets)
    if sheets == 1:
        return ""
    links = " ".join(link(page.at(sheet), f"{sheet}/{sheets}") for sheet in range(1, sheets + 1))
    return f'<div class="steps">{links}</div>'


def _signature(entry: Assignment) -> str:
    if entry.kind not in ("column", "feature"):
        return ""
    return f"""<div class="sign">{_face(entry)}<div><b>{esc(entry.author.name)}</b>
<span>{esc(biography(entry.author, entry.section.language))}</span></div></div>"""


def _talk(story: WrittenStory) -> str:
    if not story.comments:
        return ""
    language = story.entry.section.language
    rows = "\n".join(
        f"""<div class="talk-row"><b>{esc(comment.name)}</b> <i>{stamp(language, comment.when)}</i>
<div>{esc(comment.text)}</div></div>"""
        for comment in story.comments
    )
    return f"""<div class="talk" id="talk"><div class="bar-title">{len(story.comments)}
{language.labels["comments"]}</div>
{rows}
</div>"""


def _cards(page: StoryPage) -> str:
    if not page.related:
        return ""
    language = page.story.entry.section.language
    cards = "\n".join(
        f"""<a class="tile" href="{entry.path}?ref=more"><img src="{entry.picture}" alt="" width="400" height="225"
loading="lazy"><strong>{esc(entry.title)}</strong><em>{day(language, entry.published)}</em></a>"""
        for entry in page.related
    )
    return f"""<div class="bar-title">{language.labels["related"]}</div>
<div class="tiles">{cards}</div>"""


def _appendix(page: StoryPage) -> str:
    return "\n".join(
        f'<div class="scrolled">{_post(StoryPage(story=story, origin=page.origin))}</div>'
        for story in page.appendix
    )
