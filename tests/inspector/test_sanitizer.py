"""Sanitized documents with marked elements."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml import html as markup

from flong.inspector.sanitizer import (
    LOADING,
    POLICY,
    REMOVED,
    UNWRAPPED,
    quiet_style,
    safe_document,
)
from flong.tree import TEXT, build_tree
from tests.inspector.conftest import ATTACK

PIECES = (
    "<div> </div> <p> </p> <b> </b> <table> <td> </table> <script> </script> <style> </style> "
    "<svg> </svg> <a\thref=//x.example> <img\tsrc=x> <h1> </h1> <li> <form> text &lt; <!-- --> "
    "<title> </title> <textarea> </textarea> <select> <option> <noscript> <frameset> \x00 é 東 "
    "<embed> <video> <object> <math> <body> <base> <iframe> <template> <p\tstyle=a:url(x)>"
)
pieces = st.lists(st.sampled_from(PIECES.split(" ")), max_size=30)


def harmless(shown):
    document = markup.document_fromstring(shown)
    for element in document.iter(etree.Element):
        assert element.tag not in (*REMOVED, *UNWRAPPED)
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert name.lower() not in LOADING or value.lstrip().startswith("data:image/")
    return document


@settings(deadline=None)  # the first call compiles
@given(pieces)
def test_any_document_is_harmless(parts):
    harmless(safe_document("".join(parts), {}))


def test_hostile_page_is_harmless():
    shown = safe_document(ATTACK, {})
    document = harmless(shown)
    assert not re.search(r"<script|javascript:", shown.replace("&lt;script", ""), re.IGNORECASE)
    assert not document.xpath("//*[@data-flong]"), "a page cannot mark itself"
    assert document.xpath("count(//p)") >= 4


@settings(deadline=None)  # the first call compiles
@given(pieces)
def test_marks_are_on_the_elements_of_the_tree(parts):
    page = "".join(parts)
    tree = build_tree(page)
    marks = {int(tree.place[v]): [tree.name(v)] for v in range(1, len(tree)) if tree.tag[v] != TEXT}
    for marked in harmless(safe_document(page, marks)).xpath("//*[@data-flong]"):
        assert marked.tag == marked.get("data-flong")


def test_mark_has_names_and_can_be_scrolled_to():
    page = "<body><div><h1 id=mine>News</h1><p>Text</p></div>"
    tree = build_tree(page)
    title = next(v for v in range(len(tree)) if tree.name(v) == "h1")
    document = harmless(safe_document(page, {int(tree.place[title]): ["title", "w3"]}))
    [marked] = document.xpath("//*[@data-flong]")
    assert (marked.tag, marked.get("data-flong")) == ("h1", "title w3")
    assert marked.get("id") == f"flong-{tree.place[title]}"


def test_pictures_in_the_page_itself_are_kept():
    shown = safe_document('<img src="data:image/png;base64,AAAA"><img src="data:text/html,x">', {})
    assert shown.count("src=") == 1


@pytest.mark.parametrize(
    "style",
    [
        "@import 'CANARY'",
        "@im@import 'a';port 'CANARY';",
        r"@\69 mport 'CANARY';",
        "p { background: url(CANARY",
        r"p { background: u\72l(CANARY) }",
        r"p { background: \u\r\l(CANARY) }",
        "p { background: image-set('data:,x' 1x, 'CANARY' 2x) }",
    ],
)
def test_style_loads_nothing_however_it_is_spelt(style):
    assert not re.search(r"@import|url\(|image-set\(", quiet_style(style))


def test_style_keeps_signs_and_names_that_need_a_backslash():
    style = r".md\:flex { content: '\f101' } .w-1\/2::after { content: '\201C' }"
    assert quiet_style(style) == style


@pytest.mark.parametrize("page", ["", " ", "<", "\x00", "<!-- -->", "plain text"])
def test_nearly_empty_pages_are_shown(page):
    assert safe_document(page, {5: ["title"]}).startswith("<!DOCTYPE html>")


def test_deep_and_large_pages_are_shown():
    assert "end" in safe_document("<object><div>" * 9_000 + "end", {})
    assert "end" in safe_document("<div>" * 1500 + "end", {})
    assert safe_document("<p>x</p>" * 100_000, {}).count("<p>") == 100_000


def test_policy_allows_neither_scripts_nor_requests():
    assert POLICY.startswith("sandbox;")
    assert "default-src 'none'" in POLICY
    assert "script-src" not in POLICY
    assert "http" not in POLICY
