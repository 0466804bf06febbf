"""Bytes that may be a page: their encoding, and whether they are HTML at all."""

import re

from w3lib.encoding import html_to_unicode

LARGEST = 10 * 1024 * 1024
"""Bytes beyond which a document is not taken for a page."""

_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table)\b", re.IGNORECASE
)
_DATA = re.compile(r"[{\[]|<(?:rss|feed|rdf|urlset|sitemapindex|svg|opml|oembed)\b", re.IGNORECASE)
_BEGINNING = 4096


def decode(data: bytes, content_type: str | None = None) -> tuple[str, str]:
    """Return the encoding of a document and its text.

    A byte order mark counts most, then the header, then what the document says; else it is
    UTF-8 if it can be, or Windows 1252.

    >>> decode("<meta charset=iso-8859-1>ü".encode("latin-1"))
    ('cp1252', '<meta charset=iso-8859-1>ü')
    >>> decode("ü".encode()), decode("ü".encode("latin-1"))
    (('utf-8', 'ü'), ('cp1252', 'ü'))
    """
    encoding, text = html_to_unicode(content_type, data, auto_detect_fun=_guess)
    return encoding, text.removeprefix("\ufeff")


def _guess(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def is_html(text: str) -> bool:
    """Tell whether a text is a page of HTML, not a feed, data or plain text.

    >>> is_html("<!DOCTYPE html><p>news"), is_html("<?xml version='1.0'?><html>")
    (True, True)
    >>> is_html("<?xml version='1.0'?><rss><title>news"), is_html('{"p": "<p>"}'), is_html("news")
    (False, False, False)
    """
    beginning = text[:_BEGINNING]
    tag, data = _HTML.search(beginning), _DATA.search(beginning)
    return tag is not None and (data is None or tag.start() < data.start())
