"""Inline markup and boxes of blocks against slow readings of the same page."""

import json
from itertools import groupby
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement, document_fromstring

from flong.patterns.blocks import structure_of
from flong.patterns.labels import LabelledPage
from flong.tree import build_tree

URL = "http://news.example/a/"
MARKS = {"b": "strong", "strong": "strong", "i": "em", "code": "code"}
words = st.text('ab &;\n\té日"\\\u3000\u00a0\u200b', max_size=6)
tags = st.sampled_from(
    ["a href=/x?y&z", "a href=http://a/b", "a", "b", "strong", "i", "span", "code", "font"]
)


def rows_of(tree):
    """Return the stored blocks of a page that is all body."""
    leaves = tree.leaves()
    labelled = LabelledPage(title=-1, container=0, body=leaves, instances=1)
    structure = structure_of(tree, labelled, URL)
    return json.loads(structure.blocks or "[]")


def spans_of(html):
    """Return the spans of each block."""
    return [spans for _, spans, *_ in rows_of(build_tree(html))]


@st.composite
def inline(draw, depth=3):
    """Return inline tags in inline tags, with words and line breaks between them."""
    parts = [draw(words).replace("&", "&amp;")]
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        tag, between = draw(tags), draw(st.sampled_from(["", "<br>", "<wbr>"]))
        end = f"</{tag.split()[0]}>{between}"
        parts.append(f"<{tag}>{draw(inline(depth - 1))}{end}{draw(words)}")
    return "".join(parts)


def texts_of(element: HtmlElement, marks: tuple[str, ...] = (), url: str | None = None):
    """Yield the words between two tags, with their marks and link."""
    yield element.text, marks, url
    for child in element:
        mark, href = MARKS.get(child.tag), child.get("href") if child.tag == "a" else None
        within = (*marks, mark) if mark and mark not in marks else marks
        yield from texts_of(child, within, url if href is None else urljoin(URL, href))
        yield child.tail, marks, url


def merged(runs):
    """Return runs without spaces, those with the same markup as one."""
    bare = [("".join((text or "").split()), *markup) for text, *markup in runs]
    groups = groupby((each for each in bare if each[0]), key=lambda each: each[1:])
    return [("".join(text for text, *_ in group), *markup) for markup, group in groups]


@given(inline())
def test_spans_have_the_markup_that_lxml_finds(html):
    tree = build_tree(f"<p>x <b>y</b> {html}</p>")
    [[_, spans]] = rows_of(tree)
    parts = [[span] if isinstance(span, str) else span for span in spans]
    assert "".join(text for text, *_ in parts) == tree.text_of(tree.leaves()[0])
    data = tree.source.data.decode()
    source = data[data.index("<p>") : data.index("</p>") + 4]
    (paragraph,) = document_fromstring(f"<div>{source}</div>").iter("p")
    found = [
        (text, tuple(more[0].split()) if more else (), more[1] if len(more) > 1 else None)
        for text, *more in parts
    ]
    assert merged(found) == merged(texts_of(paragraph))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <b>b</b><p>c<u>d</u>", [["a ", ["b", "strong"]], ["cd"]]),
        ("<p><a href=http://b>e</a>f", [[["e", "", "http://b"], "f"]]),
        (
            "<div>a<p>x <u>y</u> <br>z</p> b <b>c</b><img src=/i.png>d</div>",
            [["a"], ["x y\nz"], ["b ", ["c", "strong"]], [], ["d"]],
        ),
        ("<pre><b>x</b> a\nb</pre>", [[["x", "strong"], " a\nb"]]),
        ("<pre><b>x</b> a\n  b</pre>", [["x a\nb"]]),  # the spaces cannot be found in the text
        ("<p><b>a&nbsp; &amp;amp;</b>&lt;b&gt; \u3000</p>", [[["a &amp;", "strong"], "<b>"]]),
        ("<p><b>&lt;</b>&amp;lt;</p>", [[["<", "strong"], "&lt;"]]),
        (
            "<div><!-- <p> -->a<b>b</b><!-- </p> -->c<p>d</p><!-- e --> f</div>",
            [["a", ["b", "strong"], "c"], ["d"], ["f"]],
        ),
        (
            "<b>a<a href=http://b><p>b <i>c</i></p></a></b>",
            [[["a", "strong"]], [["b ", "strong", "http://b"], ["c", "strong em", "http://b"]]],
        ),
        ("<p>a<b>b</b><svg><title>c</title></svg>d", [["a", ["b", "strong"], "d"]]),
        ("<p><a href=mailto:a@b>x</a> <b>y</b>", [["x ", ["y", "strong"]]]),
        ("<p><a href=http://a>x</a><a href=http://a>y</a>", [[["xy", "", "http://a"]]]),
    ],
)
def test_spans_of_each_block(html, expected):
    assert spans_of(html) == expected


