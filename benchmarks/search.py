"""Quality of search on the articles of the corpus: `python -m benchmarks.search [PART ...]`.

`known`: 200 articles per language, each searched by 3 to 5 content words of its text, beside plain
FTS5 and `LIKE`. `summaries`: the summaries that these searches show. `stories`: planted rewrites,
beside MinHash (needs rensa: `make bench-setup`).
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
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import py3langid

from benchmarks.corpus import find_sites
from flong.article import Article
from flong.decision import Decision
from flong.page import Page
from flong.search import (
    Signatures,
    containment,
    index_terms,
    parse_query,
    signature,
    summarise,
)
from flong.search.stories import REDUNDANT, estimate, term_trigrams
from flong.states import RunKind, Verdict
from flong.storage import Store
from flong.storage.search import Search, SearchSettings

TODAY = date(2026, 1, 1)
BATCH = 200
"""Number of articles stored at a time."""
FIRST = datetime(2020, 1, 1, tzinfo=UTC)
"""Publication time of the first stored article."""
QUERIES = 200
"""Number of known-item searches per language."""
FEWEST = 30
"""Minimum number of articles of a measured language."""
SAMPLE = 600
"""Number of articles that are rewritten."""
PAIRS = 26_000
"""Number of pairs of articles of one site that are compared."""
MIXES = ((0.9, 0.0), (0.7, 0.0), (0.7, 0.1), (0.5, 0.0), (0.5, 0.3), (0.35, 0.5))
"""Fractions of kept and of foreign sentences."""
_SPACED = re.compile(r"\b[^\W\d_]{4,}\b")
_UNSPACED = re.compile(r"[\u4e00-\u9fff]{2,4}|[\u30a1-\u30fa\u30fc]{3,}")

_END = re.compile(r"(?<=[.!?。؟])\s*|\n+")

Finder = Callable[[Sequence[str]], list[int]]
"""Takes words, returns positions of texts, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """An article of the corpus."""

    url: str
    """Its URL."""
    title: str
    """The headline."""
    body: str
    """The text."""
    language: str
    """ISO 639-1 code."""


@dataclass(frozen=True, slots=True)
class Known:
    """An article that is looked for."""

    position: int
    """Its position."""
    words: tuple[str, ...]
    """Words of the query."""


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


def fill(store: Store, texts: Sequence[Text]) -> list[int]:
    """Store articles, an hour apart; return the ids of their pages, in order."""
    site = store.sites.add("https://corpus.example/")
    run = store.runs.start(site, RunKind.EXTRACT)
    ids: list[int] = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        urls = [f"https://corpus.example/{start + number}" for number, _ in enumerate(batch)]
        pages = [Page(url=url, html=f"<p>{url}", fetched_at=FIRST) for url in urls]
        store.pages.save(site, run, pages)
        first = (ids[-1] if ids else 0) + 1
        numbers = list(range(first, first + len(batch)))
        rows = [
            Decision(
                page_id=number,
                content_hash="",
                model_version=1,
                verdict=Verdict.ARTICLE,
                reason="",
                article=Article(
                    url=url,
                    title=text.title,
                    body=text.body,
                    language=text.language,
                    published=FIRST + timedelta(hours=number),
                ),
            )
            for number, url, text in zip(numbers, urls, batch, strict=True)
        ]
        store.extractions.save(site, run, rows)
        ids += numbers
    return ids


def choose(texts: Sequence[Text], chance: random.Random) -> dict[str, list[Known]]:
    """Return the searches of each language: articles, by words of their bodies.

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
    """Return a finder that uses flong's search, without grouping."""
    positions = {page_id: position for position, page_id in enumerate(ids)}
    settings = SearchSettings(depth=10)

    def find(words: Sequence[str]) -> list[int]:
        hits = Search(store).hits(parse_query(" ".join(words), TODAY), settings).best
        return [positions[hit.page_id] for hit in hits]

    return find


