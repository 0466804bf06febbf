"""Articles by XPath, with lxml and nothing of flong: its source goes into files for other tools."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from lxml import etree

RUNNING = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt"
    " ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that do not begin a line of their own."""
LEFT_OUT = frozenset(
    "area audio basefont bgsound button canvas datalist embed iframe input keygen map math noembed"
    " noframes noscript object optgroup option param picture script select source style svg"
    " template textarea track video".split()
)
"""Elements whose text nobody reads."""


@cache
def compiled(xpath: str) -> etree.XPath:
    """Return an XPath, ready to be used on many pages."""
    return etree.XPath(xpath)


def pieces(
    root: etree._Element, left_out: Collection[etree._Element] = ()
) -> Iterator[tuple[int, etree._Element, str]]:
    """Yield the texts in an element, each with the number of its line and the element around it."""
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


def lines_of(root: etree._Element, left_out: Collection[etree._Element] = ()) -> list[str]:
    """Return the text of an element by lines, without that of some elements in it."""
    lines: dict[int, list[str]] = {}
    for line, _, text in pieces(root, left_out):
        lines.setdefault(line, []).append(text)
    found = (" ".join("".join(parts).split()) for parts in lines.values())
    return [line for line in found if line]


def text_at(root: etree._Element, xpath: str) -> str:
    """Return what stands at an element or in an attribute, in one line; empty if nothing does."""
    found: Any = compiled(xpath)(root) if xpath else ()
    said = next(iter(found), "")
    return " ".join((said if isinstance(said, str) else " ".join(lines_of(said))).split())


def read_article(
    root: etree._Element, templates: Sequence[Mapping[str, str]]
) -> dict[str, str] | None:
    """Return the article of a page by the first template that finds a title and a text."""
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
