"""Page and Article: what every package talks about. Standard library only."""

from items.article import Article, Provenance
from items.page import Link, Mention, Page
from items.text import fold_text, word_count, words

__all__ = ["Article", "Link", "Mention", "Page", "Provenance", "fold_text", "word_count", "words"]
