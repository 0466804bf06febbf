"""Page and Article: what every package talks about. Standard library only, or its backports."""

from items.article import Article, Provenance
from items.blocks import (
    Block,
    BlockKind,
    Box,
    Mark,
    Span,
    block_targets,
    paragraphs_of,
    read_blocks,
    text_of_blocks,
    write_blocks,
)
from items.caching import cached_if_short
from items.closable import Closable
from items.documents import ModelDocument, PatternDocument
from items.joining import join_blocks, join_texts
from items.live_blog import clock_of, clock_of_entry, entries_of, is_clock
from items.markup import to_html, to_markdown
from items.packing import PackedPage, Unpacker
from items.page import Link, Mention, Page
from items.progress import Meter, Progress, unwatched
from items.states import (
    FAILED_OUTCOMES,
    GONE_OUTCOMES,
    STORED_OUTCOMES,
    Access,
    CorrectedField,
    CorrectionKind,
    Fate,
    Fit,
    Genre,
    JobKind,
    JobState,
    Kept,
    LookState,
    Outcome,
    PageRole,
    Precision,
    RunStatus,
    Verdict,
)
from items.text import (
    UNSPACED,
    fold_text,
    plain_letters,
    shared_trigrams,
    token_f1,
    trigrams,
    word_count,
    words,
)
from items.version import VERSION
from items.volume import Usual, usual_volume
from items.zstd import zstd

__all__ = [
    "FAILED_OUTCOMES",
    "GONE_OUTCOMES",
    "STORED_OUTCOMES",
    "UNSPACED",
    "VERSION",
    "Access",
    "Article",
    "Block",
    "BlockKind",
    "Box",
    "Closable",
    "CorrectedField",
    "CorrectionKind",
    "Fate",
    "Fit",
    "Genre",
    "JobKind",
    "JobState",
    "Kept",
    "Link",
    "LookState",
    "Mark",
    "Mention",
    "Meter",
    "ModelDocument",
    "Outcome",
    "PackedPage",
    "Page",
    "PageRole",
    "PatternDocument",
    "Precision",
    "Progress",
    "Provenance",
    "RunStatus",
    "Span",
    "Unpacker",
    "Usual",
    "Verdict",
    "block_targets",
    "cached_if_short",
    "clock_of",
    "clock_of_entry",
    "entries_of",
    "fold_text",
    "is_clock",
    "join_blocks",
    "join_texts",
    "paragraphs_of",
    "plain_letters",
    "read_blocks",
    "shared_trigrams",
    "text_of_blocks",
    "to_html",
    "to_markdown",
    "token_f1",
    "trigrams",
    "unwatched",
    "usual_volume",
    "word_count",
    "words",
    "write_blocks",
    "zstd",
]
