import shutil

import pytest

from crawler import BadArgument, browser_settings
from crawler.rendering import BROWSERS

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


def test_a_missing_browser_is_told_in_a_sentence(first_crawl, portal):
    done = first_crawl.run(portal.url, "-s", "FLONG_CHROMIUM=/no/such/browser", render=1)
    assert done.returncode == 2
    assert "there is none at '/no/such/browser'" in done.stderr
    assert not first_crawl.path.exists()


def test_a_missing_extra_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadArgument, match=r"pip install 'flong\[render\]'"):
        browser_settings()
