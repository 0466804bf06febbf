"""Links of a page, and rules for which of them are followed."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from time import thread_time
from urllib.parse import unquote, urljoin

from lxml import etree

from flong.page import Link
from flong.urls import Scope

Element = etree._Element
"""Type of an element: lxml has no public name for it."""
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})

_LONGEST_TEXT = 300
_REFRESH = re.compile(
    r"\s*(\d{1,9})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE
)
_REFRESH_SECONDS = 10
_CHUNK = 65_536
"""Bytes parsed between two checks of the time."""
_FEW = 256
"""Elements visited between two checks of the time."""
_TEXT_ENDS = frozenset({"a", "option"})


class ParsingTimeout(Exception):
    """A response took too much processor time; the message has the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedLinks:
    """Links and URLs found on a page."""

    links: tuple[Link, ...] = ()
    """Links that may be followed, in document order, each URL once."""
    canonical: str | None = None
    """Canonical URL in the page, if it belongs to the site."""
    feeds: tuple[str, ...] = ()
    """URLs of its feeds inside the site."""
    refresh: str | None = None
    """Target of an immediate refresh; None without one, empty if it leaves the site."""


@dataclass(slots=True)
class _Collected:
    """Links and URLs found so far."""

    scope: Scope
    url: str
    base: str
    texts: dict[str, str] = field(default_factory=dict)
    feeds: dict[str, None] = field(default_factory=dict)
    canonical: str | None = None
    refresh: str | None = None


def page_links(html: str, base_url: str, scope: Scope) -> tuple[Link, ...]:
    """Return the links from a page to pages of the site, with their texts.

    >>> page_links("<a href='/b#c'>Two <b>words</b></a><a href='/x.pdf'>no</a>",
    ...            "http://a.org/", Scope.of("http://a.org/"))
    (Link(url='http://a.org/b', text='Two words'),)
    """
    return extract_links(html, base_url, scope).links


def extract_links(html: str, url: str, scope: Scope, *, seconds: float = inf) -> ExtractedLinks:
    """Return links, canonical URL, feeds and refresh of a page.

    The time is linear in the length of the page, whatever it contains
    (`benchmarks.faults.linear_reading`). Raise `ParsingTimeout` after `seconds` of processor time.

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
    """Limits the processor time for a page."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = thread_time() + seconds

    def check(self) -> None:
        """Raise `ParsingTimeout` if the time is over."""
        if thread_time() > self._end:
            raise ParsingTimeout(f"reading it took more than {self._seconds:g} s")


def _elements(html: str, clock: _Clock) -> Iterable[Element]:
    # Without `huge_tree` lxml drops everything below 256 levels, also links.
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
    return root.iter(*_VISITORS)  # a union of node sets would be quadratic


def _visit_anchor(element: Element, notes: _Collected) -> None:
    href = element.get("href")
    if href:
        _note_link(href, _text(element), notes)


def _visit_area(element: Element, notes: _Collected) -> None:
    _note_link(element.get("href"), element.get("alt") or "", notes)


def _visit_frame(element: Element, notes: _Collected) -> None:
    _note_link(element.get("src"), element.get("title") or "", notes)


def _visit_option(element: Element, notes: _Collected) -> None:
    # Archives are often offered as a drop-down list only.
    value = element.get("value") or ""
    if value.startswith(("http", "/")):
        _note_link(value, _text(element), notes)


def _visit_base(element: Element, notes: _Collected) -> None:
    # A base on another host would break every link of the page.
    try:
        base = urljoin(notes.base, (element.get("href") or "").strip())
    except ValueError:  # not a URL
        return
    if notes.scope.canonical(base):
        notes.base = base


def _visit_link(element: Element, notes: _Collected) -> None:
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


def _visit_meta(element: Element, notes: _Collected) -> None:
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
    """Collect a link that may be followed, with the first text that any link to it has."""
    if not href or href[0] == "#":
        return
    url = notes.scope.join(notes.base, href)
    if url is None or notes.texts.get(url):
        return
    if url in notes.texts or refusal(url) is None:
        notes.texts[url] = text


def _text(element: Element) -> str:
    """Return the text of a link, else the label, tooltip or alternative text."""
    written, shown = _inside(element) if len(element) else (element.text, None)
    text = _one_line(written)
    if not text:
        labels = (element.get("aria-label"), element.get("title"), shown)
        text = _one_line(next((label for label in labels if label and label.strip()), ""))
    return text[:_LONGEST_TEXT]


def _one_line(text: str | None) -> str:
    return " ".join(text.split()) if text else ""


