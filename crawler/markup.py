"""What must be known of a page before it is parsed."""

import re

LARGE = 100_000
"""Characters up to which a page can be parsed in about a second, whatever is in it."""
MOST = 5_000
"""Names and values that one tag may have on a larger page."""

_PART = r"=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)|=|[^\s/>=]++"
# It matches wherever a tag begins, so that no part of a page is looked at twice.
_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+((?:[\s/]++|{_PART})*+)")
_PARTS = re.compile(_PART)


def is_bloated(html: str) -> bool:
    """Tell whether a page has a tag with thousands of attributes.

    Nobody writes one, and the parser takes time of the square of their number: an hour for what
    fits into ten megabytes. One attribute may be as long as it likes.

    >>> many = "".join(f" a{n}='>'" for n in range(30_000))
    >>> is_bloated(f"<p{many}>"), is_bloated(f"<p title='{many[:20]}' class={'x' * 200_000}>")
    (True, False)
    """
    if len(html) <= LARGE:
        return False
    long = (tag[1] for tag in _TAG.finditer(html) if len(tag[1]) > MOST)
    return any(len(_PARTS.findall(inner)) > MOST for inner in long)
