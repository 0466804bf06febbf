"""Simulation of a fleet: workers needed, end of the night, cost of a lost machine.

`python -m benchmarks.fleet_simulation [--check FILE]`. A discrete-event simulation of the queue.
Order and hours are those of `flong.fleet.plan`. Jobs of one host run one after the other. Some jobs
fail and are retried. Machines die; their jobs return to the queue after missed heartbeats.
Durations are log-normal. `--check` simulates the night measured by `benchmarks.fleet --output
FILE`, with the same durations and slots, and compares both ends.
"""

import argparse
import heapq
import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

from flong.fleet.plan import SiteToVisit, plan

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
RETRY_SECONDS = 60.0
ATTEMPTS = 3
MEDIAN = 500.0
ENOUGH = 0.15
"""Maximum relative difference between the simulated and the measured end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Parameters of a simulation."""

    slots: int
    """Concurrent jobs on all machines."""
    slots_per_machine: int = 50
    """Concurrent jobs of one machine."""
    failing: float = 0.01
    """Fraction of failing attempts."""
    machine_days: float = math.inf
    """Days between two deaths of a machine."""
    rescue_seconds: float = 30.0
    """Time until the jobs of a dead machine are put back."""
    restart_seconds: float = 120.0
    """Time until a machine is back; infinite if it is lost."""
    start_seconds: float = 0.0
    """Overhead of each job."""
    hours: float = 6.0
    """Time over which starts are spread."""
    surprise: float = 0.3
    """Spread of a night's duration around the site's mean."""
    median: float = MEDIAN
    """Seconds of a site's night: a thousand requests, half a second each."""
    spread: float = 0.7
    """Spread of the sites' means: one in a hundred takes five times as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedOutcome:
    """Result of a simulation."""

    hours: float
    """End of the last job."""
    done: int
    """Sites with a finished night."""
    failed: int
    """Sites without a finished night."""
    killed: int
    """Jobs interrupted by the death of a machine, and repeated."""
    busy: float
    """Fraction of the slots' time that was used."""


@dataclass(slots=True)
class _Job:
    """State of a site."""

    rank: float
    host: str
    seconds: float
    due: float
    tries: int = 0


class Simulation:
    """One night of one fleet."""

    def __init__(self, sites: Sequence[SiteToVisit], world: World, chance: random.Random) -> None:
        self._world, self._chance = world, chance
        self._now = self._end = self._busy = 0.0
        self._numbers = count()
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._ready: list[tuple[float, int, _Job]] = []
        self._waiting: dict[str, list[tuple[float, int, _Job]]] = defaultdict(list)
        self._running: dict[int, tuple[_Job, float, int]] = {}
        self._busy_hosts: set[str] = set()
        self._left, self._done, self._failed, self._killed = len(sites), 0, 0, 0
        machines = max(1, round(world.slots / world.slots_per_machine))
        self._free = [
            world.slots // machines + (n < world.slots % machines) for n in range(machines)
        ]
        self._fill(sites)
        for machine in range(machines if world.machine_days < math.inf else 0):
            self._plan_death(machine)

    def _fill(self, sites: Sequence[SiteToVisit]) -> None:
        seconds = {site.site_id: site.seconds for site in sites}
        for planned in plan(sites, begin=BEGIN, hours=self._world.hours):
            took = seconds[planned.site_id] * self._chance.lognormvariate(0, self._world.surprise)
            due = (planned.due_at - BEGIN).total_seconds()
            self._put(_Job(rank=-planned.priority, host=planned.host, seconds=took, due=due))

    def run(self) -> SimulatedOutcome:
        """Simulate the night."""
        while self._left:
            self._now, _, happen = heapq.heappop(self._events)
            happen()
            self._start()
        total = self._end * self._world.slots
        return SimulatedOutcome(
            hours=self._end / 3600,
            done=self._done,
            failed=self._failed,
            killed=self._killed,
            busy=self._busy / total if total else 0.0,
        )

    def _at(self, time: float, happen: Callable[[], None]) -> None:
        heapq.heappush(self._events, (time, next(self._numbers), happen))

    # Jobs of one host wait for each other: only the first of them may begin.

    def _put(self, job: _Job) -> None:
        heapq.heappush(self._waiting[job.host], (job.rank, next(self._numbers), job))
        self._offer(job.host)

    def _offer(self, host: str) -> None:
        if self._waiting[host] and host not in self._busy_hosts:
            first = self._waiting[host][0][2]
            ready = (first.rank, next(self._numbers), first)
            self._at(max(first.due, self._now), lambda: heapq.heappush(self._ready, ready))

    def _start(self) -> None:
        while self._ready and max(self._free) > 0:
            job = heapq.heappop(self._ready)[2]
            waiting = self._waiting[job.host]
            if job.host in self._busy_hosts or not waiting or waiting[0][2] is not job:
                continue  # another one of its host was faster
            heapq.heappop(waiting)
            self._busy_hosts.add(job.host)
            machine = max(range(len(self._free)), key=self._free.__getitem__)
            self._free[machine] -= 1
            number = next(self._numbers)
            self._running[number] = (job, self._now, machine)
            took = job.seconds + self._world.start_seconds
            self._at(self._now + took, partial(self._finish, number))

    def _finish(self, number: int) -> None:
        if number not in self._running:
            return  # its machine died
        job = self._release(number)
        job.tries += 1
        went_well = self._chance.random() >= self._world.failing
        if not went_well and job.tries < ATTEMPTS:
            job.rank = job.tries  # after all others
            job.due = self._now + RETRY_SECONDS * 2 ** (job.tries - 1)
            self._put(job)
        else:
            self._left -= 1
            self._done += went_well
            self._failed += not went_well
        self._end = max(self._end, self._now)
        self._offer(job.host)

    def _release(self, number: int) -> _Job:
        job, begun, machine = self._running.pop(number)
        self._free[machine] += 1
        self._busy += self._now - begun
        self._busy_hosts.discard(job.host)
        return job

    # Machines

    def _plan_death(self, machine: int) -> None:
        lives = self._chance.expovariate(1 / (86400 * self._world.machine_days))
        self._at(self._now + lives, lambda: self.kill(machine))

    def kill(self, machine: int) -> None:
        """Kill a machine with its jobs, and requeue them after the missed heartbeats."""
        dying = [number for number, (_, _, on) in self._running.items() if on == machine]
        for number in dying:
            job = self._release(number)
            self._killed += 1
            job.due = self._now + self._world.rescue_seconds
            self._put(job)
        slots, self._free[machine] = self._free[machine], 0
        if self._world.restart_seconds < math.inf:
            self._at(self._now + self._world.restart_seconds, lambda: self._return(machine, slots))

    def _return(self, machine: int, slots: int) -> None:
        self._free[machine] += slots
        if self._world.machine_days < math.inf:
            self._plan_death(machine)

    def kill_at(self, hours: float, machine: int) -> None:
        """Plan the death of a machine."""
        self._at(3600 * hours, lambda: self.kill(machine))


