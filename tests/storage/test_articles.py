from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flong.article import Article, Provenance
from flong.decision import Decision
from flong.states import ArticleKind
from flong.storage import ArticleChoice, PatternRow
from flong.storage.columns import clean_text
from flong.storage.nights import NightPeriod
from tests.storage.conftest import NOON

texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=100)
maybe_texts = st.none() | texts
times = st.none() | st.datetimes(
    min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC)
).map(lambda time: time.replace(microsecond=0))
articles = st.builds(
    Article,
    url=st.just("https://www.example.org/a"),
    title=texts,
    body=texts,
    published=times,
    modified=times,
    authors=st.lists(texts, max_size=3).map(tuple),
    image=maybe_texts,
    language=maybe_texts,
    section=maybe_texts,
    confidence=st.floats(0, 1),
    method=st.sampled_from(["pattern", "bounded"]),
    provenance=st.lists(
        st.builds(
            Provenance,
            field=st.sampled_from(["title", "body", "authors"]),
            source=texts,
            place=texts,
            vertex=st.none() | st.integers(0, 10**6),
        ),
        max_size=3,
    ).map(tuple),
)


def cleaned(thing):
    """Return a value, or a dataclass of values, as databases can keep it."""
    if isinstance(thing, str):
        return clean_text(thing)
    if isinstance(thing, tuple):
        return tuple(map(cleaned, thing))
    if isinstance(thing, Article | Provenance):
        fields = type(thing).__dataclass_fields__
        return replace(thing, **{name: cleaned(getattr(thing, name)) for name in fields})
    return thing


def found(row, article, **changes):
    made = Decision(
        page_id=row.id,
        content_hash=row.content_hash,
        model_version=1,
        verdict="article",
        article=article,
    )
    return replace(made, **changes)


@pytest.fixture
def rows(store, site, run, page):
    store.pages.save(site, run, [page(name) for name in "abcd"])
    return list(store.pages.rows(site))


def story(row, **changes):
    made = Article(url=row.url, title=f"Title {row.url[-1]}", body="Text.", confidence=0.9)
    return replace(made, **changes)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(articles)
def test_article_survives_storage_unchanged(store, site, run, rows, article):
    # An article of the example before may be the better one: it goes first.
    store.extractions.save(site, run, [found(rows[0], None, verdict="other", fit="strict")])
    store.extractions.save(site, run, [found(rows[0], article)])
    assert store.articles.find(rows[0].id).article == cleaned(article)


def test_decision_survives_storage_unchanged(store, site, run, rows):
    (pattern,) = store.templates.save_patterns(
        site,
        run,
        [PatternRow(cluster_id=None, version=1, kind="article", made_from=2, constants=4)],
    )
    given_rows = [
        found(rows[0], story(rows[0]), pattern_id=pattern, fit="bounded", cost=2.5, constants=9),
        found(rows[1], None, verdict="other", score=-0.3, reason="mostly links"),
        found(rows[2], None, verdict="unmatched"),
    ]
    store.extractions.save(site, run, given_rows)
    stored = [replace(store.extractions.find(row.id), extracted_at=None) for row in rows[:3]]
    assert stored == given_rows
    assert store.extractions.find(rows[3].id) is None
    assert [row.page_id for row in store.extractions.of(site)] == [row.id for row in rows[:3]]
    assert store.runs.count(run).articles == 1


def test_saving_again_replaces_articles_and_retires_rejected_ones(store, site, run, rows):
    why = (Provenance(field="title", source="meta"), Provenance(field="body", source="container"))
    store.extractions.save(site, run, [found(row, story(row, provenance=why)) for row in rows])
    again = [
        found(rows[0], story(rows[0], title="Better", provenance=why[1:])),
        found(rows[1], None, verdict="other", fit="strict"),
    ]
    store.extractions.save(site, run, again)
    store.extractions.save(site, run, again)
    assert {row.article.title for row in store.articles.all(site)} == {
        "Better",
        "Title c",
        "Title d",
    }
    assert store.articles.find(rows[0].id).article.provenance == why[1:]
    assert store.articles.find(rows[1].id).retired_at is not None
    with store.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM provenance").scalar() == 7


