"""Blocks of a body: kinds, markup, pictures and captions."""

import json
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.article import (
    Block,
    BlockKind,
    Mark,
    Span,
    clock_of_entry,
    entries_of,
    read_blocks,
    text_of_blocks,
    to_html,
    to_markdown,
    write_blocks,
)
from flong.patterns.blocks import structure_of, whole_url
from flong.patterns.labels import LabelledPage, text_of_leaves
from flong.tree import build_tree

CELLS = ["th", "th", "td", "td"]
URL = "https://news.example/2024/a"


def read(html, *, body=None):
    """Return the tree of a container, the leaves of its body and its blocks."""
    tree = build_tree(f"<nav>Menu</nav><article>{html}</article>")
    container = next(v for v in range(len(tree)) if tree.name(v) == "article")
    leaves = [leaf for leaf in tree.leaves(container) if body is None or body(tree, leaf)]
    labelled = LabelledPage(title=-1, container=container, body=leaves, instances=1)
    structure = structure_of(tree, labelled, URL)
    blocks = read_blocks(structure.blocks) if structure.blocks else ()
    assert text_of_blocks(blocks) == structure.text
    return tree, leaves, blocks


def shape(html):
    """Return the blocks of a container in short form."""
    return [
        (block.kind.value, block.words, "/".join(box.tag for box in block.boxes))
        for block in read(html)[2]
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One<p>Two", [("p", "One", ""), ("p", "Two", "")]),
        ("<h2>Head</h2><p>One", [("h", "Head", ""), ("p", "One", "")]),
        (
            "<ul><li>a<li>b<ol><li>c</ol></ul>",
            [("p", "a", "ul/li"), ("p", "b", "ul/li"), ("p", "c", "ul/li/ol/li")],
        ),
        ("<dl><dt>a<dd>b</dl>", [("p", "a", "ul/li"), ("p", "b", "ul/li")]),
        ("<blockquote><p>q</blockquote>", [("p", "q", "blockquote")]),
        (
            "<table><tr><th>a<th>b<tr><td>1<td>2</table>",
            [("p", text, f"table/tr/{tag}") for text, tag in zip("ab12", CELLS, strict=True)],
        ),
        ("<p>a<hr><p>b", [("p", "a", ""), ("hr", "", ""), ("p", "b", "")]),
        ("<pre>a\n  b</pre>", [("pre", "a\nb", "")]),
        ("<p>a<br>b", [("p", "a\nb", "")]),
        (
            "<p>a</p><iframe src=/v></iframe><p>b",
            [("p", "a", ""), ("embed", "", ""), ("p", "b", "")],
        ),
        ("<p>a <em><img src=/i.png>b</em> c", [("p", "a b c", ""), ("img", "", "")]),
    ],
)
def test_blocks_of_a_text(html, expected):
    assert shape(html) == expected


def test_a_layout_table_is_not_a_table():
    long = "It rained all day and nobody went out. " * 10
    assert shape(f"<table><tr><td><p>{long}<p>{long}</table>")[0][2] == ""


def test_a_caption_belongs_to_its_picture():
    html = "<p>a a</p><figure><img src=/i.png alt='An alt'><figcaption>Cap</figure><p>b"
    _, _, blocks = read(html)
    assert text_of_blocks(blocks) == "a a\nb"
    assert blocks[1] == Block(
        kind=BlockKind.IMAGE,
        spans=(Span("Cap"),),
        url="https://news.example/i.png",
        alt="An alt",
    )


def test_captions_with_most_words_are_body():
    html = "<p>Six views.</p>" + "<figure><img src=/i.png><figcaption>So it was.</figure>"
    assert text_of_blocks(read(html)[2]) == "Six views.\nSo it was."


def test_a_paragraph_with_a_picture_between_its_sentences_keeps_its_lines():
    assert shape("<p>About her:<br><em><img src=/i.png>She</em>, of us")[:1] == [
        ("p", "About her:", "")
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=wp-caption><a href=/x><img src=/i.png></a><p>Cap</div>",
        "<div class=photo><img src=/i.png><p class=caption>Cap</p></div>",
        "<x-figure><img src=/i.png><x-caption>Cap</x-caption></x-figure>",
        "<figure><picture><source srcset=/i.webp><img src=/i.png></picture>Cap</figure>",
    ],
)
def test_captions_are_found_by_name(markup):
    images = [
        block for block in read(f"<p>a a</p>{markup}<p>b")[2] if block.kind is BlockKind.IMAGE
    ]
    assert [(block.url, block.words) for block in images] == [("https://news.example/i.png", "Cap")]


def test_pictures_of_excluded_blocks_are_dropped():
    html = "<p>text</p><div><img src=/other.png><p>Read also</p></div><p>text</p>"
    _, _, blocks = read(html, body=lambda tree, leaf: tree.text_of(leaf) == "text")
    assert [block.kind for block in blocks] == [BlockKind.PARAGRAPH] * 2


