"""View of the latest round of a fleet."""

import pytest

from flong.inspector import create_app
from flong.states import JobKind, JobState
from flong.storage import PlannedJob, Store
from flong.storage.fleet import Fleet
from tests.inspector.conftest import asking


@pytest.fixture
def store(databases, new_database, dialect):
    url = new_database(dialect)
    with Store.open(url) as opened:
        yield opened
    databases(dialect).drop(url)


def queue(store):
    sites = [store.sites.add(f"https://{name}.example/") for name in ("good", "bad")]
    planned = [
        PlannedJob(
            site_id=site.id, host="", priority=1, due_at=site.created_at, expected_seconds=60
        )
        for site in sites
    ]
    found, _ = Fleet(store).queue(JobKind.NIGHTLY, "2026-05-01", "0.1.0", planned)
    good, bad = sorted(Fleet(store).jobs(found), key=lambda job: job.site_id)
    Fleet(store).begin(good, "night-1:7")
    Fleet(store).end(bad, JobState.FAILED, None, "<b>down</b>")


def test_running_and_failed_jobs_are_shown(store):
    queue(store)
    with asking(create_app(store)) as client:
        view = client.get("/fleet.json").json()
        page = client.get("/fleet").text
        metrics = client.get("/metrics").text
    assert view["counts"] == {"waiting": 0, "running": 1, "done": 0, "failed": 1, "set_aside": 0}
    assert [(job["site"], job["worker"]) for job in view["running"]] == [
        ("good.example", "night-1:7")
    ]
    assert "&lt;b&gt;down&lt;/b&gt;" in page
    assert 'flong_fleet_sites{kind="nightly",round="2026-05-01",state="failed"} 1' in metrics


def test_fleet_without_rounds_gives_instructions(store):
    with asking(create_app(store)) as client:
        assert "flong fleet night" in client.get("/fleet").text
        assert client.get("/fleet.json").json() is None
        assert "flong_fleet" not in client.get("/metrics").text
