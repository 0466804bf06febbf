"""How the inspector and the beginning of a night do with a million pages on PostgreSQL.

`python -m benchmarks.million_pages [PAGES] [SITES]`. The rows are synthesised by the server itself;
a third of the pages are articles with short texts, nothing is learned, and the search index is not
filled (`benchmarks.search_databases` is about searching). Printed is the least of some times.
"""

import sys
import time
from collections.abc import Callable

from benchmarks.inspecting import serving
from search import FOLDING
from storage import Store
from tests.databases import find_postgresql, run_postgresql

TIMES = 5
FILL = """
    SET session_replication_role = replica;
    INSERT INTO sites (id, name, url, paused, depth, render, subdomains, created_at)
    SELECT s, 'site' || s || '.example', 'https://site' || s || '.example/', 0, 3, 0, 0,
        '2026-04-01T00:00:00Z' FROM generate_series(1, {sites}) s;
    INSERT INTO runs (id, site_id, kind, status, pid, host, started_at, finished_at, new, changed,
        unchanged, gone, failed, articles, note)
    SELECT s, s, 'nightly', 'done', 1, 'here', '2026-05-01T02:00:00Z', '2026-05-01T02:10:00Z', 10,
        5, 900, 0, 1, 10, '' FROM generate_series(1, {sites}) s;
    INSERT INTO pages (id, site_id, url, depth, outcome, run_id, status, encoding, content_hash,
        first_seen, last_seen, changed_at, size, html)
    SELECT n, 1 + n %% {sites}, 'https://site' || 1 + n %% {sites} || '.example/' || n, 1 + n %% 3,
        'unchanged', 1 + n %% {sites}, 200, 'utf-8', md5(n::text), '2026-04-01T00:00:00Z',
        '2026-05-01T02:00:00Z', '2026-04-01T00:00:00Z', 1000,
        decode(repeat(md5(n::text), 20), 'hex')
    FROM generate_series(1, {pages}) n;
    INSERT INTO matches (page_id, content_hash, model_version, fit, constants, verdict, score,
        run_id, extracted_at, kept, reason)
    SELECT n, md5(n::text), 1, 'strict', 9, CASE WHEN n %% 3 = 0 THEN 'article' ELSE 'other' END,
        0.9, 1 + n %% {sites}, '2026-04-01T00:00:00Z', 'none', ''
    FROM generate_series(1, {pages}) n;
    INSERT INTO articles (page_id, site_id, title, published, authors, confidence, method,
        extracted_at, created_at, changed_at, content_hash, body)
    SELECT n, 1 + n %% {sites}, 'Title ' || n, '2026-04-01T00:00:00Z', '[]', 0.9, 'pattern',
        '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z', md5(n::text),
        repeat('word ', 40) FROM generate_series(3, {pages}, 3) n;
    INSERT INTO search_version (folding) VALUES ({folding});
"""
VIEWS = (
    "/sites.json",
    "/sites/site7.example.json",
    "/night.json",
    "/pages.json",
    "/pages.json?site=site7.example",
    "/articles.json",
    "/articles.json?site=site7.example",
    "/articles/21.json",
    "/fleet.json",
)


def least(work: Callable[[], object]) -> float:
    """Return the least time in milliseconds that some work took: others use the machine, too."""
    took = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - begun))
    return min(took)


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
            with store.writing() as connection:
                connection.exec_driver_sql(FILL.format(pages=pages, sites=sites, folding=FOLDING))
            store.give_back_space()
            with store.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as plain:
                plain.exec_driver_sql("ANALYZE")
            site = store.sites.find("site7.example")
            print(f"| {pages:,} pages of {sites:,} sites | ms |\n|---|---|")
            known = least(lambda: list(store.revisits.known_pages(site)))
            print(f"| a crawl learns what is known of its site | {known:.0f} |", flush=True)
        with serving(url) as client:
            for view in VIEWS:
                took = least(lambda: client.get(view).raise_for_status())  # noqa: B023 - now
                print(f"| `{view}` | {took:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
