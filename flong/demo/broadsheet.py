"""Broadsheet design: serif type, rules and white space."""

from collections.abc import Iterable

from flong.demo.edition import tag_path
from flong.demo.english import ENGLISH
from flong.demo.grammar import Language
from flong.demo.markup import biography, day, each, esc, given, link, linked, share_links, time_tag
from flong.demo.metadata import ArticleHead, article_head
from flong.demo.newsroom import MOTTO, PAPER, SECTIONS, Section
from flong.demo.prose import PROSE
from flong.demo.stories import Assignment, StoryBlock, WrittenStory
from flong.demo.views import Front, ListingPage, Notice, StoryPage

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


def frame(head: ArticleHead, main: str, *, mark: str = "", date: str = "") -> str:
    """Return a whole page around its main part; `mark` is the highlighted section."""
    return f"""{head}<body class="sheet sheet-{mark or "front"}">
<a class="skip" href="#content">Skip to content</a>
<header class="nameplate">
<div class="nameplate-ears"><span class="ear">{MOTTO}</span>
<span class="ear ear-right"><a href="/subscribe">Subscribe</a> <a href="/account/login">Sign in</a></span></div>
<p class="nameplate-title"><a href="/">{PAPER}</a></p>
{given(bool(date), f'<p class="nameplate-date">{esc(date)}</p>')}
<nav class="nameplate-nav" aria-label="Sections"><ul>
{_nav(mark)}
</ul></nav>
</header>
{main}
{_colophon()}
<div class="consent-strip" role="dialog" aria-label="Cookies"><p>We and our 3 partners use cookies to
count readers and to remember your settings. You can <a href="/privacy">read how</a>.</p>
<button type="button">Accept</button> <button type="button">Only what is needed</button></div>
</body>
</html>
"""


def _nav(mark: str) -> str:
    lit = ' class="lit"'
    return "\n".join(
        f"<li{lit if section.key == mark else ''}>{link(f'/{section.key}/', section.name)}</li>"
        for section in SECTIONS
    )


def _colophon() -> str:
    pages = [link(path, page.title) for path, page in PROSE.items()]
    more = [
        link("/archive/", "Archive"),
        link("/whats-on/2024/11", "What's on"),
        link("/newsletter", "Newsletter"),
        link("/puzzles/", "Puzzles"),
        link("/feed.xml", "RSS"),
        link("https://social.example/merrowcourier", "Chirp", 'rel="me"'),
    ]
    return f"""<footer class="colophon">
<div class="colophon-columns"><ul>
{each(pages)}
</ul>
<ul>
{each(more)}
</ul></div>
<p class="colophon-line">© 1871–2024 Merrow Courier Press Ltd. Printed on the estuary. All rights reserved.</p>
</footer>"""


def rail(language: Language, most_read: Iterable[Assignment]) -> str:
    """Return the sidebar."""
    labels = language.labels
    ranked = each(link(entry.path + "?utm_source=mostread", entry.title) for entry in most_read)
    return f"""<aside class="rail">
<section class="rail-box rail-ranking"><h3>{labels["most_read"]}</h3>
<ol>
{ranked}
</ol></section>
<section class="rail-box rail-ad"><p class="ad-mark">{labels["ad"]}</p>
<a href="https://ads.example/kettle"><strong>Kettle &amp; Daughters</strong> Heat pumps that hum in tune.
Free survey until the end of the month.</a></section>
<section class="rail-box rail-letter"><h3>{esc(labels["letter"])}</h3>
<p>{esc(labels["newsletter"])}</p>
<form action="/newsletter"><input type="email" name="email" aria-label="Email">
<button>{esc(labels["sign_up"])}</button></form></section>
</aside>"""


def article(page: StoryPage) -> str:
    """Return an article page with sidebar, comments and related stories."""
    story = page.story
    section = story.entry.section
    main = f"""<main class="columns" id="content">
<div class="well">
{_story(page)}
{_comments(story)}
{_read_next(page)}
{_appendix(page)}
</div>
{rail(section.language, page.most_read)}
</main>"""
    return frame(article_head(page, "broadsheet", "|"), main, mark=section.key)


