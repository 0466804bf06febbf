"""Pages of one story are one article, in lists, in search, in its history; none is lost."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from flong.article import Article, Block, BlockKind, Span, write_blocks
from flong.decision import Decision
from flong.stages.article_merge import merge
from flong.states import PageRole
from flong.storage import ArticleChoice, ArticleFilters, JoinedPage
from flong.storage.search import Search, SearchIndex


def words(*texts):
    return "\n".join(f"{each} is told here at some length." for each in texts)


@pytest.fixture
def rows(store, site, run, page):
    store.pages.save(site, run, [page(name) for name in ("story", "story/2", "copy", "other")])
    return sorted(store.pages.rows(site), key=lambda row: row.id)


def found(row, title, body, content_hash=None):
    blocks = [Block(kind=BlockKind.PARAGRAPH, spans=(Span(line),)) for line in body.split("\n")]
    article = Article(url=row.url, title=title, body=body, structure=write_blocks(blocks))
    return Decision(
        page_id=row.id,
        content_hash=content_hash or row.content_hash,
        model_version=1,
        verdict="article",
        article=replace(article, confidence=0.9),
    )


@pytest.fixture
def joined(store, site, run, rows):
    first, second, copy, other = rows
    store.extractions.save(
        site,
        run,
        [
            found(first, "Rain", words("alpha", "beta")),
            found(second, "Rain", words("gamma", "delta")),
            found(copy, "Rain", words("alpha", "beta")),
            found(other, "Snow", words("omega")),
        ],
    )
    store.articles.join_pages(site, parts(rows))
    SearchIndex(store).find_stories()
    return rows


def parts(rows):
    first, second, copy, _ = (row.id for row in rows)
    return [
        JoinedPage(page_id=first, article_id=first, position=1, role=PageRole.PAGE),
        JoinedPage(page_id=second, article_id=first, position=2, role=PageRole.PAGE),
        JoinedPage(page_id=copy, article_id=first, position=0, role=PageRole.COPY),
    ]


def titles(store, site):
    return sorted(row.article.title for row in store.articles.all(site))


def test_a_story_is_one_article_with_all_words_and_urls(store, site, joined):
    first, second, copy, _ = joined
    article = next(row.article for row in store.articles.all(site) if row.article.title == "Rain")
    assert article.body == words("alpha", "beta", "gamma", "delta")
    assert [block.words for block in article.blocks] == article.body.split("\n")
    assert article.page_urls == (first.url, second.url)
    assert article.other_urls == (copy.url,)


def test_story_is_found_by_a_phrase_of_any_page(store, joined):
    for phrase in ('"alpha is told"', '"delta is told"', '"length gamma is"'):
        assert [each.row.page_id for each in Search(store).find(phrase).results] == [joined[0].id]


def test_story_is_counted_and_listed_once(store, site, joined):
    assert titles(store, site) == ["Rain", "Snow"]
    assert store.articles.count(site) == store.lists.count_articles(ArticleFilters()) == 2
    assert [row.articles for row in store.overview.sites(store.sites.all())] == [2]
    with store.reading() as connection:
        summary = connection.execute(text("SELECT articles FROM v_site_summary")).scalars().all()
        bodies = connection.execute(text("SELECT body FROM v_article")).scalars().all()
    assert summary == [2]
    assert words("alpha", "beta", "gamma", "delta") in bodies
    assert len(bodies) == 2


def test_pages_of_a_story_can_be_listed_separately(store, site, joined):
    found = list(store.articles.chosen(ArticleChoice(sites=(site,), every_page=True)))
    assert sorted(row.article.body for row in found) == sorted(
        [words("alpha", "beta")] * 2 + [words("gamma", "delta"), words("omega")]
    )
    row = store.articles.find(joined[1].id)
    assert (row.article.body, row.part_of) == (words("gamma", "delta"), joined[0].id)


@pytest.mark.parametrize("word", ["alpha", "delta"])
def test_story_is_one_result_for_words_of_any_page(store, joined, word):
    assert [result.row.page_id for result in Search(store).find(word).results] == [joined[0].id]


def arrangement(rows, firsts):
    """Let each page belong to the article of the page named, as its copy if it is another."""
    return [
        JoinedPage(
            page_id=row.id,
            article_id=rows[first].id,
            position=int(at == first),
            role=PageRole.PAGE if at == first else PageRole.COPY,
        )
        for at, (row, first) in enumerate(zip(rows, firsts, strict=True))
        if firsts.count(first) > 1
    ]


@pytest.mark.parametrize("at_once", [1, 2, 200])
def test_pages_can_be_regrouped_in_batches(store, site, joined, monkeypatch, at_once):
    monkeypatch.setattr("flong.storage.articles.AT_ONCE", at_once)
    for firsts in ([0, 0, 2, 2], [3, 1, 1, 3], [1, 1, 1, 1], [0, 2, 2, 0], [0, 1, 2, 3]):
        wanted = arrangement(joined, firsts)
        store.articles.join_pages(site, wanted)
        assert store.articles.joined_pages(site) == wanted
        shown = sorted({joined[first].id for first in firsts})
        assert sorted(row.page_id for row in store.articles.all(site)) == shown
        found = Search(store).find("told").results
        assert sorted(each.row.page_id for each in found) == shown


def test_saving_the_same_groups_again_changes_nothing(store, site, joined):
    before = list(store.articles.all(site))
    store.articles.join_pages(site, parts(joined))
    assert list(store.articles.all(site)) == before
    assert store.articles.joined_pages(site) == parts(joined)


def test_edit_of_a_later_page_makes_a_version(store, site, run, joined):
    first, second, *_ = joined
    edited = found(second, "Rain", words("gamma", "delta", "news"), content_hash="new")
    store.extractions.save(site, run, [edited], merge)
    assert store.articles.find(first.id).article.body == words(
        "alpha", "beta", "gamma", "delta", "news"
    )
    [version] = store.articles.versions(first.id)
    assert version.body == words("alpha", "beta", "gamma", "delta")
    assert [r.row.page_id for r in Search(store).find("news").results] == [first.id]
    first_again = found(first, "Rainy", words("alpha", "beta"), content_hash="newer")
    store.extractions.save(site, run, [first_again], merge)
    assert [v.title for v in store.articles.versions(first.id)] == ["Rain", "Rain"]
    assert store.articles.versions(first.id)[1].body.endswith(words("news"))


def test_cut_first_page_keeps_its_full_text(store, site, run, joined):
    first = joined[0]
    cut = found(first, "Rain", words("alpha"), content_hash="cut")
    store.extractions.save(site, run, [cut], merge)
    assert store.extractions.find(first.id).kept == "replaced_by_part"
    assert store.articles.find(first.id).article.body.startswith(words("alpha", "beta"))
    again = found(first, "Rain", words("alpha", "beta"), content_hash="whole")
    store.extractions.save(site, run, [again], merge)
    assert store.extractions.find(first.id).kept == "none"


def test_retiring_the_first_page_separates_the_others(store, site, run, joined):
    store.articles.retire([joined[0].id], run)
    assert titles(store, site) == ["Rain", "Rain", "Snow"]
    assert store.articles.joined_pages(site) == []


def test_retired_later_page_leaves_the_story(store, site, run, joined):
    store.articles.retire([joined[1].id], run)
    article = store.articles.find(joined[0].id).article
    assert article.body == words("alpha", "beta")
    assert len(list(store.articles.all(site, retired=True))) == 1


def test_separated_pages_become_articles_again(store, site, joined):
    store.articles.join_pages(site, [])
    assert titles(store, site) == ["Rain", "Rain", "Rain", "Snow"]
    assert store.articles.find(joined[0].id).article.body == words("alpha", "beta")
    assert len(Search(store).find("delta").results) == 1


def test_removing_a_site_removes_its_stories(store, site, joined):
    store.sites.remove(site)
    assert list(store.articles.all()) == []


def test_rebuilt_index_contains_stories(store, joined):
    SearchIndex(store).rebuild()
    assert [result.row.page_id for result in Search(store).find("delta").results] == [joined[0].id]
