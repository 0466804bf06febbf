"""The figures of docs/visual.md: Figures 5 and 6 of the paper, on real sites."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib import pyplot as plt

Figures = Mapping[str, float]
PRINTED_F1 = 0.5093
"""The paper's F1 with one training site; from three sites on it has over .90."""


def _save(figure: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _new(title: str, width: float) -> tuple[Any, Any]:
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "flong"  # the same figure gives the same file
    figure, axes = plt.subplots(figsize=(width, 4.2), layout="constrained")
    axes.set(title=title, ylim=(0, 1))
    axes.grid(alpha=0.3)
    return figure, axes


def draw_training_sites(rows: Sequence[tuple[int, Figures]], path: Path) -> None:
    """Draw leaf F1, titles and others taken over the number of training sites (Figure 5)."""
    figure, axes = _new("Unseen sites, by the number of training sites", 7)
    counts = [count for count, _ in rows]
    for name, label in (
        ("leaf_f1", "leaf F1"),
        ("title", "right titles"),
        ("others_taken", "others taken"),
    ):
        axes.plot(counts, [found[name] for _, found in rows], marker="o", label=label)
    axes.plot([1, 3], [PRINTED_F1, 0.9], "x", color="grey", label="the paper: leaf F1")
    axes.set(xlabel="training sites", ylabel="share", xscale="log")
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    axes.legend(fontsize=8)
    _save(figure, path)


def draw_sites(by_method: Mapping[str, Mapping[str, Figures]], path: Path) -> None:
    """Draw the body F1 of each site, a line a method, the easiest site first (Figure 6)."""
    figure, axes = _new("Body F1 by site", 9)
    first = next(iter(by_method.values()))
    sites = sorted(first, key=lambda site: -first[site]["body_f1"])
    for name, found in by_method.items():
        axes.plot(sites, [found[site]["body_f1"] for site in sites], marker="o", label=name)
    axes.tick_params("x", rotation=60)
    axes.legend(fontsize=8)
    _save(figure, path)
