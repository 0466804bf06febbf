"""Broadsheet design: header, footer and sidebar."""

from collections.abc import Iterable

from flong.demo.grammar import Language
from flong.demo.markup import each, esc, given, link
from flong.demo.metadata import ArticleHead
from flong.demo.newsroom import MOTTO, PAPER, SECTIONS
from flong.demo.prose import PROSE
from flong.demo.stories import Assignment


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
