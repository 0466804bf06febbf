import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flong.decision import Decision
from flong.page import Link, Page
from flong.states import Outcome
from flong.storage import PageCounts, UnknownPage, tables
from flong.storage.columns import clean_text

# Everything a decoder may produce, with the halves of surrogate pairs and NULs.
texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
times = st.datetimes(
    min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC)
).map(lambda time: time.replace(microsecond=0))
pages = st.builds(
    Page,
    url=texts.map(lambda path: f"https://www.example.org/{path}"),
    html=texts,
    fetched_at=times,
    depth=st.integers(0, 10),
    status=st.integers(200, 299),
    encoding=st.sampled_from(["utf-8", "cp1252"]),
    etag=st.none() | texts,
    last_modified=st.none() | texts,
    links=st.lists(st.builds(Link, texts, texts), max_size=5).map(tuple),
)
on_one_store = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def cleaned(page):
    """Return a page as databases can keep it."""
    maybe = {name: getattr(page, name) for name in ("etag", "last_modified")}
    return replace(
        page,
        url=clean_text(page.url),
        html=clean_text(page.html),
        links=tuple(Link(clean_text(link.url), clean_text(link.text)) for link in page.links),
        **{name: None if text is None else clean_text(text) for name, text in maybe.items()},
    )


@on_one_store
@given(pages)
def test_page_survives_storage_unchanged(store, given_page):
    site = store.sites.add("https://www.example.org/")
    store.pages.save(site, store.runs.start(site, "load"), [given_page])
    assert store.pages.find(clean_text(given_page.url)).page() == cleaned(given_page)
    store.sites.remove(site)


@on_one_store
@given(st.lists(pages, max_size=5, unique_by=lambda page: clean_text(page.url)))
def test_saving_a_page_twice_stores_it_once(store, site, run, given_pages):
    store.pages.save(site, run, given_pages)
    before = list(store.pages.rows(site))
    counts = store.pages.save(site, run, given_pages)
    assert counts == PageCounts(unchanged=len(given_pages))
    assert list(store.pages.rows(site)) == before


@given(texts)
def test_clean_text_is_utf_8_without_nul_and_stays_clean(text):
    clean = clean_text(text)
    clean.encode()
    assert "\0" not in clean
    assert clean_text(clean) == clean


def test_pages_are_counted_as_new_changed_and_unchanged(store, site, run, page):
    first = store.pages.save(site, run, [page("a"), page("b")])
    second = store.pages.save(site, run, [page("a"), page("b", html="<p>B"), page("c")])
    assert first == PageCounts(new=2)
    assert second == PageCounts(new=1, changed=1, unchanged=1)


def test_duplicate_url_in_a_batch_is_one_page(store, site, run, page):
    counts = store.pages.save(site, run, [page("a"), page("a", html="<p>later")])
    assert counts == PageCounts(new=1)
    assert store.pages.find(page("a").url).html == "<p>later"


def test_saving_nothing_is_not_an_error(store, site, run):
    assert store.pages.save(site, run, []) == PageCounts()
    store.pages.mark_unchanged(site, run, [])
    store.links.save_mentions(site, [])
    store.extractions.save(site, run, [])
    store.links.rebuild_anchors(site)
    assert store.documents.compact(site) == 0


def test_two_sites_can_have_the_same_url(store, site, run, page):
    other = store.sites.add("https://other.org/")
    store.pages.save(site, run, [page("a")])
    store.pages.save(other, store.runs.start(other, "load"), [page("a", html="<p>theirs")])
    assert store.pages.find(page("a").url, other).html == "<p>theirs"
    assert store.pages.find(page("a").url, site).html == "<p>text</p>"


def test_changed_page_keeps_its_previous_version(store, site, run, page):
    day = timedelta(days=1)
    first = page("a")
    store.pages.save(site, run, [first])
    store.pages.save(site, run, [replace(first, fetched_at=first.fetched_at + day)])
    new = replace(first, html="<p>new", fetched_at=first.fetched_at + 2 * day)
    store.pages.save(site, run, [new])
    row = store.pages.find(first.url)
    assert (row.html, row.changed_at, row.first_seen) == (
        new.html,
        new.fetched_at,
        first.fetched_at,
    )
    (version,) = store.pages.versions(row.id)
    assert version.html == first.html
    assert version.seen_from == first.fetched_at
    assert version.seen_until == first.fetched_at + day


