"""What the index costs, and what a search does, on many articles."""

import random
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import text as sql
from sqlalchemy.exc import OperationalError

from benchmarks.search_store import Text, fill
from flong.search import index_terms, signature
from flong.storage import Store
from flong.storage.search import Search, SearchIndex, SearchSettings

SEARCHES = 40
"""Searches of each length."""
COMPARED = 20_000
"""Articles up to which stories are found too: mixed ones share more sentences than real ones."""
UNSPACED = 20
"""Characters of a word on average from which on a text is taken to be without spaces."""
_SENTENCE = re.compile(r"(?<=[.!?。؟])\s+|\n+")


def measure_cost(texts: Sequence[Text], sizes: Sequence[int]) -> None:
    """Print times and sizes for databases of so many articles; further ones are mixed."""
    chance = random.Random(5)  # noqa: S311 - repeatable
    _measure_folding(texts)
    for size in sizes:
        many = [*texts[:size], *_mixed(texts, size - len(texts), chance)]
        with tempfile.TemporaryDirectory() as folder:
            _measure_database(many, Path(folder) / "flong.db", chance)


def _measure_folding(texts: Sequence[Text]) -> None:
    begin = time.process_time()
    folded = [index_terms(text.body) for text in texts]
    folding = (time.process_time() - begin) * 1000 / len(texts)
    begin = time.process_time()
    for terms in folded:
        signature(terms)
    signing = (time.process_time() - begin) * 1000 / len(texts)
    print(f"folding {folding:.2f} ms, signature {signing:.2f} ms an article")


def _mixed(texts: Sequence[Text], count: int, chance: random.Random) -> list[Text]:
    """Return articles made of sentences of one language's articles."""
    sentences: dict[str, list[str]] = {}
    for text in texts:
        sentences.setdefault(text.language, []).extend(_SENTENCE.split(text.body))
    made = []
    for number in range(count):
        like = chance.choice(texts)
        known = sentences[like.language]
        body = "\n".join(chance.choices(known, k=chance.randint(8, 40)))
        title = chance.choice(known)[:80]
        url = f"https://corpus.example/{number}"
        made.append(Text(url=url, title=title, body=body, language=like.language))
    return made


def _measure_database(texts: Sequence[Text], path: Path, chance: random.Random) -> None:
    with Store.open(f"sqlite:///{path}") as store:
        begin = time.process_time()
        fill(store, texts)
        filled = time.process_time() - begin
        begin = time.process_time()
        if len(texts) <= COMPARED:
            SearchIndex(store).find_stories()
        compared = time.process_time() - begin
        bodies = sum(len(each.body.encode()) for each in texts)
        grown = _index_bytes(store)
        print(
            f"{len(texts)} articles, {bodies / 1e6:.0f} MB of bodies: stored and indexed in"
            f" {filled * 1000 / len(texts):.2f} ms each, compared in"
            f" {compared * 1000 / len(texts):.2f} ms each; the index has {grown / 1e6:.0f} MB,"
            f" {grown / bodies:.0%} of the bodies"
        )
        _measure_searches(store, texts, chance)


def _index_bytes(store: Store) -> int:
    """Return the size of all that search added to the database."""
    query = (
        "SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'search_%' OR name LIKE '%_search_%'"
        " OR name LIKE '%stories%'"
    )
    with store.reading() as connection:
        try:
            return int(connection.execute(sql(query)).scalar_one() or 0)
        except OperationalError:  # an SQLite without dbstat
            return 0


def _measure_searches(store: Store, texts: Sequence[Text], chance: random.Random) -> None:
    """Time searches with 100 hits, stories and 20 summaries: CPU of this process."""
    settings = SearchSettings(limit=20, depth=100)
    for size, name in ((1, "a word"), (2, "two words"), (3, "three words"), (0, "a phrase")):
        times, totals = [], []
        for _ in range(SEARCHES):
            query = _query(chance.choice(texts).body, size, chance)
            begin = time.process_time()
            totals.append(Search(store).find(query, settings).total)
            times.append((time.process_time() - begin) * 1000)
        middle, high = statistics.median(times), sorted(times)[int(0.9 * len(times))]
        print(
            f"  {name}: median {middle:.0f} ms, 90 % within {high:.0f} ms, all within"
            f" {max(times):.0f} ms; median of {statistics.median(totals):.0f} hits,"
            f" most {max(totals)}"
        )


def _query(body: str, size: int, chance: random.Random) -> str:
    """Return so many words of a text; for 0 two or three that stand side by side, in quotes.

    Of a text without spaces, or nearly so, a few of its characters.
    """
    words = body.split() or ["news"]
    if size:
        return " ".join(chance.choice(index_terms(body) or words) for _ in range(size))
    start = chance.randrange(len(words))
    typed = " ".join(words[start : start + chance.choice([2, 3])]).replace('"', "")
    if len(body) > UNSPACED * len(words):
        start = chance.randrange(len(typed))
        typed = typed[start : start + chance.randint(3, 6)]
    return f'"{typed}"'
