"""Summary of a crawl for people: at most one screen."""

from collections.abc import Iterator, Mapping
from textwrap import shorten

from flong.program import program
from flong.storage import ArticleSummary

WIDTH = 80
"""Maximum length of a line."""
MOST = 5
"""Maximum number of sections and templates that are named."""
NAME_WIDTH = 24
"""Maximum length of a section's name."""


def summary_lines(
    site: str, pages: Mapping[str, int], articles: ArticleSummary | None = None, fresh: int = 0
) -> Iterator[str]:
    r"""Yield the lines of the summary; without `articles` only the numbers of pages.

    >>> sections, patterns = {"Sport": 2, "": 1}, {7: 2, None: 1}
    >>> some = ArticleSummary(total=3, undated=3, sections=sections, patterns=patterns)
    >>> print(*summary_lines("news.example", {"new": 4, "failed": 1}, some, 2), sep="\n")
    news.example: 3 articles, 2 of them from this crawl
      pages      4 new, 1 failed
      published  0 dated, 3 undated
      sections   Sport 2, no section 1
      templates  pattern 7: 2, no pattern 1
    """
    numbers = ", ".join(f"{number} {name}" for name, number in pages.items())
    if articles is None:
        yield f"{site}: {numbers}"
        return
    yield f"{site}: {articles.total} articles, {fresh} of them from this crawl"
    yield _line("pages", numbers)
    if articles.total:
        span = f"{articles.first:%Y-%m-%d} to {articles.last:%Y-%m-%d}, " if articles.first else ""
        dated = articles.total - articles.undated
        yield _line("published", f"{span}{dated} dated, {articles.undated} undated")
        yield _line("sections", _largest({_section(k): n for k, n in articles.sections.items()}))
        yield _line("templates", _largest({_pattern(k): n for k, n in articles.patterns.items()}))


def next_lines(site: str) -> Iterator[str]:
    r"""Yield the two commands that most people run next.

    >>> print(*next_lines("news.example"), sep="\n")
    Next:
      flong articles news.example
      flong export news.example --output news.example.csv
    """
    file = site.replace("/", "-").replace(":", "-")
    yield "Next:"
    yield f"  {program()} articles {site}"
    yield f"  {program()} export {site} --output {file}.csv"


def _line(name: str, text: str) -> str:
    return f"  {name:<10} {shorten(text, WIDTH - 13, placeholder=' ...')}"


def _largest(numbers: Mapping[str, int]) -> str:
    """Return the largest numbers with their names, and the number of other names."""
    found = sorted(numbers.items(), key=lambda each: -each[1])
    rest = len(found) - MOST
    parts = [f"{name} {number}" for name, number in found[:MOST]]
    return ", ".join([*parts, f"{rest} more"] if rest > 0 else parts)


def _section(name: str) -> str:
    return shorten(name, NAME_WIDTH, placeholder=" ...") or "no section"


def _pattern(number: int | None) -> str:
    return "no pattern" if number is None else f"pattern {number}:"
