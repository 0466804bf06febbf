"""Fast paths, compared with slow ones."""

import re
import unicodedata
from urllib.parse import urlsplit

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from flong import text as texts
from flong.patterns import compose, page_titles, pattern_of
from flong.patterns.article_features import directory_of
from flong.patterns.closing_paragraphs import ClosingParagraphs, wording
from flong.patterns.compose import _Composition
from flong.patterns.dates import may_have_date, parse_date
from flong.patterns.field_elections import lines_around
from flong.patterns.labels import LabelledPage, Labels, _leaf_with, read_page
from flong.patterns.page_titles import Affixes
from flong.patterns.person_names import Byline
from flong.patterns.selectors import Selector, find, find_all, first_leaf, lead, selectors_of
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import _attributes_with
from flong.text import words
from flong.tree import build_tree
from tests.patterns import slow_patterns as slow
from tests.patterns.test_selectors import pages


@given(st.text() | st.text(st.characters(max_codepoint=127)))
@example("".join(map(chr, range(128))))
def test_ascii_words_equal_those_of_the_expression(text):
    assert words(text) == texts._WORD.findall(unicodedata.normalize("NFKC", text).lower())


_FILE = re.compile(r"(?:/(?:index|default))?(?:\.\w{2,5})?/*$", re.IGNORECASE)


@given(st.lists(st.sampled_from(["/", "index", "Default", ".html", ".a", "sport", "x"])))
def test_a_file_name_is_only_searched_at_the_end(parts):
    url = "https://a.example/" + "".join(parts)
    assert directory_of(url) == _FILE.sub("", urlsplit(url).path)


days = st.dates().map(str) | st.sampled_from(["3 May 2024", "٣ مايو ٢٠٢٤", "２０２４年２月９日"])


@given(st.text(max_size=9), days, st.text(max_size=9))
def test_a_line_with_a_date_may_have_one(before, day, after):
    line = f"{before} {day} {after}".encode("utf-8", "replace")
    found = parse_date(line.decode())
    assert found is None or may_have_date(line, 0, len(line))


pieces = st.lists(st.sampled_from(["News", "Site", " - ", ": ", "|", " "]), max_size=7).map("".join)


@given(pieces, st.frozensets(pieces), st.frozensets(pieces))
def test_a_title_is_cut_at_separators_only(title, prefixes, suffixes):
    found = Affixes(prefixes, suffixes).headline(title)
    cuts = [(m.start(), m.end()) for m in page_titles._BREAK.finditer(title)]
    ends = [at for at in [0, *(start for start, _ in cuts)] if title[at:] in suffixes]
    rest = title[: ends[0]] if ends else title
    starts = [m.end() for m in page_titles._BREAK.finditer(rest)]
    begins = [at for at in [*starts, len(rest)] if rest[:at] in prefixes]
    assert found == (rest[begins[-1] :] if begins else rest).strip()


said = st.lists(st.sampled_from("all rights reserved by the paper 2024 été".split()), max_size=40)


@given(said.map(" ".join), st.lists(said.filter(len).map(tuple), min_size=1, max_size=3))
def test_a_paragraph_closes_a_body_if_its_words_are_those_of_another(line, known):
    tree = build_tree(f"<p>{'Story ' * THRESHOLDS.line_words}<p>{line}")
    body = [at for at in range(len(tree)) if tree.tag[at] == 0]
    own, least = wording(line), THRESHOLDS.closing_alike
    alike = any(Indel.normalized_similarity(own, one) >= least for one in known)
    closes = alike and len(body) > 1 and tree.words[body[-1]] >= THRESHOLDS.closing_words
    assert ClosingParagraphs(tuple(known)).trim(tree, body) == (body[:1] if closes else body)


