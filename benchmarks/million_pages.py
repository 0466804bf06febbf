"""How the inspector and the beginning of a night do with a million pages on PostgreSQL.

`python -m benchmarks.million_pages [PAGES] [SITES]`. The rows are synthesised by the server itself;
every site has three templates and fourteen nights behind it, a third of the pages are articles of
random words (the n-th word is 1/n times as frequent as the first), all of them indexed. Printed are
the least of some times, and the CPU that an answer took here and in the server.
"""

import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path

from sqlalchemy import make_url

from benchmarks.inspecting import serving
from flong.search import FOLDING
from flong.storage import Store
from flong.storage.search import Search, SearchSettings
from tests.databases import find_postgresql, run_postgresql

TIMES = 5
NIGHTS = 14
"""Nights that each site has behind it."""
WORDS = 120
"""Words of an article."""
VOCABULARY = 50_000
"""Words that the articles are made of; the n-th is 1/n times as frequent as the first."""
FILL = """
    SET session_replication_role = replica;
    INSERT INTO sites (id, name, url, paused, depth, render, subdomains, created_at)
    SELECT s, 'site' || s || '.example', 'https://site' || s || '.example/', 0, 3, 0, 0,
        '2026-04-01T00:00:00Z' FROM generate_series(1, {sites}) s;
    INSERT INTO runs (id, site_id, kind, status, pid, host, started_at, finished_at, night_id, new,
        changed, unchanged, gone, failed, articles, note)
    SELECT 3 * (d * {sites} + s) + k, s, (ARRAY['nightly', 'crawl', 'extract'])[k + 1], 'done', 1,
        'here', '2026-05-' || lpad((d + 1)::text, 2, '0') || 'T02:0' || k || ':00Z',
        '2026-05-' || lpad((d + 1)::text, 2, '0') || 'T02:10:00Z', 3 * (d * {sites} + s), 10,
        5, 900, 0, 1, 10, ''
    FROM generate_series(0, {nights} - 1) d, generate_series(1, {sites}) s, generate_series(0, 2) k;
    INSERT INTO reports (run_id, needs_look, data)
    SELECT id, (site_id %% 20 = 0)::int, CASE WHEN site_id %% 20 = 0
        THEN '{{"look": ["A date is missing in many articles."]}}' ELSE '{{"look": []}}' END
    FROM runs WHERE kind = 'nightly';
    INSERT INTO clusters (id, site_id, kind, medoid_id, size, radius, run_id, first_seen, last_seen)
    SELECT {sites} * k + s, s, CASE k WHEN 1 THEN 'article' ELSE 'listing' END, s - 1,
        {pages} / {sites} / 3, 0.1, 1, '2026-05-01T02:00:00Z', '2026-05-14T02:00:00Z'
    FROM generate_series(1, {sites}) s, generate_series(0, 2) k;
    INSERT INTO patterns (id, site_id, cluster_id, version, kind, made_from, constants, run_id,
        created_at, text, data)
    SELECT id, site_id, id, 1, kind, 10, 9, run_id, first_seen, '', '' FROM clusters;
    INSERT INTO pattern_nights (run_id, pattern_id, pages, strict, articles, before)
    SELECT r.id, p.id, 10, 9, 5, 10 FROM runs r JOIN patterns p ON p.site_id = r.site_id
    WHERE r.kind = 'nightly' AND p.kind = 'article';
    INSERT INTO pages (id, site_id, url, depth, outcome, run_id, status, encoding, content_hash,
        first_seen, last_seen, changed_at, size, html)
    SELECT n, 1 + n %% {sites}, 'https://site' || 1 + n %% {sites} || '.example/' || n, 1 + n %% 3,
        CASE n / {sites} %% 50 WHEN 1 THEN 'gone' WHEN 2 THEN 'failed' ELSE 'unchanged' END,
        3 * (({nights} - 1 - (n / {sites} %% 50 = 1)::int * (n / {sites} / 50 %% {nights}))
            * {sites} + 1 + n %% {sites}) + 1,
        200, 'utf-8', md5(n::text), '2026-04-01T00:00:00Z',
        '2026-05-01T02:00:00Z', '2026-04-01T00:00:00Z', 1000,
        decode(repeat(md5(n::text), 20), 'hex')
    FROM generate_series(1, {pages}) n;
    INSERT INTO cluster_members (page_id, cluster_id, distance)
    SELECT n, {sites} * ((n / {sites}) %% 3) + 1 + n %% {sites}, 0.1
    FROM generate_series(1, {pages}) n;
    INSERT INTO matches (page_id, content_hash, model_version, pattern_id, fit, constants, verdict,
        score, run_id, extracted_at, kept, reason)
    SELECT m.page_id, md5(m.page_id::text), 1, m.cluster_id,
        CASE WHEN m.page_id %% 9 = 0 THEN 'bounded' ELSE 'strict' END, 9,
        CASE WHEN m.page_id / {sites} %% 3 = 1 THEN 'article' ELSE 'other' END, 0.9, r.id,
        r.finished_at, 'none', ''
    FROM cluster_members m JOIN runs r ON r.kind = 'extract'
        AND r.id = 3 * ((m.page_id / {sites} %% {nights}) * {sites} + 1 + m.page_id %% {sites}) + 2;
    CREATE TEMP TABLE words AS SELECT n AS number,
        translate(substr(md5(n::text), 1, 3 + n %% 7), '0123456789', 'ghijklmnop') AS word
    FROM generate_series(0, {vocabulary}) n;
    CREATE INDEX ON words (number);
    ANALYZE words;
    INSERT INTO articles (page_id, site_id, title, published, authors, confidence, method,
        pattern_id, extracted_at, created_at, changed_at, content_hash, body)
    SELECT m.page_id, 1 + m.page_id %% {sites}, t.title,
        CASE WHEN m.page_id %% 10 > 0 THEN m.extracted_at END, '[]',
        0.5 + 0.05 * (m.page_id %% 10), CASE m.fit WHEN 'strict' THEN 'pattern' ELSE m.fit END,
        m.pattern_id, m.extracted_at, m.extracted_at, m.extracted_at, m.content_hash, t.body
    FROM matches m, LATERAL (
        SELECT string_agg(word, ' ') FILTER (WHERE place <= 8) AS title,
            string_agg(word, ' ') FILTER (WHERE place > 8) AS body
        FROM (
            SELECT w.word, g AS place FROM generate_series(1, 8 + {words}) g
            JOIN words w ON w.number = floor(exp(
                ln({vocabulary}) * (hashint8(m.page_id * 1000 + g) & 65535) / 65536.0))::int
        ) AS chosen
    ) AS t
    WHERE m.verdict = 'article';
    INSERT INTO search_documents (page_id, site_id, dated, length, is_compared, digest, signature)
    SELECT a.page_id, a.site_id, coalesce(a.published, p.first_seen), {words}, 1, '', ''
    FROM articles a JOIN pages p ON p.id = a.page_id;
    DROP INDEX search_index_terms;
    INSERT INTO search_index (id, terms)
    SELECT d.id, setweight(to_tsvector('simple', a.title), 'A')
        || to_tsvector('simple', a.body)
    FROM search_documents d JOIN articles a ON a.page_id = d.page_id;
    CREATE INDEX search_index_terms ON search_index USING gin (terms) WITH (fastupdate = off);
    INSERT INTO search_version (folding) VALUES ({folding});
    SET session_replication_role = DEFAULT;
"""
VIEWS = (
    "/sites.json",
    "/sites?page=7",
    "/sites/site7.example.json",
    "/night.json",
    "/night?site=site7.example",
    "/pages.json",
    "/pages.json?page=20000",
    "/pages.json?site=site7.example",
    "/articles.json",
    "/articles.json?page=6000",
    "/articles.json?order=latest",
    "/articles.json?order=latest&page=6000",
    "/articles.json?since=2026-05-10",
    "/articles.json?site=site7.example",
    "/articles/{article}.json",
    "/fleet.json",
)
SEARCHES = {"rare": (500, 900), "frequent": (20, 60), "very frequent": (2, 5)}
"""Which words are looked for, by how frequent they are."""


