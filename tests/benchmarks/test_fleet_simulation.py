"""Invariants of the fleet simulation."""

import math
import random
from dataclasses import replace

import pytest

from benchmarks.fleet_simulation import Simulation, World, simulate
from flong.fleet.plan import SiteToVisit

CALM = World(slots=4, slots_per_machine=2, failing=0, surprise=0, hours=0)


def chance():
    return random.Random(1)  # noqa: S311 - no secret


def run(sites, world):
    return Simulation(sites, world, chance()).run()


def sites(*seconds, host=None):
    return [
        SiteToVisit(site_id=n, host=host or str(n), seconds=each) for n, each in enumerate(seconds)
    ]


def test_longest_job_starts_first():
    assert run(sites(100, 100, 100, 100, 200), CALM).hours * 3600 == pytest.approx(200)


def test_sites_of_one_host_run_one_after_another():
    outcome = run(sites(10, 20, 30, host="same"), CALM)
    assert outcome.hours * 3600 == pytest.approx(60)
    assert outcome.done == 3


def test_jobs_of_a_dead_machine_are_repeated():
    night = Simulation(sites(*[3600] * 8), CALM, chance())
    night.kill_at(0.5, 0)
    outcome = night.run()
    assert (outcome.done, outcome.killed) == (8, 2)
    assert outcome.hours > 2


def test_work_of_a_lost_machine_goes_to_others():
    night = Simulation(sites(*[3600] * 8), replace(CALM, restart_seconds=math.inf), chance())
    night.kill_at(0.5, 0)
    outcome = night.run()
    assert outcome.done == 8
    assert outcome.hours * 3600 == pytest.approx(4 * 3600)


def test_every_site_is_done_or_failed():
    outcome = simulate(300, replace(CALM, failing=0.5, machine_days=0.05))
    assert outcome.done + outcome.failed == 300
    assert outcome.failed > 0 < outcome.killed