@settings(deadline=None, max_examples=40)  # the first page compiles the builder
@given(pages, pages, st.data())
def test_labels_lead_to_title_and_body(one, other, data):
    tree, names = build_tree(one), build_tree(other)
    starts = np.arange(len(tree), dtype=np.int32)[::-1]
    selectors = [
        selector
        for source in (tree, names)
        for vertex in range(1, len(source))
        for selector in selectors_of(source, vertex)
    ]
    deep = Selector("p", inside=Selector("div", inside=Selector("div", "a")))
    some = st.sampled_from([*selectors, None, Selector(vertex=len(tree) - 1), deep])
    title, body, date, author = (data.draw(some) for _ in range(4))
    byline = Byline(author) if author else None
    found = read_page(tree, Labels(title=title, body=body, date=date, author=byline), starts)
    assert found.title == first_leaf(tree, find(tree, title, starts))
    assert found.container == find(tree, body, starts)
    if found.container >= 0:
        containers = {*find_all(tree, body, starts).tolist()}
        apart = [at for at in containers if containers.isdisjoint(tree.ancestors(at))]
        assert found.instances == len(apart)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from(["", "a", "b 1", "٣ c", "d " * 31]), min_size=1, max_size=40),
    st.integers(-1, 60),
    st.lists(st.integers(0, 60)),
)
def test_lines_are_searched_around_title_and_body(texts, title, body):
    tree = build_tree("".join(f"<p>{text}<hr>" for text in texts))
    leaves, last = tree.leaves(), len(tree) - 1
    body = sorted(min(leaf, last) for leaf in body)
    page = LabelledPage(title=min(title, last), container=0, body=body, instances=1)
    at = sum(leaf < page.title for leaf in leaves)
    near = {*leaves[max(0, at - 5) : at + 9]}
    if body:
        end = sum(leaf < body[-1] for leaf in leaves)
        near |= {*leaves[max(0, end - 1) : end + 6]}
    lines = [leaf for leaf in sorted(near) if 0 < tree.words[leaf] <= 30]
    dated = [at for at in lines if may_have_date(tree.text, tree.start[at], tree.end[at])]
    assert lines_around(tree, page) == lines
    assert lines_around(tree, page, with_digits=True) == dated


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.sampled_from(
            ["Rain", "rain!", "<a href=x>Rain</a>", "Été 1", "(rain)", "1 a", "\u017fo"]
        )
    ),
    st.sampled_from(["Rain", "été 1", "1 A", "so", "sun"]).map(texts.fold_text),
    st.booleans(),
)
def test_a_text_is_found_in_an_equal_leaf(lines, text, unlinked):
    tree = build_tree("".join(f"<p>{line}" for line in lines))
    saying = [
        leaf
        for leaf in tree.leaves()
        if texts.fold_text(tree.text_of(leaf)) == text and not (unlinked and tree.link_words[leaf])
    ]
    assert _leaf_with(tree, [text], unlinked=unlinked) == (saying[0] if saying else -1)


def _fits(tree, vertex, selector):
    """Return whether a selector stands for an element; of an id only the first counts."""
    own = tree.name(vertex) == selector.tag
    if selector.token:
        own = own and selector.token in tree.class_names(vertex)
    if selector.ident:
        ids = [tree.attribute(at, "id") for at in range(len(tree))]
        own = own and selector.ident in ids and ids.index(selector.ident) == vertex
    around = list(tree.ancestors(vertex))
    return own and (
        selector.inside is None or any(_fits(tree, at, selector.inside) for at in around)
    )


@settings(deadline=None, max_examples=40)
@given(pages)
def test_a_selector_stands_for_all_that_have_its_names(html):
    tree = build_tree(html)
    for vertex in range(1, len(tree)):
        for selector in selectors_of(tree, vertex):
            elements = [at for at in range(len(tree)) if _fits(tree, at, selector)]
            assert find_all(tree, selector).tolist() == elements, str(selector)
            expected = (elements[0], len(elements)) if elements else (-1, 0)
            assert lead(tree, selector) == expected, str(selector)


@slow.thorough
@given(slow.pages(), slow.pages())
def test_shared_subtrees_are_copied_whole(one, other):
    left, right = (pattern_of(slow.page(page)) for page in (one, other))
    quick = compose(left, right)
    walked = _Composition._alike
    try:
        _Composition._alike = lambda self, *_: [False] * len(self.partner)
        slowly = compose(left, right)
    finally:
        _Composition._alike = walked
    for name in ("kind", "tag", "parent", "size", "class_start", "class_hash", "text_hash"):
        assert getattr(quick, name).tolist() == getattr(slowly, name).tolist()
    assert (quick.names, quick.texts) == (slowly.names, slowly.texts)


marks = st.sampled_from(
    [
        'class="',
        'id="',
        'xid="',
        '"',
        "comment",
        "respond",
        "replies",
        "x",
        " ",
        'data-class="',
        "<p>",
    ]
)


@given(st.lists(marks).map("".join))
def test_attributes_with_a_word_equal_those_of_an_expression(text):
    words = [b"comment", b"respond", b"replies"]
    expression = re.compile(rb"(?:class|id)=\"[^\"]*(?:" + b"|".join(words) + rb")")
    data = text.encode()
    expected = [found.start() for found in expression.finditer(data)]
    assert sorted(_attributes_with(data, words)) == expected
