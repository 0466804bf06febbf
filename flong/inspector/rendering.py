"""Jinja environment and filters of the views."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from flong.article import Article, Block, BlockKind, Span, paragraphs_of, to_html
from flong.inspector import charts
from flong.patterns import Moment, parse_date, read_selector
from flong.program import program
from flong.search import mark_terms, summarise
from flong.states import Precision
from flong.storage import ArticleRow

TEMPLATES = Path(__file__).parent / "templates"

NOTHING = "-"
"""Placeholder for a missing value."""

COLOURS = 12
"""Number of clusters with a colour of their own; further ones are grey."""

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


def visible(value: object) -> object:
    r"""Return a text with symbols for invisible characters and direction marks.

    >>> visible("a\x00b"), visible("1\u202e2"), visible("line\nline")
    ('a␀b', '1⟨U+202E⟩2', 'line\nline')
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _HIDDEN.sub(_sign, value)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def marked(text: str, terms: Collection[str]) -> Markup:
    """Return a text as HTML with the terms of a query marked.

    >>> marked("Rain & <b>more</b> rain", ["rain"])
    Markup('<mark>Rain</mark> &amp; &lt;b&gt;more&lt;/b&gt; <mark>rain</mark>')
    """
    return Markup().join(
        Markup("<mark>{}</mark>").format(visible(piece.text))
        if piece.is_term
        else escape(visible(piece.text))
        for piece in mark_terms(text, terms)
    )


def prose(blocks: Iterable[Block]) -> Markup:
    """Return the blocks of an article as HTML that fetches nothing.

    Pictures and embeds become links; only http and https URLs are linked.

    >>> picture = Block(kind=BlockKind.IMAGE, url="https://a.example/b.png", alt="A bridge")
    >>> prose([picture])
    Markup('<p><a href="https://a.example/b.png">Picture: A bridge</a></p>')
    """
    return Markup(to_html(map(_harmless, blocks)))  # noqa: S704 - to_html escapes


def _harmless(block: Block) -> Block:
    spans = tuple(
        replace(span, text=str(visible(span.text)), url=span.url and outside(span.url))
        for span in block.spans
    )
    if block.kind in (BlockKind.IMAGE, BlockKind.EMBED):
        name = "Picture" if block.kind is BlockKind.IMAGE else "Embedded"
        said = str(visible(block.alt or block.words or block.url or ""))
        named = Span(f"{name}: {said}", url=block.url and outside(block.url))
        return Block(kind=BlockKind.PARAGRAPH, spans=(named,), boxes=block.boxes)
    level, code = max(2, block.level), str(visible(block.alt))
    return replace(block, spans=spans, level=level, alt=code, url="")


def number(value: float | None) -> str:
    """Return a number with thin spaces between thousands.

    >>> number(20000), number(None)
    ('20\u202f000', '-')
    """
    return NOTHING if value is None else f"{value:,}".replace(",", "\u202f")


def percent(value: float | None) -> str:
    """Return a fraction in per cent, without rounding to 0 or 100.

    >>> percent(0.5), percent(0.004), percent(0.9996), percent(0.0), percent(None)
    ('50%', '<1%', '>99%', '0%', '-')
    """
    if value is None:
        return NOTHING
    if 0 < value < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= value < 1 else f"{value:.0%}"


def minute(value: str | datetime | None) -> str:
    """Return a time in UTC to the minute.

    >>> minute("2026-05-01T12:30:00Z"), minute(None)
    ('2026-05-01 12:30', '-')
    """
    text = value.isoformat() if isinstance(value, datetime) else value
    return text[:16].replace("T", " ") if text else NOTHING


def moment(value: str | datetime | None) -> str:
    """Return a time in UTC as an HTML element that names its zone in a tooltip.

    >>> moment("2026-05-01T12:30:00Z"), moment("2026-05-01"), moment(None)
    (Markup('<time title="UTC">2026-05-01 12:30</time>'), '2026-05-01', '-')
    """
    text = minute(value)
    return text if ":" not in text else Markup('<time title="UTC">{}</time>').format(text)


