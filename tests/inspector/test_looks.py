"""What needs a look is seen, muted, and brought back."""

import pytest

from flong.inspector import Editor, Jobs, create_app
from flong.states import LookState
from flong.storage import Store
from tests.inspector.conftest import asking

SITE = "paper.example"
WALL = "12 pages of paper.example showed one and the same text."
DRIFT = "Pattern 3 drifted."


def night(store, *sentences):
    """Let there be a night that says something; return when it began."""
    site = store.sites.add(f"https://{SITE}/")
    store.runs.finish(store.runs.start(site, "crawl"), "done")
    run = store.runs.start(site, "nightly")
    said = ", ".join(f'"{sentence}"' for sentence in sentences)
    store.reports.save(run, f'{{"look": [{said}]}}', needs_look=True)
    store.runs.finish(run, "done")
    return run.started_at.isoformat().replace("+00:00", "Z")


@pytest.fixture
def edited(databases, dialect):
    url = databases(dialect).create()
    with Store.open(url) as store, Store.open(url) as writable:
        editor = Editor(store=writable, jobs=Jobs())
        with asking(create_app(store, editor=editor)) as client:
            client.headers["authorization"] = f"Bearer {editor.token}"
            yield client, writable


def shown(client):
    return {look["sentence"]: look["state"] for look in client.get("/night.json").json()["looks"]}


def mark(client, sentence, state):
    [look] = [
        each for each in client.get("/night.json").json()["looks"] if each["sentence"] == sentence
    ]
    form = {"site": SITE, "sentence": sentence, "said_at": look["said_at"], "state": state}
    answer = client.post("/night/look", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/night")


def test_what_was_seen_is_folded_away_and_can_be_brought_back(edited):
    client, store = edited
    night(store, WALL, DRIFT)
    assert shown(client) == {WALL: None, DRIFT: None}
    mark(client, WALL, "seen")
    mark(client, DRIFT, "muted")
    assert shown(client) == {WALL: "seen", DRIFT: "muted"}
    view = client.get("/night").text
    assert "Seen and muted (2)" in view
    assert "Nothing else needs a look" in view
    assert "needs a look</span>" not in client.get("/sites").text
    mark(client, DRIFT, "")
    assert shown(client) == {WALL: "seen", DRIFT: None}
    assert "needs a look</span>" in client.get("/sites").text


def test_a_later_night_that_says_so_again_is_news_unless_it_is_muted(edited):
    client, store = edited
    site = store.sites.add(f"https://{SITE}/")
    store.look_states.mark(site, WALL, "2020-01-01T00:00:00Z", LookState.SEEN)
    store.look_states.mark(site, DRIFT, "2020-01-01T00:00:00Z", LookState.MUTED)
    other = WALL.replace("12", "7")
    night(store, other, DRIFT)
    assert shown(client) == {other: None, DRIFT: "muted"}
    mark(client, other, "seen")
    assert shown(client) == {other: "seen", DRIFT: "muted"}


def test_a_form_that_says_nothing_is_refused(edited):
    client, store = edited
    night(store, WALL)
    answer = client.post("/night/look", data={"site": SITE, "sentence": WALL, "state": "odd"})
    assert answer.status_code == 422
    form = {"site": "no.example", "sentence": WALL, "said_at": "x", "state": "seen"}
    assert client.post("/night/look", data=form).status_code == 404


def test_without_the_token_there_are_no_buttons(edited):
    client, store = edited
    night(store, WALL)
    assert "Mute" in client.get("/night").text
    del client.headers["authorization"]
    assert "Mute" not in client.get("/night").text


def test_after_a_mark_one_sees_the_same_site_and_night(edited):
    client, store = edited
    night(store, WALL)
    [look] = client.get(f"/night.json?site={SITE}").json()["looks"]
    form = {"site": SITE, "sentence": WALL, "said_at": look["said_at"], "state": "seen"}
    answer = client.post("/night/look", data=form | {"day": "2026-05-01", "only": SITE})
    assert answer.headers["location"] == f"/night?day=2026-05-01&site={SITE}"
