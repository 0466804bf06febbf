"""Lead image of an article: from the metadata, else the first picture in the text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from flong.patterns.labels import LabelledPage, Labels
from flong.patterns.metadata import Metadata, MetadataValue
from flong.patterns.selectors import Starts
from flong.patterns.thresholds import THRESHOLDS
from flong.tree import Tree, tag_number

_IMAGE = tag_number("img")


def lead_image(
    tree: Tree, labelled: LabelledPage, labels: Labels, starts: Starts | None, metadata: Metadata
) -> MetadataValue | int | None:
    """Return the lead image in the metadata, else the vertex of the first picture in the text.

    Pictures on several pages, such as logos and portraits, are skipped.
    """
    for said in metadata.image:
        if said.value not in labels.images:
            return said
    for vertex, url in images_of(tree, labelled, labels, starts):
        if url not in labels.images:
            return vertex
    return None


def images_of(
    tree: Tree, labelled: LabelledPage, labels: Labels, starts: Starts | None
) -> Iterator[tuple[int, str]]:
    """Yield vertex and URL of the pictures from title to end of text, without excluded blocks."""
    if not labelled.body:
        return
    container, last = labelled.container, labelled.body[-1]
    first = 1 + min(at for at in (labelled.title, container or -1, labelled.body[0]) if at >= 0)
    images = (np.flatnonzero(tree.tag[first:last] == _IMAGE) + first).tolist()
    left_out = frozenset(labels.exclusions.find(tree, starts)) if images else frozenset()
    kept: set[int] = set()  # elements that are not in an excluded block
    for vertex in images:
        path, around = [], vertex
        while around > container and around not in kept:
            if around in left_out:
                break
            path.append(around)
            around = int(tree.parent[around])
        else:
            kept.update(path)
            if url := url_of(tree, vertex):
                yield vertex, url


def url_of(tree: Tree, vertex: int) -> str:
    """Return the URL of a picture; empty if its data are in the page."""
    return picture_url(tree.attributes(vertex))


def picture_url(attributes: Mapping[str, str]) -> str:
    """Return the URL of a picture with these attributes; empty if its data are in the page."""
    url = attributes.get("data-src") or attributes.get("src") or ""
    return "" if url.startswith("data:") else url


def common_images(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the pictures that are on too many pages to lead an article (`shared_image`).

    >>> sorted(common_images([["logo", "a"], ["logo", "b"], ["logo", "c"]]))
    ['logo']
    """
    counts: Counter[str] = Counter()
    total = 0
    for page in pages:
        total += 1
        counts.update(set(page))
    least = max(THRESHOLDS.least_repeats, THRESHOLDS.shared_image * total)
    return frozenset(name for name, often in counts.items() if often >= least)
