import re
from collections import Counter, deque
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml.html import document_fromstring

from flong.demo import Portal
from flong.text import fold_text, word_count

PORTAL = Portal(seed=3, articles=120)
DESIGNS = (PORTAL, PORTAL.redesigned())
DEAD = "/puzzles/"  # linked from every page, deliberately missing


def parse(page: str) -> Any:
    return document_fromstring(page)


def links(page):
    """Return every internal URL on a page, without fragments."""
    for address in re.findall(r'(?:href|src|action)="([^"]+)"', page):
        url = urlsplit(unescape(address))
        if url.path and url.netloc in ("", "courier.example") and url.scheme in ("", "http"):
            yield url.path + ("?" + url.query if url.query else "")


def walk(portal, depth):
    """Return depth and status of every URL reachable from the home page."""
    depths, statuses, waiting = {"/": 0}, {}, deque(["/"])
    while waiting:
        path = waiting.popleft()
        response = portal.get(path)
        statuses[path] = response.status
        if response.header("Content-Type") != "text/html; charset=utf-8" or depths[path] == depth:
            continue
        for target in links(response.text):
            if target not in depths:
                depths[target] = depths[path] + 1
                waiting.append(target)
    return depths, statuses


def visible(page):
    """Return the visible text of a page, folded."""
    return fold_text(" ".join(parse(page).body.itertext()))


@pytest.mark.parametrize("portal", DESIGNS, ids=lambda portal: portal.design)
def test_every_link_but_the_dead_one_works(portal):
    _, statuses = walk(portal, 3)
    assert {path for path, status in statuses.items() if status != 200} == {DEAD}


@pytest.mark.parametrize("portal", DESIGNS, ids=lambda portal: portal.design)
def test_every_article_is_reachable_at_depth_3(portal):
    depths, _ = walk(portal, 3)
    assert {truth.path for truth in portal.truth()} <= depths.keys()


@pytest.mark.parametrize("portal", DESIGNS, ids=lambda portal: portal.design)
def test_pages_contain_their_ground_truth(portal):
    for truth in portal.truth():
        page = portal.get(truth.path).text
        text = visible(page)
        assert fold_text(truth.title) in text
        assert fold_text(truth.author) in text
        assert all(fold_text(line) in text for line in truth.body.split("\n"))
        assert parse(page).xpath("string(//h1)") == truth.title


@pytest.mark.parametrize("portal", DESIGNS, ids=lambda portal: portal.design)
def test_pages_are_well_formed(portal):
    parser = etree.HTMLParser(recover=False)
    for path in (*portal.others(), *(truth.path for truth in portal.truth())):
        page = portal.get(path)
        assert page.status == 200
        etree.fromstring(page.body, parser)


def test_the_same_seed_serves_the_same_bytes_and_another_seed_other_text():
    again, other = Portal(seed=3, articles=120), Portal(seed=4, articles=120)
    paths = [truth.path for truth in PORTAL.truth()]
    assert all(again.get(path) == PORTAL.get(path) for path in [*paths, "/", "/feed.xml"])
    assert {t.title for t in other.truth()} != {t.title for t in PORTAL.truth()}


def test_headlines_and_urls_are_unique():
    truths = list(PORTAL.truth())
    assert len({truth.path for truth in truths}) == 120
    assert len({truth.title for truth in truths}) >= 115


def test_stories_vary_in_kind_language_and_length():
    truths = list(PORTAL.truth())
    assert {t.kind for t in truths} == {"story", "note", "feature", "column", "gallery"}
    assert {t.language for t in truths} == {"en", "de", "ja"}
    assert len({t.section for t in truths}) == 8
    lengths = [word_count(t.body) for t in truths if t.language == "en"]
    assert min(lengths) < 70
    assert max(lengths) > 500


def test_notes_have_40_to_80_words():
    notes = [t for t in PORTAL.truth() if t.kind == "note" and t.language != "ja"]
    assert notes
    assert all(40 <= word_count(note.body) <= 80 for note in notes)


def test_some_comments_are_longer_than_their_article():
    longer = 0
    for truth in PORTAL.truth():
        found = parse(PORTAL.get(truth.path).text).find_class("comments")
        longer += bool(found) and word_count(found[0].text_content()) > word_count(truth.body)
    assert longer >= 3


