"""What a user may say to the spider `site`, checked before anything is done."""

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
    """An argument cannot be used; its text is a sentence for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlArguments:
    """How a site is to be crawled; None where nothing was said."""

    url: str
    """URL of the home page."""
    depth: int | None = None
    """Links from the home page that are followed."""
    max_pages: int | None = None
    """Pages after which the crawl stops."""
    delay: float | None = None
    """Seconds between two requests."""
    subdomains: bool | None = None
    """Whether other sub-domains belong to the site."""
    render: bool | None = None
    """Whether a browser renders the pages."""
    visual: bool | None = None
    """Whether the browser keeps what a reader sees of them."""
    include: str | None = None
    """Regular expression that is found in every URL that is asked for; empty for any."""
    exclude: str | None = None
    """Regular expression that is found in no URL that is asked for; empty for none."""
    cookies: str | None = None
    """File with cookies to send, as browsers export them; empty for none."""
    learn: bool | None = None
    """Whether articles are wanted, or only pages; what is not said is yes."""
    items: str = "new"
    """What is yielded: articles of this crawl (`new`), of the site (`all`), or its `pages`."""


NAMES = tuple(CrawlArguments.__dataclass_fields__)
ITEMS = ("new", "all", "pages")
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off", ""})


def read_arguments(given: Mapping[str, str | None]) -> CrawlArguments:
    """Return the arguments of a crawl, or raise `BadArgument`.

    >>> read_arguments({"url": "https://example.org", "depth": "2", "subdomains": "yes"}).depth
    2
    >>> read_arguments({"url": "example.org"})
    Traceback (most recent call last):
    flong.crawler.arguments.BadArgument: 'example.org' has no scheme: write https://example.org
    """
    unknown = sorted(set(given) - set(NAMES))
    if unknown:
        known = ", ".join(NAMES)
        raise BadArgument(f"there is no argument {unknown[0]!r}: known are {known}")
    return CrawlArguments(
        url=_url(given.get("url") or ""),
        depth=_number("depth", given.get("depth"), least=0),
        max_pages=_number("max_pages", given.get("max_pages"), least=1),
        delay=_seconds("delay", given.get("delay")),
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
        raise BadArgument("a URL with a name and password in it cannot be crawled")
    scheme = urlsplit(url).scheme if "://" in url else ""
    if not scheme:
        raise BadArgument(f"{url!r} has no scheme: write https://{url.lstrip('/')}")
    if scheme not in ("http", "https"):
        raise BadArgument(f"{url!r} is a URL for {scheme}: only http and https are crawled")
    if canonical_url(url) is None:
        raise BadArgument(f"{url!r} is not the URL of a web page")
    return url


def _number(name: str, text: str | None, least: int) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise BadArgument(f"{name} is {text!r}: it must be a whole number from {least} on")
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
        raise BadArgument(f"{name} is {text!r}, which is no regular expression: {error}") from error
    return text


def _visual(text: str | None, render: str | None) -> bool | None:
    visual = _choice("visual", text)
    if visual and not _choice("render", render):
        raise BadArgument("visual=1 is what a browser sees: say render=1, too")
    return visual


def _cookies(path: str | None, render: str | None) -> str | None:
    if not path:
        return path
    if _choice("render", render):
        raise BadArgument("cookies cannot be given to a browser: say render=0 or cookies=")
    try:
        load_cookies(path)
    except ValueError as error:
        raise BadArgument(str(error)) from error
    return str(Path(path).resolve())  # a night may begin in another folder


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
    """Return the cookies of a file in Netscape's format; raise a `ValueError` that says why not."""
    jar = MozillaCookieJar(path)
    try:
        jar.load(ignore_discard=True)
    except OSError as error:
        why = "it is no cookies.txt" if isinstance(error, LoadError) else error.strerror
        raise ValueError(f"cookies is {path!r}, which cannot be read: {why}") from error
    return jar


def cookie_header(jar: MozillaCookieJar, url: str) -> dict[str, bytes]:
    """Return the header with the cookies that a browser would send to a URL; none if none."""
    request = Request(url)  # noqa: S310 - it is never sent
    jar.add_cookie_header(request)
    cookie = request.get_header("Cookie")
    return {"Cookie": cookie.encode()} if cookie else {}
