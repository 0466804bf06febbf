"""What speaks for or against a page being an article, seen on the page and on its site."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.fields import Imprint, PageEvidence
from flong.patterns.labels import Labels, count_apart, folded_text
from flong.patterns.page_titles import PageNames
from flong.patterns.pattern import Hashes, Ints, are_known
from flong.patterns.selectors import Selector, find
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.url_features import directory_of, find_newsless_directory
from flong.states import CorrectedField
from flong.tree import TEXT, Tree, tag_number

Leaves = NDArray[np.intp]

_HEADINGS = tag_number("h1"), tag_number("h6")
"""Their numbers lie side by side."""
_ABOVE = 8
"""Text leaves above a body that are searched for a heading."""


class ArticleFeatures(NamedTuple):
    """What speaks for or against one page being an article."""

    words: int
    """Words of the body."""
    link_share: float
    """Share of them in links."""
    longest: int
    """Words outside links of its longest paragraph."""
    teasers: int
    """Linked headings in the body; linked lines if the page has no headings at all."""
    other_share: float
    """Share of its lines that are titles of other pages, or have one as a link in them."""
    more_instances: bool
    """The body's container is on the page more often than on others of the pattern; or, below a
    title that is a link or not the page's, the one of the site's main articles."""
    below_teaser: bool
    """The heading right above the body is not the title, and is a link."""
    like_head: float | None
    """How like the page's own head title the title is; None if it has none."""
    like_anchor: float | None
    """How like the anchors that lead here the title is; None if there are none."""
    linked_title: bool
    """Its title is a link."""
    linked_by: float
    """Share of the site's pages that link here with the same words."""
    in_menu: bool
    """Those words are not its title, or too few for a headline."""
    headline_anchor: bool
    """Some link to it is its title, and long enough for a headline."""
    json_ld: bool
    """Its structured data speaks of an article."""
    og_article: bool
    """`og:type` is article."""
    like_main: bool
    """It has title or body where the site's main articles have them, as far as is known."""
    dated: bool
    """It has a date of publication."""
    signed: bool
    """It names an author."""
    links: int = 0
    """Pages that link here with the same words."""
    newsless_directory: str = ""
    """The directory of its address that holds no news, as adverts and goods; empty if none does."""
    is_directory: bool = False
    """Several pages of the site lie below its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteNorms:
    """What is usual on the site: a sign that all pages have says nothing."""

    json_ld: float = 0.0
    """Share of pages with structured data on an article."""
    og_article: float = 0.0
    """Share of pages with `og:type` article."""
    dated: float = 0.0
    """Share of likely articles with a date of publication."""
    signed: float = 0.0
    """Share of likely articles with an author."""
    newsless_pages: float = 0.0
    """Share of pages whose addresses are in directories that hold no news elsewhere."""
    linked_title: float = 1.0
    """Share of likely articles whose title is a link."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SiteContext:
    """What is known of the site when one page is judged."""

    titles: Hashes = field(default_factory=lambda: np.array([], dtype=np.int64))
    """Sorted hashes of the titles that one or two known pages have."""
    boilerplate: Hashes = field(default_factory=lambda: np.array([], dtype=np.int64))
    """Sorted hashes of the texts that most known pages have: they belong to no article."""
    directories: frozenset[str] = frozenset()
    """Paths of addresses below which several known pages lie."""
    norms: SiteNorms = field(default_factory=SiteNorms)
    """What is usual on the site."""
    main: Labels | None = None
    """Labels of the site's main articles; None if they are not known."""


