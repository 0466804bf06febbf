"""Error messages of the fleet command."""

import pytest

from flong.states import JobKind, JobState
from flong.storage import PlannedJob
from flong.storage.fleet import Fleet


@pytest.mark.parametrize("verb", ["night", "work", "status", "report"])
def test_fleet_on_sqlite_is_refused(scrapy, new_database, verb):
    done = scrapy("fleet", verb, FLONG_DATABASE=new_database("sqlite"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("flong: A fleet needs PostgreSQL, and FLONG_DATABASE is sqlite")
    assert len(done.stderr.splitlines()) == 1


def test_unreachable_server_is_named(scrapy):
    url = "postgresql+psycopg://me:secret@127.0.0.1:9/flong"
    done = scrapy("fleet", "work", FLONG_DATABASE=url)
    assert done.returncode == 1
    assert done.stderr.startswith("flong: The database postgresql+psycopg://***@127.0.0.1:9/flong")
    assert "secret" not in done.stderr


def test_status_before_anything_is_queued(scrapy, machines, store):
    done = scrapy("fleet", "status", FLONG_DATABASE=machines.url)
    assert (done.returncode, done.stderr) == (
        1,
        "flong: Nothing was queued yet. Run: scrapy fleet night\n",
    )
    done = scrapy("fleet", "night", FLONG_DATABASE=machines.url)
    assert done.stderr == "flong: There is no site to visit. Run: scrapy sites add https://...\n"
    done = scrapy("fleet", "run", "nothing", FLONG_DATABASE=machines.url)
    assert done.returncode == 2
    assert "scrapy fleet run learn|extract" in done.stdout + done.stderr


def test_status_and_report_of_a_night(scrapy, machines, store, tmp_path):
    sites = [store.sites.add(f"https://{name}.example/") for name in ("good", "bad", "late")]
    planned = [
        PlannedJob(
            site_id=site.id,
            host=site.name,
            priority=1,
            due_at=site.created_at,
            expected_seconds=60,
        )
        for site in sites
    ]
    found, _ = Fleet(store).queue(JobKind.NIGHTLY, "2026-05-01", "0.1.0", planned)
    good, bad, _ = sorted(Fleet(store).jobs(found), key=lambda job: job.site_id)
    Fleet(store).end(good, JobState.DONE, None)
    Fleet(store).end(bad, JobState.FAILED, None, "its <server> is down")
    said = scrapy("fleet", "status", "--metrics", FLONG_DATABASE=machines.url).stdout
    labels = 'kind="nightly",round="2026-05-01"'
    for state, number in (("done", 1), ("failed", 1), ("waiting", 1), ("running", 0)):
        assert f'flong_fleet_sites{{{labels},state="{state}"}} {number}\n' in said
    assert "bad.example (failed)" in scrapy("fleet", "status", FLONG_DATABASE=machines.url).stdout
    page = tmp_path / "night.html"
    done = scrapy("fleet", "report", "--html", page, FLONG_DATABASE=machines.url)
    assert done.returncode == 3
    assert "bad.example: its &lt;server&gt; is down" in page.read_text()