def _story(page: StoryPage) -> str:
    story, entry = page.story, page.story.entry
    return f"""<article class="story story-{entry.kind} desk-{entry.section.key}" id="story-{entry.number}">
{_crumbs(entry)}
{_opening(page)}
<div class="story-text">
{_blocks(page)}
{given(page.locked, _offer())}
</div>
{_sheets(page)}
{_ending(story)}
</article>"""


def _crumbs(entry: Assignment) -> str:
    trail = [link("/", "Home")]
    if entry.kind != "page":
        trail.append(link(f"/{entry.section.key}/", entry.section.name))
    if entry.section.key in ("city", "about"):
        trail.append(f"<span>{esc(entry.title)}</span>")
    return f'<nav class="crumbs" aria-label="You are here"><ol>{each(trail)}</ol></nav>'


def _opening(page: StoryPage) -> str:
    entry = page.story.entry
    title = f'<h1 class="headline">{esc(entry.title)}</h1>'
    kicker = f'<p class="kicker">{link(tag_path(entry.tag), entry.tag)}</p>'
    standfirst = f'<p class="standfirst">{esc(entry.standfirst)}</p>'
    if entry.kind == "note":
        return f'<header class="opening">{kicker}\n{title}\n{_byline(page)}</header>'
    if entry.kind == "page":
        return f'<header class="opening">{title}\n{_byline(page)}</header>'
    if entry.kind == "column":
        return f"""<header class="opening opening-column">{_portrait(entry)}
<div>{kicker}\n{title}\n{standfirst}\n{_byline(page)}</div></header>"""
    if entry.kind == "feature":
        return f"""{_lead_picture(entry)}
<header class="opening opening-feature">{kicker}\n{title}\n{standfirst}\n{_byline(page)}</header>"""
    head = f'<header class="opening">{kicker}\n{title}\n{standfirst}\n{_byline(page)}</header>'
    return head + given(entry.kind == "story", "\n" + _lead_picture(entry))


def _lead_picture(entry: Assignment) -> str:
    return f"""<figure class="lead-picture"><img src="{entry.picture}" alt="" width="1200" height="675">
<figcaption>{entry.section.name} / Courier</figcaption></figure>"""


def _portrait(entry: Assignment) -> str:
    return f'<img class="portrait" src="/portraits/{entry.author.key}.svg" alt="" width="96" height="96">'


def _byline(page: StoryPage) -> str:
    story, entry = page.story, page.story.entry
    language = entry.section.language
    author = link(f"/author/{entry.author.key}", entry.author.name, 'rel="author"')
    updated = (
        story.modified and f"{language.labels['updated']} {time_tag(language, story.modified)}"
    )
    shares = share_links(page.origin + page.path, entry.title)
    if entry.kind != "page":
        shares.append(link(f"/print/{entry.number}", language.labels["print"], 'rel="nofollow"'))
    return f"""<div class="byline"><span class="byline-name">{language.labels["by"]} {author}</span>
<span class="byline-date">{time_tag(language, entry.published)}</span>
{given(bool(updated), f'<span class="byline-date">{updated}</span>')}
<ul class="share" aria-label="{language.labels["share"]}">{each(shares)}</ul></div>"""


def _blocks(page: StoryPage) -> str:
    """Return the body, interrupted by an advertisement, a box and a form."""
    entry, pieces = page.story.entry, []
    for place, block in enumerate(page.blocks, 1):
        pieces.append(_block(block, entry))
        if place == 2 and page.related and entry.kind in ("story", "feature"):
            pieces.append(_inline_related(page))
        if place == 4 and entry.kind != "page":
            pieces.append(_inline_ad(entry))
        if place == 6 and entry.number % 2:
            pieces.append(_inline_letter(entry))
    return "\n".join(pieces)


def _block(block: StoryBlock, entry: Assignment) -> str:
    texts = [linked(line, entry) for line in block.lines]
    if block.kind == "figure":
        image = f'<img src="{block.picture}" alt="" width="1200" height="675" loading="lazy">'
        return f'<figure class="story-picture">{image}<figcaption>{texts[0]}</figcaption></figure>'
    if block.kind == "quote":
        return f'<blockquote class="voice"><p>{texts[0]}</p><cite>{texts[1]}</cite></blockquote>'
    if block.kind == "list":
        return f'<ul class="points">{each(texts)}</ul>'
    return f"<{block.kind}>{texts[0]}</{block.kind}>"


