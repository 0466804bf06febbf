"""A week in the life of a site, with the command that users put into cron."""

import json
import os
from collections import Counter
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import pytest

from flong.demo import Portal, judge, serve
from flong.storage import Store
from tests.databases import DIALECTS
from tests.smtp import run_smtp

AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")
FIRST = Portal(articles=60)
WEEK = {
    **{number: FIRST.night(number) for number in range(1, 7)},
    7: replace(FIRST.night(6).with_changes(), restless=True),
    8: FIRST.night(6).with_changes(new=3).behind_paywall(0.9),
    9: FIRST.night(6).with_changes(new=3).with_changes(new=2).behind_paywall(0.9),
}
SECRET = "very-secret-part"  # noqa: S105 - it opens nothing


@dataclass
class Night:
    """Observations of one night."""

    exitcode: int
    said: str
    report: dict
    log: list
    articles: dict
    """By path below the portal: title and body."""


@dataclass
class Week:
    nights: dict
    shell: object
    url: str
    posted: list
    mails: list


@pytest.fixture
def shell(make_shell, dialect):
    return make_shell(dialect)


@pytest.fixture(scope="module")
def whole_week(make_httpserver, make_shell):
    """All nights, on SQLite."""
    return live(WEEK, make_shell("sqlite"), make_httpserver)


@pytest.fixture(scope="module", params=DIALECTS)
def week(request, make_httpserver, make_shell):
    """The nights until the site is learned again; on SQLite the others too."""
    if request.param == "sqlite":
        return request.getfixturevalue("whole_week")
    nights = {number: WEEK[number] for number in range(1, 4)}
    return live(nights, make_shell(request.param), make_httpserver)


def live(nights, shell, webhook):
    """Let a site have some nights."""
    webhook.clear()
    webhook.expect_request(f"/{SECRET}").respond_with_data("thanks")
    shell.environment["FLONG_WEBHOOK"] = webhook.url_for(f"/{SECRET}")
    seen = {}
    with serve(FIRST) as site, run_smtp() as mail:
        mail.password = SECRET
        shell.environment["FLONG_SMTP"] = f"smtp://me:{SECRET}@127.0.0.1:{mail.port}"
        shell.environment["FLONG_MAIL_TO"] = "ann@example.org"
        shell("sites", "add", site.url, "--depth", 3, check=0)
        shell("clippings", "add", "everything", "since:1990", check=0)
        for number, portal in nights.items():
            site.portal = portal
            site.log.clear()
            done = shell("nightly", "--json", *AT_ONCE)
            assert done.stdout, done.stderr
            seen[number] = Night(
                exitcode=done.returncode,
                said=done.stdout + done.stderr,
                report=json.loads(done.stdout),
                log=list(site.log),
                articles=stored(shell, site.url),
            )
    posted = [request.get_json() for request, _ in webhook.log]
    return Week(seen, shell, site.url, posted, mail.mails)


def stored(shell, url):
    with Store.open(shell.database) as store:
        [site] = store.sites.all()
        return {row.article.url.removeprefix(url): row.article for row in store.articles.all(site)}


def kinds(night):
    return {finding["kind"] for finding in night.report["findings"]}


def score(week, number):
    portal = WEEK[number]
    return judge(portal.truth(), week.nights[number].articles.values(), portal.others())


def test_night_1_learns_the_site_and_finds_its_articles(week):
    night = week.nights[1]
    assert night.exitcode == 0, night.said
    assert "learn_first" in kinds(night)
    assert score(week, 1).share >= 0.95


def test_night_2_reports_exactly_what_happened(week):
    night = week.nights[2]
    assert night.exitcode == 0, night.said
    counts = night.report["articles"]
    assert (counts["new"], counts["changed"], counts["gone"]) == (3, 1, 1)
    before, after = ({t.path: t for t in WEEK[n].truth()} for n in (1, 2))
    new = {told["url"].removeprefix(week.url) for told in night.report["fresh"]}
    assert new == after.keys() - before.keys()
    [edited] = night.report["edited"]
    assert edited["changes"].startswith("body: ")
    assert [told["url"].removeprefix(week.url) for told in night.report["gone"]] == [
        *(before.keys() - after.keys())
    ]
    path = edited["url"].removeprefix(week.url)
    assert before[path].body != after[path].body
    assert score(week, 2).share >= 0.95


