"""ne-patterns: compose, match, label and read the pages of one template."""

from flong.page import Anchor
from flong.patterns.article_classifier import learn_prior
from flong.patterns.article_evidence import EVIDENCE
from flong.patterns.cluster_patterns import ClusterPattern, compose_cluster
from flong.patterns.compose import compose
from flong.patterns.corrected_model import correct_model, is_met, read_correction
from flong.patterns.corrections import Correction, choose_selector
from flong.patterns.dates import Moment, parse_date
from flong.patterns.explain import Explanation, explain
from flong.patterns.fields import fill_article, with_language
from flong.patterns.label_voting import TABLES
from flong.patterns.labels import Labels
from flong.patterns.learn import ClusterOfPages, learn_site
from flong.patterns.match import Match, match, match_bounded
from flong.patterns.model import PARTLY, Examined, ExtractionModel, LabelledPattern, fit_of
from flong.patterns.model_json import (
    read_json,
    read_model,
    read_selector,
    write_json,
    write_model,
    write_selector,
)
from flong.patterns.page_titles import learn_conventions
from flong.patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, Pattern, pattern_of
from flong.patterns.pattern_choice import Chooser, choose
from flong.patterns.pattern_text import read_text, write_text
from flong.patterns.reis import PublishedPatterns, learn_as_published, raw_tree
from flong.patterns.selectors import Selector, vertex_at, xpath_of
from flong.patterns.single_page import read_single_page
from flong.patterns.thresholds import THRESHOLDS, Thresholds

__all__ = [
    "EVIDENCE",
    "KLEENE",
    "OPTION",
    "PARTLY",
    "PLAIN",
    "PLUS",
    "SINGLE",
    "TABLES",
    "THRESHOLDS",
    "Anchor",
    "Chooser",
    "ClusterOfPages",
    "ClusterPattern",
    "Correction",
    "Examined",
    "Explanation",
    "ExtractionModel",
    "LabelledPattern",
    "Labels",
    "Match",
    "Moment",
    "Pattern",
    "PublishedPatterns",
    "Selector",
    "Thresholds",
    "choose",
    "choose_selector",
    "compose",
    "compose_cluster",
    "correct_model",
    "explain",
    "fill_article",
    "fit_of",
    "is_met",
    "learn_as_published",
    "learn_conventions",
    "learn_prior",
    "learn_site",
    "match",
    "match_bounded",
    "parse_date",
    "pattern_of",
    "raw_tree",
    "read_correction",
    "read_json",
    "read_model",
    "read_selector",
    "read_single_page",
    "read_text",
    "vertex_at",
    "with_language",
    "write_json",
    "write_model",
    "write_selector",
    "write_text",
    "xpath_of",
]
