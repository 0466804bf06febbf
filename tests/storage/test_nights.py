"""What later nights find in the store, and what they must not spoil."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from items import Article
from storage import ExtractionRow, Figures, LockedSite, PatternRow, Store, is_part
from tests.storage.conftest import NOON

LONG = "\n".join(f"Paragraph {n} of a story about the harbour." for n in range(9))


def decision(row, body=LONG, *, title="Rain", digest=None, **changes):
    article = Article(url=row.url, title=title, body=body, confidence=0.9)
    made = ExtractionRow(
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
    store.save_pages(site, run, [page("a")])
    return store.page(page("a").url)


@pytest.mark.parametrize(
    "later",
    [
        {"body": "", "digest": "wall"},
        {"body": "Paragraph 0 of a story about the harbour.", "digest": "paywall"},
        {"body": LONG.partition("\n")[0] + "\nBecome a member to read on.", "digest": "offer"},
        {"body": ""},
        {"body": "", "fit": "strict", "verdict": "other", "gone": True},
        {"body": LONG + "\nCorrection.", "digest": "edit", "gone": True},
        {"body": "Something else entirely.", "digest": "cut"},
        {"body": "It snowed.", "title": "Snow", "digest": "another story", "gone": True},
    ],
)
def test_an_article_is_not_replaced_by_a_worse_one(store, site, run, row, later):
    later = dict(later)
    kept = not later.pop("gone", False)
    store.save_extractions(site, run, [decision(row)])
    store.save_extractions(site, run, [decision(row, **later)])
    article = store.article(row.id)
    assert (article is not None and article.article.body == LONG) == kept
    decided = store.extraction(row.id)
    assert decided.content_hash == later.get("digest", row.content_hash)
    assert ("kept" in decided.reason) == kept


def test_an_edited_article_keeps_what_it_was_and_says_what_changed(store, site, run, row):
    store.save_extractions(site, run, [decision(row)])
    edited = decision(row, LONG + "\nCorrection.", title="More rain", digest="edit")
    store.save_extractions(site, run, [edited])
    store.save_extractions(site, run, [edited])
    (version,) = store.article_versions(row.id)
    assert (version.title, version.body) == ("Rain", LONG)
    assert version.changes == "title; body: 1 paragraph new"


def test_boxes_beside_an_article_do_not_make_a_version(store, site, run, row):
    store.save_extractions(site, run, [decision(row)])
    store.save_extractions(site, run, [decision(row, digest="other boxes")])
    assert store.article_versions(row.id) == []


def test_the_pattern_that_fitted_before_is_remembered(store, site, run, row):
    new = PatternRow(cluster_id=None, version=1, kind="article", made_from=2, constants=3)
    first, second = store.save_patterns(site, run, [new, new])
    store.save_extractions(site, run, [decision(row, pattern_id=first)])
    for _ in range(2):
        store.save_extractions(site, run, [decision(row, digest="new", pattern_id=second)])
        assert store.extraction(row.id).before_pattern_id == first


def test_a_known_page_says_when_its_article_changed(store, site, run, page, row):
    (known,) = store.known_pages(site)
    assert (known.url, known.changed_at, known.is_article) == (row.url, NOON, False)
    store.save_extractions(site, run, [decision(row)])
    (known,) = store.known_pages(site)
    assert known.is_article
    assert known.changed_at > NOON
    assert [link.text for link in store.links_at(site, row.url)] == ["B"]
    assert store.links_at(site, "https://www.example.org/never") == ()


def test_a_rejected_page_gets_back_all_that_it_was(store, site, run, page):
    good = page("a", etag='"1"', last_modified="yesterday", encoding="cp1252")
    store.save_pages(site, run, [good])
    before = store.page(good.url)
    night = store.start_run(site, "crawl")
    wall = page("a", html="<p>wall", links=(), fetched_at=NOON + timedelta(days=1))
    store.save_pages(site, night, [wall, replace(wall, url=page("new").url)])
    numbers = [row.id for row in store.page_rows(site)]
    store.reject_pages(site, night, numbers, "a wall")
    after = store.page(good.url)
    assert after.html == good.html
    assert after.links == good.links
    assert replace(after, outcome="new", run_id=run.id, error=None) == before
    assert store.versions_of(after.id) == []
    assert store.urls(site) == [good.url]
    assert store.page(page("new").url).error == "a wall"
    assert store.count_run(night).failed == 2


def test_versions_stay_only_where_an_article_changed(store, site, run, page):
    store.save_pages(site, run, [page("listing"), page("story"), page("edited")])
    _, story, edited = store.page_rows(site)
    store.save_extractions(site, run, [decision(story), decision(edited)])
    time.sleep(1.1)  # times are stored to the second
    night = store.start_run(site, "crawl")
    later = night.started_at
    for name in ("listing", "story", "edited"):
        store.save_pages(site, night, [page(name, html="<p>new", fetched_at=later)])
    rows = {row.url.rpartition("/")[2]: row for row in store.page_rows(site)}
    new = [decision(rows["story"]), decision(rows["edited"], LONG + "\nMore.")]
    store.save_extractions(site, night, new)
    store.drop_idle_versions(site, night)
    kept = {name: len(store.versions_of(row.id)) for name, row in rows.items()}
    assert kept == {"listing": 0, "story": 0, "edited": 1}


def test_figures_and_reports_are_read_as_stored(store, site, run):
    new = PatternRow(cluster_id=None, version=1, kind="article", made_from=2, constants=3)
    (pattern,) = store.save_patterns(site, run, [new])
    figures = Figures(pattern_id=pattern, pages=9, strict=8, articles=7, words=120.0)
    for _ in range(2):
        store.save_figures(run, [figures])
        store.save_report(run, '{"a": 1}', needs_look=True)
    assert store.figures(site, store.start_run(site, "nightly")) == [figures]
    assert store.figures(site, run) == []
    assert store.report(run.id) == '{"a": 1}'
    assert store.report(99) is None


def test_gone_is_counted_in_the_night_in_which_it_is_noticed(store, site, run, row):
    nights = [store.start_run(site, "crawl") for _ in range(2)]
    for night in nights:
        store.mark_gone(site, night, [row.url])
    assert [store.count_run(night).gone for night in nights] == [1, 0]


def test_a_lock_is_lent_to_a_child_and_to_nobody_else(url, site, store):
    program = (
        "import sys; from storage import Store\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    with store.lock_site(store.sites()[0]): pass"
    )
    command = [sys.executable, "-c", program, url]
    with store.lock_site(site):
        subprocess.run(command, check=True)
        grandchild = ["sh", "-c", '"$0" "$@"; exit $?', *command]
        refused = subprocess.run(grandchild, check=False, capture_output=True, text=True)
        assert f"Process {os.getpid()}" in refused.stderr
        with pytest.raises(LockedSite), Store.open(url) as other, other.lock_site(site):
            pass


def test_a_text_is_a_part_only_of_a_longer_one():
    assert is_part("", "one two")
    assert not is_part("", "")
    assert not is_part("one", "")
