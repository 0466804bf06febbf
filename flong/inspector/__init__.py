"""Web interface: browse, search and correct what flong stored."""

from flong.inspector.app import LOOPBACK, create_app, warm_up
from flong.inspector.database import NotThere
from flong.inspector.editing import Editor
from flong.inspector.jobs import CommandState, Jobs
from flong.inspector.login import Login, hash_password
from flong.inspector.recipe import add_recipes
from flong.inspector.search import add_newspaper

__all__ = [
    "LOOPBACK",
    "CommandState",
    "Editor",
    "Jobs",
    "Login",
    "NotThere",
    "add_newspaper",
    "add_recipes",
    "create_app",
    "hash_password",
    "warm_up",
]
