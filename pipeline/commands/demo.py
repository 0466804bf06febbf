"""`scrapy demo`: the whole job on the embedded news site, no network."""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

from demo import Portal, Score, judge, serve
from pipeline.command import DONE, NEEDS_A_LOOK, Command, PipelineError
from pipeline.screen import console, show_rows
from storage import Store


class DemoCommand(Command):
    """Serves the demo portal on loopback, crawls it, learns it, extracts it, shows the result."""

    summary: ClassVar[str] = "Do the whole job on an embedded news site, without a network"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        scrapy demo
        scrapy demo --articles 500 --seed 7
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take the size of the site and where to put the result."""
        parser.add_argument("--articles", type=int, default=120, metavar="N", help="default: 120")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="another site")
        parser.add_argument(
            "--database",
            type=Path,
            default=Path("demo.db"),
            metavar="FILE",
            help="written anew (default: demo.db)",
        )

    def database(self) -> str:
        """Return the address of the demo's own database, emptied first."""
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._file}{suffix}").unlink(missing_ok=True)
        return f"sqlite:///{self._file}"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Remember the file, then do as every command does."""
        self._file: Path = opts.database
        super().run(args, opts)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Crawl, learn, extract, judge, and say what to try next."""
        from pipeline.extraction import extract  # noqa: PLC0415 - loads the compiler
        from pipeline.learning import learn  # noqa: PLC0415 - loads the compiler

        screen = console()
        portal = Portal(articles=options.articles, seed=options.seed)
        with serve(portal) as site:
            screen.print(f"[bold]1. Crawl[/] {site.url}, a news site made up for this demo")
            self._crawl(site.url)
        [stored] = store.sites()
        screen.print("[bold]2. Learn[/] its templates")
        learned = learn(store, stored, self.learning())
        screen.print(f"   {learned.summary}")
        screen.print("[bold]3. Extract[/] its articles")
        extracted = extract(store, stored)
        screen.print(f"   {extracted.summary}\n")
        rows = list(store.articles(stored))
        shown = [{"title": r.article.title, "published": r.article.published} for r in rows[:10]]
        show_rows("The latest ten articles", shown, as_json=False, empty="No article.")
        score = judge(portal.truth(), (row.article for row in rows), portal.others())
        screen.print(_verdict(score))
        screen.print(_next_steps(self._file, rows[0].article.url if rows else site.url))
        return DONE if score.share >= 0.9 else NEEDS_A_LOOK

    def _crawl(self, url: str) -> None:
        """Crawl in a process of its own, as users do: a reactor starts only once."""
        command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={url}"]
        polite_to_nobody = ["-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False"]
        environment = {**os.environ, "FLONG_DATABASE": f"sqlite:///{self._file}"}
        done = subprocess.run(  # noqa: S603 - our own command
            [*command, *polite_to_nobody], env=environment, check=False
        )
        if done.returncode:
            raise PipelineError(f"The crawl of {url} ended with exit code {done.returncode}.")


def _verdict(score: Score) -> str:
    return (
        f"\n[bold]{score.share:.1%} of the articles are correct[/] "
        f"(title equal, body F1 at least 0.9): {score.correct} correct, {score.wrong} wrong, "
        f"{score.missed} missed; {score.false} other pages taken for articles."
    )


def _next_steps(file: Path, url: str) -> str:
    return f"""
What to try next, on the same database:
  export FLONG_DATABASE=sqlite:///{file}
  scrapy clusters           which pages share a template
  scrapy patterns           the patterns, readable
  scrapy explain {url}
  scrapy export --format jsonl --output articles.jsonl
  sqlite3 {file} .schema
"""
