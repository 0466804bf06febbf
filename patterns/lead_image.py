"""The lead picture of an article: what its page says of it, else the first one in its text."""

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
    """Return what the head says of the lead picture, else the vertex of the first in the text.

    Pictures that several pages have, such as logos and faces, are not the article's.
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
    """Yield the pictures from the title to the end of the text, but for blocks left out of it."""
    if not labelled.body:
        return
    container, last = labelled.container, labelled.body[-1]
    first = 1 + min(at for at in (labelled.title, container or -1, labelled.body[0]) if at >= 0)
    images = (np.flatnonzero(tree.tag[first:last] == _IMAGE) + first).tolist()
    left_out = frozenset(labels.exclusions.find(tree, starts)) if images else frozenset()
    kept: set[int] = set()  # elements of the container that are in nothing left out
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
    """Return where a picture is; empty if it is written into the page."""
    return picture_url(tree.attributes(vertex))


def picture_url(attributes: Mapping[str, str]) -> str:
    """Return where a picture with these attributes is; empty if it is written into the page."""
    url = attributes.get("data-src") or attributes.get("src") or ""
    return "" if url.startswith("data:") else url


def common_images(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the pictures that several of some pages have, at least a tenth of them.

    >>> sorted(common_images([["logo", "a"], ["logo", "b"], ["logo", "c"]]))
    ['logo']
    """
    counts: Counter[str] = Counter()
    total = 0
    for page in pages:
        total += 1
        counts.update(set(page))
    least = max(THRESHOLDS.least_repeats, THRESHOLDS.convention * total)
    return frozenset(name for name, often in counts.items() if often >= least)
