"""The Model Context Protocol server, called by a real client."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest

from flong.storage import Store
from tests.stages.test_search import add, article

mcp = pytest.importorskip("mcp")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Return a function that calls tools of `scrapy mcp` and returns their results."""
    from mcp.client.stdio import stdio_client  # noqa: PLC0415 - an extra

    database = f"sqlite:///{tmp_path_factory.mktemp('mcp') / 'flong.db'}"
    with Store.open(database) as store:
        texts = {
            "a": article("Rain", "It rained in Linden.", published=datetime.now(UTC)),
            "b": article("Sun", "The sun shone."),
        }
        add(store, "news.example", texts)
    server = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "scrapy", "mcp"],
        env=os.environ | {"FLONG_DATABASE": database, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
    )

    async def call(calls):
        async with stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            return [await session.call_tool(name, given) for name, given in calls]

    def ask(*calls):
        # In a thread of its own: the browser of another test may run a loop in this one.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(anyio.run, call, calls).result()

    return ask


def rows_of(result):
    return [json.loads(part.text) for part in result.content]


def test_articles_are_found_read_and_listed(ask):
    found, sites, new, missing = ask(
        ("search", {"query": "linden"}),
        ("list_sites", {}),
        ("what_is_new", {"hours": 1}),
        ("read_article", {"article": 999}),
    )
    (row,) = rows_of(found)
    assert (row["title"], row["summary"]) == ("Rain", ["It rained in Linden."])
    assert "body" not in row
    assert "news.example" in sites.content[0].text
    assert {"Rain", "Sun"} == {each["title"] for each in rows_of(new)}
    assert missing.is_error
    assert missing.content[0].text.endswith("There is no article 999.")
    (whole,) = ask(("read_article", {"article": row["article"]}))
    assert rows_of(whole)[0]["body"] == "It rained in Linden."


def test_hostile_arguments_are_refused_or_bounded(ask):
    refused = [
        ("read_article", {"article": 10**23}),
        ("read_article", {"article": -(10**23)}),
        ("read_article", {"article": "x"}),
        ("search", {"query": 5}),
        ("search", {}),
        ("what_is_new", {"hours": "nan"}),
        ("nothing", {}),
    ]
    bounded = [
        ("search", {"query": "a* " * 20_000}),
        ("search", {"query": "'; DROP TABLE sites --"}),
        ("search", {"query": "rain", "limit": 10**23}),
        ("search", {"query": "rain", "limit": -(10**23)}),
        ("what_is_new", {"hours": 10**23}),
        ("what_is_new", {"hours": -(10**23)}),
    ]
    answers = ask(*refused, *bounded)
    assert [answer.is_error for answer in answers] == [True] * len(refused) + [False] * len(bounded)
    assert answers[0].content[0].text.endswith(f"There is no article {10**23}.")
