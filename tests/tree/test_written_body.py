"""The blocks of a body as they are written: words and boxes, against slow readings."""

import json
import re
from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement, document_fromstring

from flong.tree import MARKS, Body, Hole, build_tree, write_body

words = st.text('ab &;\n\té日"\\\u3000\u00a0\u200b', max_size=6)
tags = st.sampled_from(
    ["a href=/x?y&z", "a href=http://a/b", "a", "b", "strong", "i", "span", "code", "font"]
)


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


def written(tree, **more):
    leaves = np.array([[leaf, 0, 0, 0] for leaf in tree.leaves()], dtype=np.int32).reshape(-1, 4)
    return write_body(tree, Body(0, leaves, np.empty((0, 3), dtype=np.int32), **more))


def blocks_of(tree, **more):
    """Return the blocks, with the source of URLs, and None for words that are unclear."""
    found, filled, begun = written(tree, **more), b"", 0
    for hole, start, end, _, first, last in found.holes:
        filled += found.written[begun:start]
        begun = start if first < last else end
        for at, link, stop in found.gaps[first:last]:
            url = json.dumps(tree.source.data[link:stop].decode().replace("&amp;", "&"))
            filled, begun = filled + found.written[begun:at] + f",{url}".encode(), at
        filled += b"null" if first == last else found.written[begun:end]
        begun = end
        assert hole in (Hole.SPANS, Hole.RAW_TEXT)
    return json.loads(b"[%b]" % (filled + found.written[begun:])[:-1])


def spans_of(tree):
    """Return the spans of each leaf: words, marks, URL; None if unclear."""
    return [
        None
        if spans == [None]
        else [span if type(span) is str else parted(*span) for span in spans]
        for _, spans, *_ in blocks_of(tree)
    ]


def parted(text, marks, url=None):
    return [text, marks.split(), url]


def read(html):
    tree = build_tree(html)
    return tree, spans_of(tree)


@given(inline())
def test_spans_are_what_is_set_alike(html):
    tree, (spans,) = read(f"<p>x <b>y</b> {html}</p>")
    if spans is None:
        assert html.count("http://a/b") > 1  # two links to one place may be one
        return
    said = [(span, [], None) if isinstance(span, str) else span for span in spans]
    assert "".join(text for text, *_ in said) == tree.text_of(tree.leaves()[0])
    bare = [("".join(text.split()), tuple(marks), url) for text, marks, url in said]
    groups = groupby((each for each in bare if each[0]), key=lambda each: each[1:])
    quickly = [("".join(text for text, *_ in group), *how) for how, group in groups]
    data = tree.source.data.decode()
    assert quickly == slowly(data[data.index("<p>") : data.index("</p>") + 4])


def test_every_leaf_has_its_own_spans():
    _, spans = read("<p>a <b>b</b><p>c<u>d</u><p><a href=/>e</a>f<h2>g</h2>")
    assert spans == [["a ", ["b", ["strong"], None]], ["cd"], [["e", [], "/"], "f"], ["g"]]


def test_a_space_is_set_as_far_as_the_words_on_both_sides_are():
    _, spans = read("<p><b>a <code>b</code></b> <b>c</b> <code>d</code>")
    assert spans == [
        [
            ["a ", ["strong"], None],
            ["b", ["strong", "code"], None],
            [" c", ["strong"], None],
            " ",
            ["d", ["code"], None],
        ]
    ]


def test_a_leaf_goes_on_after_an_element():
    _, spans = read("<div>a<p>x <u>y</u> <br>z</p> b <b>c</b><img src=/i.png>d</div>")
    assert spans == [["a"], ["x y\nz"], ["b ", ["c", ["strong"], None]], ["d"]]


def test_what_is_rare_is_unclear_and_never_wrong():
    rare = ["a<b>b</b><svg><title>c</title></svg>d", "<b>" * 99 + "x"]
    for html in rare:
        assert read(f"<p>{html}</p>")[1] == [None]


def test_line_ends_of_code_are_found_only_just_as_they_are():
    assert read("<pre><b>x</b> a\nb</pre>")[1] == [[["x", ["strong"], None], " a\nb"]]
    assert read("<pre><b>x</b> a\n  b</pre>")[1] == [["x a\nb"]]


def test_more_elements_than_there_is_room_for_are_unclear():
    assert read("<p>" + "<b>x</b> " * 5_000 + "<p>a <b>b</b>")[1][0] is None


