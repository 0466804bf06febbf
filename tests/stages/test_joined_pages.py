"""Which pages are one article: stories of several pages, copies, and what only looks like them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from flong.article import Block, BlockKind, Span, write_blocks
from flong.page import Link
from flong.stages.joined_pages import MOST_PAGES, decide
from flong.states import PageRole
from flong.storage import JoinedPage, ReadPage
from tests.waiting import cpu_limit

DAY = datetime(2024, 5, 2, 9, tzinfo=UTC)
SITE = "https://a.example"


def page(number, path, links=(), **changes):
    values = {
        "page_id": number,
        "url": SITE + path,
        "title": "The rain of May",
        "canonical_url": None,
        "body": f"Page {number} tells of its own things. " * 5 + f"And so ends what {number} told.",
        "published": DAY,
        "structure": None,
        "pattern_id": 1,
        "is_shown": True,
        "links": tuple(Link(SITE + to, text) for to, text in links),
    }
    return ReadPage(**(values | changes))


def story(paths, **changes):
    """Pages each of which links to all others by their numbers."""
    named = [(path, str(at)) for at, path in enumerate(paths, 1)]
    return [
        page(at, path, [link for link in named if link[0] != path], **changes)
        for at, path in enumerate(paths, 1)
    ]


def joined(pages, stored=()):
    """The numbers of the pages of each story, by their places."""
    rows = decide(pages, {row.page_id: row for row in stored})
    parts = sorted((row for row in rows if row.role is PageRole.PAGE), key=lambda row: row.position)
    firsts = dict.fromkeys(row.article_id for row in parts)
    return [[row.page_id for row in parts if row.article_id == first] for first in firsts]


def copies(pages, stored=()):
    rows = decide(pages, {row.page_id: row for row in stored})
    return {row.page_id: row.article_id for row in rows if row.role is PageRole.COPY}


@pytest.mark.parametrize(
    "paths",
    [
        ["/rain", "/rain/page/2", "/rain/page/3"],
        ["/rain/", "/rain/chapter/2/", "/rain/chapter/3/"],
        ["/rain", "/rain?page=2", "/rain?page=3"],
        ["/2024/rain-a.html", "/2024/rain-b.html", "/2024/rain-c.html"],
    ],
)
def test_pages_that_a_numbered_pager_connects_are_one_story_in_its_order(paths):
    assert joined(story(paths)[::-1]) == [[1, 2, 3]]


def test_pages_that_lead_to_the_next_and_the_previous_one_only_are_one_story():
    pages = [
        page(1, "/rain", [("/rain/2", "Nächste Seite")]),
        page(2, "/rain/2", [("/rain", "Zurück"), ("/rain/3", "Nächste Seite")]),
        page(3, "/rain/3", [("/rain/2", "Zurück")]),
    ]
    assert joined(pages) == [[1, 2, 3]]


def test_a_title_that_says_which_page_it_is_goes_on():
    pages = story(["/rain", "/rain?page=2"])
    pages[1] = page(2, "/rain?page=2", [("/rain", "1")], title="The rain of May - Page 2 of 2")
    assert joined(pages) == [[1, 2]]


def test_the_link_back_may_be_the_title():
    pages = [
        page(1, "/rain", [("/rain/page/2", "2")]),
        page(2, "/rain/page/2", [("/rain", "The rain of May")]),
    ]
    assert joined(pages) == [[1, 2]]


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("another title", {"title": "The snow of June"}),
        ("the next part of a series", {"title": "The rain of May, part 2"}),
        ("another template", {"pattern_id": 2}),
        ("no template", {"pattern_id": None}),
        ("another day", {"published": datetime(2024, 5, 9, tzinfo=UTC)}),
        ("no link back", {"links": ()}),
    ],
)
def test_one_piece_of_evidence_that_is_missing_keeps_pages_apart(why, changes):
    first, second = story(["/rain", "/rain/page/2"])
    assert joined([first, second]) == [[1, 2]]
    assert joined([first, replace(second, **changes)]) == [], why


def test_urls_that_look_like_pages_are_not_enough():
    assert joined([page(1, "/rain"), page(2, "/rain/page/2"), page(3, "/rain/page/3")]) == []


def test_articles_of_one_title_that_link_to_each_other_by_it_are_apart():
    pages = [
        page(1, "/bonito-26/", [("/bonito-26-2/", "The rain of May")]),
        page(2, "/bonito-26-2/", [("/bonito-26/", "The rain of May")]),
    ]
    assert joined(pages) == []


def test_a_column_of_one_name_with_numbered_issues_and_no_dates_is_no_story():
    assert joined(story(["/100/ecol", "/101/ecol", "/102/ecol"], published=None)) == []


def test_a_story_without_its_first_page_is_not_joined():
    assert joined(story(["/rain", "/rain/page/2", "/rain/page/3"])[1:]) == []


def test_a_pager_loop_ends():
    pages = [
        page(1, "/rain", [("/rain/page/2", "Next")]),
        page(2, "/rain/page/2", [("/rain", "Next")]),
    ]
    assert joined(pages) == [[1, 2]]


@pytest.mark.parametrize("count", [MOST_PAGES, MOST_PAGES + 1, 1000, 10_000])
def test_a_pager_without_end_is_no_story_and_costs_little(count):
    paths = ["/rain", *(f"/rain/page/{n}" for n in range(2, count + 1))]
    pages = [
        page(at + 1, path, [(paths[to], str(to + 1)) for to in (at - 1, at + 1) if 0 <= to < count])
        for at, path in enumerate(paths)
    ]
    with cpu_limit(5):
        assert len(joined(pages)) == (count <= MOST_PAGES)


def test_the_same_text_at_several_urls_is_one_article():
    text = "The same words stand here and there. " * 9
    pages = [
        page(1, "/print.php?id=7", body=text),
        page(2, "/2024/the-rain-of-may", body=text.upper()),
        page(3, "/topics/weather", body=text),
        page(4, "/2024/other", body=text, published=datetime(2025, 5, 2, tzinfo=UTC)),
        page(5, "/2024/short", body="Few words."),
        page(6, "/2024/shorter", body="Few words."),
    ]
    assert copies(pages) == {1: 2, 3: 2}


def drawing(file):
    shown = Block(kind=BlockKind.IMAGE, url=f"{SITE}/misc/{file}")
    site = Block(kind=BlockKind.PARAGRAPH, spans=(Span("more", (), "https://artist.example/"),))
    return write_blocks([shown, site])


@pytest.mark.parametrize(("file", "expected"), [("a.png", {2: 1}), ("b.png", {})])
def test_two_cartoons_with_the_same_words_about_them_are_no_copies(file, expected):
    text = "The artist has drawn for this paper for years, and lives by the sea with two cats. " * 2
    one = page(1, "/1", body=text, published=None, structure=drawing("a.png"))
    other = page(2, "/2", body=text, published=None, structure=drawing(file))
    assert copies([one, other]) == expected


@pytest.mark.parametrize(("day", "expected"), [(None, {}), (DAY, {2: 1, 4: 3})])
def test_pages_of_a_column_are_copies_only_if_they_are_of_one_day(day, expected):
    texts = [
        "Every month our artist draws what goes wrong, and never what goes right. " * n
        for n in (3, 4)
    ]
    pages = [page(at + 1, f"/{at}", body=texts[at // 2], published=day) for at in range(4)]
    assert copies(pages) == expected


def test_a_page_that_names_another_as_its_own_url_is_its_copy_if_it_has_its_text():
    text = [f"Sentence {n} is about rain." for n in range(40)]
    pages = [
        page(1, "/rain", body=" ".join(text)),
        page(2, "/rain?view=1", body=" ".join(text[:-1]), canonical_url=f"{SITE}/rain"),
        page(3, "/rain?view=2", canonical_url=f"{SITE}/rain"),
    ]
    assert copies(pages) == {2: 1}


def test_an_endless_page_that_has_the_next_one_too_takes_it_in():
    pages = story(["/rain", "/rain/page/2"])
    pages[0] = page(1, "/rain", [("/rain/page/2", "2")], body=f"{pages[0].body} {pages[1].body}")
    assert copies(pages) == {2: 1}


def part(number, first, position):
    role = PageRole.PAGE if position else PageRole.COPY
    return JoinedPage(page_id=number, article_id=first, position=position, role=role)


STORED = [part(1, 1, 1), part(2, 1, 2)]


def test_finding_it_again_gives_the_same():
    pages = story(["/rain", "/rain/page/2"])
    assert decide(pages) == decide(pages, {row.page_id: row for row in STORED}) == STORED


def test_pages_stay_together_while_one_of_them_cannot_be_seen():
    pages = [page(1, "/rain"), page(2, "/rain/page/2", [("/rain", "1")], is_shown=False)]
    assert joined(pages, STORED) == [[1, 2]]


def test_pages_that_are_seen_without_their_pager_part():
    assert joined([page(1, "/rain"), page(2, "/rain/page/2")], STORED) == []


def test_a_story_whose_first_page_has_a_new_title_stays_together():
    pages = story(["/rain", "/rain/page/2"])
    pages[0] = page(1, "/rain", [("/rain/page/2", "2")], title="Rain, rain")
    assert joined(pages, STORED) == [[1, 2]]


def test_a_copy_stays_one_while_its_text_is_edited_here_and_not_yet_there():
    text = [f"Sentence {n} is about rain." for n in range(40)]
    pages = [page(1, "/rain", body=" ".join(text)), page(2, "/r", body=" ".join(text[:-1]))]
    assert copies(pages) == {}
    assert copies(pages, [part(2, 1, 0)]) == {2: 1}
