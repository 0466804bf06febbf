"""Nights that succeed without articles are reported, with exit code 3."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.demo import Portal, Response, serve
from flong.stages.drift import usual_volume
from flong.stages.night import NightSettings, nightly
from flong.storage import RunCounts, Store

AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False", "-s", "RETRY_TIMES=0")
FIRST = Portal(articles=20)
ARTICLES = {truth.path for truth in FIRST.truth()}
HTML = (("Content-Type", "text/html"),)
EMPTY = Response(200, HTML, b"")
MAINTENANCE = Response(200, HTML, b"<title>Courier</title><p>We are back <a href=/>soon</a>.")
WITH_LINKS = Response(
    200,
    HTML,
    b"<p>Back soon. <a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a> "
    b"<a href=/contact>Contact</a> <a href=/help>Help</a>",
)
ELSEWHERE = Response(302, (("Location", "/maintenance.html"),))


@dataclass
class Outage:
    """The portal, with another response at some paths."""

    concerns: object
    response: Response

    def get(self, target, headers=None):
        if target == "/maintenance.html":
            return MAINTENANCE
        usual = FIRST.get(target, headers)
        return self.response if self.concerns(target.partition("?")[0]) else usual


@pytest.fixture(scope="module")
def first_night(make_shell):
    """A portal that is being served, and a database after its first night."""
    shell = make_shell("sqlite")
    with serve(FIRST) as site:
        shell("sites", "add", site.url, check=0)
        shell("nightly", *AT_ONCE, check=0)
        yield site, shell


@pytest.fixture
def later(first_night, tmp_path):
    """The portal and a copy of the database, which may be changed."""
    site, shell = first_night
    file = tmp_path / "flong.db"
    shutil.copy(shell.database.removeprefix("sqlite:///"), file)
    site.log.clear()
    yield site, replace(shell, database=f"sqlite:///{file}"), file
    site.portal = FIRST


def night(shell):
    done = shell("nightly", "--json", *AT_ONCE)
    return done.returncode, json.loads(done.stdout)


def is_article(path):
    return path in ARTICLES


def is_home(path):
    return path == "/"


@pytest.mark.parametrize(
    ("concerns", "response", "said"),
    [
        (is_article, Response(500, HTML, b"broken"), "HTTP status 500"),
        (is_article, Response(404, HTML, b"nothing"), "are gone since the last night"),
        (is_article, Response(302, (("Location", "/"),)), "are now redirected"),
        (
            lambda path: path == "/robots.txt",
            Response(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /*/20"),
            "robots.txt does not allow it",
        ),
        (is_home, EMPTY, "leads to 0 of its pages"),
        (is_home, MAINTENANCE, "under maintenance"),
        (is_home, WITH_LINKS, "leads to 4 of its pages"),
        (is_home, ELSEWHERE, "under maintenance"),
        (is_home, Response(304), "HTTP status 304"),
    ],
    ids=[
        "500",
        "404",
        "redirected",
        "robots",
        "empty home",
        "maintenance",
        "maintenance with links",
        "home redirects to maintenance",
        "304 unasked",
    ],
)
def test_outage_is_reported_and_articles_are_kept(later, concerns, response, said):
    site, shell, file = later
    if response.status == 304:
        with closing(sqlite3.connect(file)) as database:
            database.execute("UPDATE pages SET etag = NULL, last_modified = NULL WHERE depth = 0")
            database.commit()
    before = articles(shell)
    site.portal = Outage(concerns, response)
    code, report = night(shell)
    assert code == 3
    assert said in " ".join(finding["sentence"] for finding in report["findings"])
    assert articles(shell) == before


def articles(shell):
    with Store.open(shell.database) as store:
        return {row.article.url for row in store.articles.all()}


def test_times_in_the_future_do_not_stop_nights(later):
    site, shell, file = later
    with closing(sqlite3.connect(file)) as database:
        # Articles that had not changed for years would rest for long.
        for table, years in {
            "pages": {"first_seen": 2090, "last_seen": 2099, "changed_at": 2090},
            "aliases": {"checked_at": 2099},
            "articles": {"created_at": 2090, "changed_at": 2090},
            "runs": {"started_at": 2099, "finished_at": 2099},
        }.items():
            for name, year in years.items():
                database.execute(
                    f"UPDATE {table} SET {name} = '{year}' || substr({name}, 5)"  # noqa: S608
                )
        database.commit()
    site.portal = FIRST.with_changes(new=2, edited=1)
    code, report = night(shell)
    assert len(site.log) > len(ARTICLES)
    assert code == 0, report
    assert (report["articles"]["new"], report["articles"]["changed"]) == (2, 1)


def test_resumed_crawl_belongs_to_the_night_that_resumes_it(tmp_path):
    with Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store:
        site = store.sites.add("http://a.example/")
        killed = store.runs.start(site, "crawl")

        def crawl(_, night):
            run = store.runs.resume(killed, night_id=night.id)
            store.runs.finish(run, "done", RunCounts(unchanged=7))
            return ""

        report = nightly(store, site, crawl, NightSettings())
        assert report.pages["unchanged"] == 0  # as counted from the pages, of which there are none
        assert [run.night_id for run in store.runs.all(site) if run.kind == "crawl"] == [report.run]


@pytest.mark.parametrize(("last", "told"), [(0, True), (11, False)])
def test_unusually_few_new_articles_are_reported(tmp_path, last, told):
    with Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store:
        site = store.sites.add("http://a.example/")
        for count in [300, *[12, 10, 14, 12, 9, 15, 12] * 2]:
            run = store.runs.start(site, "nightly")
            store.runs.finish(run, "done", RunCounts(articles=count))
        with store.writing() as connection:
            connection.exec_driver_sql(
                "UPDATE runs SET started_at = strftime('%Y-%m-%dT%H:%M:%SZ', started_at,"
                " (id - 16) || ' days')"
            )
        tonight = store.runs.start(site, "nightly")
        past = store.runs.new_articles_by_day([tonight])[tonight.id]
        assert len(past) == 14
        assert usual_volume(past, tonight.started_at.date()).is_undercut_by(last) == told


days = st.dictionaries(
    st.integers(1, 60).map(lambda n: date(2026, 5, 1) - timedelta(days=n)), st.integers(0, 99)
)


@given(days, st.integers(0, 99))
def test_volume_equal_to_every_past_day_is_usual(past, count):
    same = dict.fromkeys(past, count)
    usual = usual_volume(same, date(2026, 5, 1))
    assert usual is None or not usual.is_undercut_by(count)
    assert (usual is None) == (len(same) < 3)
