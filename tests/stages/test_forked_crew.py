"""Processes that share work find the same as one alone."""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from flong.errors import PipelineError
from flong.patterns import Crew, write_model
from flong.workers.forked_crew import shared_work
from tests.patterns.small_site import anchors_of, learn, site_pages


class _Sums:
    """Adds up what it is given, for each part."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def __call__(self, part: int, order: int) -> tuple[int, int]:
        if order < 0:
            raise ValueError(f"{order} for {part}")
        self.known[part] = self.known.get(part, 0) + order
        time.sleep(0.02)  # others are free before
        return self.known[part], os.getpid()


Begun = tuple[Crew, dict[int, tuple[int, int]]]


@pytest.fixture
def begun() -> Iterator[Begun]:
    with shared_work(3) as crew:
        crew.begin(10, _Sums())
        yield crew, crew.share(dict.fromkeys(range(10), 1))


def _part_of_another(found: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Return a part that is not ours, and whose it is."""
    others = ((part, process) for part, (_, process) in found.items() if process != os.getpid())
    return next(others)


def test_each_part_stays_in_its_process(begun: Begun) -> None:
    crew, first = begun
    again = crew.ask(dict.fromkeys(range(1, 10), 10))
    assert sorted(first) == [*range(10)]
    assert {total for total, _ in first.values()} == {1}
    assert {part: total for part, (total, _) in again.items()} == dict.fromkeys(range(1, 10), 11)
    assert all(first[part][1] == process for part, (_, process) in again.items())
    assert len({process for _, process in first.values()}) == 3


def test_parts_can_be_shared_again(begun: Begun) -> None:
    crew, _ = begun
    again = crew.share(dict.fromkeys(range(9, -1, -1), 10))
    assert sorted(again) == [*range(10)]
    asked = crew.ask(dict.fromkeys(range(10), 100))
    assert {part: process for part, (_, process) in asked.items()} == {
        part: process for part, (_, process) in again.items()
    }


def test_what_fails_in_a_copy_fails_here(begun: Begun) -> None:
    crew, first = begun
    part, _ = _part_of_another(first)
    with pytest.raises(RuntimeError, match=f"-1 for {part}"):
        crew.ask({part: -1})
    assert crew.ask({part: 5})[part][0] == 6


def test_a_copy_that_is_ended_is_told(begun: Begun) -> None:
    crew, first = begun
    part, process = _part_of_another(first)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(PipelineError, match="ended from outside"):
        crew.ask({part: 1})


def test_no_copy_is_left() -> None:
    with shared_work(2) as crew:
        crew.begin(4, _Sums())
        _, process = _part_of_another(crew.share(dict.fromkeys(range(4), 1)))
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("parts", [0, 1, 2])
def test_few_parts_need_few_processes(parts: int) -> None:
    with shared_work(8) as crew:
        crew.begin(parts, _Sums())
        found = crew.share(dict.fromkeys(range(parts), 1))
    assert sorted(found) == [*range(parts)]


def test_a_site_that_several_learn_is_the_same() -> None:
    pages, stories = site_pages()
    anchors = anchors_of(pages, stories)
    alone = learn(pages, anchors)
    with shared_work(3) as found:
        shared = learn(pages, anchors, crew=found)
    assert len(alone.patterns) > 1
    assert repr(write_model(shared)) == repr(write_model(alone))
