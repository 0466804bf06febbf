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
        yield process
        process.kill()


def test_it_says_where_it_listens_serves_and_ends_when_interrupted(database):
    with inspect(database, "--port", "0", "-s", "FLONG_SIMILARITY=0.7") as process:
        said = process.stdout.readline()
        address = next(word for word in said.split() if word.startswith("http"))
        assert address.startswith("http://127.0.0.1:")
        assert "courier.example" in httpx.get(f"{address}sites", timeout=60).text
        assert "70% similar" in httpx.get(f"{address}sites/courier.example", timeout=60).text
        assert len(httpx.get(f"{address}export/articles.jsonl", timeout=60).text) > 1000
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


def test_a_port_in_use_is_told_in_a_sentence(database):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with inspect(database, "--port", port) as process:
            said = process.stderr.read()
            assert process.wait(30) == 1
    assert said.startswith("flong: Cannot listen on 127.0.0.1 port ")
    assert said.count("\n") == 1


def test_other_commands_do_not_wait_for_a_web_server():
    code = "import pipeline.commands.inspect, sys; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
