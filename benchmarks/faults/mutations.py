"""Mutations of pages and of their declared encodings, for fuzzing."""

import re
from collections.abc import Callable
from random import Random

MOST = 6
"""Maximum number of mutations of one page."""
LARGEST = 1_500_000
"""Maximum number of characters of a page: repeated doubling would have no end."""

_TAG = re.compile(r"<[^<>]{1,2000}>")
_ATTRIBUTE = re.compile(r"\s[\w:-]{1,40}=(?:\"[^\"<>]{0,2000}\"|'[^'<>]{0,2000}')")
_NESTED = "div p span ul li table tr td a b font article section blockquote svg form x-y".split()
_IN_LINKS = "b i span div p em option h2 li".split()
_CODECS = "utf-8 latin-1 utf-16-le utf-16-be utf-16 shift_jis gb18030 koi8-r iso2022_jp".split()
_LABELS = (
    "utf-8 utf8 UTF-16 utf-16be utf-16le iso-8859-1 windows-1252 windows-1253 shift_jis gb2312 big5"
    " koi8-r euc-kr iso-2022-jp hz-gb-2312 x-user-defined replacement"  # of the standard
    " undefined rot13 zlib hex idna punycode base64 unicode_escape utf-7 utf-32 klingon \xff \0"
).split(" ")
"""Charsets that a server may declare, also codecs of Python that are not charsets."""
_STRANGE = (
    "\0", "\ud800", "\udfff\ud800", "\ufeff", "\ufffe", "\u202e", "\x1b[31m", "\x7f", "\x0b",
    "<!--", "-->", "<!", "<?", "?>", "<![CDATA[", "]]>", "</", "<", ">", "&", "&#0;", "&#xd800;",
    "&#99999999999;", "&lt;", "&amp;amp;", "&" * 50, "<script>", "</script>", "<style>", "<title>",
    "<template>", "<noscript>", "<textarea>", "<select>", "<frameset>", "<plaintext>", "<body>",
    "</body>", "<head>", "<html lang='\0'>", "<svg><title>", "<math><mi>", "<meta charset=utf-7>",
    "<base href='http://['>", "<time datetime='9999-99-99'>", "<a href='javascript:x'>",
    '<script type="application/ld+json">{"@type":"NewsArticle","author":[[[{"name":1}]]]}</script>',
    '<script type="application/ld+json">' + "[" * 3_000 + "</script>",
    " " * 30_000, "\n" * 30_000, "9" * 30_000, "1/" * 15_000, "a-" * 15_000, "<b>" * 3_000,
    "</b>" * 3_000, "<br>" * 5_000, "\u4e00" * 10_000, "|" * 10_000, "=" * 10_000, '"' * 10_000,
)  # fmt: skip


def mutate(html: str, dice: Random) -> str:
    """Return a page with a few mutations.

    >>> mutate("<p>one two</p>", Random(3)) != "<p>one two</p>"
    True
    """
    for _ in range(dice.randint(1, MOST)):
        html = dice.choice(MUTATIONS)(html, dice)[:LARGEST]
    return html


def serve(html: str, dice: Random) -> tuple[bytes, str]:
    """Return a page as bytes with a content type, which is wrong for every second page.

    >>> serve("<p>one", Random(1))
    (b'<p>one', 'text/html; charset=utf-8')
    """
    if dice.random() < 0.5:
        return html.encode("utf-8", "replace"), "text/html; charset=utf-8"
    label, said = dice.choice(_LABELS), dice.choice(("header", "meta", "both", "xml", "nowhere"))
    if said in ("meta", "both"):
        html = f"<meta charset='{label}'>{html}"
    if said == "xml":
        html = f"<?xml version='1.0' encoding='{label}'?>{html}"
    kind = f"text/html; charset={label}" if said in ("header", "both") else "text/html"
    return html.encode(dice.choice(_CODECS), "replace"), kind


def _part(length: int, dice: Random) -> tuple[int, int]:
    """Return start and end of a random part; short parts are more frequent."""
    start = dice.randint(0, length)
    return start, min(length, start + int(length ** dice.random()))


def cut(html: str, dice: Random) -> str:
    """Remove a part."""
    start, end = _part(len(html), dice)
    return html[:start] + html[end:]


def break_off(html: str, dice: Random) -> str:
    """Truncate the page."""
    return html[: dice.randint(0, len(html))]


