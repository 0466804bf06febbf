"""Made-up sites unlike those that the rules were chosen on, with their truth."""

from benchmarks.strangers.large import Arc, Components, Magazine
from benchmarks.strangers.modern import NextJs, Substack, Tailwind
from benchmarks.strangers.older import Hugo, Joomla, Tables, Typo3
from benchmarks.strangers.paper import Paper
from benchmarks.strangers.scripts import Breaks, Channel, Few, Logo, Rankings, Split
from benchmarks.strangers.systems import Blogger, Drupal, Ghost

__all__ = ["STRANGERS", "Paper"]

STRANGERS: tuple[type[Paper], ...] = (
    Ghost, Drupal, Blogger, Joomla, Typo3, Hugo,
    NextJs, Tailwind, Substack, Arc, Components, Magazine,
    Tables, Rankings, Channel, Breaks, Few, Split, Logo,
)  # fmt: skip
"""All of them."""