def test_much_is_passed_over_only_so_often():
    depth, words = 200, "x" * 2_000
    _, spans = read("<div>" * depth + words + "</div>y" * depth)
    assert spans[:3] == [[words], ["y"], ["y"]]
    assert spans[-1] is None


def test_entities_are_read_as_the_text_has_them():
    _, spans = read("<p><b>a&nbsp; &amp;amp;</b>&lt;b&gt; \u3000</p>")
    assert spans == [[["a &amp;", ["strong"], None], "<b>"]]


def test_comments_are_no_words():
    _, spans = read("<div><!-- <p> -->a<b>b</b><!-- </p> -->c<p>d</p><!-- e --> f</div>")
    assert spans == [["a", ["b", ["strong"], None], "c"], ["d"], ["f"]]


def test_elements_around_a_leaf_set_its_words_off():
    _, spans = read("<b>a<a href=http://a/b><p>b <i>c</i></p></a></b>")
    strong = ["strong"]
    url = "http://a/b"
    assert spans == [[["a", strong, None]], [["b ", strong, url], ["c", [*strong, "em"], url]]]


def test_only_absolute_urls_are_written_as_they_are():
    plain = written(build_tree("<p><a href='https://a/b?c=d'>x</a> y <a href=http://b>z</a>"))
    assert plain.holes == []
    for url in (
        "/b",
        "http://",
        "http:/b",
        "https://a#b",
        "http://a?b&c",
        "http://\u00e9",
        "HTTP://a",
    ):
        found = written(build_tree(f"<p><a href='{url}'>x</a>"))
        assert [hole[0] for hole in found.holes] == [Hole.SPANS]


def test_code_says_something_even_if_it_is_nothing():
    assert blocks_of(build_tree("<pre><p>a</p></pre>")) == [["pre", ["a"], {}]]


def test_links_that_lead_nowhere_are_none():
    _, (spans,) = read("<p><a href=mailto:a@b>x</a> <b><a href='javascript:void(0)'>y</a></b>")
    assert spans == ["x ", ["y", ["strong"], None]]


def test_two_links_to_one_place_are_left_to_others():
    assert read("<p><a href=http://a>x</a><a href=http://a>y</a>")[1] == [None]


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
    """Return kinds and what is said of each block, element by element."""
    numbers, blocks = {}, []
    for leaf in tree.leaves():
        kind, more, boxes = "p", {}, []
        for vertex in [*tree.ancestors(leaf)][-2::-1]:
            name = tree.name(vertex)
            if name in ("h2", "pre"):
                kind = name[0] if name == "h2" else "pre"
                if name == "h2":
                    more["level"] = 2
                elif tree.size[vertex] == 2:
                    more["alt"] = None
            elif is_box(tree, vertex, boxes):
                number = numbers.setdefault(vertex, len(numbers) + 1)
                boxes = [*boxes, f"{BOXES[name]}{number}"]
                more["in"] = boxes
        blocks.append((kind, list(more.items())))
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


@given(nested())
def test_blocks_have_the_boxes_around_them(html):
    tree = build_tree(html)
    quickly = [(kind, [*more[0].items()] if more else []) for kind, _, *more in blocks_of(tree)]
    assert quickly == slow_blocks(tree)
    assert written(tree).text == "\n".join(tree.text_of(leaf) for leaf in tree.leaves())


def test_leaves_are_joined():
    tree = build_tree("<p>a<p>b<p>c<p>d")
    leaves = np.array([[leaf, 0, 0, 0] for leaf in tree.leaves()], dtype=np.int32)
    leaves[1, 1], leaves[2, 1] = 2, 1
    found = write_body(tree, Body(0, leaves, np.empty((0, 3), dtype=np.int32)))
    assert (found.written, found.text) == (b'["p",["a"," ","b","c"]],["p",["d"]],', "a bc\nd")


@given(st.lists(st.text("1 -_a\u0661\uff11\u65e5&\u00ab", min_size=1, max_size=6)))
def test_no_text_that_begins_with_a_figure_is_missed(texts):
    tree = build_tree("".join(f"<p>{text.replace('&', '&amp;')}</p>" for text in texts))
    begin = [re.match(r"\W{0,3}\d", tree.text_of(leaf)) for leaf in tree.leaves()]
    assert {at for at, found in enumerate(begin) if found} <= {*written(tree).timed}
