"""Findings: seen, muted and reopened by kind and subject."""

import json

import pytest

from flong import findings
from flong.findings import Finding
from flong.inspector import Editor, Jobs, create_app
from flong.stages.report import NightReport
from flong.states import FindingKind, FindingState
from flong.storage import Store
from tests.inspector.conftest import asking

SITE = "paper.example"
WALL = Finding(kind=FindingKind.WALL, site=SITE, counts={"pages": 12})
UNMET = Finding(
    kind=FindingKind.CORRECTION_UNMET, site=SITE, subject="http://a/", detail="title is"
)


def night(store, *found):
    """Store a night with findings."""
    site = store.sites.add(f"https://{SITE}/")
    store.runs.finish(store.runs.start(site, "crawl"), "done")
    run = store.runs.start(site, "nightly")
    report = NightReport(site=SITE, run=run.id, findings=found)
    store.nights.save_report(run, report.to_json(), needs_attention=report.needs_attention)
    store.runs.finish(run, "done")


@pytest.fixture
def edited(new_database, dialect):
    url = new_database(dialect)
    with Store.open(url) as store, Store.open(url) as writable:
        editor = Editor(store=writable, jobs=Jobs())
        with asking(create_app(store, editor=editor)) as client:
            client.headers["authorization"] = f"Bearer {editor.token}"
            yield client, writable


def shown(client):
    return {each["kind"]: each["state"] for each in client.get("/night.json").json()["findings"]}


def form_of(client, kind, state):
    found = client.get("/night.json").json()["findings"]
    [finding] = [each for each in found if each["kind"] == kind]
    return {name: finding[name] for name in ("site", "kind", "subject", "said_at")} | {
        "state": state
    }


def mark(client, kind, state):
    answer = client.post("/night/finding", data=form_of(client, kind, state))
    assert (answer.status_code, answer.headers["location"]) == (303, "/night")


def test_seen_finding_is_hidden_and_can_be_reopened(edited):
    client, store = edited
    night(store, WALL, UNMET)
    assert shown(client) == {"wall": None, "correction_unmet": None}
    mark(client, "wall", "seen")
    mark(client, "correction_unmet", "muted")
    assert shown(client) == {"wall": "seen", "correction_unmet": "muted"}
    view = client.get("/night").text
    assert "Seen and muted (2)" in view
    assert "Nothing else needs attention" in view
    assert "needs attention</span>" not in client.get("/sites").text
    mark(client, "correction_unmet", "")
    assert shown(client) == {"wall": "seen", "correction_unmet": None}
    assert "needs attention</span>" in client.get("/sites").text


def test_later_night_reopens_seen_findings_only(edited):
    client, store = edited
    site = store.sites.add(f"https://{SITE}/")
    store.nights.mute(site, WALL, "2020-01-01T00:00:00Z", FindingState.SEEN)
    store.nights.mute(site, UNMET, "2020-01-01T00:00:00Z", FindingState.MUTED)
    night(store, Finding(kind=FindingKind.WALL, site=SITE, counts={"pages": 7}), UNMET)
    assert shown(client) == {"wall": None, "correction_unmet": "muted"}
    mark(client, "wall", "seen")
    assert shown(client) == {"wall": "seen", "correction_unmet": "muted"}


def test_another_subject_is_not_muted(edited):
    client, store = edited
    site = store.sites.add(f"https://{SITE}/")
    other = Finding(kind=FindingKind.CORRECTION_UNMET, site=SITE, subject="http://b/")
    store.nights.mute(site, other, "2020-01-01T00:00:00Z", FindingState.MUTED)
    night(store, UNMET)
    assert shown(client) == {"correction_unmet": None}


def test_rewording_every_sentence_changes_no_row_and_no_muting(edited, monkeypatch):
    client, store = edited
    night(store, WALL, UNMET)
    mark(client, "wall", "muted")

    def state():
        tables = ("reports", "muted_findings", "runs")
        with store.reading() as connection:
            rows = [connection.exec_driver_sql(f"SELECT * FROM {t}").all() for t in tables]  # noqa: S608
        return rows, shown(client)

    before, worded = state(), client.get("/night").text
    monkeypatch.setattr(findings, "SENTENCES", dict.fromkeys(FindingKind, "Other words."))
    assert client.get("/night").text != worded
    assert state() == before
    mark(client, "wall", "")
    mark(client, "wall", "muted")
    assert state() == before


def test_invalid_form_is_refused(edited):
    client, store = edited
    night(store, WALL)
    form = form_of(client, "wall", "odd")
    assert client.post("/night/finding", data=form).status_code == 422
    form |= {"site": "no.example", "state": "seen"}
    assert client.post("/night/finding", data=form).status_code == 404


def test_without_the_token_there_are_no_buttons(edited):
    client, store = edited
    night(store, WALL)
    assert "Mute" in client.get("/night").text
    del client.headers["authorization"]
    assert "Mute" not in client.get("/night").text


def test_marking_a_finding_returns_to_the_same_view(edited):
    client, store = edited
    night(store, WALL)
    form = form_of(client, "wall", "seen")
    answer = client.post("/night/finding", data=form | {"day": "2026-05-01", "only": SITE})
    assert answer.headers["location"] == f"/night?day=2026-05-01&site={SITE}"


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_has_a_sentence_and_is_read_back_from_json(kind):
    class Any(dict):
        def __missing__(self, name):
            return 1

    assert findings.SENTENCES[kind].format_map(Any())
    found = Finding(kind=kind, site=SITE, subject="x", counts={"a": 0.5}, detail="y")
    assert Finding.from_json(json.loads(json.dumps(found.to_json()))) == found
