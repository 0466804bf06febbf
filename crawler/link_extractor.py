"""What a crawler wants to know of a page: its links, its feeds, what it calls itself.

The page is parsed once and looked at in one pass.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from time import thread_time
from urllib.parse import urljoin

from lxml import etree

from flong.crawler.link_policy import refusal
from flong.crawler.parser_limits import limit_attributes
from flong.page import Link
from flong.urls import Scope

FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})

_LONGEST_TEXT = 300
_REFRESH = re.compile(
    r"\s*(\d{1,9})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE
)
_REFRESH_SECONDS = 10
_CHUNK = 65_536
"""Bytes that are parsed between two looks at the clock."""
_FEW = 256
"""Elements that are visited between two looks at the clock."""
_TEXT_ENDS = frozenset({"a", "option"})


class ParsingTimeout(Exception):
    """A response took more processor time to read than it may; its text says how much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedLinks:
    """What was found on a page."""

    links: tuple[Link, ...] = ()
    """Links to pages of the site that may be followed, in document order, each URL once."""
    canonical: str | None = None
    """The URL that the page gives as its own, if it belongs to the site."""
    feeds: tuple[str, ...] = ()
    """URLs of the feeds that it offers, inside the site."""
    refresh: str | None = None
    """Where it sends its readers at once; None if it does not, empty if out of the site."""


@dataclass(slots=True)
class _Collected:
    """What was found so far."""

    scope: Scope
    url: str
    base: str
    texts: dict[str, str] = field(default_factory=dict)
    feeds: dict[str, None] = field(default_factory=dict)
    canonical: str | None = None
    refresh: str | None = None


def page_links(html: str, base_url: str, scope: Scope) -> tuple[Link, ...]:
    """Return the links of a page that lead to pages of the site, with the words clicked on.

    >>> page_links("<a href='/b#c'>Two <b>words</b></a><a href='/x.pdf'>no</a>",
    ...            "http://a.org/", Scope.of("http://a.org/"))
    (Link(url='http://a.org/b', text='Two words'),)
    """
    return extract_links(html, base_url, scope).links


def extract_links(html: str, url: str, scope: Scope, *, seconds: float = inf) -> ExtractedLinks:
    """Return what a page of a site says about itself and others.

    The time for it grows with the length of the page, whatever is in it: see
    `benchmarks.faults.linear_reading`. `ParsingTimeout` if it needs more than `seconds` of CPU.

    >>> page = "<link rel=canonical href=/a><link rel=alternate type=application/rss+xml href=/f>"
    >>> found = extract_links(page, "http://a.org/a?x=1", Scope.of("http://a.org/"))
    >>> found.canonical, found.feeds
    ('http://a.org/a', ('http://a.org/f',))
    """
    own = scope.canonical(url) or url
    notes = _Collected(scope=scope, url=own, base=url)
    clock = _Clock(seconds)
    for number, element in enumerate(_elements(html, clock)):
        _VISITORS[element.tag](element, notes)
        if number % _FEW == 0:
            clock.check()
    notes.texts.pop(own, None)
    return ExtractedLinks(
        links=tuple(Link(url, text) for url, text in notes.texts.items()),
        canonical=notes.canonical,
        feeds=tuple(notes.feeds),
        refresh=notes.refresh,
    )


class _Clock:
    """The processor time that is left for a page."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = thread_time() + seconds

    def check(self) -> None:
        """Raise `ParsingTimeout` if none is left."""
        if thread_time() > self._end:
            raise ParsingTimeout(f"reading it took more than {self._seconds:g} s")


def _elements(html: str, clock: _Clock) -> Iterable[etree._Element]:
    # Beyond 256 levels lxml would drop what is nested deeper, links and all.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
    data = limit_attributes(html).encode("utf-8", "replace")
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
            clock.check()
        root = parser.close()
    except etree.XMLSyntaxError:
        return []
    if root is None:
        return []
    return root.iter(*_VISITORS)  # to unite sets of nodes would take time of their square


def _visit_anchor(element: etree._Element, notes: _Collected) -> None:
    href = element.get("href")
    if href:
        _note_link(href, _text(element), notes)


def _visit_area(element: etree._Element, notes: _Collected) -> None:
    _note_link(element.get("href"), element.get("alt") or "", notes)


def _visit_frame(element: etree._Element, notes: _Collected) -> None:
    _note_link(element.get("src"), element.get("title") or "", notes)


def _visit_option(element: etree._Element, notes: _Collected) -> None:
    # Archives are often offered as a drop-down list only.
    value = element.get("value") or ""
    if value.startswith(("http", "/")):
        _note_link(value, _text(element), notes)


def _visit_base(element: etree._Element, notes: _Collected) -> None:
    # A base on another host would lead every link of the page astray.
    try:
        base = urljoin(notes.base, (element.get("href") or "").strip())
    except ValueError:  # it is no URL
        return
    if notes.scope.canonical(base):
        notes.base = base


def _visit_link(element: etree._Element, notes: _Collected) -> None:
    relations = (element.get("rel") or "").lower().split()
    href = element.get("href") or ""
    if "canonical" in relations and notes.canonical is None:
        notes.canonical = notes.scope.join(notes.base, href)
    elif "next" in relations:
        _note_link(href, "", notes)
    elif "alternate" in relations and (element.get("type") or "").lower() in FEED_TYPES:
        feed = notes.scope.join(notes.base, href)
        if feed:
            notes.feeds[feed] = None


def _visit_meta(element: etree._Element, notes: _Collected) -> None:
    if (element.get("http-equiv") or "").strip().lower() != "refresh" or notes.refresh is not None:
        return
    match = _REFRESH.match(element.get("content") or "")
    if match and int(match[1]) <= _REFRESH_SECONDS:
        target = notes.scope.join(notes.base, match[2])
        notes.refresh = None if target == notes.url else target or ""


_VISITORS = {
    "a": _visit_anchor,
    "area": _visit_area,
    "base": _visit_base,
    "frame": _visit_frame,
    "link": _visit_link,
    "meta": _visit_meta,
    "option": _visit_option,
}


def _note_link(href: str | None, text: str, notes: _Collected) -> None:
    """Keep a link that may be followed, with the first words that anyone gives it."""
    if not href or href[0] == "#":
        return
    url = notes.scope.join(notes.base, href)
    if url is None or notes.texts.get(url):
        return
    if url in notes.texts or refusal(url) is None:
        notes.texts[url] = text


def _text(element: etree._Element) -> str:
    """Return the words of a link: what is written, what a picture shows, what a tooltip says."""
    written, shown = _inside(element) if len(element) else (element.text, None)
    text = _one_line(written)
    if not text:
        labels = (element.get("aria-label"), element.get("title"), shown)
        text = _one_line(next((label for label in labels if label and label.strip()), ""))
    return text[:_LONGEST_TEXT]


def _one_line(text: str | None) -> str:
    return " ".join(text.split()) if text else ""


def _inside(element: etree._Element) -> tuple[str, str | None]:
    """Return what is written in a link, as far as it is kept, and what its first picture shows.

    It ends where another link begins, as in a browser: no part of a page is looked at for two.
    """
    parts, length, shown = [], 0, None
    for event, inner in etree.iterwalk(element, events=("start", "end")):
        if inner is not element and inner.tag in _TEXT_ENDS:
            break
        if event == "start" and inner.tag == "img":
            shown = shown or inner.get("alt")
        part = inner.text if event == "start" else inner.tail if inner is not element else ""
        if part:
            parts.append(part)
            length += len(part.strip())
            if length > 2 * _LONGEST_TEXT:
                break
    return "".join(parts), shown
