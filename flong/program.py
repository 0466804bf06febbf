"""Version of the program, and the name under which it was called."""

import sys
from pathlib import Path

VERSION = "0.1.0"


def program() -> str:
    """Return the command that the user typed: `flong`, or `scrapy` in a Scrapy project."""
    called = Path(sys.argv[0])
    name = called.parent.name if called.name == "__main__.py" else called.name  # python -m scrapy
    return "scrapy" if name.startswith("scrapy") else "flong"
