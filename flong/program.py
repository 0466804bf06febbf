"""The program's version, and the name it was called by."""

import sys
from pathlib import Path

VERSION = "0.1.0"


def program() -> str:
    """Return the command that the user typed: `flong`, or `scrapy` in a Scrapy project."""
    return "scrapy" if Path(sys.argv[0]).name.startswith("scrapy") else "flong"
