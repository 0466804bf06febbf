"""Which pages of a site share a template."""

from clustering.clusters import Cluster, Clustering, cluster_shapes
from clustering.dendrogram import Dendrogram, draw_lines
from clustering.identity import Known, carry_over
from clustering.sample import spread

__all__ = [
    "Cluster",
    "Clustering",
    "Dendrogram",
    "Known",
    "carry_over",
    "cluster_shapes",
    "draw_lines",
    "spread",
]
