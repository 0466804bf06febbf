"""Which of two articles of one page is kept."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from items import Article
from storage import ExtractionRow
from storage.keeping import NONE_LEFT, OTHER_TEXT, PART_LEFT, Standing, has_changed, why_keep

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LONG = "\n".join(f"Line {n} of a long story about rain." for n in range(20))
OLD = Article(url="", title="Rain", body=LONG, method="pattern", confidence=0.9)


def standing(article=OLD):
    return Standing(
        article=article,
        content_hash="old",
        model_version=1,
        pattern_id=1,
        before_pattern_id=None,
        verdict="article",
        created_at=NOON,
        changed_at=NOON,
    )


def decided(article, **changes):
    row = ExtractionRow(
        page_id=1,
        content_hash="new",
        model_version=2,
        verdict="article" if article else "other",
        fit="strict",
        pattern_id=2,
        article=article,
    )
    return replace(row, **changes)


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (OLD, ""),
        (None, NONE_LEFT),
        (replace(OLD, body=LONG[:100]), PART_LEFT),
        (replace(OLD, body="Who wrote this, and what else she likes."), OTHER_TEXT),
        (replace(OLD, title="Snow", body="Another and much shorter story of today."), ""),
        (replace(OLD, body=LONG.replace("rain", "snow")), ""),
        (replace(OLD, body=f"{LONG}\nOne more line."), ""),
    ],
)
def test_an_article_gives_way_only_to_one_that_is_no_less(new, reason):
    assert why_keep(standing(), decided(new)) == reason


def test_a_page_that_is_judged_anew_by_the_same_pattern_may_cease_to_be_an_article():
    assert why_keep(standing(), decided(None, pattern_id=1)) == ""


def test_an_article_that_nobody_was_sure_of_is_not_defended():
    unsure = replace(OLD, method="consensus", confidence=0.4)
    assert why_keep(standing(unsure), decided(None)) == ""
    assert why_keep(standing(None), decided(OLD)) == ""


@pytest.mark.parametrize(
    ("title", "body", "version", "edited"),
    [
        ("Rain", LONG, 1, False),
        ("Rain", f"{LONG}\nOne line more.", 1, True),
        ("Rain", f"{LONG}\nOne line more.", 2, False),  # the new patterns may read it otherwise
        ("Snow", LONG, 2, True),
        ("Rain", LONG.replace("rain", "snow and wind"), 2, True),
    ],
)
def test_an_edit_that_another_pattern_reads_is_told_from_another_reading(
    title, body, version, edited
):
    new = decided(replace(OLD, title=title, body=body), model_version=version)
    assert has_changed(standing(), new) == edited
