"""ne-patterns: what the pages of a template have in common, found, matched and read."""

from patterns.article_classifier import learn_prior
from patterns.article_features import ArticleFeatures, SiteNorms
from patterns.cluster_patterns import ClusterPattern, compose_cluster
from patterns.compose import compose
from patterns.explain import Explanation, FieldSource, explain
from patterns.fields import fill_article, with_language
from patterns.labelled_pattern import LabelledPattern
from patterns.labels import Labels
from patterns.match import TOLERANCE, Match, match, match_bounded
from patterns.model import Examined, Extraction, SiteModel, fit_of
from patterns.model_json import read_model, write_model
from patterns.page_titles import Anchor, learn_conventions
from patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, Pattern, pattern_of
from patterns.pattern_choice import Choice, Chooser, Refusal, choose
from patterns.pattern_text import read_json, read_text, write_json, write_text
from patterns.reis_patterns import PublishedPatterns, learn_as_published, raw_tree
from patterns.selectors import Selector, vertex_at
from patterns.site_learning import ClusterOfPages, learn_site
from trees import SitePage

__all__ = [
    "KLEENE",
    "OPTION",
    "PLAIN",
    "PLUS",
    "SINGLE",
    "TOLERANCE",
    "Anchor",
    "ArticleFeatures",
    "Choice",
    "Chooser",
    "ClusterOfPages",
    "ClusterPattern",
    "Examined",
    "Explanation",
    "Extraction",
    "FieldSource",
    "LabelledPattern",
    "Labels",
    "Match",
    "Pattern",
    "PublishedPatterns",
    "Refusal",
    "Selector",
    "SiteModel",
    "SiteNorms",
    "SitePage",
    "choose",
    "compose",
    "compose_cluster",
    "explain",
    "fill_article",
    "fit_of",
    "learn_as_published",
    "learn_conventions",
    "learn_prior",
    "learn_site",
    "match",
    "match_bounded",
    "pattern_of",
    "raw_tree",
    "read_json",
    "read_model",
    "read_text",
    "vertex_at",
    "with_language",
    "write_json",
    "write_model",
    "write_text",
]
