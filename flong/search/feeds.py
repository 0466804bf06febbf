"""Feeds: search results as RSS 2.0, Atom and JSON Feed.

The same entries always give the same bytes: a feed is dated by its latest entry, so conditional
requests can be answered with "not modified".
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime

from lxml import etree

from flong.links import Element

_ATOM = "http://www.w3.org/2005/Atom"
_CONTENT = "http://purl.org/rss/1.0/modules/content/"
_CREATOR = "http://purl.org/dc/elements/1.1/"
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An article in a feed."""

    url: str
    """URL, used as the entry's identifier."""
    title: str
    """Headline."""
    summary: str
    """Summary of a few sentences."""
    published: datetime
    """Time of publication, with zone."""
    updated: datetime
    """Time of the last change, with zone."""
    authors: tuple[str, ...] = ()
    """Names as printed."""
    body: str = ""
    """Full text, one line per paragraph; empty to omit it."""
    image: str | None = None
    """URL of the lead image."""
    language: str | None = None
    """ISO 639-1 code."""
    site: str = ""
    """Name of the site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """Articles, latest first."""

    title: str
    """Title of the feed."""
    home: str
    """URL of the page that the feed represents."""
    url: str
    """URL of the feed itself; empty if unknown."""
    entries: Sequence[Entry]
    """Articles."""

    @property
    def updated(self) -> datetime:
        """Return the time of the latest change, or the year 1970 for an empty feed."""
        return max((entry.updated for entry in self.entries), default=_NEVER)


def write_rss(feed: Feed) -> bytes:
    """Return the feed as RSS 2.0."""
    names = {"atom": _ATOM, "content": _CONTENT, "dc": _CREATOR}
    root = etree.Element("rss", {"version": "2.0"}, nsmap=names)
    channel = etree.SubElement(root, "channel")
    _add(channel, "title", feed.title)
    _add(channel, "link", feed.home)
    _add(channel, "description", f"{feed.title}, found by flong")
    _add(channel, "lastBuildDate", _rfc_822(feed.updated))
    if feed.url:
        kind = "application/rss+xml"
        _add(channel, f"{{{_ATOM}}}link", "", rel="self", type=kind, href=feed.url)
    for entry in feed.entries:
        item = etree.SubElement(channel, "item")
        _add(item, "title", entry.title or entry.url)
        _add(item, "link", entry.url)
        _add(item, "guid", entry.url, isPermaLink="true")
        _add(item, "pubDate", _rfc_822(entry.published))
        _add(item, "description", _html(entry.summary))
        for name in entry.authors or (entry.site,) * bool(entry.site):
            _add(item, f"{{{_CREATOR}}}creator", name)
        if entry.body:
            _add(item, f"{{{_CONTENT}}}encoded", _html(entry.body))
    return _document(root)


def write_atom(feed: Feed) -> bytes:
    """Return the feed as Atom (RFC 4287)."""
    names = {None: _ATOM}
    root = etree.Element(f"{{{_ATOM}}}feed", nsmap=names)  # type: ignore[arg-type]  # lxml allows it
    _add_atom(root, "id", feed.url or feed.home)
    _add_atom(root, "title", feed.title)
    _add_atom(root, "updated", _rfc_3339(feed.updated))
    _add_atom(root, "link", "", rel="alternate", type="text/html", href=feed.home)
    if feed.url:
        _add_atom(root, "link", "", rel="self", type="application/atom+xml", href=feed.url)
    _add_atom(root, "generator", "flong")
    for entry in feed.entries:
        item = etree.SubElement(root, f"{{{_ATOM}}}entry")
        _add_atom(item, "id", entry.url)
        _add_atom(item, "title", entry.title or entry.url)
        _add_atom(item, "published", _rfc_3339(entry.published))
        _add_atom(item, "updated", _rfc_3339(entry.updated))
        _add_atom(item, "link", "", rel="alternate", type="text/html", href=entry.url)
        for name in entry.authors or (entry.site or "unknown",):
            _add_atom(etree.SubElement(item, f"{{{_ATOM}}}author"), "name", name)
        _add_atom(item, "summary", entry.summary, type="text")
        if entry.body:
            _add_atom(item, "content", _html(entry.body), type="html")
    return _document(root)


def write_json(feed: Feed) -> bytes:
    """Return the feed as JSON Feed 1.1."""
    items = [
        _filled(
            id=entry.url,
            url=entry.url,
            title=entry.title,
            summary=entry.summary,
            date_published=_rfc_3339(entry.published),
            date_modified=_rfc_3339(entry.updated),
            authors=[{"name": name} for name in entry.authors],
            image=entry.image,
            language=entry.language,
        )
        | {"content_text": entry.body or entry.summary}
        for entry in feed.entries
    ]
    document = _filled(
        version="https://jsonfeed.org/version/1.1",
        title=feed.title,
        home_page_url=feed.home,
        feed_url=feed.url,
    )
    text = json.dumps(document | {"items": items}, ensure_ascii=False, indent=1)
    return text.encode("utf-8", "replace")


FEED_FORMATS: Mapping[str, Callable[[Feed], bytes]] = {
    "rss": write_rss,
    "atom": write_atom,
    "json": write_json,
}
"""Writers of feeds, by format."""


def _filled(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value}


def _add(parent: Element, tag: str, text: str, **attributes: str) -> None:
    clean = {name: _NOT_XML.sub("", value) for name, value in attributes.items()}
    element = etree.SubElement(parent, tag, clean)
    element.text = _NOT_XML.sub("", text) or None


def _add_atom(parent: Element, tag: str, text: str, **attributes: str) -> None:
    _add(parent, f"{{{_ATOM}}}{tag}", text, **attributes)


def _html(text: str) -> str:
    """Return the text as HTML paragraphs, escaped."""
    paragraphs = []
    for line in text.split("\n"):
        if line.strip():
            paragraph = etree.Element("p")
            paragraph.text = _NOT_XML.sub("", line)
            paragraphs.append(etree.tostring(paragraph, encoding="unicode"))
    return "".join(paragraphs)


def _document(root: Element) -> bytes:
    return etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)


def _rfc_822(time: datetime) -> str:
    return format_datetime(time.astimezone(UTC))


def _rfc_3339(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
