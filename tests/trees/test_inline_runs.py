"""Runs of words between inline tags, against a slow reading by another parser."""

from html import unescape

from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement, document_fromstring

from trees import LeafState, build_tree, find_inline_runs, tag_name

TOLD = frozenset(["a", "b", "code"])
words = st.text("ab &;\n\té日\u3000\u00a0\u200b", max_size=6)
tags = st.sampled_from(["a", "b", "i", "span", "code", "font"])


@st.composite
def inline(draw, depth=3):
    """Return inline tags in inline tags, with words and line breaks between them."""
    parts = [draw(words).replace("&", "&amp;")]
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        tag, between = draw(tags), draw(st.sampled_from(["", "<br>", "<wbr>"]))
        parts.append(f"<{tag}>{draw(inline(depth - 1))}</{tag}>{between}{draw(words)}")
    return "".join(parts)


def texts_of(element: HtmlElement, around: tuple[str, ...] = ()):
    """Yield the words between two tags, and which of the elements are around them."""
    yield element.text, around
    for child in element:
        yield from texts_of(child, (*around, child.tag) if child.tag in TOLD else around)
        yield child.tail, around


def slowly(html):
    """Return the same as `quickly`, by another parser."""
    root = document_fromstring(f"<div>{html}</div>")
    (paragraph,) = root.iter("p")
    said = [(" ".join((text or "").split()), around) for text, around in texts_of(paragraph)]
    return [(text, around) for text, around in said if text]


def quickly(tree, found):
    """Return the words of each run, and which elements are around them."""
    said = []
    for start, end, inner in found.runs:
        around: tuple[str, ...] = ()
        element = inner
        while element >= 0:
            element, tag, at = found.elements[element]
            assert tree.source.name(at) == tag_name(tag)
            around = (tag_name(tag), *around)
        said.append((tree.text[start:end].decode(), around))
    return said


@given(inline())
def test_runs_are_what_stands_between_the_tags(html):
    tree = build_tree(f"<p>x <b>y</b> {html}</p>")
    found = find_inline_runs(tree, tree.leaves(), TOLD)
    assert found.states == [LeafState.SET]
    data = tree.source.data.decode()
    assert quickly(tree, found) == slowly(data[data.index("<p>") : data.index("</p>") + 4])


def test_every_leaf_has_its_own_runs():
    tree = build_tree("<p>a<b>b</b><p>c<i>d</i><p><a href=/>e</a>f<h2>g</h2>")
    found = find_inline_runs(tree, tree.leaves(), TOLD)
    assert found.states == [LeafState.SET, LeafState.PLAIN, LeafState.SET, LeafState.PLAIN]
    assert found.stops == [2, 2, 4, 4]
    assert [tree.text[start:end] for start, end, _ in found.runs] == [b"a", b"b", b"e", b"f"]


def test_what_is_rare_is_unclear_and_never_wrong():
    rare = ["a<b>b</b><!-- </p> -->c", "a<b>b</b><svg><title>c</title></svg>d", "<b>" * 99 + "x"]
    for html in rare:
        tree = build_tree(f"<p>{html}</p>")
        assert find_inline_runs(tree, tree.leaves(), TOLD).states == [LeafState.UNCLEAR]


def test_line_ends_of_code_are_found_only_just_as_they_are():
    for code, state in (("a\nb", LeafState.SET), ("a\n  b", LeafState.UNCLEAR)):
        tree = build_tree(f"<pre><b>x</b> {code}</pre>")
        assert find_inline_runs(tree, tree.leaves(), TOLD).states == [state]


def test_more_elements_than_there_is_room_for_are_unclear():
    tree = build_tree("<p>" + "<b>x</b> " * 5_000 + "<p>a <b>b</b>")
    assert find_inline_runs(tree, tree.leaves(), TOLD).states[0] == LeafState.UNCLEAR


def test_entities_are_read_as_the_text_has_them():
    tree = build_tree("<p><b>a&nbsp; &amp;amp;</b>&lt;b&gt; \u3000</p>")
    found = find_inline_runs(tree, tree.leaves(), TOLD)
    said = [tree.text[start:end].decode() for start, end, _ in found.runs]
    assert said == ["a &amp;", "<b>"]
    assert unescape("a &amp;amp;") == said[0]
