"""A stored page as a document that can be shown: nothing in it runs, nothing is fetched.

The page is taken as `trees` reads it, and what the patterns chose is marked there before another
parser sees it, so that the right elements are outlined. What a browser would run, load or follow
is taken out here, and forbidden a second time by the policy that the document is sent with.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex

from lxml import etree

from trees import tag_starts

POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
"""The Content-Security-Policy of the document."""

REMOVED = ("script", "template", "iframe", "noframes")
"""Elements that run or hold what is not shown; they go with all that is in them."""

UNWRAPPED = (
    "link", "base", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe",
    "video", "audio", "source", "track",
)  # fmt: skip
"""Elements that load; what the parser put into them stays."""

LOADING = (
    "src", "srcset", "href", "action", "formaction", "ping", "poster", "data", "background",
    "target", "manifest", "cite", "longdesc", "autofocus", "http-equiv", "imagesrcset",
    "{http://www.w3.org/1999/xlink}href", "xlink:href",
)  # fmt: skip
"""Attributes that make a browser ask for something, or go elsewhere."""

_NAME = re.compile(rb"[^\s>]+")
_IMPORT = re.compile(r"@import[^;]*;?", re.IGNORECASE)
_FETCHED = re.compile(r"""(?:url|image-set|src)\(\s*["']?(?!\s*["']?data:)[^)]*\)""", re.IGNORECASE)

STATIC = Path(__file__).parent / "static"
STYLE = (STATIC / "marks.css").read_text(encoding="utf-8")
"""How the marked elements are outlined."""
PLAIN_STYLE = (STATIC / "plain.css").read_text(encoding="utf-8")
"""For pages whose own style sheets are not at hand."""

Marks = Mapping[int, Sequence[str]]
"""Names to give to elements, by their position among all elements of the page."""


def safe_document(html: str, marks: Marks) -> str:
    """Return a page that is harmless to show, with names and ids on the marked elements.

    A marked element has its names in `data-flong`, and its position in its id, so that it can be
    scrolled to.

    >>> shown = safe_document("<h1 onclick=x()>News</h1><script>y()</script>", {3: ["title"]})
    >>> shown[shown.index("<body"):]
    '<body><h1 data-flong="title" id="flong-3">News</h1></body></html>'
    """
    mark = f"flong{token_hex(8)}"  # no page can know it
    root = etree.fromstring(_with_places(html, marks, mark), _parser())
    styled = False
    for element in list(root.iter(etree.Element)):
        place = element.attrib.pop(mark, None)
        _disarm(element)
        if element.tag == "style" and element.text:
            styled = True
            element.text = quiet_style(element.text)
        if place is not None:
            element.set("data-flong", " ".join(marks[int(place)]))
            element.set("id", f"flong-{place}")
    etree.strip_elements(root, *REMOVED, with_tail=False)
    etree.strip_tags(root, *UNWRAPPED)
    _add_style(root, STYLE if styled else PLAIN_STYLE + STYLE)
    text: str = etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")
    return text


def _parser() -> etree.HTMLParser:
    return etree.HTMLParser(huge_tree=True, encoding="utf-8", remove_comments=True, remove_pis=True)


def _with_places(html: str, marks: Marks, attribute: str) -> bytes:
    """Return a page as it is read, with the position of each marked element in an attribute."""
    page, starts = tag_starts(html)
    parts, done = [], 0
    for place in sorted(place for place in marks if place < len(starts)):
        name = _NAME.match(page, starts[place] + 1)
        if name:
            parts += [page[done : name.end()], f' {attribute}="{place}"'.encode()]
            done = name.end()
    return b"".join([*parts, page[done:]])


def _disarm(element: etree._Element) -> None:
    """Take from an element what it would load, run or lead to."""
    for name in element.attrib:
        attribute = str(name).lower()
        value = str(element.attrib[name])
        picture = attribute == "src" and value.lstrip().lower().startswith("data:image/")
        if attribute.startswith("on") or (attribute in LOADING and not picture):
            del element.attrib[name]
            if element.tag == "a" and attribute == "href":
                element.set("data-flong-href", "")
        elif attribute == "style":
            element.set(name, quiet_style(value))
        elif attribute.startswith("data-flong") or value.startswith("flong-"):
            del element.attrib[name]


def quiet_style(style: str) -> str:
    """Return a style without what it would load; pictures that are in it stay.

    >>> quiet_style("@import 'a.css'; b { background: red url(c.png) } i { content: url(data:x) }")
    ' b { background: red none } i { content: url(data:x) }'
    """
    return _FETCHED.sub("none", _IMPORT.sub("", style))


def _add_style(root: etree._Element, style: str) -> None:
    """Put our style after those of the page."""
    head = root.find("head")
    if head is None:
        head = etree.Element("head")
        root.insert(0, head)
    sheet = etree.SubElement(head, "style")
    sheet.text = style