def _inline_related(page: StoryPage) -> str:
    labels = page.story.entry.section.language.labels
    rows = each(link(entry.path, entry.title) for entry in page.related[:2])
    return f'<aside class="inset inset-related"><h4>{labels["related"]}</h4><ul>{rows}</ul></aside>'


def _inline_ad(entry: Assignment) -> str:
    return f"""<div class="inset inset-ad"><p class="ad-mark">{entry.section.language.labels["ad"]}</p>
<a href="https://ads.example/fenn">Fenn Brothers ferries: the far shore in nineteen minutes, every hour.</a></div>"""


def _inline_letter(entry: Assignment) -> str:
    labels = entry.section.language.labels
    return f"""<form class="inset inset-letter" action="/newsletter"><p>{esc(labels["letter"])}: {esc(labels["newsletter"])}</p>
<input type="email" name="email" aria-label="Email"> <button>{esc(labels["sign_up"])}</button></form>"""


def _offer() -> str:
    return """<div class="offer"><h2>Keep reading for £1 a week</h2>
<p>This story is for subscribers. Your first month is free, and you can cancel whenever you like.</p>
<a href="/subscribe">Subscribe now</a></div>"""


def _sheets(page: StoryPage) -> str:
    story, sheets = page.story, len(page.story.sheets)
    if sheets == 1:
        return ""
    language = story.entry.section.language
    numbers = [
        f"<span>{sheet}</span>" if sheet == page.sheet else link(page.at(sheet), str(sheet))
        for sheet in range(1, sheets + 1)
    ]
    onward = link(page.at(page.sheet + 1), language.labels["next"], 'rel="next"')
    return (
        f'<nav class="story-pager">{" ".join(numbers)} {given(page.sheet < sheets, onward)}</nav>'
    )


def _ending(story: WrittenStory) -> str:
    entry = story.entry
    if entry.kind == "page":
        return ""
    labels = entry.section.language.labels
    topics = each(
        [link(tag_path(entry.tag), entry.tag), link(f"/{entry.section.key}/", entry.section.name)]
    )
    box = f"""<aside class="about-author">{_portrait(entry)}<div><h4>{esc(entry.author.name)}</h4>
<p>{esc(biography(entry.author, entry.section.language))}</p>{link(f"/author/{entry.author.key}", "All articles")}</div></aside>"""
    return f"""<footer class="story-foot"><h4>{labels["tags"]}</h4><ul class="topics">{topics}</ul></footer>
{given(entry.kind in ("column", "feature"), box)}"""


def _comments(story: WrittenStory) -> str:
    if not story.comments:
        return ""
    entry = story.entry
    language = entry.section.language
    rows = "\n".join(
        f"""<li class="comment" id="comment-{place}"><p class="comment-by"><b>{esc(comment.name)}</b>
{time_tag(language, comment.when)}</p>
<div class="comment-text"><p>{esc(comment.text)}</p></div>
{link(f"{entry.path}?replytocom={place}#respond", language.labels["reply"], 'rel="nofollow"')}</li>"""
        for place, comment in enumerate(story.comments, 1)
    )
    return f"""<section class="comments" id="comments"><h3>{len(story.comments)} {language.labels["comments"]}</h3>
<ol class="comment-list">
{rows}
</ol></section>"""


def _read_next(page: StoryPage) -> str:
    if not page.related:
        return ""
    language = page.story.entry.section.language
    cards = "\n".join(
        f"""<li class="card"><a href="{entry.path}?utm_source=readnext&amp;utm_medium=card">
<img src="{entry.picture}" alt="" width="400" height="225" loading="lazy"><h4>{esc(entry.title)}</h4></a>
<p class="card-date">{day(language, entry.published)}</p></li>"""
        for entry in page.related
    )
    return f'<section class="read-next"><h3>{language.labels["also"]}</h3><ul class="cards">{cards}</ul></section>'


def _appendix(page: StoryPage) -> str:
    """Return complete further stories, as loaded by infinite scrolling."""
    return "\n".join(
        f'<div class="onward" data-url="{story.entry.path}">{_story(StoryPage(story=story, origin=page.origin))}</div>'
        for story in page.appendix
    )
