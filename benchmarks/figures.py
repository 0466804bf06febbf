"""Plots in the documentation, as SVG files. Needs matplotlib (`make bench-setup`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

Row = Mapping[str, Any]
PRINTED_F1 = 0.5093
"""F1 in the V-Wrapper paper with one training site; with three or more it is over .90."""


def draw_clusters(rows: Sequence[Row], path: Path) -> None:
    """Draw time per pair by mean tree size, one point per cluster (Figure 10 of Reis et al.)."""
    figure, axes = _new("Clusters of real sites: time of a pair of pages", log=True)
    vertices = np.array([row["vertices"] for row in rows])
    for name, column in (("RTDM", "RTDM ms a pair"), ("unrestricted", "top-down ms a pair")):
        times = np.array([row[column] for row in rows])
        slope, start = np.polyfit(np.log(vertices), np.log(times), 1)
        dots = axes.plot(vertices, times, "o", markersize=4, label=f"{name}: n^{slope:.2f}")
        ends = np.array([vertices.min(), vertices.max()])
        axes.plot(ends, np.exp(start) * ends**slope, color=dots[0].get_color())
    axes.set(xlabel="mean vertices of the trees of a cluster", ylabel="milliseconds a pair")
    _save(figure, axes, path)


def draw_training_sites(rows: Sequence[tuple[int, Row]], path: Path) -> None:
    """Draw leaf F1, titles and others taken by number of training sites (V-Wrapper, Figure 5)."""
    figure, axes = _new("Unseen sites, by the number of training sites")
    counts = [count for count, _ in rows]
    for name, label in (
        ("leaf_f1", "leaf F1"),
        ("title", "right titles"),
        ("others_taken", "others taken"),
    ):
        axes.plot(counts, [found[name] for _, found in rows], marker="o", label=label)
    axes.plot([1, 3], [PRINTED_F1, 0.9], "x", color="grey", label="the paper: leaf F1")
    axes.set(xlabel="training sites", ylabel="share", xscale="log", ylim=(0, 1))
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    _save(figure, axes, path)


def draw_sites(by_method: Mapping[str, Mapping[str, Row]], path: Path) -> None:
    """Draw body F1 by site, one line per method, easiest site first (V-Wrapper, Figure 6)."""
    figure, axes = _new("Body F1 by site", width=9)
    first = next(iter(by_method.values()))
    sites = sorted(first, key=lambda site: -first[site]["body_f1"])
    for name, found in by_method.items():
        axes.plot(sites, [found[site]["body_f1"] for site in sites], marker="o", label=name)
    axes.set(ylim=(0, 1))
    axes.tick_params("x", rotation=60)
    _save(figure, axes, path)


def _new(title: str, *, width: float = 7, log: bool = False) -> tuple[Any, Axes]:
    """Return an empty figure and its axes."""
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "flong"  # the same figure gives the same file
    figure, axes = plt.subplots(figsize=(width, 4.2), layout="constrained")
    scale = "log" if log else "linear"
    axes.set(title=title, xscale=scale, yscale=scale)
    axes.grid(alpha=0.3)
    return figure, axes


def _save(figure: Any, axes: Axes, path: Path) -> None:
    axes.legend(fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
