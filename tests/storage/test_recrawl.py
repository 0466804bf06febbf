"""Stored links, depths and aliases that a later crawl uses."""

from datetime import UTC, datetime

from flong.page import Link
from flong.storage import Alias, tables

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_links_of_all_pages_are_listed(store, site, run, page):
    links = (Link("https://a.example/b", "B"), Link("https://a.example/c", "C"))
    saved = [page("a", links=links), page("b")]
    store.pages.save(site, run, saved)
    known = store.links.known_links(site)
    assert known == {
        saved[0].url: [link.url for link in links],
        saved[1].url: ["https://www.example.org/b"],
    }


def test_damaged_page_does_not_hide_links_of_others(store, site, run, page):
    saved = [page("a"), page("b")]
    store.pages.save(site, run, saved)
    with store.writing() as connection:
        broken = tables.pages.update().where(tables.pages.c.url == saved[0].url)
        connection.execute(broken.values(links=b"\x28\xb5\x2f\xfd garbage"))
    assert store.links.known_links(site).keys() == {saved[1].url}


def test_depths_are_updated_to_the_shortest_path(store, site, run, page):
    near, far = page("a", depth=1), page("b", depth=3)
    store.pages.save(site, run, [near, far])
    store.links.save_depths(site, {near.url: 1, far.url: 2, "https://a.example/nowhere": 1})
    assert [store.pages.find(each.url).depth for each in (near, far)] == [1, 2]


def test_aliases_are_updated(store, site, run):
    old = Alias(url="x", target="a", is_page=True, checked_at=NOON)
    new = Alias(url="x", target=None, is_page=False, checked_at=NOON)
    other = Alias(url="y", target="a", is_page=False, checked_at=NOON)
    store.links.save_aliases(site, run, [old, other])
    store.links.save_aliases(site, run, [new])
    store.links.save_aliases(site, run, [])
    assert store.links.aliases(site) == [new, other]
    store.sites.remove(site)
    assert store.links.aliases(site) == []
