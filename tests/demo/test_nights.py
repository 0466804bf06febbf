from dataclasses import replace
from typing import Any

import pytest
from lxml.html import document_fromstring

from flong.demo import Portal

FIRST = Portal(seed=5, articles=80)


def parse(page: str) -> Any:
    return document_fromstring(page)


def by_path(portal):
    return {truth.path: truth for truth in portal.truth()}


def validators(portal, path):
    response = portal.get(path)
    return {
        "If-None-Match": response.header("ETag") or "",
        "If-Modified-Since": response.header("Last-Modified") or "",
    }


def test_night_makes_exactly_the_given_changes():
    before, later = by_path(FIRST), FIRST.with_changes(new=3, edited=2, removed=1)
    after = by_path(later)
    assert len(after.keys() - before.keys()) == 3
    (gone,) = before.keys() - after.keys()
    assert later.get(gone).status in (404, 410)
    edited = [path for path in after.keys() & before.keys() if after[path] != before[path]]
    assert len(edited) == 2
    for path in edited:
        assert after[path].title == before[path].title
        assert set(before[path].body.split("\n")) < set(after[path].body.split("\n"))
        assert before[path].modified is None
        assert after[path].modified > after[path].published


def test_unchanged_articles_give_304():
    before, later = by_path(FIRST), FIRST.with_changes(new=3, edited=2, removed=1)
    after = by_path(later)
    for path, truth in before.items():
        status = later.get(path, validators(FIRST, path)).status
        assert status == (304 if after.get(path) == truth else 200 if path in after else status)
        assert status in (200, 304, 404, 410)


@pytest.mark.parametrize("path", ["/", "/archive/", "/feed.xml", "/sitemap.xml", "/about"])
def test_other_pages_give_304_in_the_same_night(path):
    response = FIRST.get(path, validators(FIRST, path))
    assert (response.status, response.body) == (304, b"")


def test_listings_change_when_something_is_new():
    later = FIRST.with_changes(new=3)
    assert later.get("/", validators(FIRST, "/")).status == 200


def test_etag_takes_precedence_over_date():
    truth = next(FIRST.truth())
    known = validators(FIRST, truth.path)
    date = known["If-Modified-Since"]
    assert FIRST.get(truth.path, {"If-Modified-Since": date}).status == 304
    assert FIRST.get(truth.path, {"if-modified-since": "nonsense"}).status == 200
    stale = {"If-Modified-Since": date, "If-None-Match": '"other"'}
    assert FIRST.get(truth.path, stale).status == 200


def test_new_stories_are_published_after_all_others_and_at_most_tonight():
    later = FIRST.with_changes(new=3)
    dates = [truth.published for truth in later.truth()]
    assert dates == sorted(dates, reverse=True)
    assert dates[0] <= later.edition.today
    assert dates[2] > dates[3]


def test_changes_of_several_nights_accumulate():
    later = FIRST.with_changes(new=2).with_changes(removed=5).with_changes(new=1, edited=1)
    assert len(by_path(later)) == 80 + 3 - 5


def test_redesign_keeps_urls_and_text():
    assert by_path(FIRST.redesigned()) == by_path(FIRST)
    assert FIRST.redesigned().redesigned().design == FIRST.design


def test_conditional_requests_detect_a_redesign():
    later = FIRST.redesigned()
    for path in ("/", *by_path(FIRST)):
        asked = validators(FIRST, path)
        assert later.get(path, asked).status == 200
        del asked["If-None-Match"]
        assert later.get(path, asked).status == 200


def classes(portal, truth):
    """Return the classes of ancestors of the first and last paragraph of a body."""
    page = parse(portal.get(truth.path).text)
    lines = truth.body.split("\n")
    holders = [e for e in page.iter("p") if e.text_content() in (lines[0], lines[-1])]
    assert holders
    return {
        token
        for holder in holders
        for element in (holder, *holder.iterancestors())
        for token in (element.get("class") or "").split()
    }


def test_a_redesign_shares_no_class_around_the_body():
    later = FIRST.redesigned()
    for truth in FIRST.truth():
        assert classes(FIRST, truth)
        assert not classes(FIRST, truth) & classes(later, truth)


def test_a_consent_wall_replaces_every_page_with_status_200():
    walled = FIRST.behind_consent_wall()
    pages = {walled.get(path).body for path in (*by_path(FIRST), *FIRST.others(), "/nowhere")}
    assert len(pages) == 1
    truth = next(FIRST.truth())
    response = walled.get(truth.path, validators(FIRST, truth.path))
    assert response.status == 200
    assert response.header("ETag") is None
    assert truth.title not in response.text
    assert walled.get("/robots.txt") == FIRST.get("/robots.txt")


def test_paywall_cuts_about_the_given_fraction():
    walled = FIRST.behind_paywall(0.9)
    cut = sum(walled.get(path).body != FIRST.get(path).body for path in by_path(FIRST))
    assert 0.75 * 80 <= cut <= 80


def test_a_soft_404_looks_like_success():
    soft = replace(FIRST, soft_404=True)
    assert soft.get("/nowhere").status == 200
    assert soft.get("/nowhere").text == FIRST.get("/nowhere").text


def test_a_restless_portal_changes_boxes_but_no_article():
    before = replace(FIRST, restless=True)
    after = before.with_changes(new=1)
    path = next(before.truth()).path
    assert after.get(path, validators(before, path)).status == 200
    assert by_path(after).items() > by_path(before).items()


def test_nights_of_the_week():
    counts = [len(by_path(FIRST.night(night))) for night in range(1, 7)]
    assert counts == [80, 82, 85, 85, 85, 85]
    assert [FIRST.night(n).design for n in (1, 2, 3, 4)] == ["broadsheet"] * 2 + ["tabloid"] * 2
    assert FIRST.night(3) == FIRST.night(4) == FIRST.night(6) != FIRST.night(5)
    with pytest.raises(ValueError, match="not 7"):
        FIRST.night(7)
