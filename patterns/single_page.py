"""Fields of a page of an unknown site, and the probability that it is an article."""

from collections.abc import Sequence
from datetime import datetime
from math import exp

from flong.patterns.article_classifier import judge
from flong.patterns.article_evidence import weigh
from flong.patterns.article_features import SiteContext, extract_features
from flong.patterns.authors import find_byline
from flong.patterns.field_elections import BylineSample
from flong.patterns.fields import Fields, Imprint, PageEvidence, read_fields, read_imprint
from flong.patterns.labels import LabelledPage, Labels, with_title
from flong.patterns.metadata import metadata_of
from flong.patterns.page_titles import learn_conventions
from flong.patterns.thresholds import THRESHOLDS
from flong.text import fold_text
from flong.tree import SitePage

_NO_CONVENTIONS = learn_conventions({}, {})
_NO_SITE = SiteContext()


def read_single_page(
    page: SitePage, headline: int, body: Sequence[int], now: datetime
) -> tuple[Fields, float]:
    """Return the fields of a page, and the probability that it is an article.

    `headline` is the text leaf of its title, or -1, and `body` those of its text. Dates after `now`
    are ignored.
    """
    tree, labels = page.tree, Labels()
    page_names = _NO_CONVENTIONS.name_page(tree.head, ())
    labelled = LabelledPage(title=headline, container=-1, body=[*body], instances=0)
    source = PageEvidence(
        url=page.url,
        tree=tree,
        labelled=labelled if headline >= 0 else with_title(labelled, tree, labels, page_names),
        labels=labels,
        page_names=page_names,
        metadata=metadata_of(tree),
        now=now,
    )
    imprint = _with_byline(source, read_imprint(source))
    features = extract_features(source, imprint, _NO_SITE)
    points = judge(weigh(features, _NO_SITE.norms)).score - THRESHOLDS.enough
    return read_fields(source, imprint), 1 / (1 + exp(-points))


def _with_byline(source: PageEvidence, imprint: Imprint) -> Imprint:
    """Add the authors in the byline if the metadata name no author, or only the publisher."""
    publishers = {fold_text(one.value) for one in source.metadata.publisher}
    if not publishers.issuperset(map(fold_text, imprint.authors)):
        return imprint
    names, vertex = find_byline(BylineSample(source.tree, source.labelled, None, None, ()))
    return imprint._replace(authors=names, signed=vertex) if names else imprint
