"""The web view of sites, clusters, patterns, pages and articles to look at, and to correct."""

from flong.inspector.app import LOOPBACK, create_app, warm_up
from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.dendrogram import Gallery
from flong.inspector.editing import Editor
from flong.inspector.jobs import CommandState, Jobs
from flong.inspector.lines import draw_text
from flong.inspector.recipe import add_recipes

__all__ = [
    "LOOPBACK",
    "CommandState",
    "Editor",
    "Gallery",
    "Jobs",
    "NotThere",
    "ReadOnlyDatabase",
    "add_recipes",
    "create_app",
    "draw_text",
    "warm_up",
]
