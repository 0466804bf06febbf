"""Reis et al. as printed, on stored pages; the database is only read."""

from typing import IO

from flong.as_published import learn_published
from flong.console import progress_bar, told
from flong.patterns import write_text
from flong.stages.stored_pages import read_pages
from flong.storage import Site, Store


def write_published(store: Store, site: Site, stream: IO[bytes], seconds: float) -> int:
    """Write the paper's patterns of a site's pages in readable form; return how many there are."""
    ids = store.pages.ids(site)
    with progress_bar(f"Reading {site.name}") as tell:
        found = read_pages(store, site, ids, seconds)
        pages = [page for _, page in told(found, tell, "pages", len(ids))]
        tell("patterns", 0, 0)
        patterns = learn_published(pages).patterns if pages else ()
    for number, pattern in enumerate(patterns, 1):
        head = f"# {site.name}, pattern {number}: {len(pattern)} vertices, "
        head += f"{len(pattern.wildcards)} of them wildcards\n"
        stream.write((head + write_text(pattern) + "\n").encode())
    return len(patterns)
