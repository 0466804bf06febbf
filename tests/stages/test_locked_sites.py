"""Commands that write refuse a site that another process works on; they do not wait."""

import os
import shutil
import subprocess
import sys

import pytest

from flong.storage import Store
from tests.conftest import ROOT
from tests.faults.serving import FaultServer, page
from tests.stages.conftest import AT_ONCE, Shell

COMMANDS = {
    "crawl": ("crawl", "site", "-a", "url=https://news.example"),
    "learn": ("learn",),
    "extract": ("extract", "--all"),
    "load": ("load", "https://news.example", "."),
    "nightly": ("nightly",),
    "remove": ("sites", "remove", "news.example", "--yes"),
}


def sentences(said):
    return [line for line in said.splitlines() if line.startswith("flong: ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_locked_site_is_refused(shell, tmp_path, command):
    words = COMMANDS[command]
    if command == "load":
        (tmp_path / "index.html").write_text("<p>Hello")
        words = (*words[:2], tmp_path)
    with Store.open(shell.database) as store:
        site = store.sites.add("https://news.example/")
        with store.locks.hold(site):
            done = shell(*words, check=1)
        assert f"Process {os.getpid()} on" in done.stdout + done.stderr
        assert "has been working on" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        assert len(sentences(done.stderr)) == (0 if command == "nightly" else 1)
        assert store.runs.all(site) == []


@pytest.mark.parametrize("command", ["learn", "extract"])
def test_locked_site_does_not_stop_others(harvest, scrapy, tmp_path, command):
    shutil.copy(harvest.shell.database.removeprefix("sqlite:///"), tmp_path / "flong.db")
    copied = Shell(scrapy, f"sqlite:///{tmp_path / 'flong.db'}")
    with Store.open(copied.database) as store:
        busy = store.sites.add("https://a-busy-one.example")
        with store.locks.hold(busy):
            done = copied(command, check=3)
    (sentence,) = sentences(done.stderr)
    assert "has been working on a-busy-one.example" in sentence
    assert " of them of articles" in done.stdout or " pages are articles" in done.stdout


def test_a_site_cannot_be_learned_while_it_is_crawled(shell):
    learned = []
    learn = [sys.executable, "-m", "scrapy", "learn"]
    environment = os.environ | {"FLONG_DATABASE": shell.database}
    server = FaultServer()
    server.routes["/"] = page("/slow")

    def learn_meanwhile(exchange):
        done = subprocess.run(
            learn, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        learned.append((done.returncode, done.stderr))
        page("/")(exchange)

    server.routes["/slow"] = learn_meanwhile
    try:
        shell("crawl", "site", "-a", f"url={server.url}", *AT_ONCE, check=0)
    finally:
        server.close()
    ((code, said),) = learned
    assert code == 1
    assert len(said.splitlines()) == 1
    assert "has been working on" in said
