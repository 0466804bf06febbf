"""Pages laid out by a real browser without network access."""

import gc
import os
import shutil
import signal
import socket
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from flong.crawler import BROWSERS
from flong.errors import PipelineError
from flong.tree import build_tree
from flong.visual.block_tree import BOLD, FONT, HEIGHT, LEFT, WIDTH
from flong.visual.browser import Browser, Resource, find_browser

pytest.importorskip("playwright")
needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)), reason="no Chromium on this machine"
)
URL = "http://news.example/story"
PAGE = "<!doctype html><title>T</title><h1>Rain</h1><div>One <b>two</b><p>Three</p> four</div>"


@pytest.fixture(scope="module")
def browser():
    with Browser(seconds=120) as found:
        yield found


def blocks_of(browser, html):
    tree = build_tree(html)
    return tree, browser.blocks(URL, html, tree)


@needs_browser
def test_leaves_are_the_text_leaves_of_the_tree(browser):
    tree, blocks = blocks_of(browser, PAGE)
    assert [tree.text_of(int(v)) for v in blocks.vertex[blocks.leaves]] == [
        "Rain", "One two", "Three", "four",
    ]  # fmt: skip
    assert blocks.vertex[blocks.leaves].tolist() == tree.leaves()
    heading = blocks.rows[blocks.leaves[0]]
    assert heading[FONT] == 32
    assert heading[BOLD] == 1


@needs_browser
@pytest.mark.parametrize(
    "style", ["display:none", "visibility:hidden", "opacity:0", "position:absolute;left:-9999px"]
)
def test_invisible_elements_are_not_blocks(browser, style):
    tree, blocks = blocks_of(browser, f"<p>Seen</p><p style='{style}'>Hidden</p>")
    assert [tree.text_of(int(v)) for v in blocks.vertex[blocks.leaves]] == ["Seen"]


@needs_browser
def test_block_out_of_the_flow_belongs_to_the_smallest_cover(browser):
    html = (
        "<div style='width:800px;height:600px'><p>Below</p></div>"
        "<p style='position:absolute;left:20px;top:80px;width:90px'>On top</p>"
    )
    tree, blocks = blocks_of(browser, html)
    name = {tree.name(int(v)): at for at, v in enumerate(blocks.vertex)}
    moved = [at for at in range(len(blocks)) if tree.name(int(blocks.vertex[at])) == "p"][-1]
    assert blocks.parent[moved] == name["div"]


@needs_browser
def test_available_style_sheets_and_images_are_used():
    def resources(url):
        if url.endswith("/a.css"):
            return Resource("text/css", b"h1 { font-size: 50px; margin: 0 0 0 90px }")
        if url.endswith("/b.svg"):
            return Resource(
                "image/svg+xml",
                b'<svg xmlns="http://www.w3.org/2000/svg" width="70" height="40"/>',
            )
        return None

    html = "<link rel=stylesheet href=/a.css><h1>Rain</h1><div><img src=/b.svg></div>"
    with Browser(resources=resources, seconds=120) as styled:
        tree, blocks = blocks_of(styled, html)
    heading = blocks.rows[blocks.leaves[0]]
    assert (heading[FONT], heading[LEFT]) == (50, 98)
    picture = next(r for r in blocks.rows if tree.name(int(r[15])) == "img")
    assert (picture[WIDTH], picture[HEIGHT]) == (70, 40)


@contextmanager
def listening():
    """Yield a server that counts connections."""
    connections = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        over = threading.Event()

        def accept():
            while not over.is_set():
                try:
                    connections.append(server.accept()[0].close())
                except TimeoutError:
                    continue

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield server.getsockname()[1], connections
        finally:
            over.set()
            thread.join()


@needs_browser
def test_browser_sends_no_request(browser):
    with listening() as (port, connections):
        base = f"http://127.0.0.1:{port}"
        html = f"""<html><head><link rel=preconnect href={base}><link rel=dns-prefetch href={base}>
            <link rel=stylesheet href={base}/a.css><link rel=preload as=image href={base}/p.png>
            <link rel=prefetch href={base}/q><link rel=icon href={base}/i.ico>
            <style>@import url({base}/b.css); @font-face {{ font-family: F; src: url({base}/f) }}
            p {{ font-family: F; background: url({base}/c.png) }}</style>
            <meta http-equiv=refresh content="0;url={base}/gone"></head><body>
            <p>Words</p><img src={base}/d.png srcset="{base}/e.png 2x"><iframe src={base}/f>
            </iframe><object data={base}/g></object><embed src={base}/h><video src={base}/v
            poster={base}/w></video><audio src={base}/x autoplay></audio>
            <script src={base}/s.js></script><script>fetch("{base}/t");
            new WebSocket("ws://127.0.0.1:{port}/u")</script></body></html>"""
        tree = build_tree(html)
        blocks = browser.blocks(f"{base}/story", html, tree)
        again = browser.blocks(f"{base}/other", html, tree)
    assert "Words" in [tree.text_of(int(v)) for v in blocks.vertex[blocks.leaves]]
    assert len(again) == len(blocks)
    assert not connections


def children_of(pid):
    """Return the descendants of a process, from /proc."""
    found = []
    with suppress(OSError):  # it has ended
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in task.read_text().split():
                found += [int(child), *children_of(int(child))]
    return found


def chromium_processes():
    """Return the browser processes we started, each with whether it is a renderer."""
    found = []
    for pid in children_of(os.getpid()):
        with suppress(OSError):
            if "chrom" in Path(f"/proc/{pid}/exe").readlink().name:
                words = Path(f"/proc/{pid}/cmdline").read_bytes()
                found.append((pid, b"--type=renderer" in words))
    return found


@needs_browser
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found in /proc")
def test_killed_browser_is_restarted():
    with Browser(seconds=120) as browser:
        _, before = blocks_of(browser, PAGE)
        for pid, _ in chromium_processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        _, after = blocks_of(browser, PAGE)
    assert after.rows.tolist() == before.rows.tolist()


@needs_browser
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found in /proc")
def test_hanging_browser_is_restarted():
    with Browser(seconds=10) as browser:
        _, before = blocks_of(browser, PAGE)
        stopped = [pid for pid, renders in chromium_processes() if renders]
        assert stopped
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        _, after = blocks_of(browser, PAGE)
        for pid in stopped:  # else we wait until Playwright kills them
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    assert after.rows.tolist() == before.rows.tolist()
    gc.collect()  # else another test fails with a ResourceWarning


def test_missing_browser_gives_an_error_message():
    with pytest.raises(PipelineError, match="there is none at '/no/such/browser'"):
        find_browser("/no/such/browser")
