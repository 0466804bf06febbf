from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from flong.states import JobKind, JobState, RunStatus
from flong.storage import FleetError, PlannedJob, RunCounts
from flong.storage.fleet import Fleet

NIGHT = JobKind.NIGHTLY


@pytest.fixture
def queue(store, site):
    """Return what queues the site for a night, and returns its job."""

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


def test_a_site_is_in_a_night_once_however_often_it_is_queued(store, queue):
    first, added, (job,) = queue("2026-05-01")
    Fleet(store).begin(job, "here")
    again, more, jobs = queue("2026-05-01", *store.sites.all())
    assert (first, added, more) == (again, 1, 0)
    assert [(each.id, each.state, each.worker) for each in jobs] == [(job.id, "running", "here")]


def test_only_a_run_that_ended_well_after_it_was_queued_does_a_job(store, site, queue):
    before = store.runs.start(site, "nightly")
    store.runs.finish(before, RunStatus.DONE)
    _, _, (job,) = queue("2026-05-01")
    night = store.runs.start(site, "nightly")
    other = store.runs.finish(store.runs.start(site, "learn"), RunStatus.DONE)
    assert Fleet(store).run_of(job) is None
    store.runs.finish(night, RunStatus.DONE)
    assert Fleet(store).run_of(job) == night.id != other.id


def test_failures_count_until_one_night_went_well(store, queue):
    for day, state in enumerate(["done", "failed", "failed"], 1):
        _, _, (job,) = queue(f"2026-05-0{day}")
        Fleet(store).end(job, JobState(state), None, "")
    _, _, (job,) = queue("2026-05-04")
    assert Fleet(store).failures(job) == 2


def test_a_round_is_reported_when_it_is_over_by_one_process_until_it_is_sent(store, queue):
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


def test_totals_are_what_the_runs_of_a_round_brought(store, site, queue):
    found, _, (job,) = queue("2026-05-01")
    assert Fleet(store).totals(found).pages == 0
    run = store.runs.start(site, "nightly")
    store.nights.save_report(run, '{"findings": [{"kind": "drift_words"}]}', needs_attention=True)
    store.runs.finish(run, RunStatus.DONE, RunCounts(new=3, unchanged=4, gone=9, articles=2))
    Fleet(store).begin(job, "here")
    Fleet(store).end(job, JobState.DONE, run.id)
    totals = Fleet(store).totals(found)
    assert (totals.pages, totals.articles, totals.drifted, totals.needs_attention) == (7, 2, 1, 1)


def test_a_site_whose_night_before_is_not_over_is_known(store, site, queue):
    queue("2026-05-01")
    assert Fleet(store).unfinished_sites(NIGHT) == {site.id}
    assert Fleet(store).unfinished_sites(NIGHT, but="2026-05-01") == set()
    assert Fleet(store).unfinished_sites(JobKind.LEARN) == set()


def test_what_is_expected_is_the_mean_of_the_latest_runs(store, site):
    run = store.runs.finish(store.runs.start(site, "nightly"), RunStatus.DONE)
    seconds = (run.finished_at - run.started_at).total_seconds()
    assert Fleet(store).expected_seconds(NIGHT) == {site.id: seconds}


def test_a_site_that_is_removed_takes_its_jobs_with_it(store, site, queue):
    _, _, (job,) = queue("2026-05-01")
    store.sites.remove(site)
    assert Fleet(store).find(job.id) is None


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
@pytest.mark.parametrize(
    ("hours", "complaint"), [(1, "60 minutes ahead of"), (-1, "60 minutes behind"), (0, None)]
)
def test_a_clock_that_is_off_is_refused(store, hours, complaint):
    def ask():
        Fleet(store).require_clock(lambda: datetime.now(UTC) + timedelta(hours=hours))

    if complaint is None:
        ask()
        return
    with pytest.raises(FleetError, match=f"clock of this machine is {complaint}.* set it first"):
        ask()


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_a_queue_is_made_once_and_by_one_version(store):
    made = []
    for _ in range(2):
        Fleet(store).prepare_queue("queue 1.0", lambda: made.append(True))
    assert made == [True]
    with pytest.raises(FleetError, match="created the queue and this is"):
        Fleet(store).prepare_queue("queue 2.0", made.clear)
