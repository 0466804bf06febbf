"""Tabloid design: article templates."""

from flong.demo.edition import tag_path
from flong.demo.markup import biography, day, each, esc, given, link, linked, share_links, stamp
from flong.demo.metadata import article_head
from flong.demo.stories import Assignment, StoryBlock, WrittenStory
from flong.demo.tabloid_frame import frame, side
from flong.demo.views import StoryPage


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
