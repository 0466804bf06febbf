"""Rendering of pages in a headless browser, for sites that need JavaScript.

Requires the extra `render` (scrapy-playwright) and Chromium; Debian's package is enough.
"""

import asyncio
import importlib.util
import os
import shutil
import socket
from collections.abc import Collection
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from scrapy.http import TextResponse

from flong import features
from flong.crawler.arguments import BadArgument
from flong.crawler.networks import METADATA, Networks
from flong.crawler.settings import DOWNLOAD_HANDLERS

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
VIEWPORT = {"width": 1280, "height": 1000}
"""Window size for page layout, also used when stored pages are rendered later."""
_HANDLER = "flong.crawler.browser_handler.BrowserHandler"
_NOT_NEEDED = frozenset({"font", "image", "media", "stylesheet"})
_NOT_SEEN = _NOT_NEEDED - {"stylesheet"}
"""Resource types not loaded when the visual layout is recorded."""


def browser_settings(
    chromium: str = "", networks: Networks | None = None, *, visual: bool = False
) -> dict[str, Any]:
    """Return the Scrapy settings for rendering; raise `BadArgument` if no browser is available.

    The browser may connect only to `networks`; None allows all. With `visual`, style sheets are
    loaded and the window has the size of `VIEWPORT`.
    """
    if importlib.util.find_spec("scrapy_playwright") is None:
        raise BadArgument("render=1 needs scrapy-playwright: pip install 'flong[render]'")
    found = chromium or next(filter(None, map(shutil.which, BROWSERS)), "")
    if not shutil.which(found):
        place = f"at {chromium!r}" if chromium else "(apt-get install chromium)"
        raise BadArgument(f"render=1 needs a browser; none was found {place}")
    # Chromium cannot create its sandbox as root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    # Redirects that the browser follows are not intercepted.
    rules = ", ".join(f"MAP {address} ~NOTFOUND" for address in sorted(map(str, METADATA)))
    arguments.append(f"--host-resolver-rules={rules}")
    return {
        "DOWNLOAD_HANDLERS": DOWNLOAD_HANDLERS | {"http": _HANDLER, "https": _HANDLER},
        "PLAYWRIGHT_ABORT_REQUEST": partial(
            is_unwanted, networks=networks, kinds=_NOT_SEEN if visual else _NOT_NEEDED
        ),
        "PLAYWRIGHT_BROWSER_TYPE": "chromium",
        "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": found, "args": arguments},
        "PLAYWRIGHT_PROCESS_REQUEST_HEADERS": None,
        **({"PLAYWRIGHT_CONTEXTS": {"default": {"viewport": VIEWPORT}}} if visual else {}),
    }


def render_meta(*, visual: bool = False) -> dict[str, Any]:
    """Return the request metadata for rendering; with `visual`, including the block recorder."""
    meta = {"playwright": True, "playwright_page_goto_kwargs": {"wait_until": "networkidle"}}
    if not visual:
        return meta
    from scrapy_playwright.page import PageMethod  # noqa: PLC0415 - an extra

    hooks = features.load(features.RENDERED_PAGES)
    return meta | {"playwright_page_methods": [PageMethod(hook) for hook in hooks]}


def blocks_of(response: TextResponse) -> bytes | None:
    """Return the recorded blocks of a page; None if the page has changed since."""
    methods = response.meta.get("playwright_page_methods", ())
    taken = next((method.result for method in methods), None)
    if taken is None or taken.digest != digest_of(response.text):
        return None
    return bytes(taken.blocks)


def digest_of(html: str) -> bytes:
    """Return the SHA-256 hash of a document's text."""
    return sha256(html.encode("utf-8", "replace")).digest()


async def is_unwanted(
    request: Any, networks: Networks | None, kinds: Collection[str] = _NOT_NEEDED
) -> bool:
    """Return True for resources that are not needed or that lie outside `networks`."""
    if request.resource_type in kinds:
        return True
    host = urlsplit(request.url).hostname
    if networks is None or not host:
        return False
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return True
    return any(networks.refusal(host, str(address[0])) for *_, address in found)
