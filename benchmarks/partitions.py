"""Whether `pages` would gain from hash partitions by site, on PostgreSQL.

`python -m benchmarks.partitions [PAGES] [SITES]`. Synthesised pages in two layouts: as they
are, and in 16 partitions by hash of the site. Measured is what a night and the inspector ask: all
pages of a site, one page by URL, one by its number, the update of a batch, the deletion of a site.

The primary key of a partitioned table must hold the partition key, so foreign keys to `pages.id`
alone, of which the schema has eight, are impossible there: the partitions would have to gain much.
"""

import sys
import time
from collections.abc import Callable

from sqlalchemy import Connection, create_engine

from tests.databases import find_postgresql, run_postgresql

PARTITIONS = 16
TIMES = 40
COLUMNS = """
    id integer NOT NULL, site_id integer NOT NULL, url text NOT NULL, outcome text NOT NULL,
    content_hash text NOT NULL, last_seen text NOT NULL, size integer NOT NULL, html bytea
"""
LAYOUTS = {
    "one table": f"CREATE TABLE pages ({COLUMNS}, PRIMARY KEY (id), UNIQUE (site_id, url))",
    f"{PARTITIONS} partitions": (
        f"CREATE TABLE pages ({COLUMNS}, PRIMARY KEY (id, site_id), UNIQUE (site_id, url)) "
        "PARTITION BY HASH (site_id)"
    ),
}
FILL = """
    INSERT INTO pages
    SELECT n, n %% {sites}, 'https://www.example.org/' || md5(n::text), 'unchanged', md5(n::text),
        '2026-05-01T12:00:00Z', 1000, decode(repeat(md5(n::text), 40), 'hex')
    FROM generate_series(1, {pages}) AS n
"""
QUESTIONS = {
    "pages of a site": "SELECT id, url, content_hash FROM pages WHERE site_id = 7",
    "documents of a site": "SELECT id, html FROM pages WHERE site_id = 7",
    "a page by URL": "SELECT id FROM pages WHERE site_id = 7 AND url = 'https://www.example.org/x'",
    "a page by number": "SELECT url FROM pages WHERE id = 4711",
    "outcomes of a site": (
        "SELECT outcome, count(*) FROM pages WHERE site_id = 7 GROUP BY outcome"
    ),
    "a batch of 50 is updated": (
        "UPDATE pages SET last_seen = '2026-05-02T12:00:00Z' WHERE site_id = 7 AND id IN "
        "(SELECT id FROM pages WHERE site_id = 7 ORDER BY id LIMIT 50)"
    ),
    "a site is removed": "DELETE FROM pages WHERE site_id = 8",
}


def milliseconds(work: Callable[[], object], times: int = TIMES) -> float:
    """Return the least time that some work took: others may use the machine as well."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - begun))
    return min(took)


def measure(connection: Connection, layout: str, pages: int, sites: int) -> list[float]:
    """Return the times of all questions with one layout, after that of filling it."""

    def ask(question: str) -> None:
        found = connection.exec_driver_sql(question)
        if found.returns_rows:
            found.fetchall()

    connection.exec_driver_sql(layout)
    for number in range(PARTITIONS if "PARTITION" in layout else 0):
        connection.exec_driver_sql(
            f"CREATE TABLE pages_{number} PARTITION OF pages "
            f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        )
    filling = milliseconds(lambda: ask(FILL.format(pages=pages, sites=sites)), 1)
    connection.exec_driver_sql("VACUUM ANALYZE pages")
    times = [
        milliseconds(lambda: ask(question), 1 if "DELETE" in question else TIMES)  # noqa: B023 - now
        for question in QUESTIONS.values()
    ]
    connection.exec_driver_sql("DROP TABLE pages")
    return [filling, *times]


def main() -> int:
    """Print a table."""
    pages, sites = (*map(int, sys.argv[1:]), 200_000, 1000)[:2]
    programs = find_postgresql()
    if programs is None:
        print("PostgreSQL is not on this machine", file=sys.stderr)
        return 1
    with run_postgresql(programs) as server:
        engine = create_engine(server.create(), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            columns = [measure(connection, each, pages, sites) for each in LAYOUTS.values()]
        engine.dispose()
    print(f"| {pages:,} pages of {sites:,} sites, ms | {' | '.join(LAYOUTS)} |\n|---|---|---|")
    for question, *times in zip(("filling it", *QUESTIONS), *columns, strict=True):
        print(f"| {question} | {' | '.join(f'{each:.2f}' for each in times)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
