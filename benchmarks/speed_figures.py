"""The figures of docs/clustering.md, docs/papers.md and docs/speed.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

Row = dict[str, Any]


def _new(title: str) -> tuple[Any, Axes]:
    """Return an empty figure with logarithmic axes."""
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "flong"  # the same figure gives the same file
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    axes.set(title=title, xscale="log", yscale="log")
    axes.grid(alpha=0.3)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def draw_distances(rows: Sequence[Row], path: Path) -> None:
    """Draw the time of a pair against its vertices, a line per algorithm."""
    figure, axes = _new("One distance of two pages")
    for name in dict.fromkeys(row["algorithm"] for row in rows):
        points = [(r["vertices"], r["µs a pair"]) for r in rows if r["algorithm"] == name]
        axes.plot(*zip(*points, strict=True), marker="o", label=name)
    axes.set(xlabel="vertices of each tree", ylabel="microseconds")
    axes.set_xticks(sorted({row["vertices"] for row in rows}), minor=False)
    axes.xaxis.set_major_formatter(mpl.ticker.ScalarFormatter())
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    axes.legend(fontsize=8)
    _save(figure, path)


def draw_clusters(rows: Sequence[Row], path: Path) -> None:
    """Draw the time of a pair against its vertices, a point a cluster, with lines through them."""
    figure, axes = _new("Clusters of real sites: time of a pair of pages")
    vertices = np.array([row["vertices"] for row in rows])
    for name, column in (("RTDM", "RTDM ms a pair"), ("unrestricted", "top-down ms a pair")):
        times = np.array([row[column] for row in rows])
        slope, start = np.polyfit(np.log(vertices), np.log(times), 1)
        dots = axes.plot(vertices, times, "o", markersize=4, label=f"{name}: n^{slope:.2f}")
        ends = np.array([vertices.min(), vertices.max()])
        axes.plot(ends, np.exp(start) * ends**slope, color=dots[0].get_color())
    axes.set(xlabel="mean vertices of the trees of a cluster", ylabel="milliseconds a pair")
    axes.legend(fontsize=8)
    _save(figure, path)


def draw_scale(rows: Sequence[Row], path: Path) -> None:
    """Draw the time of learning clusters against the number of pages."""
    figure, axes = _new("From stored pages to clusters")
    pages = [row["pages"] for row in rows]
    total = [row["to skeletons s"] + row["to labels s"] for row in rows]
    axes.plot(pages, total, marker="o", label="compressed HTML to labels")
    axes.plot(pages, [row["to labels s"] for row in rows], marker="o", label="skeletons to labels")
    worst = [total[0] * (count / pages[0]) ** 1.3 for count in pages]
    axes.plot(pages, worst, linestyle="--", color="grey", label="pages to the power of 1.3")
    axes.set(xlabel="pages", ylabel="seconds of processor time")
    axes.set_xticks(pages, [f"{count:,}" for count in pages])
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    axes.legend(fontsize=8)
    _save(figure, path)


def draw_growth(rows: Sequence[Row], path: Path) -> None:
    """Draw time and memory of the whole path against the number of pages."""
    figure, axes = _new("The whole path by number of pages")
    pages = [row["pages"] for row in rows]
    for name in ("store", "learn", "extract"):
        axes.plot(pages, [row[f"{name} s"] for row in rows], marker="o", label=f"{name}, s")
    for name in ("learn", "extract"):
        memory = [row[f"{name} MB"] for row in rows]
        axes.plot(pages, memory, marker="s", linestyle=":", label=f"{name}, MB")
    axes.set(xlabel="pages", ylabel="seconds of processor time; megabytes")
    axes.set_xticks(pages, [f"{count:,}" for count in pages])
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    axes.legend(fontsize=8)
    _save(figure, path)
