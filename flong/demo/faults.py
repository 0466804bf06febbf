"""Error pages with status 200, as served by broken sites; each one is different."""

import re
from collections.abc import Sequence
from html import escape
from random import Random
from zlib import crc32

FAULTS = ("own_title", "headlines", "stack_trace", "choose_another", "in_template", "empty")
"""Kinds of broken pages."""

_MODULES = "cache render template database session router widget menu queue proxy".split()
_ERRORS = "TimeoutError KeyError ConnectionReset OutOfMemory DeadlockFound BrokenPipe".split()
_ASIDE = "Our editors are at work on it. Please come back later, or call the desk".split()
_PARAGRAPH = re.compile(r"<p\b[^>]*>.*?</p>", re.DOTALL)


def is_faulty(path: str, share: float) -> bool:
    """Return True if the page at a path is among the broken fraction.

    >>> sum(is_faulty(f"/story-{n}", 0.2) for n in range(1000))
    211
    """
    return crc32(path.encode()) % 1000 < share * 1000


def error_page(fault: str, path: str, page: str, title: str, headlines: Sequence[str]) -> str:
    """Return the error page at `path` that replaces `page`, an article with this title.

    >>> page = "<title>Rain</title><h1>Rain</h1><p>It rained.</p>"
    >>> error_page("in_template", "/rain", page, "Rain", ["Snow"]).count("<p>")
    1
    >>> error_page("empty", "/rain", page, "Rain", [])
    ''
    """
    dice = Random(crc32(path.encode()))  # noqa: S311 - no secret
    if fault == "empty":
        return ""
    if fault == "in_template":
        return _in_template(page, title, dice)
    teasers = "".join(
        f"<li><a href='/'>{escape(headline)}</a></li>" for headline in _some(headlines, dice)
    )
    name = path.strip("/").replace("-", " ")
    head, body = {
        "own_title": (f"Error {dice.randrange(10**6)}", f"<p>{' '.join(_words(dice, 12))}</p>"),
        "headlines": (f"Today: {name}", f"<ol>{teasers}</ol>"),
        "stack_trace": (f"{dice.choice(_ERRORS)} in {name}", f"<pre>{_trace(dice)}</pre>"),
        "choose_another": (
            "Please choose another story",
            f"<p>The story {escape(name)} cannot be shown just now.</p><ul>{teasers}</ul>",
        ),
    }[fault]
    return f"<!doctype html><title>{escape(head)}</title><h1>{escape(head)}</h1>{body}"


def _in_template(page: str, title: str, dice: Random) -> str:
    """Return the page with an apology in place of its title and paragraphs."""
    message = f"<p>{' '.join(_words(dice, 30))}</p>"
    page = _PARAGRAPH.sub("", page).replace("</h1>", f"</h1>{message}", 1)
    return page.replace(escape(title), f"Something went wrong ({dice.randrange(10**6)})")


def _some(headlines: Sequence[str], dice: Random) -> list[str]:
    return dice.sample(headlines, min(10, len(headlines)))


def _words(dice: Random, number: int) -> list[str]:
    return [f"{dice.choice(_ASIDE)}" for _ in range(number)]


def _trace(dice: Random) -> str:
    return "\n".join(
        f"  at {dice.choice(_MODULES)}.{dice.choice(_MODULES)} line {dice.randrange(9999)}: "
        f"{dice.choice(_ERRORS)}"
        for _ in range(40)
    )
