"""A news site made from a seed, served on loopback, with its truth: to try, to show, to test."""

from demo.faults import FAULTS, error_page, is_faulty
from demo.judging import Score, body_f1, judge
from demo.portal import Portal, Truth
from demo.responses import Response
from demo.server import Request, Serving, serve

__all__ = [
    "FAULTS",
    "Portal",
    "Request",
    "Response",
    "Score",
    "Serving",
    "Truth",
    "body_f1",
    "error_page",
    "is_faulty",
    "judge",
    "serve",
]
