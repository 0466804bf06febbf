"""The clustering view of a page: tags only, and equal siblings as one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trees.tags import tag_name
from trees.tree import Tree


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Shape:
    """A tree of labels in preorder, numbered like `Tree`."""

    label: NDArray[np.int32]
    """Tag number; `TEXT` for a text leaf, whatever its text."""
    size: NDArray[np.int32]
    """Number of vertices of the sub-tree, itself included."""
    kind: NDArray[np.int64]
    """Stable hash of the whole sub-tree: equal sub-trees of all pages have equal kinds."""

    def __len__(self) -> int:
        return len(self.label)

    def __str__(self) -> str:
        """Return the tree with brackets around children, as in `body(p(#text) hr)`."""
        pieces: list[str] = []
        ends: list[int] = []
        for vertex, label in enumerate(self.label.tolist()):
            while ends and ends[-1] == vertex:
                ends.pop()
                pieces.append(")")
            if pieces and pieces[-1] != "(":
                pieces.append(" ")
            pieces.append(tag_name(label))
            if self.size[vertex] > 1:
                pieces.append("(")
                ends.append(vertex + int(self.size[vertex]))
        return "".join(pieces) + ")" * len(ends)


def shape_of(tree: Tree, *, collapse: bool = True) -> Shape:
    """Return the clustering view of a tree; without `collapse` all its vertices.

    What writers vary within one template is left out: paragraphs, headings, quotations and
    the like are leaves; of siblings with equal sub-trees only the first is kept, and of such
    blocks, lists and pictures the first of each tag.

    >>> from trees.build import build_tree
    >>> print(shape_of(build_tree("<h1>a</h1><p>b<p>c<div>d</div><p>e<div>f</div><ul><li>g</ul>")))
    body(h1 p div(#text) ul(li(#text)))
    """
    from trees.collapse import new_view, view_tree  # noqa: PLC0415 - numba takes 0.6 s to import

    view = new_view(tree.tag, tree.size, collapse)
    kept = view.vertices[: view_tree(view)]
    return Shape(label=tree.tag[kept], size=view.size[kept], kind=view.kind[kept])
