"""Pages that hang or crash a worker do not affect other pages."""

import os
import re
import signal
import subprocess
import sys
from functools import partial
from importlib import import_module

import pytest

from flong.errors import PipelineError
from flong.storage.locks import pid_is_alive
from flong.workers.pool import (
    Pool,
    WorkerDied,
    WorkerStartError,
    each,
    wait_for_workers,
    worker_pool,
)
from tests.crawler.conftest import PROJECT
from tests.waiting import wait_until

HANGING = partial(re.sub, r"(x+)+y", "")
"""Takes for ever, in C and with Python's lock, on a long run of x."""
BAIT = "x" * 60

ORPHANS = """
import re, sys
from functools import partial
from importlib import import_module
from flong.workers.pool import Pool, each

pool = Pool()
print(pool.start()._process.pid, flush=True)
list(pool.map(each(partial(re.sub, "(x+)+y", "")), sys.argv[2:], seconds=float(sys.argv[1])))
sys.stdin.read()
"""


def answers(work, seconds, tasks, **options):
    """Return each task with its result."""
    with worker_pool() as pool:
        return list(pool.map(work, tasks, seconds=seconds, **options))


def test_hanging_task_is_killed_and_others_are_done():
    tasks = [*"abc", BAIT, *"defghijklmnopqrstu", BAIT + "!", "v"]
    found = dict(answers(each(HANGING), 0.3, tasks))
    assert {task for task, answer in found.items() if isinstance(answer, WorkerDied)} == {
        BAIT,
        BAIT + "!",
    }
    assert found[BAIT] == WorkerDied("it took more than 0.3 s")
    assert all(found[letter] == letter for letter in "abcdefghijklmnopqrstuv")


def test_crashing_task_is_reported_and_others_are_done():
    found = answers(each(signal.raise_signal), 5, [signal.SIGURG, signal.SIGSEGV, signal.SIGURG])
    crashed = WorkerDied("it crashed the process (SIGSEGV)")
    assert [answer for _, answer in found] == [None, crashed, None]


def test_task_with_an_exception_is_reported_and_others_are_done(capfd):
    pool = Pool()
    found = [answer for _, answer in pool.map(each(len), ["one", 5, "three"], seconds=5)]
    pool.end()
    assert found == [3, WorkerDied("it was too much for the program, see the log"), 5]
    assert "TypeError" in capfd.readouterr().err


def test_task_beyond_the_memory_limit_is_reported():
    found = answers(each(bytes), 20, [3, 100 << 30, 5])
    assert [answer for _, answer in found] == [
        b"\0" * 3,
        WorkerDied("it needed more than 6 GB of memory"),
        b"\0" * 5,
    ]


def test_pool_stops_after_repeated_deaths(monkeypatch):
    monkeypatch.setattr("flong.workers.pool.MOST_DEATHS", 3)  # starting a worker takes a second
    with pytest.raises(PipelineError, match="3 pages one after the other"):
        answers(each(os._exit), 5, [3] * 100)


def test_worker_start_failure_is_not_blamed_on_pages(monkeypatch, tmp_path):
    (tmp_path / "numba.py").write_text("raise ImportError('numba is broken')")
    monkeypatch.syspath_prepend(tmp_path)
    pool = Pool()
    with pytest.raises(
        WorkerStartError, match="A worker process cannot start: ImportError: numba is broken"
    ):
        list(pool.map(each(len), ["one"]))
    pool.end()


def test_unloadable_function_is_not_blamed_on_pages(monkeypatch, tmp_path):
    (tmp_path / "their_work.py").write_text("def count(task): return len(task)")
    monkeypatch.syspath_prepend(tmp_path)
    their_work = import_module("their_work")

    work = each(their_work.count)
    pool = Pool()
    assert list(pool.map(work, ["one"])) == [("one", 3)]
    pool.end()
    (tmp_path / "their_work.py").unlink()
    with pytest.raises(WorkerStartError, match="No module named 'their_work'"):
        list(pool.map(work, ["one"]))
    pool.end()


def test_worker_processes_are_reused():
    processes = {process for _ in range(3) for _, process in answers(each(_process), 5, range(9))}
    assert len(processes) == 1


def test_abandoned_map_leaves_no_results_behind():
    with worker_pool() as pool:
        found = pool.map(each(_process), range(500), seconds=5)
        next(found)
        found.close()
        assert list(pool.map(each(len), ["one"])) == [("one", 3)]


def test_waiting_is_announced_only_once():
    wait_for_workers(lambda: None)
    wait_for_workers(lambda: pytest.fail("it was ready"))


def test_large_results_do_not_block():
    tasks = [letter * 3_000_000 for letter in "abcdefgh"]
    found = answers(each(str.upper), 20, tasks)
    assert [answer for _, answer in found] == [task.upper() for task in tasks]


@pytest.mark.parametrize(
    "tasks", [["x"], [BAIT]], ids=["a worker that waits", "a worker that hangs"]
)
def test_worker_ends_with_its_parent(tasks):
    command = [sys.executable, "-c", ORPHANS, "0.5", *tasks]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    wait_until(lambda: not pid_is_alive(worker))


def test_worker_is_replaced_after_many_tasks(monkeypatch):
    monkeypatch.setattr("flong.workers.pool.RENEWED", 40)
    pool = Pool()
    found = list(pool.map(each(_process), range(100), seconds=5, jobs=1))
    pool.end()
    assert [task for task, _ in found] == list(range(100))
    assert len({process for _, process in found}) == 3


def _process(task):
    return os.getpid()


def test_results_of_several_workers_are_in_order(monkeypatch):
    monkeypatch.setattr("flong.workers.pool.SHARED", 30)
    found = answers(each(_process), 5, range(600), jobs=3)
    assert [task for task, _ in found] == list(range(600))
    assert len({process for _, process in found}) == 3


def test_death_of_one_worker_affects_no_other_task(monkeypatch):
    monkeypatch.setattr("flong.workers.pool.SHARED", 1)
    found = answers(each(_die_of_seven), 5, range(120), jobs=2)
    assert [task for task, _ in found] == list(range(120))
    assert [task for task, answer in found if isinstance(answer, WorkerDied)] == [7, 77]


def _die_of_seven(task):
    if task in (7, 77):
        os._exit(1)
    return task


def test_zero_workers_are_refused():
    with pytest.raises(ValueError, match="not 0"):
        answers(each(len), 5, [], jobs=0)


def test_zero_seconds_are_refused():
    with pytest.raises(ValueError, match="not 0"):
        answers(each(len), 0, [])


def test_large_tasks_are_sent_in_small_batches():
    assert {answer for _, answer in answers(_together, 5, ["x" * 600_000] * 4, weigh=len)} == {1}
    assert {answer for _, answer in answers(_together, 5, ["x"] * 32, weigh=len)} == {16}


def _together(tasks):
    return [len(tasks)] * len(tasks)
