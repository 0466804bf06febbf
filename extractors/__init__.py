"""The methods of the other papers: TSReC, NowOnWeb, CoreEx, ECON; and what they agree on."""

from extractors.article_builder import body_text, make_article, on_each_page
from extractors.boilerplate import find_boilerplate
from extractors.consensus import agree, consensus, medoid
from extractors.coreex import coreex, text_share
from extractors.econ import econ
from extractors.first_half import first_half
from extractors.interface import Extractor, Leaves, Mask, Title, Witness
from extractors.lone_page import read_lone_page
from extractors.nowonweb import RECOGNITION, Limits, nowonweb, nowonweb_article
from extractors.rarity import common_texts, rarity, repeated
from extractors.readability_score import readability_score
from extractors.registry import EXTRACTORS
from extractors.titles import find_title
from extractors.tsrec import TagSequence, tag_sequence, tsrec, twins
from extractors.witnesses import WITNESSES
from trees import SitePage

__all__ = [
    "EXTRACTORS",
    "RECOGNITION",
    "WITNESSES",
    "Extractor",
    "Leaves",
    "Limits",
    "Mask",
    "SitePage",
    "TagSequence",
    "Title",
    "Witness",
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
    "read_lone_page",
    "readability_score",
    "repeated",
    "tag_sequence",
    "text_share",
    "tsrec",
    "twins",
]
