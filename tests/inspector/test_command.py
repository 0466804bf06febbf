"""`scrapy inspect`, as a user starts and stops it."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx

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


def test_it_says_where_it_listens_serves_and_ends_when_interrupted(database):
    with inspect(database, "--port", "0", "-s", "FLONG_SIMILARITY=0.7") as process:
        said = process.stdout.readline()
        address = next(word for word in said.split() if word.startswith("http"))
        assert address.startswith("http://127.0.0.1:")
        assert "courier.example" in httpx.get(f"{address}sites", timeout=60).text
        # That is how it was learned, whatever the settings are by now.
        assert "80% similar" in httpx.get(f"{address}sites/courier.example", timeout=60).text
        assert len(httpx.get(f"{address}export/articles.jsonl", timeout=60).text) > 1000
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


def test_others_on_the_network_are_warned_of_and_other_hosts_refused(inspectors):
    with inspect(inspectors("sqlite").database, "--host", "0.0.0.0", "--port", "0") as process:  # noqa: S104 - the case
        address = next(w for w in process.stdout.readline().split() if w.startswith("http"))
        address = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        asked = {
            host: httpx.get(f"{address}sites", headers={"host": host}, timeout=60).status_code
            for host in ("evil.example", "127.0.0.1", "localhost:8180", socket.gethostname())
        }
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert "there is no password" in process.stderr.read()
    assert list(asked.values()) == [400, 200, 200, 200], asked


def test_a_port_in_use_is_told_in_a_sentence(database):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with inspect(database, "--port", port) as process:
            said = process.stderr.read()
            assert process.wait(30) == 1
    assert said.startswith("flong: Cannot listen on 127.0.0.1 port ")
    assert said.count("\n") == 1


def test_other_commands_do_not_wait_for_a_web_server():
    code = "import flong.commands.inspect, sys; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
