from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from flong.fleet.plan import MARGIN, SiteToVisit, plan

MIDNIGHT = datetime(2026, 5, 1, tzinfo=UTC)
SITES = st.lists(
    st.builds(
        SiteToVisit,
        site_id=st.just(0),
        host=st.sampled_from("abc"),
        importance=st.integers(0, 2),
        seconds=st.floats(1, 20_000),
    ),
    max_size=15,
).map(lambda sites: [replace(site, site_id=number) for number, site in enumerate(sites)])


@given(SITES, st.floats(0, 12))
def test_every_site_is_planned_once_within_the_night(sites, hours):
    planned = plan(sites, begin=MIDNIGHT, hours=hours)
    assert sorted(job.site_id for job in planned) == [site.site_id for site in sites]
    for job in planned:
        assert MIDNIGHT <= job.due_at <= MIDNIGHT + timedelta(hours=hours)


@given(SITES)
def test_no_site_waits_for_a_less_important_one(sites):
    importance = {site.site_id: site.importance for site in sites}
    planned = plan(sites, begin=MIDNIGHT, hours=6)
    assert [job.priority for job in planned] == sorted((j.priority for j in planned), reverse=True)
    for first, second in pairwise(planned):
        assert importance[first.site_id] >= importance[second.site_id]


@given(SITES)
def test_jobs_of_a_host_are_due_in_order_of_priority(sites):
    """Otherwise a due job could wait for a job of higher priority that is not due."""
    for host in "abc":
        jobs = [job for job in plan(sites, begin=MIDNIGHT, hours=6) if job.host == host]
        for first, second in pairwise(jobs):
            assert first.due_at <= second.due_at


@given(SITES)
def test_host_that_can_finish_in_time_starts_early_enough(sites):
    planned = plan(sites, begin=MIDNIGHT, hours=6)
    for host in "abc":
        jobs = [job for job in planned if job.host == host]
        needs = MARGIN * sum(job.expected_seconds for job in jobs)
        if jobs and needs <= 6 * 3600:
            end = jobs[0].due_at + timedelta(seconds=needs)
            assert end <= MIDNIGHT + timedelta(hours=6, seconds=1)


def test_longest_job_starts_first_at_equal_importance():
    sites = [SiteToVisit(site_id=n, host=str(n), seconds=s) for n, s in enumerate((10, 500, 60))]
    assert [job.site_id for job in plan(sites, begin=MIDNIGHT, hours=0)] == [1, 2, 0]
