"""The numbers that labelling and judging go by: one frozen object, each with its name and reason.

`python -m benchmarks.ablation` says what each is worth: how many articles are lost without its
rule, or with another number.
"""

from dataclasses import dataclass, field
from typing import Any


def _number(value: float, why: str, off: float | None = None) -> Any:
    """Return a field with its default, its reason, and the number that switches its rule off.

    A number without that last one is a word of measure, which several rules use.
    """
    return field(default=value, metadata={"why": why, "off": off})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What counts as many, alike, certain and so on. Shares are from 0 to 1."""

    # words of measure
    several: int = _number(3, "So many of anything are no coincidence.")
    seldom: float = _number(0.05, "A share below which something is an exception.")
    habit: float = _number(0.1, "A share of a site's pages that makes something a habit of it.")
    part: float = _number(0.2, "A share that counts, small as it is.")
    third: float = _number(0.3, "A share that is too large for an exception.")
    majority: float = _number(0.5, "A half.")
    mostly: float = _number(0.6, "A share from which on something is mostly of a kind.")
    largely: float = _number(0.75, "A share that leaves some exceptions.")
    nearly_all: float = _number(
        0.9, "A share that leaves only exceptions, a likeness that leaves no doubt."
    )
    common: float = _number(
        0.02, "Share of a site's pages from which on a text belongs to none of them.", 9.0
    )

    label_words: int = _number(5, "So few words are a label, and no sentence.")
    line_words: int = _number(12, "With fewer words it is a line.")
    note_words: int = _number(40, "With fewer words it is a note.")

    # the title of one page: points for a text
    by_links: float = _number(0.7, "Points if links that lead here say it.", 0.0)
    in_heading: float = _number(0.25, "Points for a heading.", 0.0)
    above_text: float = _number(0.15, "Points if it stands above the longest text.", 0.0)
    repeated_title: float = _number(0.4, "Points against what many pages have.", 0.0)
    linked_title: float = _number(0.1, "Points against a link.", 0.0)
    certain_title: float = _number(0.8, "Points from which on it is certainly the title.", 9.0)

    # elections
    few_votes: float = _number(
        0.5, "Of one page alone what is usual on the site may be worse by so much.", 0.0
    )

    # what is left out of a body
    box_pages: float = _number(0.15, "Share of the pages that must have a box.", 0.0)
    most_of_text: float = _number(
        0.4, "A box with a larger share of the text stays: a list may be all there is.", 9.0
    )
    closing_depth: int = _number(3, "Paragraphs at the end of a body that are looked at.", 0)
    closing_alike: float = _number(
        0.7, "Words in common, in the same order, of two wordings of one paragraph.", 1.0
    )

    # article or not: when evidence is seen
    per_teaser: int = _number(250, "In a list there are fewer words to a linked heading.", 0)
    long_words: int = _number(150, "From so many words on it is a long text.", 10**6)
    paragraph: int = _number(20, "A paragraph with so many words is prose.", 10**6)

    # article or not: what a pattern says
    most_points: float = _number(3.0, "Points that a pattern can give or take.", 0.0)
    least_weight: float = _number(
        0.3, "What weak signs count for where all pages of a pattern are of one kind.", 1.0
    )
    prior_pages: float = _number(3.0, "What a cluster says counts as so many pages.", 0.01)

    # bylines and dates: what speaks for a place
    by_markup: float = _number(0.6, "A byline whose markup speaks of an author.", 0.0)
    by_word: float = _number(0.5, "A line that begins with `by` in some language.", 0.0)
    by_label: float = _number(0.35, "A name after or before what other bylines share.", 0.0)
    by_capitals: float = _number(0.25, "Words that all begin with capitals.", 0.0)
    recurring_names: float = _number(0.3, "Names that recur on other pages, all of them.", 0.0)
    any_date: float = _number(0.5, "A date where the metadata has none.", 0.0)

    # standfirst, section and tags: what speaks for a place
    standfirst_longest: int = _number(80, "With more words it is the text.", 10**6)
    standfirst_named: float = _number(0.8, "Class names speak of a standfirst.", 0.0)
    standfirst_unnamed: float = _number(0.5, "They do not, but it is above the text.", 0.0)
    section_in_menu: float = _number(0.6, "A menu of the site has the same text.", 0.0)
    section_named: float = _number(0.35, "None has, but class names speak of a section.", 0.0)


THRESHOLDS = Thresholds()
"""The numbers in use."""
