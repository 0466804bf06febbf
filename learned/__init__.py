"""A learned site: its pages read, and explained, in one way for all who ask."""

from learned.as_published import METHODS, learn_published
from learned.document import Document, PackedDocument, says_missing, visible_words
from learned.learned_site import LearnedSite
from learned.learning import Grouping, learn_pages
from learned.lone_page import read_alone
from learned.sampling import sample_pages, shuffled

__all__ = [
    "METHODS",
    "Document",
    "Grouping",
    "LearnedSite",
    "PackedDocument",
    "learn_pages",
    "learn_published",
    "read_alone",
    "sample_pages",
    "says_missing",
    "shuffled",
    "visible_words",
]
