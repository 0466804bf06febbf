"""Server for the Model Context Protocol: read-only access to articles. Needs the extra `mcp`."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from flong.errors import PipelineError
from flong.search.output import result_row
from flong.stages.exports import plain_values
from flong.storage import Store
from flong.storage.search import Search, SearchSettings

LONGEST = 50
"""Maximum results per call."""
_END_OF_IDS = 2**63
"""First number that the database does not store."""
_LONGEST_HOURS = 100 * 366 * 24
"""Maximum age of new articles: 100 years."""
INSTRUCTIONS = (
    'News articles of crawled sites. Queries have words, "phrases", -word, title:, author:, '
    "section:, site:, language:, since: and until: (a day, a month, a year, or 7d)."
)


def make_server(store: Store, settings: SearchSettings) -> Any:
    """Return a server with the tools `search`, `read_article`, `list_sites` and `what_is_new`."""
    try:
        from mcp.server import MCPServer  # noqa: PLC0415 - large, and an extra
        from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise PipelineError("The MCP server needs mcp. Run: pip install 'flong[mcp]'") from error
    server = MCPServer("flong", instructions=INSTRUCTIONS)

    @server.tool()
    def search(query: str, limit: int = 10) -> list[dict[str, Any]]:
        """Search the articles of all sites, best match first: title, URL, summary and copies."""
        return _results(store, query, limit, settings)

    @server.tool()
    def read_article(article: int) -> dict[str, Any]:
        """Return the full article with this id, as given by `search`."""
        found = store.articles.find(article) if 0 < article < _END_OF_IDS else None
        if found is None:
            raise ToolError(f"There is no article {article}.")
        return plain_values(found)

    @server.tool()
    def list_sites() -> list[str]:
        """Return the names of the sites."""
        return [site.name for site in store.sites.all()]

    @server.tool()
    def what_is_new(query: str = "", hours: int = 24, limit: int = 20) -> list[dict[str, Any]]:
        """Return articles first found in the last `hours` hours, latest first."""
        since = datetime.now(UTC) - timedelta(hours=max(0, min(hours, _LONGEST_HOURS)))
        recent = replace(settings, found_since=since, is_latest_first=True)
        return _results(store, query, limit, recent)

    return server


def _results(
    store: Store, query: str, limit: int, settings: SearchSettings
) -> list[dict[str, Any]]:
    shown = replace(settings, limit=max(1, min(limit, LONGEST)))
    rows = [result_row(each) for each in Search(store).find(query, shown).results]
    return [{name: value for name, value in row.items() if name != "body"} for row in rows]
