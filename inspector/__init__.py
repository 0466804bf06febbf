"""The web view of sites, clusters, patterns, pages and articles; it only reads."""

from inspector.app import LOOPBACK, create_app, warm_up
from inspector.database import Database
from inspector.dendrogram import Drawing, Gallery, Measure
from inspector.lines import draw_text

__all__ = [
    "LOOPBACK",
    "Database",
    "Drawing",
    "Gallery",
    "Measure",
    "create_app",
    "draw_text",
    "warm_up",
]
