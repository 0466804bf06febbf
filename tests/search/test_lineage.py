from datetime import UTC, datetime, timedelta

from flong.search import Appearance, Relation, trace_lineage

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
BODY = " ".join(f"word{number}" for number in range(100))


def appearance(key, site, hours, body=BODY, published=None):
    return Appearance(
        key=key,
        site=site,
        body=body,
        first_seen=NOON + timedelta(hours=hours),
        published=None if published is None else NOON + timedelta(hours=published),
    )


def test_origin_is_the_earliest_published_even_if_fetched_later():
    agency = appearance(2, "agency.example", 5, published=-3)
    lineage = trace_lineage([appearance(1, "paper.example", 0), agency])
    assert [each.appearance.key for each in lineage] == [2, 1]
    assert [each.relation for each in lineage] == [Relation.FIRST, Relation.SYNDICATED]
    assert lineage[1].delay == timedelta(hours=3)


def test_appearance_is_never_later_than_first_fetch():
    assert appearance(1, "a", 1, published=9).time == NOON + timedelta(hours=1)


def test_copies_within_a_site_are_not_syndication():
    lineage = trace_lineage(
        [appearance(1, "a", 0), appearance(2, "b", 1), appearance(3, "a", 2), appearance(4, "b", 3)]
    )
    assert [each.relation for each in lineage] == [
        Relation.FIRST,
        Relation.SYNDICATED,
        Relation.REPEATED,
        Relation.REPEATED,
    ]


def test_copied_fraction_of_a_text():
    own = " ".join(f"own{number}" for number in range(98))
    (first, second) = trace_lineage(
        [appearance(1, "a", 0), appearance(2, "b", 1, body=f"{BODY} {own}")]
    )
    assert first.copied == 1.0
    assert second.copied == 98 / 196


def test_empty_story_has_no_lineage():
    assert trace_lineage([]) == []
