"""Region codes, against the paper's algorithm (Figure 3, with level and parent the right way)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flong.baselines import tag_sequence
from flong.tree import TEXT, build_tree
from tests.baselines.pages import TREES


def scanned(tree):
    """Open and close tags one by one, as the paper does."""
    rows: dict[int, list[int]] = {}
    stack: list[int] = []
    count = -1
    for vertex in [*range(len(tree)), None]:
        while stack and (vertex is None or vertex >= stack[-1] + tree.size[stack[-1]]):
            count += 1
            rows[stack.pop()][1] = count
        if vertex is not None and tree.tag[vertex] != TEXT:
            count += 1
            parent = rows[stack[-1]][0] if stack else 0
            rows[vertex] = [count, -1, parent, len(stack)]
            stack.append(vertex)
    return rows


@given(TREES)
def test_codes_equal_those_of_the_one_pass_scan(tree):
    codes = tag_sequence(tree)
    found = np.stack([codes.begin, codes.end, codes.parent, codes.level], axis=1).tolist()
    assert dict(zip(codes.vertex.tolist(), found, strict=True)) == scanned(tree)


@given(TREES, st.data())
def test_codes_identify_ancestors_parents_and_siblings(tree, data):
    codes = tag_sequence(tree)
    positions = st.integers(0, len(codes) - 1)
    one, other = data.draw(positions), data.draw(positions)
    vertex, descendant = codes.vertex[one], codes.vertex[other]
    assert codes.is_ancestor(one, other) == (vertex in list(tree.ancestors(descendant)))
    is_parent = other > 0 and codes.parent[other] == codes.begin[one]
    assert is_parent == (tree.parent[descendant] == vertex)
    same = codes.parent[one] == codes.parent[other] and codes.level[one] == codes.level[other]
    assert same == (tree.parent[vertex] == tree.parent[descendant])


def test_content_codes_compare_tag_and_own_text():
    codes = tag_sequence(build_tree("<p>a</p><p>a</p><p>b</p><h2>a</h2><div><p>a</p></div>"))
    body, first, same, other_text, other_tag, wrapper, inner = codes.content.tolist()
    assert first == same == inner
    assert len({body, first, other_text, other_tag, wrapper}) == 5
