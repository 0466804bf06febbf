"""The methods of the other papers: TSReC, NowOnWeb, CoreEx, ECON; and what they agree on."""

from extractors.articles import body_text, make_article, on_each_page
from extractors.cleaning import noise
from extractors.consensus import agree, consensus, medoid
from extractors.coreex import coreex
from extractors.econ import econ
from extractors.firsthalf import first_half
from extractors.method import Extractor, Leaves, Mask, Title, Witness
from extractors.nowonweb import Limits, nowonweb, nowonweb_article
from extractors.rarity import common_texts, rarity, repeated
from extractors.regions import TagSequence, tag_sequence
from extractors.registry import EXTRACTORS
from extractors.scored import scored
from extractors.titles import find_title
from extractors.tsrec import tsrec, twins
from extractors.witnesses import WITNESSES
from trees import SitePage

__all__ = [
    "EXTRACTORS",
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
    "find_title",
    "first_half",
    "make_article",
    "medoid",
    "noise",
    "nowonweb",
    "nowonweb_article",
    "on_each_page",
    "rarity",
    "repeated",
    "scored",
    "tag_sequence",
    "tsrec",
    "twins",
]
