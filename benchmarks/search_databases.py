"""Whether both databases find the same, by many queries on real articles."""

import random
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path

from sqlalchemy import text

from benchmarks.search_store import Text, fill
from flong.search import index_terms, parse_query
from flong.storage import Store
from flong.storage.search import Search, SearchSettings
from tests.databases import find_postgresql, run_postgresql

ARTICLES = 2000
"""Articles in each database, drawn at random."""
QUERIES = 500
"""Queries, each made of an article."""
TODAY = date(2026, 1, 1)
_EVERYTHING = SearchSettings(depth=ARTICLES, limit=0)


def compare_databases(texts: Sequence[Text], chance: random.Random) -> None:
    """Print for how many queries SQLite and PostgreSQL find the same articles."""
    programs = find_postgresql()
    if programs is None:
        print("PostgreSQL or psycopg is not installed: the databases are not compared.")
        return
    chosen = chance.sample(list(texts), min(ARTICLES, len(texts)))
    queries = [generate_query(chance.choice(chosen), chance) for _ in range(QUERIES)]
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(run_postgresql(programs))
        found = []
        for url in (f"sqlite:///{Path(folder)}/flong.db", server.create()):
            with Store.open(url) as store:
                fill(store, chosen)
                found.append([_hits(store, query) for query in queries])
                if store.engine.dialect.name == "postgresql":
                    _print_sizes(store, sum(len(text.body.encode()) for text in chosen))
    different = [q for q, one, other in zip(queries, *found, strict=True) if one != other]
    some = sum(map(bool, found[0]))
    hits = sum(map(len, found[0]))
    print(
        f"{len(queries)} queries on {len(chosen)} articles, {some} with hits, {hits} hits:"
        f" {len(different)} differ between SQLite and PostgreSQL"
    )
    for query in different[:10]:
        print(f"  {query}")


def _print_sizes(store: Store, bodies: int) -> None:
    """Print what search takes on PostgreSQL, of the bytes of the bodies."""
    tables = {"terms": "pg_table_size('search_index')", "index": "pg_indexes_size('search_index')"}
    tables["rows"] = "pg_total_relation_size('search_documents')"
    with store.reading() as connection:
        for name, size in tables.items():
            taken = connection.execute(text(f"SELECT {size}")).scalar_one()
            print(f"{name}: {taken / bodies:.0%} of {bodies / 1e6:.0f} MB", end="; ")
    print()


def generate_query(text: Text, chance: random.Random) -> str:
    """Return words, phrases, exclusions and filters such as a user would type, from an article."""
    terms = text.body.split() or [text.title]
    parts = [_part(terms, chance) for _ in range(chance.randint(1, 3))]
    headline = index_terms(text.title) or ["news"]
    others = (
        f"title:{chance.choice(headline)}",
        f"language:{text.language}",
        f"-language:{text.language}",
        f"since:20{chance.randint(20, 21)}-0{chance.randint(1, 9)}",
        f"until:2020-{chance.randint(1, 12)}",
        "-site:corpus.example",
    )
    if chance.random() < 0.4:
        parts.append(chance.choice(others))
    return " ".join(parts)


def _part(words: Sequence[str], chance: random.Random) -> str:
    start, size = chance.randrange(len(words)), chance.choice([1, 1, 1, 2, 3])
    typed = " ".join(words[start : start + size]).replace('"', "")
    if not words[start].isascii():  # perhaps without spaces: any run of characters
        begin = chance.randrange(len(typed))
        typed = typed[begin : begin + chance.randint(1, 6)]
    minus = "-" if chance.random() < 0.15 else ""
    return f'{minus}"{typed}"' if size > 1 or chance.random() < 0.3 else f"{minus}{typed}"


def _hits(store: Store, query: str) -> set[int]:
    found = Search(store).hits(parse_query(query, TODAY), _EVERYTHING)
    return {hit.page_id for hit in found.best}
