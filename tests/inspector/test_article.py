"""Views of an article: text, versions and story."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as markup

from flong.article import Block, BlockKind, Box, Mark, Span
from flong.inspector.differences import MOST, Kind, compare
from flong.inspector.rendering import prose
from tests.inspector.conftest import HOME, NEWSLETTERS

texts = st.lists(st.sampled_from(["rain", "snow ", ".", "\n", "雪", "é"]), max_size=30).map("".join)


def text_of(lines, kinds):
    """Return the words of some kinds of differences, without line ends."""
    return "".join(change.text for line in lines for change in line if change.kind in kinds)


@given(texts, texts)
def test_both_versions_can_be_read_from_the_changes(old, new):
    lines = compare(old, new)
    assert text_of(lines, {Kind.SAME, Kind.REMOVED}) == old.replace("\n", "")
    assert text_of(lines, {Kind.SAME, Kind.ADDED}) == new.replace("\n", "")


@given(texts)
def test_nothing_is_changed_in_the_same_text(text):
    assert all(change.kind is Kind.SAME for line in compare(text, text) for change in line)


@pytest.mark.parametrize(
    ("old", "new", "removed", "added"),
    [
        ("It rained all night.", "It snowed all night.", "rained ", "snowed "),
        ("One.\nTwo.", "One.\nThree.\nTwo.", "", "Three."),
        ("東京は雨です", "東京は雪です", "雨", "雪"),
        ("word " * (MOST + 1), "word", "word " * (MOST + 1), "word"),
    ],
)
def test_only_changed_words_are_marked(old, new, removed, added):
    lines = compare(old, new)
    assert text_of(lines, {Kind.REMOVED}) == removed
    assert text_of(lines, {Kind.ADDED}) == added


@pytest.fixture
def newsletter(store):
    return store.pages.find(f"{HOME}newsletter").id


def shown(client, path):
    return markup.fromstring(client.get(path).text)


def test_article_is_read_with_its_paragraphs_byline_and_date(client, articles):
    row = next(row for row in articles if row.article.authors)
    document = shown(client, f"/articles/{row.page_id}")
    assert document.xpath("//h1")[0].text_content().strip() == row.article.title
    [text] = document.xpath("//article")
    [byline, *_] = [p.text_content() for p in text.xpath("./p")]
    assert row.dated in byline
    assert row.article.authors[0] in byline
    read = text.text_content()
    places = [read.index(line) for line in row.article.body.split("\n")]
    assert places == sorted(places)
    assert len(text.xpath("./p")) > 2
    assert not document.xpath("//img")


def test_structured_text_fetches_and_runs_nothing():
    spans = (Span("<b>"), Span("x", (Mark.STRONG,), "javascript:alert(1)"), Span("1\u202e2"))
    item = (Box("ul", 1), Box("li", 2))
    blocks = [
        Block(kind=BlockKind.HEADING, level=1, spans=(Span("Rain"),)),
        Block(kind=BlockKind.PARAGRAPH, spans=spans, boxes=item),
        Block(kind=BlockKind.IMAGE, url="https://a.example/b.png", alt='"><script>'),
        Block(kind=BlockKind.EMBED, url="javascript:alert(1)"),
        Block(kind=BlockKind.CODE, alt="<i>"),
    ]
    document = markup.fragment_fromstring(prose(blocks), create_parent="div")
    tags = [element.tag for element in document.iterdescendants()]
    assert tags == ["h2", "ul", "li", "strong", "p", "a", "p", "pre", "code"]
    assert document.xpath("//@*") == ["https://a.example/b.png"]
    assert "⟨U+202E⟩" in document.text_content()


def test_later_and_earlier_lead_through_all_articles_of_the_site(client, store):
    rows = [*store.articles.all(store.sites.find(HOME))]
    rows.sort(key=lambda row: row.article.published or row.first_seen, reverse=True)
    number, met = rows[0].page_id, []
    while number is not None:
        met.append(number)
        earlier = client.get(f"/articles/{number}.json").json()["earlier"]
        number = earlier and earlier["page_id"]
    assert sorted(met) == sorted(row.page_id for row in rows)
    times = {row.page_id: row.article.published or row.first_seen for row in rows}
    assert [times[number] for number in met] == sorted(times.values(), reverse=True)
    back = client.get(f"/articles/{met[1]}.json").json()["later"]["page_id"]
    assert back == met[0]


def test_last_two_versions_are_compared_by_default(client, newsletter):
    path = f"/articles/{newsletter}/versions"
    document = shown(client, path)
    [text] = document.xpath("//article")
    assert [e.text for e in text.xpath("./p[position() > 1]//del")] == ["Trains "]
    added = [e.text for e in text.xpath("./p[position() > 1]//ins")]
    assert added == ["Buses ", "Schools <b>stay</b> closed."]
    first = shown(client, f"{path}?old=1&new=2")
    changed = first.xpath("//article/p[position() > 1]//*[self::del or self::ins]/text()")
    assert changed == ["rained ", "snowed "]
    whole = client.get(f"{path}.json?old=3&new=1").json()
    assert [each["body"] for each in whole["versions"]] == list(NEWSLETTERS[:2])
    assert whole["row"]["article"]["body"] == NEWSLETTERS[2]
    assert (whole["old"], whole["new"]) == (3, 1)


def test_unknown_versions_become_the_nearest_ones(client, newsletter):
    found = client.get(f"/articles/{newsletter}/versions.json?old=0&new=99").json()
    assert (found["old"], found["new"]) == (2, 3)


def test_article_without_edits_has_a_message(client, articles):
    assert "Never edited" in client.get(f"/articles/{articles[0].page_id}/versions").text


def test_story_of_an_article_has_all_members(client, articles):
    stories = client.get("/stories.json").json()["stories"]
    told = {copy["page_id"]: story for story in stories for copy in story["members"]}
    for row in articles:
        found = client.get(f"/articles/{row.page_id}/story.json").json()["members"]
        expected = told.get(row.page_id, {"members": []})["members"]
        assert {each["appearance"]["key"] for each in found} == {
            each["page_id"] for each in expected
        }
        if not found:
            alone = row.page_id
    assert "Only here" in client.get(f"/articles/{alone}/story").text


def test_all_tabs_of_an_article_lead_to_each_other(client, newsletter):
    tabs = shown(client, f"/articles/{newsletter}").xpath("//nav[@class='tabs']/a/@href")
    assert len(tabs) == 5
    for path in tabs:
        document = shown(client, path)
        assert document.xpath("//nav[@class='tabs']/a/@href") == tabs
        assert document.xpath("//nav[@class='tabs']/a[@aria-current]/@href") == [path]
