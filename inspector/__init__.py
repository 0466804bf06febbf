"""The web view of sites, clusters, patterns, pages and articles; it only reads."""

from inspector.app import LOOPBACK, create_app, warm_up
from inspector.dendrogram import Drawing, Gallery, draw_text

__all__ = ["LOOPBACK", "Drawing", "Gallery", "create_app", "draw_text", "warm_up"]
