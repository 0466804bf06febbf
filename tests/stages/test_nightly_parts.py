"""The parts of a night: walls, drift, reports, timers."""

import json
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from flong.document import visible_words
from flong.findings import Finding
from flong.page import Page
from flong.stages.after_crawl import reject_wall
from flong.stages.delivery import post
from flong.stages.drift import drift, find_cut, find_short, loosening, measure
from flong.stages.night import NightSettings, nightly, trouble_of
from flong.stages.report import (
    NightReport,
    ReportedArticle,
    failed_night,
    show_reports,
    write_html,
)
from flong.stages.walls import find_wall, same_texts
from flong.states import FindingKind, KeepReason, RunStatus
from flong.storage import Figures, NightPage, Store

ROOT = Path(__file__).parents[2]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
WALL = "<title>Wait</title><p>We and our partners value your privacy. Accept and continue."


@pytest.mark.parametrize(
    ("status", "note", "kind", "detail"),
    [
        (None, "", FindingKind.CRAWL_FAILED, ""),
        (RunStatus.KILLED, "", FindingKind.CRAWL_FAILED, ""),
        (RunStatus.INTERRUPTED, "", FindingKind.CRAWL_STOPPED, ""),
        (RunStatus.FAILED, "No host.", FindingKind.CRAWL_REFUSED, "No host"),
        (RunStatus.DONE, "It ended at 5 pages.", FindingKind.CRAWL_BOUNDED, "It ended at 5 pages."),
    ],
)
def test_failed_crawl_run_gives_a_finding(tmp_path, status, note, kind, detail):
    with Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store:
        site = store.sites.add("https://news.example/")
        night = store.runs.start(site, "nightly")
        if status is not None:
            store.runs.leave(store.runs.start(site, "crawl", night_id=night.id), status, note)
        store.runs.start(site, "crawl")  # of no night
        runs = store.runs.of_night(night, "crawl")
        found = trouble_of(next(iter(runs), None), site)
        assert (found.kind, found.site, found.detail) == (kind, "news.example", detail)


def decision(number, **changes):
    made = NightPage(
        page_id=number,
        article_id=number,
        url=f"http://a.example/{number}",
        is_new=False,
        pattern_id=1,
        before_pattern_id=1,
        fit="strict",
        verdict="article",
        kept=KeepReason.NONE,
        page_words=800,
        agrees=True,
        title="Rain",
        words=400,
        paragraphs=10,
        is_dated=True,
        has_author=True,
        is_edited=False,
    )
    return replace(made, **changes)


USUAL = measure(decision(n) for n in range(40))


def complaints(*tonight):
    return [found for each in measure(tonight) for found in drift(each, USUAL).items()]


def test_ordinary_night_is_not_drift():
    assert complaints(*(decision(n) for n in range(9))) == []
    assert complaints(decision(1, words=3, is_dated=False)) == []


@pytest.mark.parametrize(
    ("change", "kind", "counts"),
    [
        (
            {"pattern_id": None, "fit": "none", "verdict": "unmatched", "title": None},
            FindingKind.DRIFT_ACCEPTED,
            {"accepted": 0, "before": 9},
        ),
        ({"kept": KeepReason.NOTHING}, FindingKind.DRIFT_ACCEPTED, {"accepted": 0, "before": 9}),
        ({"is_dated": False}, FindingKind.DRIFT_DATED, {"now": 0, "before": 1}),
        ({"has_author": False}, FindingKind.DRIFT_AUTHORED, {"now": 0, "before": 1}),
        ({"agrees": False}, FindingKind.DRIFT_AGREEING, {"now": 0, "before": 1}),
        ({"words": 90}, FindingKind.DRIFT_WORDS, {"now": 90, "before": 400}),
        ({"paragraphs": 2}, FindingKind.DRIFT_PARAGRAPHS, {"now": 2, "before": 10}),
        ({"page_words": 8000}, FindingKind.DRIFT_CAPTURED, {"now": 0.05, "before": 0.5}),
    ],
)
def test_half_broken_template_is_reported(change, kind, counts):
    assert (kind, counts) in complaints(*(decision(n, **change) for n in range(9)))


def test_page_matched_by_another_pattern_is_not_drift():
    [_, other] = measure([decision(1), decision(2, pattern_id=7)])
    assert other.pattern_id == 7
    assert complaints(*(decision(n, pattern_id=7) for n in range(9))) == []


def test_looser_fit_is_only_a_note():
    [figures] = measure(decision(n, fit="bounded") for n in range(9))
    assert drift(figures, USUAL) == {}
    assert loosening(figures, USUAL) == {FindingKind.DRIFT_STRICT: {"now": 0, "before": 1}}
    assert loosening(figures, []) == {}


