"""A job ends with its worker, and leaves nothing behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flong.fleet.child_process import run_child

ROOT = Path(__file__).parents[2]
CRAWL = """
import subprocess
subprocess.Popen(["sleep", "{0}"], process_group=0).wait()
"""
"""As a night starts its crawl: in a process group of its own."""
PARENT = """
import asyncio, os
from flong.fleet.child_process import run_child
asyncio.run(run_child({words!r}, os.environ))
"""


@pytest.fixture
def words(tmp_path):
    """Return what gives a command that starts a process which sleeps for so long."""

    def of(mark):
        path = tmp_path / "crawl.py"
        path.write_text(CRAWL.format(mark))
        return ["runspider", str(path)]

    return of


def sleeping(mark):
    """Return the processes that sleep for so long."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == f"sleep\0{mark}\0".encode():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def wait_until(condition):
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_when_a_worker_dies_so_does_its_job_with_all_it_started(words, number):
    mark = f"{os.getpid()}{int(number):02d}"
    program = PARENT.format(words=words(mark))
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) as parent:
        wait_until(lambda: sleeping(mark))
        parent.send_signal(number)
    wait_until(lambda: not sleeping(mark))


def test_a_job_that_is_cancelled_leaves_nothing_behind(words):
    mark = f"{os.getpid()}99"

    async def cancel():
        job = asyncio.create_task(run_child(words(mark), os.environ))
        await asyncio.to_thread(wait_until, lambda: sleeping(mark))
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job

    asyncio.run(cancel())
    assert not sleeping(mark)


def test_how_a_job_ended_is_known():
    ended = asyncio.run(run_child(["articles", "nowhere.example"], os.environ | NO_DATABASE))
    assert ended.code == 2
    assert ended.said.startswith("flong: There is no database sqlite:///nowhere.db.")


NO_DATABASE = {"FLONG_DATABASE": "sqlite:///nowhere.db"}
