"""Sanitized documents of stored pages: nothing in them runs or is fetched.

Elements are marked on the page as `flong.tree` parses it, before anything is removed, so that the
right ones are outlined. Then scripts, resources and targets of links are removed; the
Content-Security-Policy of the document forbids them a second time.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex

from selectolax.lexbor import LexborHTMLParser, LexborNode

from flong.tree import tag_starts

POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
"""Content-Security-Policy of the document."""

PICK_POLICY = POLICY.replace("sandbox;", "sandbox allow-same-origin;")
"""Policy while a visitor chooses elements: the view may access the document; nothing runs in it."""

REMOVED = (
    "script", "template", "iframe", "noframes", "noembed", "noscript", "svg", "math",
)  # fmt: skip
"""Elements removed with their content: they run, or are hidden where scripts run. The last two are
parsed by other rules, which can turn text into tags."""

UNWRAPPED = (
    "link", "base", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe",
    "video", "audio", "source", "track", "xmp", "plaintext",
)  # fmt: skip
"""Elements that load resources or contain raw text; they are replaced by their content."""

LOADING = (
    "src", "srcset", "href", "action", "formaction", "ping", "poster", "data", "background",
    "target", "manifest", "cite", "longdesc", "autofocus", "http-equiv", "imagesrcset",
    "attributionsrc",
)  # fmt: skip
"""Attributes that make a browser load or navigate."""

_NAME = re.compile(rb"[^\s>]+")
_ESCAPED = re.compile(r"\\(?:0{0,4}([46][1-9a-f]|[57][0-9a])\s?|([g-z]))", re.IGNORECASE)
"""Escaped letters in styles."""
_IMPORT = re.compile(r"@import[^;]*;?", re.IGNORECASE)
_FETCHED = re.compile(
    r"""(?:image-set\(|(?:url|src)\((?!\s*["']?\s*data:))[^)]*\)?""", re.IGNORECASE
)

STATIC = Path(__file__).parent / "static"
STYLE = (STATIC / "marks.css").read_text(encoding="utf-8")
"""Outlines of marked elements."""
PLAIN_STYLE = (STATIC / "plain.css").read_text(encoding="utf-8")
"""Style of pages without embedded style sheets."""

Names = Mapping[int, Sequence[str]]
"""Names of elements by their position among all elements of the page."""


def safe_document(html: str, names: Names) -> str:
    """Return a sanitized page with names and ids on the marked elements.

    A marked element has its names in `data-flong` and its position in its id, the target of links.

    >>> shown = safe_document("<h1 onclick=x()>News</h1><script>y()</script>", {3: ["title"]})
    >>> shown[shown.index("<body"):]
    '<body><h1 data-flong="title" id="flong-3">News</h1></body></html>'
    """
    mark = f"data-flong-{token_hex(8)}"  # unknown to the page
    page = LexborHTMLParser(_with_places(html, names, mark), scripting=True)
    page.strip_tags(list(REMOVED))
    page.unwrap_tags(list(UNWRAPPED), delete_empty=True)
    styled = False
    for node in list(page.root.traverse()) if page.root else []:
        if node.is_element_node:
            place = node.attrs.get(mark)
            _disarm(node)
            styled |= node.tag == "style" and _quieten(node)
            if place is not None:
                node.attrs["data-flong"] = " ".join(names[int(place)])
                node.attrs["id"] = f"flong-{place}"
        else:
            node.decompose()  # a comment
    _add_style(page, STYLE if styled else PLAIN_STYLE + STYLE)
    return f"<!DOCTYPE html>{page.root.html if page.root else ''}"


def _with_places(html: str, names: Names, attribute: str) -> bytes:
    """Return the page with the position of each marked element in an attribute."""
    page, starts = tag_starts(html)
    parts, done = [], 0
    for place in sorted(place for place in names if place < len(starts)):
        name = _NAME.match(page, starts[place] + 1)
        if name:
            parts += [page[done : name.end()], f' {attribute}="{place}"'.encode()]
            done = name.end()
    return b"".join([*parts, page[done:]])


def _disarm(node: LexborNode) -> None:
    """Remove handlers, resources and targets from an element."""
    for attribute, given in list(node.attrs.items()):
        value = given or ""
        picture = attribute == "src" and value.lstrip().lower().startswith("data:image/")
        if attribute.startswith("on") or (attribute in LOADING and not picture):
            del node.attrs[attribute]
            if node.tag == "a" and attribute == "href":
                node.attrs["data-flong-href"] = ""
        elif attribute == "style":
            node.attrs["style"] = quiet_style(value)
        elif attribute.startswith("data-flong") or value.startswith("flong-"):
            del node.attrs[attribute]


def _quieten(sheet: LexborNode) -> bool:
    """Remove resources from a style sheet; return True if it was not empty."""
    style = sheet.text()
    for child in list(sheet.iter(include_text=True)):
        child.decompose()
    sheet.insert_child(quiet_style(style))
    return bool(style)


def quiet_style(style: str) -> str:
    """Return a style without external resources; embedded pictures stay.

    A space replaces each removed part, so that its neighbours cannot form a new token.

    >>> quiet_style("@import 'a.css'; b { background: red url(c.png) } i { content: url(data:x) }")
    '  b { background: red none } i { content: url(data:x) }'
    """
    plain = _ESCAPED.sub(lambda sign: sign[2] or chr(int(sign[1], 16)), style)
    return _FETCHED.sub("none", _IMPORT.sub(" ", plain))


def _add_style(page: LexborHTMLParser, style: str) -> None:
    """Append our style to those of the page."""
    sheet = page.create_node("style")
    sheet.insert_child(style)
    if page.head:
        page.head.insert_child(sheet)