def extract_features(
    source: PageEvidence, imprint: Imprint, context: SiteContext
) -> ArticleFeatures:
    """Collect the features of one page."""
    tree, labelled, page_names = source.tree, source.labelled, source.page_names
    body, title = np.array(labelled.body, dtype=np.intp), labelled.title
    words, linked = tree.words[body], tree.link_words[body]
    total = int(words.sum())
    folded = folded_text(tree, title) if title >= 0 else ""
    linked_title = title >= 0 and bool(
        tree.link_words[title] >= THRESHOLDS.linked_headline * tree.words[title]
    )
    like_head, like_anchor = page_names.by_heads(folded), page_names.by_anchors(folded)
    likeness = max(like_head, like_anchor)
    # What the page is called elsewhere says nothing against a title that a person has named.
    is_corrected = CorrectedField.TITLE in source.labels.corrected
    called = page_names.linked_as if is_corrected else folded
    is_headline = len(called.split()) >= THRESHOLDS.headline_words
    own_title = not linked_title and (likeness >= THRESHOLDS.same_title or is_corrected)
    return ArticleFeatures(
        words=total,
        link_share=int(linked.sum()) / total if total else 1.0,
        longest=int((words - linked).max(initial=0)),
        teasers=_count_teasers(tree, body),
        other_share=_count_headlines(tree, body, title, context.titles) / max(len(body), 1),
        more_instances=labelled.instances > source.labels.instances + 1
        or (not own_title and _holds_several(tree, context.main)),
        below_teaser=len(body) > 0 and _is_below_teaser(tree, body[0], title),
        like_head=like_head if page_names.heads and not is_corrected else None,
        like_anchor=(like_anchor if _telling(page_names, folded) and not is_corrected else None),
        linked_title=linked_title,
        linked_by=page_names.linked_by,
        in_menu=page_names.linked_as != called or not is_headline,
        headline_anchor=is_headline and called in page_names.anchors,
        json_ld=source.metadata.json_ld_article,
        og_article=source.metadata.og_article,
        like_main=context.main is None or _has_any(tree, context.main.named),
        dated=imprint.dated is not None,
        signed=bool(imprint.authors),
        links=page_names.links,
        newsless_directory=find_newsless_directory(source.url),
        is_directory=directory_of(source.url) in context.directories,
    )


def _count_teasers(tree: Tree, body: Leaves) -> int:
    """Return the linked headings of a body; linked lines if the page has no headings at all."""
    words, linked = tree.words[body], tree.link_words[body]
    is_teaser = (linked >= THRESHOLDS.linked_heading * words) & _are_headings(
        tree.tag[tree.parent[body]]
    )
    if not is_teaser.any() and not _are_headings(tree.tag).any():
        is_teaser = (linked >= THRESHOLDS.linked_headline * words) & (
            words >= THRESHOLDS.headline_words
        )
    return int(np.count_nonzero(is_teaser))


def _count_headlines(tree: Tree, body: Leaves, title: int, known: Hashes) -> int:
    """Return how many leaves of a body are known titles of other pages, or link to one."""
    texts, links = tree.text_hash[body], tree.link_hash[body]
    is_title = are_known(texts, known)
    is_teaser = (
        are_known(links, known)
        & (links != 0)
        & (tree.words[body] <= THRESHOLDS.summary_words)
        & ~is_title
    )
    count, listed = int(np.count_nonzero(is_title)), int(np.count_nonzero(is_teaser))
    count += listed if listed >= THRESHOLDS.least_teasers else 0
    is_own = bool((texts == tree.text_hash[title]).any())
    return count - 1 if count and is_own else count


def _are_headings(tags: Ints) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (tags >= _HEADINGS[0]) & (tags <= _HEADINGS[1])
    return found


def _is_below_teaser(tree: Tree, first: int, title: int) -> bool:
    """Return whether the nearest heading above a body is a link, and not the title."""
    leaves = np.flatnonzero(tree.tag[:first] == TEXT)[: -_ABOVE - 1 : -1]
    for leaf in leaves.tolist():
        if leaf == title:
            return False
        around = islice(tree.ancestors(leaf), 2)
        if any(_HEADINGS[0] <= tree.tag[above] <= _HEADINGS[1] for above in around):
            return bool(tree.link_words[leaf] >= THRESHOLDS.linked_heading * tree.words[leaf])
    return False


def _holds_several(tree: Tree, main: Labels | None) -> bool:
    """Return whether a page has several bodies where the site's main articles have theirs."""
    if main is None or main.body is None or not main.body.named:
        return False
    return count_apart(tree, main.body) > main.instances + 1


def _has_any(tree: Tree, selectors: Sequence[Selector]) -> bool:
    """Return whether one of some selectors leads somewhere; also if there is none."""
    for selector in selectors:
        if find(tree, selector) >= 0:
            return True
    return not selectors


def _telling(page_names: PageNames, title: str) -> bool:
    """Return whether some anchor is long enough to be a headline, or is the title."""
    return any(
        len(anchor.split()) >= THRESHOLDS.headline_words or anchor == title
        for anchor in page_names.anchors
    )
