"""The web view of sites, clusters, patterns, pages and articles to look at, and to correct."""

from inspector.app import LOOPBACK, create_app, warm_up
from inspector.database import NotThere, ReadOnlyDatabase
from inspector.dendrogram import Drawing, Gallery
from inspector.editing import Editor
from inspector.jobs import CommandState, Job, Jobs
from inspector.lines import draw_text
from inspector.recipe import add_recipes

__all__ = [
    "LOOPBACK",
    "CommandState",
    "Drawing",
    "Editor",
    "Gallery",
    "Job",
    "Jobs",
    "NotThere",
    "ReadOnlyDatabase",
    "add_recipes",
    "create_app",
    "draw_text",
    "warm_up",
]
