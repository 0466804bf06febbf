"""Check that the tests fail when a rule of labelling or classification is switched off.

    python -m benchmarks.rules [--rules NAME ...] [--tests PATH ...]

One rule after the other is switched off in a copy of the project, and the tests run until the first
failure. A rule without a failing test needs a small generated site, or is deleted.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from flong.patterns import EVIDENCE, TABLES
from tests import leftovers

PROJECT = Path(__file__).parents[1]
TESTS = (
    "tests/patterns/test_rules.py",
    "tests/patterns/test_page_sections.py",
    "tests/patterns/test_authors.py",
    "tests/patterns/test_labelled_places.py",
    "tests/patterns/test_article_classifier.py",
    "tests/patterns/test_long_tail.py",
    "tests/patterns/test_model.py",
    "tests/patterns/test_eras.py",
    "tests/benchmarks/test_strangers.py",
)
"""Tests that may fail, fastest first."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) \S*?::(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and the edit that switches it off."""

    name: str
    """Description."""
    file: str
    """Its file."""
    source: str
    """Its text, unique in the file."""
    replacement: str
    """Replacement that switches it off."""

    def switched_off(self, text: str) -> str:
        """Return the text of its file without it."""
        if text.count(self.source) != 1:
            raise ValueError(f"{self.name}: {self.file} does not have its text once")
        return text.replace(self.source, self.replacement)


_TITLE, _BODY = "patterns/title_election.py", "patterns/body_election.py"
_CLASSIFIER, _LABELS = "patterns/article_classifier.py", "patterns/labels.py"
_VOTING, _LEARNING = "patterns/label_voting.py", "patterns/learn.py"
_SECTIONS, _MODEL = "patterns/page_sections.py", "patterns/model.py"

