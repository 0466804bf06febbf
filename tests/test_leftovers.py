"""A run that is killed leaves no process, server or folder behind."""

import os
import subprocess
import sys
from pathlib import Path

from flong.storage.locks import pid_is_alive
from tests import leftovers
from tests.conftest import ROOT, lacking
from tests.databases import find_postgresql
from tests.waiting import wait_until

SLEEPER = """
import subprocess, sys
from tests import leftovers
leftovers.watch()
print(subprocess.Popen(["sleep", "3600"], process_group=0).pid, flush=True)
sys.stdin.read()
"""
SERVER = """
import sys
from pathlib import Path
from tests.databases import find_postgresql, run_postgresql
with run_postgresql(find_postgresql()) as server:
    print(server.engine.url.query["host"], flush=True)
    sys.stdin.read()
"""


def first_line_of_killed(program):
    """Run a program, kill it when it has printed a line, and return the line."""
    bare = {name: value for name, value in os.environ.items() if name != leftovers.MARK}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT, env=bare, stdin=pipe, stdout=pipe) as process:
        line = process.stdout.readline().decode().strip()
        process.kill()
    return line


def test_processes_of_a_killed_run_are_ended():
    pid = int(first_line_of_killed(SLEEPER))
    wait_until(lambda: not pid_is_alive(pid))


def test_server_and_folder_of_a_killed_run_are_removed():
    if find_postgresql() is None:
        lacking("PostgreSQL or its driver")
    folder = Path(first_line_of_killed(SERVER))
    assert folder.is_absolute()
    wait_until(lambda: not folder.exists())
