"""Boosted decision trees, loaded from JSON without scikit-learn."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flong.visual.block_tree import Ints, Numbers
from flong.visual.features import columns_of


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostedTrees:
    """A classifier: weighted votes of trees of equal depth (AdaBoost)."""

    names: tuple[str, ...]
    """Names of the features used."""
    classes: int
    """Number of classes."""
    weight: Numbers
    """Weight of each tree; the sum is 1."""
    feature: Ints
    """Position in `names` for each tree and node; the children of node i are 2 i + 1, 2 i + 2."""
    threshold: Numbers
    """Threshold for each tree and node; larger values go to the right child."""
    vote: Ints
    """Class for each tree and leaf."""

    @cached_property
    def _columns(self) -> Ints:
        return columns_of(self.names)

    def points(self, table: Numbers) -> Numbers:
        """Return each class's fraction of the vote, for each row of features."""
        from flong.visual.kernel.loops import add_votes  # noqa: PLC0415 - loads the compiler

        points = np.zeros((len(table), self.classes))
        rows = np.ascontiguousarray(table[:, self._columns])
        add_votes(rows, self.weight, self.feature, self.threshold, self.vote, points)
        return points

    def score(self, table: Numbers) -> Numbers:
        """Return the score of the second of two classes, from -1 to 1."""
        points = self.points(table)
        return points[:, 1] - points[:, 0]

    def to_json(self) -> dict[str, object]:
        """Return the trees in the form that `from_json` reads."""
        return {
            "names": list(self.names),
            "classes": self.classes,
            "weight": [float(f"{value:.5g}") for value in self.weight.tolist()],
            "feature": self.feature.tolist(),
            "threshold": [[float(f"{v:.6g}") for v in tree] for tree in self.threshold.tolist()],
            "vote": self.vote.tolist(),
        }

    @classmethod
    def from_json(cls, data: dict[str, object]) -> "BoostedTrees":
        """Return trees from JSON; raise `ValueError` if the data is invalid."""
        try:
            return cls(
                names=tuple(data["names"]),  # type: ignore[arg-type]
                classes=int(data["classes"]),  # type: ignore[call-overload]
                weight=np.array(data["weight"], np.float64),
                feature=np.array(data["feature"], np.int64),
                threshold=np.array(data["threshold"], np.float64),
                vote=np.array(data["vote"], np.int64),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"invalid boosted trees: {error}") from error
