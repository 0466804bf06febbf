"""Parse pages with lxml, and generate CSS selectors for their elements."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from cssselect import HTMLTranslator
from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from flong.links import Element
from flong.recipes.reader import compiled, pieces

_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
_OF_ONE_PAGE = re.compile(r"\d{3}")
_PLAIN_BOXES = frozenset("body center div html span table tbody td tr".split())
_NEAR = 4
"""Maximum distance of an ancestor used in a selector."""


def parse_page(html: str) -> Element | None:
    """Return the page parsed by lxml, or None if it is empty.

    >>> parse_page("<p>Rain").tag, parse_page(" ")
    ('html', None)
    """
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        return document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None


@cache
def xpath_of(css: str) -> str:
    """Translate a CSS selector to XPath.

    >>> xpath_of("#story > p")
    "//*[@id = 'story']/p"
    """
    return HTMLTranslator().css_to_xpath(css, prefix="//")


def select(root: Element, css: str) -> list[Element]:
    """Return the elements that match a CSS selector, in document order."""
    found: Any = compiled(xpath_of(css))(root)
    return list(found)


@dataclass(frozen=True, slots=True, eq=False)
class TextPiece:
    """A piece of text between two tags."""

    line: int
    """Line number within the page."""
    owner: Element
    """Enclosing element."""
    text: str
    """Text, unchanged."""


def pieces_of(root: Element) -> Iterator[TextPiece]:
    """Yield the pieces of text of an element."""
    return (TextPiece(*found) for found in pieces(root))


def own_names(element: Element) -> tuple[str, ...]:
    """Return selectors for an element by itself: by class, by id, by tag.

    Classes and ids with a long number are specific to one page and are skipped.

    >>> own_names(parse_page("<p class='a b-1234' id=c>x</p>")[0][0])
    ('p.a', 'p#c', 'p')
    """
    get = element.get
    return _names(str(element.tag), get("class"), get("id"), get("itemprop"), get("rel"))


@lru_cache(maxsize=1 << 16)
def _names(
    tag: str, classes: str | None, ident: str | None, prop: str | None, rel: str | None
) -> tuple[str, ...]:
    if not _NAME.fullmatch(tag):
        return ()
    names = [f"{tag}.{token}" for token in dict.fromkeys((classes or "").split()) if _tells(token)]
    names += [f"{tag}#{ident}"] * _tells(ident or "")
    said = (("itemprop", prop or ""), ("rel", rel or ""))
    names += [f'{tag}[{key}="{value}"]' for key, value in said if _tells(value)]
    return (*names, tag)


def _tells(token: str) -> bool:
    return bool(_NAME.fullmatch(token)) and not _OF_ONE_PAGE.search(token)


def all_names(element: Element) -> list[str]:
    """Return selectors for an element: by itself, as a child, and inside named ancestors.

    >>> all_names(parse_page("<main><div class=a><p>x</p></div></main>").find(".//p"))
    ['p', 'div.a > p', 'div.a p', 'main p']
    """
    names = own_names(element)
    found = dict.fromkeys(names)
    parent = element.getparent()
    if parent is not None:
        found.update((f"{outer} > {names[-1]}", None) for outer in _outer_names(parent) if names)
    for ancestor in list(element.iterancestors())[:_NEAR]:
        found.update(
            (f"{outer} {name}", None) for outer in _outer_names(ancestor) for name in names
        )
    return list(found)


def _outer_names(element: Element) -> tuple[str, ...]:
    names = own_names(element)
    if element.tag in _PLAIN_BOXES:
        return names[:-1]
    return names[:-1] or names


def plainness(css: str) -> tuple[int, int]:
    """Return a sort key for equivalent selectors: shortest robust selector first.

    A class or id of the element itself survives template changes best, then a tag in a named
    element.

    >>> sorted(["h1", "div.a > h1", "h1.title", "div.a h1.title"], key=plainness)
    ['h1.title', 'div.a > h1', 'div.a h1.title', 'h1']
    """
    if css.startswith("meta"):
        return 1, len(css)
    own, inside = css.rpartition(" ")[2], " " in css
    named = any(mark in own for mark in ".#[")
    return (1 if inside else 0) if named else (1 if any(m in css for m in ".#[") else 2), len(css)
