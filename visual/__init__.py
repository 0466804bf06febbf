"""Visual blocks of pages that a browser has laid out, and the V-Wrapper learned from them."""

from visual.block_tree import BlockTree, make_blocks, pack_blocks, unpack_blocks
from visual.boosting import BoostedTrees
from visual.features import BASIC, EXTENDED, FEATURES, FURTHER, GEOMETRY, SECOND, measure
from visual.labels import CONTENT, OTHERS, TITLE, label_leaves
from visual.model_json import (
    WRAPPERS,
    TrainedWrapper,
    read_wrapper,
    shipped_wrapper,
    write_wrapper,
)
from visual.page_script import ATTRIBUTE, SCRIPT, SCRIPT_ARGUMENT, marked_page
from visual.training import LabelledBlocks, train, train_published
from visual.wrapper import PublishedWrapper, VisualAnswer, VWrapper, Wrapper

__all__ = [
    "ATTRIBUTE",
    "BASIC",
    "CONTENT",
    "EXTENDED",
    "FEATURES",
    "FURTHER",
    "GEOMETRY",
    "OTHERS",
    "SCRIPT",
    "SCRIPT_ARGUMENT",
    "SECOND",
    "TITLE",
    "WRAPPERS",
    "BlockTree",
    "BoostedTrees",
    "LabelledBlocks",
    "PublishedWrapper",
    "TrainedWrapper",
    "VWrapper",
    "VisualAnswer",
    "Wrapper",
    "label_leaves",
    "make_blocks",
    "marked_page",
    "measure",
    "pack_blocks",
    "read_wrapper",
    "shipped_wrapper",
    "train",
    "train_published",
    "unpack_blocks",
    "write_wrapper",
]
