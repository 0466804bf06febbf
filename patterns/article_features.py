"""Features of a page and norms of its site: the input of the evidence for an article."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from flong.patterns.fields import Imprint, PageEvidence
from flong.patterns.labels import Labels, count_apart, folded_text
from flong.patterns.pattern import Hashes, Ints, are_known
from flong.patterns.selectors import find
from flong.patterns.thresholds import THRESHOLDS
from flong.states import CorrectedField
from flong.text import fold_text
from flong.tree import TEXT, Tree, tag_number

Leaves = NDArray[np.intp]

_HEADINGS = tag_number("h1"), tag_number("h6")
"""Tag numbers of headings are consecutive."""
_ABOVE = 8
"""Number of text leaves above a body that are searched for a heading."""
_NO_NEWS = re.compile(
    r"/(classifieds?|small-?ads|kleinanzeigen|anzeigen(?:markt)?|(?:petites-)?annonces?|anuncios?"
    r"|[ck]las+ific?ados|avisos(?:-clasificados)?|ob[yj]?avleni[yj]?a|ogloszenia|annunci|inzerce"
    r"|ilan(?:lar)?|shop|store|products?|produkte?|productos?|produits?|tienda|boutique|forums?"
    r"|authors?|autor(?:en|es)?|auteurs?|tags?)/",
    re.IGNORECASE,
)
"""Directories of pages that contain prose and no news."""
_FILE = re.compile(r"(?:/(?:index|default))?(?:\.\w{2,5})?$", re.IGNORECASE)
"""File name or ending that does not count as part of the directory."""
_FILE_LENGTH = len("/default.shtml")
"""Maximum length of a match of `_FILE`."""


class ArticleFeatures(NamedTuple):
    """Features of one page."""

    words: int
    """Words of the body."""
    link_share: float
    """Fraction of them in links."""
    longest: int
    """Words outside links of its longest paragraph."""
    teasers: int
    """Linked headings in the body; linked lines if the page has no headings at all."""
    other_share: float
    """Fraction of its lines that are titles of other pages or contain one as a link."""
    more_instances: bool
    """The body's container is on the page more often than on others of the pattern. Or, if the
    title is a link or not the page's own, the container of the site's main articles is."""
    below_teaser: bool
    """The heading right above the body is not the title, and is a link."""
    like_head: float | None
    """Similarity of the title to the head title; None without one."""
    like_anchor: float | None
    """Similarity of the title to the anchor texts that lead here; None without any."""
    linked_title: bool
    """Its title is a link."""
    linked_by: float
    """Fraction of the site's pages that link here with the same words."""
    in_menu: bool
    """These words are not its title, or are too few for a headline."""
    headline_anchor: bool
    """The text of a link to it is its title, and long enough for a headline."""
    json_ld: bool
    """Its structured data contain an article."""
    og_article: bool
    """`og:type` is article."""
    like_main: bool
    """Title or body is where the site's main articles have it, or these are not known."""
    dated: bool
    """It has a date of publication."""
    signed: bool
    """It names an author."""
    of_unknown_era: bool = False
    """No pattern fits it, but it contains a date: its template was not learned from."""
    links: int = 0
    """Number of pages that link here with the same words."""
    newsless_directory: str = ""
    """Directory in its URL that contains no news, such as adverts and goods; else empty."""
    is_directory: bool = False
    """Several URLs of the site are below its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteNorms:
    """Norms of a site: a feature that all of its pages have is no evidence."""

    json_ld: float = 0.0
    """Fraction of pages with an article in structured data."""
    og_article: float = 0.0
    """Fraction of pages with `og:type` article."""
    dated: float = 0.0
    """Fraction of likely articles with a date of publication."""
    signed: float = 0.0
    """Fraction of likely articles with an author."""
    newsless_pages: float = 0.0
    """Fraction of pages whose URL has a directory that contains no news on other sites."""
    linked_title: float = 1.0
    """Fraction of likely articles whose title is a link."""
    like_main: float = 1.0
    """Fraction of likely articles with title or body where the main ones have them."""
    linked_pages: float = 0.0
    """Fraction of pages to which some page links, as far as is known; few in an archive."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Era:
    """Articles of one time or publishing system: where they have title and body, and their norms.

    After a redesign a host may keep its older articles in their old template.
    """

    pattern: int
    """Number of their main pattern."""
    labels: Labels = field(default_factory=Labels)
    """Its labels."""
    norms: SiteNorms = field(default_factory=SiteNorms)
    """Norms of its articles, and of pages of no era."""

    def likeness(self, tree: Tree) -> int:
        """Return how many of title and body a page has where the articles of the era have them."""
        return sum(find(tree, selector) >= 0 for selector in self.labels.named)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SiteContext:
    """Facts about a site that the judgement on each page needs."""

    titles: Hashes = field(default_factory=lambda: np.array([], dtype=np.int64))
    """Sorted hashes of the titles of one or two known pages."""
    boilerplate: Hashes = field(default_factory=lambda: np.array([], dtype=np.int64))
    """Sorted hashes of the texts that most known pages have."""
    directories: frozenset[str] = frozenset()
    """Directories with several known pages."""
    norms: SiteNorms = field(default_factory=SiteNorms)
    """Norms of the site, or of its main era."""
    page_sections: frozenset[str] = frozenset()
    """Sections whose articles are pages, not news."""
    eras: tuple[Era, ...] = ()
    """Eras of the site's articles, the main one first; empty if not known."""

    @property
    def main_pattern(self) -> int | None:
        """Return the number of the pattern of the main articles; None if not known."""
        return self.eras[0].pattern if self.eras else None

    @property
    def main(self) -> Labels | None:
        """Return the labels of the site's main articles; None if not known."""
        return self.eras[0].labels if self.eras else None

    def with_labels(self, labels: Sequence[Labels]) -> "SiteContext":
        """Return the context with other labels of its eras, given for all patterns."""
        return replace(
            self, eras=tuple(replace(era, labels=labels[era.pattern]) for era in self.eras)
        )

    def of(self, tree: Tree) -> "SiteContext":
        """Return the context of a page: that of its era, the one it is most like."""
        if len(self.eras) < 2:
            return self
        era = max(self.eras, key=lambda era: era.likeness(tree))
        return self if era is self.eras[0] else replace(self, norms=era.norms, eras=(era,))


