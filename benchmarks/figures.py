"""Plots in the documentation, as SVG files. Needs matplotlib (`make bench-setup`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

Row = Mapping[str, Any]
PRINTED_F1 = (0.5093, 0.9, 0.9496)
"""F1 in the V-Wrapper paper with one, three (over .90) and 16 training sites."""


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


def draw_training_sites(rows: Sequence[Row], path: Path) -> None:
    """Draw leaf F1 by number of training sites (V-Wrapper, Figure 5)."""
    figure, axes = _new("Leaf F1 by number of training sites")
    counts = [row["training sites"] for row in rows]
    for name in ("as printed", "mended"):
        axes.plot(counts, [row[name] for row in rows], marker="o", label=name)
    axes.plot([1, 3, 16], PRINTED_F1, "x", color="grey", label="the paper")
    axes.set(xlabel="training sites", ylabel="leaf F1", xscale="log", ylim=(0, 1))
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    _save(figure, axes, path)


def draw_sites(rows: Sequence[Row], path: Path) -> None:
    """Draw leaf F1 by site, one line per method, easiest site first (V-Wrapper, Figure 6)."""
    figure, axes = _new("Leaf F1 by site", width=9)
    ordered = sorted(rows, key=lambda row: -row["as printed"])
    sites = [row["site"] for row in ordered]
    for name in [name for name in rows[0] if name != "site"]:
        axes.plot(sites, [row[name] for row in ordered], marker="o", label=name)
    axes.set(ylim=(0, 1.02))
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
