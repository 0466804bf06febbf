"""`flong explain`: explain the extraction of a page."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import ClassVar

from flong.article import Article
from flong.command import DONE, Command, Group, add_json_argument
from flong.console import Row, harmless, harmless_json, say, show_note, show_rows
from flong.errors import PipelineError
from flong.states import GONE_OUTCOMES, STORED_OUTCOMES, Verdict
from flong.storage import PageRow, Site, Store

GONE = (404, 410)
"""HTTP statuses of missing pages."""
NEIGHBOURS = 40
"""Maximum other pages given to methods that compare pages."""


class ExplainCommand(Command):
    """Show pattern, fields and features of a page, or the results of other methods."""

    group = Group.LOOK
    summary: ClassVar[str] = "Explain why a page gave this title and body, or no article"
    arguments: ClassVar[str] = "URL"
    examples: ClassVar[str] = """
        flong explain https://news.example/2026/05/some-story.html
        flong explain https://news.example/2026/05/some-story.html --method all
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the page and --method."""
        parser.add_argument("url", metavar="URL", help="URL of a stored page, or article number")
        parser.add_argument("--method", metavar="NAME", help="result of this method (or all)")
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print the explanation."""
        article = store.articles.find(int(options.url)) if options.url.isdecimal() else None
        row = store.pages.find(article.article.url if article else options.url)
        site = next(site for site in store.sites.all() if site.id == row.site_id)
        decided = store.extractions.find(row.id)
        if decided is not None and decided.verdict == Verdict.FAILED:
            raise PipelineError(f"{row.url} was skipped: {decided.reason}.")
        missing = _missing(row)
        if missing and not options.json:
            say(harmless(row.url), "bold", wraps=False)
            say(harmless(missing))
        if row.content_hash is None:
            if options.json:
                show_rows("", [_state(row)], as_json=True, empty="")
        elif options.method:
            _compare(store, site, row, options, self.setting("FLONG_CHROMIUM"))
        else:
            if decided is not None and decided.kept.sentence and not options.json:
                say(decided.kept.sentence)
            read_at = (decided and decided.extracted_at) or datetime.now(UTC)
            _explain(store, site, row, read_at, as_json=options.json)
        return DONE


def _state(row: PageRow) -> Row:
    return {"url": row.url, "outcome": row.outcome, "status": row.status, "error": row.error}


def _missing(row: PageRow) -> str:
    """Return why the page could not be fetched last time, or ""."""
    if row.outcome in STORED_OUTCOMES:
        return ""
    is_gone = row.outcome in GONE_OUTCOMES or row.status in GONE
    said = row.error or row.outcome.sentence or "the server reports that it does not exist"
    kept = "Nothing of it is stored."
    if row.content_hash is not None and row.last_seen is not None:
        kept = f"The explanation is of the page stored on {row.last_seen:%Y-%m-%d}."
    state = "is gone" if is_gone else "could not be fetched"
    return f"The page {state}: {said.rstrip('.')}. {kept}"


def _explain(store: Store, site: Site, row: PageRow, read_at: datetime, *, as_json: bool) -> None:
    """Print the explanation of a page as of its extraction."""
    from flong.patterns import explain  # noqa: PLC0415 - loads the compiler
    from flong.stages.stored_pages import document_of, load_stored_model  # noqa: PLC0415

    model = load_stored_model(store, site)
    document = document_of(row, store.links.anchors_by_url(site, [row.url]))
    why = explain(model, document.page(), document.anchors, read_at)
    if as_json:
        whole = {**_state(row), **_pages(store, row), **asdict(why)}
        print(harmless_json(json.dumps(whole, ensure_ascii=False, default=str)))
        return
    found = why.decision
    pattern = found.pattern_id or "none"
    say(harmless(row.url), "bold", wraps=False)
    _say_pages(store, row)
    say(harmless(found.reason), wraps=False)
    say(
        f"pattern {pattern}, {found.fit} match, cost {found.cost}, "
        f"{found.constants} constant vertices found\n"
    )
    fields = [asdict(field) for field in why.fields]
    show_rows("Fields and their sources", fields, as_json=False, empty="No field.")
    labels = [{"role": role, "place": place} for role, place in why.labels]
    show_rows("Selectors of the pattern", labels, as_json=False, empty="")
    points: list[Row] = [{"points": p.points, "feature": p.words} for p in why.points]
    show_rows("Evidence for and against an article", points, as_json=False, empty="None.")
    others: list[Row] = [
        {"pattern": model.pattern_id(o.pattern), "reason": o.reason} for o in why.others
    ]
    show_rows("Patterns not chosen", others, as_json=False, empty="None.")


def _pages(store: Store, row: PageRow) -> dict[str, object]:
    """Return the other pages and copies of the page's article; empty for a single page."""
    own = store.articles.find(row.id)
    whole = store.articles.find(own.part_of) if own and own.part_of else own
    if whole is None or not (whole.article.page_urls or whole.article.other_urls):
        return {}
    return {
        "article_url": whole.article.url,
        "page_urls": whole.article.page_urls,
        "other_urls": whole.article.other_urls,
    }


def _say_pages(store: Store, row: PageRow) -> None:
    """Print the pages of an article that has several."""
    names = {"article_url": "article", "page_urls": "page", "other_urls": "copy"}
    for name, urls in _pages(store, row).items():
        listed = [urls] if isinstance(urls, str) else urls
        for url in listed if isinstance(listed, list | tuple) else ():
            say(harmless(f"{names[name]}: {url}"), wraps=False)


def _compare(
    store: Store, site: Site, row: PageRow, options: argparse.Namespace, chromium: str
) -> None:
    from flong.stages.stored_pages import document_of  # noqa: PLC0415 - loads the compiler
    from flong.visual.methods import METHOD_NAMES, read_first  # noqa: PLC0415 - loads the compiler

    names = METHOD_NAMES if options.method == "all" else [options.method]
    if not {*METHOD_NAMES} >= {*names}:
        raise PipelineError(f"There is no method {names[0]!r}: {', '.join(METHOD_NAMES)}.")
    pages = [document_of(each).page() for each in [row, *_neighbours(store, site, row)]]
    taken, rows = store.pages.blocks(row), []
    for name in names:
        try:
            rows.append(_result(name, read_first(name, pages, row.html, chromium, taken)))
        except PipelineError as error:
            if options.method != "all":
                raise
            show_note(f"{name}: {error}")
    show_rows(row.url, rows, as_json=options.json, empty="")


def _neighbours(store: Store, site: Site, row: PageRow) -> Sequence[PageRow]:
    """Return pages of the site, those with the most similar URLs first."""
    from rapidfuzz.distance import Prefix  # noqa: PLC0415 - only here

    others = [other for other in store.pages.rows(site, with_html=False) if other.id != row.id]
    others.sort(key=lambda other: -Prefix.similarity(other.url, row.url))
    return list(store.pages.rows(site, only=[other.id for other in others[:NEIGHBOURS]]))


def _result(name: str, article: Article | None) -> Row:
    if article is None:
        return {"method": name, "title": "no article", "words": 0, "begins": "", "ends": ""}
    words = article.body.split()
    return {
        "method": name,
        "title": article.title,
        "words": len(words),
        "begins": " ".join(words[:12]),
        "ends": " ".join(words[-12:]),
    }
