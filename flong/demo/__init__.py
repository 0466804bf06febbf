"""Demo: a synthetic news site with ground truth, generated from a seed and served on loopback."""

from flong.demo.faults import FAULTS, error_page, is_faulty
from flong.demo.judging import Score, judge
from flong.demo.portal import Portal
from flong.demo.responses import Response
from flong.demo.server import Serving, serve

__all__ = [
    "FAULTS",
    "Portal",
    "Response",
    "Score",
    "Serving",
    "error_page",
    "is_faulty",
    "judge",
    "serve",
]
