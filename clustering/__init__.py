"""Which pages of a site share a template."""

from clustering.clusters import Cluster, Clustering, cluster_pages
from clustering.dendrogram import Dendrogram, draw_lines, read_dendrogram, write_dendrogram
from clustering.sample import evenly, spread
from clustering.tracking import TrackedCluster, carry_over

__all__ = [
    "Cluster",
    "Clustering",
    "Dendrogram",
    "TrackedCluster",
    "carry_over",
    "cluster_pages",
    "draw_lines",
    "evenly",
    "read_dendrogram",
    "spread",
    "write_dendrogram",
]
