"""URLs and the links between them: one spelling for each page, and which are followed."""

from links.link_extractor import ExtractedLinks, ParsingTimeout, extract_links, page_links
from links.link_policy import MOST_HOPS, ShapeBudget, is_continued, page_number, refusal
from links.urls import Scope, canonical_url, has_public_suffix, registered_domain

__all__ = [
    "MOST_HOPS",
    "ExtractedLinks",
    "ParsingTimeout",
    "Scope",
    "ShapeBudget",
    "canonical_url",
    "extract_links",
    "has_public_suffix",
    "is_continued",
    "page_links",
    "page_number",
    "refusal",
    "registered_domain",
]
