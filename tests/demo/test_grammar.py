import re
from itertools import islice

import pytest

from flong.demo import Portal
from flong.demo.grammar import dice
from flong.demo.newsroom import BEATS, SECTIONS, ordinal, section_of
from flong.demo.stories import entry, write

CAST = "lead second where there sum lead_last second_last".split()


@pytest.mark.parametrize(("section", "beat"), BEATS.values(), ids=BEATS)
def test_every_symbol_has_a_rule(section, beat):
    rules = {**section.language.rules, **beat.rules}
    texts = [*sum(rules.values(), ()), *sum(beat.angles, ())]
    used = {name for text in texts for name in re.findall(r"\{([a-z_]\w*)\}", text)}
    assert used <= rules.keys() | set(CAST)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.key)
def test_no_rule_is_recursive(section):
    """Otherwise expansion would not terminate."""
    for beat in section.beats:
        rules = {**section.language.rules, **beat.rules}
        for name in rules:
            reached: set[str] = set()
            waiting = [name]
            while waiting:
                texts = " ".join(rules.get(waiting.pop(), ()))
                fresh = set(re.findall(r"\{([a-z_]\w*)\}", texts)) - reached
                reached |= fresh
                waiting += fresh
            assert name not in reached


def test_sentences_are_finished_and_rarely_repeated():
    lines = [line for t in islice(Portal(seed=8).truth(), 120) for line in t.body.split("\n")]
    assert not [line for line in lines if re.search(r"[{}]|  |\ba [aeio]", line)]
    assert len(set(lines)) > 0.95 * len(lines)


def test_story_depends_only_on_its_number():
    when = next(Portal().truth()).published
    alone = write(entry(1, 33, when))
    write.cache_clear()
    for number in range(30, 34):
        again = write(entry(1, number, when))
    assert alone == again


def test_ordinals_count_the_stories_of_a_section():
    seen = dict.fromkeys((section.key for section in SECTIONS), 0)
    for number in range(200):
        key = section_of(number).key
        assert ordinal(number) == seen[key]
        seen[key] += 1


def test_dice_differ_by_key():
    assert len({dice(1, n).random() for n in range(100)}) == 100
