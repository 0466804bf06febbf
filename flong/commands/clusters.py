"""`flong clusters`: list groups of pages with the same template."""

import argparse
from collections.abc import Iterator, Sequence
from typing import ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import Row, harmless
from flong.listing import Listing
from flong.states import TemplateKind
from flong.storage import Site, Store

LISTING = Listing(
    title="Clusters",
    kinds=tuple(TemplateKind),
    when="found",
    happened="first found",
    empty="Nothing was learned yet.",
)
SAMPLES = 3
"""Number of example URLs per cluster."""


class ClustersCommand(Command):
    """List the clusters of sites, largest first."""

    group = Group.LOOK
    summary: ClassVar[str] = "List the templates of sites: size, medoid page, kind"
    examples: ClassVar[str] = """
        flong clusters
        flong clusters news.example --kind article --json
        flong clusters news.example --dendrogram
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, filters and --dendrogram."""
        add_sites_argument(parser)
        LISTING.add_arguments(parser)
        parser.add_argument("--dendrogram", action="store_true", help="draw the dendrogram instead")

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row per cluster."""
        sites = chosen_sites(store, options.sites)
        if options.dendrogram:
            _draw(store, sites)
            return DONE
        rows = (row for site in sites for row in _rows(store, site))
        LISTING.show(rows, options)
        return DONE


def _draw(store: Store, sites: Sequence[Site]) -> None:
    from flong.stages.dendrogram import DendrogramCache, draw_text  # noqa: PLC0415 - loads the compiler

    dendrograms = DendrogramCache(store)
    for site in sites:
        drawing = dendrograms.drawing(site)
        print(site.name)
        print("Nothing was learned yet." if drawing is None else harmless(draw_text(drawing)))


def _rows(store: Store, site: Site) -> Iterator[Row]:
    clusters = store.templates.clusters(site)
    urls = {row.id: row.url for row in store.pages.rows(site, with_html=False)}
    total = sum(cluster.size for cluster in clusters)
    for cluster in clusters:
        samples = [urls[member.page_id] for member in cluster.members[1 : SAMPLES + 1]]
        yield {
            "cluster": cluster.id,
            "site": site.name,
            "kind": cluster.kind,
            "pages": cluster.size,
            "share": cluster.size / total,
            "radius": cluster.radius,
            "found": cluster.first_seen,
            "medoid": urls.get(cluster.medoid_id or 0, ""),
            "also": samples,
        }
