"""Locks stay correct when processes or machines die and clocks are wrong."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flong.storage import LockedSite, LockSettings, Store, tables
from flong.storage.locks import pid_is_alive, this_process, write_lock
from flong.storage.tables import LockPart
from tests.waiting import wait_until

BEAT, STEADY = 0.2, 2.0
"""Seconds between two heartbeats; on a busy machine only a steady heart is heard in time."""

HOLDER = """
import os, subprocess, sys
from flong.storage import LockedSite, LockSettings, Store

url, host, *child = sys.argv[1:]
locking = LockSettings(host=host, heartbeat_seconds=float(os.environ["BEAT"]))
with Store.open(url, locking=locking) as store:
    if child == ["wait"]:
        print("ready", flush=True)
        sys.stdin.readline()
    try:
        with store.locks.hold(store.sites.all()[0]):
            if child == ["child"]:
                subprocess.Popen([sys.executable, *sys.argv[:-1]])
            print("locked", os.getpid(), flush=True)
            sys.stdin.read()
    except LockedSite as error:
        print("refused", error, flush=True)
"""
"""Locks the site of a database until its input ends; as a machine of some name, if one is given."""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "holder.py"
    path.write_text(HOLDER)
    return path


@pytest.fixture
def holder(program, url, site):
    """Return a function that starts a process that locks the site."""
    with ExitStack() as stack:

        def start(host="", *words, beat=BEAT):
            command = [sys.executable, str(program), url, host, *words]
            process = stack.enter_context(
                subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    env=os.environ | {"PYTHONPATH": str(Path.cwd()), "BEAT": str(beat)},
                )
            )
            stack.callback(process.stdin.close)
            return process

        yield start


def read_words(process):
    return process.stdout.readline().split(maxsplit=1)


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


@contextmanager
def opened(url, host="", heartbeat_seconds=BEAT):
    locking = LockSettings(host=host, heartbeat_seconds=heartbeat_seconds)
    with Store.open(url, locking=locking) as store:
        yield store


def refusal(store, site):
    """Return why a site cannot be locked; nothing if it can."""
    try:
        with store.locks.hold(site):
            return ""
    except LockedSite as error:
        return str(error)


def can_lock(store, site):
    return not refusal(store, site)


def set_clock(store, year):
    """Let locks be of another year, as if the clock of their owner or ours had been set since."""
    with store.writing() as connection:
        change = tables.locks.update().values(taken_at=datetime(year, 1, 1, tzinfo=UTC))
        connection.execute(change)


def test_a_locked_site_cannot_be_locked_again(store, site):
    with store.locks.hold(site):
        assert f"Process {os.getpid()} on" in refusal(store, site)
    assert can_lock(store, site)


def test_only_one_of_several_processes_gets_the_lock(holder):
    processes = [holder("", "wait") for _ in range(4)]
    assert [read_words(process) for process in processes] == [["ready"]] * 4
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    words = [read_words(process)[0] for process in processes]
    assert sorted(words) == ["locked", "refused", "refused", "refused"]


@pytest.mark.parametrize("year", [2020, 2060])
def test_clock_jump_does_not_release_a_live_lock(store, site, holder, year):
    assert read_words(holder())[0] == "locked"
    set_clock(store, year)
    assert f"since {year}-01-01" in refusal(store, site)


def test_the_lock_of_a_killed_process_is_taken_over(store, site, holder):
    owner = holder()
    assert read_words(owner)[0] == "locked"
    assert not can_lock(store, site)
    kill(owner)
    wait_until(lambda: can_lock(store, site))


def test_reused_process_id_does_not_hold_a_lock(store, site):
    with store.writing() as connection:
        former = replace(this_process(), started=1)
        write_lock(connection, site, LockPart.OWNER, former, store.locks.settings)
    assert can_lock(store, site)


def test_remote_lock_holds_while_heartbeats_arrive(url, site, holder):
    assert read_words(holder("elsewhere", beat=STEADY))[0] == "locked"
    with opened(url) as here:
        for _ in range(3):
            assert "on elsewhere has been working" in refusal(here, site)


def test_lock_of_a_dead_machine_expires_after_three_heartbeats(url, site, holder):
    owner = holder("elsewhere")
    assert read_words(owner)[0] == "locked"
    kill(owner)
    with opened(url) as here:
        wait_until(lambda: can_lock(here, site))


def test_wrong_clock_does_not_change_lock_expiry(url, store, site, holder):
    owner = holder("elsewhere", beat=STEADY)
    assert read_words(owner)[0] == "locked"
    for year in (2020, 2060):
        set_clock(store, year)
        with opened(url) as here:
            assert not can_lock(here, site)
    kill(owner)
    with opened(url) as here:
        wait_until(lambda: can_lock(here, site))


def test_restarted_machine_holds_no_lock(url, store, site):
    with store.writing() as connection:
        former = replace(this_process(), machine="an earlier start")
        settings = LockSettings(heartbeat_seconds=BEAT)
        write_lock(connection, site, LockPart.OWNER, former, settings)
    with opened(url) as here:
        assert can_lock(here, site)


def test_run_of_a_dead_machine_can_be_resumed(store, site, run):
    with store.writing() as connection:
        connection.execute(tables.runs.update().values(host="elsewhere"))
    assert store.runs.unfinished(site, "crawl") is None
    with store.locks.hold(site):
        assert store.runs.unfinished(site, "crawl").id == run.id


def test_killed_child_leaves_the_lock_to_its_parent(url, site, holder):
    with opened(url, "elsewhere", STEADY) as parent, parent.locks.hold(site):
        child = holder("elsewhere")
        assert read_words(child)[0] == "locked"
        kill(child)
        wait_until(lambda: not pid_is_alive(child.pid))
        with opened(url, "here") as stranger:
            assert not can_lock(stranger, site)
    with opened(url, "here") as stranger:
        wait_until(lambda: can_lock(stranger, site))


def test_child_keeps_the_lock_when_its_parent_dies(store, site, holder):
    parent = holder("", "child")
    pids = {int(read_words(parent)[1]) for _ in range(2)}
    (child,) = pids - {parent.pid}
    kill(parent)
    wait_until(lambda: f"Process {child} on" in refusal(store, site))
    parent.stdin.close()
    wait_until(lambda: can_lock(store, site))


def test_process_that_lost_its_lock_cannot_write(url, site):
    with opened(url) as sleeper, opened(url, "elsewhere") as other:
        lock = sleeper.locks.hold(site)
        lock.__enter__()
        with other.writing() as connection:
            mine = this_process("elsewhere")
            write_lock(connection, site, LockPart.OWNER, mine, other.locks.settings)
        wait_until(lambda: sleeper.refusal)
        with pytest.raises(LockedSite, match=r"took example\.org over"):
            sleeper.runs.start(site, "crawl")
        with pytest.raises(LockedSite, match=r"took example\.org over"):
            lock.__exit__(None, None, None)
        with other.reading() as connection:
            assert [row.host for row in connection.execute(tables.locks.select())] == ["elsewhere"]


def test_zombie_process_counts_as_dead():
    ended = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    ended.stdout.read()
    wait_until(lambda: not pid_is_alive(ended.pid))
    ended.communicate()
