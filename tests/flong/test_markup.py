"""Articles as JSON, HTML and Markdown: nothing is lost and nothing is executed."""

from hypothesis import given
from hypothesis import strategies as st
from lxml.html import fragments_fromstring

from flong.article import (
    Block,
    BlockKind,
    Box,
    Mark,
    Span,
    paragraphs_of,
    read_blocks,
    text_of_blocks,
    to_html,
    to_markdown,
    write_blocks,
)

letters = st.text(alphabet="ab <>&\"'*_`[]()#-.!|\\", min_size=1, max_size=8)
urls = st.one_of(st.none(), st.sampled_from(["#note", "https://a.example/?b=1&c=\"'>"]))
spans = st.builds(Span, letters, st.lists(st.sampled_from(Mark), unique=True).map(tuple), urls)
boxes = st.sampled_from(
    [(), (Box("blockquote", 1),), (Box("ul", 2), Box("li", 3)), (Box("ol", 4), Box("li", 5))]
)
blocks = st.builds(
    Block,
    kind=st.sampled_from([BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.RULE]),
    spans=st.lists(spans, max_size=3).map(tuple),
    boxes=boxes,
    level=st.just(2),
)
articles = st.lists(blocks, max_size=5)


@given(articles)
def test_blocks_survive_json(given_blocks):
    assert read_blocks(write_blocks(given_blocks)) == tuple(given_blocks)


@given(articles)
def test_html_has_every_word_and_only_known_elements(given_blocks):
    html = to_html(given_blocks)
    found = fragments_fromstring(f"<div>{html}</div>")[0]
    words = "".join(block.words for block in given_blocks if block.is_text)
    assert "".join("".join(found.itertext()).split()) == "".join(words.split())
    assert {element.tag for element in found.iter()} <= {
        *("div", "p", "h2", "hr", "br", "blockquote", "ul", "ol", "li", "a"),
        *("em", "strong", "code", "sup", "sub"),
    }


def test_markup_of_the_page_is_text_in_html_and_markdown():
    hostile = [Block(kind=BlockKind.PARAGRAPH, spans=(Span("<script>alert(1)</script> *x*"),))]
    assert "<script" not in to_html(hostile)
    assert r"\<script\>" in to_markdown(hostile)
    assert r"\*x\*" in to_markdown(hostile)


@given(st.lists(letters, max_size=5))
def test_paragraphs_of_a_text_are_its_lines(lines):
    text = "\n".join(lines)
    assert text_of_blocks(paragraphs_of(text)) == "\n".join(one for one in lines if one.strip())
