"""How well and how fast articles are found: `python -m benchmarks.search [PART ...]`.

`known`: for each language 200 articles are looked for by 3 to 5 content words of their text, beside
`LIKE` and plain FTS5. `summaries`: what the same searches show. `stories`: planted rewrites, beside
MinHash. `cost`: what the index costs, and what a search does, at `--articles` articles. `share`:
what the index adds to the extraction of real pages. `databases`: whether SQLite and PostgreSQL find
the same.
"""

import argparse
import random
import re
import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import py3langid

from benchmarks.corpus import find_sites
from benchmarks.search_cost import measure_cost
from benchmarks.search_databases import compare_databases
from benchmarks.search_store import Text, fill
from benchmarks.search_stories import measure_stories
from flong.search import index_terms, parse_query, summarise
from flong.storage import Store
from flong.storage.search import Search, SearchSettings

TODAY = date(2026, 1, 1)
QUERIES = 200
"""Articles of a language that are looked for."""
FEWEST = 30
"""Articles that a language must have to be measured."""
_SPACED = re.compile(r"\b[^\W\d_]{4,}\b")
_UNSPACED = re.compile(r"[\u4e00-\u9fff]{2,4}|[\u30a1-\u30fa\u30fc]{3,}")

Finder = Callable[[Sequence[str]], list[int]]
"""Takes words, returns positions of texts, the best first."""


@dataclass(frozen=True, slots=True)
class Known:
    """An article that is looked for."""

    position: int
    """Which one."""
    words: tuple[str, ...]
    """By what."""


def load(names: Sequence[str]) -> list[Text]:
    """Return the true articles of the corpus."""
    texts = []
    for site in find_sites(names):
        for path, truth in site.truth.items():
            body = truth.body or ""
            language, _ = py3langid.classify(f"{truth.title} {body[:1500]}")
            url = site.url(path)
            texts.append(Text(url=url, title=truth.title, body=body, language=language))
    return texts


def choose(texts: Sequence[Text], chance: random.Random) -> dict[str, list[Known]]:
    """Return what is looked for in each language: articles, by words of their bodies.

    Content words are those that are not among the most frequent 300 of their language.
    """
    by_language: dict[str, list[int]] = defaultdict(list)
    for position, text in enumerate(texts):
        by_language[text.language].append(position)
    chosen = {}
    for language, positions in sorted(by_language.items()):
        if len(positions) < FEWEST:
            continue
        pattern = _UNSPACED if language in ("ja", "zh") else _SPACED
        frequent = Counter(w for p in positions for w in set(pattern.findall(texts[p].body)))
        usual = {word for word, _ in frequent.most_common(300)}
        known: list[Known] = []
        for position in chance.choices(positions, k=QUERIES * 3):
            content = sorted(set(pattern.findall(texts[position].body)) - usual)
            if len(content) >= 5 and len(known) < QUERIES:
                words = chance.sample(content, chance.randint(3, 5))
                known.append(Known(position, tuple(words)))
        chosen[language] = known
    return chosen


def by_flong(store: Store, ids: Sequence[int]) -> Finder:
    """Return what searches as `scrapy search` does, every article by itself."""
    positions = {page_id: position for position, page_id in enumerate(ids)}
    settings = SearchSettings(depth=10)

    def find(words: Sequence[str]) -> list[int]:
        hits = Search(store).hits(parse_query(" ".join(words), TODAY), settings).best
        return [positions[hit.page_id] for hit in hits]

    return find


def by_fts5(texts: Sequence[Text]) -> Finder:
    """Return what asks plain FTS5 for all words."""
    connection = sqlite3.connect(":memory:")
    tokenizer = "unicode61 remove_diacritics 2"
    connection.execute(f"CREATE VIRTUAL TABLE t USING fts5 (title, body, tokenize='{tokenizer}')")
    rows = ((position, text.title, text.body) for position, text in enumerate(texts))
    connection.executemany("INSERT INTO t (rowid, title, body) VALUES (?, ?, ?)", rows)

    def find(words: Sequence[str]) -> list[int]:
        query = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 5, 1) LIMIT 10"
        asked = " AND ".join(f'"{word}"' for word in words)
        return [row for (row,) in connection.execute(query, [asked])]

    return find


