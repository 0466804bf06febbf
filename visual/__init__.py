"""Visual blocks of pages that a browser has laid out, and the V-Wrapper learned from them."""

from visual.block_tree import BlockTree, make_blocks
from visual.boosting import BoostedTrees
from visual.features import BASIC, EXTENDED, FEATURES, FURTHER, GEOMETRY, measure
from visual.labels import CONTENT, OTHERS, TITLE, label_leaves
from visual.model_json import TrainedWrapper, read_wrapper, write_wrapper
from visual.page_script import SCRIPT, SCRIPT_ARGUMENT, marked_page
from visual.training import LabelledPage, train, train_published
from visual.wrapper import PublishedWrapper, VisualAnswer, VWrapper, Wrapper

__all__ = [
    "BASIC",
    "CONTENT",
    "EXTENDED",
    "FEATURES",
    "FURTHER",
    "GEOMETRY",
    "OTHERS",
    "SCRIPT",
    "SCRIPT_ARGUMENT",
    "TITLE",
    "BlockTree",
    "BoostedTrees",
    "LabelledPage",
    "PublishedWrapper",
    "TrainedWrapper",
    "VWrapper",
    "VisualAnswer",
    "Wrapper",
    "label_leaves",
    "make_blocks",
    "marked_page",
    "measure",
    "read_wrapper",
    "train",
    "train_published",
    "write_wrapper",
]
