"""Views as HTML: the templates, and how values are written for people."""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from flong.article import Block, BlockKind, Span, to_html
from flong.inspector import charts
from flong.program import program
from flong.search import mark_terms

TEMPLATES = Path(__file__).parent / "templates"

NOTHING = "-"
"""Shown where there is no value."""

COLOURS = 12
"""Clusters that have a colour of their own; further ones are grey."""

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


def visible(value: object) -> object:
    r"""Return a text with signs for characters that cannot be seen or that turn text round.

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
    """Return a text as HTML in which the terms of a query are marked.

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
    """Return the text of an article as HTML that fetches nothing.

    A picture or an embed becomes a link; a URL on which a click might do something else than
    open a page becomes none.

    >>> picture = Block(kind=BlockKind.IMAGE, url="https://a.example/b.png", alt="A bridge")
    >>> prose([picture])
    Markup('<p><a href="https://a.example/b.png">Picture: A bridge</a></p>')
    """
    return Markup(to_html(map(_harmless, blocks)))  # noqa: S704 - escapes all that blocks hold


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
    """Return a share in per cent; small ones are not rounded away.

    >>> percent(0.5), percent(0.004), percent(0.9996), percent(0.0), percent(None)
    ('50%', '<1%', '>99%', '0%', '-')
    """
    if value is None:
        return NOTHING
    if 0 < value < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= value < 1 else f"{value:.0%}"


def moment(value: str | None) -> str:
    """Return a time as a person reads it.

    >>> moment("2026-05-01T12:30:00Z"), moment(None)
    ('2026-05-01 12:30', '-')
    """
    return NOTHING if not value else value[:16].replace("T", " ")


def path_of(url: str) -> str:
    """Return the part of a URL after the host, which tells pages of a site apart.

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
    """Return a URL if it can be a link; None if a click on it might do something else.

    >>> outside("https://a.example/"), outside("javascript:alert(1)")
    ('https://a.example/', None)
    """
    return url if url.lower().startswith(("http://", "https://")) else None


def names(text: str) -> str:
    """Return a JSON list of names as one line.

    >>> names('["A. Writer", "B. Poet"]'), names("odd")
    ('A. Writer, B. Poet', '')
    """
    try:
        found = json.loads(text)
    except ValueError:
        return ""
    return ", ".join(map(str, found)) if isinstance(found, list) else ""


def query(values: object, **changes: object) -> str:
    """Return filters as the end of a URL, without those that are empty.

    >>> query({"site": "a", "q": ""}, page=2)
    '?site=a&page=2'
    """
    known = values if isinstance(values, dict) else charts.fields_of(values)
    kept = {key: value for key, value in {**known, **changes}.items() if value not in (None, "")}
    return f"?{urlencode(kept)}" if kept else "?"


def colour(rank: int | None) -> str:
    """Return the class that gives the colour of a cluster.

    >>> colour(0), colour(99), colour(None)
    ('c0', 'c-more', 'c-none')
    """
    if rank is None:
        return "c-none"
    return f"c{rank}" if rank < COLOURS else "c-more"


def direction(text: str) -> str:
    """Return `rtl` for a text in a script that is written from right to left.

    >>> direction("News"), direction("אב")
    ('ltr', 'rtl')
    """
    strong = (unicodedata.bidirectional(sign) for sign in text[:200])
    return (
        "rtl" if next((kind for kind in strong if kind in "L R AL".split()), "L") != "L" else "ltr"
    )


def make_environment() -> Environment:
    """Return the templates with everything they use; what they show is always escaped."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = (marked, prose, number, percent, moment, path_of, outside, names, colour, direction)
    environment.filters |= {each.__name__: each for each in shown}
    environment.globals |= {
        "program": program(),
        "recipe_forms": {},
        "query": query,
        "has_newspaper": False,
        "night_bars": charts.night_bars,
        "day_bars": charts.day_bars,
        "depth_rows": charts.depth_rows,
        "drawing_lines": charts.drawing_lines,
        "heat_picture": charts.heat_picture,
    }
    return environment
