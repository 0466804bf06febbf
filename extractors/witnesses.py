"""The methods that need one page only: they vote when patterns are labelled."""

from collections.abc import Mapping

from extractors.coreex import coreex
from extractors.econ import econ
from extractors.first_half import first_half
from extractors.interface import Witness
from extractors.nowonweb import nowonweb
from extractors.readability_score import readability_score

WITNESSES: Mapping[str, Witness] = {
    "coreex": coreex,
    "econ": econ,
    "first-half": first_half,
    "nowonweb": nowonweb,
    "readability-score": readability_score,
}
"""Each by its name."""
