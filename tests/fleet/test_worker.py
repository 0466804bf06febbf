"""Workers that are killed, stopped or too old: every site still gets one nightly run."""

import json
import re
import signal
import threading

from werkzeug import Response

from flong.demo import Portal, serve
from flong.fleet import queue_round
from flong.program import VERSION
from flong.states import JobKind, JobState, RunStatus
from flong.storage import PlannedJob, SiteSettings, Store
from flong.storage.fleet import Fleet
from tests.conftest import lacking
from tests.databases import find_postgresql, restart_postgresql, run_postgresql
from tests.fleet.conftest import QUICK, Machines
from tests.waiting import HANG_SECONDS, wait_until

FEW = SiteSettings(depth=1, max_pages=12)
SLOW = SiteSettings(depth=1, max_pages=12, delay=1.0)
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")


def crawling(store, site):
    """Return True if pages of a site are being stored."""
    runs = store.runs.all(site)
    return any(run.kind == "crawl" for run in runs) and len(store.pages.urls(site)) > 1


def nights(store, site):
    return [run.status for run in store.runs.all(site) if run.kind == "nightly"]


def test_every_site_has_one_night_despite_dead_workers(machines, store, make_httpserver):
    """One worker is killed in the middle of a crawl, the next one is stopped."""
    make_httpserver.expect_request("/hook").respond_with_data("thanks")
    make_httpserver.clear()
    machines.settings["FLONG_WEBHOOK"] = make_httpserver.url_for("/hook")
    with serve(Portal(articles=10)) as slow, serve(Portal(articles=10, seed=2)) as quick:
        first = store.sites.add(slow.url, SLOW)
        second = store.sites.add(quick.url, FEW)
        store.sites.set_importance(first, 1)
        for said in ("2 sites are queued.", "0 sites are queued, 2 already were."):
            assert said in queue_round(store, JobKind.NIGHTLY, store.sites.all(), 0)
        with machines.worker("one", "--jobs", "2", *AT_ONCE) as worker:
            wait_until(lambda: crawling(store, first), worker)
            # Both are on one host: the other one waits.
            assert machines.states(store) == {first.name: "running", second.name: "waiting"}
            worker.kill()
            worker.wait()
        stopping = machines.worker("two", *AT_ONCE, FLONG_FLEET_GRACE_SECONDS="0")
        with stopping as worker:
            found = Fleet(store).latest_round()
            wait_until(lambda: Fleet(store).jobs(found)[0].worker.startswith("two:"), worker)
            wait_until(lambda: nights(store, first) == [RunStatus.RUNNING], worker)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait() == 0, worker.stderr.read()
        assert machines.states(store)[first.name] == "waiting"
        with machines.worker("three", "--drain", "--jobs", "2", *AT_ONCE) as worker:
            assert worker.wait() == 0, worker.stderr.read()
    assert machines.states(store) == {first.name: "done", second.name: "done"}
    assert nights(store, first) == nights(store, second) == [RunStatus.DONE]
    assert store.articles.count(first) > 0
    ((posted, _),) = make_httpserver.log
    (report,) = json.loads(posted.data)["reports"]
    assert (report["sites"], report["done"]) == (2, 2)


def test_night_survives_a_database_restart():
    programs = find_postgresql() or lacking("PostgreSQL or its driver")
    with run_postgresql(programs) as server, serve(Portal(articles=10)) as portal:
        machines = Machines(server.create(), {**QUICK})
        with Store.open(machines.url) as store:
            site = store.sites.add(portal.url, SLOW)
            queue_round(store, JobKind.NIGHTLY, [site], 0)
            with machines.worker("one", "--drain", *AT_ONCE) as worker:
                wait_until(lambda: crawling(store, site), worker)
                restart_postgresql(machines.url, programs)
                said = worker.communicate()[1]
                assert worker.returncode == 0, said
                assert "Traceback" not in said
            assert machines.states(store) == {site.name: "done"}
            assert nights(store, site) == [RunStatus.DONE]
            assert store.articles.count(site) > 0


def test_report_is_sent_even_if_its_worker_is_killed(machines, store, httpserver):
    """The webhook answers the first request only after the worker is gone."""
    gone, posted = threading.Event(), []

    def hook(request):
        posted.append(json.loads(request.data))
        gone.wait(HANG_SECONDS)
        return Response("thanks")

    httpserver.expect_request("/hook").respond_with_handler(hook)
    machines.settings["FLONG_WEBHOOK"] = httpserver.url_for("/hook")
    site = store.sites.add("http://127.0.0.1:9/")
    queue_round(store, JobKind.NIGHTLY, [site], 0)
    (job,) = Fleet(store).waiting()
    Fleet(store).end(job, JobState.FAILED, None, "it was down")
    with machines.worker("one") as worker:
        wait_until(lambda: posted, worker)
        assert Fleet(store).unreported() == []
    # The posting process ends shortly after its worker: do not answer until then.
    wait_until(Fleet(store).unreported)
    gone.set()
    with machines.worker("two", "--drain") as worker:
        assert worker.wait() == 0, worker.stderr.read()
    assert Fleet(store).unreported() == []
    assert len(posted) == 2
    assert posted[0] == posted[1]


