"""What must be known of a page before it is parsed."""

import re
from itertools import islice

LARGE_PAGE = 50_000
"""Characters up to which a page is parsed in a fraction of a second, whatever is in it."""
MAX_ATTRIBUTES = 500
"""Names and values that one tag may have on a larger page; further ones are left out."""

_PART = r"=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)|=|[^\s/>=]++"
# It matches wherever a tag begins, so that no part of a page is looked at twice.
_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+((?:[\s/]++|{_PART})*+)")
_PARTS = re.compile(_PART)


def limit_attributes(html: str) -> str:
    """Return a page whose tags have hundreds of attributes at most, not thousands.

    Nobody writes them, and the parser takes time of the square of their number: an hour for what
    fits into ten megabytes. One attribute may be as long as it likes.

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
