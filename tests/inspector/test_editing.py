"""Authorization of changes, and jobs."""

import signal

import httpx
import pytest
from lxml import html as markup

from flong.demo import Portal, serve
from flong.inspector import CommandState, Editor, Jobs, create_app
from flong.page import Page
from flong.storage import Store
from tests.inspector.conftest import asking
from tests.inspector.test_command import inspect
from tests.waiting import HANG_SECONDS, wait_until

SITE = "paper.example"
PAUSE = f"/sites/{SITE}/pause"


@pytest.fixture
def edited(new_database, dialect):
    """Client, editor and store of a database with a site."""
    url = new_database(dialect)
    with Store.open(url) as store, Store.open(url) as writable:
        writable.sites.add(f"https://{SITE}/")
        editor = Editor(store=writable, jobs=Jobs())
        with asking(create_app(store, editor=editor)) as client:
            yield client, editor, writable


def is_paused(store):
    return store.sites.find(SITE).paused


def enter(client, editor):
    return client.get("/sites", params={"token": editor.token, "x": "1"})


def test_token_becomes_a_cookie_and_leaves_the_url(edited):
    client, editor, store = edited
    answer = enter(client, editor)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sites?x=1")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert client.post(PAUSE).status_code == 303
    assert is_paused(store)
    assert client.post(PAUSE.replace("pause", "resume")).status_code == 303
    assert not is_paused(store)


def test_program_gives_the_token_as_a_header(edited):
    client, editor, store = edited
    headers = {"authorization": f"Bearer {editor.token}"}
    assert client.post(PAUSE, headers=headers).status_code == 303
    assert is_paused(store)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://localhost"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_pages_of_another_origin_change_nothing(edited, headers):
    client, editor, store = edited
    enter(client, editor)
    answer = client.post(PAUSE, headers=headers)
    assert (answer.status_code, "another origin" in answer.text) == (403, True)
    assert not is_paused(store)


def test_rebound_host_changes_nothing(edited):
    client, editor, store = edited
    headers = {"authorization": f"Bearer {editor.token}"}
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example"):
        rebound = headers | {"host": host, "origin": f"http://{host}"}
        assert client.post(PAUSE, headers=rebound).status_code == 400
    assert not is_paused(store)


@pytest.mark.parametrize("token", ["", "wrong", "é"])
def test_wrong_token_changes_nothing(edited, token):
    client, _, store = edited
    assert "set-cookie" not in client.get("/sites", params={"token": token}).headers
    headers = {"authorization": f"Bearer {token}".strip().encode()}
    answer = client.post(PAUSE, headers=headers)
    assert (answer.status_code, "--edit" in answer.text) == (403, True)
    assert not is_paused(store)


def test_no_get_changes_anything(edited):
    client, editor, store = edited
    enter(client, editor)
    assert client.get(PAUSE).status_code in (404, 405)
    assert not is_paused(store)


def test_errors_keep_the_view_of_editors(edited):
    client, editor, _ = edited
    headers = {"authorization": f"Bearer {editor.token}", "accept": "text/html"}
    for path, status in ((PAUSE, 405), ("/pages/9", 404)):
        shown = client.get(path, headers=headers)
        assert shown.status_code == status
        assert "Changes made here are stored." in shown.text


def test_redirect_after_the_token_stays_here(edited):
    client, editor, _ = edited
    for path in ("//evil.example/", "/\\evil.example"):
        answer = client.get(f"{client.base_url}{path}?token={editor.token}")
        assert answer.headers["location"].startswith("/evil.example")


def test_inspector_is_read_only_by_default(client):
    answer = client.post("/sites/courier.example/pause")
    assert (answer.status_code, "--edit" in answer.text) == (403, True)
    assert "csrf" not in client.get("/sites/courier.example").text
    assert 'method="post"' not in client.get("/sites/courier.example").text


