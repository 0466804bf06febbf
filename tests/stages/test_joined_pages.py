"""Pages that form one article: multi-page stories, copies, and pages that only resemble them."""

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
    """Return pages that link to each other by page number."""
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
def test_numbered_pager_joins_pages_in_order(paths):
    assert joined(story(paths)[::-1]) == [[1, 2, 3]]


def test_next_and_previous_links_join_pages():
    pages = [
        page(1, "/rain", [("/rain/2", "Nächste Seite")]),
        page(2, "/rain/2", [("/rain", "Zurück"), ("/rain/3", "Nächste Seite")]),
        page(3, "/rain/3", [("/rain/2", "Zurück")]),
    ]
    assert joined(pages) == [[1, 2, 3]]


def test_title_with_a_page_number_is_joined():
    pages = story(["/rain", "/rain?page=2"])
    pages[1] = page(2, "/rain?page=2", [("/rain", "1")], title="The rain of May - Page 2 of 2")
    assert joined(pages) == [[1, 2]]


def test_title_can_be_the_link_to_the_first_page():
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
def test_pages_are_joined_only_with_all_evidence(why, changes):
    first, second = story(["/rain", "/rain/page/2"])
    assert joined([first, second]) == [[1, 2]]
    assert joined([first, replace(second, **changes)]) == [], why


def test_similar_urls_alone_do_not_join_pages():
    assert joined([page(1, "/rain"), page(2, "/rain/page/2"), page(3, "/rain/page/3")]) == []


def test_articles_linked_by_a_common_title_stay_separate():
    pages = [
        page(1, "/bonito-26/", [("/bonito-26-2/", "The rain of May")]),
        page(2, "/bonito-26-2/", [("/bonito-26/", "The rain of May")]),
    ]
    assert joined(pages) == []


def test_undated_numbered_issues_of_a_column_stay_separate():
    assert joined(story(["/100/ecol", "/101/ecol", "/102/ecol"], published=None)) == []


def test_pages_without_a_first_page_are_not_joined():
    assert joined(story(["/rain", "/rain/page/2", "/rain/page/3"])[1:]) == []


def test_a_pager_loop_ends():
    pages = [
        page(1, "/rain", [("/rain/page/2", "Next")]),
        page(2, "/rain/page/2", [("/rain", "Next")]),
    ]
    assert joined(pages) == [[1, 2]]


@pytest.mark.parametrize("count", [MOST_PAGES, MOST_PAGES + 1, 1000, 10_000])
def test_endless_pager_is_not_joined_and_ends_quickly(count):
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
def test_different_cartoons_with_equal_text_are_not_copies(file, expected):
    text = "The artist has drawn for this paper for years, and lives by the sea with two cats. " * 2
    one = page(1, "/1", body=text, published=None, structure=drawing("a.png"))
    other = page(2, "/2", body=text, published=None, structure=drawing(file))
    assert copies([one, other]) == expected


@pytest.mark.parametrize(("day", "expected"), [(None, {}), (DAY, {2: 1, 4: 3})])
def test_equal_pages_are_copies_only_on_the_same_day(day, expected):
    texts = [
        "Every month our artist draws what goes wrong, and never what goes right. " * n
        for n in (3, 4)
    ]
    pages = [page(at + 1, f"/{at}", body=texts[at // 2], published=day) for at in range(4)]
    assert copies(pages) == expected


def test_canonical_url_makes_a_copy_only_with_equal_text():
    text = [f"Sentence {n} is about rain." for n in range(40)]
    pages = [
        page(1, "/rain", body=" ".join(text)),
        page(2, "/rain?view=1", body=" ".join(text[:-1]), canonical_url=f"{SITE}/rain"),
        page(3, "/rain?view=2", canonical_url=f"{SITE}/rain"),
    ]
    assert copies(pages) == {2: 1}


def test_page_that_contains_the_next_one_absorbs_it():
    pages = story(["/rain", "/rain/page/2"])
    pages[0] = page(1, "/rain", [("/rain/page/2", "2")], body=f"{pages[0].body} {pages[1].body}")
    assert copies(pages) == {2: 1}


def part(number, first, position):
    role = PageRole.PAGE if position else PageRole.COPY
    return JoinedPage(page_id=number, article_id=first, position=position, role=role)


STORED = [part(1, 1, 1), part(2, 1, 2)]


def test_joining_again_gives_the_same_result():
    pages = story(["/rain", "/rain/page/2"])
    assert decide(pages) == decide(pages, {row.page_id: row for row in STORED}) == STORED


def test_story_stays_joined_while_a_page_is_unavailable():
    pages = [page(1, "/rain"), page(2, "/rain/page/2", [("/rain", "1")], is_shown=False)]
    assert joined(pages, STORED) == [[1, 2]]


def test_story_is_separated_when_its_pager_disappears():
    assert joined([page(1, "/rain"), page(2, "/rain/page/2")], STORED) == []


def test_story_stays_joined_when_its_title_changes():
    pages = story(["/rain", "/rain/page/2"])
    pages[0] = page(1, "/rain", [("/rain/page/2", "2")], title="Rain, rain")
    assert joined(pages, STORED) == [[1, 2]]


def test_copy_stays_a_copy_after_a_small_edit():
    text = [f"Sentence {n} is about rain." for n in range(40)]
    pages = [page(1, "/rain", body=" ".join(text)), page(2, "/r", body=" ".join(text[:-1]))]
    assert copies(pages) == {}
    assert copies(pages, [part(2, 1, 0)]) == {2: 1}
