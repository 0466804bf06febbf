"""Arguments of the spider `site`, validated before the crawl starts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request

from flong.program import program
from flong.urls import canonical_url


class BadArgument(ValueError):
    """An argument is invalid; str(exc) is a message for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlArguments:
    """Arguments of a crawl; None means not given."""

    url: str
    """URL of the home page."""
    depth: int | None = None
    """Maximum number of links from the home page."""
    max_pages: int | None = None
    """Maximum number of pages."""
    delay: float | None = None
    """Seconds between two requests; 0 to disable throttling, as `fast=1` does."""
    subdomains: bool | None = None
    """True to include other subdomains of the site."""
    render: bool | None = None
    """True to render pages in a browser."""
    visual: bool | None = None
    """True to store the visual layout of rendered pages."""
    include: str | None = None
    """Request only URLs matching this regular expression; empty for all."""
    exclude: str | None = None
    """Skip URLs matching this regular expression; empty for none."""
    cookies: str | None = None
    """Path of a cookies.txt file to send cookies from; empty for no cookies."""
    learn: bool | None = None
    """False to store pages without extracting articles; the default is True."""
    items: str = "new"
    """Items to yield: articles of this crawl (`new`), of the site (`all`), or its `pages`."""


NAMES = (*CrawlArguments.__dataclass_fields__, "fast")
ITEMS = ("new", "all", "pages")
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off", ""})


def read_arguments(given: Mapping[str, str | None]) -> CrawlArguments:
    """Return the validated arguments of a crawl; raise `BadArgument` if one is invalid.

    >>> read_arguments({"url": "https://example.org", "depth": "2", "subdomains": "yes"}).depth
    2
    >>> read_arguments({"url": "example.org"})
    Traceback (most recent call last):
    flong.crawler.arguments.BadArgument: 'example.org' has no scheme: write https://example.org
    """
    unknown = sorted(set(given) - set(NAMES))
    if unknown:
        known = ", ".join(NAMES)
        raise BadArgument(f"unknown argument {unknown[0]!r}; use one of {known}")
    return CrawlArguments(
        url=_url(given.get("url") or ""),
        depth=_number("depth", given.get("depth"), least=0),
        max_pages=_number("max_pages", given.get("max_pages"), least=1),
        delay=0.0 if _choice("fast", given.get("fast")) else _seconds("delay", given.get("delay")),
        subdomains=_choice("subdomains", given.get("subdomains")),
        render=_choice("render", given.get("render")),
        visual=_visual(given.get("visual"), given.get("render")),
        include=_pattern("include", given.get("include")),
        exclude=_pattern("exclude", given.get("exclude")),
        cookies=_cookies(given.get("cookies"), given.get("render")),
        learn=_choice("learn", given.get("learn")),
        items=_one_of("items", given.get("items"), ITEMS),
    )


def _url(url: str) -> str:
    url = url.strip()
    if not url:
        raise BadArgument(f"no URL was given. Run: {program()} crawl https://news.example/")
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise BadArgument("URLs with a user name and password cannot be crawled; remove them")
    scheme = urlsplit(url).scheme if "://" in url else ""
    if not scheme:
        raise BadArgument(f"{url!r} has no scheme: write https://{url.lstrip('/')}")
    if scheme not in ("http", "https"):
        raise BadArgument(f"{url!r} is a URL for {scheme}; only http and https can be crawled")
    if canonical_url(url) is None:
        raise BadArgument(f"{url!r} is not the URL of a web page")
    return url


def _number(name: str, text: str | None, least: int) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise BadArgument(f"{name} is {text!r}: it must be a whole number >= {least}")
    return int(text)


def _seconds(name: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 86400:
        raise BadArgument(f"{name} is {text!r}: it must be a number of seconds")
    return seconds


def _pattern(name: str, text: str | None) -> str | None:
    try:
        re.compile(text or "")
    except re.error as error:
        raise BadArgument(f"{name} is {text!r}, not a regular expression: {error}") from error
    return text


def _visual(text: str | None, render: str | None) -> bool | None:
    visual = _choice("visual", text)
    if visual and not _choice("render", render):
        raise BadArgument("visual=1 needs a browser; add render=1")
    return visual


def _cookies(path: str | None, render: str | None) -> str | None:
    if not path:
        return path
    if _choice("render", render):
        raise BadArgument("a browser cannot use cookies; set render=0 or cookies=")
    try:
        load_cookies(path)
    except ValueError as error:
        raise BadArgument(str(error)) from error
    return str(Path(path).resolve())  # nightly runs may start in another folder


def _one_of(name: str, text: str | None, known: Sequence[str]) -> str:
    if text is not None and text not in known:
        raise BadArgument(f"{name} is {text!r}: it must be one of {', '.join(known)}")
    return text or known[0]


def _choice(name: str, text: str | None) -> bool | None:
    if text is None:
        return None
    if text.lower() in _YES | _NO:
        return text.lower() in _YES
    raise BadArgument(f"{name} is {text!r}: it must be 1 or 0")


def load_cookies(path: str) -> MozillaCookieJar:
    """Load a cookies.txt file (Netscape format); raise `ValueError` with the reason if it fails."""
    jar = MozillaCookieJar(path)
    try:
        jar.load(ignore_discard=True)
    except OSError as error:
        why = "it is not a cookies.txt file" if isinstance(error, LoadError) else error.strerror
        raise ValueError(f"cookies is {path!r}, which cannot be read: {why}") from error
    return jar


def cookie_header(jar: MozillaCookieJar, url: str) -> dict[str, bytes]:
    """Return the Cookie header that a browser would send to a URL; empty without cookies."""
    request = Request(url)  # noqa: S310 - it is never sent
    jar.add_cookie_header(request)
    cookie = request.get_header("Cookie")
    return {"Cookie": cookie.encode()} if cookie else {}
