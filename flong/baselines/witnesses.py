"""The methods that need one page only: they vote when patterns are labelled."""

from collections.abc import Mapping

from flong.baselines.coreex import coreex
from flong.baselines.econ import econ
from flong.baselines.first_half import first_half
from flong.baselines.interface import Witness
from flong.baselines.nowonweb import nowonweb
from flong.baselines.readability_score import readability_score

WITNESSES: Mapping[str, Witness] = {
    "coreex": coreex,
    "econ": econ,
    "first-half": first_half,
    "nowonweb": nowonweb,
    "readability-score": readability_score,
}
"""Each by its name."""
