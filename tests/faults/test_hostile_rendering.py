"""Hostile pages in a browser (`render=1`): each is given up, and the crawl goes on."""

import importlib.util
import json
import shutil

import pytest

from flong.crawler.rendering import BROWSERS
from flong.storage import Store
from tests.conftest import lacking
from tests.faults.impatient import TIMEOUT
from tests.faults.serving import dripping, endless, head, page, redirect, respond

SCRIPTS = {
    "loop": "for (;;) {}",
    "alert": "alert(1); confirm(2); prompt(3); window.print()",
    "unload": "onbeforeunload = () => 'stay'; location = '/good/1'",
    "reload": "location.reload()",
    "popups": "for (let n = 0; n < 20; n++) open('/good/' + n)",
    "elements": "for (;;) document.body.append(document.createElement('p'))",
    "poll": "setInterval(() => fetch('/good/1'), 50)",
    "elsewhere": "location = 'http://127.0.0.2:9/'",
    "memory": "let all = []; for (;;) all.push(new Array(1e6).fill(1.5))",
}
GOOD = {f"/good/{n}": respond(f"<h1>Story {n}</h1><p>It rained.") for n in range(5)}
HOSTILE = {
    **{f"/script/{name}": respond(f"<p>x<script>{it}</script>") for name, it in SCRIPTS.items()},
    "/endless": endless(head(), b"<p>more" * 10_000),
    "/drip": dripping(head(Content_Length=10**5), b"<p>"),
    "/elsewhere": redirect("http://127.0.0.2:9/"),
    "/metadata": redirect("http://169.254.169.254/latest/"),
    "/file": redirect("file:///etc/passwd"),
    "/download": respond(b"MZ", Content_Type="application/octet-stream"),
}


SMALL_HEAP = """#!/bin/sh
exec {browser} --js-flags=--max-old-space-size=256 "$@"
"""
"""A browser whose pages crash before they take the memory of other tests."""
HARMLESS = {"/script/alert", "/script/popups", "/script/poll"}


@pytest.fixture
def chromium(tmp_path):
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found or not importlib.util.find_spec("scrapy_playwright"):
        lacking("A browser or scrapy-playwright")
    path = tmp_path / "chromium"
    path.write_text(SMALL_HEAP.format(browser=found))
    path.chmod(0o755)
    return path


def test_hostile_rendered_pages_are_given_up_and_others_stored(new_server, visit, chromium):
    server = new_server()
    server.routes |= GOOD | HOSTILE | {"/": page(*HOSTILE, *GOOD)}
    options = ("-s", "RETRY_TIMES=0", "-s", f"FLONG_CHROMIUM={chromium}")
    after = visit(server, *options, render=1)
    assert after.done.returncode == 0, after.done.stderr
    with Store.open(after.crawl.database) as store:
        (site,) = store.sites.all()
        stored = {url.removeprefix(server.url) for url in store.pages.urls(site)}
    assert {*GOOD, "/"} <= stored <= {*GOOD, "/"} | HARMLESS | {"/script/unload"}
    given_up = {"/script/loop", "/script/elements", "/script/memory", "/endless", "/drip", "/file"}
    assert {server.url + path for path in given_up} <= {*after.failures()}
    assert "NAME_NOT_RESOLVED" in after.failures()[f"{server.url}/metadata"]


def test_page_that_hangs_in_the_browser_is_given_up_and_others_stored(new_server, visit, chromium):
    server = new_server()
    server.routes |= GOOD | {"/drip": HOSTILE["/drip"], "/": page("/drip", *GOOD)}
    handler = "tests.faults.impatient.ImpatientHandler"
    options = ("-s", f"FLONG_CHROMIUM={chromium}", "-s", "RETRY_TIMES=0")
    options += ("-s", f"DOWNLOAD_TIMEOUT={TIMEOUT:g}", "-s", "DOWNLOADER_MIDDLEWARES={}")
    options += ("-s", f"DOWNLOAD_HANDLERS={json.dumps({'http': handler})}")
    after = visit(server, *options, render=1)
    assert after.done.returncode == 0, after.done.stderr
    assert "no response in time" in after.failures()[f"{server.url}/drip"]
    with Store.open(after.crawl.database) as store:
        (site,) = store.sites.all()
        stored = {url.removeprefix(server.url) for url in store.pages.urls(site)}
    assert stored == {*GOOD, "/"}
