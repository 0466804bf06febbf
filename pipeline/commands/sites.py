"""`scrapy sites`: what is in the database."""

import argparse
from typing import ClassVar

from pipeline.command import DONE, Command, add_json_argument, add_sites_argument, chosen_sites
from pipeline.screen import show_rows
from storage import Store


class SitesCommand(Command):
    """Lists the sites with what is known of each."""

    summary: ClassVar[str] = "List the sites in the database"
    examples: ClassVar[str] = """
        scrapy sites
        scrapy sites news.example --json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites and --json."""
        add_sites_argument(parser)
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row for each site."""
        rows = store.view("v_site_summary", chosen_sites(store, options.sites))
        show_rows("Sites", rows, as_json=options.json, empty="No site yet: crawl or load one.")
        return DONE
