"""Pages laid out by a browser that has no way to the outside.

One handler answers every request of the browser: the page itself, style sheets and pictures that
are at hand, nothing for all else. What would go around it (a connection opened in advance, the name
of a host looked up) has nowhere to go: there is no proxy where the browser is told that one is.
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
"""So long the browser may take for a page."""
START_SECONDS = 120.0
"""So long it may take to start, on a machine that is busy."""
MOST_PAGES = 500
"""After so many pages a new browser is started: the old one has grown."""
_STOP_SECONDS = 5.0
_ARGUMENTS = (
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",  # not even this machine is asked
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking",
    "--disable-gpu",
)


_POLICY = "; ".join(
    f"{kind}-src 'none'"
    for kind in ("connect", "font", "frame", "manifest", "media", "object", "script")
)
"""What the browser need not even ask for: an answer takes it, and us, a millisecond or two."""


class Resource(NamedTuple):
    """Something that a page needs to be laid out."""

    content_type: str
    body: bytes


Resources = Callable[[str], Resource | None]
"""What is at hand for a URL; None if nothing is."""


class RenderingError(PipelineError):
    """A page that the browser did not lay out."""


def no_resources(_url: str) -> Resource | None:
    """Return None: the page alone is at hand."""
    return None


def find_browser(chromium: str = "") -> str:
    """Return the path of the browser, or say in a sentence what is missing."""
    if importlib.util.find_spec("playwright") is None:
        raise PipelineError("Laying pages out needs playwright: pip install 'flong[visual]'")
    found = (
        shutil.which(chromium) if chromium else next(filter(None, map(shutil.which, BROWSERS)), "")
    )
    if not found:
        place = f"at {chromium!r}" if chromium else "(apt-get install chromium)"
        raise PipelineError(f"Laying pages out needs a browser, and there is none {place}.")
    return found


class Browser:
    """A browser that lays out pages; started when it is first needed, and again when it fails."""

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
        """Return the visual blocks of a page; `RenderingError` if the browser fails twice."""
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
        # Chromium refuses to build its sandbox for root.
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
        """Let the browser end; one that hangs ends beside the work of the next."""
        driver, self._driver, self._page = self._driver, None, None
        if driver is not None:
            self._ending.append(asyncio.ensure_future(driver.stop()))
            await asyncio.wait(self._ending, timeout=_STOP_SECONDS)

    async def _see_all_end(self) -> None:
        """Wait for browsers that hung: Playwright kills them after half a minute."""
        if self._ending:
            await asyncio.wait(self._ending)

    async def _answer(self, route: Any) -> None:
        """Answer a request of the browser."""
        request = route.request
        if request.is_navigation_request():
            if self._body and request.frame == self._page.main_frame:
                body, self._body = self._body, b""
                await route.fulfill(headers=self._headers, body=body)
            else:  # a frame in the page, or the page that it would go on to: stay where we are
                await route.fulfill(status=204)
            return
        found = self._resources(request.url)
        if found is None:
            await route.abort()
        else:
            await route.fulfill(content_type=found.content_type, body=found.body)