@dataclass(frozen=True, slots=True)
class Took:
    """What some work took, in milliseconds."""

    wall: float
    """Until it was done: others use the machine, too."""
    cpu: float
    """Of this process and of the server."""

    def __str__(self) -> str:
        return f"{self.wall:.0f} | {self.cpu:.0f}"


def least(url: str, work: Callable[[], object]) -> Took:
    """Return the least time that some work on a database took, and the CPU in the middle."""
    took = []
    for _ in range(TIMES):
        begun, cpu = time.perf_counter(), time.process_time() + server_seconds(url)
        work()
        spent = time.process_time() + server_seconds(url) - cpu
        took.append((time.perf_counter() - begun, spent))
    walls, cpus = zip(*took, strict=True)
    # What a process of the server took that ends just now is missing for a moment.
    return Took(1000 * min(walls), 1000 * statistics.median(cpus))


def server_seconds(url: str) -> float:
    """Return the CPU time of the server of a database, and of all that it started, so far."""
    folder = Path(str(make_url(url).query["host"]))
    server = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            _, parent, *others = path.read_text().rpartition(")")[2].split()
            if server in (int(path.parent.name), int(parent)):
                ticks += sum(map(int, others[9:13]))  # its own, and of its children that ended
    return ticks / os.sysconf("SC_CLK_TCK")


