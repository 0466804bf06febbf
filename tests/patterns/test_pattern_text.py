"""Patterns as text: written and read back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.patterns import compose, pattern_of, read_text, write_text
from flong.tree import build_tree
from tests.patterns import slow_patterns as slow

ODD = """<body class='md:flex a.b w-1/2 "q" # ünï'><x-card>“Zitat”\\ "quoted" ; not a note</x-card>
<p class="md:flex">A text that is so long that nobody wants to read all of it in a pattern, {}</p>
<p>line<br>break</p></body>"""


@slow.thorough
@given(slow.patterns())
def test_patterns_survive_text(tree):
    pattern = slow.pattern(tree)
    again, notes = read_text(write_text(pattern))
    assert (again, notes) == (pattern, {})
    assert again.parent.tolist() == pattern.parent.tolist()


@slow.thorough
@given(st.text(max_size=30), st.text(max_size=80))
def test_any_class_and_text_survive(token, text):
    page = build_tree(f"<div class={json.dumps(token)}>{text}</div><p>{text}</p>")
    pattern = pattern_of(page)
    again, _ = read_text(write_text(pattern))
    assert again == pattern
    assert write_text(again) == write_text(pattern)


def test_odd_names_and_long_texts_survive():
    one, two = (pattern_of(build_tree(ODD.format(word))) for word in ("one", "two"))
    assert one != two
    for pattern in (one, two, compose(one, two)):
        again, _ = read_text(write_text(pattern))
        assert again == pattern
        assert write_text(again) == write_text(pattern)


def test_notes_are_beside_their_vertices():
    pattern, _ = read_text("body\n  h1\n    .\n  *\n")
    notes = {2: "role=title pages=31", 3: "role=body ; words=420"}
    text = write_text(pattern, notes)
    assert "    . ; role=title pages=31\n" in text
    assert read_text(text) == (pattern, notes)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1 is not a vertex"),
        ("body\n   p", "line 2 is not a vertex"),
        ("body\n    p", "vertex 1 has no parent"),
        ("body\nbody", "vertex 1 has no parent"),
        ("body\n  *\n    p", "below a text or a wildcard"),
        ('body\n  text "a', "line 2 is not a vertex"),
    ],
)
def test_an_invalid_line_is_reported(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        read_text(text)


def test_the_digest_is_the_same_in_every_process():
    pattern, _ = read_text("body.home\n  h1\n    .\n  *\n")
    assert pattern.digest == "ce4c5c47f00281b5475910cc5dab8801"


def test_5_000_levels_survive():
    text = "".join("  " * depth + "div\n" for depth in range(5_000))
    pattern, _ = read_text(text)
    assert write_text(pattern) == text
