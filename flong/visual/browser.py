"""Lay out pages in a browser without network access.

One handler serves every request of the browser: the page itself and the available style sheets and
images; everything else is empty. Requests that bypass the handler (preconnects, DNS lookups) fail
because the configured proxy does not exist.
"""

import asyncio
import importlib.util
import json
import os
import shutil
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple

from flong.crawler import BROWSERS, VIEWPORT
from flong.errors import PipelineError
from flong.tree import Tree
from flong.visual.block_tree import BlockTree, make_blocks
from flong.visual.page_script import SCRIPT, SCRIPT_ARGUMENT, marked_page

PAGE_SECONDS = 20.0
"""Maximum seconds per page."""
START_SECONDS = 120.0
"""Maximum seconds to start the browser, on a busy machine."""
MOST_PAGES = 500
"""Maximum pages per browser process, which grows over time."""
_STOP_SECONDS = 5.0
_ARGUMENTS = (
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",  # loopback is blocked too
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking",
    "--disable-gpu",
)


_POLICY = "; ".join(
    f"{kind}-src 'none'"
    for kind in ("connect", "font", "frame", "manifest", "media", "object", "script")
)
"""Content types the browser need not request: each request costs a millisecond or two."""


class Resource(NamedTuple):
    """A file that a page needs for its layout."""

    content_type: str
    body: bytes


Resources = Callable[[str], Resource | None]
"""Function that returns the resource at a URL, or None."""


class RenderingError(PipelineError):
    """The browser could not lay out a page."""


def no_resources(_url: str) -> Resource | None:
    """Return None: no resources besides the page."""
    return None


def find_browser(chromium: str = "") -> str:
    """Return the path of the browser; raise `PipelineError` if something is missing."""
    if importlib.util.find_spec("playwright") is None:
        raise PipelineError("Page layout needs playwright. Run: pip install 'flong[visual]'")
    found = (
        shutil.which(chromium) if chromium else next(filter(None, map(shutil.which, BROWSERS)), "")
    )
    if not found:
        place = f"at {chromium!r}" if chromium else "(apt-get install chromium)"
        raise PipelineError(f"Page layout needs a browser, but there is none {place}.")
    return found


class Browser:
    """A browser that lays out pages. It starts on first use and restarts after a failure."""

    def __init__(
        self, chromium: str = "", resources: Resources = no_resources, seconds: float = PAGE_SECONDS
    ) -> None:
        self._executable = find_browser(chromium)
        self._resources, self._seconds = resources, seconds
        pictures = "; img-src 'none'; style-src 'unsafe-inline'" * (resources is no_resources)
        self._headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": _POLICY + pictures,
        }
        self._runner = asyncio.Runner()
        self._driver: Any = None
        self._ending: list[asyncio.Future[None]] = []
        self._page: Any = None
        self._body = b""
        self._pages = 0

    def __enter__(self) -> "Browser":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._runner.run(self._stop())
        self._runner.run(self._see_all_end())
        self._runner.close()

    def blocks(self, url: str, html: str, tree: Tree) -> BlockTree:
        """Return the visual blocks of a page; raise `RenderingError` if the browser fails twice."""
        from playwright.async_api import Error  # noqa: PLC0415 - an extra

        body, reason = marked_page(html, tree), ""
        for _ in range(2):
            try:
                if self._page is None or self._pages >= MOST_PAGES:
                    self._runner.run(asyncio.wait_for(self._restart(), START_SECONDS))
                rows = self._runner.run(asyncio.wait_for(self._lay_out(url, body), self._seconds))
                return make_blocks(rows, tree)
            except TimeoutError:
                reason = f"it takes more than {self._seconds:g} s"
            except Error as error:
                reason = error.message.splitlines()[0]
            self._runner.run(self._stop())
        raise RenderingError(f"{url} cannot be laid out: {reason}.")

    async def _lay_out(self, url: str, body: bytes) -> list[list[float]]:
        self._pages, self._body = self._pages + 1, body
        await self._page.goto(url, wait_until="load", timeout=1000 * self._seconds)
        rows: list[list[float]] = json.loads(await self._page.evaluate(SCRIPT, SCRIPT_ARGUMENT))
        return rows

    async def _restart(self) -> None:
        from playwright.async_api import async_playwright  # noqa: PLC0415 - an extra

        await self._stop()
        self._driver = await async_playwright().start()
        # Chromium cannot create its sandbox as root.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = await self._driver.chromium.launch(
            executable_path=self._executable,
            args=[*_ARGUMENTS, *sandbox],
            timeout=1000 * START_SECONDS,
        )
        context = await browser.new_context(
            java_script_enabled=False, service_workers="block", viewport=VIEWPORT
        )
        await context.route("**/*", self._answer)
        self._page, self._pages = await context.new_page(), 0

    async def _stop(self) -> None:
        """Stop the browser in the background, since one that hangs would block the next."""
        driver, self._driver, self._page = self._driver, None, None
        if driver is not None:
            self._ending.append(asyncio.ensure_future(driver.stop()))
            await asyncio.wait(self._ending, timeout=_STOP_SECONDS)

    async def _see_all_end(self) -> None:
        """Wait for hanging browsers: Playwright kills them after half a minute."""
        if self._ending:
            await asyncio.wait(self._ending)

    async def _answer(self, route: Any) -> None:
        """Serve a request of the browser."""
        request = route.request
        if request.is_navigation_request():
            if self._body and request.frame == self._page.main_frame:
                body, self._body = self._body, b""
                await route.fulfill(headers=self._headers, body=body)
            else:  # a frame, or a navigation away from the page: stay here
                await route.fulfill(status=204)
            return
        found = self._resources(request.url)
        if found is None:
            await route.abort()
        else:
            await route.fulfill(content_type=found.content_type, body=found.body)
