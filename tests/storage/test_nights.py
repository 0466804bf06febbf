"""Effects of later nights on stored articles and pages."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from flong.article import Article
from flong.decision import Decision
from flong.stages.article_merge import is_part, merge
from flong.states import KeepReason, Outcome
from flong.storage import Figures, LockedSite, PatternRow, Store
from tests.storage.conftest import NOON

LONG = "\n".join(f"Paragraph {n} of a story about the harbour." for n in range(9))


def decision(row, body=LONG, *, title="Rain", digest=None, **changes):
    article = Article(url=row.url, title=title, body=body, confidence=0.9)
    made = Decision(
        page_id=row.id,
        content_hash=digest or row.content_hash,
        model_version=1,
        verdict="article" if body else "unmatched",
        fit="strict" if body else "none",
        article=article if body else None,
        reason="a test says so",
    )
    return replace(made, **changes)


@pytest.fixture
def row(store, site, run, page):
    store.pages.save(site, run, [page("a")])
    return store.pages.find(page("a").url)


@pytest.mark.parametrize(
    "later",
    [
        {"body": "", "digest": "wall"},
        {"body": "Paragraph 0 of a story about the harbour.", "digest": "paywall"},
        {"body": LONG.partition("\n")[0] + "\nBecome a member to read on.", "digest": "offer"},
        {"body": ""},
        {"body": "", "fit": "strict", "verdict": "other"},
        {"body": "", "fit": "strict", "verdict": "other", "model_version": 2, "gone": True},
        {"body": "", "fit": "strict", "verdict": "other", "digest": "error"},
        {"body": LONG + "\nCorrection.", "digest": "edit", "gone": True},
        {"body": "Something else entirely.", "digest": "cut"},
        {"body": "It snowed.", "title": "Snow", "digest": "another story"},
    ],
)
def test_good_article_is_not_replaced_by_a_worse_one(store, site, run, row, later):
    later = dict(later)
    kept = not later.pop("gone", False)
    store.extractions.save(site, run, [decision(row)], merge)
    store.extractions.save(site, run, [decision(row, **later)], merge)
    article = store.articles.find(row.id)
    assert (article.article.body == LONG and article.retired_at is None) == kept
    decided = store.extractions.find(row.id)
    assert decided.content_hash == later.get("digest", row.content_hash)
    assert (decided.kept is not KeepReason.NONE) == kept


def test_retired_article_is_hidden_and_can_be_restored(store, site, run, row):
    store.extractions.save(site, run, [decision(row)], merge)
    none = decision(row, "", fit="strict", verdict="other", model_version=2)
    store.extractions.save(site, run, [none], merge)
    assert list(store.articles.all(site)) == []
    assert [each.article.body for each in store.articles.all(site, retired=True)] == [LONG]
    assert store.articles.count(site) == 0
    assert store.articles.count_retired(site, since=run) == 1
    assert not next(iter(store.pages.known_pages(site))).is_article
    assert store.overview.view("v_article", [site]) == []
    store.extractions.save(site, run, [decision(row, model_version=3)], merge)
    assert [each.article.body for each in store.articles.all(site)] == [LONG]
    assert store.articles.versions(row.id) == []


def test_edit_stores_the_earlier_version_and_its_changes(store, site, run, row):
    store.extractions.save(site, run, [decision(row)], merge)
    edited = decision(row, LONG + "\nCorrection.", title="More rain", digest="edit")
    store.extractions.save(site, run, [edited], merge)
    store.extractions.save(site, run, [edited], merge)
    (version,) = store.articles.versions(row.id)
    assert (version.title, version.body) == ("Rain", LONG)
    assert version.changes == "title; body: 1 paragraph new"


def test_changes_outside_the_article_make_no_version(store, site, run, row):
    store.extractions.save(site, run, [decision(row)], merge)
    store.extractions.save(site, run, [decision(row, digest="other boxes")], merge)
    assert store.articles.versions(row.id) == []


def test_previous_pattern_is_stored(store, site, run, row):
    new = PatternRow(cluster_id=None, version=1, kind="article", made_from=2, constants=3)
    first, second = store.templates.save_patterns(site, run, [new, new])
    store.extractions.save(site, run, [decision(row, pattern_id=first)], merge)
    for _ in range(2):
        store.extractions.save(site, run, [decision(row, digest="new", pattern_id=second)], merge)
        assert store.extractions.find(row.id).before_pattern_id == first


def test_known_pages_have_the_time_of_the_last_change(store, site, run, page, row):
    (known,) = store.pages.known_pages(site)
    assert (known.url, known.changed_at, known.is_article) == (row.url, NOON, False)
    store.extractions.save(site, run, [decision(row)], merge)
    (known,) = store.pages.known_pages(site)
    assert known.is_article
    assert known.changed_at > NOON
    assert [link.text for link in store.links.links_at(site, row.url)] == ["B"]
    assert store.links.links_at(site, "https://www.example.org/never") == ()


def test_rejecting_a_page_restores_its_previous_version(store, site, run, page):
    good = page("a", etag='"1"', last_modified="yesterday", encoding="cp1252")
    store.pages.save(site, run, [good])
    before = store.pages.find(good.url)
    night = store.runs.start(site, "crawl")
    wall = page("a", html="<p>wall", links=(), fetched_at=NOON + timedelta(days=1))
    store.pages.save(site, night, [wall, replace(wall, url=page("new").url)])
    numbers = [row.id for row in store.pages.rows(site)]
    store.pages.reject(site, night, numbers, Outcome.WALLED)
    after = store.pages.find(good.url)
    assert after.html == good.html
    assert after.links == good.links
    assert replace(after, outcome="new", run_id=run.id, error=None) == before
    assert store.pages.versions(after.id) == []
    assert store.pages.urls(site) == [good.url]
    assert store.pages.find(page("new").url).outcome is Outcome.WALLED
    assert store.runs.count(night).failed == 2


def test_page_versions_are_kept_only_for_changed_articles(store, site, run, page):
    store.pages.save(site, run, [page("listing"), page("story"), page("edited")])
    _, story, edited = store.pages.rows(site)
    store.extractions.save(site, run, [decision(story), decision(edited)], merge)
    time.sleep(1.1)  # times are stored to the second
    night = store.runs.start(site, "crawl")
    later = night.started_at
    for name in ("listing", "story", "edited"):
        store.pages.save(site, night, [page(name, html="<p>new", fetched_at=later)])
    rows = {row.url.rpartition("/")[2]: row for row in store.pages.rows(site)}
    new = [decision(rows["story"]), decision(rows["edited"], LONG + "\nMore.")]
    store.extractions.save(site, night, new, merge)
    store.documents.drop_idle_versions(site, night)
    kept = {name: len(store.pages.versions(row.id)) for name, row in rows.items()}
    assert kept == {"listing": 0, "story": 0, "edited": 1}


def test_source_document_is_kept_as_long_as_its_article(store, site, run, page):
    store.pages.save(site, run, [page("story")])
    (story,) = store.pages.rows(site)
    store.extractions.save(site, run, [decision(story)], merge)
    for n in range(3):
        time.sleep(1.1)  # times are stored to the second
        night = store.runs.start(site, "crawl")
        error = page("story", html=f"<p>Error {n}", fetched_at=night.started_at)
        store.pages.save(site, night, [error])
        (row,) = store.pages.rows(site)
        store.extractions.save(
            site, night, [decision(row, "", fit="strict", verdict="other")], merge
        )
        store.documents.drop_idle_versions(site, night)
        assert story.content_hash in [v.content_hash for v in store.pages.versions(row.id)]
        assert store.articles.find(row.id).article.body == LONG


def test_figures_and_reports_survive_storage_unchanged(store, site, run):
    new = PatternRow(cluster_id=None, version=1, kind="article", made_from=2, constants=3)
    (pattern,) = store.templates.save_patterns(site, run, [new])
    figures = Figures(pattern_id=pattern, pages=9, strict=8, articles=7, words=120.0)
    for _ in range(2):
        store.templates.save_figures(run, [figures])
        store.nights.save_report(run, '{"a": 1}', needs_attention=True)
    assert store.templates.figures(site, store.runs.start(site, "nightly")) == [figures]
    assert store.templates.figures(site, run) == []
    assert store.nights.report(run.id) == '{"a": 1}'
    assert store.nights.report(99) is None


def test_gone_page_is_counted_in_one_night_only(store, site, run, row):
    nights = [store.runs.start(site, "crawl") for _ in range(2)]
    for night in nights:
        store.pages.mark_gone(site, night, [row.url])
    assert [store.runs.count(night).gone for night in nights] == [1, 0]


def test_only_a_child_process_shares_the_lock(url, site, store):
    program = (
        "import sys; from flong.storage import Store\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    with store.locks.hold(store.sites.all()[0]): pass"
    )
    command = [sys.executable, "-c", program, url]
    with store.locks.hold(site):
        subprocess.run(command, check=True)
        grandchild = ["sh", "-c", '"$0" "$@"; exit $?', *command]
        refused = subprocess.run(grandchild, check=False, capture_output=True, text=True)
        assert f"Process {os.getpid()}" in refused.stderr
        with pytest.raises(LockedSite), Store.open(url) as other, other.locks.hold(site):
            pass


def test_text_is_a_part_only_of_a_longer_text():
    assert is_part("", "one two")
    assert not is_part("", "")
    assert not is_part("one", "")
