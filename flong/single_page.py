"""A page of which nothing else is known, with the fields that its head and text give."""

from dataclasses import replace
from datetime import datetime

from flong.article import Article
from flong.baselines import read_lone_page
from flong.patterns import ExtractionModel, fill_article, learn_conventions, with_language
from flong.tree import SitePage

_NOTHING_LEARNED = ExtractionModel(conventions=learn_conventions({}, {}), patterns=())
_OWN = ("title", "body")
"""Fields that the method for lone pages reads itself."""


def read_alone(page: SitePage, now: datetime) -> Article | None:
    """Return the article of a page without its site; None if it has no text.

    Dates after `now` are not believed.
    """
    article = read_lone_page(page)
    if article is None:
        return None
    fields = _NOTHING_LEARNED.examine(page, now=now, fallback=lambda tree: ()).fields
    fields = with_language(fields, article.body)
    said = [reason for reason in fields.provenance if reason.field not in _OWN]
    return replace(fill_article(article, fields), provenance=(*article.provenance, *said))
