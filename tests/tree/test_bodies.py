"""Pages whose author left out `<body>`, as HTML allows."""

import pytest

from flong.tree import build_tree
from tests.waiting import cpu_limit


@pytest.mark.parametrize(
    "html",
    [
        "<!doctype html><title>x</title><main><h1>A</h1><p>some text</p></main>",
        "<!doctype html><meta charset=utf-8><title>x</title><main><p>some text</main>",
        '<title>x</title><script>a <b "<main>"</script><main>some text</main>',
        "<!-- <article> --><title>x</title><article>some text</article>",
        "<head><title>x</title></head><main>some text</main>",
        "<title>x</title><body><main>some text</main>",
        "<title>x</title><header>top</header><main>some text</main>",
    ],
)
def test_content_without_a_body_tag_is_not_in_the_head(html):
    tree = build_tree(html)
    assert "some text" in tree.text_of(0)
    assert tree.head.title == "x"


def test_repeated_open_tags_are_searched_quickly():
    with cpu_limit(5):
        build_tree("<script " * 20_000)
