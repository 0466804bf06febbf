"""Demonstration: all stages on the demo portal, with a commentary on the screen."""

import os
import subprocess
import sys
from pathlib import Path

from flong.console import show_rows
from flong.demo.judging import Score, judge
from flong.demo.portal import Portal
from flong.demo.server import serve
from flong.errors import PipelineError
from flong.findings import sentence
from flong.program import program
from flong.rich_console import console
from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.storage import Store
from flong.workers.pool import start_workers


def demonstrate(
    store: Store, file: Path, *, articles: int, seed: int, learning: LearningSettings
) -> float:
    """Run all stages and suggest next steps; return the fraction of correct articles."""
    screen = console()
    start_workers()  # they import or compile modules during the crawl
    portal = Portal(articles=articles, seed=seed)
    with serve(portal) as site:
        screen.print(f"[bold]1. Crawl[/] {site.url}, a news site made up for this demo")
        _crawl(site.url, file)
    [stored] = store.sites.all()
    screen.print("[bold]2. Learn[/] its templates")
    with store.locks.hold(stored):
        learned = learn(store, stored, learning)
    screen.print(f"   {' '.join(map(sentence, learned))}")
    screen.print("[bold]3. Extract[/] its articles")
    with store.locks.hold(stored):
        extracted = extract(store, stored)
    screen.print(f"   {extracted.summary}\n")
    rows = list(store.articles.all(stored))
    shown = [{"title": r.article.title, "published": r.article.published} for r in rows[:10]]
    show_rows("The latest ten articles", shown, as_json=False, empty="No article.")
    score = judge(portal.truth(), (row.article for row in rows), portal.others())
    screen.print(_verdict(score))
    screen.print(_next_steps(file, rows[0].article.url if rows else site.url))
    return score.share


def _crawl(url: str, file: Path) -> None:
    """Crawl in a child process, since a reactor starts only once."""
    command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={url}", "-a", "learn=0"]
    environment = {**os.environ, "FLONG_DATABASE": f"sqlite:///{file}"}
    done = subprocess.run(command, env=environment, check=False)  # noqa: S603 - our own command
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
  {program()} clusters           which pages share a template
  {program()} patterns           the patterns, readable
  {program()} explain {url}
  {program()} export --format jsonl --output articles.jsonl
  sqlite3 {file} .schema
"""
