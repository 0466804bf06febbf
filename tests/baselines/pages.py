"""Small pages, written or drawn at random."""

import numpy as np
from hypothesis import strategies as st

from flong.tree import build_tree

SENTENCE = "The council met on Monday, and after a long debate it decided to build the bridge."
WORDS = st.sampled_from("snow rain bridge council, one two Monday. 東京。 Home".split())
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
LINKED = TEXTS.map("<a href=/x>{}</a>".format)
LEAVES = st.one_of(
    TEXTS, LINKED, st.tuples(TEXTS, LINKED).map(" ".join), st.just("<img src=a.jpg>")
)


def wrapped(parts):
    tags = st.sampled_from(["div", "p", "ul", "li", "section", "h2", "div class=comments"])
    return st.tuples(tags, st.lists(parts, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0].split()[0]}>"
    )


PAGES = st.lists(st.recursive(LEAVES, wrapped, max_leaves=25), max_size=6).map("".join)
TREES = PAGES.map(build_tree)


def prose(paragraphs=5, sentence=SENTENCE):
    """An article body: paragraphs that all differ."""
    return "".join(f"<p>Part {number}. {sentence} {sentence}</p>" for number in range(paragraphs))


def page(body, title="Bridge will be built", extra=""):
    """An ordinary article page."""
    menu = "".join(f"<li><a href=/{word}>{word}</a>" for word in ("Home", "Sport", "About us"))
    return (
        f"<head><title>{title} - The Paper</title></head><body><ul>{menu}</ul><h1>{title}</h1>"
        f"<article>{body}</article>{extra}<footer><a href=/i>Imprint</a></footer></body>"
    )


def texts(tree, leaves):
    return [tree.text_of(leaf) for leaf in leaves]


def mask(tree, vertices):
    found = np.zeros(len(tree), dtype=bool)
    found[list(vertices)] = True
    return found