def fill(store: Store, pages: int, sites: int) -> None:
    """Let the server make up the rows, and tidy up as it does by itself after a while."""
    figures = {"pages": pages, "sites": sites, "nights": NIGHTS, "folding": FOLDING}
    words = {"vocabulary": VOCABULARY, "words": WORDS}
    with store.writing() as connection:
        connection.exec_driver_sql(FILL.format(**figures, **words))
    with store.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as plain:
        plain.exec_driver_sql("VACUUM (ANALYZE)")


def word(number: int) -> str:
    """Return the word that is so many times less frequent than the first."""
    letters = md5(str(number).encode(), usedforsecurity=False).hexdigest()[: 3 + number % 7]
    return letters.translate(str.maketrans("0123456789", "ghijklmnop"))


def searches() -> Iterator[tuple[str, str]]:
    """Yield what is looked for, with a name for it."""
    chance = random.Random(20)  # noqa: S311 - repeatable
    for name, bounds in SEARCHES.items():
        one, other = map(word, chance.sample(range(*bounds), 2))
        yield f"a {name} word", one
        yield f"two {name} words", f"{one} {other}"
        yield f"two {name} words side by side", f'"{one} {other}"'


def measure(url: str) -> None:
    """Print how long the views and searches of a database take."""
    with Store.open(url) as store:
        site = store.sites.find("site7.example")
        known = least(url, lambda: list(store.revisits.known_pages(site)))
        print(f"| a crawl learns what is known of its site | {known} |", flush=True)
        settings = SearchSettings(limit=20, depth=100)
        for name, typed in searches():
            took = least(url, lambda: Search(store).find(typed, settings))  # noqa: B023 - now
            total = Search(store).find(typed, settings).total
            print(f"| {name} ({total:,} hits) | {took} |", flush=True)
        article = next(iter(store.articles.all(site))).page_id
    measure_views(url, article)


def measure_views(url: str, article: int) -> None:
    """Print how long the views of a database take."""
    with serving(url) as client:
        for view in VIEWS:
            address = view.format(article=article)
            took = least(url, lambda: client.get(address).raise_for_status())  # noqa: B023 - now
            print(f"| `{view}` | {took} |", flush=True)


def main() -> int:
    """Print a table."""
    pages, sites = (*map(int, sys.argv[1:]), 1_000_000, 1000)[:2]
    programs = find_postgresql()
    if programs is None:
        print("PostgreSQL is not on this machine", file=sys.stderr)
        return 1
    with run_postgresql(programs) as server:
        url = server.create()
        with Store.open(url) as store:
            fill(store, pages, sites)
        print(f"| {pages:,} pages of {sites:,} sites | ms | of CPU |\n|---|---|---|", flush=True)
        measure(url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