def test_failure_is_recorded_and_the_page_kept(store, site, run, page):
    store.pages.save(site, run, [page("a", depth=2)])
    store.pages.mark_failed(site, run, page("a").url, 503, "HTTP status 503", 1)
    row = store.pages.find(page("a").url)
    assert (row.outcome, row.status, row.error, row.depth) == ("failed", 503, "HTTP status 503", 2)
    assert row.html == page().html
    assert row.data == page().html.encode()
    store.pages.save(site, run, [page("a")])
    assert (store.pages.find(page("a").url).outcome, store.pages.find(page("a").url).error) == (
        "unchanged",
        None,
    )


def test_url_that_always_failed_is_not_a_page(store, site, run, page):
    store.pages.mark_failed(site, run, page("a").url, 404, "HTTP status 404", 1)
    assert store.pages.urls(site) == []
    assert list(store.pages.rows(site)) == []
    row = store.pages.find(page("a").url)
    assert (row.html, row.links, row.content_hash) == ("", (), None)
    assert store.pages.save(site, run, [page("a")]) == PageCounts(new=1)
    assert store.pages.find(page("a").url).first_seen == page("a").fetched_at


def test_pages_can_be_marked_unchanged_and_gone(store, site, run, page):
    store.pages.save(site, run, [page(name) for name in "abc"])
    later = store.runs.start(site, "crawl")
    store.pages.mark_unchanged(site, later, [page("a").url])
    store.pages.mark_gone(site, later, [page("b").url])
    assert [row.outcome for row in store.pages.rows(site)] == ["unchanged", "gone", "new"]
    assert store.pages.find(page("b").url).html == page().html


def test_rows_are_in_stored_or_requested_order(store, site, run, page):
    store.pages.save(site, run, [page(f"{n}", html=f"<p>{n}") for n in range(250)])
    rows = list(store.pages.rows(site))
    assert [row.html for row in rows] == [f"<p>{n}" for n in range(250)]
    wanted = [rows[9].id, rows[3].id, 10**6, rows[200].id]
    assert [row.html for row in store.pages.rows(site, only=wanted)] == ["<p>9", "<p>3", "<p>200"]
    assert list(store.pages.rows(site, with_html=False)) == rows
    assert {row.html for row in store.pages.rows(site, with_html=False)} == {""}


def test_pages_can_be_saved_while_they_are_streamed(store, site, run, page):
    store.pages.save(site, run, [page(f"{n}") for n in range(300)])
    for row in store.pages.rows(site):
        changed = replace(page(), url=row.url, html="<p>changed")
        assert store.pages.save(site, run, [changed]) == PageCounts(changed=1)
        if row.id % 100 == 0:
            store.pages.save(site, run, [page(f"new-{row.id}")])
    assert sum(row.html == "<p>changed" for row in store.pages.rows(site)) == 300


def test_unknown_page_is_named_in_the_error(store):
    with pytest.raises(UnknownPage, match=r"No page 'https://nowhere\.org/' is stored"):
        store.pages.find("https://nowhere.org/")


def test_pages_need_extraction_after_a_change_or_new_model(store, site, run, page):
    store.pages.save(site, run, [page(name) for name in "abc"])

    def waiting():
        return [row.url[-1] for row in store.pages.rows(site, only="unextracted")]

    def decide():
        rows = [
            Decision(
                page_id=row.id,
                content_hash=row.content_hash,
                model_version=store.templates.model_version(site),
                verdict="other",
            )
            for row in store.pages.rows(site, only="unextracted")
        ]
        store.extractions.save(site, run, rows)

    assert waiting() == ["a", "b", "c"]
    decide()
    assert waiting() == []
    store.pages.save(site, run, [page("b", html="<p>changed")])
    assert waiting() == ["b"]
    decide()
    store.templates.save_model(site, run, "{}")
    assert waiting() == ["a", "b", "c"]
    decide()
    assert waiting() == []


def template(number):
    chrome = "".join(
        f"<li class='nav-item-{n % 7}'><a href='/section/{n}'>{n}</a>" for n in range(99)
    )
    return f"<html><ul>{chrome}</ul><h1>Story {number}</h1>" + f"<p>{number * 37} words</p>" * 9


