"""Contrast of text and background colours."""

import re
from pathlib import Path

import pytest

from flong import inspector

CSS = (Path(inspector.__file__).parent / "static" / "style.css").read_text(encoding="utf-8")
SURFACES = ("paper", "card", "shade")
LEAST = 4.5
"""WCAG 2.2, success criterion 1.4.3."""
SCHEMES = [
    dict(re.findall(r"--(\w+): (#\w{6})", root))
    for root in re.findall(r":root {.*?}", CSS, re.DOTALL)
]
TEXTS = {name for name in re.findall(r"(?<![-\w])color: var\(--(\w+)\)", CSS) if name != "paper"}
ROLES = set(re.findall(r"--r: var\(--(\w+)\)", CSS))


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_follows_the_standard():
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark"])
def test_text_has_contrast_on_every_surface(scheme):
    names = (TEXTS - {"r"}) | ROLES
    assert {"ink", "quiet", "link", "warn", "title"} <= names
    pairs = [(name, surface) for name in names for surface in SURFACES]
    pairs += [("paper", "link"), ("ink", "marked"), ("link", "marked")]
    found = {pair: contrast(*(scheme[name] for name in pair)) for pair in pairs}
    assert {pair: ratio for pair, ratio in found.items() if ratio < LEAST} == {}


def test_no_text_is_made_fainter_than_its_colour():
    assert not re.findall(r"[^{}]*{[^}]*opacity[^}]*}", CSS)
