"""Kills in the middle of a write, full disks, locks: the database stays consistent."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest
from sqlalchemy import text

from flong.demo import Portal
from flong.page import Page
from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.storage import BusyDatabase, FullDisk, Store
from tests.crawler.conftest import PROJECT, Crawl
from tests.faults.serving import page as served

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOME = "https://courier.example/"
STATE = [
    text(f"SELECT * FROM {name}")  # noqa: S608 - names of ours
    for name in ("pages", "matches", "articles", "clusters", "patterns", "models")
]

WRITER = """
import os, random, resource, signal, sys
from datetime import UTC, datetime
from flong.page import Page
from flong.storage import Store

def batch(name):
    dice = random.Random(name)
    texts = ("".join(dice.choices("abcdefghijklmnop ", k=20_000)) for _ in range(5))
    return [
        Page(url=f"https://a.example/{name}/{n}", html=text, fetched_at=datetime.now(UTC))
        for n, text in enumerate(texts)
    ]

def write(limit):
    with Store.open(sys.argv[1]) as store:
        site = store.sites.add("https://a.example/")
        run = store.runs.start(site, "crawl")
        store.pages.save(site, run, batch(f"whole-{limit}"))
        with store.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        # The kernel kills us in the middle of the write that goes beyond the limit.
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        store.pages.save(site, run, batch(f"torn-{limit}"))

for limit in map(int, sys.argv[2:]):
    child = os.fork()
    if not child:
        write(limit)
        os._exit(0)
    print(os.waitpid(child, 0)[1])
"""

LOOPER = """
import itertools, sys
from datetime import UTC, datetime
from flong.page import Page
from flong.storage import Store

with Store.open(sys.argv[1]) as store:
    site = store.sites.add("https://a.example/")
    run = store.runs.start(site, "crawl")
    for number in itertools.count():
        urls = [f"https://a.example/{number}/{n}" for n in range(7)]
        pages = [Page(url=url, html=url * 2000, fetched_at=datetime.now(UTC)) for url in urls]
        store.pages.save(site, run, pages)
        print(number, flush=True)
"""


def is_sound(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def stored(path):
    with Store.open(f"sqlite:///{path}") as store:
        return [row.url.split("/")[3] for row in store.pages.rows(store.sites.all()[0]) if row.html]


def test_torn_write_keeps_committed_data(tmp_path):
    path, limits = tmp_path / "flong.db", [100, 5_000, 33_000, 60_000]
    command = [sys.executable, "-c", WRITER, f"sqlite:///{path}", *map(str, limits)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(int(signal.SIGXFSZ))] * len(limits), done.stderr
    assert is_sound(path)
    assert sorted(stored(path)) == sorted(f"whole-{limit}" for limit in limits for _ in range(5))


def test_kill_leaves_only_whole_batches(tmp_path):
    path = tmp_path / "flong.db"
    command = [sys.executable, "-c", LOOPER, f"sqlite:///{path}"]
    for last in (2, 5):
        with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as writer:
            told = [int(writer.stdout.readline()) for _ in range(last + 1)]
            writer.kill()
        assert is_sound(path)
        found = stored(path)
        assert {str(number) for number in told} <= set(found)
        assert all(found.count(number) == 7 for number in set(found))


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A small learned site; tests work on copies."""
    path = tmp_path_factory.mktemp("learned") / "flong.db"
    portal = Portal(articles=12)
    paths = [*portal.others(), *(true.path for true in portal.truth())]
    with Store.open(f"sqlite:///{path}") as store:
        site = store.sites.add(HOME)
        run = store.runs.start(site, "crawl")
        html = {HOME + at.strip("/"): portal.get(at).text for at in paths}
        pages = [Page(url=url, html=each, fetched_at=NOON) for url, each in html.items()]
        store.pages.save(site, run, pages)
        store.runs.finish(run, "done")
        learn(store, site, LearningSettings())
    return path


@pytest.fixture
def copy(learned, tmp_path):
    return shutil.copy(learned, tmp_path / "flong.db")


@pytest.fixture
def store(copy):
    with Store.open(f"sqlite:///{copy}?timeout=0.3") as store:
        yield store


def fill_disk(store, spare=1):
    """Let the database have no more than a few pages of the file to spare."""
    with store.engine.connect() as connection:
        size = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {size + spare}")


