import shutil

import pytest

from flong.crawler import BadArgument, browser_settings
from flong.crawler.rendering import BROWSERS
from flong.storage import Store
from flong.tree import build_tree
from flong.visual import ATTRIBUTE, unpack_blocks
from flong.visual.block_tree import FONT

needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)), reason="no Chromium on this machine"
)

SCRIPTED = """<html><head><title>Loading</title></head><body><div id=app></div><script>
document.title = "Ready";
document.getElementById("app").innerHTML = "<h1>Drawn</h1><a href='/story'>Read on</a>";
</script></body></html>"""


@needs_browser
def test_a_site_drawn_by_javascript_is_crawled(crawl, portal):
    portal.put("/", SCRIPTED)
    portal.put("/story", SCRIPTED.replace("/story", "/moved"))
    portal.redirect("/moved", "/end")
    portal.put("/end", SCRIPTED)
    done = crawl.run(portal.url, render=1)
    assert done.returncode == 0, done.stderr
    assert crawl.paths(portal.url) == {"/", "/story", "/end"}
    assert all("<h1>Drawn</h1>" in row.html for row in crawl.rows().values())


STYLED = """<html><head><link rel=stylesheet href=/look.css><title>Look</title></head><body>
<template><p>No part of the page</p></template><div id=app></div><script>
document.getElementById("app").innerHTML = "<h1>Drawn</h1><p>One <b>two</b></p><p class=gone>Three";
</script></body></html>"""


@needs_browser
def test_visual_blocks_are_stored_with_the_page(crawl, portal):
    portal.put("/", STYLED)
    portal.put("/look.css", "h1 { font-size: 50px } .gone { display: none }", kind="text/css")
    done = crawl.run(portal.url, render=1, visual=1)
    assert done.returncode == 0, done.stderr
    with Store.open(crawl.database) as store:
        site = store.sites.all()[0]
        [row] = store.pages.rows(site)
        blocks = unpack_blocks(store.pages.blocks(row))
    assert site.settings.visual
    assert ATTRIBUTE not in row.html
    tree = build_tree(row.html)
    seen = {tree.text_of(int(blocks.vertex[leaf])): blocks.rows[leaf] for leaf in blocks.leaves}
    assert {*seen} == {"Drawn", "One two"}
    assert seen["Drawn"][FONT] == 50


def test_visual_crawl_requires_render(first_crawl, portal):
    done = first_crawl.run(portal.url, visual=1)
    assert done.returncode == 2
    assert "add render=1" in done.stderr


def test_missing_browser_gives_a_one_line_error(first_crawl, portal):
    done = first_crawl.run(portal.url, "-s", "FLONG_CHROMIUM=/no/such/browser", render=1)
    assert done.returncode == 2
    assert "none was found at '/no/such/browser'" in done.stderr
    assert not first_crawl.path.exists()


def test_missing_extra_names_the_pip_command(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadArgument, match=r"pip install 'flong\[render\]'"):
        browser_settings()
