"""The choice between two articles of one page."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from flong.article import Article
from flong.decision import Decision
from flong.stages.article_merge import has_changed, merge, merge_other_text, why_keep
from flong.states import KeepReason
from flong.storage import StoredState

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LONG = "\n".join(f"Line {n} of a long story about rain." for n in range(20))
FAULTS = " ".join(f"fault-{n}" for n in range(60))
OLD = Article(url="", title="Rain", body=LONG, method="pattern", confidence=0.9)


def stored(article=OLD):
    return StoredState(
        article=article,
        article_hash="old",
        is_retired=False,
        content_hash="old",
        model_version=1,
        pattern_id=1,
        before_pattern_id=None,
        verdict="article",
        created_at=NOON,
        changed_at=NOON,
        created_run_id=1,
    )


def decided(article, **changes):
    row = Decision(
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
    ("new", "kept"),
    [
        (OLD, KeepReason.NONE),
        (None, KeepReason.NOTHING),
        (replace(OLD, body=LONG[:100]), KeepReason.PART),
        (replace(OLD, body="Who wrote this story about rain."), KeepReason.SHORTER),
        (replace(OLD, title="Snow", body="Another and much shorter text."), KeepReason.OTHER_TEXT),
        (replace(OLD, title="Fault", body=f"{LONG[:60]} {FAULTS}"), KeepReason.OTHER_TEXT),
        (replace(OLD, body=LONG.replace("rain", "snow")), KeepReason.NONE),
        (replace(OLD, body=f"{LONG}\nOne more line."), KeepReason.NONE),
    ],
)
def test_article_is_replaced_only_by_an_equal_or_better_one(new, kept):
    assert why_keep(stored(), decided(new)) is kept


@pytest.mark.parametrize(
    ("body", "digest", "kept"),
    [
        (f"{LONG}\nOne line more.", "new", KeepReason.NONE),
        (f"{LONG}\nOne line more.", "old", KeepReason.WORSE),
        ("Something went wrong.\nShare", "new", KeepReason.NOTHING),
    ],
)
def test_result_without_a_pattern_can_only_be_an_edit(body, digest, kept):
    found = replace(OLD, body=body, method="fallback", confidence=0.5)
    assert why_keep(stored(), decided(found, content_hash=digest)) is kept


@pytest.mark.parametrize("fit", ["strict", "bounded", "none"])
@pytest.mark.parametrize("digest", ["old", "new"])
@pytest.mark.parametrize("version", [1, 2])
def test_new_model_rejudges_only_the_source_document(fit, digest, version):
    given = decided(None, fit=fit, content_hash=digest, model_version=version)
    judged_anew = (fit, digest, version) == ("strict", "old", 2)
    assert (why_keep(stored(), given) is KeepReason.NONE) == judged_anew


def test_last_seen_document_is_not_the_source_document():
    """An error page that was kept out does not become the page that is judged anew."""
    seen = replace(stored(), content_hash="error page")
    assert why_keep(seen, decided(None, content_hash="error page")) is KeepReason.NOTHING


def test_uncertain_article_can_be_replaced_by_a_better_one():
    unsure = replace(OLD, method="consensus", confidence=0.4)
    assert why_keep(stored(unsure), decided(None)) is KeepReason.NOTHING
    assert why_keep(stored(unsure), decided(replace(OLD, body=LONG[:100]))) is KeepReason.NONE
    assert why_keep(stored(None), decided(OLD)) is KeepReason.NONE


def test_different_text_is_accepted_on_request_as_a_version():
    other = decided(replace(OLD, title="Snow", body="Another and much shorter text."))
    assert merge(other, stored(), NOON)[0].kept is KeepReason.OTHER_TEXT
    taken, version = merge_other_text(other, stored(), NOON)
    assert taken.kept is KeepReason.NONE
    assert (version.body, version.content_hash) == (LONG, "old")


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
def test_edit_is_distinguished_from_a_different_extraction(title, body, version, edited):
    new = decided(replace(OLD, title=title, body=body), model_version=version)
    assert has_changed(stored(), new) == edited