def double(html: str, dice: Random) -> str:
    """Repeat a part, often if it is short."""
    start, end = _part(len(html), dice)
    times = dice.choice((1, 1, 2, 2_000)) if end - start < 200 else 1
    return html[:end] + html[start:end] * times + html[end:]


def swap(html: str, dice: Random) -> str:
    """Swap two parts."""
    a, b, c, d = sorted(dice.randint(0, len(html)) for _ in range(4))
    return html[:a] + html[c:d] + html[b:c] + html[a:b] + html[d:]


def insert(html: str, dice: Random) -> str:
    """Insert a strange text in one place, or everywhere."""
    strange = dice.choice(_STRANGE)
    if dice.random() < 0.1 and len(strange) < 20:
        return html.replace(dice.choice(' ><="'), strange, 5_000)
    at = dice.randint(0, len(html))
    return html[:at] + strange + html[at:]


def flip(html: str, dice: Random) -> str:
    """Change single bytes, and decode the result with a random encoding."""
    data = bytearray(html.encode("utf-8", "replace"))
    for _ in range(min(len(data), dice.choice((1, 10, 200)))):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return data.decode(dice.choice(("utf-8", "latin-1", "utf-16-le", "shift_jis")), "replace")


def nest(html: str, dice: Random) -> str:
    """Wrap a part in an element, often in hundreds or thousands."""
    start, end = _part(len(html), dice)
    tag, times = dice.choice(_NESTED), dice.choice((1, 10, 300, 3_000))
    inside = (
        f"<{tag}>" * times + html[start:end] + f"</{tag}>" * dice.choice((times, 0, times // 2))
    )
    return html[:start] + inside + html[end:]


def nest_links(html: str, dice: Random) -> str:
    """Wrap a part in nested links, up to tens of thousands."""
    start, end = _part(len(html), dice)
    tag, times = dice.choice(_IN_LINKS), dice.choice((2, 2, 30, 30, 30, 1_000, 1_000, 20_000))
    opened = "".join(f"<a href='/{n}'><{tag}>" for n in range(times))
    closed = f"</{tag}></a>" * dice.choice((times, 0, times // 2))
    return html[:start] + opened + html[start:end] + closed + html[end:]


def bristle(html: str, dice: Random) -> str:
    """Insert up to hundreds of tags with thousands of attributes."""
    many = "".join(f" a{n}" for n in range(dice.choice((400, 400, 4_900))))
    at = dice.randint(0, len(html))
    return (
        html[:at]
        + f"<{dice.choice(_NESTED)}{many}>" * dice.choice((1, 1, 1, 1, 20, 20, 300))
        + html[at:]
    )


def _change(html: str, pattern: re.Pattern[str], dice: Random) -> str:
    """Cut, double, swap or move matches of a pattern."""
    found = list(pattern.finditer(html))
    if len(found) < 2:
        return html
    one, other = sorted(dice.sample(found, 2), key=re.Match.start)
    first, second = dice.choice(
        (("", other[0]), (one[0] * 2, other[0]), (other[0], one[0]), ("", one[0] + other[0]))
    )
    return (
        html[: one.start()] + first + html[one.end() : other.start()] + second + html[other.end() :]
    )


def change_tags(html: str, dice: Random) -> str:
    """Cut, double, swap or move tags."""
    return _change(html, _TAG, dice)


def change_attributes(html: str, dice: Random) -> str:
    """Cut, double, swap or move attributes."""
    return _change(html, _ATTRIBUTE, dice)


def swell(html: str, dice: Random) -> str:
    """Make one attribute very long, or one tag have very many."""
    found = list(_TAG.finditer(html))
    if not found:
        return html
    end = dice.choice(found).end() - 1
    long = dice.choice(("x", "a b", "9", "../", "&amp;", "é", "http://"))
    size = dice.choice((1_000, 1_000, 30_000, 30_000, 30_000, 1_000_000)) // len(long)
    name = dice.choice(("class", "id", "href", "content", "style", "data-x"))
    many = "".join(f" a{n}=b" for n in range(dice.choice((10, 3_000))))
    return html[:end] + dice.choice((f' {name}="{long * size}"', many)) + html[end:]


MUTATIONS: tuple[Callable[[str, Random], str], ...] = (
    cut, break_off, double, swap, insert, flip, nest, change_tags, change_attributes, swell,
    nest_links, bristle,
)  # fmt: skip
"""All mutations of a page."""
