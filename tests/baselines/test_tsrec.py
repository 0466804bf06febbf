"""The TSReC hybrid and its failure classes F1 to F4 (section 6 of the paper)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from flong.baselines import tag_sequence, tsrec, twins
from flong.tree import build_tree
from tests.baselines.pages import SENTENCE, TREES, page, prose, texts


def rich(topic, tail=""):
    """A body with sub-headings and links: no rigid form."""
    return f"{prose(2, topic + SENTENCE)}<h2>{topic}</h2>{prose(2, SENTENCE + topic)}{tail}"


def pair(one, other, **options):
    tree = build_tree(one)
    return texts(tree, tsrec(tree, build_tree(other), **options))


def links(*topics):
    items = "".join(f"<li><a href=/{topic}>{topic} in brief</a></li>" for topic in topics)
    return f"<aside><ul>{items}</ul></aside>"


def test_region_codes_equal_figure_6():
    """Figure 6 leaves table and tr out of the sequence; here they are elements like all others."""
    cell, row = "<section>text</section>", "<section>text<p>text</p></section>"
    page = build_tree(f"<div><article>{row}{cell * 4}{row}{cell * 3}</article></div>")
    codes = tag_sequence(page)
    rows = zip(codes.begin, codes.end, codes.parent, codes.level, strict=True)
    assert [tuple(map(int, row)) for row in rows][1:11] == [
        (1, 26, 0, 1),
        (2, 25, 1, 2),
        (3, 6, 2, 3),
        (4, 5, 3, 4),
        (7, 8, 2, 3),
        (9, 10, 2, 3),
        (11, 12, 2, 3),
        (13, 14, 2, 3),
        (15, 18, 2, 3),
        (16, 17, 15, 4),
    ]


def test_common_and_regular_parts_are_removed():
    one = page(rich("Snow"), title="Snow", extra=links("Ice", "Hail", "Sleet"))
    other = page(rich("Rain", "<blockquote>Wet!</blockquote>"), title="Rain", extra=links("Mud"))
    found = pair(one, other)
    assert found[0].startswith("Part 0.")
    assert "Snow" in found
    assert not {"Home", "Imprint", "Ice in brief", "Hail in brief"} & set(found)


def test_f1_plain_prose_is_regular_without_repair():
    one, other = page(prose(4, "Snow. " + SENTENCE)), page(prose(6, "Rain. " + SENTENCE))
    assert pair(one, other, repair=False) == []
    assert len(pair(one, other)) == 4


def test_f2_invisible_text_is_content_without_repair():
    menu = "<div style='display: none'><p>{}</p><h3>More</h3></div>"
    one = page(rich("Snow"), extra=menu.format(f"Pop-up of today. {SENTENCE}"))
    other = page(rich("Rain", "<hr>"))
    assert any("Pop-up" in line for line in pair(one, other, repair=False))
    assert not any("Pop-up" in line for line in pair(one, other))


def test_f3_loosely_regular_part_is_taken_for_content():
    loose = "<aside><p>{}</p>{}</aside>"
    one = page(rich("Snow"), extra=loose.format("Ten degrees", "<h4>Sun</h4><p>Tomorrow</p>"))
    other = page(rich("Rain"), extra=loose.format("Two degrees", "<ul><li>Fog</ul>"))
    assert "Ten degrees" in pair(one, other)


def test_f4_intermittent_part_is_taken_for_content():
    one = page(rich("Snow"), extra="<aside><h4>Live</h4><p>Two goals</p></aside>")
    assert "Two goals" in pair(one, page(rich("Rain")))


def test_page_compared_with_itself_has_no_content():
    assert pair(page(rich("Snow")), page(rich("Snow"))) == []


@given(TREES, TREES, st.booleans())
@settings(max_examples=40, deadline=None)
def test_only_text_unique_to_the_page_is_content(tree, reference, repair):
    taken = set(tsrec(tree, reference, repair=repair))
    assert taken <= set(tree.leaves())
    assert tsrec(tree, tree, repair=repair) == ()


@given(st.lists(st.text("ab/", max_size=5), max_size=8))
def test_twins_have_the_most_similar_urls(urls):
    for position, twin in enumerate(twins(urls)):
        others = [url for other, url in enumerate(urls) if other != position]
        if twin is None:
            assert not others
        else:
            likeness = Indel.normalized_similarity(urls[position], urls[twin])
            assert twin != position
            assert likeness == max(
                Indel.normalized_similarity(urls[position], url) for url in others
            )


@pytest.mark.parametrize("size", [25_000])
def test_a_page_too_long_to_align_gives_nothing(size):
    tree = build_tree("<p>word</p>" * size)
    assert tsrec(tree, tree) == ()
