"""Recipes: a learned site as selectors that other tools run."""

from recipes import reader
from recipes.examples import SAME_BODY, ExamplePage
from recipes.forms import FORMS
from recipes.learning import judge_recipe, learn_recipe
from recipes.recipe import Agreement, Difference, Place, Recipe, RecipeFinding, Template, read_with

__all__ = [
    "FORMS",
    "SAME_BODY",
    "Agreement",
    "Difference",
    "ExamplePage",
    "Place",
    "Recipe",
    "RecipeFinding",
    "Template",
    "judge_recipe",
    "learn_recipe",
    "read_with",
    "reader",
]
