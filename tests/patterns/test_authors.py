"""Bylines and names of authors, in several languages."""

import json

import pytest

from flong.patterns.authors import KnownNames, elect_byline, learn_byline
from flong.patterns.field_elections import BylineSample
from flong.patterns.labels import LabelledPage
from flong.patterns.metadata import read_metadata
from flong.patterns.person_names import Byline, pieces, stated_names
from flong.patterns.selectors import Selector
from flong.tree import Head, build_tree, stable_hash

NAMES = ["Ann Lee", "Bo Ek", "Eva Ruiz", "Ann Lee", "Bo Ek", "Jan Pol", "Ann Lee", "Bo Ek"]
TEXT = "<p>" + "It rained all day and nobody went out. " * 4 + "</p>"


def sample(meta, *, authors=()):
    """Return a page with a headline, some markup below it, and a text."""
    tree = build_tree(f"<h1>Rain all day</h1>{meta}<div class=text>{TEXT}</div>")
    title = 2
    body = [leaf for leaf in tree.leaves() if tree.words[leaf] > 20]
    labelled = LabelledPage(title=title, container=tree.parent[body[0]], body=body, instances=1)
    return BylineSample(tree, labelled, None, None, authors)


def elected(markup, names=NAMES, *, known=None, **how):
    samples = [sample(markup.format(name), **how) for name in names]
    byline = elect_byline(samples, known or KnownNames())
    return byline and [byline.read(one.tree, None) for one in samples]


@pytest.mark.parametrize(
    "markup",
    [
        "<p>By {}</p>",
        "<p>3 May 2024 | by {} in Sports</p>",
        "<p>Publicado por {} el 3 de mayo de 2024</p>",
        "<p>Γράφτηκε από τον {}, 3 Μαΐου 2024</p>",
        "<p>文／{}</p>",  # noqa: RUF001
        "<p>{} 기자</p>",
        "<p class=meta><a href=/author/x>{}</a> <a href=/sports/>Sports</a> <time>3 May</time></p>",
        "<div class=byline><span>By</span> <b>{}</b></div>",
        "<p><i>{}</i></p>",
    ],
)
def test_names_are_found_in_any_context(markup):
    assert elected(markup) == [(name,) for name in NAMES]


@pytest.mark.parametrize("joint", [" and ", " und ", ", ", " и ", "、", " · "])
def test_text_between_two_names_is_learned(joint):
    both = f"Ann Lee{joint}Bo Ek"
    assert elected("<p>By {}</p>", [*NAMES, both])[-1] == ("Ann Lee", "Bo Ek")


def test_sections_in_the_menu_are_not_authors():
    sections = ["World News", "Local News", "World News", "Our Sports", "World News"] * 2
    menus = frozenset(stable_hash(name.encode()) for name in sections)
    assert elected("<p>{}</p>", sections, known=KnownNames(menus)) is None


@pytest.mark.parametrize(
    "markup", ["<p class=caption>Foto: {}</p>", "<p>It was {} who said so when it rained</p>", ""]
)
def test_other_lines_with_names_are_not_bylines(markup):
    assert elected(markup) is None


def test_a_label_is_not_a_name_and_a_date_may_precede_by():
    row = "<div class=row><b class=column>Share :</b> <i>here</i></div>"
    assert elected(row, [""] * 8) is None
    assert elected("<p>3 May 2024 By {}</p>" + row, ["Staff"] * 8) == [("Staff",)] * 8


def test_names_in_the_metadata_are_trusted():
    assert elected("<p>{}</p>", ["ann"] * 4) is None
    assert elected("<p>{}</p>", ["ann"] * 4, authors=("Ann",)) == [("ann",)] * 4


def test_a_varying_byline_wins_over_constant_metadata():
    samples = [sample(f"<p class=author>{name}</p>", authors=("The Site",)) for name in NAMES]
    assert elect_byline(samples, KnownNames()).varies


@pytest.mark.parametrize(
    "text", ["", "12:30", "3 May 2024", "by", "alpha beta gamma delta epsilon zeta theta"]
)
def test_other_texts_are_not_names(text):
    assert Byline(Selector("p")).names(text) == []


def test_few_bylines_share_no_context():
    assert learn_byline(Selector("p"), "", ["Ann Lee", "Ann Ek"]).before == ""


def test_pieces_accept_any_markup():
    tree = build_tree("<p>a <b class=x>1 &amp; 2</b> <a>c</a></p>")
    assert pieces(tree, 1, "") == [("b.x", "1 & 2"), ("a", "c")]
    assert pieces(build_tree("<p>" + "word " * 50), 1, "") == []


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Ann Lee", ["Ann Lee"]),
        ("By Ann Lee", ["Ann Lee"]),
        ("Ann O&#8217;Neil", ["Ann O\u2019Neil"]),
        ("Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee, Bo Ek & Eva Ruiz", ["Ann Lee", "Bo Ek", "Eva Ruiz"]),
        ("Subject: Poker", ["Subject: Poker"]),
        ("Ann Lee <ann@news.example>", ["Ann Lee"]),
        ("ann@news.example", []),
        ("/author/ann-lee/", []),
        ("https://news.example/author/ann", []),
        ("", []),
    ],
)
def test_names_in_metadata(said, names):
    assert stated_names(said, "en") == names


def test_metadata_joins_names_in_the_language_of_the_page():
    assert stated_names("Ann Lee und Bo Ek", "de") == ["Ann Lee", "Bo Ek"]


def article(data, meta=None):
    script = json.dumps({"@type": "NewsArticle", **data})
    return read_metadata(Head(json_ld=(script,), meta=meta or {}))


def test_an_empty_structured_name_falls_through_to_the_next_source():
    found = article(
        {"author": {"@type": "Person", "name": "", "url": "/author/ann/"}},
        {"author": "/author/ann/", "article:author": "Ann Lee"},
    )
    assert [(one.value, one.key) for one in found.authors] == [("Ann Lee", "article:author")]


def test_organisations_come_after_persons():
    found = article(
        {"author": [{"@type": "Organization", "name": "Wire"}, {"@type": "Person", "name": "Ann"}]}
    )
    assert [one.value for one in found.authors] == ["Ann", "Wire"]


def test_a_label_is_not_a_name_but_a_name_may_have_a_colon():
    assert Byline(Selector("p")).names("Author: Ann Lee") == ["Ann Lee"]
    assert Byline(Selector("p"), "a.author").names("Subject: Poker") == ["Subject: Poker"]


def test_links_to_tags_are_not_authors():
    markup = "<ul><li>Read all about: <a href=/tag/x rel=tag>{}</a></li></ul>"
    assert elected(markup, ["Fracking", "Justice", "Fracking", "Peace", "Justice"] * 2) is None


def test_links_distinguish_authors_from_sections():
    markup = '<p>Par <a href="redacteur_id=7.html">{}</a> dans <a href="category_id=2.html">Art</a>'
    assert elected(markup + "</p>") == [(name,) for name in NAMES]


@pytest.mark.parametrize(
    ("markup", "is_author"),
    [
        ("<p><i>{}</i></p>", False),
        ("<p>Travel: {}</p>", False),
        ("<p>By {}</p>", True),
        ("<p class=author>{}</p>", True),
    ],
)
def test_one_name_on_all_pages_is_an_author_only_if_it_is_labelled(markup, is_author):
    found = elected(markup, ["Sunny Travel"] * 12)
    assert found == ([("Sunny Travel",)] * 12 if is_author else None)
