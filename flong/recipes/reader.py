"""Read articles by XPath. Uses only lxml: exported files contain this source."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from lxml import etree

Element = etree._Element  # lxml has no public name for it

RUNNING = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt"
    " ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
"""Inline elements, which do not start a new line."""
LEFT_OUT = frozenset(
    "area audio basefont bgsound button canvas datalist embed iframe input keygen map math noembed"
    " noframes noscript object optgroup option param picture script select source style svg"
    " template textarea track video".split()
)
"""Elements whose text is not displayed."""


@cache
def compiled(xpath: str) -> etree.XPath:
    """Return the compiled XPath."""
    return etree.XPath(xpath)


def pieces(root: Element, left_out: Collection[Element] = ()) -> Iterator[tuple[int, Element, str]]:
    """Yield the texts in an element, each with its line number and enclosing element."""
    line, out = 0, set(left_out)
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event in ("start", "end"):
            line += element.tag not in RUNNING
        if event == "start" and (element in out or element.tag in LEFT_OUT):
            walk.skip_subtree()
        elif event == "start" and element.text:
            yield line, element, element.text
        parent = element.getparent()
        if event != "start" and element is not root and element.tail and parent is not None:
            yield line, parent, element.tail


def lines_of(root: Element, left_out: Collection[Element] = ()) -> list[str]:
    """Return the lines of an element's text, without excluded elements."""
    lines: dict[int, list[str]] = {}
    for line, _, text in pieces(root, left_out):
        lines.setdefault(line, []).append(text)
    found = (" ".join("".join(parts).split()) for parts in lines.values())
    return [line for line in found if line]


def text_at(root: Element, xpath: str) -> str:
    """Return the text of an element or attribute on one line; empty if there is no match."""
    found: Any = compiled(xpath)(root) if xpath else ()
    said = next(iter(found), "")
    return " ".join((said if isinstance(said, str) else " ".join(lines_of(said))).split())


def read_article(root: Element, templates: Sequence[Mapping[str, str]]) -> dict[str, str] | None:
    """Return the article by the first template that finds a title and a text, or None."""
    for template in templates:
        if template["only_if"] and not compiled(template["only_if"])(root):
            continue
        containers: Any = compiled(template["body"])(root)
        title = text_at(root, template["title"]) if containers else ""
        if title:
            out: Any = compiled(template["exclude"])(root) if template["exclude"] else ()
            body = "\n".join(lines_of(containers[0], out))
            more = {name: text_at(root, template[name]) for name in ("date", "author")}
            if body:
                return {"title": title, "body": body, **more}
    return None
