from flong.page import Link, Mention
from flong.storage import AnchorRow
from tests.storage.conftest import NOON

HOME = "https://www.example.org/"


def anchor(name, text, source="link", pages=1, published=None):
    return AnchorRow(url=HOME + name, text=text, source=source, pages=pages, published=published)


def test_anchors_count_pages_with_the_same_link(store, site, run, page):
    story = Link(HOME + "story", "The story")
    store.pages.save(
        site,
        run,
        [
            page("a", links=(story, Link(HOME + "b", "B"))),
            page("b", links=(story,)),
            page("c", links=(Link(HOME + "story", "More"),)),
            page("story", links=(Link(HOME + "story", "itself"),)),
        ],
    )
    store.links.rebuild_anchors(site)
    expected = [anchor("b", "B"), anchor("story", "More"), anchor("story", "The story", pages=2)]
    assert list(store.links.anchors(site)) == expected
    store.links.rebuild_anchors(site)
    assert list(store.links.anchors(site)) == expected


def test_rebuilding_anchors_drops_old_links_but_keeps_mentions(store, site, run, page):
    store.pages.save(site, run, [page("a", links=(Link(HOME + "b", "Old"),))])
    store.links.save_mentions(
        site, [Mention(url=HOME + "b", source="news", title="B", published=NOON)]
    )
    store.links.rebuild_anchors(site)
    store.pages.save(site, run, [page("a", html="<p>x", links=(Link(HOME + "b", "New"),))])
    store.links.rebuild_anchors(site)
    assert list(store.links.anchors(site)) == [
        anchor("b", "New"),
        anchor("b", "B", source="news", published=NOON),
    ]


def test_mentions_are_stored_once_and_updated(store, site):
    mention = Mention(url=HOME + "a", source="feed", title="A")
    dated = Mention(url=HOME + "a", source="feed", title="A", published=NOON)
    store.links.save_mentions(site, [mention, mention, dated])
    store.links.save_mentions(site, [dated])
    assert list(store.links.anchors(site)) == [anchor("a", "A", source="feed", published=NOON)]


def test_anchor_texts_are_cut_and_cleaned(store, site, run, page):
    wild = "long \0\ud800 " * 200
    store.links.save_mentions(site, [Mention(url=HOME + "a", source="feed", title=wild)])
    store.pages.save(site, run, [page("b", links=(Link(HOME + "a", wild),))])
    store.links.rebuild_anchors(site)
    found = list(store.links.anchors(site))
    assert [len(each.text) for each in found] == [500, 500]
    assert found[0].text == found[1].text


def test_many_links_are_counted(store, site, run, page):
    links = tuple(Link(f"{HOME}{n}", f"Story {n}") for n in range(3000))
    store.pages.save(site, run, [page("a", links=links), page("b", links=links)])
    store.links.rebuild_anchors(site)
    assert {each.pages for each in store.links.anchors(site)} == {2}
    assert len(list(store.links.anchors(site))) == 3000
