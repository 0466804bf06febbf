"""The search index: the same hits on both databases, and always those of the articles stored."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select, text

from flong.article import Article
from flong.decision import Decision
from flong.search import Field, Ranking, containment, index_terms, parse_query
from flong.stages.article_merge import merge
from flong.states import KeepReason
from flong.storage import Store, tables
from flong.storage.extractions import overwrite
from flong.storage.search import Search, SearchIndex, SearchSettings
from flong.storage.search.index import index_is_current
from flong.storage.search.term_index import term_index

TODAY = date(2026, 5, 20)
EVERYTHING = SearchSettings(depth=10_000, limit=10_000)
WORDS = (
    "rain Regen pluie élection Élections straße 日本 日本語 東京都 大統領 한국어 ไทย हिन्दी "
    "انتخابات می‌شود 2024 U.S. don't e-mail the of and Łódź"
).split()
PLACES = ("example.org", "news.example", "sport.news.example")


def sentence(chance, size=8):
    return " ".join(chance.choices(WORDS, k=size))


@pytest.fixture
def save(store, page):
    """Return a function that stores articles by page name; None stores another page."""
    runs = {}

    def _save(articles, host="www.example.org", merge=overwrite):
        site = store.sites.add(f"https://{host}/")
        run = runs.setdefault(host, None) or store.runs.start(site, "crawl")
        urls = {name: f"https://{host}/{name}" for name in articles}
        known = set(store.pages.urls(site))
        store.pages.save(
            site, run, [page(name, url=url) for name, url in urls.items() if url not in known]
        )
        ids = {row.url: row.id for row in store.pages.rows(site)}
        rows = [
            Decision(
                page_id=ids[urls[name]],
                content_hash=f"{time.monotonic_ns()}",
                model_version=1,
                verdict="other" if article is None else "article",
                reason="a test says so",
                article=article,
            )
            for name, article in articles.items()
        ]
        store.extractions.save(site, run, rows, merge)
        return {name: ids[url] for name, url in urls.items()}

    return _save


def article(title, body="", **fields):
    return Article(url="", title=title, body=body, **fields)


def found(store, typed, settings=EVERYTHING):
    hits = Search(store).hits(parse_query(typed, TODAY), settings)
    assert (hits.total, hits.is_counted) == (len(hits.best), True)
    return {hit.page_id for hit in hits.best}


def stands_in(terms, phrase):
    size = len(phrase.terms)
    windows = (terms[start : start + size] for start in range(len(terms) - size + 1))
    if phrase.is_prefix:
        return any(
            w[:-1] == list(phrase.terms[:-1]) and w[-1].startswith(phrase.terms[-1])
            for w in windows
        )
    return any(w == list(phrase.terms) for w in windows)


def fits(row, query):
    """Tell, slowly and obviously, whether an article fits a query."""
    parts = {
        Field.TEXT: [row.article.title, row.article.body],
        Field.TITLE: [row.article.title],
        Field.AUTHOR: list(row.article.authors),
        Field.SECTION: [row.article.section or ""],
    }

    def holds(condition):
        return any(
            stands_in(index_terms(part), condition.phrase) for part in parts[condition.where]
        )

    def is_of(sites):
        return any(row.site == site or row.site.endswith("." + site) for site in sites)

    day = (row.article.published or row.first_seen).date()
    return (
        all(map(holds, query.required))
        and not any(map(holds, query.excluded))
        and (not query.sites or is_of(query.sites))
        and not is_of(query.excluded_sites)
        and (not query.languages or row.article.language in query.languages)
        and (query.since is None or day >= query.since)
        and (query.until is None or day <= query.until)
    )


def random_query(chance):
    def part():
        word = chance.choice(WORDS)
        cut = word[: chance.randint(1, len(word))] if word[0] in "日東大한ไ" else word
        quoted = f'"{" ".join(chance.choices(WORDS, k=2))}"'
        return chance.choice(
            [cut, cut, cut.upper(), f"-{cut}", quoted, f"title:{cut}", f"-{quoted}"]
        )

    filters = (
        "site:news.example site:example.org -site:sport.news.example language:de language:ja "
        "since:2026-02 until:2026-03-15 author:Lee -author:Kim since:30d "
        'section:sport -section:news section:world section:"world-news" -section:"news-world"'
    ).split()
    parts = [part() for _ in range(chance.randint(0, 3))]
    parts += chance.sample(filters, chance.choice([0, 0, 0, 1, 2]))
    return " ".join(parts)


def test_index_finds_the_same_as_a_full_scan(store, save):
    chance = random.Random(7)
    for number, place in enumerate(PLACES):
        save(
            {
                f"{number}-{n}": article(
                    sentence(chance, 3),
                    "\n".join(sentence(chance, chance.randint(1, 12)) for _ in range(3)),
                    language=chance.choice(["de", "ja", "en", None]),
                    authors=chance.choice([(), ("Ann Lee",), ("Bo Kim", "Ann Lee")]),
                    section=chance.choice([None, "Sport", "World news", "News, World sport"]),
                    published=datetime(
                        2026, chance.randint(1, 5), chance.randint(1, 28), tzinfo=UTC
                    ),
                )
                for n in range(20)
            },
            host=place,
        )
    rows = list(store.articles.all())
    hits = 0
    for _ in range(250):
        typed = random_query(chance)
        query = parse_query(typed, TODAY)
        expected = {row.page_id for row in rows if fits(row, query)}
        assert found(store, typed) == expected, typed
        hits += len(expected)
    assert hits > 250


@pytest.mark.parametrize("words", [["the"] * 400, [f"w{n}" for n in range(17_000)]])
def test_a_phrase_is_found_at_the_end_of_a_long_text(store, save, words):
    ids = save({"a": article("Rain or sun", " ".join([*words, "desired end 日本語です"]))})
    for typed in ('"desired end"', f'"{words[-1]} desired"', "日本語", '"end 日"'):
        assert found(store, typed) == set(ids.values())
    for typed in (
        '"end desired"',
        '"sun the"',
        '"desired end" title:"sun or"',
        f'-"{words[-1]} desired"',
        "語本日",
    ):
        assert found(store, typed) == set()


def vocabulary(store):
    SearchIndex(store).refresh_vocabulary()
    with store.reading() as connection:
        return set(connection.execute(text("SELECT term, doc FROM search_vocabulary")).all())


def state(store):
    """Return all that the index holds, without ids."""
    documents = tables.search_documents
    with store.reading() as connection:
        query = select(documents.c.page_id, documents.c.dated, documents.c.language)
        rows = connection.execute(query.order_by(documents.c.page_id)).all()
    return rows, vocabulary(store)


def test_index_follows_every_change_of_articles(store, save):
    chance = random.Random(3)
    for step in range(30):
        names = chance.sample("abcdefgh", 3)
        texts = {
            name: chance.choice(
                [None, article(sentence(chance, 2), sentence(chance)), article("Rain", "as ever")]
            )
            for name in names
        }
        ids = save(texts, host=chance.choice(PLACES))
        if step % 5 == 0:
            [run] = store.runs.all(limit=1)
            store.articles.withhold([ids[names[0]]], run, "a test says so")
        if step == 20:
            store.sites.remove(store.sites.find(PLACES[0]))
        kept = state(store)
        SearchIndex(store).rebuild()
        assert kept == state(store)
    assert len(kept[0]) > 5


def test_undoing_an_edit_updates_the_index(store, save):
    body = "It rained all day in the valley. " * 5
    ids = save({"a": article("Flood", body)})
    save({"a": article("Drought", body)}, merge=merge)
    assert (found(store, "flood"), found(store, "drought")) == (set(), set(ids.values()))
    store.articles.undo_edits(list(ids.values()), KeepReason.PAYWALL)
    assert (found(store, "flood"), found(store, "drought")) == (set(ids.values()), set())


def test_unchanged_words_keep_index_entry_and_story(store, save):
    save({"a": article("Rain", "x"), "b": article("Snow", "y")})
    before = documents(store)
    save({"a": article("Rain", "x", language="de"), "b": article("Hail", "y")})
    after = documents(store)
    assert after[0][0] == before[0][0]
    assert after[0].language == "de"
    assert after[1][0] > max(row[0] for row in before)


def documents(store):
    table = tables.search_documents
    with store.reading() as connection:
        return connection.execute(select(table).order_by(table.c.page_id)).all()


def test_articles_altered_by_sql_do_not_damage_the_index(store, save):
    ids = save({"a": article("Rain", "in the valley"), "b": article("Rain", "in town")})
    with store.writing() as connection:
        connection.execute(tables.articles.update().values(body="altered by hand"))
    save({"a": article("Sun", "in the valley"), "b": None})
    assert found(store, "rain") == found(store, "town") == set()
    assert found(store, "valley sun") == {ids["a"]}


def test_index_of_another_version_is_rebuilt(store, save):
    ids = save({"a": article("Rain")})
    with store.writing() as connection:
        connection.execute(tables.search_version.update().values(folding=0))
        term_index(connection.dialect.name).clear(connection)
    assert found(store, "rain") == {ids["a"]}
    with store.reading() as connection:
        assert index_is_current(connection)


def test_failed_transaction_leaves_the_index_unchanged(store, save):
    ids = save({"a": article("Rain")})

    def fail():
        with store.transaction():
            save({"a": article("Snow"), "b": article("Hail")})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert found(store, "rain") == set(ids.values())
    assert found(store, "snow") == found(store, "hail") == set()


def test_only_the_latest_of_too_many_hits_are_ranked(store, save):
    titles = ["rain"] + ["snow"] * 7
    ids = save({str(n): article(title, "rain of frogs") for n, title in enumerate(titles)})
    few = SearchSettings(depth=2, candidates=4)
    for typed in ("rain", "rain of", '"rain of" -"rain frogs"'):
        hits = Search(store).hits(parse_query(typed, TODAY), few)
        assert [hit.page_id for hit in hits.best] == [ids["7"], ids["6"]]
        assert (hits.total, hits.is_counted) == ((4, False) if '"' in typed else (8, True))
    enough = SearchSettings(depth=2, candidates=8)
    assert Search(store).hits(parse_query("rain", TODAY), enough).best[0].page_id == ids["0"]
    assert not Search(store).find('"rain of"', few).is_counted


def test_phrase_search_stops_at_enough_hits(store, save):
    save({str(n): article("Weather", "rain of frogs" if n % 2 else "of rain") for n in range(600)})
    asked = parse_query('"rain of"', TODAY)
    enough = Search(store).hits(asked, SearchSettings(depth=20, looked_at=30))
    everything = Search(store).hits(asked, SearchSettings(depth=400, looked_at=30))
    assert (everything.total, everything.is_counted, len(everything.best)) == (300, True, 300)
    assert enough.best == everything.best[:20]
    is_indexed = store.engine.dialect.name == "postgresql"
    assert enough.is_counted == is_indexed
    assert (enough.total == 300) == is_indexed


def test_title_matches_rank_higher_and_freshness_is_optional(store, save):
    day = datetime.now(UTC)
    old, body = day - timedelta(days=300), "Nothing about it. " * 5
    ids = save(
        {
            "body": article("Weather", "Rain. " + body, published=day),
            "title": article("Rain", body, published=old),
        }
    )

    def first(ranking):
        settings = SearchSettings(ranking=ranking)
        return Search(store).find("rain", settings).results[0].row.page_id

    assert first(Ranking()) == ids["title"]
    assert first(Ranking(half_life=1)) == ids["body"]
    assert Search(store).find("rain", SearchSettings(ranking=Ranking(window=30))).total == 1
    assert (
        Search(store).find("rain since:1990", SearchSettings(ranking=Ranking(window=30))).total == 2
    )


@pytest.mark.parametrize(
    "typed",
    [
        '" OR 1',
        "NEAR(a b)",
        "a* ^b",
        "'; DROP TABLE sites --",
        "\0",
        "-",
        "!",
        "#rain",
        '+rain "++rain &rain"',
        "rain & !snow | hail <-> sleet:*",
        "rain:*A \\ '' % _ $1 :name",
        'title:" author:"\'; --" -site:',
        "site:'; language:%00 since:99999d until:0000",
        "\ud800 \x9b \u202e",
        pytest.param(" ".join(f'w{n} "a b{n}" -"c d{n}"' for n in range(2000)), id="long"),
    ],
)
def test_no_input_is_an_error(store, save, typed):
    ids = save({"a": article("Rain")})
    Search(store).find(typed)
    assert found(store, "rain") == set(ids.values())


def story(seed, size=200):
    return " ".join(f"w{n}" for n in random.Random(seed).choices(range(2000), k=size))


def test_a_story_is_one_result_with_its_copies(store, save):
    body = story(1)
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    first = save({"a": article("Flood", body, published=noon)}, host="agency.example")
    copied = save(
        {"b": article("Flood!", f"{body} and more", published=noon + timedelta(hours=1))},
        host="paper.example",
    )
    other = save({"c": article("Flood too", story(2))}, host="paper.example")
    assert SearchIndex(store).find_stories() == 3
    results = Search(store).find("flood").results
    assert {each.row.page_id for each in results} in (
        {*first.values(), *other.values()},
        {*copied.values(), *other.values()},
    )
    (told,) = [each for each in results if each.story_id]
    (copy,) = told.copies
    assert {copy.page_id, told.row.page_id} == {*first.values(), *copied.values()}
    assert copy.shared >= 0.5
    assert len(Search(store).find("flood", SearchSettings(is_folded=False)).results) == 3
    (listed,) = Search(store).stories()
    assert [each.site for each in listed.members] == ["agency.example", "paper.example"]
    assert [each.relation for each in Search(store).lineage(listed.id)] == ["first", "syndicated"]
    assert SearchIndex(store).find_stories() == 0


def test_stories_follow_edits_and_deletions(store, save):
    body = story(1)
    save({name: article(name, body) for name in "abc"})
    SearchIndex(store).find_stories()
    (told,) = Search(store).stories()
    assert len(told.members) == 3
    save({"a": article("a", story(9))})
    assert Search(store).stories() == []  # its representative tells another one now
    SearchIndex(store).find_stories()
    assert [len(each.members) for each in Search(store).stories()] == [2]
    save({"b": None})
    assert Search(store).stories() == []


def test_stories_equal_brute_force_comparison(store, save):
    texts = {}
    for number in range(24):
        base = story(number % 5).split()
        kept = base[: int(len(base) * random.Random(number).choice([1, 0.8, 0.6, 0.3]))]
        texts[f"p{number}"] = " ".join(kept + story(100 + number, 30).split())
        save({f"p{number}": article(f"t{number}", texts[f"p{number}"])})
        if number % 7 == 0:
            SearchIndex(store).find_stories()
    SearchIndex(store).find_stories()
    rows = {row.article.title: row.article.body for row in store.articles.all()}
    expected = {}
    for number in range(24):
        body = rows[f"t{number}"]
        shares = [(containment(body, rows[f"t{k}"]), -k) for k in sorted(set(expected.values()))]
        shared, first = max(shares, default=(0, 0))
        expected[number] = -first if shared >= 0.5 else number
    groups = {}
    for number, first in expected.items():
        groups.setdefault(first, set()).add(f"t{number}")
    told = [{each.title for each in one.members} for one in Search(store).stories(limit=0)]
    assert sorted(map(sorted, told)) == sorted(sorted(g) for g in groups.values() if len(g) > 1)


def test_spelling_and_completions_are_suggested(store, save):
    save(
        {
            "a": article("Government"),
            "b": article("Government of elections"),
            "c": article("Governor"),
        }
    )
    SearchIndex(store).refresh_vocabulary()
    assert Search(store).completions("the gov") == ["the government", "the governor"]
    assert Search(store).find("goverment").suggestion == "government"
    assert Search(store).find("government").suggestion is None


WRITER = """
    import random, sys
    from flong.article import Article
    from flong.page import Page
    from datetime import UTC, datetime
    from flong.storage import Store

    chance = random.Random()
    with Store.open(sys.argv[1]) as store:
        site = store.sites.add("https://www.example.org/")
        run = store.runs.start(site, "extract")
        ids = [row.id for row in store.pages.rows(site)]
        print("ready", flush=True)
        for step in range(10**9):
            rows = [
                Decision(
                    page_id=number, content_hash=str(step), model_version=1, verdict="article",
                    reason="", article=Article(url="", title=f"t{step}", body=" ".join(
                        f"w{chance.randrange(300)}" for _ in range(60))),
                )
                for number in chance.sample(ids, 10)
            ]
            store.extractions.save(site, run, rows)
            SearchIndex(store).find_stories()
"""


def test_kill_leaves_index_and_articles_consistent(url, page):
    with Store.open(url) as store:
        site = store.sites.add("https://www.example.org/")
        run = store.runs.start(site, "crawl")
        store.pages.save(site, run, [page(str(n), html=f"<p>{n}") for n in range(40)])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for moment in range(5):
        writer = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), url],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout.readline() == "ready\n"
        time.sleep(random.Random(moment).uniform(0.02, 0.3))
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        with Store.open(url) as store:
            kept = state(store)
            SearchIndex(store).rebuild()
            assert kept == state(store)


def test_text_with_invalid_characters_is_searchable(store, save):
    odd = article("Ra\0in", "lone \ud83d and \0 nothing", authors=("A\0nn",))
    assert found(store, "rain") == set()
    ids = save({"odd": odd})
    assert found(store, "rain author:ann lone nothing") == {*ids.values()}