def test_command_prints_a_url_with_a_token(new_database):
    url = new_database("sqlite")
    with Store.open(url) as store:
        store.sites.add(f"https://{SITE}/")
    with inspect(url, "--port", "0", "--edit") as process:
        said = process.stdout.readline()
        address = next(word for word in said.split() if word.startswith("http"))
        with httpx.Client(timeout=HANG_SECONDS, follow_redirects=True) as client:
            shown = client.get(address)
            assert "Changes made here are stored" in shown.text
            assert "token" not in str(shown.url)
            home = address.partition("?")[0]
            assert client.post(home.rstrip("/") + PAUSE).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    with Store.open(url) as store:
        assert is_paused(store)


def over(jobs, site):
    """Return the jobs of a site when all have ended."""
    wait_until(lambda: all(job.is_over for job in jobs.of(site)))
    return jobs.of(site)


def test_jobs_run_in_order_and_report_their_states(new_database):
    url = new_database("sqlite")
    with Store.open(url) as store:
        store.sites.add(f"https://{SITE}/")
    jobs = Jobs(["-s", f"FLONG_DATABASE={url}"])
    jobs.submit(SITE, "list", [("sites",), ("sites", "pause", SITE)])
    jobs.submit(SITE, "learn", [("learn", SITE), ("sites", "resume", SITE)])
    learned, listed = over(jobs, SITE)
    assert (listed.state, learned.state) == (CommandState.DONE, CommandState.FAILED)
    assert "crawl it first" in learned.said[-1]
    with Store.open(url) as store:
        assert is_paused(store), "nothing is done after what failed"
    jobs.close()


def test_stopped_job_keeps_its_pages_and_the_next_starts(new_database):
    url = new_database("sqlite")
    options = ["-s", f"FLONG_DATABASE={url}", "-s", "DOWNLOAD_DELAY=0.3"]
    with serve(Portal(articles=40)) as site, Store.open(url) as store:
        store.sites.add(f"https://{SITE}/")
        name = store.sites.add(site.url).name
        jobs = Jobs(options)
        jobs.submit(name, "crawl", [("crawl", "site", "-a", f"url={site.url}"), ("learn", name)])
        jobs.submit(name, "learn", [("learn", name)])
        jobs.submit(SITE, "pause", [("sites", "pause", SITE)])
        wait_until(lambda: store.overview.figures(store.sites.find(name)).pages)
        jobs.stop(name)
        jobs.stop(name)
        assert [job.state for job in over(jobs, name)] == [CommandState.STOPPED] * 2
        assert [job.state for job in over(jobs, SITE)] == [CommandState.DONE]
        jobs.close()
        assert 0 < store.overview.figures(store.sites.find(name)).pages < 60
        assert store.runs.all(store.sites.find(name))[0].status == "interrupted"


def test_waiting_jobs_are_never_dropped(new_database):
    url = new_database("sqlite")
    Store.open(url).close()
    jobs = Jobs(["-s", f"FLONG_DATABASE={url}"])
    jobs.submit("first.example", "list", [("sites",)])
    for number in range(60):
        jobs.submit(f"{number}.example", "list", [] if number else [("sites",)])
    for number in (0, 59):
        assert [job.state for job in over(jobs, f"{number}.example")] == [CommandState.DONE]
    jobs.close()


def test_crawled_site_can_be_learned_with_a_button(edited):
    client, editor, store = edited
    headers = {"authorization": f"Bearer {editor.token}"}
    site = store.sites.find(SITE)
    page = Page(url=site.url, html="<p>News", fetched_at=site.created_at)
    store.pages.save(site, store.runs.start(site, "crawl"), [page])
    document = markup.fromstring(client.get(f"/sites/{SITE}", headers=headers).text)
    [form] = document.xpath("//form[@action='/sites/paper.example/learn']")
    answer = client.post(form.get("action"), headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/sites/{SITE}")
    assert len(editor.jobs.of(SITE)) == 1
    editor.jobs.stop(SITE)
