"""Visual blocks of rendered pages, and the V-Wrapper learned from them."""

from flong.visual.block_tree import BlockTree, make_blocks, pack_blocks, unpack_blocks
from flong.visual.features import FEATURES, SECOND, measure
from flong.visual.labels import CONTENT, OTHERS, TITLE, label_leaves
from flong.visual.model_json import (
    WRAPPERS,
    TrainedWrapper,
    read_wrapper,
    shipped_wrapper,
    write_wrapper,
)
from flong.visual.page_script import ATTRIBUTE, SCRIPT, SCRIPT_ARGUMENT
from flong.visual.training import LabelledBlocks, train, train_published
from flong.visual.wrapper import PublishedWrapper, VWrapper, Wrapper

__all__ = [
    "ATTRIBUTE",
    "CONTENT",
    "FEATURES",
    "OTHERS",
    "SCRIPT",
    "SCRIPT_ARGUMENT",
    "SECOND",
    "TITLE",
    "WRAPPERS",
    "BlockTree",
    "LabelledBlocks",
    "PublishedWrapper",
    "TrainedWrapper",
    "VWrapper",
    "Wrapper",
    "label_leaves",
    "make_blocks",
    "measure",
    "pack_blocks",
    "read_wrapper",
    "shipped_wrapper",
    "train",
    "train_published",
    "unpack_blocks",
    "write_wrapper",
]