@given(st.lists(st.builds(decision, st.integers(1, 99), words=st.integers(0, 500)), max_size=20))
def test_figures_count_every_page_once(decisions):
    figures = measure(decisions)
    assert sum(each.pages for each in figures) == len(decisions)
    assert all(0 <= each.strict <= each.pages for each in figures)
    assert drift(figures[0], figures) == {} if figures else True


def story(number):
    return f"<h1>Story {number}</h1>" + "".join(f"<p>word{number}x{n}q alone" for n in "abcdefgh")


@pytest.fixture
def store():
    with Store.open("sqlite://") as store:
        yield store


def save(store, html, night_id=None):
    site = store.sites.add("http://a.example/")
    run = store.runs.start(site, "crawl", night_id=night_id)
    pages = [
        Page(url=f"http://a.example/{n}", html=html(n), fetched_at=NOON, depth=bool(n))
        for n in range(20)
    ]
    store.pages.save(site, run, pages)
    return site, store.runs.finish(run, "done")


def letters(number):
    return story("".join(chr(97 + int(digit)) for digit in str(number)))


def test_wall_is_detected_and_pages_are_restored(store):
    save(store, letters)
    site, crawl = save(store, lambda n: WALL + f"<p>Request {n * 7919}" if n % 4 else letters(n))
    assert len(find_wall(store, site, crawl)) == 15
    assert reject_wall(store, site, crawl) == 15
    assert reject_wall(store, site, crawl) == 15  # the alarm outlives a kill
    assert {row.html for row in store.pages.rows(site)} == {letters(n) for n in range(20)}


def test_first_crawl_that_only_sees_a_wall_is_rejected(store):
    site, crawl = save(store, lambda n: WALL)
    assert reject_wall(store, site, crawl) == 20
    assert store.pages.urls(site) == []


def test_nearly_empty_pages_are_not_a_wall(store):
    site, crawl = save(store, lambda n: f"<p>No events on day {n}." if n > 4 else letters(n))
    assert find_wall(store, site, crawl) == []
    site, crawl = save(store, lambda n: f"<p>No event on day {n}." if n > 4 else letters(n))
    assert find_wall(store, site, crawl) == []


def test_redesign_is_not_a_wall(store):
    save(store, letters)
    site, crawl = save(store, lambda n: f"<nav>Home News Sport About</nav>{letters(n)}")
    assert find_wall(store, site, crawl) == []


@pytest.mark.parametrize("html", ["", "<", "<script>" * 2000, "<div>" * 3000 + "deep"])
def test_words_of_any_page_can_be_counted(html):
    assert isinstance(visible_words(html), frozenset)


def test_nearly_equal_texts_are_grouped():
    base = frozenset(f"w{chr(97 + n)}{chr(97 + m)}" for n in range(10) for m in range(10))
    groups = same_texts(iter([(1, base), (2, base), (3, frozenset({"other"}))]))
    assert [group.pages for group in groups] == [[1, 2], [3]]


def test_many_cut_articles_withhold_short_new_ones():
    cut = [decision(n, kept=KeepReason.PART) for n in range(6)]
    fresh = [decision(10, is_new=True, words=40), decision(11, is_new=True, words=390)]
    assert find_cut([*cut, *fresh]) == 6
    assert find_cut([*cut[:2], *fresh]) == 0
    assert find_short([*cut, *fresh], USUAL) == [10]


def test_the_console_lists_new_edited_and_missing_articles(capsys):
    new, edited, gone = (
        ReportedArticle(url=f"https://a.example/{n}", title=f"Story {n}", changes=changes)
        for n, changes in enumerate(["", "title", ""])
    )
    new = replace(new, doubts={"published": "only in the URL"})
    report = NightReport(site="a.example", run=1, fresh=[new], edited=[edited], gone=[gone])
    assert NightReport.from_json(report.to_json()).fresh == [new]
    assert NightReport.from_json(report.to_json()).gone == [gone]
    assert "(check published: only in the URL)</li>" in write_html([report])
    show_reports([report], as_json=False)
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "New: Story 0 https://a.example/0 (check published: only in the URL)",
        "Edited (title): Story 1 https://a.example/1",
        "Gone: Story 2 https://a.example/2",
    ]


