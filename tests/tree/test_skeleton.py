"""The clustering view."""

import pytest
from hypothesis import given, settings

from flong.clustering import skeleton_of
from flong.tree import build_tree
from tests.tree.random_trees import nested, skeleton
from tests.waiting import cpu_limit


@pytest.mark.parametrize(
    ("html", "view"),
    [
        ("", "body"),
        ("<p>a<p>b<p>c", "body(p)"),
        ("<h2>a</h2><p>b<h2>c</h2><p>d", "body(h2 p)"),
        ("<div><p>a</div><div><p>b<p>c</div><div><hr></div>", "body(div(p) div(hr))"),
        ("<ul><li>a<li>b</ul><p>c<ul><li><p>d</ul>", "body(ul(li(#text)) p)"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "body(table(tbody(tr(td(#text)))))"),
        ("<figure><img><figcaption>a</figcaption></figure>", "body(figure)"),
        ("<blockquote><div>a</div></blockquote>", "body(blockquote)"),
    ],
)
def test_skeleton_omits_text_and_inline_markup(html, view):
    assert str(skeleton_of(build_tree(html))) == view


def test_skeleton_does_not_depend_on_article_length():
    short, long = (
        skeleton_of(build_tree("<h1>a</h1><div>" + "<p>b</p><ul><li>c</ul>" * n + "</div>"))
        for n in (1, 80)
    )
    assert short.kind[0] == long.kind[0]


@given(nested("abc", 20), nested("abc", 20))
@settings(max_examples=200, deadline=None)
def test_kinds_are_equal_only_for_equal_subtrees(a, b):
    one, two = skeleton(a), skeleton(b)
    written = [
        {kind: str(sub) for kind, sub in zip(s.kind.tolist(), subtrees(s), strict=True)}
        for s in (one, two)
    ]
    both = written[0] | written[1]
    assert len(set(both.values())) == len(both)
    assert all(written[0][k] == written[1][k] for k in written[0].keys() & written[1].keys())
    assert (one.kind[0] == two.kind[0]) == (a == b)


def subtrees(skeleton):
    for v in range(len(skeleton)):
        end = v + skeleton.size[v]
        yield type(skeleton)(
            label=skeleton.label[v:end], size=skeleton.size[v:end], kind=skeleton.kind[v:end]
        )


def test_skeleton_sizes_are_subtree_sizes():
    html = "<div><p>a<p>b</div><section><div><p>a</div><img><img></section><p>c"
    view = skeleton_of(build_tree(html))
    assert str(view) == "body(div(p) section(div(p) img) p)"
    assert view.size.tolist() == [8, 2, 1, 4, 2, 1, 1, 1]


def test_huge_and_deep_pages_have_a_skeleton():
    many = "".join(f"<div>{'<b>x</b>' * (i % 50)}</div>" for i in range(4_000))
    with cpu_limit(20):
        assert len(skeleton_of(build_tree(many))) < 4_000
        assert len(skeleton_of(build_tree("<div>" * 5_000))) > 2_000