def test_a_space_has_the_markup_that_the_words_on_both_sides_share():
    assert spans_of("<p><b>a <code>b</code></b> <b>c</b> <code>d</code>") == [
        [["a ", "strong"], ["b", "strong code"], [" c", "strong"], " ", ["d", "code"]]
    ]


def test_nested_elements_are_passed_over_a_bounded_number_of_times():
    depth, text = 200, "x" * 2_000
    spans = spans_of("<div>" * depth + text + "</div><b>y</b>" * depth)
    assert spans[:3] == [[text], [["y", "strong"]], [["y", "strong"]]]
    assert spans[-1] == ["y"]


def test_code_with_blocks_in_it_has_empty_properties():
    assert rows_of(build_tree("<pre><p>a</p></pre>")) == [["pre", ["a"], {}]]


BOXES = {"ul": "ul", "dl": "ul", "ol": "ol", "li": "li", "dt": "li", "blockquote": "blockquote"}
BOXES |= {name: name for name in ("table", "tr", "td", "th")}
elements = st.sampled_from([*BOXES, "div", "p", "h2", "pre"])


@st.composite
def nested(draw, depth=4):
    """Return elements in elements, with words."""
    parts = [draw(st.sampled_from(["", "", "x", "y " * 70]))]
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        tag = draw(elements)
        parts.append(f"<{tag}>{draw(nested(depth - 1))}</{tag}>")
    return "".join(parts)


def slow_blocks(tree):
    """Return kind and properties of each block, element by element."""
    numbers, blocks = {}, []
    for leaf in tree.leaves():
        kind, properties, boxes = "p", {}, []
        for vertex in [*tree.ancestors(leaf)][-2::-1]:
            name = tree.name(vertex)
            if name == "h2":
                kind, properties["level"] = "h", 2
            elif name == "pre":
                kind = "pre"
                if tree.size[vertex] == 2:
                    properties["alt"] = tree.text_of(vertex)
            elif is_box(tree, vertex, boxes):
                number = numbers.setdefault(vertex, len(numbers) + 1)
                boxes = [*boxes, f"{BOXES[name]}{number}"]
                properties["in"] = boxes
        blocks.append((kind, list(properties.items())))
    return blocks


def is_box(tree, vertex, boxes):
    name = tree.name(vertex)
    if name == "table":
        inner = range(vertex + 1, vertex + tree.size[vertex])
        leaves = tree.leaves(vertex)
        is_nested = any(tree.name(each) == "table" for each in inner)
        return not is_nested and len(leaves) > 1 and max(tree.words[leaves]) <= 60
    if name in ("tr", "td", "th"):
        return any(box.startswith("table") for box in boxes)
    return name in BOXES


def stripped(properties):
    """Return properties in order; code without spaces at its ends."""
    return [(name, value.strip() if name == "alt" else value) for name, value in properties.items()]


@given(nested())
def test_blocks_have_the_boxes_around_them(html):
    tree = build_tree(html)
    found = [(kind, stripped(more[0]) if more else []) for kind, _, *more in rows_of(tree)]
    assert found == slow_blocks(tree)