def by_fts5(texts: Sequence[Text]) -> Finder:
    """Return a finder that uses plain FTS5 with all words."""
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
    """Return a finder that uses `LIKE` with all words, latest article first."""
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
    """Print the number of summaries with all terms, and of those with foreign text."""
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


def measure_stories(texts: Sequence[Text], chance: random.Random) -> None:
    """Print recall on rewrites by exact containment, by signatures and by MinHash bands."""
    long = [text for text in texts if len(index_terms(text.body)) >= 60]
    sample = chance.sample(long, min(SAMPLE, len(long)))
    print(f"{'kept':>6}{'foreign':>9}{'exact':>9}{'flong':>9}{'MinHash 32x4':>14}{'42x3':>8}")
    for kept, foreign in MIXES:
        found = [_found(text, _rewritten(text, long, kept, foreign, chance)) for text in sample]
        shares = [sum(each) / len(found) for each in zip(*found, strict=True)]
        exact, ours, four, three = shares
        print(f"{kept:>6.0%}{foreign:>9.0%}{exact:>9.3f}{ours:>9.3f}{four:>14.3f}{three:>8.3f}")
    _measure_false(long, chance)


def _rewritten(
    text: Text, others: Sequence[Text], kept: float, foreign: float, chance: random.Random
) -> str:
    """Return a part of a text's sentences mixed with sentences of another one, shuffled."""
    sentences = [each for each in _END.split(text.body) if each]
    other = chance.choice([each for each in others if each.language == text.language])
    added = [each for each in _END.split(other.body) if each]
    mix = chance.sample(sentences, max(1, round(kept * len(sentences))))
    mix += chance.sample(added, min(len(added), round(foreign * len(sentences))))
    chance.shuffle(mix)
    return " ".join(mix)


def _found(text: Text, rewrite: str) -> tuple[bool, bool, bool, bool]:
    exact = containment(text.body, rewrite) >= REDUNDANT
    own, other = index_terms(text.body), index_terms(rewrite)
    known = Signatures({1: signature(own)})
    ours = exact and any(known.resembling(signature(other)))
    one, two = _digest(text.body), _digest(rewrite)
    return exact, ours, exact and _share_band(one, two, 4), exact and _share_band(one, two, 3)


def _digest(text: str) -> list[int]:
    from rensa import RMinHash  # noqa: PLC0415 - only the extra `bench` has it

    sketch = RMinHash(num_perm=128, seed=42)
    sketch.update([" ".join(trigram) for trigram in term_trigrams(text)])
    return list(sketch.digest())


def _share_band(one: Sequence[int], two: Sequence[int], rows: int) -> bool:
    starts = range(0, len(one) - rows + 1, rows)
    return any(one[at : at + rows] == two[at : at + rows] for at in starts)


def _measure_false(texts: Sequence[Text], chance: random.Random) -> None:
    """Print the number of redundant pairs of one site, and of pairs with similar signatures."""
    hosts: dict[str, list[Text]] = {}
    for text in texts:
        hosts.setdefault(text.url.split("/")[2], []).append(text)
    lists = [each for each in hosts.values() if len(each) > 1]
    weights = [len(each) for each in lists]
    redundant = suggested = 0
    for among in chance.choices(lists, weights, k=PAIRS):
        one, other = chance.sample(among, 2)
        signed = [signature(index_terms(each.body)) for each in (one, other)]
        if estimate(*signed) >= 0.3:
            suggested += 1
            redundant += containment(one.body, other.body) >= REDUNDANT
    print(f"of {PAIRS} pairs of one site {suggested} are compared, {redundant} are redundant")


def run(parts: Iterable[str], names: Sequence[str]) -> None:
    """Measure these parts on these sites, or on all."""
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


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    everything = ("known", "summaries", "stories")
    parser.add_argument("part", nargs="*", default=everything, help=", ".join(everything))
    parser.add_argument(
        "--site", action="append", default=[], help="only this site; may be repeated"
    )
    arguments = parser.parse_args()
    run(arguments.part, arguments.site)


if __name__ == "__main__":
    main()
