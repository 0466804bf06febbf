"""Pages that hang, crash or break what reads them take no other page with them."""

import os
import re
import signal
import subprocess
import sys
from contextvars import Context
from functools import partial
from pathlib import Path

import pytest

from flong.errors import PipelineError
from flong.workers.isolated_worker import Died, IsolatedWorker, each
from flong.workers.worker_process import shared_template
from tests.crawler.conftest import PROJECT

HANGING = partial(re.sub, r"(x+)+y", "")
"""Takes for ever, in C and with Python's lock, on a long run of x."""
BAIT = "x" * 60

ORPHANS = """
import re, sys
from contextlib import nullcontext
from functools import partial
from flong.workers.isolated_worker import IsolatedWorker, each
from flong.workers.worker_process import shared_template

with {sharing}():
    worker = IsolatedWorker(each(partial(re.sub, "(x+)+y", "")), seconds=float(sys.argv[1]))
    print(worker._workers[0]._process.pid, flush=True)
    list(worker.map(sys.argv[2:]))
    sys.stdin.read()
"""


@pytest.fixture(params=["an interpreter of its own", "a copy of one"])
def answers(request):
    """Return what does work in a worker, and returns each task with its result."""

    def of(work, seconds, tasks):
        with IsolatedWorker(work, seconds=seconds) as worker:
            return list(worker.map(tasks))

    # No template is shared in a context in which nobody said so.
    return partial(Context().run, of) if request.param == "an interpreter of its own" else of


def test_a_task_that_takes_for_ever_is_killed_and_the_others_are_done(answers):
    tasks = [*"abc", BAIT, *"defghijklmnopqrstu", BAIT + "!", "v"]
    found = dict(answers(each(HANGING), 0.3, tasks))
    assert {task for task, answer in found.items() if isinstance(answer, Died)} == {
        BAIT,
        BAIT + "!",
    }
    assert found[BAIT] == Died("it took more than 0.3 s")
    assert all(found[letter] == letter for letter in "abcdefghijklmnopqrstuv")


def test_a_task_that_crashes_the_worker_is_named_and_the_others_are_done(answers):
    found = answers(each(signal.raise_signal), 5, [signal.SIGURG, signal.SIGSEGV, signal.SIGURG])
    crashed = Died("it crashed the process (SIGSEGV)")
    assert [answer for _, answer in found] == [None, crashed, None]


def test_a_task_that_breaks_the_program_is_told_and_the_others_are_done(answers, capfd):
    found = [answer for _, answer in answers(each(len), 5, ["one", 5, "three"])]
    assert found == [3, Died("it was too much for the program, see the log"), 5]
    assert "TypeError" in capfd.readouterr().err


def test_where_nothing_at_all_can_be_done_it_stops(answers):
    with pytest.raises(PipelineError, match="10 pages one after the other"):
        answers(each(os._exit), 5, [3] * 100)


def test_a_template_that_is_gone_holds_up_nobody():
    def work():
        with shared_template() as template, IsolatedWorker(each(len), seconds=5) as worker:
            template.end()
            with IsolatedWorker(each(len), seconds=5) as another:
                return [*worker.map(["one"]), *another.map(["three"])]

    assert Context().run(work) == [("one", 3), ("three", 5)]


FORKED = """
import os, sys
from pathlib import Path
from flong.workers.isolated_worker import IsolatedWorker, each
from flong.workers.worker_process import shared_template
from tests.faults.test_local_isolated_worker import surroundings

with open(sys.argv[1]) as ours, shared_template() as template:
    template.begin()
    with IsolatedWorker(each(surroundings), seconds=5) as worker:
        [(_, answer)] = worker.map([(ours.fileno(), sys.argv[1])])
    print(*answer, os.getpid(), os.getpgrp())
"""


def surroundings(task):
    """Return who a worker is, what it was told as it was started, whether it has a file open."""
    descriptor, file = task
    link = Path(f"/proc/self/fd/{descriptor}")
    is_open = link.exists() and link.readlink() == Path(file)
    return os.getpid(), os.getpgrp(), sys.argv[1], is_open


def test_a_template_is_a_copy_without_files_of_a_process_that_has_no_threads():
    command = [sys.executable, "-c", FORKED, __file__]
    told = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    process, group, started_as, is_open, ours, our_group = told.stdout.split()
    assert started_as == __file__  # as we were, not by an interpreter of its own
    assert len({process, group, ours}) == 3
    assert group != our_group
    assert is_open == "False"
    assert not told.stderr


def test_answers_larger_than_any_buffer_block_nobody():
    tasks = [letter * 3_000_000 for letter in "abcdefgh"]
    with IsolatedWorker(each(str.upper), seconds=20) as worker:
        assert [answer for _, answer in worker.map(tasks)] == [task.upper() for task in tasks]


@pytest.mark.parametrize(
    "tasks", [["x"], [BAIT]], ids=["a worker that waits", "a worker that hangs"]
)
@pytest.mark.parametrize("sharing", ["nullcontext", "shared_template"])
def test_a_worker_ends_with_the_process_that_started_it(sharing, tasks):
    command = [sys.executable, "-c", ORPHANS.format(sharing=sharing), "0.5", *tasks]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    while Path(f"/proc/{worker}").exists():  # the time limit of tests ends what does not
        pass


def test_a_worker_is_replaced_before_it_has_read_too_much(monkeypatch):
    monkeypatch.setattr("flong.workers.isolated_worker.RENEWED", 40)
    with IsolatedWorker(each(_process), seconds=5) as worker:
        answers = list(worker.map(range(100)))
    assert [task for task, _ in answers] == list(range(100))
    assert len({process for _, process in answers}) == 3


def _process(task):
    return os.getpid()


def test_much_work_is_shared_by_workers_and_comes_back_in_order():
    with IsolatedWorker(each(_process), seconds=5, jobs=3, shared=30) as worker:
        answers = list(worker.map(range(600)))
    assert [task for task, _ in answers] == list(range(600))
    assert len({process for _, process in answers}) == 3


def test_what_one_of_several_workers_dies_of_harms_no_other_task():
    with IsolatedWorker(each(_die_of_seven), seconds=5, jobs=2, shared=1) as worker:
        answers = list(worker.map(range(120)))
    assert [task for task, _ in answers] == list(range(120))
    died = [task for task, answer in answers if isinstance(answer, Died)]
    assert died == [7, 77]


def _die_of_seven(task):
    if task in (7, 77):
        os._exit(1)
    return task


def test_no_worker_at_all_is_refused():
    with pytest.raises(ValueError, match="not 0"):
        IsolatedWorker(each(len), jobs=0)


def test_no_time_at_all_is_refused():
    with pytest.raises(ValueError, match="not 0 s"):
        IsolatedWorker(each(len), seconds=0)


def test_large_tasks_are_sent_few_at_a_time():
    with IsolatedWorker(_together, seconds=5, weigh=len) as worker:
        assert {answer for _, answer in worker.map(["x" * 600_000] * 4)} == {1}
        assert {answer for _, answer in worker.map(["x"] * 32)} == {16}


def _together(tasks):
    return [len(tasks)] * len(tasks)
