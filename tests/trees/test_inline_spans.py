"""How inline elements set words, against a slow reading by another parser."""

import json
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement, document_fromstring

from trees import build_tree, write_inline_spans

MARKS = {"b": 1, "strong": 1, "code": 2}
words = st.text('ab &;\n\té日"\\\u3000\u00a0\u200b', max_size=6)
tags = st.sampled_from(["a href=/x?y&z", "a", "b", "strong", "i", "span", "code", "font"])


@st.composite
def inline(draw, depth=3):
    """Return inline tags in inline tags, with words and line breaks between them."""
    parts = [draw(words).replace("&", "&amp;")]
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        tag, between = draw(tags), draw(st.sampled_from(["", "<br>", "<wbr>"]))
        end = f"</{tag.split()[0]}>{between}"
        parts.append(f"<{tag}>{draw(inline(depth - 1))}{end}{draw(words)}")
    return "".join(parts)


def texts_of(element: HtmlElement, marks: tuple[int, ...] = (), url: str | None = None):
    """Yield the words between two tags, and how they are set."""
    yield element.text, marks, url
    for child in element:
        mark, href = MARKS.get(child.tag), child.get("href") if child.tag == "a" else None
        within = (*marks, mark) if mark and mark not in marks else marks
        yield from texts_of(child, within, url if href is None else href)
        yield child.tail, marks, url


def slowly(html):
    """Return the words without spaces that are set alike, by another parser."""
    (paragraph,) = document_fromstring(f"<div>{html}</div>").iter("p")
    said = [("".join((text or "").split()), *how) for text, *how in texts_of(paragraph)]
    groups = groupby((each for each in said if each[0]), key=lambda each: each[1:])
    return [("".join(text for text, *_ in group), *how) for how, group in groups]


def spans_of(tree, found):
    """Return the spans of each leaf, with marks and the source of URLs; None if unclear."""
    leaves, begun, first = [], 0, 0
    for is_clear, end, last in found.leaves:
        written = b""
        for at, marks, start, stop in found.gaps[first:last]:
            url = (
                tree.source.data[start:stop].decode().replace("&amp;", "&") if start >= 0 else None
            )
            closing = json.dumps([[int(mark) for mark in f"{marks:o}" if mark != "0"], url])
            written += found.written[begun:at] + f",{closing[1:]}".encode()
            begun = at
        written += found.written[begun:end]
        leaves.append(json.loads(written) if is_clear else None)
        begun, first = end, last
    return leaves


def read(html):
    tree = build_tree(html)
    return tree, spans_of(tree, write_inline_spans(tree, tree.leaves(), MARKS))


@given(inline())
def test_spans_are_what_is_set_alike(html):
    tree, (spans,) = read(f"<p>x <b>y</b> {html}</p>")
    said = [(span, [], None) if isinstance(span, str) else span for span in spans]
    assert "".join(text for text, *_ in said) == tree.text_of(tree.leaves()[0])
    bare = [("".join(text.split()), tuple(marks), url) for text, marks, url in said]
    groups = groupby((each for each in bare if each[0]), key=lambda each: each[1:])
    quickly = [("".join(text for text, *_ in group), *how) for how, group in groups]
    data = tree.source.data.decode()
    assert quickly == slowly(data[data.index("<p>") : data.index("</p>") + 4])


def test_every_leaf_has_its_own_spans():
    _, spans = read("<p>a <b>b</b><p>c<i>d</i><p><a href=/>e</a>f<h2>g</h2>")
    assert spans == [["a ", ["b", [1], None]], ["cd"], [["e", [], "/"], "f"], ["g"]]


def test_a_space_is_set_as_far_as_the_words_on_both_sides_are():
    _, spans = read("<p><b>a <code>b</code></b> <b>c</b> <code>d</code>")
    assert spans == [
        [["a ", [1], None], ["b", [1, 2], None], [" c", [1], None], " ", ["d", [2], None]]
    ]


def test_a_leaf_goes_on_after_an_element():
    _, spans = read("<div>a<p>x <i>y</i> <br>z</p> b <b>c</b><img src=/i.png>d</div>")
    assert spans == [["a"], ["x y\nz"], ["b ", ["c", [1], None]], ["d"]]


def test_what_is_rare_is_unclear_and_never_wrong():
    rare = ["a<b>b</b><!-- </p> -->c", "a<b>b</b><svg><title>c</title></svg>d", "<b>" * 99 + "x"]
    for html in rare:
        assert read(f"<p>{html}</p>")[1] == [None]


def test_line_ends_of_code_are_found_only_just_as_they_are():
    assert read("<pre><b>x</b> a\nb</pre>")[1] == [[["x", [1], None], " a\nb"]]
    assert read("<pre><b>x</b> a\n  b</pre>")[1] == [None]


def test_more_elements_than_there_is_room_for_are_unclear():
    assert read("<p>" + "<b>x</b> " * 5_000 + "<p>a <b>b</b>")[1][0] is None


def test_much_is_passed_over_only_so_often():
    depth, words = 200, "x" * 2_000
    _, spans = read("<div>" * depth + words + "</div>y" * depth)
    assert spans[:3] == [[words], ["y"], ["y"]]
    assert spans[-1] is None


def test_entities_are_read_as_the_text_has_them():
    _, spans = read("<p><b>a&nbsp; &amp;amp;</b>&lt;b&gt; \u3000</p>")
    assert spans == [[["a &amp;", [1], None], "<b>"]]
