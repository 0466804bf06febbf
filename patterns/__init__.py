"""ne-patterns: what the pages of a template have in common, found, matched and read."""

from patterns.article_classifier import ENOUGH, learn_prior
from patterns.article_evidence import EVIDENCE
from patterns.article_features import ArticleFeatures, SiteNorms
from patterns.cluster_patterns import ClusterPattern, compose_cluster
from patterns.compose import compose
from patterns.corrected_model import correct_model, is_met, read_correction
from patterns.corrections import Correction, choose_selector
from patterns.crew import Crew, Work
from patterns.dates import parse_date
from patterns.explain import Explanation, FieldSource, explain
from patterns.fields import fill_article, with_language
from patterns.labelled_pattern import LabelledPattern
from patterns.labels import Labels
from patterns.match import TOLERANCE, Match, match, match_bounded
from patterns.model import Examined, Extraction, ExtractionModel, fit_of
from patterns.model_json import read_model, read_selector, write_model, write_selector
from patterns.page_groups import ClusterOfPages
from patterns.page_titles import Anchor, learn_conventions
from patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, Pattern, pattern_of
from patterns.pattern_choice import Choice, Chooser, Refusal, choose
from patterns.pattern_text import read_text, write_text
from patterns.reis_patterns import PublishedPatterns, learn_as_published, raw_tree
from patterns.selectors import Selector, vertex_at, xpath_of
from patterns.site_learning import learn_site
from patterns.thresholds import THRESHOLDS, Thresholds
from trees import SitePage

__all__ = [
    "ENOUGH",
    "EVIDENCE",
    "KLEENE",
    "OPTION",
    "PLAIN",
    "PLUS",
    "SINGLE",
    "THRESHOLDS",
    "TOLERANCE",
    "Anchor",
    "ArticleFeatures",
    "Choice",
    "Chooser",
    "ClusterOfPages",
    "ClusterPattern",
    "Correction",
    "Crew",
    "Examined",
    "Explanation",
    "Extraction",
    "ExtractionModel",
    "FieldSource",
    "LabelledPattern",
    "Labels",
    "Match",
    "Pattern",
    "PublishedPatterns",
    "Refusal",
    "Selector",
    "SiteNorms",
    "SitePage",
    "Thresholds",
    "Work",
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
    "read_model",
    "read_selector",
    "read_text",
    "vertex_at",
    "with_language",
    "write_model",
    "write_selector",
    "write_text",
    "xpath_of",
]