def test_whole_articles_follow_below_those_of_one_section():
    truth = next(t for t in PORTAL.truth() if t.section == "Sport")
    page = parse(PORTAL.get(truth.path).text)
    assert len(list(page.iter("h1"))) == 3


def test_long_feature_continues_on_a_second_page():
    texts = {path: PORTAL.get(path).text for path in (t.path for t in PORTAL.truth())}
    onward = [path for path, text in texts.items() if f'href="{path}/page/2"' in text]
    assert onward
    second = PORTAL.get(f"{onward[0]}/page/2")
    assert second.status == 200
    assert PORTAL.get(f"{onward[0]}/page/3").status == 404
    body = next(t.body for t in PORTAL.truth() if t.path == onward[0])
    assert fold_text(body.split("\n")[-1]) not in visible(second.text)


def test_the_print_version_names_the_article_as_canonical():
    truth = next(PORTAL.truth())
    number = truth.path.split("-")[-1].split("/")[-1]
    page = parse(PORTAL.get(f"/print/{number}").text)
    assert page.xpath("//link[@rel='canonical']/@href") == ["http://courier.example" + truth.path]


def test_metadata_is_rich_in_some_sections_and_absent_in_others():
    said: Counter[tuple[str, str]] = Counter()
    for truth in PORTAL.truth():
        page = parse(PORTAL.get(truth.path).text)
        said[truth.section, "json"] += bool(page.xpath("//script[@type='application/ld+json']"))
        said[truth.section, "og"] += bool(page.xpath("//meta[@property='og:title']"))
        said[truth.section, "title"] += truth.title in page.xpath("string(//title)")
    marks = ("json", "og", "title")
    assert [bool(said["City", mark]) for mark in marks] == [True, True, True]
    assert [bool(said["Business", mark]) for mark in marks] == [False, True, True]
    assert [bool(said["Sport", mark]) for mark in marks] == [False, False, False]


def test_other_pages_include_prose_in_the_article_template():
    others = list(PORTAL.others())
    assert len(others) == len(set(others))
    assert not set(others) & {truth.path for truth in PORTAL.truth()}
    about = parse(PORTAL.get("/about").text)
    assert about.find_class("story-text")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nowhere", 404),
        ("/city/?page=99", 404),
        ("/city/?page=x", 404),
        ("/city/?page=99999999999999", 404),
        ("/city", 301),
        ("/city/2024/11/no-such-story-9999", 404),
        ("/city/2024/11/another-headline-0", 301),
        ("/whats-on/2031/07", 200),
        ("/whats-on/2031/13", 404),
        ("/%00\x00\ud800?\x00", 404),
        ("", 404),
    ],
)
def test_status_of_odd_urls(path, status):
    assert PORTAL.get(path).status == status


@given(st.text(max_size=40))
def test_no_url_breaks_the_portal(path):
    assert PORTAL.get("/" + path).status in (200, 301, 404)


@given(st.integers(0, 10**6), st.integers(0, 199), st.sampled_from(["broadsheet", "tabloid"]))
@settings(max_examples=60, deadline=None)
def test_any_story_of_any_seed_is_shown_in_full(seed, number, design):
    portal = Portal(seed=seed, articles=200, design=design)
    story = portal.edition.story(number)
    text = visible(portal.get(story.entry.path).text)
    assert all(fold_text(line) in text for line in (story.entry.title, *story.body.split("\n")))


def test_tracking_parameters_do_not_change_a_page():
    path = next(PORTAL.truth()).path
    assert PORTAL.get(path + "?utm_source=front&utm_medium=x").body == PORTAL.get(path).body


@pytest.mark.parametrize("field", [{"design": "zine"}, {"articles": 0}])
def test_impossible_portals_are_refused(field):
    with pytest.raises(ValueError, match=r"zine|0 articles"):
        Portal(**field)


def test_serving_one_of_50000_articles_is_lazy():
    portal = Portal(seed=9, articles=50_000)
    listing = portal.get("/world/?page=300")
    path = parse(listing.text).find_class("index-row")[0].xpath(".//h2/a/@href")[0]
    assert listing.status == portal.get(path).status == 200
    assert portal.get("/sitemap-stories-50.xml").body.count(b"<loc>") == 1000
