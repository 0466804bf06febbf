"""Processes that share work find the same as one alone."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patterns import Crew, write_model
from pipeline.errors import PipelineError
from pipeline.forked_crew import divide, shared_work
from tests.patterns.small_site import anchors_of, learn, site_pages


class _Sums:
    """Adds up what it is given, for each part."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def __call__(self, part: int, order: int) -> tuple[int, int]:
        if order < 0:
            raise ValueError(f"{order} for {part}")
        self.known[part] = self.known.get(part, 0) + order
        return self.known[part], os.getpid()


@pytest.fixture
def crew() -> Iterator[Crew]:
    with shared_work(3) as found:
        found.begin([4, 3, 2, 1], _Sums())
        yield found


def test_each_part_stays_in_its_process(crew: Crew) -> None:
    first = crew.ask({0: 1, 1: 10, 2: 100, 3: 1000})
    again = crew.ask({3: 1000, 1: 10})
    assert {part: total for part, (total, _) in first.items()} == {0: 1, 1: 10, 2: 100, 3: 1000}
    assert {part: total for part, (total, _) in again.items()} == {1: 20, 3: 2000}
    assert all(first[part][1] == process for part, (_, process) in again.items())
    assert len({process for _, process in first.values()}) == 3


def test_what_fails_in_a_copy_fails_here(crew: Crew) -> None:
    with pytest.raises(RuntimeError, match="-1 for 1"):
        crew.ask({1: -1})
    assert crew.ask({1: 5})[1][0] == 5


def test_a_copy_that_is_ended_is_told(crew: Crew) -> None:
    [(_, process)] = crew.ask({1: 1}).values()
    os.kill(process, signal.SIGKILL)
    with pytest.raises(PipelineError, match="ended from outside"):
        crew.ask({1: 1})


def test_no_copy_is_left() -> None:
    with shared_work(2) as found:
        found.begin([1, 1], _Sums())
        [(_, process)] = found.ask({1: 1}).values()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_site_that_several_learn_is_the_same() -> None:
    pages, stories = site_pages()
    anchors = anchors_of(pages, stories)
    alone = learn(pages, anchors)
    with shared_work(3) as found:
        shared = learn(pages, anchors, crew=found)
    assert len(alone.patterns) > 1
    assert repr(write_model(shared)) == repr(write_model(alone))


@given(st.lists(st.integers(0, 1000), max_size=30), st.integers(1, 8))
def test_shares_are_even(weights: list[int], shares: int) -> None:
    sums = [0] * shares
    for weight, share in zip(weights, divide(weights, shares), strict=True):
        sums[share] += weight
    assert max(sums) - min(sums) <= max(weights, default=0)
