"""ne-patterns: what the pages of a template have in common, found, matched and read."""

from patterns.choose import Choice, Chooser, Refusal, choose
from patterns.cluster import Learned, compose_cluster
from patterns.compose import compose
from patterns.explain import Explanation, FieldSource, explain
from patterns.headlines import Anchor
from patterns.labelled import LabelledPattern
from patterns.labels import Labels
from patterns.learning import ClusterOfPages, learn_site
from patterns.match import TOLERANCE, Match, match, match_bounded
from patterns.model import Examined, Extraction, SiteModel
from patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, Pattern, pattern_of
from patterns.places import Place, vertex_at
from patterns.text import read_json, read_text, write_json, write_text
from trees import SitePage

__all__ = [
    "KLEENE",
    "OPTION",
    "PLAIN",
    "PLUS",
    "SINGLE",
    "TOLERANCE",
    "Anchor",
    "Choice",
    "Chooser",
    "ClusterOfPages",
    "Examined",
    "Explanation",
    "Extraction",
    "FieldSource",
    "LabelledPattern",
    "Labels",
    "Learned",
    "Match",
    "Pattern",
    "Place",
    "Refusal",
    "SiteModel",
    "SitePage",
    "choose",
    "compose",
    "compose_cluster",
    "explain",
    "learn_site",
    "match",
    "match_bounded",
    "pattern_of",
    "read_json",
    "read_text",
    "vertex_at",
    "write_json",
    "write_text",
]
