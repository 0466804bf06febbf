"""Pages that exist only after JavaScript has run, through a headless browser.

Needs the extra `render` (scrapy-playwright) and a Chromium; Debian's is enough.
"""

import asyncio
import importlib.util
import os
import shutil
import socket
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from crawler.arguments import BadArgument
from crawler.networks import Networks
from crawler.settings import DOWNLOAD_HANDLERS

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_HANDLER = "crawler.browser_handler.BrowserHandler"
_NOT_NEEDED = frozenset({"font", "image", "media", "stylesheet"})


def browser_settings(chromium: str = "", networks: Networks | None = None) -> dict[str, Any]:
    """Return the settings with which pages are rendered; `BadArgument` if that cannot be done.

    `networks` are those to which the browser may connect; all if there are none.
    """
    if importlib.util.find_spec("scrapy_playwright") is None:
        raise BadArgument("render=1 needs scrapy-playwright: pip install 'flong[render]'")
    found = chromium or next(filter(None, map(shutil.which, BROWSERS)), "")
    if not shutil.which(found):
        place = f"at {chromium!r}" if chromium else "(apt-get install chromium)"
        raise BadArgument(f"render=1 needs a browser, and there is none {place}")
    # Chromium refuses to build its sandbox for root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {
        "DOWNLOAD_HANDLERS": DOWNLOAD_HANDLERS | {"http": _HANDLER, "https": _HANDLER},
        "PLAYWRIGHT_ABORT_REQUEST": partial(is_unwanted, networks=networks),
        "PLAYWRIGHT_BROWSER_TYPE": "chromium",
        "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": found, "args": arguments},
        "PLAYWRIGHT_PROCESS_REQUEST_HEADERS": None,
    }


def render_meta() -> dict[str, Any]:
    """Return what a request carries so that a browser fetches it."""
    return {"playwright": True, "playwright_page_goto_kwargs": {"wait_until": "networkidle"}}


async def is_unwanted(request: Any, networks: Networks | None) -> bool:
    """Say whether a browser can do without a part of a page, or must not ask for it."""
    if request.resource_type in _NOT_NEEDED:
        return True
    host = urlsplit(request.url).hostname
    if networks is None or not host:
        return False
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return True
    return any(networks.refusal(host, str(address[0])) for *_, address in found)
