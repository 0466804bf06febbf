"""Finding articles: index terms, queries, stories, summaries, suggestions. Pure functions."""

from search.feeds import FEED_FORMATS, Entry, Feed
from search.index_entries import (
    MARKS,
    STEPS,
    EntryMaker,
    IndexedWords,
    IndexEntry,
    marked_entry,
    marked_terms,
    placed_entry,
)
from search.lineage import Appearance, Descent, Relation, trace_lineage
from search.marking import Piece, mark_terms
from search.phrases import stands_in
from search.query import Condition, Field, Query, parse_query
from search.ranking import Ranking
from search.stories import Membership, Signatures, assign, containment, signature
from search.suggestions import complete, correct, unfinished_word
from search.summaries import Excerpt, summarise
from search.terms import FOLDING, PAIRED, Phrase, index_terms, phrase_of

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
    "Piece",
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
