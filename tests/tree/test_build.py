"""The compiled builder compared with the slow one, and its guarantees on bad pages."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.corpus import find_sites
from flong.tree import TEXT, build_tree, stable_hash, tag_starts
from flong.tree.build import serialise
from tests.tree.slow_build import slow_build
from tests.waiting import cpu_limit

TAGS = "div p span a b br pre img ul li table td h1 em script style title x-y time button"
ATTRIBUTES = [
    'class="a b"',
    "class='a  a&#10;c&amp;d'",
    "class",
    "href=x",
    "id=p>",
    'a"b =c d<e',
    "lang=&#1;&#xfffe;x",
    'class="post-123"',
    "class='x&nbsp;y 1&amp;23 à12 à1234'",
]
texts = st.one_of(
    st.sampled_from(
        ["one", " ", " two words ", "|", "&amp;", "&lt;p&gt;", "\n", "a_b", "東京x", "&nbsp;", "é"]
    ),
    st.sampled_from(
        [
            "<!-- <p> -->",
            "<!--",
            "-->",
            "<!>",
            "<?x?>",
            "<![CDATA[x]]>",
            "&#1;",
            "a&b",
            "&lt;/p&gt;",
        ]
    ),
    st.sampled_from(
        [
            "<script><!--<script></script>--></script>",
            "<SCRIPT><!-->a</SCRIPT>",
            "<script>a<!--b<ScRiPt >c</script >d-->e<b></script>",
            "<noscript><p>no</noscript>",
            "<iframe><p>no</iframe>",
            "<svg><path d=x /><title>y</title><style>z</style></svg>",
            "<a=b>odd</a=b>",
            "<p<b>odd",
        ]
    ),
    st.text(max_size=5),
)
starts = st.builds(
    lambda tag, attributes: f"<{' '.join([tag, *attributes])}>",
    st.sampled_from(TAGS.split()),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=2),
)
ends = st.sampled_from([f"</{tag}>" for tag in TAGS.split()])
heads = st.sampled_from(
    [
        "",
        "<html lang=de><title> A &amp; b\n</title><meta name=K content=' v '>",
        "<link rel='x Canonical' href=u><meta itemprop=a content=b><title/><meta name=e>",
        '<script type=application/ld+json>{"a": "<b>"}</script>',
        "<meta property=og:x content='\"&amp;quot;'><meta property=og:x content=y>",
        "<frameset><frame src=a><p>x",
        "<!DOCTYPE html><body class='q r'>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html><head></head><body>',
    ]
)
pages = st.builds(
    lambda head, parts: head + "".join(parts),
    heads,
    st.lists(st.one_of(starts, starts, texts, ends)),
)


def assert_same(html):
    """Compare every field of every vertex with the slow builder's."""
    tree = build_tree(html)
    slow, head = slow_build(html)
    assert [tree.name(v) for v in range(len(tree))] == [v.name for v in slow]
    for column in ("parent", "size", "words", "link_words", "links", "link_hash", "place"):
        assert getattr(tree, column).tolist() == [getattr(v, column) for v in slow], column
    for v, vertex in enumerate(slow):
        assert tree.text_of(v) == vertex.text
        assert tree.attributes(v) == vertex.attributes
        hashes = tree.class_hash[tree.class_start[v] : tree.class_start[v + 1]]
        assert hashes.tolist() == vertex.classes
        text = vertex.text.encode("utf-8", "replace")
        assert tree.text_hash[v] == (stable_hash(text) if vertex.name == "#text" else 0)
    assert tree.head == head


@given(pages)
@settings(max_examples=300, deadline=None)
def test_compiled_builder_equals_the_slow_one(html):
    assert_same(html)


@pytest.mark.parametrize(
    "html", ["<p class=é>Ça &amp; là", "\ufeffx", "<p>Use <textarea> très<p>b"]
)
def test_utf_8_bytes_and_text_give_the_same_tree(html):
    tree, same = build_tree(html), build_tree(html.encode())
    assert (same.text, same.source.data) == (tree.text, tree.source.data)
    assert same.class_hash.tolist() == tree.class_hash.tolist()


def test_invalid_utf_8_becomes_replacement_characters():
    assert build_tree(b"<p>caf\xe9</p><p>\xf0\x9f</p>").text_of(0) == "caf\ufffd\n\ufffd"


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("", ["body"]),
        ("   \n", ["body"]),
        ("\0\0", ["body"]),
        ("<!-- nothing -->", ["body"]),
        ("<html><head><title>t</title></head></html>", ["body"]),
        ("<frameset><frame src=a></frameset>", ["body", "frameset", "frame"]),
        ("\ufeffx", ["body", "#text"]),
        ("\ud800", ["body"]),
        ("<body><script>x</script><style>y</style><!-- z -->", ["body"]),
        ("<p>a\0b", ["body", "p", "#text"]),
    ],
)
def test_pages_with_little_in_them_give_a_tree(html, names):
    tree = build_tree(html)
    assert [tree.name(v) for v in range(len(tree))] == names
    assert not tree.partial
    assert_same(html)