def test_growing_site_gets_compression_dictionaries(store, site, run, page):
    stories = [page(f"{n}", html=template(n)) for n in range(200)]
    for start in range(0, 200, 20):
        store.pages.save(site, run, stories[start : start + 20])
    with store.reading() as connection:
        trained = connection.execute(tables.dictionaries.select()).all()
        used = {row.dictionary_id for row in connection.execute(tables.pages.select())}
    assert [row.pages for row in trained] == [40, 160]
    assert used == {None, *(row.id for row in trained)}
    assert [row.html for row in store.pages.rows(site)] == [story.html for story in stories]


def test_failed_urls_do_not_trigger_dictionary_training(store, site, run, page):
    for number in range(50):
        store.pages.mark_failed(site, run, page(f"failed-{number}").url, 404, "HTTP status 404", 1)
    for number in range(5):
        store.pages.save(site, run, [page(f"{number}", html=template(number))])
    with store.reading() as connection:
        assert len(connection.execute(tables.dictionaries.select()).all()) == 1
    assert store.pages.find(page("4").url).html == template(4)


def test_compacting_saves_space_and_changes_no_page(store, site, run, page):
    stories = [page(f"{n}", html=template(n)) for n in range(100)]
    store.pages.save(site, run, stories)
    store.pages.save(site, run, [replace(stories[7], html=template(1007))])
    before = [(row.html, row.links) for row in store.pages.rows(site)]
    size = store.documents.stored_bytes(site)
    assert store.documents.compact(site) == size - store.documents.stored_bytes(site) > size / 2
    assert [(row.html, row.links) for row in store.pages.rows(site)] == before
    assert [
        version.html for version in store.pages.versions(store.pages.find(stories[7].url).id)
    ] == [stories[7].html]
    store.documents.compact(site)
    with store.reading() as connection:
        assert len(connection.execute(tables.dictionaries.select()).all()) == 1


def test_huge_and_empty_pages_can_be_stored(store, site, run, page):
    huge = page("huge", html="<p>éx" * 2_000_000)
    store.pages.save(site, run, [huge, page("empty", html="")])
    assert store.pages.find(huge.url).html == huge.html
    assert store.pages.find(page("empty").url).html == ""
    store.documents.compact(site)
    assert store.pages.find(huge.url).html == huge.html


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_times_and_texts_are_plain_values_in_sqlite(store, site, run, page, url):
    store.pages.save(site, run, [page("a", etag='"é"')])
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        found = connection.execute("SELECT url, first_seen, etag, outcome FROM pages").fetchall()
    connection.close()
    assert found == [("https://www.example.org/a", "2026-05-01T12:00:00Z", '"é"', "new")]


def test_failed_then_gone_page_can_come_back(store, site, run, page):
    store.pages.save(site, run, [page("a")])
    store.pages.mark_failed(site, run, page("a").url, 503, "HTTP status 503")
    store.pages.mark_gone(site, store.runs.start(site, "crawl"), [page("a").url])
    assert store.pages.find(page("a").url).error is None
    store.pages.mark_unchanged(site, store.runs.start(site, "crawl"), [page("a").url])
    assert store.pages.find(page("a").url).outcome is Outcome.UNCHANGED


def test_soft_404_lasts_until_the_page_changes(store, site, run, page):
    store.pages.save(site, run, [page("a")])
    store.pages.mark_soft_404([store.pages.find(page("a").url).id])
    later = store.runs.start(site, "crawl")
    store.pages.mark_unchanged(site, later, [page("a").url])
    store.pages.mark_gone(site, later, [page("a").url])
    store.pages.save(site, later, [page("a")])
    row = store.pages.find(page("a").url)
    assert (row.outcome, row.run_id) == (Outcome.SOFT_404, run.id)
    assert store.runs.count(run).gone == 1
    store.pages.save(site, later, [page("a", html="<p>back")])
    assert store.pages.find(page("a").url).outcome is Outcome.CHANGED


def test_visual_blocks_are_kept_while_the_page_is_unchanged(store):
    site = store.sites.add("https://www.example.org/")
    page = Page(url="https://www.example.org/a", html="<p>One", fetched_at=NOON, blocks=b"seen")
    for given_page, expected in (
        (page, b"seen"),
        (replace(page, blocks=None), b"seen"),
        (replace(page, html="<p>Two", blocks=None), None),
        (replace(page, html="<p>Two", blocks=b"again"), b"again"),
    ):
        store.pages.save(site, store.runs.start(site, "crawl"), [given_page])
        assert store.pages.blocks(store.pages.find(page.url)) == expected