def by_like(texts: Sequence[Text]) -> Finder:
    """Return what asks for all words with `LIKE`, the latest article first."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (title, body)")
    rows = ((position, text.title, text.body) for position, text in enumerate(texts))
    connection.executemany("INSERT INTO t (rowid, title, body) VALUES (?, ?, ?)", rows)

    def find(words: Sequence[str]) -> list[int]:
        where = " AND ".join("title || ' ' || body LIKE ?" for _ in words)
        query = f"SELECT rowid FROM t WHERE {where} ORDER BY rowid DESC LIMIT 10"  # noqa: S608 - ours
        return [row for (row,) in connection.execute(query, [f"%{word}%" for word in words])]

    return find


def measure_known(finders: dict[str, Finder], chosen: dict[str, list[Known]]) -> None:
    """Print success at 1 and at 10 and the mean reciprocal rank, by language."""
    print(f"{'language':<10}{'queries':>8}", *(f"{name:^24}" for name in finders))
    print(" " * 18, *("     @1    @10    MRR    " for _ in finders))
    for language, known in chosen.items():
        cells = []
        for find in finders.values():
            ranks = [_rank(find(each.words), each.position) for each in known]
            shares = (
                sum(rank == 1 for rank in ranks) / len(ranks),
                sum(rank > 0 for rank in ranks) / len(ranks),
                sum(1 / rank for rank in ranks if rank) / len(ranks),
            )
            cells.append("".join(f"{share:7.3f}" for share in shares) + "   ")
        print(f"{language:<10}{len(known):>8}", *cells)


def _rank(found: Sequence[int], wanted: int) -> int:
    return found.index(wanted) + 1 if wanted in found else 0


def measure_summaries(texts: Sequence[Text], chosen: dict[str, list[Known]]) -> None:
    """Print how many summaries have all terms asked for, and whether all is in the body."""
    print(f"{'language':<10}{'summaries':>10}{'all terms':>11}{'not in body':>13}{'ms':>7}")
    for language, known in chosen.items():
        whole = foreign = 0
        spent = 0.0
        for each in known:
            text = texts[each.position]
            terms = parse_query(" ".join(each.words), TODAY).terms
            begin = time.process_time()
            summary = summarise(text.body, terms, text.language)
            spent += (time.process_time() - begin) * 1000 / len(known)
            shown = {term for excerpt in summary for term in index_terms(excerpt.text)}
            whole += set(terms) & set(index_terms(text.body)) <= shown
            foreign += any(excerpt.text not in text.body for excerpt in summary)
        share = whole / len(known)
        print(f"{language:<10}{len(known):>10}{share:>11.3f}{foreign:>13}{spent:>7.2f}")


def run(parts: Iterable[str], names: Sequence[str], sizes: Sequence[int]) -> None:
    """Measure what is asked for."""
    texts = load(names)
    chance = random.Random(17)  # noqa: S311 - repeatable
    chosen = choose(texts, chance)
    if "known" in parts:
        with (
            tempfile.TemporaryDirectory() as folder,
            Store.open(f"sqlite:///{Path(folder)}/flong.db") as store,
        ):
            flong = by_flong(store, fill(store, texts))
            measure_known({"flong": flong, "FTS5": by_fts5(texts), "LIKE": by_like(texts)}, chosen)
    if "summaries" in parts:
        measure_summaries(texts, chosen)
    if "stories" in parts:
        measure_stories(texts, chance)
    if "cost" in parts:
        measure_cost(texts, sizes)
    if "databases" in parts:
        compare_databases(texts, chance)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    everything = ("known", "summaries", "stories", "cost", "databases")
    parser.add_argument("part", nargs="*", default=everything, help=", ".join(everything))
    parser.add_argument("--site", action="append", default=[], help="of these sites only")
    parser.add_argument("--articles", type=int, action="append", default=[], help="for `cost`")
    arguments = parser.parse_args()
    run(arguments.part, arguments.site, arguments.articles or [13_000])


if __name__ == "__main__":
    main()
