"""Pictures of inspector and newspaper for the documentation: `python -m benchmarks.screenshots`.

A week of the demo portal is crawled, learned and extracted with the real commands, each night
set back by the days that passed since; then Chromium takes a picture of every view,
and a newspaper is typeset.
"""

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from playwright.sync_api import Browser, sync_playwright

from benchmarks.serving import AT_ONCE
from flong.demo import Portal, serve
from flong.search.newspaper import typeset_picture
from flong.storage import Store
from flong.storage.search import Search, SearchSettings
from tests import leftovers

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "screenshots"
PORT = 8650
"""Port of the portal, fixed because pictures show it."""
NEWSPAPER_PPI = 60.0
"""Pixels per inch: enough to read the headlines."""

NIGHTS = 3
TIMES = frozenset(
    "started_at finished_at extracted_at created_at changed_at retired_at first_seen last_seen "
    "seen_from seen_until".split()
)
"""Columns with times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One picture."""

    name: str
    """File name without extension."""
    path: str
    """Path of the view."""
    scheme: str = "light"
    """`light` or `dark`."""
    width: int = 1280
    """Width of the window, in pixels."""
    height: int = 860
    """Height of the window, in pixels."""
    hover: str = ""
    """Selector of the element below the mouse."""
    scroll: str = ""
    """Selector of the element that is scrolled to the top."""
    edits: bool = False
    """Taken with `--edit`."""
    click: str = ""
    """Selector of the element that is clicked in the stored page."""


def command(database: Path, *arguments: str) -> None:
    """Run one of the `scrapy` commands."""
    environment = {**os.environ, "FLONG_DATABASE": f"sqlite:///{database}"}
    done = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "-m", "scrapy", *arguments], cwd=ROOT, env=environment, check=False
    )
    if done.returncode not in (0, 3):
        raise SystemExit(f"scrapy {' '.join(arguments)} ended with {done.returncode}")


def set_back(database: Path) -> None:
    """Make everything stored a day older."""
    with sqlite3.connect(database) as connection:
        names = "SELECT name FROM sqlite_master WHERE type = 'table'"
        for (table,) in connection.execute(names).fetchall():
            columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            for column in sorted(columns & TIMES):
                connection.execute(
                    f"UPDATE {table} SET {column} = "  # noqa: S608 - names of ours
                    f"strftime('%Y-%m-%dT%H:%M:%SZ', {column}, '-1 day') WHERE {column} IS NOT NULL"
                )
    connection.close()


def fill(database: Path) -> None:
    """Run some nights on the portal; it is redesigned in the third."""
    portal = Portal(articles=120)
    with serve(portal, PORT) as site:
        command(database, "crawl", "site", "-a", f"url={site.url}/", *AT_ONCE)
        command(database, "learn")
        command(database, "extract")
        for night in range(2, NIGHTS + 1):
            set_back(database)
            site.portal = portal.night(night)
            command(database, "nightly", *AT_ONCE)
    with Store.open(f"sqlite:///{database}") as store:
        latest = [row.page_id for row in store.articles.all(limit=6)]
        store.marks.set(latest[1:4], "read")
        store.marks.set(latest[::3], "starred")


