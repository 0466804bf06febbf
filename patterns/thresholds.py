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
    majority: float = _number(0.5, "A half.")
    mostly: float = _number(0.6, "A share from which on something is mostly of a kind.")
    nearly_all: float = _number(
        0.9, "A share that leaves only exceptions, a likeness that leaves no doubt."
    )
    common: float = _number(
        0.02, "Share of a site's pages from which on a text belongs to none of them.", 9.0
    )

    # the title of one page: points for a text
    exact_head: float = _number(0.2, "Points if it is the head title to the letter.", 0.0)
    by_links: float = _number(0.7, "Points if links that lead here say it.", 0.0)
    in_h1: float = _number(0.25, "Points for a first heading.", 0.0)
    in_h2: float = _number(0.15, "Points for a second heading.", 0.0)
    in_h3: float = _number(0.05, "Points for a third heading.", 0.0)
    above_text: float = _number(0.15, "Points if it stands above the longest text.", 0.0)
    repeated_title: float = _number(0.4, "Points against what many pages have.", 0.0)
    linked_title: float = _number(0.1, "Points against a link.", 0.0)
    certain_title: float = _number(0.8, "Points from which on it is certainly the title.", 9.0)
    all_linked: float = _number(0.8, "Share of a line in links from which on it is a link.")
    named_by_links: float = _number(
        0.3, "Likeness to links that lead here at which a certain label is believed.", 9.0
    )

    # elections
    nominated: float = _number(0.3, "Share of the pages that must propose a selector.", 0.0)
    as_good: float = _number(0.03, "Scores that differ by no more are equally good.", 0.0)
    few_votes: float = _number(
        0.5, "Of one page alone what is usual on the site may be worse by so much.", 0.0
    )
    further: float = _number(
        0.2,
        "Share of a pattern's pages below whose article a further one is known by its headline.",
        9.0,
    )
    opening: float = _number(
        0.2, "Share of a text that may stand above the headline which begins it.", 9.0
    )
    article_words: int = _number(60, "Words outside links that a further article has at least.", 0)
    whole_page: float = _number(
        0.15,
        "By so much the whole page must be better than the best box in it: it has menus, too.",
        0.0,
    )
    most_teasers: float = _number(
        0.7, "Share of the text that may be teasers; a page with more is nothing else.", 1.0
    )
    earned: float = _number(
        0.3, "Agreement with the witnesses that a container needs to be used at all.", 0.0
    )
    trusted: float = _number(
        0.75, "Agreement from which on a container is believed on each of its pages.", 0.0
    )

    # what is left out of a body
    not_taken: float = _number(0.25, "A box of which the witnesses take less is left out.", 0.0)
    recurring: float = _number(0.35, "A box of which more recurs elsewhere is left out.", 9.0)
    recurring_times: float = _number(3.0, "Or so many times what is usual in the body.", 0.0)
    edge: float = _number(0.15, "Share of the text before or after which is its edge.", 0.0)
    edge_links: float = _number(
        0.3, "A short box at the edge with a larger share of links is left out.", 9.0
    )
    edge_words: int = _number(40, "Words of such a box at most.", 0)
    box_pages: float = _number(0.15, "Share of the pages that must have a box.", 0.0)
    most_of_text: float = _number(
        0.4, "A box with a larger share of the text stays: a list may be all there is.", 9.0
    )
    many_blocks: int = _number(
        5, "So many blocks of one name, spread over a text, are its lines or cells.", 10**6
    )
    closing_depth: int = _number(3, "Paragraphs at the end of a body that are looked at.", 0)
    closing_words: int = _number(6, "A shorter paragraph is too short to be known again.", 0)
    closing_alike: float = _number(
        0.7, "Words in common, in the same order, of two wordings of one paragraph.", 1.0
    )
    closing_pages: int = _number(4, "On fewer pages it is a coincidence.", 0)
    closing_share: float = _number(0.2, "Share of the articles that end with it.", 0.0)

    # article or not: when evidence is seen
    menu_links: int = _number(
        4, "So many pages must link here in the same words before that makes a menu.", 0
    )
    per_teaser: int = _number(250, "In a list there are fewer words to a linked heading.", 0)
    line_words: int = _number(15, "With fewer words it is a line.", 0)
    note_words: int = _number(40, "With fewer words it is a note.", 0)
    long_words: int = _number(150, "From so many words on it is a long text.", 10**6)
    line_longest: int = _number(12, "No paragraph has so many words: there are lines only.", 0)
    paragraph: int = _number(20, "A paragraph with so many words is prose.", 10**6)
    third_links: float = _number(0.35, "More of it in links speaks against an article.", 9.0)
    on_all_pages: float = _number(0.95, "What a larger share of pages has says nothing.", 9.0)
    usually_dated: float = _number(0.8, "Share of articles with a date that makes it usual.", 9.0)
    in_menus: float = _number(0.25, "Share of the pages that link here: a menu.", 9.0)
    in_every_menu: float = _number(0.75, "Share of the pages that link here: every menu.", 9.0)
    other_titles: float = _number(
        0.25, "Share of a body's lines that are titles of other pages: a list.", 9.0
    )

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
    proposed: float = _number(0.2, "Any line that could be names.", 0.0)
    recurring_names: float = _number(0.3, "Names that recur on other pages, all of them.", 0.0)
    marked_name: float = _number(0.05, "The name alone is in an element of its own.", 0.0)
    byline_enough: float = _number(0.4, "Mean evidence from which on a byline is believed.", 0.0)
    any_date: float = _number(0.5, "A date where the metadata has none.", 0.0)
    other_date: float = _number(0.2, "Another date than that of the metadata.", 0.0)

    # standfirst, section and tags: what speaks for a place
    standfirst_shortest: int = _number(5, "With fewer words it is a label.", 0)
    standfirst_longest: int = _number(80, "With more words it is the text.", 10**6)
    own_standfirst: float = _number(
        0.7, "Share of the pages with a standfirst that have one of their own.", 0.0
    )
    same_standfirst: float = _number(
        0.8, "Words in common with what the head says from which on it is the same.", 9.0
    )
    standfirst_named: float = _number(0.8, "Class names speak of a standfirst.", 0.0)
    standfirst_unnamed: float = _number(0.5, "They do not, but it is above the text.", 0.0)
    other_standfirst: float = _number(0.2, "They do, but the head says another one.", 0.0)
    section_words: int = _number(5, "Words of the longest name of a section.", 10**6)
    section_in_menu: float = _number(0.6, "A menu of the site has the same text.", 0.0)
    section_named: float = _number(0.35, "None has, but class names speak of a section.", 0.0)
    tags_words: int = _number(60, "Words of the longest list of tags.", 10**6)


THRESHOLDS = Thresholds()
"""The numbers in use."""