def sites_like(
    number: int, chance: random.Random, median: float, spread: float
) -> list[SiteToVisit]:
    """Return sites whose durations are log-normal; one in twenty shares its host with others."""
    return [
        SiteToVisit(
            site_id=each,
            host=f"cdn{each % max(1, number // 200)}" if chance.random() < 0.05 else f"host{each}",
            importance=int(chance.random() < 0.05),
            seconds=chance.lognormvariate(math.log(median), spread),
        )
        for each in range(number)
    ]


def simulate(number: int, world: World, *, lost_at: float | None = None) -> SimulatedOutcome:
    """Simulate a night, optionally with a machine lost after some hours."""
    chance = random.Random(20)  # noqa: S311 - no secret
    night = Simulation(sites_like(number, chance, world.median, world.spread), world, chance)
    if lost_at is not None:
        night.kill_at(lost_at, 0)
    return night.run()


def slots_needed(number: int, hours: float, world: World) -> int:
    """Return the concurrent jobs, to 1 %, needed for a night to end within some hours."""
    work = number * world.median * math.exp(world.spread**2 / 2)
    low, high = int(work / hours / 3600), int(3 * work / hours / 3600)
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        if simulate(number, replace(world, slots=middle)).hours <= hours:
            high = middle
        else:
            low = middle
    return high


def check(path: Path) -> bool:
    """Compare the end of a measured night with that of its simulation."""
    measured = json.loads(path.read_text(encoding="utf-8"))
    sites = [
        SiteToVisit(site_id=number, host=str(number), seconds=seconds)
        for number, seconds in enumerate(measured["job_seconds"])
    ]
    world = World(slots=measured["workers"], slots_per_machine=2, failing=0, hours=0, surprise=0)
    world = replace(world, start_seconds=measured["queue_seconds_per_job"])
    ended = 3600 * Simulation(sites, world, random.Random(20)).run().hours  # noqa: S311
    off = ended / measured["seconds"] - 1
    print(f"measured {measured['seconds']:.0f} s, simulated {ended:.0f} s: {off:+.0%}")
    return bool(abs(off) <= ENOUGH)


def main() -> int:
    """Print a table for 10,000 and 100,000 sites."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", type=Path, metavar="FILE")
    parser.add_argument("--median", type=float, default=MEDIAN)
    options = parser.parse_args()
    if options.check:
        return 0 if check(options.check) else 1
    print(
        "| sites | jobs at a time for 8 h | ends after | busy | every machine dies once a day | "
        "one of them is lost at 4 h |\n|---|---|---|---|---|---|"
    )
    for number in (10_000, 100_000):
        world = World(slots=1, median=options.median)
        slots = slots_needed(number, 8.0, world)
        world = replace(world, slots=slots)
        calm = simulate(number, world)
        deaths = simulate(number, replace(world, machine_days=1))
        lost = simulate(number, replace(world, restart_seconds=math.inf), lost_at=4.0)
        print(
            f"| {number:,} | {slots:,} | {calm.hours:.1f} h | {calm.busy:.0%} "
            f"| {deaths.hours:.1f} h, {deaths.killed} jobs again "
            f"| {lost.hours:.1f} h, {lost.killed} jobs again |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