def published(row: ArticleRow) -> Markup:
    """Return the time of an article in the zone of its page, with UTC in a tooltip.

    Without a time of publication, return the time when the page was first seen.
    """
    time = row.article.published
    if time is None:
        return Markup('<time title="First seen, UTC">{}</time>').format(minute(row.first_seen))
    local = stated_time(row.article, "published").local
    if row.article.published_precision is Precision.DAY:
        return Markup("<time>{}</time>").format(local)
    title = f"{minute(time)} UTC"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(time.isoformat(), title, local)


def stated_time(article: Article, field: str) -> Moment:
    """Return a time of an article in the zone of its page; in UTC if that cannot be read."""
    time, precision, text = (
        getattr(article, f"{field}{part}") for part in ("", "_precision", "_text")
    )
    written = parse_date(text or "", language=article.language)
    local = written.time if written and written.time == time else time
    return Moment(local, precision, text or "")


def value(article: Article, field: str) -> str:
    """Return the beginning of a field as text.

    >>> value(Article(url="", title="Rain", body="", authors=("A. Writer", "B. Poet")), "authors")
    'A. Writer, B. Poet'
    """
    found = getattr(article, field, "")
    if isinstance(found, datetime):
        return str(stated_time(article, field))
    return shorten(", ".join(found) if isinstance(found, tuple) else str(found))


def excerpt(article: Article) -> str:
    """Return the first sentences of an article."""
    return " ".join(map(str, summarise(article.body, (), article.language)))


def blocks(article: Article) -> tuple[Block, ...]:
    """Return the blocks of an article; one per line if its structure was not stored."""
    return article.blocks or paragraphs_of(article.body)


def selector(text: str | None) -> str:
    """Return a stored selector as people write it; empty for None."""
    return str(read_selector(text) or "") if text else ""


def shorten(text: str, length: int = 160) -> str:
    r"""Return a text in one line of at most `length` characters.

    >>> shorten("One  line\nand more", 12)
    'One line and…'
    """
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else f"{line[:length].rstrip()}…"


def path_of(url: str) -> str:
    """Return the path and query of a URL.

    >>> path_of("https://a.example/b?c=1"), path_of("https://a.example"), path_of("odd")
    ('/b?c=1', '/', 'odd')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if not parts.netloc:
        return url
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def outside(url: str) -> str | None:
    """Return an http or https URL; None for any other.

    >>> outside("https://a.example/"), outside("javascript:alert(1)")
    ('https://a.example/', None)
    """
    return url if url.lower().startswith(("http://", "https://")) else None


def query(values: object, **changes: object) -> str:
    """Return non-empty filters as a query string.

    >>> query({"site": "a", "q": ""}, page=2)
    '?site=a&page=2'
    """
    known = values if isinstance(values, dict) else charts.fields_of(values)
    kept = {key: value for key, value in {**known, **changes}.items() if value not in (None, "")}
    return f"?{urlencode(kept)}" if kept else "?"


def colour(rank: int | None) -> str:
    """Return the CSS class with the colour of a cluster.

    >>> colour(0), colour(99), colour(None)
    ('c0', 'c-more', 'c-none')
    """
    if rank is None:
        return "c-none"
    return f"c{rank}" if rank < COLOURS else "c-more"


def direction(text: str) -> str:
    """Return `rtl` for a text in a right-to-left script, else `ltr`.

    >>> direction("News"), direction("אב")
    ('ltr', 'rtl')
    """
    strong = (unicodedata.bidirectional(sign) for sign in text[:200])
    return (
        "rtl" if next((kind for kind in strong if kind in "L R AL".split()), "L") != "L" else "ltr"
    )


def make_environment() -> Environment:
    """Return the environment with all filters and globals; autoescaping is on."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = (
        *(marked, prose, number, percent, minute, moment, published, path_of, outside, colour),
        *(direction, value, excerpt, blocks, selector, shorten, charts.total_of),
    )
    environment.filters |= {each.__name__: each for each in shown}
    environment.globals |= {
        "program": program(),
        "recipe_forms": {},
        "query": query,
        "has_newspaper": False,
        "has_login": False,
        "night_boxes": charts.night_boxes,
        "drawing_lines": charts.drawing_lines,
        "heat_picture": charts.heat_picture,
    }
    return environment
