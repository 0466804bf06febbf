"""Where the lines and boxes of the charts go; the templates draw them."""

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from flong.inspector.night import Night
from flong.inspector.site import ClusterSummary
from flong.stages.dendrogram import Drawing
from flong.storage import DayOfArticles, DepthPart

HEAT = (20, 110, 140)
"""Colour of near pages in the heat map; further ones fade."""


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name."""
    return {each.name: getattr(value, each.name) for each in fields(value)}


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    name: str
    """What it stands for."""
    number: int
    """How many."""


@dataclass(frozen=True, slots=True)
class NightBar:
    """One night of the chart."""

    night: Night
    """What happened."""
    x: float
    """Left side."""
    boxes: list[Rectangle]
    """New, changed, failed, one on top of the other."""
    drift: float | None
    """Height of the point that shows the drift; None if nothing was read."""


def night_bars(nights: Sequence[Night], width: float = 16, height: float = 40) -> list[NightBar]:
    """Return the bars of the last nights; the highest one is as high as the chart.

    Square roots, so that three new pages can be seen beside the thousand of the first night.
    """
    kinds = ("new", "changed", "failed")
    totals = [sum(getattr(night, kind) for kind in kinds) for night in nights]
    most = max([*totals, 1]) ** 0.5
    bars = []
    for at, (night, total) in enumerate(zip(nights, totals, strict=True)):
        top, boxes = height, []
        for kind in kinds:
            count = getattr(night, kind)
            if count:
                tall = max(1.5, height * total**0.5 / most * count / total)
                top -= tall
                boxes.append(
                    Rectangle(at * width, round(top, 2), width - 3, round(tall, 2), kind, count)
                )
        drift = None if night.drift is None else round(height * (1 - night.drift), 2)
        bars.append(NightBar(night, at * width, boxes, drift))
    return bars


@dataclass(frozen=True, slots=True)
class DepthRow:
    """All pages of one depth."""

    depth: int
    """Links from the home page."""
    pages: int
    """How many."""
    boxes: list[tuple[Rectangle, int | None]]
    """Their clusters, the largest first, each with the rank that colours it."""


def depth_rows(
    parts: Sequence[DepthPart], clusters: Sequence[ClusterSummary], width: float = 600
) -> list[DepthRow]:
    """Return the map of a site: for each depth how many pages of which cluster there are."""
    ranks = {cluster.id: cluster.rank for cluster in clusters}
    depths: dict[int, list[DepthPart]] = {}
    for part in parts:
        depths.setdefault(part.depth, []).append(part)
    most = max([sum(part.pages for part in row) for row in depths.values()], default=1)
    rows = []
    for depth, row in depths.items():
        x, boxes = 0.0, []
        for part in row:
            wide = width * part.pages / most
            name = "of no template" if part.cluster is None else f"template {part.cluster}"
            box = Rectangle(round(x, 2), 0, round(max(wide - 0.8, 0.8), 2), 18, name, part.pages)
            boxes.append((box, None if part.cluster is None else ranks.get(part.cluster)))
            x += wide
        rows.append(DepthRow(depth, sum(part.pages for part in row), boxes))
    return rows


@dataclass(frozen=True, slots=True)
class Lines:
    """The dendrogram beside the heat map: both have a row for each page."""

    row: float
    """Height of a row."""
    height: float
    """Height of all rows."""
    tree: float
    """Width of the dendrogram."""
    cut: float
    """Where the cut goes through it."""
    merges: list[tuple[str, int | None]]
    """Each bracket as an SVG path, with the rank that colours it."""


def drawing_lines(drawing: Drawing, tree: float = 380) -> Lines:
    """Return where the brackets go; distance 1 is at the left."""
    row = max(8.0, min(22.0, 560 / len(drawing.leaves)))
    cut = 1 - drawing.similarity
    heights = [corner[1] for merge in drawing.merges for corner in merge.corners]
    highest = max(*heights, 1.25 * cut, 0.05)
    scale = tree / (highest * 1.05)
    merges = []
    for merge in drawing.merges:
        points = [f"{tree - y * scale:.1f},{(x + 0.5) * row:.1f}" for x, y in merge.corners]
        merges.append((f"M{' L'.join(points)}", merge.rank))
    return Lines(row, round(row * len(drawing.leaves), 1), tree, tree - cut * scale, merges)


def heat_picture(drawing: Drawing) -> str:
    """Return the heat map as a picture, a point for each pair, in a URL of its own."""
    far = np.clip(np.array(drawing.distances), 0, 1)
    points = np.empty((*far.shape, 4), dtype=np.uint8)
    points[..., :3] = HEAT
    points[..., 3] = np.round(255 * (1 - far) ** 1.6)
    return f"data:image/png;base64,{base64.b64encode(png(points)).decode()}"


def png(points: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    r"""Return a picture of red, green, blue and opacity as a PNG file.

    >>> png(np.zeros((2, 2, 4), dtype=np.uint8))[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    height, width = points.shape[:2]
    lines = b"".join(b"\0" + line.tobytes() for line in points)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


@dataclass(frozen=True, slots=True)
class DayBar:
    """Articles of a day as a bar."""

    day: str
    """`2026-05-01`."""
    articles: int
    """How many."""
    height: float
    """From 0 to 40."""


def day_bars(days: Sequence[DayOfArticles]) -> list[DayBar]:
    """Return a bar for each day, the highest one 40 high.

    >>> [bar.height for bar in day_bars([DayOfArticles(day="2026-05-01", articles=3)])]
    [40.0]
    """
    most = max((each.articles for each in days), default=1)
    return [DayBar(each.day, each.articles, round(40 * each.articles / most, 1)) for each in days]