def test_articles_are_listed_latest_first_and_can_be_filtered(store, site, run, rows):
    day = timedelta(days=1)
    published = [NOON - day, None, NOON - 3 * day, NOON + day]
    store.extractions.save(
        site,
        run,
        [
            found(row, story(row, published=time, confidence=n / 4))
            for n, (row, time) in enumerate(zip(rows, published, strict=True))
        ],
    )

    def titles(**choice):
        return "".join(row.article.title[-1] for row in store.articles.all(**choice))

    assert titles() == "dacb"  # undated ones last
    assert titles(limit=2) == "da"
    assert titles(min_confidence=0.5) == "dc"
    assert titles(pattern_id=77) == ""
    assert titles(site=store.sites.add("https://other.org/")) == ""
    assert {row.site for row in store.articles.all()} == {"example.org"}
    summary = store.articles.summarise(site)
    assert (summary.total, summary.undated) == (4, 1)
    assert (summary.first, summary.last) == (NOON - 3 * day, NOON + day)
    assert sum(summary.sections.values()) == sum(summary.patterns.values()) == 4


def in_prose(row):
    """A page in prose that is not news."""
    return found(row, story(row, kind=ArticleKind.PAGE), verdict="other", fit="strict")


def ids(store, **choice):
    return {row.page_id for row in store.articles.chosen(ArticleChoice(**choice))}


def test_pages_that_are_not_news_are_listed_by_their_kind_only(store, site, run, rows):
    decisions = [in_prose(rows[0]), found(rows[1], story(rows[1]))]
    for _ in range(2):  # the second time, they are stored already
        store.extractions.save(site, run, decisions)
        assert ids(store) == {rows[1].id}
        assert ids(store, kinds=(ArticleKind.PAGE,)) == {rows[0].id}
        assert ids(store, kinds=tuple(ArticleKind)) == {rows[0].id, rows[1].id}
        assert not ids(store, retired=True)
        assert store.articles.count(site) == store.articles.summarise(site).total == 1
        assert store.articles.count_retired(site, since=run) == 0
    assert store.articles.find(rows[0].id).article.body == "Text."
    known = {each.url: each.is_article for each in store.pages.known_pages(site)}
    assert known[rows[0].url], "it is not fetched every night"


def test_a_night_does_not_miss_pages_that_were_never_news(store, site, run, rows):
    night = NightPeriod(day="", since="", until="9999")
    store.extractions.save(site, run, [in_prose(rows[0]), found(rows[1], story(rows[1]))])
    assert store.nights.gone(night, most=9) == []
    store.pages.mark_gone(site, run, [row.url for row in rows[:2]])
    assert [each.page_id for each in store.nights.gone(night, most=9)] == [rows[1].id]


def test_news_that_turns_into_a_page_counts_as_retired(store, site, run, rows):
    news = found(rows[0], story(rows[0]))
    store.extractions.save(site, run, [news])
    store.extractions.save(site, run, [in_prose(rows[0])])
    assert store.articles.count_retired(site, since=run) == 1
    assert not ids(store)
    store.extractions.save(site, run, [news])
    assert store.articles.count_retired(site, since=run) == 0
    assert ids(store) == {rows[0].id}


def test_a_page_without_text_any_more_is_of_no_kind(store, site, run, rows):
    store.extractions.save(site, run, [in_prose(rows[0])])
    store.extractions.save(site, run, [found(rows[0], None, verdict="other", fit="strict")])
    assert not ids(store, kinds=tuple(ArticleKind))
    assert ids(store, retired=True) == {rows[0].id}


def test_listing_continues_beyond_one_batch(store, site, run, page):
    store.pages.save(site, run, [page(f"{n}") for n in range(450)])
    rows = list(store.pages.rows(site))
    store.extractions.save(site, run, [found(row, story(row)) for row in rows])
    assert [row.page_id for row in store.articles.all(site)] == [row.id for row in rows]