@pytest.mark.parametrize(
    ("html", "names", "text"),
    [
        ("<p>a <b>b</b><i>c</i> <br>d</p>", ["p", "#text"], "a bc\nd"),
        (
            "<div><span>by X</span> <time>1 May</time></div>",
            "div span #text time #text".split(),
            None,
        ),
        ("<div><span>by X</span> on <time>1 May</time></div>", ["div", "#text"], "by X on 1 May"),
        ("<a href=x><img> go</a>", ["a", "img", "#text"], "go"),
        ("<a href=x><h2>go</h2></a>", ["a", "h2", "#text"], "go"),
        ("<pre>a\n b</pre>", ["pre", "#text"], "a\nb"),
        ("<ul><li><a>x</a> <a>y</a></ul>", ["ul", "li", "#text"], "x y"),
        ("<xmp><b>a & b</xmp>", ["xmp", "#text"], "<b>a & b"),
        ("<p>Use <textarea> well<p>b", ["p", "#text", "p", "#text"], "Use <textarea> well\nb"),
        ("<p>a<style>b</style><p>c <STYLE>d</p>", ["p", "#text", "p", "#text"], "a\nc <STYLE>d"),
    ],
)
def test_inline_elements_are_folded_into_running_text(html, names, text):
    tree = build_tree(html)
    assert [tree.name(v) for v in range(1, len(tree))] == names
    assert text is None or tree.text_of(0) == text


@pytest.mark.parametrize(
    ("html", "words", "linked"),
    [
        ("<p>one <a href=x>two three</a>", 3, 2),
        ("<p>one <a>two three</a>", 3, 0),
        ("<div><a href=x>a</a> <a href=y>b c</a></div>", 3, 3),
        ("<a href=x><div><p>a b</p></div></a> c", 3, 2),
        ("<p>東京都 2024", 4, 0),
    ],
)
def test_words_inside_links_are_counted_separately(html, words, linked):
    tree = build_tree(html)
    assert (tree.words[0], tree.link_words[0]) == (words, linked)


def test_a_page_beyond_the_limit_is_cut_and_marked():
    whole, cut = build_tree("<p>x" * 100), build_tree("<p>x" * 100, max_vertices=51)
    assert (len(whole), whole.partial) == (201, False)
    assert (len(cut), cut.partial, cut.size[0]) == (51, True, 51)
    assert np.array_equal(cut.tag, whole.tag[:51])
    assert np.array_equal(cut.parent, whole.parent[:51])


def test_a_huge_page_is_cut_at_the_default_limit():
    with cpu_limit(20):
        tree = build_tree("<div class=a><p>x</p></div>" * 60_000)
    assert (len(tree), tree.partial) == (100_000, True)
    assert tree.words[0] == tree.size[0] // 3 == len(tree.leaves())


@pytest.mark.parametrize(
    ("tag", "levels", "partial"),
    [
        ("div", 1_000, False),
        ("x-y", 1_000, False),
        ("b", 5_000, False),  # is folded
        ("table", 5_000, False),  # closes the one before it
        ("div", 5_000, True),
        ("x-y", 5_000, True),
        ("b", 30_000, True),
        ("div", 30_000, True),
    ],
)
def test_deep_pages_are_read_and_marked_when_they_are_cut(tag, levels, partial):
    with cpu_limit(20):
        tree = build_tree(f"<{tag}>" * levels + "deep")
    assert (tree.partial, "deep" in tree.text_of(0)) == (partial, not partial)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 30_000 + "deep" + "</div>" * 30_000,
        "<div></x>" * 30_000 + "deep",
        "</div>" * 30_000 + "<div>" * 30_000 + "deep",
    ],
    ids=["closed at the end", "other tags closed", "closed before"],
)
def test_tags_stay_open_until_their_end_tag(html):
    page, is_cut = serialise(html)
    assert is_cut
    assert b"deep" not in page


def test_closed_tags_do_not_count_as_open():
    tree = build_tree("<b>one</b> " * 30_000)
    assert (tree.partial, tree.words[0]) == (False, 30_000)


def test_max_vertices_below_one_is_refused():
    with pytest.raises(ValueError, match="must be 1 or more, not 0"):
        build_tree("x", max_vertices=0)


@given(pages)
def test_places_point_to_the_source_elements(html):
    tree, (page, starts) = build_tree(html), tag_starts(html)
    for vertex in range(1, len(tree)):
        if tree.tag[vertex] != TEXT:
            start = starts[tree.place[vertex]]
            assert page[start + 1 :].startswith(tree.name(vertex).encode())


def test_importing_the_package_does_not_wait_for_the_compiler():
    code = "import sys, flong.tree; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["malilive", "rubima", "noventaminutos"])
def test_compiled_builder_equals_the_slow_one_on_real_pages(name):
    found = [site for site in find_sites() if site.slug == name]
    if not found:
        pytest.skip("the real sites are not here (FLONG_SITES)")
    for path in found[0].paths[:8]:
        assert_same(found[0].page(path).html)
