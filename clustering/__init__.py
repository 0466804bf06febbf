"""Clustering of a site's pages by template."""

from flong.clustering.clusters import Cluster, Clustering, TrackedCluster, carry_over, cluster_pages
from flong.clustering.dendrogram import Dendrogram, draw_lines, read_dendrogram, write_dendrogram
from flong.clustering.distances import rtdm_distance, selkow_distance, simple_tree_matching
from flong.clustering.mapping import map_trees
from flong.clustering.sample import evenly, sample_pages, shuffled, spread
from flong.clustering.skeleton import Skeleton, skeleton_of
from flong.clustering.subtree_distances import RTDM, STM, Costs, SubtreeDistances
from flong.clustering.subtree_index import build_index

__all__ = [
    "RTDM",
    "STM",
    "Cluster",
    "Clustering",
    "Costs",
    "Dendrogram",
    "Skeleton",
    "SubtreeDistances",
    "TrackedCluster",
    "build_index",
    "carry_over",
    "cluster_pages",
    "draw_lines",
    "evenly",
    "map_trees",
    "read_dendrogram",
    "rtdm_distance",
    "sample_pages",
    "selkow_distance",
    "shuffled",
    "simple_tree_matching",
    "skeleton_of",
    "spread",
    "write_dendrogram",
]
