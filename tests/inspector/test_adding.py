"""Adding, watching, changing, running and removing a site in a browser."""

import json
from contextlib import contextmanager
from threading import Event
from urllib.parse import quote, urlsplit

import httpx
import pytest

from flong.demo import Portal, serve
from tests.inspector.conftest import finish_jobs
from tests.inspector.test_correcting import editing
from tests.waiting import HANG_SECONDS

FAST = ("FLONG_LEARN=1", "DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0")


@pytest.fixture(scope="module")
def site():
    with serve(GatedPortal(Portal(articles=24))) as serving:
        yield serving


class GatedPortal:
    """A portal that answers when its gate is open, so that a crawl begins when a test is ready."""

    def __init__(self, portal):
        self.portal, self.gate = portal, Event()

    def get(self, *request):
        self.gate.wait(HANG_SECONDS)
        return self.portal.get(*request)


@pytest.fixture(scope="module")
def room(browser, new_database):
    """An empty database, served to a browser that has the token."""
    with editing(new_database("sqlite"), *FAST) as (address, editor, store):
        context = browser.new_context(base_url=address, viewport={"width": 1300, "height": 900})
        tab = context.new_page()
        tab.goto(f"/sites?token={editor.token}")
        yield tab, editor, store
        context.close()


@contextmanager
def leaving(tab):
    """Wait until the click in the block has brought another document."""
    tab.evaluate("document.documentElement.dataset.left = ''")
    yield
    tab.locator("html:not([data-left]) main").wait_for()
    tab.wait_for_load_state()


def test_site_is_added_watched_changed_run_and_removed(room, site):
    tab, editor, store = room
    name = urlsplit(site.url).netloc
    tab.get_by_label("Add a site by its URL").fill(site.url)
    tab.get_by_role("button", name="Add and watch").click()
    tab.wait_for_url(f"**/sites/{quote(name, safe='')}")

    # Counts and first articles appear live, and the page reloads at the end.
    tab.locator(".live").wait_for()
    told = follow(tab, editor, name, site.portal.gate)
    assert [each["over"] for each in told] == [False] * (len(told) - 1) + [True]
    pages = [each["figures"]["pages"] for each in told]
    assert pages == sorted(pages)
    assert len(set(pages)) > 1
    assert told[-1]["figures"]["articles"] > 10
    assert told[-1]["figures"]["templates"] > 1
    assert len(told[-1]["titles"]) == 5
    assert finish_jobs(tab, editor.jobs, name) == ["done"]
    tab.locator("#templates").wait_for()
    assert store.articles.count(store.sites.find(name)) == told[-1]["figures"]["articles"]

    change(tab, editor, store, name)
    remove(tab, store, name)


def follow(tab, editor, name, gate):
    """Open the gate after the first event of a site; return all events."""
    headers = {"authorization": f"Bearer {editor.token}"}
    url = f"{tab.url.partition('/sites')[0]}/sites/{name}/live"
    told = []
    with httpx.stream("GET", url, headers=headers, timeout=HANG_SECONDS) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in filter(None, answer.iter_lines()):
            told.append(json.loads(line.removeprefix("data: ")))
            gate.set()
    return told


def change(tab, editor, store, name):
    """Pause, resume, change and run a site."""
    tab.get_by_role("button", name="Pause").click()
    tab.get_by_text("paused", exact=True).wait_for()
    assert store.sites.find(name).paused
    tab.get_by_role("button", name="Resume").click()
    tab.get_by_role("button", name="Pause").wait_for()
    tab.get_by_text("Settings", exact=True).click()
    tab.get_by_label("Pages at most").fill("30")
    tab.get_by_label("No URLs with").fill("/sport/")
    with leaving(tab):
        tab.get_by_role("button", name="Save").click()
    settings = store.sites.find(name).settings
    assert (settings.max_pages, settings.exclude, settings.render) == (30, "/sport/", False)
    with leaving(tab):
        tab.get_by_role("button", name="Run now").click()
    assert finish_jobs(tab, editor.jobs, name)[0] in ("done", "needs attention")
    assert "nightly" in [run.kind for run in store.runs.all(store.sites.find(name))]


def remove(tab, store, name):
    tab.goto(f"/sites/{name}")
    tab.get_by_role("link", name="Remove").click()
    tab.get_by_role("link", name="Keep it").click()
    assert store.sites.find(name)
    tab.get_by_role("link", name="Remove").click()
    tab.get_by_role("button", name="Remove it for good").click()
    tab.get_by_role("heading", name="No site yet").wait_for()
    assert store.sites.all() == []


@pytest.mark.parametrize(
    ("path", "form", "said"),
    [
        ("/sites", {"url": "ftp://news.example"}, "is not the http"),
        ("/sites", {"url": "https://"}, "is not the http"),
        ("/sites", {"url": "two words"}, "is not the http"),
        ("/sites", {"url": "https://me:secret@paper.example/"}, "name and password"),
        ("/sites", {}, "is not valid"),
        ("/sites/paper.example/settings", {"exclude": "("}, "not a regular expression"),
        ("/sites/paper.example/settings", {"depth": "99"}, "is not valid"),
    ],
)
def test_impossible_change_has_a_message(room, path, form, said):
    tab, _, store = room
    store.sites.add("https://paper.example/")
    answer = tab.request.post(path, form=form)
    assert (answer.status, said in answer.text()) == (422, True), answer.text()
    store.sites.remove(store.sites.find("paper.example"))


def test_failed_site_shows_the_reason_and_can_be_replaced(room, site):
    tab, editor, store = room
    site.portal.gate.set()
    name = urlsplit(site.url).netloc
    for url in (f"https://{name}", f"{site.url}/"):
        tab.goto("/sites")
        tab.get_by_label("Add a site by its URL").fill(url)
        tab.get_by_label("Pages at most").fill("3")
        tab.get_by_role("button", name="Add and watch").click()
        tab.wait_for_url(f"**/sites/{quote(name, safe='')}")
        finish_jobs(tab, editor.jobs, name)
        assert store.sites.find(name).url == url
        tab.goto(f"/sites/{name}")
        failed = tab.get_by_text("could not be crawled").is_visible()
        assert failed == (url != f"{site.url}/"), tab.locator("main").inner_text()
        advised = tab.get_by_role("heading", name="No page yet").is_visible()
        assert advised == failed
    # A site with pages is shown unchanged.
    answer = tab.request.post("/sites", form={"url": f"https://{name}"}, max_redirects=0)
    assert answer.status == 303
    assert store.sites.find(name).url == f"{site.url}/"
    store.sites.remove(store.sites.find(name))


def test_too_large_form_is_refused(room):
    assert room[0].request.post("/sites", form={"url": "x" * 100_000}).status == 413
