"""Whether the tests notice it when a rule of labelling or judging is switched off.

    python -m benchmarks.rules [--rules NAME ...] [--tests PATH ...]

A copy of the project is made, in it one rule after the other is switched off, and the tests are run
until the first one fails. A rule that no test notices needs a small made-up site, or goes.
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

from flong.patterns import EVIDENCE

PROJECT = Path(__file__).parents[1]
TESTS = (
    "tests/patterns/test_rules.py",
    "tests/patterns/test_article_classifier.py",
    "tests/patterns/test_long_tail.py",
    "tests/patterns/test_model.py",
    "tests/benchmarks/test_strangers.py",
)
"""Those that can notice it, the quick ones first."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) \S*?::(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and how it is switched off."""

    name: str
    """What it does."""
    file: str
    """Where it is."""
    source: str
    """Its text, once in the file."""
    replacement: str
    """What stands there when it is off."""

    def switched_off(self, text: str) -> str:
        """Return the text of its file without it."""
        if text.count(self.source) != 1:
            raise ValueError(f"{self.name}: {self.file} does not have its text once")
        return text.replace(self.source, self.replacement)


_ELECTION, _EXCLUSIONS = "patterns/election.py", "patterns/exclusions.py"
_CLASSIFIER, _LABELS = "patterns/article_classifier.py", "patterns/labels.py"
_VOTING, _LEARNING = "patterns/label_voting.py", "patterns/site_learning.py"

RULES = (
    Rule(
        "the title is where the site has its titles",
        _ELECTION,
        "    if usual is not None:\n        [there]",
        "    if usual is not None and False:\n        [there]",
    ),
    Rule(
        "pages with their title elsewhere are another template",
        _ELECTION,
        "if other is not None and certain else None",
        "if False else None",
    ),
    Rule(
        "comments are no body", _ELECTION, "candidates.comments.copy()", "candidates.comments & 0"
    ),
    Rule(
        "what recurs on half of the pages is no body",
        _ELECTION,
        "ignored[leaves[are_known(tree.text_hash[leaves], constants)]] = True",
        "pass",
    ),
    Rule(
        "what is above the title is no body",
        _ELECTION,
        "        ignored[leaves[leaves <= leaf]] = True",
        "        pass",
    ),
    Rule(
        "a second article is no body",
        _ELECTION,
        "    if hold_several(pages, title):",
        "    if False:",
    ),
    Rule(
        "a further article is known by what links call it",
        _ELECTION,
        "        ends = named\n",
        "        pass\n",
    ),
    Rule(
        "witnesses are not shown teasers",
        _ELECTION,
        "unseen = ignored | candidates.teasers",
        "unseen = ignored",
    ),
    Rule(
        "the whole page is the last choice for a container",
        _ELECTION,
        "score - THRESHOLDS.whole_page",
        "score",
    ),
    Rule(
        "a box with most of the text is the container",
        _ELECTION,
        "if largest_box >= THRESHOLDS.large_box * whole:",
        "if False:",
    ),
    Rule(
        "the body is where the site has its bodies",
        _ELECTION,
        "    if usual is not None:\n        own",
        "    if usual is not None and False:\n        own",
    ),
    Rule(
        "of containers about as good the smallest is taken",
        _ELECTION,
        "elect(rated, THRESHOLDS.near_tie)",
        "elect(rated)",
    ),
    Rule(
        "a box that no witness takes is left out",
        _EXCLUSIONS,
        "(not self.is_code and self.taken < THRESHOLDS.untaken * self.words)",
        "False",
    ),
    Rule(
        "program code stays in",
        _EXCLUSIONS,
        "not self.is_code and ",
        "",
    ),
    Rule(
        "a box whose text recurs is left out",
        _EXCLUSIONS,
        "or self.repeated > often * self.words",
        "",
    ),
    Rule(
        "a box of links is left out",
        _EXCLUSIONS,
        "            or linked > THRESHOLDS.mostly_links\n",
        "",
    ),
    Rule(
        "a short box at the edge with links is left out",
        _EXCLUSIONS,
        "or (at_edge and linked > THRESHOLDS.linked_text and short)",
        "",
    ),
    Rule(
        "cells and lines spread over the text stay in",
        _EXCLUSIONS,
        "if self.woven > THRESHOLDS.woven_pages * self.pages:",
        "if False:",
    ),
    Rule(
        "a box with much of the text stays in",
        _EXCLUSIONS,
        "        and block.words <= most * text\n"
        "        and (block.recurs or block.share <= most * block.pages)\n",
        "",
    ),
    Rule(
        "a paragraph in the place of a box stays in",
        _EXCLUSIONS,
        "        and not block.elsewhere\n",
        "",
    ),
    Rule(
        "lines of links at the end are left out",
        _EXCLUSIONS,
        "trailing_links=trailing_links",
        "trailing_links=False",
    ),
    Rule(
        "comments inside the container are left out",
        _EXCLUSIONS,
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
        "a doubtful container is held against the witnesses",
        _LABELS,
        "not leaves or agreement(tree, labelled.body, leaves) >= THRESHOLDS.baseline_agreement",
        "True",
    ),
    Rule(
        "what most pages have is no body, whatever the baselines say",
        _LABELS,
        "if not everywhere]",
        "]",
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
        "lists that share a template have a pattern of their own",
        "patterns/page_groups.py",
        "for made in site.parted(*self._composed[part])",
        "for made in [self._composed[part]]",
    ),
    Rule(
        "a mixed pattern is labelled by its articles",
        _LEARNING,
        'known.kind == "mixed" and len(which) >= THRESHOLDS.least_articles',
        "False",
    ),
    Rule(
        "what is usual on a site is learned from several articles",
        _LEARNING,
        "> THRESHOLDS.main_articles and articles >= THRESHOLDS.least_articles",
        "> THRESHOLDS.main_articles",
    ),
    Rule(
        "a pattern of one kind carries its odd pages",
        _CLASSIFIER,
        "point.times(weight) if point.weak else point",
        "point",
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
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if fewer than nine in ten rules are noticed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rules", nargs="+", default=[], help="parts of their names")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="files of tests")
    options = parser.parse_args(arguments)
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
    """Return the first test that fails when a rule is off in a copy of the project; else ''."""
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