def test_links_and_emphasis_are_kept():
    (block,) = read("<p>It <b>rained</b> all <a href=/d>day <i>long</i></a>, <code>x</code>.")[2]
    assert block.spans == (
        Span("It "),
        Span("rained", (Mark.STRONG,)),
        Span(" all "),
        Span("day ", (), "https://news.example/d"),
        Span("long", (Mark.EMPHASIS,), "https://news.example/d"),
        Span(", "),
        Span("x", (Mark.CODE,)),
        Span("."),
    )


@pytest.mark.parametrize("href", ["javascript:alert(1)", "data:text/html,x", "http://[", "#"])
def test_links_that_run_scripts_are_dropped(href):
    (block,) = read(f'<p>a <a href="{href}">b</a></p>')[2]
    assert all(span.url is None for span in block.spans)


def test_footnotes_are_notes():
    html = '<p>a<sup><a href="#fn1">1</a></sup></p><ol><li id=fn1>The note</ol>'
    blocks = read(html)[2]
    assert [(block.kind, block.url) for block in blocks] == [
        (BlockKind.PARAGRAPH, None),
        (BlockKind.NOTE, "fn1"),
    ]
    assert "a[^fn1]" in to_markdown(blocks)
    assert "[^fn1]: The note" in to_markdown(blocks)


def test_code_keeps_its_spaces():
    blocks = read("<pre>if x:\n    <b>y</b> &lt; 1</pre>")[2]
    assert "```\nif x:\n    y < 1\n```" in to_markdown(blocks)
    assert "<pre><code>if x:\n    y &lt; 1</code></pre>" in to_html(blocks)


words = st.text("ab &<>é日\u200b\u00a0", max_size=8)
addresses = st.sampled_from(["/x", "#1", "#a", "#", "http://b.org/?c", "http://b.org/&amp;#1"])
plain_tags = st.sampled_from(["p", "h3", "li", "blockquote", "b", "em", "a", "span", "div", "td"])


@st.composite
def markup(draw, depth=3):
    """Return tags in tags, closed or not, with words and scripts between them."""
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        tag = draw(plain_tags)
        inner = draw(markup(depth - 1)) if depth else draw(words)
        text = draw(words).replace("<", "&lt;")
        close = f"</{tag}>" if draw(st.booleans()) else ""
        junk = draw(
            st.sampled_from(["", "<script>if (a<b) '</p>'</script>", "<!-- <p> -->", "<br>"])
        )
        text = draw(st.sampled_from([text, "1", "[a]"]))
        said = f'href="{draw(addresses)}" id="{draw(st.sampled_from(["1", "a", "b"]))}"'
        parts.append(f"<{tag} {said}>{text}{inner}{close}{junk}")
    return "".join(parts)


@given(markup())
def test_the_text_of_the_blocks_is_the_body(html):
    tree, leaves, blocks = read(html)
    assert text_of_blocks(blocks) == text_of_leaves(tree, leaves)


relative = st.builds(
    str.__add__,
    st.sampled_from(["", "/", "../", "../../", "./", "//"]),
    st.text("ab.%~+-_1/?#:;=&@ ", max_size=12),
)


@given(
    st.sampled_from(
        ["http://a.org", "https://a.org/b/", "http://a.org/b/../c//d?e/f#g", "b/c", "http://[", ""]
    ),
    relative,
)
def test_urls_are_joined_as_in_the_standard(base, url):
    try:
        whole = urljoin(base, url.strip())
    except ValueError:
        whole = ""
    assert whole_url(base, url) == (whole if whole.startswith(("http://", "https://")) else None)


@given(markup())
def test_blocks_survive_writing_and_reading(html):
    blocks = read(html)[2]
    assert read_blocks(write_blocks(blocks)) == blocks


@given(markup())
def test_html_of_blocks_has_the_same_words(html):
    blocks = read(html)[2]
    again = build_tree(to_html(blocks))
    said = again.text_of(0).split() if len(again) > 1 else []
    assert "".join(said) == "".join(text_of_blocks(blocks).split())


@pytest.mark.parametrize(
    "html",
    [
        "<table>"
        + "<tr>"
        + "<td>x" * 100
        + "</tr>" * 1
        + ("<tr>" + "<td>x" * 100) * 99
        + "</table>",
        "<ul><li>x" * 200,
        "<p>x<img src=/i.png>" * 5_000,
        "<b>x<p>y</p>" * 2_000,
        "<pre>x" * 1_500,
        "<pre>" + "<p>xxxxxxxxxx" * 3_000,
        "<blockquote>x" * 1_500,
        "<p>" + "<a href=/b>x</a> " * 20_000,
    ],
)
def test_a_hostile_page_gives_blocks_of_bounded_size(html):
    tree, _, blocks = read(html)
    data = write_blocks(blocks)
    assert len(data) < 60 * len(tree.source.data)
    assert json.loads(data)
    assert to_markdown(blocks)
    assert to_html(blocks)


