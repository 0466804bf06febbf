"""`flong mcp`: the articles for programs that speak the Model Context Protocol."""

import argparse
from typing import ClassVar

from flong.command import DONE, Command, Group
from flong.search.mcp_server import make_server
from flong.storage import Store


class McpCommand(Command):
    """Answers on standard input and output until its caller goes away."""

    group = Group.SEARCH
    summary: ClassVar[str] = "Let programs search and read the articles, by MCP"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        flong mcp
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take nothing."""

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Serve the tools; nothing can be changed by them."""
        make_server(store, self.searching()).run("stdio")
        return DONE
