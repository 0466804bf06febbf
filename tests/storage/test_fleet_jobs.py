from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from flong.states import JobKind, JobState, RunStatus
from flong.storage import FleetError, PlannedJob, RunCounts
from flong.storage.fleet import Fleet

NIGHT = JobKind.NIGHTLY


@pytest.fixture
def queue(store, site):
    """Return a function that queues the site for a night and returns its job."""

    def of(name, *sites):
        planned = [
            PlannedJob(
                site_id=each.id,
                host="example.org",
                priority=1,
                due_at=datetime.now(UTC),
                expected_seconds=1,
            )
            for each in sites or (site,)
        ]
        found, added = Fleet(store).queue(NIGHT, name, "0.1.0", planned)
        return found, added, Fleet(store).jobs(found)

    return of


def test_queueing_a_site_twice_adds_one_job(store, queue):
    first, added, (job,) = queue("2026-05-01")
    Fleet(store).begin(job, "here")
    again, more, jobs = queue("2026-05-01", *store.sites.all())
    assert (first, added, more) == (again, 1, 0)
    assert [(each.id, each.state, each.worker) for each in jobs] == [(job.id, "running", "here")]


def test_only_a_later_successful_run_completes_a_job(store, site, queue):
    before = store.runs.start(site, "nightly")
    store.runs.finish(before, RunStatus.DONE)
    _, _, (job,) = queue("2026-05-01")
    night = store.runs.start(site, "nightly")
    other = store.runs.finish(store.runs.start(site, "learn"), RunStatus.DONE)
    assert Fleet(store).run_of(job) is None
    store.runs.finish(night, RunStatus.DONE)
    assert Fleet(store).run_of(job) == night.id != other.id


def test_failures_are_counted_since_the_last_successful_night(store, queue):
    for day, state in enumerate(["done", "failed", "failed"], 1):
        _, _, (job,) = queue(f"2026-05-0{day}")
        Fleet(store).end(job, JobState(state), None, "")
    _, _, (job,) = queue("2026-05-04")
    assert Fleet(store).failures(job) == 2


def test_finished_round_is_reported_by_exactly_one_process(store, queue):
    found, _, (job,) = queue("2026-05-01")
    assert Fleet(store).unreported() == []
    Fleet(store).end(job, JobState.DONE, None)
    assert Fleet(store).unreported() == [found]
    if store.engine.dialect.name != "postgresql":
        return
    with suppress(RuntimeError), Fleet(store).reporting(found) as is_ours:
        assert is_ours
        assert Fleet(store).unreported() == []
        with Fleet(store).reporting(found) as is_theirs:
            assert not is_theirs
        raise RuntimeError
    assert Fleet(store).unreported() == [found]
    with Fleet(store).reporting(found) as is_ours:
        assert is_ours
    assert Fleet(store).unreported() == []
    with Fleet(store).reporting(found) as is_ours:
        assert not is_ours


def test_totals_add_up_the_runs_of_a_round(store, site, queue):
    found, _, (job,) = queue("2026-05-01")
    assert Fleet(store).totals(found).pages == 0
    run = store.runs.start(site, "nightly")
    store.nights.save_report(run, '{"findings": [{"kind": "drift_words"}]}', needs_attention=True)
    store.runs.finish(run, RunStatus.DONE, RunCounts(new=3, unchanged=4, gone=9, articles=2))
    Fleet(store).begin(job, "here")
    Fleet(store).end(job, JobState.DONE, run.id)
    totals = Fleet(store).totals(found)
    assert (totals.pages, totals.articles, totals.drifted, totals.needs_attention) == (7, 2, 1, 1)


def test_unfinished_sites_of_earlier_rounds_are_listed(store, site, queue):
    queue("2026-05-01")
    assert Fleet(store).unfinished_sites(NIGHT) == {site.id}
    assert Fleet(store).unfinished_sites(NIGHT, but="2026-05-01") == set()
    assert Fleet(store).unfinished_sites(JobKind.LEARN) == set()


def test_expected_seconds_are_the_mean_of_the_latest_runs(store, site):
    run = store.runs.finish(store.runs.start(site, "nightly"), RunStatus.DONE)
    seconds = (run.finished_at - run.started_at).total_seconds()
    assert Fleet(store).expected_seconds(NIGHT) == {site.id: seconds}


def test_removing_a_site_removes_its_jobs(store, site, queue):
    _, _, (job,) = queue("2026-05-01")
    store.sites.remove(site)
    assert Fleet(store).find(job.id) is None


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
@pytest.mark.parametrize(
    ("hours", "complaint"), [(1, "60 minutes ahead of"), (-1, "60 minutes behind"), (0, None)]
)
def test_wrong_clock_is_refused(store, hours, complaint):
    def ask():
        Fleet(store).require_clock(lambda: datetime.now(UTC) + timedelta(hours=hours))

    if complaint is None:
        ask()
        return
    with pytest.raises(FleetError, match=f"clock of this machine is {complaint}.* set it first"):
        ask()


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_queue_is_created_once_by_one_version(store):
    made = []
    for _ in range(2):
        Fleet(store).prepare_queue("queue 1.0", lambda: made.append(True))
    assert made == [True]
    with pytest.raises(FleetError, match="created the queue and this is"):
        Fleet(store).prepare_queue("queue 2.0", made.clear)
