"""The articles for programs that speak the Model Context Protocol: read only, the extra `mcp`."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from flong.errors import PipelineError
from flong.search.output import result_row
from flong.stages.exports import plain_values
from flong.storage import Store
from flong.storage.search import Search, SearchSettings

LONGEST = 50
"""Results that one call gives at most."""
INSTRUCTIONS = (
    'News articles of crawled sites. Queries have words, "phrases", -word, title:, author:, '
    "section:, site:, language:, since: and until: (a day, a month, a year, or 7d)."
)


def make_server(store: Store, settings: SearchSettings) -> Any:
    """Return a server with the tools `search`, `read_article`, `list_sites` and `what_is_new`."""
    try:
        from mcp.server import MCPServer  # noqa: PLC0415 - large, and an extra
    except ModuleNotFoundError as error:
        raise PipelineError("This needs mcp. Run: pip install 'flong[mcp]'") from error
    server = MCPServer("flong", instructions=INSTRUCTIONS)

    @server.tool()
    def search(query: str, limit: int = 10) -> list[dict[str, Any]]:
        """Search the articles of all sites: title, URL, summary and copies, the best first."""
        return _results(store, query, limit, settings)

    @server.tool()
    def read_article(article: int) -> dict[str, Any]:
        """Return the whole article of this id, as `search` gives it."""
        found = store.articles.find(article)
        if found is None:
            raise ValueError(f"There is no article {article}.")
        return plain_values(found)

    @server.tool()
    def list_sites() -> list[str]:
        """Return the names of the sites."""
        return [site.name for site in store.sites.all()]

    @server.tool()
    def what_is_new(query: str = "", hours: int = 24, limit: int = 20) -> list[dict[str, Any]]:
        """Return the articles that were first found within some hours, the latest first."""
        since = datetime.now(UTC) - timedelta(hours=hours)
        recent = replace(settings, found_since=since, is_latest_first=True)
        return _results(store, query, limit, recent)

    return server


def _results(
    store: Store, query: str, limit: int, settings: SearchSettings
) -> list[dict[str, Any]]:
    shown = replace(settings, limit=max(1, min(limit, LONGEST)))
    rows = [result_row(each) for each in Search(store).find(query, shown).results]
    return [{name: value for name, value in row.items() if name != "body"} for row in rows]
