"""A new decision about a page beside what is stored of it: what is kept, what becomes history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, select

from items import Article
from storage import tables
from storage.columns import now
from storage.database import Values
from storage.extractions import ExtractionRow
from storage.keeping import Standing, changes, has_changed, why_keep

KEPT = "The earlier article is kept"
"""How the reason of a decision begins that changed nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What is to be written for one page."""

    row: ExtractionRow
    """The decision."""
    kept: bool
    """Whether the article that is stored stays as it is."""
    created_at: datetime
    """When the article was first found."""
    changed_at: datetime
    """When it last changed."""
    version: tuple[Values, ...] = ()
    """The article that is replaced by an edited one, if any."""


def standing_articles(connection: Connection, numbers: Sequence[int]) -> Mapping[int, Standing]:
    """Return what is stored of these pages, by number."""
    matches, articles = tables.matches, tables.articles
    query = (
        select(
            matches.c.page_id,
            matches.c.content_hash,
            matches.c.model_version,
            matches.c.pattern_id,
            matches.c.before_pattern_id,
            matches.c.verdict,
            articles.c.title,
            articles.c.body,
            articles.c.method,
            articles.c.confidence,
            articles.c.created_at,
            articles.c.changed_at,
        )
        .outerjoin_from(matches, articles, matches.c.page_id == articles.c.page_id)
        .where(matches.c.page_id.in_(numbers))
    )
    return {
        row.page_id: Standing(
            article=None
            if row.title is None
            else Article(
                url="",
                title=row.title,
                body=row.body,
                method=row.method,
                confidence=row.confidence,
            ),
            content_hash=row.content_hash,
            model_version=row.model_version,
            pattern_id=row.pattern_id,
            before_pattern_id=row.before_pattern_id,
            verdict=row.verdict,
            created_at=row.created_at,
            changed_at=row.changed_at,
        )
        for row in connection.execute(query)
    }


def settle(row: ExtractionRow, old: Standing | None, keep_better: bool) -> Settled:
    """Return what becomes of a decision where there was an earlier one, or none."""
    time = now()
    if old is None:
        return Settled(row=row, kept=False, created_at=time, changed_at=time)
    same_page = old.content_hash == row.content_hash
    before = old.before_pattern_id if same_page else old.pattern_id
    row = replace(row, before_pattern_id=before)
    created, changed = old.created_at or time, old.changed_at or time
    reason = why_keep(old, row) if keep_better else ""
    if reason:
        row = replace(row, verdict="article", reason=f"{KEPT}: {reason}.")
        return Settled(row=row, kept=True, created_at=created, changed_at=changed)
    row = replace(row, reason=row.reason + _turn(old, row, same_page=same_page))
    if not has_changed(old, row):
        return Settled(row=row, kept=False, created_at=created, changed_at=changed)
    version = _version(row, old, changed, time)
    return Settled(row=row, kept=False, created_at=created, changed_at=time, version=(version,))


def _turn(old: Standing, new: ExtractionRow, *, same_page: bool) -> str:
    """Return what to add to a reason if it was decided otherwise before: that, and why anew."""
    if (old.verdict == "article") == (new.verdict == "article"):
        return ""
    before = "an article" if old.verdict == "article" else "no article"
    why = "the site was learned again" if same_page else "the page has changed"
    return f" It was {before} until {why}."


def _version(row: ExtractionRow, old: Standing, since: datetime, until: datetime) -> Values:
    before, after = old.article, row.article
    if before is None or after is None:
        raise ValueError("an article that was edited was there before and is there now")
    return {
        "page_id": row.page_id,
        "title": before.title,
        "seen_from": since,
        "seen_until": until,
        "changes": changes(before, after),
        "body": before.body,
    }
