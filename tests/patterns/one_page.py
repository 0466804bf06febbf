"""One page with a headline and a text, with the evidence read from it."""

from datetime import UTC, datetime

from flong.patterns.fields import PageEvidence, read_fields
from flong.patterns.labels import LabelledPage, Labels
from flong.patterns.metadata import read_metadata
from flong.patterns.page_titles import Affixes, TitleConventions
from flong.tree import build_tree

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CONVENTIONS = TitleConventions(
    pages=1, affixes=Affixes(), common_heads=frozenset(), common_anchors=frozenset()
)
TEXT = "<p>" + "It rained all day and nobody went out. " * 4 + "</p>"


def fields(head="", meta="", url="https://news.example/a", labels=None):
    """Return the fields of a page with this in its head and this below its headline."""
    tree = build_tree(f"<head>{head}</head><h1>Rain</h1>{meta}<div>{TEXT}</div>")
    title = next(leaf for leaf in tree.leaves() if tree.text_of(leaf) == "Rain")
    body = [leaf for leaf in tree.leaves() if tree.words[leaf] > 20]
    container = int(tree.parent[body[0]])
    source = PageEvidence(
        url=url,
        tree=tree,
        labelled=LabelledPage(title=title, container=container, body=body, instances=1),
        labels=labels or Labels(),
        page_names=CONVENTIONS.name_page(tree.head, ()),
        metadata=read_metadata(tree.head),
        now=NOW,
    )
    return read_fields(source)
