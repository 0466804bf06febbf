"""Recipes: a learned site as selectors for other tools."""

from flong.recipes.examples import SAME_BODY, ExamplePage
from flong.recipes.forms import FORMS
from flong.recipes.learning import judge_recipe, learn_recipe
from flong.recipes.recipe import read_with

__all__ = [
    "FORMS",
    "SAME_BODY",
    "ExamplePage",
    "judge_recipe",
    "learn_recipe",
    "read_with",
]
