"""Login with a password: sessions, refusals, and the limit on wrong passwords."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from flong.inspector import Editor, Jobs, Login, add_newspaper, add_recipes, create_app
from flong.inspector import hash_password as hash_of
from flong.inspector.login import LIMIT_SECONDS, MAX_WRONG, SESSION_SECONDS, TooManyAttempts
from flong.stages.exports import FORMATS
from flong.storage import Store
from tests.inspector.conftest import asking
from tests.inspector.test_command import ROOT, inspect
from tests.terminals import Terminal
from tests.waiting import HANG_SECONDS

PASSWORD = "rain in the north"  # noqa: S105 - of this test
HASH = hash_of(PASSWORD)
SITE = "paper.example"
PAUSE = f"/sites/{SITE}/pause"
HTML = {"accept": "text/html"}


class Clock:
    """A clock that tests set."""

    time = 1000.0

    def __call__(self):
        return self.time


@contextmanager
def guarded(databases, clock, **options):
    """Client, application and store of an inspector with a login and an editor."""
    url = databases("sqlite").create()
    with Store.open(url) as store, Store.open(url) as writable:
        writable.sites.add(f"https://{SITE}/")
        editor = Editor(store=writable, jobs=Jobs()) if options.get("edit", True) else None
        app = create_app(store, writers=FORMATS, editor=editor, login=Login(HASH, clock))
        add_recipes(app, lambda *_: b"")
        add_newspaper(app, lambda *_: b"")
        with asking(app) as client:
            yield client, app, writable


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def inspector(databases, clock):
    with guarded(databases, clock) as opened:
        yield opened


@pytest.fixture
def client(inspector):
    return inspector[0]


def log_in(client, password=PASSWORD, **headers):
    return client.post("/login", data={"password": password, "to": "/sites?x=1"}, headers=headers)


def is_in(client):
    return client.get("/sites").status_code == 200


def test_password_opens_a_session_that_may_read_and_change(inspector):
    client, _, store = inspector
    asked = client.get("/sites?x=1", headers=HTML)
    assert (asked.status_code, asked.headers["location"]) == (303, "/login?to=%2Fsites%3Fx%3D1")
    assert 'value="/sites?x=1"' in client.get(asked.headers["location"]).text
    answer = log_in(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sites?x=1")
    assert "Changes made here are stored." in client.get("/sites").text
    assert client.post(PAUSE).status_code == 303
    assert store.sites.find(SITE).paused


def test_wrong_password_opens_nothing(client):
    for password in ("", "wrong", PASSWORD.upper(), HASH, "é", "\0"):
        answer = log_in(client, password)
        assert answer.status_code in (400, 403)
        assert "set-cookie" not in answer.headers
    assert not is_in(client)


@pytest.mark.parametrize(("scheme", "is_secure"), [("http", False), ("https", True)])
def test_cookie_is_out_of_reach_for_scripts_and_other_sites(client, scheme, is_secure):
    # A proxy on this machine is believed.
    cookie = log_in(client, **{"x-forwarded-proto": scheme}).headers["set-cookie"]
    flags = {flag.strip() for flag in cookie.split(";")[1:]}
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= flags
    assert ("Secure" in flags) == is_secure


def test_every_route_needs_the_login(inspector):
    client, app, store = inspector
    open_to_all, routes = set(), [route for route in app.routes if hasattr(route, "path")]
    assert {"/night", "/night.json", "/feed.{format}", "/search.pdf", "/docs", "/metrics"} <= {
        route.path for route in routes
    }
    assert "/openapi.json" in {route.path for route in routes}
    for route in routes:
        path = re.sub(r"{name}", SITE, re.sub(r"{\w+_id}", "1", route.path))
        for method in getattr(route, "methods", None) or {"GET"}:
            answer = client.request(method, re.sub(r"{\w+}", "rss", path), headers=HTML)
            to = answer.headers.get("location", "")
            if answer.status_code != 403 and not to.startswith("/login"):
                open_to_all.add((method, path))
    assert open_to_all == {("GET", "/login"), ("GET", "/health")}
    for path in ("/static/script.js", "/static/icon.svg", "//login", "/login/", "/health/", "/x"):
        assert client.get(path).status_code == 403, path
    assert client.get("/static/style.css").status_code == 200
    assert client.head("/night").status_code == 403
    assert not store.sites.find(SITE).paused


def test_login_page_needs_no_other_file(client):
    page = client.get("/login").text
    assert re.findall(r'(?:src|href)="(/[^"]+)"', page) == ["/static/style.css"]


def test_logout_ends_the_session(client):
    log_in(client)
    cookie = dict(client.cookies)
    assert "Log out" in client.get("/sites").text
    assert client.post("/logout").headers["location"] == "/login"
    client.cookies.update(cookie)
    assert not is_in(client)


def test_session_ends_after_hours(client, clock):
    log_in(client)
    clock.time += SESSION_SECONDS - 1
    assert is_in(client)
    clock.time += 1
    assert not is_in(client)


@pytest.mark.parametrize("path", ["/login", "/logout", PAUSE])
@pytest.mark.parametrize(
    "headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}]
)
def test_pages_of_another_origin_neither_enter_nor_leave(inspector, path, headers):
    client, _, store = inspector
    log_in(client)
    answer = client.post(path, data={"password": PASSWORD}, headers=headers)
    assert (answer.status_code, "another origin" in answer.text) == (403, True)
    assert is_in(client)
    assert not store.sites.find(SITE).paused


def test_address_with_many_wrong_passwords_has_to_wait(client, clock):
    guesser = {"x-forwarded-for": "203.0.113.5"}
    for _ in range(MAX_WRONG):
        assert log_in(client, "wrong", **guesser).status_code == 403
    answer = log_in(client, **guesser)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, str(LIMIT_SECONDS))
    assert log_in(client).status_code == 303, "other addresses may enter"
    clock.time += LIMIT_SECONDS
    assert log_in(client, **guesser).status_code == 303


def test_many_addresses_with_wrong_passwords_have_to_wait(monkeypatch, clock):
    monkeypatch.setattr("flong.inspector.login.MAX_WRONG_OF_ALL", 3)
    login = Login(HASH, clock)
    for number in range(3):
        assert login.enter("wrong", f"203.0.113.{number}") is None
    with pytest.raises(TooManyAttempts):
        login.enter(PASSWORD, "203.0.113.9")


@pytest.mark.parametrize("to", ["//evil.example/", "https://evil.example/", "\\evil", "\t/evil"])
def test_login_leads_to_this_inspector_only(client, to):
    shown = client.get("/login", params={"to": to}).text
    (link,) = re.findall(r'<a href="([^"]*)"', shown)
    assert re.match(r"/[a-z]", link)
    answer = client.post("/login", data={"password": PASSWORD, "to": to})
    assert re.match(r"/[a-z]", answer.headers["location"])


def test_reader_with_a_login_changes_nothing(databases, clock):
    with guarded(databases, clock, edit=False) as (client, _, store):
        log_in(client)
        assert "Read-only view" in client.get("/sites").text
        assert client.post(PAUSE).status_code == 403
        assert not store.sites.find(SITE).paused


@pytest.mark.parametrize("hashed", ["secret", "scrypt:1:2", "scrypt:3:8:1:00:00", "md5:2:8:1::"])
def test_what_is_no_hash_is_refused(hashed):
    with pytest.raises(ValueError, match=r"\w"):
        Login(hashed)


def run_inspect(*words, said="", **environment):
    command = [sys.executable, "-m", "scrapy", "inspect", *words]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | environment,
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )


def test_command_refuses_to_edit_beyond_this_machine_without_a_password(databases):
    url = databases("sqlite").create()
    Store.open(url).close()
    done = run_inspect("--edit", "--host", "0.0.0.0", FLONG_DATABASE=url)  # noqa: S104 - the case
    assert done.returncode == 2
    assert "--edit beyond this machine needs a password." in done.stderr
    wrong = run_inspect("--edit", FLONG_DATABASE=url, FLONG_PASSWORD_HASH=PASSWORD)
    assert wrong.returncode == 2
    assert "FLONG_PASSWORD_HASH is not a hash." in wrong.stderr
    assert PASSWORD not in wrong.stderr


def test_command_hashes_a_password_of_twelve_characters():
    assert "at least 12" in run_inspect("--hash-password", said="x" * 11).stderr
    one, other = (run_inspect("--hash-password", said=f"{PASSWORD}\n").stdout for _ in "ab")
    assert one != other
    assert Login(one.strip().removeprefix("FLONG_PASSWORD_HASH=")).enter(PASSWORD, "")


def test_command_asks_twice_for_the_password_and_does_not_show_it():
    terminal = Terminal("inspect", "--hash-password")
    for question, answer in (("Password:", PASSWORD), ("Again:", PASSWORD.upper())):
        terminal.wait_for(lambda question=question: question in terminal.shown)
        terminal.type(f"{answer}\n")
    assert terminal.end() == 2
    assert "The two passwords differ." in terminal.shown
    assert "rain" not in terminal.shown.lower()


def test_command_serves_a_login_under_its_public_name(databases, monkeypatch):
    url = databases("sqlite").create()
    with Store.open(url) as store:
        store.sites.add(f"https://{SITE}/")
    monkeypatch.setenv("FLONG_PASSWORD_HASH", HASH)
    monkeypatch.setenv("FLONG_INSPECTOR", "https://news.example/")
    with inspect(url, "--port", "0", "--edit", "--host", "0.0.0.0") as process:  # noqa: S104 - the case
        said = process.stdout.readline()
        assert "token" not in said
        address = re.search(r"http\S+", said)[0].replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        proxy = {
            "host": "news.example",
            "origin": "https://news.example",
            "x-forwarded-proto": "https",
        }
        with httpx.Client(base_url=address, timeout=HANG_SECONDS) as client:
            answer = log_in(client, **proxy)
            assert answer.status_code == 303
            headers = proxy | {"cookie": answer.headers["set-cookie"].partition(";")[0]}
            assert client.post(PAUSE, headers=headers).status_code == 303
            assert client.get("/sites", headers=proxy | {"host": "x.example"}).status_code == 400
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert "The password is sent unencrypted." in process.stderr.read()
    with Store.open(url) as store:
        assert store.sites.find(SITE).paused
