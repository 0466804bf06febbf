"""Announced and stored pages by month, and eras of templates."""

from datetime import UTC, datetime

from flong.article import Article
from flong.decision import Decision
from flong.page import Mention
from flong.storage import Alias

HOME = "https://www.example.org/"
MAY, JUNE = datetime(2026, 5, 3, tzinfo=UTC), datetime(2026, 6, 7, 23, tzinfo=UTC)


def decide(store, site, run, name, **given):
    published, article = given.get("published"), given.get("article", True)
    row = store.pages.find(HOME + name)
    made = Article(url=row.url, title=name, body="Rain.", published=published)
    decision = Decision(
        page_id=row.id,
        content_hash=row.content_hash,
        model_version=1,
        verdict="article" if article else "other",
        reason="a test says so",
        article=made if article else None,
        pattern_id=given.get("pattern"),
    )
    store.extractions.save(site, run, [decision])


def announce(store, site, *said):
    mentions = [
        Mention(url=HOME + name, source=source, published=day) for name, source, day in said
    ]
    store.links.save_mentions(site, mentions)


def test_each_month_counts_announced_stored_extracted_and_missing_pages(store, site, run, page):
    store.pages.save(site, run, [page("a", links=()), page("b", links=()), page("c", links=())])
    decide(store, site, run, "a", published=MAY)
    decide(store, site, run, "b", article=False)
    store.pages.mark_failed(site, run, f"{HOME}broken", 500, "HTTP status 500", 1)
    announce(
        store, site,
        ("a", "feed", JUNE), ("a", "sitemap", JUNE), ("b", "news", JUNE), ("c", "feed", None),
        ("broken", "sitemap", JUNE), ("never", "sitemap", JUNE),
    )  # fmt: skip
    rows = [
        (one.month, one.source, one.announced, one.stored, one.articles, one.missing)
        for one in store.lists.announced_months(site)
    ]
    assert rows == [
        ("2026-06", "sitemap", 3, 1, 0, 2),
        ("2026-05", "sitemap", 1, 1, 1, 0),  # the article's own date counts
        ("", "feed", 1, 1, 0, 0),
    ]
    missing = [(one.url.removeprefix(HOME), one.state) for one in store.lists.missing_pages(site)]
    assert missing == [("broken", "failed"), ("never", "missing")]
    assert store.lists.missing_pages(site, month="2026-05") == []
    assert len(store.lists.missing_pages(site, month="2026-06", most=1)) == 1


def test_pages_known_only_from_links_belong_to_the_archive(store, site, run, page):
    store.pages.save(site, run, [page("a")])  # it links to b
    store.links.rebuild_anchors(site)
    [month] = store.lists.announced_months(site)
    assert (month.source, month.announced, month.missing) == ("archive", 1, 1)


def test_redirecting_url_counts_as_stored_if_its_target_is(store, site, run, page):
    store.pages.save(site, run, [page("a", links=())])
    announce(store, site, ("old", "sitemap", MAY), ("picture", "sitemap", MAY))
    aliases = [
        Alias(url=f"{HOME}old", target=f"{HOME}a", is_page=False, checked_at=MAY),
        Alias(url=f"{HOME}picture", target=None, is_page=False, checked_at=MAY),
    ]
    store.links.save_aliases(site, run, aliases)
    [month] = store.lists.announced_months(site)
    assert (month.announced, month.stored, month.missing) == (2, 1, 1)
    assert [one.state for one in store.lists.missing_pages(site)] == ["no_page"]


def test_era_spans_first_to_last_day_of_a_pattern(store, filled_site, run):
    [pattern] = [row.id for row in store.templates.patterns(filled_site)]
    decide(store, filled_site, run, "1", published=MAY, pattern=pattern)
    decide(store, filled_site, run, "2", published=JUNE, pattern=pattern)
    decide(store, filled_site, run, "3", pattern=pattern)
    [era] = store.lists.eras(filled_site)
    assert (era.pattern_id, era.retired_at) == (pattern, None)
    assert (era.first_day, era.last_day) == ("2026-05-01", "2026-06-07")
    assert era.articles == era.dated + 1


def test_site_without_pages_has_no_coverage(store, site, filled_site):
    other = store.sites.add("https://other.example/")
    assert store.lists.eras(other) == store.lists.announced_months(other) == []
    assert store.lists.missing_pages(other) == []