def incompressible(seed):
    return "".join(Random(seed).choices("abcdefghijklmnop ", k=100_000))  # noqa: S311 - no secret


def random_page(name):
    return Page(url=f"{HOME}{name}", html=incompressible(name), fetched_at=NOON)


def state(store):
    """Return all that a stage writes."""
    with store.engine.connect() as connection:
        return [connection.execute(query).all() for query in STATE]


def test_full_disk_is_retried(copy):
    tries = []
    with Store.open(f"sqlite:///{copy}?timeout=60") as store:
        site = store.sites.all()[0]
        run = store.runs.start(site, "crawl")
        fill_disk(store)

        def save():
            tries.append(len(tries))
            if len(tries) == 2:
                fill_disk(store, spare=1000)
            return store.pages.save(site, run, [random_page("late")])

        assert store.retry_while_busy(save).new == 1
        assert store.pages.find(f"{HOME}late").html == random_page("late").html
    assert len(tries) == 2


@pytest.mark.parametrize("stage", ["crawl", "learn", "extract"])
def test_full_disk_stops_a_stage_without_partial_writes(store, stage):
    site = store.sites.all()[0]
    run = store.runs.start(site, "crawl")
    before = state(store)
    fill_disk(store)
    work = {
        "crawl": lambda: store.retry_while_busy(
            lambda: store.pages.save(site, run, [random_page(n) for n in range(9)])
        ),
        "learn": lambda: learn(store, site, LearningSettings()),
        "extract": lambda: extract(store, site),
    }[stage]
    with pytest.raises(FullDisk, match="no space left"):
        work()
    assert state(store) == before
    fill_disk(store, spare=1000)
    work()
    assert state(store) != before


def test_locked_database_stops_extraction(store):
    site, before = store.sites.all()[0], state(store)
    with closing(sqlite3.connect(store.engine.url.database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(BusyDatabase, match="locked by another process"):
            extract(store, site)
        other.execute("ROLLBACK")
    assert state(store) == before
    assert extract(store, site).articles > 5


@pytest.fixture
def small_disk(tmp_path):
    """A file system of two megabytes; tests that need one are skipped where none can be had."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607 - wherever it is


def portal_of(server, pages):
    """Serve pages whose text no compression makes small."""
    server.routes["/"] = served(*(f"/{n}" for n in range(pages)), text="Home")
    for number in range(pages):
        server.routes[f"/{number}"] = served(text=incompressible(number))
    return {f"/{number}" for number in range(pages)}


def test_crawl_on_a_full_disk_fails_and_can_be_resumed(small_disk, new_server, scrapy):
    server = new_server()
    paths = portal_of(server, 60)
    crawl = Crawl(scrapy, f"sqlite:///{small_disk}/flong.db")
    hasty = replace(crawl, database=f"{crawl.database}?timeout=3")
    done = hasty.run(server.url, "-s", "FLONG_BATCH=5")
    assert done.returncode == 1
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("flong: ")]
    assert "no space left" in sentence
    assert "Traceback" not in done.stderr
    assert is_sound(small_disk / "flong.db")
    larger = ["mount", "-o", "remount,size=40m", str(small_disk)]
    subprocess.run(larger, check=True)
    some = stored(small_disk / "flong.db")
    assert 0 < len(some) < len(paths)
    assert crawl.run(server.url).returncode == 0
    assert {f"/{name}" for name in stored(small_disk / "flong.db")} >= paths


def test_crawl_with_a_locked_database_fails_and_can_be_resumed(tmp_path, new_server, scrapy):
    server, path = new_server(), tmp_path / "flong.db"
    paths = portal_of(server, 20)
    crawl = Crawl(scrapy, f"sqlite:///{path}")
    hasty = replace(crawl, database=f"{crawl.database}?timeout=0.5")
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        last = server.routes["/7"]

        def lock_and_answer(exchange):
            if not other.in_transaction:
                other.execute("BEGIN EXCLUSIVE")
            last(exchange)

        server.routes["/7"] = lock_and_answer
        done = hasty.run(server.url, "-s", "FLONG_BATCH=3")
    assert done.returncode == 1
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("flong: ")]
    assert "locked by another process" in sentence
    assert "Traceback" not in done.stderr
    server.routes["/7"] = last
    assert crawl.run(server.url).returncode == 0
    assert {f"/{name}" for name in stored(path)} >= paths
