"""Reports and muted findings, and their migration from sentences."""

import json

import pytest
from alembic import command
from sqlalchemy import text

from flong.findings import Finding, sentence
from flong.stages.report import NightReport
from flong.states import FindingKind, FindingState
from flong.storage import Store
from tests.storage.test_database import config_for

NAME = "news.example"
ABOUT = {
    FindingKind.WALL: f"# pages of {NAME} showed one and the same text, such as a consent wall: "
    "nothing of it was stored, everything known before was kept.",
    FindingKind.BROKEN: f"# article pages of {NAME} showed something else in the place of their "
    "articles, such as error pages: nothing of it was stored, the articles were kept, and the site "
    "was not learned again.",
    FindingKind.EMPTY_HOME: f"The home page of {NAME} leads to none of its pages, # before: it may "
    "be empty, or under maintenance.",
    FindingKind.ARTICLES_FAILED: f"# of # articles of {NAME} that were asked for could not be had: "
    "HTTP status # (#). What is known of them was kept.",
    FindingKind.ARTICLES_GONE: f"# of # articles of {NAME} that were asked for are gone since the "
    "last night. What is known of them was kept.",
    FindingKind.ARTICLES_MOVED: f"# of # articles of {NAME} that were asked for lead to another "
    "URL now. What is known of them was kept.",
    FindingKind.PAYWALL: f"# articles of {NAME} are still shown only in part, as behind a paywall: "
    "the earlier ones were kept, # new ones not stored.",
    FindingKind.REDESIGN: f"The templates of {NAME} have changed; it was learned again and its "
    "pages extracted anew. Please look at a few new ones.",
    FindingKind.RETIRED: f"# articles of {NAME} are taken for none since it was learned again; "
    "they are retired, not deleted: flong articles --retired",
    FindingKind.FEW_ARTICLES: f"{NAME} has no new articles, # on such a day on the mean: a "
    "section, a feed or a page of its listings may be missing.",
    FindingKind.NO_ARTICLE_PATTERN: f"No pattern of articles was found on {NAME}. ",
    FindingKind.MODEL_KEPT: f"What was learned about {NAME} before is kept.",
    FindingKind.CRAWL_FAILED: f"The crawl of {NAME} ended badly.",
    FindingKind.CRAWL_STOPPED: f"The crawl of {NAME} was stopped; the next night goes on from "
    "there.",
    FindingKind.CRAWL_REFUSED: f"https://{NAME}/ could not be crawled: Connection refused.",
    FindingKind.CRAWL_BOUNDED: "The crawl ended at # pages (FLONG_MAX_PAGES).",
}
"""Sentences of the version before kinds, without digits, as they were stored."""
UNKNOWN = "Pattern # of an even older version did something."


@pytest.fixture
def migrated(url):
    """A store that was brought up to date with a report and muted sentences in it."""
    old = {"site": NAME, "run": 1, "fresh": [], "edited": [], "needs_look": True}
    old |= {"look": ["7 pages drifted."], "drifted": ["Pattern 3 (article)."], "done": ["Done."]}
    with Store.open(url) as store, store.writing() as connection:
        site = store.sites.add(f"https://{NAME}/")
        run = store.runs.start(site, "nightly")
        command.downgrade(config_for(connection), "0026")
        connection.execute(
            text("INSERT INTO reports (run_id, needs_look, data) VALUES (:run, 1, :data)"),
            {"run": run.id, "data": json.dumps(old)},
        )
        insert = text("INSERT INTO look_states VALUES (:site, :about, :state, '2026-05-01')")
        for about in (*ABOUT.values(), UNKNOWN):
            row = {"site": site.id, "about": about, "state": "muted"}
            connection.execute(insert, row)
        older = ABOUT[FindingKind.PAYWALL].replace("still ", "")
        connection.execute(insert, {"site": site.id, "about": older, "state": "seen"})
    with Store.open(url) as store:
        yield store, run


def test_migration_mutes_the_kinds_of_muted_sentences(migrated):
    store, _ = migrated
    muted = store.nights.muted_findings()
    for kind in ABOUT:
        assert muted[NAME, kind, ""].state is FindingState.MUTED, kind
    by_kind = {kind for _, kind, subject in muted if not subject}
    assert by_kind == set(ABOUT)


def test_muted_sentences_of_earlier_reports_stay_muted(migrated):
    store, _ = migrated
    muted = store.nights.muted_findings()
    for about in (*ABOUT.values(), UNKNOWN):
        assert muted[NAME, FindingKind.EARLIER, about].state is FindingState.MUTED


def test_earlier_report_is_shown_unchanged(migrated):
    store, run = migrated
    report = NightReport.from_json(store.nights.report(run.id))
    assert [(each.kind, sentence(each)) for each in report.findings] == [
        (FindingKind.EARLIER, "7 pages drifted."),
        (FindingKind.DRIFT_EARLIER, "Pattern 3 (article)."),
        (FindingKind.NOTE_EARLIER, "Done."),
    ]
    assert report.needs_attention
    assert report.findings[0].subject == "# pages drifted."


def test_downgrade_restores_the_sentences_of_reports(migrated, url):
    store, run = migrated
    wall = Finding(kind=FindingKind.WALL, site=NAME, counts={"pages": 9})
    later = store.runs.start(store.sites.find(NAME), "nightly")
    report = NightReport(site=NAME, run=later.id, findings=[wall])
    store.nights.save_report(later, report.to_json(), needs_attention=True)
    with store.writing() as connection:
        command.downgrade(config_for(connection), "0026")
        found = connection.execute(text("SELECT run_id, data FROM reports"))
        rows = {row.run_id: row.data for row in found}
        about = connection.execute(text("SELECT about FROM look_states")).scalars().all()
    assert json.loads(rows[run.id])["drifted"] == ["Pattern 3 (article)."]
    assert json.loads(rows[later.id])["look"] == ["wall"]
    assert {*ABOUT.values(), UNKNOWN} <= set(about)
