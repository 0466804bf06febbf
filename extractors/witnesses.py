"""The methods that need one page only: they vote when patterns are labelled."""

from collections.abc import Mapping

from extractors.coreex import coreex
from extractors.econ import econ
from extractors.firsthalf import first_half
from extractors.method import Witness
from extractors.nowonweb import nowonweb
from extractors.scored import scored

WITNESSES: Mapping[str, Witness] = {
    "coreex": coreex,
    "econ": econ,
    "first-half": first_half,
    "nowonweb": nowonweb,
    "scored": scored,
}
"""Each by its name."""