@contextmanager
def inspecting(database: Path) -> Iterator[str]:
    """Run `flong inspect --edit` while the block runs; yield its URL with the token."""
    environment = {**os.environ, "FLONG_DATABASE": f"sqlite:///{database}"}
    arguments = [sys.executable, "-u", "-m", "scrapy", "inspect", "--edit", "--port", "0"]
    with subprocess.Popen(  # noqa: S603 - our own command
        arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            said = server.stdout.readline() if server.stdout else ""
            yield next(word for word in said.split() if "://" in word)
        finally:
            server.terminate()


def shots(database: Path) -> list[Shot]:
    """Return the pictures to take."""
    with Store.open(f"sqlite:///{database}") as store:
        [site] = store.sites.all()
        found = [row for row in store.articles.all(site) if row.article.language == "en"]
        row = next(row for row in found if row.article.method == "pattern" and row.article.authors)
        clusters = [each for each in store.templates.clusters(site) if each.kind == "article"]
        largest = max(clusters, key=lambda each: len(each.members))
        cluster = clusters[0].id
        edited = next((row.page_id for row in found if store.articles.versions(row.page_id)), None)
    page, article = f"/pages/{row.page_id}", f"/articles/{row.page_id}"
    word = max(row.article.title.split(), key=len)
    return [
        Shot(name="night", path="/night"),
        Shot(name="night-phone", path="/night", scheme="dark", width=390, height=844),
        Shot(name="search", path=f"/search?q={quote(word)}", height=620),
        Shot(name="article", path=article),
        Shot(name="versions", path=f"/articles/{edited or row.page_id}/versions"),
        Shot(name="sites", path="/sites", height=430),
        Shot(name="site", path=f"/sites/{site.name}", height=1640),
        Shot(name="cluster", path=f"/clusters/{cluster}"),
        Shot(
            name="pattern",
            path=f"/patterns/{row.pattern_id}",
            scroll="#tree",
            hover=".wild.r-title",
        ),
        Shot(name="page", path=page),
        Shot(name="page-dark", path=page, scheme="dark"),
        Shot(name="correct-page", path=page, edits=True),
        Shot(
            name="correct",
            path=f"/pages/{largest.medoid_id}",
            edits=True,
            click="[data-flong~=block]:below(h1)",
            height=620,
        ),
        Shot(name="correct-phone", path=f"{page}/correct", edits=True, width=390, height=844),
        Shot(name="site-edit", path=f"/sites/{site.name}", edits=True, height=1000),
        Shot(name="site-phone", path=f"/sites/{site.name}", edits=True, width=390, height=844),
        Shot(name="articles", path="/articles"),
        Shot(name="reading", path="/articles?order=latest", edits=True, height=620),
        Shot(name="phone", path=page, width=390, height=844),
    ]


def typeset(database: Path) -> None:
    """Take a picture of the front page of a newspaper made from the database."""
    with Store.open(f"sqlite:///{database}") as store:
        found = Search(store).find("language:en", SearchSettings(limit=12, is_latest_first=True))
    subtitle = f"{len(found.results)} of {found.total} articles"
    page = typeset_picture("The latest articles", subtitle, found.results, NEWSPAPER_PPI)
    (PICTURES / "newspaper.png").write_bytes(page)


def take(browser: Browser, address: str, shot: Shot) -> None:
    """Take one picture."""
    context = browser.new_context(
        base_url=address.partition("?")[0],
        color_scheme="dark" if shot.scheme == "dark" else "light",
        viewport={"width": shot.width, "height": shot.height},
    )
    page = context.new_page()
    if shot.edits:
        page.goto(address)
    page.goto(f"/{shot.path.lstrip('/')}")
    page.wait_for_load_state("networkidle")
    if shot.click:
        stored = page.frame_locator("iframe.page")
        stored.locator("body[data-watched]").wait_for(state="attached")
        stored.locator(shot.click).first.dispatch_event("click")  # the frame is scaled
        page.locator("h1").first.wait_for()
        page.wait_for_url("**/correct**")
        page.wait_for_load_state("networkidle")
    if shot.scroll:
        page.locator(shot.scroll).evaluate("element => element.scrollIntoView()")
    if shot.hover:
        page.locator(shot.hover).first.hover()
    page.screenshot(path=PICTURES / f"{shot.name}.png")
    context.close()


def main() -> None:
    """Fill a database unless one is given, then take the pictures."""
    parser = argparse.ArgumentParser(description="Pictures of the inspector.")
    parser.add_argument("--database", type=Path, help="a file to keep, or to use again")
    asked = parser.parse_args()
    leftovers.watch()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is needed and not there.")
    PICTURES.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with TemporaryDirectory() as folder:
        database = (asked.database or Path(folder) / "flong.db").resolve()
        if not database.exists():
            fill(database)
        typeset(database)
        with inspecting(database) as address, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for shot in shots(database):
                take(browser, address, shot)
                print(PICTURES / f"{shot.name}.png")
            browser.close()
    print(f"in {timedelta(seconds=round(time.monotonic() - start))}")


if __name__ == "__main__":
    main()
