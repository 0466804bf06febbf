import pickle
import sys

from benchmarks.faults.generated import GeneratedSite
from flong.tree import build_tree


def test_packed_tree_is_equal_and_much_smaller():
    html = GeneratedSite(pages=300).get("/story/1.html")
    html = html.replace("</head>", f"<script>{'let a = 1;' * 20_000}</script></head>")
    tree = build_tree(html)
    packed = tree.packed()
    assert packed.source.data == tree.source.data
    assert packed.head == tree.head
    assert packed.id_hash.tolist() == tree.id_hash.tolist()
    vertices = range(len(tree))
    assert [packed.attributes(v) for v in vertices] == [tree.attributes(v) for v in vertices]
    assert sys.getsizeof(packed.source._blob) < 0.1 * sys.getsizeof(tree.source.data)


def test_packed_tree_is_pickled_packed():
    tree = build_tree(f"<title>Rain</title><madeup>It rained.</madeup>{'<p>Rain.' * 5000}")
    sent = pickle.dumps(tree.packed().source)
    assert len(sent) < 0.1 * len(tree.source.data)
    received = pickle.loads(sent)  # noqa: S301 - our own
    assert received.data == tree.source.data
    assert received.head() == tree.head
