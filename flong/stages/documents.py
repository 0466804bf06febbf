"""Whether a document is a page of HTML at all."""

import re

LARGEST = 10 * 1024 * 1024
"""Bytes beyond which a document is not taken for a page."""

_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table)\b", re.IGNORECASE
)
_DATA = re.compile(r"[{\[]|<(?:rss|feed|rdf|urlset|sitemapindex|svg|opml|oembed)\b", re.IGNORECASE)
_BEGINNING = 4096


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
