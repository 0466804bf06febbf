"""Full-text search: index terms, queries, stories, summaries, suggestions. Pure functions."""

from flong.search.feeds import FEED_FORMATS, Entry, Feed
from flong.search.index_entries import (
    MARKS,
    STEPS,
    EntryMaker,
    IndexedWords,
    IndexEntry,
    marked_entry,
    marked_terms,
    placed_entry,
)
from flong.search.lineage import Appearance, Descent, Relation, trace_lineage
from flong.search.marking import mark_terms
from flong.search.phrases import stands_in
from flong.search.query import Condition, Field, Query, Ranking, parse_query
from flong.search.stories import Membership, Signatures, assign, containment, signature
from flong.search.suggestions import complete, correct, unfinished_word
from flong.search.summaries import Excerpt, summarise
from flong.search.terms import FOLDING, PAIRED, Phrase, index_terms, phrase_of

__all__ = [
    "FEED_FORMATS",
    "FOLDING",
    "MARKS",
    "PAIRED",
    "STEPS",
    "Appearance",
    "Condition",
    "Descent",
    "Entry",
    "EntryMaker",
    "Excerpt",
    "Feed",
    "Field",
    "IndexEntry",
    "IndexedWords",
    "Membership",
    "Phrase",
    "Query",
    "Ranking",
    "Relation",
    "Signatures",
    "assign",
    "complete",
    "containment",
    "correct",
    "index_terms",
    "mark_terms",
    "marked_entry",
    "marked_terms",
    "parse_query",
    "phrase_of",
    "placed_entry",
    "signature",
    "stands_in",
    "summarise",
    "trace_lineage",
    "unfinished_word",
]
