"""Thresholds of the rules for patterns, labels and articles, one per rule.

The points of elections are in their tables (`flong.patterns.election`). `docs/thresholds.md` is
generated from both (`python -m benchmarks.ablation --docs`); `python -m benchmarks.ablation`
measures the worth of each rule by switching it off.
"""

from dataclasses import dataclass, field
from typing import TypeVar

Number = TypeVar("Number", int, float)


def _number(value: Number, meaning: str, off: float) -> Number:
    """Return a field with its default, its meaning, and the value that switches its rule off."""
    return field(default=value, metadata={"meaning": meaning, "off": off})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Thresholds of all rules. Fractions and scores are from 0 to 1."""

    # patterns of a cluster
    free_pages: int = _number(3, "Pages composed into a pattern before a page can be refused.", 1)
    constant_loss: float = _number(
        0.1, "Maximum fraction of a pattern's constants that one more page may destroy.", 1.0
    )
    container_loss: float = _number(
        0.5,
        "Maximum fraction of the changing text in a container that one more page destroys.",
        1.0,
    )
    bounded_match: float = _number(
        0.2, "Maximum fraction of the vertices of pattern and page that a match leaves over.", 0.0
    )

    # texts that pages share
    least_repeats: int = _number(
        3, "Minimum number of pages that share a text, name or place before it counts as shared.", 2
    )
    repeated_text: float = _number(
        0.02, "Minimum fraction of a site's pages with a text that identifies no page.", 9.0
    )
    boilerplate: float = _number(
        0.5, "Fraction of a site's pages with a text above which it is no body.", 9.0
    )
    constant_pages: float = _number(
        0.5, "Minimum fraction of a cluster's pages with a text that is constant there.", 9.0
    )
    convention: float = _number(
        0.1, "Minimum fraction of a site's head titles with a prefix or suffix that it adds.", 9.0
    )
    shared_image: float = _number(
        0.1, "Minimum fraction of a pattern's pages with a picture that is not a lead image.", 9.0
    )
    closing_pages: float = _number(
        0.2, "Minimum fraction of a site's bodies that end with a paragraph that is no body.", 9.0
    )
    closing_depth: int = _number(3, "Number of last paragraphs compared between bodies.", 0)
    closing_words: int = _number(5, "Minimum words of a closing paragraph.", 0)
    closing_alike: float = _number(
        0.7, "Minimum similarity, in words, of two wordings of one closing paragraph.", 1.0
    )

    # lengths, in words
    line_words: int = _number(12, "Words below which a text is a line, not a paragraph.", 0)
    note_words: int = _number(40, "Words below which a text is a note, not an article.", 0)
    long_words: int = _number(150, "Minimum words of a long body.", 10**6)
    paragraph: int = _number(20, "Minimum words of a paragraph of prose.", 10**6)
    headline_words: int = _number(4, "Minimum words of a headline; menu entries have fewer.", 0)
    title_words: int = _number(3, "Minimum words of a title that identifies a page.", 0)
    longest_title: int = _number(60, "Maximum words of a title.", 10**6)
    teaser_words: int = _number(80, "Maximum words of a teaser.", 10**6)
    byline_words: int = _number(30, "Maximum words of a line with a date or a byline.", 10**6)

    # links
    linked_text: float = _number(
        0.3, "Fraction of words in links above which they count against a body.", 9.0
    )
    mostly_links: float = _number(
        0.6, "Fraction of words in links above which a short body is a list of links.", 9.0
    )
    linked_headline: float = _number(
        0.75, "Minimum fraction of a title's words in links that makes it a teaser's.", 9.0
    )
    linked_heading: float = _number(
        0.8, "Minimum fraction of a heading's words in links that makes it a teaser's.", 9.0
    )
    least_teasers: int = _number(3, "Minimum number of teasers in a list of teasers.", 1)
    per_teaser: int = _number(
        250, "Words of a body per linked heading below which it is a list.", 0
    )

    # the title of one page
    certain_title: float = _number(0.8, "Minimum points of a certain title.", 9.0)
    title_candidates: int = _number(3, "Maximum number of title candidates per page.", 1)
    title_floor: float = _number(
        0.5, "Minimum points of a title candidate, as a fraction of the page's best.", 0.0
    )
    title_elsewhere: float = _number(
        0.5, "Points, as a fraction of the page's best, below which its title is elsewhere.", 0.0
    )
    divided_titles: float = _number(
        0.1, "Minimum fraction of a pattern's pages with the title elsewhere that divides it.", 9.0
    )
    anchor_beginning: int = _number(
        12, "Minimum characters of a title that begins a longer anchor text.", 10**6
    )
    same_title: float = _number(0.9, "Minimum similarity of two wordings of one title.", 1.0)
    like_head: float = _number(
        0.5, "Minimum similarity to the head title that confirms a labelled title.", 0.0
    )
    like_anchor: float = _number(
        0.3, "Minimum similarity to an anchor text that confirms a certain title.", 0.0
    )

    # elections
    candidate_pages: float = _number(
        0.3, "Minimum fraction of voting pages that must propose a candidate.", 0.0
    )
    least_score: float = _number(0.3, "Minimum mean score of an elected place.", 0.0)
    near_tie: float = _number(0.05, "Maximum difference of two scores that counts as a tie.", 0.0)
    few_votes: float = _number(
        0.5, "Tolerance for the site's usual place if a single page votes; divided by pages.", 0.0
    )
    usual_body: float = _number(
        0.5, "Minimum fraction of a group's pages with a body where main articles have it.", 9.0
    )
    role_pages: float = _number(
        0.5, "Minimum fraction of a group's pages with a field at a vertex of the pattern.", 9.0
    )
    corrected_pages: float = _number(
        0.5, "Fraction of a group's pages above which a correction of another page applies.", 9.0
    )
    usual_byline: float = _number(
        0.6, "Minimum fraction of a group's pages with the site's usual date or byline.", 9.0
    )
    same_author: float = _number(
        0.95, "Fraction of a group's pages that state one author, who is the publisher.", 9.0
    )
    least_same: int = _number(10, "Minimum number of pages that state this author.", 9999)
    plainer_selector: float = _number(
        0.9, "Minimum pages that a plainer selector finds, as a fraction of the best's.", 1.0
    )

    # the container of the body
    container_text: float = _number(
        0.5, "Minimum fraction of the baselines' words in a candidate container.", 0.0
    )
    large_box: float = _number(
        0.6, "Minimum fraction of the words in a box that rules out the whole page.", 9.0
    )
    mostly_teasers: float = _number(
        0.75, "Maximum fraction of a page in teasers that are hidden from the baselines.", 0.0
    )
    trusted_container: float = _number(
        0.75, "Minimum score of a container that is not compared with the baselines.", 0.0
    )
    least_left: float = _number(
        0.05, "Minimum fraction of a container's words in a body that is not compared.", 0.0
    )
    baseline_agreement: float = _number(
        0.5, "Minimum F1 of a doubtful body's words and the baselines'.", 0.0
    )
    second_titles: float = _number(
        0.2, "Minimum fraction of pages with a title of another page that begins a text.", 9.0
    )
    second_headings: float = _number(
        0.6, "Minimum fraction of pages with a second heading if it has no name.", 9.0
    )
    text_before: float = _number(
        0.2, "Maximum words before a further article's heading, as a fraction of its text.", 0.0
    )
    second_words: int = _number(40, "Minimum words of a further article.", 0)

    # blocks excluded from the body
    box_pages: float = _number(0.15, "Minimum fraction of the pages with an excluded block.", 0.0)
    most_of_text: float = _number(0.4, "Maximum fraction of the text in an excluded block.", 9.0)
    recurring_box: float = _number(
        0.9, "Minimum fraction of a block's words on other pages that makes it recurring.", 9.0
    )
    untaken: float = _number(
        0.3, "Fraction of a block's words taken by baselines below which it is excluded.", 0.0
    )
    code: float = _number(0.5, "Minimum fraction of a block's words in program code.", 9.0)
    repeated_box: float = _number(
        0.5, "Fraction of a block's words on other pages above which it is excluded.", 9.0
    )
    repeated_excess: float = _number(
        3.0, "The same, as a multiple of the fraction in the whole container.", 0.0
    )
    link_box: float = _number(
        0.6, "Fraction of a block's words in links above which it is excluded.", 9.0
    )
    edge: float = _number(
        0.1, "Maximum distance of a block from the start or end, as a fraction of the text.", 0.0
    )
    edge_words: int = _number(40, "Words below which a block at the edge is short.", 0)
    edge_links: float = _number(
        0.3, "Fraction of words in links above which a short block at the edge is excluded.", 9.0
    )
    woven_blocks: int = _number(3, "Minimum number of blocks woven into a text.", 10**6)
    woven_span: float = _number(0.5, "Fraction of the text that woven blocks must span.", 9.0)
    woven_pages: float = _number(
        0.5, "Fraction of pages above which blocks that are woven in are body.", 9.0
    )
    trailing_links: float = _number(
        0.9, "Minimum fraction of the pages that end with links for these to be excluded.", 9.0
    )
    link_line: float = _number(
        0.6, "Minimum fraction of words in links of a last line that is excluded.", 9.0
    )

    # article or not: when evidence is seen
    menu: float = _number(0.3, "Minimum fraction of pages linking to an entry of a menu.", 9.0)
    every_menu: float = _number(
        0.75, "Minimum fraction of pages linking to an entry of every menu.", 9.0
    )
    linked_by_title: float = _number(
        0.3, "Minimum fraction of pages linking here by its title.", 9.0
    )
    often_linked: float = _number(
        0.1, "Minimum fraction of pages linking here by another name than the title.", 9.0
    )
    other_titles: float = _number(
        0.3, "Minimum fraction of a body's lines that are titles of other pages.", 9.0
    )
    unlike_head: float = _number(
        0.6, "Similarity of title and head title below which they differ.", 0.0
    )
    called_articles: float = _number(
        0.1, "Fraction of pages that are articles by metadata from which this means something.", 9.0
    )
    all_called_articles: float = _number(
        0.95, "Fraction of pages with `og:type` article from which it means nothing.", 9.0
    )
    linked_titles: float = _number(
        0.1, "Fraction of articles with a linked title from which this means nothing.", 0.0
    )
    newsless: float = _number(
        0.9, "Fraction of pages in directories without news from which these mean nothing.", 9.0
    )
    usually_dated: float = _number(
        0.75, "Fraction of dated articles above which a missing date counts.", 9.0
    )
    usually_signed: float = _number(
        0.9, "Fraction of signed articles above which a missing author counts.", 9.0
    )

    # article or not: the decision, in points (log-odds)
    enough: float = _number(1.5, "Minimum points of an article.", 0.0)
    most_points: float = _number(3.0, "Maximum points that a pattern gives or takes.", 0.0)
    least_weight: float = _number(
        0.3, "Minimum weight of weak evidence on patterns of one kind.", 1.0
    )
    mixed: float = _number(
        0.1, "Fraction of exceptions from which weak evidence has its full weight.", 0.01
    )
    prior_pages: float = _number(3.0, "Weight of a cluster's prior, in pages.", 0.01)
    articles_only: float = _number(
        0.9, "Minimum fraction of articles among the pages of an article pattern.", 9.0
    )
    articles_some: float = _number(
        0.05, "Fraction of articles above which a pattern is mixed.", 0.0
    )
    mostly_articles: float = _number(
        0.5, "Fraction of articles above which a pattern is preferred as the main one.", 0.0
    )
    era_articles: int = _number(
        15, "Minimum number of articles in an era: built alike, and unlike all others.", 9999
    )
    least_articles: int = _number(
        3, "Minimum number of articles from which labels or norms are learned.", 1
    )

    # bylines
    around_names: float = _number(
        0.75, "Minimum fraction of bylines that share the words around their names.", 9.0
    )

    # standfirst, section and tags
    standfirst_lines: int = _number(12, "Lines below the title searched for a standfirst.", 0)
    standfirst_words: int = _number(5, "Minimum words of a standfirst.", 0)
    longest_standfirst: int = _number(80, "Maximum words of a standfirst.", 10**6)
    standfirst_links: float = _number(
        0.5, "Maximum fraction of words in links in a standfirst.", 9.0
    )
    dated_line: int = _number(12, "Words up to which a line with a date is no standfirst.", 0)
    own_standfirst: float = _number(
        0.75, "Minimum fraction of standfirsts that differ from each other.", 0.0
    )
    like_description: float = _number(
        0.75, "Minimum F1 of the words of a standfirst and the head's description.", 0.0
    )
    section_words: int = _number(5, "Maximum words of the name of a section.", 10**6)
    tag_links: float = _number(0.5, "Minimum fraction of words in links in a list of tags.", 0.0)
    tag_words: int = _number(40, "Maximum words of a list of tags.", 10**6)
    first_tag: float = _number(0.5, "Score of a single tag; each further one halves the rest.", 1.0)

    # live blogs
    live_entries: int = _number(3, "Minimum number of entries of a live blog.", 10**6)
    live_text: float = _number(0.5, "Minimum fraction of a live blog's lines in entries.", 0.0)

    def shared_by(self, fraction: float, pages: int) -> float:
        """Return the number of pages from which a text is no page's own.

        A text that all of two pages share belongs to neither of them.
        """
        return max(min(self.least_repeats, max(2, pages)), fraction * pages)


THRESHOLDS = Thresholds()
"""The thresholds in use."""