RULES = (
    Rule(
        "the title is where the site has its titles",
        _TITLE,
        "    if usual is not None:\n        [there]",
        "    if usual is not None and False:\n        [there]",
    ),
    Rule(
        "pages with their title elsewhere are another template",
        _TITLE,
        "if other is not None and certain else None",
        "if False else None",
    ),
    Rule(
        "undated sections in menus are not news",
        _SECTIONS,
        "return frozenset(in_menus)",
        "return frozenset()",
    ),
    Rule(
        "small undated sections are like most",
        _SECTIONS,
        "return frozenset(sections) - timed",
        "return frozenset(in_menus)",
    ),
    Rule("an undated archive is news", _SECTIONS, "MORE_LINKS * max(1, usual)", "0"),
    Rule("a few dated articles prove nothing", _SECTIONS, "news < NEWS * len(articles)", "False"),
    Rule(
        "a page in a feed is news",
        _MODEL,
        "is_page = is_page and not seen.source.page_names.announced",
        "pass",
    ),
    Rule("comments are no body", _BODY, "candidates.comments.copy()", "candidates.comments & 0"),
    Rule(
        "what recurs on half of the pages is no body",
        _BODY,
        "ignored[leaves[are_known(tree.text_hash[leaves], constants)]] = True",
        "pass",
    ),
    Rule(
        "what is above the title is no body",
        _BODY,
        "        ignored[leaves[leaves <= leaf]] = True",
        "        pass",
    ),
    Rule(
        "a second article is no body",
        _BODY,
        "    if hold_several(pages, title):",
        "    if False:",
    ),
    Rule(
        "a further article is known by what links call it",
        _BODY,
        "        ends = named\n",
        "        pass\n",
    ),
    Rule(
        "teasers are hidden from the baselines",
        _BODY,
        "unseen = ignored | candidates.teasers",
        "unseen = ignored",
    ),
    Rule(
        "a box with most of the text is the container",
        _BODY,
        "if largest_box >= THRESHOLDS.large_box * whole:",
        "if False:",
    ),
    Rule(
        "the body is where the site has its bodies",
        _BODY,
        "    if usual is not None:\n        own",
        "    if usual is not None and False:\n        own",
    ),
    Rule(
        "of containers about as good the smallest is taken",
        _BODY,
        "elect(rated, tolerance=THRESHOLDS.near_tie)",
        "elect(rated)",
    ),
    Rule(
        "program code stays in",
        _BODY,
        "lambda seen: not seen.block.is_code\n        and ",
        "lambda seen: ",
    ),
    Rule(
        "lines of links at the end are left out",
        _BODY,
        "trailing_links=trailing_links",
        "trailing_links=False",
    ),
    Rule(
        "comments inside the container are left out",
        _BODY,
        "    found.update(dict.fromkeys(_comments(pages, container)))\n",
        "",
    ),
    Rule(
        "a container that has not earned its place is not used",
        _VOTING,
        "body if score >= THRESHOLDS.least_score else None",
        "body",
    ),
    Rule(
        "lines of a form that recur are body",
        _VOTING,
        "        constant -= _several_times(own, alike)\n",
        "        pass\n",
    ),
    Rule(
        "a doubtful container is compared with the baselines",
        _LABELS,
        "not leaves or agreement(tree, labelled.body, leaves) >= THRESHOLDS.baseline_agreement",
        "True",
    ),
    Rule(
        "a container that few pages elected is compared with the single page",
        _LABELS,
        "several = labels.voters >= THRESHOLDS.least_repeats or",
        "several = True or",
    ),
    Rule(
        "what most pages have is hidden from the single-page reader",
        _LABELS,
        "hidden = (tree.tag == TEXT) & are_known(tree.text_hash, boilerplate)",
        "hidden = tree.tag < 0",
    ),
    Rule(
        "the single-page reader names pages that nothing else names",
        _LABELS,
        "if fallback is not None and (labels.title is None or unknown):",
        "if False:",
    ),
    Rule(
        "what two pages share is of neither",
        "patterns/thresholds.py",
        "max(min(self.least_repeats, max(2, pages)), fraction * pages)",
        "max(self.least_repeats, fraction * pages)",
    ),
    Rule(
        "few pages refuse less than many",
        _LEARNING,
        "learn_prior(some, weight=weight).share",
        "learn_prior(some).share",
    ),
    Rule(
        "comments are below their heading",
        _TITLE,
        "        if plain[lines].sum() >= THRESHOLDS.note_words:",
        "        if False:",
    ),
    Rule(
        "breadcrumbs are no title",
        "patterns/label_voting.py",
        "breadcrumbs=learn_breadcrumbs(_lines(candidates, selector)),",
        "",
    ),
    Rule(
        "date and byline are no body",
        _LABELS,
        "lines = [vertex for vertex in lines if tree.words[vertex] <= THRESHOLDS.byline_words]",
        "lines = []",
    ),
    Rule(
        "the headline said once more is no body",
        _LABELS,
        "return body[1:] if same else body",
        "return body",
    ),
    Rule(
        "the body begins below the title",
        _LABELS,
        "[leaf for leaf in body if leaf > title] or body",
        "body",
    ),
    Rule(
        "what recurs at the end of bodies is no body",
        _LABELS,
        "labels.closing.trim(tree, _without_headline(tree, title, body))",
        "_without_headline(tree, title, body)",
    ),
    Rule(
        "what recurs at the end of a template's bodies is no body",
        _LEARNING,
        "for own in bodies.values():",
        "for own in ():",
    ),
    Rule(
        "a body of closing paragraphs stays whole",
        "patterns/closing_paragraphs.py",
        "left if tree.words[left].sum() >= THRESHOLDS.line_words else body",
        "left",
    ),
    Rule("each era has norms of its own", _LEARNING, "eras.append(known.number)", "pass"),
    Rule("few older articles are no era", _LEARNING, "len(own) >= THRESHOLDS.era_articles", "True"),
    Rule(
        "a page is read by the main labels of its era",
        _MODEL,
        "number = self.context.of(tree).main_pattern",
        "number = self.main",
    ),
    Rule(
        "another structure counts only where most articles have one",
        "patterns/article_evidence.py",
        "2 * norms.like_main > 1\n        and ",
        "",
    ),
    Rule(
        "lists that share a template have a pattern of their own",
        _LEARNING,
        "for part in split_by_title(site, group)]",
        "for part in [group]]",
    ),
    Rule(
        "a mixed pattern is labelled by its articles",
        _LEARNING,
        "known.kind is TemplateKind.MIXED and len(some) >= THRESHOLDS.least_articles",
        "False",
    ),
    Rule(
        "what is usual on a site is learned from several articles",
        _LEARNING,
        "is not TemplateKind.OTHER and articles >= THRESHOLDS.least_articles",
        "is not TemplateKind.OTHER",
    ),
    Rule(
        "a pattern of one kind carries its odd pages",
        _CLASSIFIER,
        "point._replace(points=weight * point.points) if point.weak else point",
        "point",
    ),
    Rule(
        "a dated page without a pattern is not compared with the main articles",
        "patterns/article_evidence.py",
        "not page.like_main and not page.of_unknown_era",
        "not page.like_main",
    ),
    Rule(
        "a date in the URL is no evidence of an era",
        "patterns/article_features.py",
        'origin.source != "url"',
        "True",
    ),
    Rule(
        "an article that a pattern of lists accepts is read as main articles are",
        "patterns/model.py",
        "return (main or own).titled(",
        "return own.titled(",
    ),
    *(
        Rule(
            f"evidence: {row.name}",
            "patterns/article_weights.json",
            f'"{row.name}": {row.points}',
            f'"{row.name}": 0.0',
        )
        for row in EVIDENCE
    ),
    *(
        Rule(
            f"{table.name}: {row.name}",
            f"{row.value.__module__.removeprefix('flong.').replace('.', '/')}.py",
            f'"{row.name}", {row.points}',
            f'"{row.name}", 0.0',
        )
        for table in TABLES
        for row in table.features
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if fewer than nine in ten rules are noticed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rules", nargs="+", default=[], help="parts of their names")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="files of tests")
    options = parser.parse_args(arguments)
    leftovers.watch()
    chosen = [
        rule for rule in RULES if not options.rules or any(n in rule.name for n in options.rules)
    ]
    shown = Table("rule", "where", "noticed by")
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "flong"
        ignored = shutil.ignore_patterns(".*", "docs", "deploy")
        shutil.copytree(PROJECT, copy, symlinks=True, ignore=ignored)  # flong/patterns is a link
        for rule in chosen:
            by = notice(copy, rule, options.tests)
            noticed += bool(by)
            shown.add_row(rule.name, rule.file, by or "[red]nothing")
            print(f"{rule.name}: {by or 'nothing'}", file=sys.stderr, flush=True)
    Console(width=160).print(shown)
    print(f"{noticed} of {len(chosen)} rules are noticed")
    return int(noticed < 0.9 * len(chosen))


def notice(project: Path, rule: Rule, tests: Sequence[str]) -> str:
    """Return the first test that fails without a rule, in a copy of the project; else ''."""
    path = project / rule.file
    text = path.read_text()
    path.write_text(rule.switched_off(text))
    try:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    finally:
        path.write_text(text)
    if done.returncode == 0:
        return ""
    found = _FAILED.search(done.stdout)
    if found is None:
        raise RuntimeError(f"{rule.name}: the tests cannot be run:\n{done.stdout}{done.stderr}")
    return found[1]


if __name__ == "__main__":
    sys.exit(main())