def test_nights_report_new_articles_in_clippings(week):
    for night in week.nights.values():
        told = {each["name"]: each["new"] for each in night.report["clippings"]}
        # An article may be found on a page that was known before.
        assert told.get("everything", 0) >= night.report["articles"]["new"]
    nights = [night.report["clippings"] for night in week.nights.values()]
    assert [mail["Subject"] for mail in week.mails] == [
        f"New: everything ({told[0]['new']})" for told in nights if told
    ]


def test_night_2_sends_conditional_requests(week):
    night = week.nights[2]
    known = week.nights[1].articles.keys()
    asked = [request for request in night.log if request.target in known]
    assert {request.target for request in asked} == known
    assert all(request.conditional for request in asked)
    statuses = Counter(request.status for request in asked)
    assert statuses[304] == len(known) - 2
    assert statuses[200] == 1


def test_a_gone_article_stays_in_the_database(week):
    gone = {t.path for t in WEEK[1].truth()} - {t.path for t in WEEK[2].truth()}
    assert gone <= week.nights[max(week.nights)].articles.keys()


def test_night_3_detects_the_redesign_and_relearns(week):
    night = week.nights[3]
    assert night.exitcode == 3
    assert {"drift_accepted", "redesign", "learn_drift"} <= kinds(night)
    assert night.report["articles"]["new"] == 3
    assert score(week, 3).correct >= score(week, 2).correct
    assert score(week, 3).share >= 0.98


def test_night_4_is_quiet_again(whole_week):
    night = whole_week.nights[4]
    assert night.exitcode == 0, night.said
    assert not night.report["findings"]
    assert night.report["clippings"] == []
    assert night.report["pages"]["new"] == night.report["pages"]["changed"] == 0
    assert night.articles == whole_week.nights[3].articles


def test_night_5_rejects_the_consent_wall(whole_week):
    night = whole_week.nights[5]
    assert night.exitcode == 3
    assert kinds(night) == {"wall"}
    assert night.articles == whole_week.nights[4].articles


def test_night_6_shows_no_trace_of_the_wall(whole_week):
    night = whole_week.nights[6]
    assert night.exitcode == 0, night.said
    assert night.report["pages"]["new"] == night.report["pages"]["changed"] == 0
    assert night.articles == whole_week.nights[4].articles
    assert sum(request.status == 304 for request in night.log) > 50


def test_night_7_changed_boxes_do_not_change_articles(whole_week):
    night = whole_week.nights[7]
    assert night.report["pages"]["changed"] > 40
    assert night.report["articles"]["changed"] == 0
    assert night.exitcode == 0, night.said


def test_night_8_a_paywall_replaces_no_article_and_adds_none(whole_week):
    night = whole_week.nights[8]
    assert night.exitcode == 3
    assert "paywall" in kinds(night)
    before = {path: a.body for path, a in whole_week.nights[7].articles.items()}
    after = {path: a.body for path, a in night.articles.items()}
    truth = {t.path: t.body for t in WEEK[8].truth()}
    kept = before.keys() & truth.keys()
    assert kept
    assert all(len(after[path]) >= 0.6 * len(before[path]) for path in kept)
    for path in (after.keys() - before.keys()) & truth.keys():
        assert len(after[path]) > 0.5 * len(truth[path])


def test_night_9_reports_the_paywall_again(whole_week):
    night = whole_week.nights[9]
    assert night.exitcode == 3
    assert "paywall" in kinds(night)
    before = whole_week.nights[8].articles
    assert {path: night.articles[path].body for path in before} == {
        path: article.body for path, article in before.items()
    }
    truth = {t.path: t.body for t in WEEK[9].truth()}
    for path in (night.articles.keys() - before.keys()) & truth.keys():
        assert len(night.articles[path].body) > 0.5 * len(truth[path])


def test_only_articles_that_changed_have_versions(week):
    with Store.open(week.shell.database) as store:
        [site] = store.sites.all()
        numbers = [row.page_id for row in store.articles.all(site)]
        edited = [number for number in numbers if store.articles.versions(number)]
    assert len(edited) <= 2