def test_stage_runs_for_all_sites_and_failures_are_retried(machines, store):
    """A site without pages cannot be learned."""
    site = store.sites.add("https://empty.example/")
    assert "learn" in queue_round(store, JobKind.LEARN, [site], 0)
    with machines.worker("one", "--drain") as worker:
        assert worker.wait() == 0, worker.stderr.read()
    (job,) = Fleet(store).jobs(Fleet(store).latest_round())
    assert (job.state, job.attempts) == (JobState.FAILED, 3)
    assert "empty.example" in job.note
    assert not store.sites.find(site.name).paused


def test_site_is_suspended_after_three_failed_nights(machines, store):
    """No server listens at its URL."""
    site = store.sites.add("http://127.0.0.1:9/")
    planned = [
        PlannedJob(
            site_id=site.id,
            host="127.0.0.1",
            priority=1,
            due_at=site.created_at,
            expected_seconds=1,
        )
    ]
    for day in ("2026-05-01", "2026-05-02"):
        found, _ = Fleet(store).queue(JobKind.NIGHTLY, day, VERSION, planned)
        (job,) = Fleet(store).jobs(found)
        Fleet(store).end(job, JobState.FAILED, None, "it was down")
    queue_round(store, JobKind.NIGHTLY, [site], 0)
    with machines.worker("one", "--drain", "-s", "RETRY_TIMES=0", *AT_ONCE) as worker:
        assert worker.wait() == 0, worker.stderr.read()
    (job,) = Fleet(store).jobs(Fleet(store).latest_round())
    assert job.state is JobState.SET_ASIDE
    assert job.note.startswith("Failed 3 nights: ")
    assert job.note.endswith(f"scrapy sites resume {site.name}")
    assert store.sites.find(site.name).paused
    assert job.attempts == 3
    assert nights(store, site) == [RunStatus.DONE] * 3


def test_second_attempt_visits_a_recovered_site(machines, store, httpserver):
    answers = [Response("down", 503), Response("down", 503)]  # robots.txt, twice

    def respond(request):
        return answers.pop() if answers else Response("<p>Back.", content_type="text/html")

    httpserver.expect_request(re.compile(".*")).respond_with_handler(respond)
    site = store.sites.add(httpserver.url_for("/"))
    queue_round(store, JobKind.NIGHTLY, [site], 0)
    with machines.worker("one", "--drain", "-s", "RETRY_TIMES=1", *AT_ONCE) as worker:
        assert worker.wait() == 0, worker.stderr.read()
    (job,) = Fleet(store).jobs(Fleet(store).latest_round())
    assert (job.state, job.attempts) == (JobState.DONE, 1)
    assert len(nights(store, site)) == 2


def test_site_that_is_paused_after_queueing_is_not_visited(machines, store):
    site = store.sites.add("http://127.0.0.1:9/")
    queue_round(store, JobKind.NIGHTLY, [site], 0)
    store.sites.set_paused(site, True)
    with machines.worker("one", "--drain") as worker:
        assert worker.wait() == 0, worker.stderr.read()
    (job,) = Fleet(store).jobs(Fleet(store).latest_round())
    assert (job.state, job.attempts) == (JobState.SET_ASIDE, 0)
    assert job.note == f"The site is paused. Run: scrapy sites resume {site.name}"
    assert nights(store, site) == []


def test_outdated_worker_leaves_jobs_to_others(machines, store):
    site = store.sites.add("http://127.0.0.1:9/")
    queue_round(store, JobKind.NIGHTLY, [site], 0)
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE fleet_rounds SET version = '99.0'")
    with machines.worker("one") as worker:
        assert worker.wait() == 1
        said = worker.stderr.read()
    assert f"flong: flong 99.0 queued the jobs, but this worker runs {VERSION}. Update it" in said
    assert nights(store, site) == []
    assert machines.states(store) == {site.name: "waiting"}


def test_worker_notices_a_schema_change(machines, store):
    site = store.sites.add("http://127.0.0.1:9/")
    with machines.worker("one") as worker:
        wait_until(lambda: listens(store), worker)
        with store.writing() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        queue_round(store, JobKind.NIGHTLY, [site], 0)
        assert worker.wait() == 1
        assert "flong: The schema is a newer one, but this worker runs" in worker.stderr.read()
    assert nights(store, site) == []
    assert machines.states(store) == {site.name: "waiting"}


def listens(store):
    """Return True if a worker waits for jobs."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%'"
    with store.reading() as connection:
        return connection.exec_driver_sql(query).scalar() > 0
