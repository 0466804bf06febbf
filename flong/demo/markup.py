"""HTML helpers; all text is escaped by `esc`."""

import re
from collections.abc import Iterable
from datetime import datetime
from html import escape as esc
from urllib.parse import quote

from flong.demo.edition import tag_path
from flong.demo.grammar import Language
from flong.demo.newsroom import Author
from flong.demo.stories import Assignment

__all__ = [
    "biography",
    "day",
    "each",
    "esc",
    "given",
    "link",
    "linked",
    "share_links",
    "stamp",
    "time_tag",
]


def link(href: str, text: str, attributes: str = "") -> str:
    """Return a link; `attributes` is markup.

    >>> link("/a?b&c", "R&D", 'class="x"')
    '<a href="/a?b&amp;c" class="x">R&amp;D</a>'
    """
    return f'<a href="{esc(href)}"{" " * bool(attributes)}{attributes}>{esc(text)}</a>'


def each(pieces: Iterable[str], tag: str = "li") -> str:
    r"""Return every piece of markup in an element of its own.

    >>> each(["a", "b"])
    '<li>a</li>\n<li>b</li>'
    """
    return "\n".join(f"<{tag}>{piece}</{tag}>" for piece in pieces)


def given(wanted: bool, markup: str) -> str:
    """Return the markup if wanted, else "".

    >>> given(False, "<p>")
    ''
    """
    return markup if wanted else ""


def day(language: Language, when: datetime) -> str:
    """Return a date in the format of the language.

    >>> from flong.demo.german import GERMAN
    >>> day(GERMAN, datetime(2024, 3, 9))
    '9. März 2024'
    """
    return language.date.format(day=when.day, month=language.months[when.month - 1], year=when.year)


def stamp(language: Language, when: datetime) -> str:
    """Return a date with the time of day."""
    return f"{day(language, when)}, {when:%H:%M}"


def time_tag(language: Language, when: datetime, attributes: str = "") -> str:
    """Return a `time` element."""
    space = " " * bool(attributes)
    return f'<time datetime="{when:%Y-%m-%dT%H:%M:%SZ}"{space}{attributes}>{stamp(language, when)}</time>'


def linked(text: str, entry: Assignment) -> str:
    """Return a paragraph's markup, with the first mention of the tag linked to its page."""
    found = re.search(rf"\b{entry.tag.lower()}\b", text)
    if not found or entry.kind == "page":
        return esc(text)
    before, after = text[: found.start()], text[found.end() :]
    return f"{esc(before)}{link(tag_path(entry.tag), found[0])}{esc(after)}"


def biography(author: Author, language: Language) -> str:
    """Return the biography of an author."""
    return language.labels["bio"].format(name=author.name, desk=author.desk)


def share_links(address: str, title: str) -> list[str]:
    """Return external links for sharing an article."""
    url, words = quote(address, safe=""), quote(title, safe="")
    return [
        link(f"https://social.example/share?url={url}&text={words}", "Chirp", 'rel="nofollow"'),
        link(f"https://faces.example/sharer?u={url}", "Faces", 'rel="nofollow"'),
        link(f"mailto:?subject={words}&body={url}", "Email"),
    ]
