"""Skeleton of a page, as used for clustering: tags only, equal siblings merged."""

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flong.tree import Tree, tag_name


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Skeleton:
    """A tree of labels in preorder, numbered like `Tree`."""

    label: NDArray[np.int32]
    """Tag number; `TEXT` for any text leaf."""
    size: NDArray[np.int32]
    """Number of vertices of the subtree, including the root."""
    kind: NDArray[np.int64]
    """Stable hash of the subtree, comparable between pages."""

    def __len__(self) -> int:
        return len(self.label)

    def __str__(self) -> str:
        """Return the tree in bracket notation, such as `body(p(#text) hr)`."""
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


def skeleton_of(tree: Tree, *, collapse: bool = True) -> Skeleton:
    """Return the skeleton of a tree; without `collapse`, all of its vertices.

    Variation within a template is removed. Paragraphs, headings and quotations become leaves. Of
    siblings with equal subtrees, one is kept; of prose blocks, lists and images, one per tag.

    >>> from flong.tree.build import build_tree
    >>> html = "<h1>a</h1><p>b<p>c<div>d</div><p>e<div>f</div><ul><li>g</ul>"
    >>> print(skeleton_of(build_tree(html)))
    body(h1 p div(#text) ul(li(#text)))
    """
    from flong.clustering.collapse import new_view, view_tree  # noqa: PLC0415 - numba takes 0.6 s to import

    view = new_view(tree.tag, tree.size, collapse)
    kept = view.vertices[: view_tree(view)]
    block = _shelf.room(4 * len(kept)).reshape(4, -1)
    label, size, kind = block[0], block[1], block[2:].reshape(-1).view(np.int64)
    label[:], size[:], kind[:] = tree.tag[kept], view.size[kept], view.kind[kept]
    return Skeleton(label=label, size=size, kind=kind)


class _Shelf(threading.local):
    """Storage that packs skeletons together.

    Thousands of skeletons stay alive while pages are parsed. Allocated separately, they would
    fragment the parser's memory, which doubles the parse time after a few thousand pages.
    """

    def __init__(self) -> None:
        self.free = np.empty(0, dtype=np.int32)

    def room(self, numbers: int) -> NDArray[np.int32]:
        """Return a block of `numbers` integers, which must be an even number."""
        if len(self.free) < numbers:
            self.free = np.empty(max(numbers, 1 << 18), dtype=np.int32)
        taken, self.free = self.free[:numbers], self.free[numbers:]
        return taken


_shelf = _Shelf()
