"""Child processes: a job ends with its worker and leaves no process behind."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flong.fleet.child_process import run_child
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
CRAWL = """
import subprocess
subprocess.Popen(["sleep", "{0}"], process_group=0).wait()
"""
"""A job that starts its own process group, like a nightly run for its crawl."""
PARENT = """
import asyncio, os, sys
from flong.fleet.child_process import run_child

async def main():
    job = asyncio.create_task(run_child({words!r}, os.environ))
    await asyncio.to_thread(sys.stdin.read)
    job.cancel()
    await asyncio.wait([job])
    print("cancelled" if job.cancelled() else job)

asyncio.run(main())
"""
"""A worker process; it cancels the job when its standard input is closed."""


@pytest.fixture
def parent(tmp_path):
    """Return a function that runs a worker whose job starts `sleep MARK`."""

    def start(mark):
        path = tmp_path / "crawl.py"
        path.write_text(CRAWL.format(mark))
        program = PARENT.format(words=["runspider", str(path)])
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [sys.executable, "-c", program], cwd=ROOT, stdin=pipe, stdout=pipe, text=True
        )

    return start


def sleeping(mark):
    """Return the processes that run `sleep MARK`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == f"sleep\0{mark}\0".encode():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_job_and_descendants_die_with_their_worker(parent, number):
    mark = f"{os.getpid()}{int(number):02d}"
    with parent(mark) as worker:
        wait_until(lambda: sleeping(mark), worker)
        worker.send_signal(number)
    wait_until(lambda: not sleeping(mark))


def test_cancelled_job_leaves_no_process_behind(parent):
    mark = f"{os.getpid()}99"
    with parent(mark) as worker:
        wait_until(lambda: sleeping(mark), worker)
        worker.stdin.close()
        assert worker.stdout.readline() == "cancelled\n"
        assert not sleeping(mark)


def test_exit_code_and_last_line_of_a_job_are_returned():
    ended = asyncio.run(run_child(["articles", "nowhere.example"], os.environ | NO_DATABASE))
    assert ended.code == 2
    assert ended.said.startswith("flong: There is no database sqlite:///nowhere.db.")


NO_DATABASE = {"FLONG_DATABASE": "sqlite:///nowhere.db"}