def _contains_date(imprint: Imprint) -> bool:
    """Return True if the date is from the page, not from its URL.

    The URL of a consent wall or an error page may have the date of an article.
    """
    if imprint.dated is None:
        return False
    origin = imprint.dated[1]
    return isinstance(origin, int) or origin.source != "url"


def extract_features(
    source: PageEvidence, imprint: Imprint, context: SiteContext
) -> ArticleFeatures:
    """Return the features of one page."""
    tree, labelled, page_names = source.tree, source.labelled, source.page_names
    body, title = np.array(labelled.body, dtype=np.intp), labelled.title
    words, linked, total = tree.words[body], tree.link_words[body], int(tree.words[body].sum())
    folded = folded_text(tree, title) if title >= 0 else ""
    if source.labels.breadcrumbs.depths and title >= 0:
        folded = fold_text(source.labels.breadcrumbs.headline(tree.text_of(title)))
    linked_title = title >= 0 and bool(
        tree.link_words[title] >= THRESHOLDS.linked_headline * tree.words[title]
    )
    like_head, like_anchor = page_names.by_heads(folded), page_names.by_anchors(folded)
    # Other titles are no evidence against a title that a person has corrected.
    is_corrected = CorrectedField.TITLE in source.labels.corrected
    called = page_names.linked_as if is_corrected else folded
    is_headline = len(called.split()) >= THRESHOLDS.headline_words
    main = context.main.named if context.main is not None else ()
    is_linked = _has_headline(page_names.anchors, folded)
    is_like = max(like_head, like_anchor) >= THRESHOLDS.same_title
    own_title = not linked_title and (is_like or is_corrected)
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
        like_anchor=like_anchor if is_linked and not is_corrected else None,
        linked_title=linked_title,
        linked_by=page_names.linked_by,
        in_menu=page_names.linked_as != called or not is_headline,
        headline_anchor=is_headline and called in page_names.anchors,
        json_ld=source.metadata.json_ld_article,
        og_article=source.metadata.og_article,
        like_main=not main or any(find(tree, selector) >= 0 for selector in main),
        dated=imprint.dated is not None,
        signed=bool(imprint.authors),
        of_unknown_era=source.match is None and _contains_date(imprint),
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
    """Return the number of leaves of a body that are titles of other pages or link to one."""
    texts, links = tree.text_hash[body], tree.link_hash[body]
    is_title = are_known(texts, known)
    is_teaser = (
        are_known(links, known)
        & (links != 0)
        & (tree.words[body] <= THRESHOLDS.teaser_words)
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
    """Return True if the nearest heading above a body is a link, and not the title."""
    leaves = np.flatnonzero(tree.tag[:first] == TEXT)[: -_ABOVE - 1 : -1]
    for leaf in leaves.tolist():
        if leaf == title:
            return False
        around = islice(tree.ancestors(leaf), 2)
        if any(_HEADINGS[0] <= tree.tag[above] <= _HEADINGS[1] for above in around):
            return bool(tree.link_words[leaf] >= THRESHOLDS.linked_heading * tree.words[leaf])
    return False


def _holds_several(tree: Tree, main: Labels | None) -> bool:
    """Return True if a page has several bodies where the site's main articles have one."""
    if main is None or main.body is None or not main.body.named:
        return False
    return count_apart(tree, main.body) > main.instances + 1


def _has_headline(anchors: Sequence[str], title: str) -> bool:
    """Return True if an anchor text is the title or long enough for a headline."""
    least = THRESHOLDS.headline_words
    return any(len(anchor.split()) >= least or anchor == title for anchor in anchors)


def find_newsless_directory(url: str) -> str:
    """Return the directory of a URL that stands for adverts, goods or forums, or an empty string.

    >>> find_newsless_directory("https://a.example/kleinanzeigen/haus.html")
    'kleinanzeigen'
    >>> find_newsless_directory("https://a.example/news/forum")
    ''
    """
    found = _NO_NEWS.search(urlsplit(url).path)
    return found[1] if found else ""


def directory_of(url: str) -> str:
    """Return the directory that a page stands for: the path of its URL without a file name.

    >>> [directory_of(f"https://a.example/{at}") for at in ("sport/index.html", "sport.php", "")]
    ['/sport', '/sport', '']
    """
    path = urlsplit(url).path.rstrip("/")
    found = _FILE.search(path, max(0, len(path) - _FILE_LENGTH))
    return path[: found.start()] if found else path


def find_directories(urls: Iterable[str]) -> frozenset[str]:
    """Return the directories with several pages below them, without the root.

    >>> sorted(find_directories(f"https://a.example/sport/golf/{at}.html" for at in range(3)))
    ['/sport', '/sport/golf']
    """
    below: Counter[str] = Counter()
    for path in map(directory_of, urls):
        parts = path.split("/")
        below.update("/".join(parts[:last]) for last in range(2, len(parts)))
    return frozenset(path for path, pages in below.items() if pages >= THRESHOLDS.least_repeats)
