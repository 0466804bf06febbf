"""Tabloid design: header, footer and sidebar."""

from collections.abc import Iterable

from flong.demo.grammar import Language
from flong.demo.markup import each, esc, link
from flong.demo.metadata import ArticleHead
from flong.demo.newsroom import PAPER, SECTIONS
from flong.demo.prose import PROSE
from flong.demo.stories import Assignment


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
