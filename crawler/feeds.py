"""Sitemaps, news sitemaps and feeds: what a site itself says it has published.

All of it comes from strangers: what declares entities is refused, nothing is loaded from
elsewhere, broken XML is read as far as it goes, and the caller says how much is taken.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from io import BytesIO

from lxml import etree

from flong.links import refusal
from flong.page import Mention
from flong.urls import Scope

_LONGEST_TITLE = 500
_MOST_TAGS = 2_000_000
"""Tags and attributes up to which a feed is read: it shall not take minutes."""
_MOST_PARTS = 10_000
"""Tags that one entry may have; all of them are in memory, each takes far more than its text."""
_ROOTS = frozenset({"urlset", "sitemapindex", "rss", "feed", "rdf"})
_ENTRIES = frozenset({"url", "sitemap", "item", "entry"})
_BEGINNINGS = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_DATES = ("publication_date", "lastmod", "pubdate", "published", "date", "updated", "issued")
_TITLE = etree.XPath("string(.//*[local-name() = 'title'])")
_OLDEST = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFeed:
    """What a sitemap or feed lists."""

    mentions: tuple[Mention, ...] = ()
    """Pages of the site, newest first, each URL once."""
    sitemaps: tuple[str, ...] = ()
    """Further sitemaps of the site, newest first."""


def parse_feed(xml: bytes, url: str, scope: Scope, limit: int) -> ParsedFeed:
    """Return the pages, at most `limit`, that a sitemap or feed found at `url` lists.

    RSS, Atom, sitemaps with or without news, and sitemap indexes are told apart by what is
    in them; anything else lists nothing.

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


def _entries(xml: bytes) -> Iterator[etree._Element]:
    """Yield one entry after the other; each is forgotten before the next is read."""
    xml = xml.lstrip()
    # In what does not begin like that, tags are not written with a `<` that could be counted.
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
    events: Iterable[tuple[str, etree._Element]],
) -> Iterator[etree._Element]:
    above: list[str] = []  # names of the elements that are open
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
        name = above.pop() if above else ""  # what is broken may end more than it began
        if not above or above[1:] not in ([], ["channel"]) or name == "channel":
            continue
        if name in _ENTRIES:
            yield element
        parts = 0
        _forget(element)


def _forget(element: etree._Element) -> None:
    """Let an element, and what stands before it, take no more memory."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _declares_entities(root: etree._Element) -> bool:
    """Say whether a document has entities of its own: no feed needs them, attacks do."""
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and bool(dtd.entities())  # type: ignore[attr-defined]


def _mention(url: str, entry: etree._Element) -> Mention:
    source = "feed" if _name(entry) in ("item", "entry") else "sitemap"
    if any(_name(element) == "news" for element in entry):
        source = "news"
    words = " ".join(str(_TITLE(entry)).split())
    return Mention(url=url, source=source, title=words[:_LONGEST_TITLE], published=_when(entry))


def _url(entry: etree._Element) -> str:
    """Return where an entry leads: `loc`, a link's text, or an Atom link's `href`."""
    for element in entry:
        name = _name(element)
        if name == "origlink" or (name in ("loc", "link") and (element.text or "").strip()):
            return element.text or ""
        if name == "link" and element.get("rel", "alternate") == "alternate":
            return element.get("href") or ""
        if name == "guid" and element.get("isPermaLink") == "true":
            return element.text or ""
    return ""


def _when(entry: etree._Element) -> datetime | None:
    """Return the first date of an entry by the order of `_DATES`, in UTC."""
    texts = {_name(element): element.text or "" for element in entry.iter() if len(element) == 0}
    return next((when for name in _DATES if (when := _time(texts.get(name, "").strip()))), None)


def _time(text: str) -> datetime | None:
    """Read an ISO 8601 or RFC 822 date.

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


def _name(element: etree._Element | None) -> str:
    """Return an element's name without its namespace, in small letters."""
    if element is None or not isinstance(element.tag, str):
        return ""
    return etree.QName(element).localname.lower()
