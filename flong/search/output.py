"""Print search results for people and as JSON."""

from datetime import datetime

from flong.console import Row, harmless, say, show_note, show_rows
from flong.stages.exports import values_of
from flong.storage.search import Copy, Result, SearchResults


def show_results(found: SearchResults, *, as_json: bool) -> None:
    """Print each result with its summary and the other articles of its story."""
    if as_json:
        show_rows("", [result_row(each) for each in found.results], as_json=True, empty="")
    else:
        for each in found.results:
            _show(each)
    if not found.total:
        meant = f" Did you mean: {harmless(found.suggestion)}" if found.suggestion else ""
        show_note(f"No article fits.{meant}")
    else:
        shown = len(found.results) + sum(len(each.copies) for each in found.results)
        if shown < found.total:
            total = f"{'' if found.is_counted else 'At least '}{found.total} articles fit"
            note = f"{total}; these are the first {len(found.results)} results"
            show_note(f"{note}. --limit N shows more.")


def result_row(result: Result) -> Row:
    """Return a result as a row for JSON output."""
    return {
        "article": result.row.page_id,
        "story": result.story_id,
        "relevance": round(result.relevance, 4),
        "summary": [str(excerpt) for excerpt in result.excerpts],
        "copies": [copy_row(copy) for copy in result.copies],
        **values_of(result.row),
    }


def copy_row(copy: Copy) -> Row:
    """Return another article of a story as a row for JSON output."""
    return {
        "article": copy.page_id,
        "site": copy.site,
        "dated": copy.dated,
        "title": copy.title,
        "url": copy.url,
        "shared": round(copy.shared, 3),
    }


def copy_line(copy: Copy) -> str:
    """Return another article of a story as one line of text."""
    return f"{copy.site}, {_time(copy.dated)}, {copy.shared:.0%} shared: {copy.title} {copy.url}"


def _show(result: Result) -> None:
    article = result.row.article
    say(harmless(article.title), "bold")
    dated = result.row.dated
    say(harmless(f"{result.row.site}, {dated}, {article.url}"), "dim", wraps=False)
    summary = " ".join(str(excerpt) for excerpt in result.excerpts)
    if summary:
        say(harmless(summary))
    for copy in result.copies:
        say(harmless(f"  also {copy_line(copy)}"), "dim")
    say("")


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"
