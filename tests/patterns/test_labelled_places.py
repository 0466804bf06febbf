"""Elections of standfirst, section and tags on pages without metadata."""

from datetime import date

import numpy as np
import pytest

from flong.patterns.field_elections import (
    DATE,
    SECTION,
    STANDFIRST,
    TAGS,
    BylineSample,
    DateLine,
    SectionLine,
    StandfirstLine,
    TagBlock,
    label_places,
    section_text,
)
from flong.patterns.labels import LabelledPage, Labels
from flong.patterns.metadata import read_metadata
from flong.patterns.person_names import Byline
from flong.patterns.selectors import Selector, find
from flong.tree import TEXT, build_tree
from tests.patterns.small_site import story

SECTIONS = ("World", "Sport", "Culture")
MENU = "".join(f"<a href=/{name}>{name}</a> " for name in SECTIONS)


def sample(number, above="", below="", head=""):
    one = story(number)
    paragraphs = "".join(f"<p>{text}</p>" for text in one.paragraphs)
    tree = build_tree(
        f"<head>{head}</head><nav>{MENU}</nav><main><h1>{one.title}</h1>{above}"
        f"<div class=text>{paragraphs}</div>{below}</main>"
    )
    leaves = tree.leaves()
    title = next(leaf for leaf in leaves if tree.text_of(leaf) == one.title)
    body = [leaf for leaf in leaves if tree.text_of(leaf) in one.paragraphs]
    labelled = LabelledPage(
        title=title, container=int(tree.parent[tree.parent[body[0]]]), body=body, instances=1
    )
    return BylineSample(tree, labelled, None, None, (), read_metadata(tree.head))


def labelled(samples, author=None):
    shared = set.intersection(
        *({*one.tree.text_hash[one.tree.tag == TEXT].tolist()} for one in samples)
    )
    known = np.array(sorted(shared), dtype=np.int64)
    return label_places(Labels(constants=known, author=author), samples)


def lead(number):
    return f"In short, {story(number + 100).paragraphs[0].lower()[:60]}."


@pytest.mark.parametrize("form", ["<p class=deck>{}</p>", "<h2>{}</h2>", "<div><p>{}</p></div>"])
def test_a_sentence_between_title_and_text_is_the_standfirst(form):
    samples = [sample(number, form.format(lead(number))) for number in range(8)]
    selector = labelled(samples).standfirst
    tree = samples[3].tree
    assert " ".join(tree.text_of(find(tree, selector)).split()) == lead(3)


@pytest.mark.parametrize(
    "above",
    [
        "<p class=promo>Read this and all our other stories every day for a small price.</p>",
        "<p class=meta>By Ann Lee of the Example, on 3 May 2024</p>",
        "<p class=caption>{}</p>",
        "<p>Share</p>",
        "",
    ],
)
def test_other_lines_are_not_standfirsts(above):
    samples = [sample(number, above.format(lead(number))) for number in range(8)]
    assert labelled(samples).standfirst is None


def test_fields_in_the_heads_need_no_place():
    head = '<meta name=description content="It rained.">'
    samples = [sample(n, f"<p class=deck>{lead(n)}</p>", head=head) for n in range(8)]
    assert labelled(samples).standfirst is None


@pytest.mark.parametrize(
    "form", ["<p class=kicker>{}</p>", "<p class=trail>World</p><p class=kicker>Section: {}</p>"]
)
def test_the_section_is_one_of_the_menu_that_differs_from_page_to_page(form):
    """Text that is twice on all pages is the item of two menus."""
    samples = [sample(number, form.format(SECTIONS[number % 3])) for number in range(9)]
    selector = labelled(samples).section
    tree = samples[1].tree
    assert str(selector) == "p.kicker"
    assert section_text(tree, find(tree, selector)) == SECTIONS[1]


@pytest.mark.parametrize(
    ("above", "below"),
    [("<p class=by>{}</p>", ""), ("<p class=by>By {}</p>", "<p class=section>{}</p>")],
)
def test_a_columnist_in_the_menu_is_not_a_section(above, below):
    """Here the names of the menu are those of authors."""
    samples = [
        sample(number, above.format(SECTIONS[number % 3]), below.format(SECTIONS[number % 3]))
        for number in range(9)
    ]
    author = Byline(Selector("p", "by"), before="By " if below else "")
    assert labelled(samples).section is not None
    assert labelled(samples, author).section is None


def test_tags_are_links_to_tags():
    tags = "<ul class=topics><li><a href=/tag/a{0}>a{0}</a><li><a href=/tag/b>b</a></ul>"
    more = "<ul class=more><li><a href=/1>A story</a><li><a href=/2>Another story</a></ul>"
    samples = [sample(n, below=tags.format(n) + more) for n in range(8)]
    assert str(labelled(samples).tags) == "ul.topics"


DAY = date(2024, 5, 3)


@pytest.mark.parametrize(
    ("table", "better", "worse"),
    [
        (DATE, DateLine(DAY, DAY), DateLine(DAY, None)),
        (DATE, DateLine(DAY, None), DateLine(date(2024, 5, 4), DAY)),
        (STANDFIRST, StandfirstLine(0.9, True, False), StandfirstLine(None, True, False)),
        (SECTION, SectionLine(True), SectionLine(None, in_menu=True)),
        (TAGS, TagBlock(1.0), TagBlock(None, 0.75, named=True)),
        (TAGS, TagBlock(None, 0.75, named=True), TagBlock(None, 0.75)),
        (TAGS, TagBlock(None, 0.75, linked=True), TagBlock(None, 0.75)),
    ],
)
def test_stronger_features_have_more_points(table, better, worse):
    assert table.score(better) > table.score(worse)
