"""The command `inspect`: start, output and end."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from scrapy.settings import Settings

from flong.commands.fleet import FleetCommand
from flong.commands.inspect import InspectCommand
from flong.commands.nightly import NightlyCommand
from flong.inspector import Jobs
from tests.waiting import HANG_SECONDS, wait_until

ROOT = Path(__file__).parents[2]


@contextmanager
def inspect(database, *arguments):
    command = [sys.executable, "-u", "-m", "scrapy", "inspect", *arguments]
    environment = {**os.environ, "FLONG_DATABASE": database}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_command_prints_its_url_and_ends_when_interrupted(database):
    with inspect(database, "--port", "0", "-s", "FLONG_SIMILARITY=0.7") as process:
        said = process.stdout.readline()
        address = next(word for word in said.split() if word.startswith("http"))
        assert address.startswith("http://127.0.0.1:")
        assert "courier.example" in httpx.get(f"{address}sites", timeout=HANG_SECONDS).text
        # The model decides, not the current settings.
        assert (
            "80% similar" in httpx.get(f"{address}sites/courier.example", timeout=HANG_SECONDS).text
        )
        assert len(httpx.get(f"{address}export/articles.jsonl", timeout=HANG_SECONDS).text) > 1000
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert process.stderr.read() == ""


def test_job_finds_the_database_in_its_environment(tmp_path):
    jobs = Jobs(environment={**os.environ, "FLONG_DATABASE": f"sqlite:///{tmp_path / 'secret.db'}"})
    job = jobs.submit("a", "add", [("sites", "add", "http://a.example/")])
    wait_until(lambda: jobs.of("a")[0].is_over)
    jobs.close()
    assert jobs.of("a")[0].state == "done", job
    assert (tmp_path / "secret.db").exists()


@pytest.mark.parametrize("command", [InspectCommand, NightlyCommand, FleetCommand])
def test_settings_for_children_have_no_database(command):
    command = command()
    command.settings = Settings({"FLONG_DATABASE": "postgresql://me:secret@host/flong"})
    given = ["FLONG_DATABASE=postgresql://me:secret@host/flong", "FLONG_BATCH=5"]
    assert command.child_settings(given) == ["FLONG_BATCH=5"]
    assert "secret" in command.child_environment()["FLONG_DATABASE"]


def test_network_access_is_warned_of_and_other_hosts_refused(inspectors):
    with inspect(inspectors("sqlite").database, "--host", "0.0.0.0", "--port", "0") as process:  # noqa: S104 - the case
        address = next(w for w in process.stdout.readline().split() if w.startswith("http"))
        address = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        asked = {
            host: httpx.get(
                f"{address}sites", headers={"host": host}, timeout=HANG_SECONDS
            ).status_code
            for host in ("evil.example", "127.0.0.1", "localhost:8180", socket.gethostname())
        }
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert "there is no password" in process.stderr.read()
    assert list(asked.values()) == [400, 200, 200, 200], asked


def test_port_in_use_is_reported(database):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with inspect(database, "--port", port) as process:
            said = process.stderr.read()
            assert process.wait() == 1
    assert said.startswith("flong: Cannot listen on 127.0.0.1 port ")
    assert said.count("\n") == 1


def test_other_commands_do_not_wait_for_a_web_server():
    code = "import flong.commands.inspect, sys; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
