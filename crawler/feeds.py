"""Sitemaps, news sitemaps and feeds: what a site itself says it has published.

All of it comes from strangers: what declares entities is refused, nothing is loaded from
elsewhere, broken XML is read as far as it goes, and the caller says how much is taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lxml import etree

from crawler.addresses import Scope
from crawler.links import refusal
from items import Mention

_LONGEST_TITLE = 500
_MOST_TAGS = 2_000_000
"""Tags and attributes up to which a listing is read: each takes far more memory than text."""
_BEGINNINGS = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_DATES = ("publication_date", "lastmod", "pubdate", "published", "date", "updated", "issued")
_TITLE = etree.XPath("string(.//*[local-name() = 'title'])")
_OLDEST = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a sitemap or feed lists."""

    mentions: tuple[Mention, ...] = ()
    """Pages of the site, newest first, each address once."""
    sitemaps: tuple[str, ...] = ()
    """Further sitemaps of the site, newest first."""


def read_listing(xml: bytes, url: str, scope: Scope, limit: int) -> Listing:
    """Return the pages, at most `limit`, that a sitemap or feed found at `url` lists.

    RSS, Atom, sitemaps with or without news, and sitemap indexes are told apart by what is
    in them; anything else lists nothing.

    >>> xml = b"<urlset><url><loc>http://a.org/x</loc><lastmod>2026-05-01</lastmod></url></urlset>"
    >>> read_listing(xml, "http://a.org/sitemap.xml", Scope.of("http://a.org/"), 10).mentions[0].url
    'http://a.org/x'
    """
    mentions: dict[str, Mention] = {}
    sitemaps: dict[str, datetime] = {}
    for entry in _entries(xml):
        link = _address(entry)
        address = scope.join(url, link) if link.strip() else None
        if address is None:
            continue
        if _name(entry) == "sitemap":
            sitemaps.setdefault(address, _when(entry) or _OLDEST)
        elif address not in mentions and refusal(address) is None:
            mentions[address] = _mention(address, entry)
    newest = sorted(
        mentions.values(), key=lambda mention: mention.published or _OLDEST, reverse=True
    )
    return Listing(
        mentions=tuple(newest[:limit]),
        sitemaps=tuple(sorted(sitemaps, key=sitemaps.__getitem__, reverse=True)),
    )


def _entries(xml: bytes) -> Iterator[etree._Element]:
    xml = xml.strip()
    # In what does not begin like that, tags are not written with a `<` that could be counted.
    if not xml.startswith(_BEGINNINGS) or xml.count(b"<") + xml.count(b"=") > _MOST_TAGS:
        return
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_comments=True
    )
    try:
        root = etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError):
        return
    if root is None or _name(root) not in ("urlset", "sitemapindex", "rss", "feed", "rdf"):
        return
    if _declares_entities(root):
        return
    for parent in (root, *root.iterchildren("{*}channel")):
        yield from parent.iterchildren("{*}url", "{*}sitemap", "{*}item", "{*}entry")


def _declares_entities(root: etree._Element) -> bool:
    """Say whether a document has entities of its own: no listing needs them, attacks do."""
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and bool(dtd.entities())  # type: ignore[attr-defined]


def _mention(address: str, entry: etree._Element) -> Mention:
    source = "feed" if _name(entry) in ("item", "entry") else "sitemap"
    if any(_name(element) == "news" for element in entry):
        source = "news"
    words = " ".join(str(_TITLE(entry)).split())
    return Mention(url=address, source=source, title=words[:_LONGEST_TITLE], published=_when(entry))


def _address(entry: etree._Element) -> str:
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