def test_reports_are_posted_without_showing_the_webhook_url(week):
    assert len(week.posted) == len(week.nights)
    assert week.posted[1]["reports"][0]["articles"]["new"] == 3
    assert SECRET not in "".join(night.said for night in week.nights.values())


def test_a_report_can_be_read_later(week, tmp_path):
    number = week.nights[3].report["run"]
    again = week.shell("runs", "--run", number, "--json", check=0).stdout
    assert json.loads(again) == week.nights[3].report
    file = tmp_path / "report.html"
    table = week.shell("runs", "--run", number, "--html", file, check=0).stdout
    assert "have changed" in table
    assert "have changed" in file.read_text()
    told = week.nights[3].report["fresh"][0]
    assert f'<a href="http://127.0.0.1:8180/articles/{told["page"]}">' in file.read_text()
    assert week.shell("runs", "--run", 99999).returncode == 1


def test_patterns_have_a_history(week):
    with Store.open(week.shell.database) as store:
        [site] = store.sites.all()
        retired = [row for row in store.templates.patterns(site, retired=True) if row.retired_at]
        clusters = {row.id for row in store.templates.clusters(site)}
        assert retired
        assert clusters & {row.cluster_id for row in retired}


def test_database_passes_integrity_checks(whole_week):
    with Store.open(whole_week.shell.database) as store, store.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def test_paused_sites_are_skipped_and_can_be_removed(week):
    shell = week.shell
    shell("sites", "pause", week.url, check=0)
    done = shell("nightly")
    assert (done.returncode, "no site to visit" in done.stderr) == (1, True)
    shell("sites", "resume", week.url, check=0)
    row = json.loads(shell("sites", "set", week.url, "--delay", 2, "--json", check=0).stdout)
    assert row["kind"] == "visited"
    day, time = row["last_started_at"].split("T")
    assert f"{day} {time[:5]} " in shell("sites", check=0).stdout
    assert shell("sites", "pause").returncode == 2
    assert shell("sites", "remove", week.url, "--yes", check=0).stdout.startswith("127.0.0.1")
    assert shell("sites", "--json", check=0).stdout == ""


def test_dead_site_does_not_affect_parallel_ones(shell):
    with serve(Portal(articles=12)) as one:
        shell("sites", "add", one.url, check=0)
        shell("sites", "add", "http://127.0.0.1:9/", check=0)
        done = shell("nightly", "--jobs", 2, "--json", *AT_ONCE)
    reports = {r["site"]: r for r in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 3, done.stderr
    [finding] = reports["127.0.0.1:9"]["findings"]
    assert finding["kind"] == "crawl_refused"
    assert "refused" in finding["detail"]
    assert reports[one.url.removeprefix("http://")]["articles"]["total"] >= 10


def test_a_plain_crawl_of_a_learned_site_labels_new_pages(harvests, databases, dialect):
    harvest = harvests(dialect)
    copied = databases(dialect).copy(harvest.shell.database)
    shell, later = replace(harvest.shell, database=copied), harvest.portal.with_changes(new=3)
    before = stored(shell, harvest.url)
    with serve(later, urlsplit(harvest.url).port) as site:
        crawl = ("crawl", "site", "-a", f"url={site.url}", *AT_ONCE)
        shell(*crawl, check=0)
        after = stored(shell, site.url)
        site.portal = later.behind_consent_wall()
        assert shell(*crawl).returncode == 3
    new = {t.path for t in later.truth()} - {t.path for t in harvest.portal.truth()}
    assert after.keys() - before.keys() == new
    assert stored(shell, site.url) == after


ANY = pytest.mark.parametrize("dialect", ["sqlite"])
"""For tests in which the kind of database makes no difference."""


@ANY
def test_a_wrong_number_of_jobs_is_refused(shell):
    assert shell("nightly", "--jobs", "0").returncode == 2


@ANY
def test_error_messages_contain_no_secrets(shell):
    shell.environment["FLONG_WEBHOOK"] = f"http://127.0.0.1:9/{SECRET}"
    shell("sites", "add", "http://127.0.0.1:9/", check=0)
    done = shell("nightly")
    assert "webhook could not be reached" in done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert os.environ.get("FLONG_WEBHOOK") is None
