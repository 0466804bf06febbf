"""Parser for sitemaps, news sitemaps and feeds (RSS, Atom, RDF).

The input is untrusted. Documents that declare entities are rejected, nothing external is loaded,
and broken XML is read up to the error. The caller limits the number of results.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from io import BytesIO

from lxml import etree

from flong.links import Element, refusal
from flong.page import Mention
from flong.urls import Scope

_LONGEST_TITLE = 500
_MOST_TAGS = 2_000_000
"""Maximum number of tags and attributes in a feed; larger ones would take minutes."""
_MOST_PARTS = 10_000
"""Maximum number of tags in one entry: an entry is held in memory as a tree."""
_ROOTS = frozenset({"urlset", "sitemapindex", "rss", "feed", "rdf"})
_ENTRIES = frozenset({"url", "sitemap", "item", "entry"})
_BEGINNINGS = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_DATES = ("publication_date", "lastmod", "pubdate", "published", "date", "updated", "issued")
_TITLE = etree.XPath("string(.//*[local-name() = 'title'])")
_OLDEST = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFeed:
    """The pages and sitemaps that a sitemap or feed lists."""

    mentions: tuple[Mention, ...] = ()
    """Pages of the site, newest first, without duplicates."""
    sitemaps: tuple[str, ...] = ()
    """Nested sitemaps of the site, newest first."""


def parse_feed(xml: bytes, url: str, scope: Scope, limit: int) -> ParsedFeed:
    """Return the newest pages, at most `limit`, listed in a sitemap or feed found at `url`.

    The format is detected by element names. Unknown formats list nothing.

    >>> xml = b"<urlset><url><loc>http://a.org/x</loc><lastmod>2026-05-01</lastmod></url></urlset>"
    >>> parse_feed(xml, "http://a.org/sitemap.xml", Scope.of("http://a.org/"), 10).mentions[0].url
    'http://a.org/x'
    """
    mentions: dict[str, Mention] = {}
    sitemaps: dict[str, Mention] = {}
    for entry in _entries(xml):
        link = _url(entry)
        target = scope.join(url, link) if link.strip() else None
        if target is None:
            continue
        if _name(entry) == "sitemap":
            sitemaps.setdefault(target, _mention(target, entry))
        elif target not in mentions and refusal(target) is None:
            mentions[target] = _mention(target, entry)
        for found, most in ((mentions, limit), (sitemaps, _MOST_PARTS)):
            if len(found) > 2 * most + _MOST_PARTS:
                kept = _newest(found.values(), most)
                found.clear()
                found.update((mention.url, mention) for mention in kept)
    return ParsedFeed(
        mentions=tuple(_newest(mentions.values(), limit)),
        sitemaps=tuple(mention.url for mention in _newest(sitemaps.values(), _MOST_PARTS)),
    )


def _newest(mentions: Iterable[Mention], limit: int) -> list[Mention]:
    dated = sorted(mentions, key=lambda mention: mention.published or _OLDEST, reverse=True)
    return dated[:limit]


def _entries(xml: bytes) -> Iterator[Element]:
    """Yield the entries one by one; each is freed before the next is read."""
    xml = xml.lstrip()
    # Other beginnings are encodings in which a tag does not start with the byte `<`.
    if not xml.startswith(_BEGINNINGS) or xml.count(b"<") + xml.count(b"=") > _MOST_TAGS:
        return
    events = etree.iterparse(
        BytesIO(xml),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        remove_comments=True,
    )
    try:
        yield from _finished_entries(events)
    except (etree.XMLSyntaxError, ValueError):
        return


def _finished_entries(
    events: Iterable[tuple[str, Element]],
) -> Iterator[Element]:
    above: list[str] = []  # names of the open elements
    parts = 0
    for event, element in events:
        if event == "start":
            if not above and (_name(element) not in _ROOTS or _declares_entities(element)):
                return
            above.append(_name(element))
            parts += 1
            if parts > _MOST_PARTS:
                return
            continue
        name = above.pop() if above else ""  # broken XML may have more end tags than start tags
        if not above or above[1:] not in ([], ["channel"]) or name == "channel":
            continue
        if name in _ENTRIES:
            yield element
        parts = 0
        _forget(element)


def _forget(element: Element) -> None:
    """Free the memory of an element and its preceding siblings."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _declares_entities(root: Element) -> bool:
    """Return True if the document declares entities: feeds do not need them, attacks do."""
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and bool(dtd.entities())  # type: ignore[attr-defined]


def _mention(url: str, entry: Element) -> Mention:
    source = "feed" if _name(entry) in ("item", "entry") else "sitemap"
    if any(_name(element) == "news" for element in entry):
        source = "news"
    words = " ".join(str(_TITLE(entry)).split())
    return Mention(url=url, source=source, title=words[:_LONGEST_TITLE], published=_when(entry))


def _url(entry: Element) -> str:
    """Return the URL of an entry: `loc`, the text of `link`, or an Atom link's `href`."""
    for element in entry:
        name = _name(element)
        if name == "origlink" or (name in ("loc", "link") and (element.text or "").strip()):
            return element.text or ""
        if name == "link" and element.get("rel", "alternate") == "alternate":
            return element.get("href") or ""
        if name == "guid" and element.get("isPermaLink") == "true":
            return element.text or ""
    return ""


def _when(entry: Element) -> datetime | None:
    """Return the date of an entry in UTC: the first that exists in the order of `_DATES`."""
    texts = {_name(element): element.text or "" for element in entry.iter() if len(element) == 0}
    return next((when for name in _DATES if (when := _time(texts.get(name, "").strip()))), None)


def _time(text: str) -> datetime | None:
    """Parse an ISO 8601 or RFC 822 date.

    >>> _time("Fri, 01 May 2026 14:00:00 +0200").isoformat(), _time("soon")
    ('2026-05-01T12:00:00+00:00', None)
    """
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            when = read(text)
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None


def _name(element: Element | None) -> str:
    """Return an element's name in lower case, without namespace."""
    if element is None or not isinstance(element.tag, str):
        return ""
    return etree.QName(element).localname.lower()
