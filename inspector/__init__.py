"""The web view of sites, clusters, patterns, pages and articles; it only reads."""

from inspector.app import LOOPBACK, create_app, warm_up
from inspector.database import ReadOnlyDatabase
from inspector.dendrogram import Drawing, Gallery
from inspector.lines import draw_text

__all__ = [
    "LOOPBACK",
    "Drawing",
    "Gallery",
    "ReadOnlyDatabase",
    "create_app",
    "draw_text",
    "warm_up",
]