def test_reports_begin_with_a_summary_and_dead_sites(capsys):
    pages = dict.fromkeys(("new", "changed", "unchanged"), 1)
    counts = {"now": 1, "before": 9}
    finding = Finding(kind=FindingKind.EMPTY_HOME, site="empty.example", counts=counts)
    reports = [
        NightReport(site="quiet.example", run=1, pages=pages, articles={"new": 2}),
        NightReport(site="empty.example", run=2, pages=pages, findings=[finding]),
        NightReport(site="silent.example", run=3, pages=dict.fromkeys(pages, 0)),
        failed_night("locked.example", "The site is locked.", run=4),
    ]
    said = "Sites: 2 dead, 1 others need attention, 1 quiet. Articles: 2 new, 0 edited, 0 gone."
    urgent = ["locked.example", "silent.example", "empty.example", "quiet.example"]
    document = html.fromstring(write_html(reports))
    assert document.xpath("//h1/following-sibling::*[1]/text()") == [said]
    assert document.xpath("//h2/text()") == urgent
    [table] = document.xpath("//table")
    assert table.xpath(".//td[1]/text()") == urgent[1:]
    brief = html.fromstring(write_html(reports, fleet={"sites": 4}))
    assert brief.xpath("//h2/text()") == ["locked.example", "empty.example"]
    show_reports(reports, as_json=False)
    assert capsys.readouterr().out.splitlines()[0] == said


def test_report_text_is_escaped():
    evil = "<script>alert(1)</script>"
    finding = Finding(kind=FindingKind.NIGHT_FAILED, site=evil, detail=evil)
    told = ReportedArticle(url=f"javascript:{evil}", title=evil, changes=evil)
    report = NightReport(
        site=evil, pages={evil: 1}, patterns=[{evil: evil}], findings=[finding], fresh=[told]
    )
    assert "<script" not in write_html([report])
    assert NightReport.from_json(report.to_json()).findings == [finding]
    assert NightReport.from_json(json.dumps(report.shown())).findings == [finding]
    assert json.loads(report.to_json())["needs_attention"]


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/hidden",
        "http://[hidden/",
        "hidden",
        "http://127.0.0.1:9/hid den hidden",
        "http://127.0.0.1:hidden/",
    ],
)
def test_webhook_failure_is_reported_without_its_url(address):
    said = post(address, [])
    assert said
    assert "hidden" not in said


@pytest.fixture
def raw_server():
    """Return a function that serves bytes on loopback, one after the other."""
    with ExitStack() as stack:

        def start(data, pause=0.0):
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

            def serve():
                with suppress(OSError), listener.accept()[0] as connection:
                    for number in data:
                        connection.sendall(bytes([number]))
                        time.sleep(pause)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(4096):  # or what was sent would be lost with the rest
                        pass

            Thread(target=serve, daemon=True).start()
            return f"http://127.0.0.1:{listener.getsockname()[1]}/hidden"

        yield start


def test_webhook_without_http_is_reported(raw_server):
    said = post(raw_server(b"SSH-2.0\r\n\r\n"), [])
    assert said == "The webhook could not be reached (BadStatusLine)."


def test_slow_webhook_times_out(raw_server):
    endless = raw_server(b"HTTP/1.1 200 OK\r\n" + b"x" * 1000, pause=0.1)
    assert post(endless, [], seconds=0.5) == "The webhook did not answer within 0.5 seconds."


def test_webhook_error_status_is_reported(httpserver):
    httpserver.expect_request("/x").respond_with_data("no", status=403)
    assert post(httpserver.url_for("/x"), []) == "The webhook answered with HTTP status 403."


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_accepts_the_service_and_the_timer(tmp_path):
    for name in ("flong-nightly.service", "flong-nightly.timer"):
        text = (ROOT / "deploy" / name).read_text()
        command = shutil.which("true")
        (tmp_path / name).write_text(text.replace("/opt/flong/.venv/bin/flong", command))
    files = [tmp_path / "flong-nightly.service", tmp_path / "flong-nightly.timer"]
    done = subprocess.run(
        [shutil.which("systemd-analyze"), "verify", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_figures_without_articles_have_no_fractions():
    [figures] = measure([decision(1, verdict="other", title=None, before_pattern_id=None)])
    assert figures == Figures(pattern_id=1, pages=1, strict=1, articles=0)


@pytest.fixture
def visit(store):
    """Return a function that runs a night with given pages."""

    def run(html):
        site = store.sites.add("http://a.example/")

        def crawl(_, night):
            save(store, html, night_id=night.id)

        return nightly(store, site, crawl, NightSettings())

    return run


def test_crawl_within_the_first_second_of_a_night_counts(visit, monkeypatch):
    monkeypatch.setattr("flong.storage.runs.now", lambda: NOON)
    report = visit(letters)
    assert report.pages["new"] == 20
    assert FindingKind.LEARN_FIRST in {finding.kind for finding in report.findings}


def test_model_of_another_version_is_relearned(visit, monkeypatch):
    visit(letters)
    monkeypatch.setattr("flong.patterns.model_json.VERSION", 99)
    report = visit(lambda number: letters(number) + "<p>and one line more")
    assert FindingKind.LEARN_OUTDATED in {finding.kind for finding in report.findings}
