"""`flong mcp`: give programs access to articles by the Model Context Protocol."""

import argparse
from typing import ClassVar

from flong.command import DONE, Command, Group
from flong.search.mcp_server import make_server
from flong.storage import Store


class McpCommand(Command):
    """Serve on standard input and output until the caller disconnects."""

    group = Group.SEARCH
    summary: ClassVar[str] = "Serve search and articles to programs over MCP"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        flong mcp
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add no arguments."""

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Serve the tools, which are read-only."""
        make_server(store, self.searching()).run("stdio")
        return DONE
