"""ne-patterns: what the pages of a template have in common, found, matched and read."""

from patterns.choose import Choice, Refusal, choose
from patterns.cluster import Learned, compose_cluster
from patterns.compose import compose
from patterns.match import TOLERANCE, Match, match, match_bounded
from patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, Pattern, pattern_of
from patterns.text import read_json, read_text, write_json, write_text

__all__ = [
    "KLEENE",
    "OPTION",
    "PLAIN",
    "PLUS",
    "SINGLE",
    "TOLERANCE",
    "Choice",
    "Learned",
    "Match",
    "Pattern",
    "Refusal",
    "choose",
    "compose",
    "compose_cluster",
    "match",
    "match_bounded",
    "pattern_of",
    "read_json",
    "read_text",
    "write_json",
    "write_text",
]
