"""Web interface: browse, search and correct what flong stored."""

from flong.inspector.app import LOOPBACK, create_app, warm_up
from flong.inspector.database import NotThere
from flong.inspector.editing import Editor
from flong.inspector.jobs import CommandState, Jobs
from flong.inspector.recipe import add_recipes

__all__ = [
    "LOOPBACK",
    "CommandState",
    "Editor",
    "Jobs",
    "NotThere",
    "add_recipes",
    "create_app",
    "warm_up",
]
