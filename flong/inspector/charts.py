"""Geometry of charts that templates cannot compute: night bars, dendrogram, heat map."""

import base64
import struct
import zlib
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from flong.stages.dendrogram import Drawing
from flong.storage import DayOfWork

HEAT = (20, 110, 140)
"""Colour of similar pages in the heat map, as red, green and blue; distant pairs fade."""


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name."""
    return {each.name: getattr(value, each.name) for each in fields(value)}


def total_of(night: DayOfWork) -> int:
    """Return the number of pages that a bar stacks."""
    return night.new + night.changed + night.failed


def night_boxes(
    night: DayOfWork, most: int, height: float = 40
) -> list[tuple[str, int, float, float]]:
    """Return kind, count, top and height of each box in the bar of a night.

    A bar of `most` pages has the full height. Heights grow with the square root, so that three
    new pages are visible beside the thousand of the first night.
    """
    top, boxes = height, []
    for kind in ("new", "changed", "failed"):
        if count := getattr(night, kind):
            total = total_of(night)
            tall = max(1.5, height * (total / most) ** 0.5 * count / total)
            top -= tall
            boxes.append((kind, count, round(top, 2), round(tall, 2)))
    return boxes


@dataclass(frozen=True, slots=True)
class Lines:
    """Dendrogram beside a heat map, with one row per page."""

    row: float
    """Height of a row."""
    height: float
    """Height of all rows."""
    tree: float
    """Width of the dendrogram."""
    cut: float
    """Horizontal position of the cut."""
    merges: list[tuple[str, int | None]]
    """SVG path of each bracket, and the rank that gives its colour."""


def drawing_lines(drawing: Drawing, tree: float = 380) -> Lines:
    """Return the layout of a dendrogram; distance 1 is at the left."""
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
    """Return the heat map as a `data:` URL of a PNG with one pixel per pair."""
    far = np.clip(np.array(drawing.distances), 0, 1)
    points = np.empty((*far.shape, 4), dtype=np.uint8)
    points[..., :3] = HEAT
    points[..., 3] = np.round(255 * (1 - far) ** 1.6)
    return f"data:image/png;base64,{base64.b64encode(png(points)).decode()}"


def png(points: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    r"""Return an array of red, green, blue and opacity as a PNG file.

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