def _inside(element: Element) -> tuple[str, str | None]:
    """Return the first part of a link's text, and the alternative text of its first picture.

    It ends where another link begins, as in a browser, so each part of a page is read once.
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


LARGE_PAGE = 50_000
"""Characters up to which any page is parsed in a fraction of a second."""
MAX_ATTRIBUTES = 500
"""Maximum names and values in one tag of a larger page; more are dropped."""

_PART = r"=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)|=|[^\s/>=]++"
# It matches at every tag, so that each part of a page is read once.
_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+((?:[\s/]++|{_PART})*+)")
_PARTS = re.compile(_PART)


def limit_attributes(html: str) -> str:
    """Return a page whose tags have at most `MAX_ATTRIBUTES` attributes.

    No real page has more. The parser is quadratic in their number: an hour for what fits into ten
    megabytes. A single attribute may be of any length.

    >>> many = "".join(f" a{n}='>'" for n in range(30_000))
    >>> len(limit_attributes(f"<p{many}>news")), limit_attributes(f"<p{many}>news")[-6:]
    (2148, ' >news')
    """
    if len(html) <= LARGE_PAGE:
        return html
    kept, end = [], 0
    for tag in _TAG.finditer(html):
        # A name and the space before it, at least.
        if tag.end() - tag.start(1) > 2 * MAX_ATTRIBUTES:
            parts = list(islice(_PARTS.finditer(html, *tag.span(1)), MAX_ATTRIBUTES + 1))
            if len(parts) > MAX_ATTRIBUTES:
                kept.append(html[end : parts[MAX_ATTRIBUTES].start()])
                end = tag.end()
    return "".join([*kept, html[end:]])


NOT_PAGES = frozenset(
    "3gp 7z 7zip aac ai aiff apk asf asx atom au avi avif axd bat bin bmp bz2 cdr cpl css csv dmg"
    " doc docb docm docx dotm dotx drw dxf eot eps epub exe flv gif gz heic hta ico ics iso jar"
    " jfif jpeg jpg js json jsonld kml m3u m3u8 m4a m4v map md5 mid mkv mng mobi mov mp3 mp4 mpeg"
    " mpg msi msp odg odp ods odt oga ogg ogv opus pct pdf png potm potx pps ppt pptm pptx ps psp"
    " pst py qt ra rar rb rdf rm rss sh svg swf tar tgz tif tiff torrent ttf txt vcf wasm wav webm"
    " webmanifest webp wma wmv woff woff2 xls xlsm xlsx xltm xltx xml xsl xz zip".split()
)
"""Endings of URLs that do not lead to HTML."""

SERVICES = frozenset(
    "account basket cart cdn-cgi checkout login logout lostpassword my-account password-reset"
    " sign-in sign-up signin signout signup trackback warenkorb wp-admin wp-content wp-includes"
    " wp-json wp-login.php wp-register.php wp-signup.php xmlrpc.php".split()
)
"""Path segments of services, which are not pages to read."""

DOUBLES = frozenset(
    "amp atom drucken embed emailthis feed feeds imprimer imprimir print printable rdf rss share"
    " stampa tell-a-friend".split()
)
"""Last path segments of another form of the parent page."""

ACTIONS = re.compile(
    r"(?:replytocom|add-to-cart|add_to_cart|amp|attachment_id|doing_wp_cron|feed|ical|like_comment"
    r"|login|moderation-hash|openidserver|outlook-ical|print|printable|redirect_to|redirect|return"
    r"|returnto|returnurl|return_to|rss|share|tmpl|unapproved|unsubscribe|wp-login)",
    re.IGNORECASE,
)
"""Names of parameters that change a page or show it in another form."""

MOST_HOPS = 10
"""Maximum number of redirects in a row."""

_ACTION_VALUES = re.compile(
    r"(?:action|do|format|mode|option|output|task|type|view)="
    r"(?:amp|atom|com_mailto|delete|edit|feed|history|json|login|pdf|print|raw|register|rss|xml)",
    re.IGNORECASE,
)
_SHARED_URL = re.compile(r"[^=]*=https?(?::|%3A)(?:/|%2F){2}", re.IGNORECASE)
_COMMENT_PAGE = re.compile(r"comment-page-\d+", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"(?:/(?:page|pagina|seite|chapter|kapitel|capitulo|chapitre|p))?/(\d+)/?$"
    r"|(?<=[?&])(?:page|paged|pagina|seite|chapter|start|offset)=(\d+)&?",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    r"calend|kalend|agenda|\bevents?\b|eventos|termine|veranstaltung|evenement|tribe"
    r"|[?&](?:date|day|fecha|jahr|mes|mois|monat|month|week|year)=",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?:[-/.]?\d{1,2}){0,2}(?!\d)")
_LONGEST, _MOST_SEGMENTS, _MOST_PARAMETERS = 1000, 16, 8


def refusal(url: str) -> str | None:
    """Return the reason why a canonical URL is not followed, or None.

    Pages of listings and plain `article.php?id=7` URLs are followed.

    >>> refusal("https://a.org/news/page/2/"), refusal("https://a.org/article.php?id=7")
    (None, None)
    >>> refusal("https://a.org/photo.jpg"), refusal("https://a.org/a/?replytocom=5")
    ('not a page', 'an action')
    >>> refusal("https://a.org/x/y/x/y/x/y")
    'repeats itself'
    """
    if len(url) > _LONGEST:
        return "too long"
    path, _, query = url.partition("://")[2].partition("?")
    segments = path.lower().split("/")[1:]
    return _path_refusal([segment for segment in segments if segment]) or _query_refusal(query)


def is_continued(url: str, first: str) -> bool:
    """Return True if a URL is a further page of the one at `first`.

    Many sites wrongly use the first page as the canonical URL of all of them.

    >>> is_continued("http://a.org/news/page/2/", "http://a.org/news/")
    True
    >>> is_continued("http://a.org/story?page=3", "http://a.org/story")
    True
    >>> is_continued("http://a.org/story?ref=rss", "http://a.org/story")
    False
    """
    return _PAGE_NUMBER.sub("", url).rstrip("/?&") == first.rstrip("/") and url != first


def page_number(url: str) -> tuple[str, int]:
    """Return a URL without the page number at its end, and that number, by default 1.

    >>> page_number("http://a.org/story/page/2/"), page_number("http://a.org/story/")
    (('http://a.org/story', 2), ('http://a.org/story', 1))
    """
    found = _PAGE_NUMBER.search(url)
    number = int((found[1] or found[2])[:9]) if found else 1
    return _PAGE_NUMBER.sub("", url).rstrip("/?&"), number


def _path_refusal(segments: list[str]) -> str | None:
    if not segments:
        return None
    last = segments[-1]
    if "." in last and last.rpartition(".")[2] in NOT_PAGES:
        return "not a page"
    if not SERVICES.isdisjoint(segments):
        return "a service"
    if _COMMENT_PAGE.fullmatch(last) or (last in DOUBLES and len(segments) > 1) or last == "feed":
        return "another form of a page"
    if len(segments) > _MOST_SEGMENTS or _repeats(segments):
        return "repeats itself"
    return None


def _repeats(segments: list[str]) -> bool:
    """Return True if a word occurs three times in a path; numbers may, as in `/11/11/11/`."""
    if len(segments) < 3:
        return False
    return any(n > 2 and not word.isdigit() for word, n in Counter(segments).items())


def _query_refusal(query: str) -> str | None:
    if not query:
        return None
    pairs = query.split("&")
    if len(pairs) > _MOST_PARAMETERS:
        return "too many parameters"
    for pair in pairs:
        if ACTIONS.fullmatch(pair.partition("=")[0]) or _ACTION_VALUES.fullmatch(pair):
            return "an action"
        if _SHARED_URL.match(pair):
            return "shares another URL"
    return None


class ShapeBudget:
    """Limits the number of URLs of one shape where a site could be endless.

    Two kinds of shapes have a budget. *Calendars*: a date in a URL with the word "calendar",
    "events" or the like. *Facets*: URLs that differ in two or more parameters, but not mostly in
    one of them. In `?cat=3&id=7` the `id` differs, so there is no limit.

    >>> budget = ShapeBudget(limit=2)
    >>> [budget.admits(f"http://a.org/calendar/2031-{month:02}/") for month in (1, 2, 3)]
    [True, True, False]
    >>> all(budget.admits(f"http://a.org/2031/01/story-{n}/") for n in range(50))
    True
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._calendars: Counter[str] = Counter()
        self._facets: defaultdict[str, _Facet] = defaultdict(_Facet)

    def admits(self, url: str) -> bool:
        """Count a URL, and return True if the budget of its shape covers it."""
        if _CALENDAR.search(url) and _DATE.search(url):
            shape = _DATE.sub("#", url)
            self._calendars[shape] += 1
            return self._calendars[shape] <= self._limit
        path, _, query = url.partition("?")
        if "&" not in query:
            return True
        names, values = zip(*(pair.partition("=")[::2] for pair in query.split("&")), strict=True)
        facet = self._facets[path + "?" + "&".join(names)]
        return facet.add(values) or facet.count <= self._limit


class _Facet:
    """URLs of one path with the same names of parameters."""

    def __init__(self) -> None:
        self.count = 0
        self._seen: list[set[int]] = []

    def add(self, values: tuple[str, ...]) -> bool:
        """Count a URL, and return True if one parameter differs on most of them."""
        self.count += 1
        self._seen = self._seen or [set() for _ in values]
        for seen, value in zip(self._seen, values, strict=False):
            seen.add(hash(unquote(value)))
        return 2 * max(map(len, self._seen)) >= self.count
