"""Methods of the other papers, the baselines that vote, and their consensus."""

from flong.baselines.article_builder import body_text, make_article, on_each_page
from flong.baselines.boilerplate import find_boilerplate
from flong.baselines.consensus import BASELINES, agree, consensus, medoid
from flong.baselines.coreex import coreex, text_share
from flong.baselines.econ import econ
from flong.baselines.first_half import first_half
from flong.baselines.interface import Extractor
from flong.baselines.nowonweb import RECOGNITION, Limits, nowonweb, nowonweb_article
from flong.baselines.rarity import common_texts, rarity, repeated
from flong.baselines.readability_score import readability_score
from flong.baselines.registry import EXTRACTORS
from flong.baselines.single_page import read_single_page_body, single_page_leaves
from flong.baselines.titles import find_title
from flong.baselines.tsrec import tag_sequence, tsrec, twins

__all__ = [
    "BASELINES",
    "EXTRACTORS",
    "RECOGNITION",
    "Extractor",
    "Limits",
    "agree",
    "body_text",
    "common_texts",
    "consensus",
    "coreex",
    "econ",
    "find_boilerplate",
    "find_title",
    "first_half",
    "make_article",
    "medoid",
    "nowonweb",
    "nowonweb_article",
    "on_each_page",
    "rarity",
    "read_single_page_body",
    "readability_score",
    "repeated",
    "single_page_leaves",
    "tag_sequence",
    "text_share",
    "tsrec",
    "twins",
]
