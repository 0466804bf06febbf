"""A stored page as a document that can be shown: nothing in it runs, nothing is fetched.

The page is taken as `trees` reads it, and what the patterns chose is marked there before anything
is taken out, so that the right elements are outlined. What a browser would run, load or follow goes
then, and is forbidden a second time by the policy that the document is sent with.
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
"""The Content-Security-Policy of the document."""

PICK_POLICY = POLICY.replace("sandbox;", "sandbox allow-same-origin;")
"""The same where a visitor chooses elements: the view around it sees them; nothing runs in it."""

REMOVED = (
    "script", "template", "iframe", "noframes", "noembed", "noscript", "svg", "math",
)  # fmt: skip
"""Elements that go with all that is in them: they run, or are not shown where scripts run, or (the
last two) what is in them is read by other rules, so that harmless text may become a tag."""

UNWRAPPED = (
    "link", "base", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe",
    "video", "audio", "source", "track", "xmp", "plaintext",
)  # fmt: skip
"""Elements that load, or in which tags are text; what the parser put into them stays."""

LOADING = (
    "src", "srcset", "href", "action", "formaction", "ping", "poster", "data", "background",
    "target", "manifest", "cite", "longdesc", "autofocus", "http-equiv", "imagesrcset",
    "attributionsrc",
)  # fmt: skip
"""Attributes that make a browser ask for something, or go elsewhere."""

_NAME = re.compile(rb"[^\s>]+")
_ESCAPED = re.compile(r"\\(?:0{0,4}([46][1-9a-f]|[57][0-9a])\s?|([g-z]))", re.IGNORECASE)
"""Letters that a style may spell so, and need not."""
_IMPORT = re.compile(r"@import[^;]*;?", re.IGNORECASE)
_FETCHED = re.compile(
    r"""(?:image-set\(|(?:url|src)\((?!\s*["']?\s*data:))[^)]*\)?""", re.IGNORECASE
)

STATIC = Path(__file__).parent / "static"
STYLE = (STATIC / "marks.css").read_text(encoding="utf-8")
"""How the marked elements are outlined."""
PLAIN_STYLE = (STATIC / "plain.css").read_text(encoding="utf-8")
"""For pages whose own style sheets are not at hand."""

Names = Mapping[int, Sequence[str]]
"""Names to give to elements, by their position among all elements of the page."""


def safe_document(html: str, names: Names) -> str:
    """Return a page that is harmless to show, with names and ids on the marked elements.

    A marked element has its names in `data-flong`, and its position in its id, so that it can be
    scrolled to.

    >>> shown = safe_document("<h1 onclick=x()>News</h1><script>y()</script>", {3: ["title"]})
    >>> shown[shown.index("<body"):]
    '<body><h1 data-flong="title" id="flong-3">News</h1></body></html>'
    """
    mark = f"data-flong-{token_hex(8)}"  # no page can know it
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
    """Return a page as it is read, with the position of each marked element in an attribute."""
    page, starts = tag_starts(html)
    parts, done = [], 0
    for place in sorted(place for place in names if place < len(starts)):
        name = _NAME.match(page, starts[place] + 1)
        if name:
            parts += [page[done : name.end()], f' {attribute}="{place}"'.encode()]
            done = name.end()
    return b"".join([*parts, page[done:]])


def _disarm(node: LexborNode) -> None:
    """Take from an element what it would load, run or lead to."""
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
    """Take from a style sheet what it would load; tell whether there is anything in it."""
    style = sheet.text()
    for child in list(sheet.iter(include_text=True)):
        child.decompose()
    sheet.insert_child(quiet_style(style))
    return bool(style)


def quiet_style(style: str) -> str:
    """Return a style without what it would load; pictures that are in it stay.

    A space stands for what was taken out, lest its two sides make what was not there.

    >>> quiet_style("@import 'a.css'; b { background: red url(c.png) } i { content: url(data:x) }")
    '  b { background: red none } i { content: url(data:x) }'
    """
    plain = _ESCAPED.sub(lambda sign: sign[2] or chr(int(sign[1], 16)), style)
    return _FETCHED.sub("none", _IMPORT.sub(" ", plain))


def _add_style(page: LexborHTMLParser, style: str) -> None:
    """Put our style after those of the page."""
    sheet = page.create_node("style")
    sheet.insert_child(style)
    if page.head:
        page.head.insert_child(sheet)
