"""Stored states and findings: each can be put into words, and is read back as it was stored."""

import json
from string import Formatter

import pytest

from flong.decision import Decision
from flong.findings import SENTENCES, Finding, sentence, shown
from flong.states import FAILED_OUTCOMES, FindingKind, KeepReason, Outcome, Verdict


def finding(kind):
    """Return a finding with all numbers that its sentence uses."""
    names = {name for _, name, _, _ in Formatter().parse(SENTENCES[kind]) if name}
    counts = dict.fromkeys(names - {"site", "subject", "detail", "program"}, 3)
    text = {"site": "news.example", "subject": "7", "detail": "It ended early."}
    return Finding(kind=kind, counts=counts, **text)


@pytest.mark.parametrize("kind", FindingKind)
def test_a_finding_of_every_kind_is_worded_and_comes_back_from_json(kind):
    found = finding(kind)
    assert sentence(found).endswith((".", "-a render=1", "articles --retired"))
    assert "{" not in sentence(found)
    assert Finding.from_json(json.loads(json.dumps(shown(found)))) == found


def test_a_finding_that_a_later_version_stored_is_read():
    stored = finding(FindingKind.WALL).to_json() | {"seen_by": "somebody"}
    assert Finding.from_json(stored) == finding(FindingKind.WALL)


def test_a_kind_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="comet"):
        Finding.from_json({"kind": "comet", "site": "news.example"})


def test_only_finished_work_and_weak_patterns_need_no_attention():
    quiet = {kind for kind in FindingKind if not kind.needs_attention}
    assert quiet >= {FindingKind.LEARNED, FindingKind.LEARN_GROWN, FindingKind.DRIFT_DATED}
    assert not quiet & {FindingKind.WALL, FindingKind.CRAWL_FAILED, FindingKind.PAYWALL}


@pytest.mark.parametrize("reason", KeepReason)
def test_kept_article_shows_its_reason_first(reason):
    words = Decision(verdict=Verdict.OTHER, reason="It has no text.", kept=reason).words
    assert words.endswith("It has no text.")
    assert words.startswith("The earlier article is kept: ") == (reason is not KeepReason.NONE)


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_is_counted_in_one_column_of_a_run(outcome):
    assert outcome.counted_as in {"new", "changed", "unchanged", "gone", "failed"}
    assert (outcome.counted_as == "failed") == (outcome in FAILED_OUTCOMES)