@pytest.mark.parametrize(
    "note",
    [
        "<ol><li id='fn:1'><p>A note. <a href='#ref1'>back</a></ol>",
        "<p id='fn:1'>A note.",
        "<div id='fn:1'><p>A note.</div>",
    ],
)
def test_a_footnote_is_found_by_the_number_that_links_to_it(note):
    blocks = read(f"<p>Rain<sup><a href='#fn%3A1'>1</a></sup>, <a href='#top'>top</a>.{note}")[2]
    assert [(block.kind, block.url) for block in blocks] == [
        (BlockKind.PARAGRAPH, None),
        (BlockKind.NOTE, "fn:1"),
    ]
    assert [span.url for span in blocks[0].spans if span.url] == ["#fn:1"]
    assert "[^fn:1]" in to_markdown(blocks[:1])
    assert to_markdown(blocks[1:]).startswith("[^fn:1]: A note.")
    assert '<p id="fn:1">A note.' in to_html(blocks)


def test_links_to_a_part_of_the_page_make_no_footnotes():
    blocks = read("<p><a href='#one'>Part one</a><h2 id=one>One</h2><p id=two>Text</p>")[2]
    assert not any(span.url for block in blocks for span in block.spans)
    assert BlockKind.NOTE not in {block.kind for block in blocks}


def test_a_note_of_two_paragraphs_has_its_id_once():
    blocks = read("<p>a<a href='#n'>1</a><div id=n><p>b<p>c</div>")[2]
    assert [block.url for block in blocks] == [None, "n", None]


ENTRY = "<div class=entry><span>{0}</span><h3>{1}</h3><p>{2}</p></div>"
TIMES = ("14:05", "13:40", "9.15")


def live(form, *, around="<p>The day.</p>{}"):
    some = [form.format(time, f"Head {time}", f"Text of {time}.") for time in TIMES]
    return read(around.format("".join(some)))[2]


@pytest.mark.parametrize(
    "form",
    [
        ENTRY,
        "<li><time datetime='2024-05-01T{0}Z'>{0}</time><h3>{1}</h3><p>{2}</p></li>",
        "<article><h3>{1}</h3><p>{0} Uhr</p><p>{2}</p></article>",
        "<p>{0}</p><h3>{1}</h3><p>{2}</p>",
        "<h3>{1}</h3><p>{0}</p><p>{2}</p>",
        "<h3>{0} {1}</h3><p>{2}</p>",
    ],
)
def test_entries_of_a_live_blog_are_kept_with_their_times(form):
    around = "<p>The day.</p><ul>{}</ul>" if "<li" in form else "<p>The day.</p>{}"
    blocks = live(form, around=around)
    entries = entries_of(blocks)
    assert len(entries) == len(TIMES)
    for time, entry in zip(TIMES, entries, strict=True):
        assert {block.boxes for block in entry} == {entry[0].boxes}
        assert {f"Text of {time}."} < {block.words for block in entry}
        assert clock_of_entry(entry) == time
    assert not blocks[0].boxes


def test_a_live_blog_is_written_entry_by_entry():
    blocks = live(ENTRY)
    assert to_html(blocks).count("<section><p><time>") == 3
    assert "**14:05**\n\n### Head 14:05\n\nText of 14:05.\n\n**13:40**" in to_markdown(blocks)
    assert read_blocks(write_blocks(blocks)) == blocks


def test_the_datetime_of_a_time_is_kept():
    block = live("<div><time datetime='2024-05-01T{0}:00Z'>{0}</time><p>{2}</p></div>")[1]
    assert (block.kind, block.words, block.alt) == (BlockKind.TIME, "14:05", "2024-05-01T14:05:00Z")


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "".join(f"<tr><td>{time}<td>News" for time in TIMES) + "</table>",
        "<p>14:05<p>The train left.<p>" + "<p>It rained and rained all day. " * 9,
        "<p>14:05 The doors open.<p>15:00 The band plays.<p>16:00 All go home.",
        "<p>3-2<p>A match.<p>4-1<p>A match.<p>0-0<p>A match.",
    ],
)
def test_times_without_text_are_not_a_live_blog(html):
    assert not entries_of(read(html)[2])


def test_a_picture_in_a_list_stays_in_it():
    blocks = read("<ul><li>a <p><img src=/i.png></p><li>b</ul>")[2]
    assert [block.boxes[0].tag for block in blocks] == ["ul", "ul", "ul"]
    assert to_html(blocks).count("<ul>") == 1
