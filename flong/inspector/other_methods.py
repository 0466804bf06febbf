"""What the other papers' methods find on a page, each by itself."""

from dataclasses import dataclass

from flong.article import Article
from flong.baselines import EXTRACTORS
from flong.inspector.visual_blocks import SeenArticle
from flong.text import token_f1, words
from flong.tree import SitePage, Tree

METHODS = ("consensus", "coreex", "econ", "first-half", "nowonweb", "readability-score")
"""The other methods that can read one page by itself."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What another method finds."""

    method: str
    """Its name."""
    title: str
    """The headline that it finds; empty if it finds no article."""
    words: int
    """Words of its body."""
    agreement: float | None
    """Share of words that its body has in common with ours (F1); None if one has none."""


def run_other_methods(
    url: str, tree: Tree, article: Article | None, seen: SeenArticle | None
) -> list[MethodResult]:
    """Return what the other methods find on the page, each by itself, and what it looks like."""
    page = SitePage(url=url, tree=tree)
    ours = words(article.body) if article else []
    found_by = {method: EXTRACTORS[method]([page])[0] for method in METHODS}
    if seen is not None:
        found_by["v-wrapper"] = seen.article(url, tree)
    results = []
    for method, found in found_by.items():
        theirs = words(found.body) if found else []
        agreement = token_f1(ours, theirs) if ours and theirs else None
        results.append(MethodResult(method, found.title if found else "", len(theirs), agreement))
    return results
