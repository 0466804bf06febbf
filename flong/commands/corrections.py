"""`flong corrections`: list, undo, export, load and apply corrections."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import (
    DONE,
    NEEDS_ATTENTION,
    Command,
    Group,
    add_json_argument,
    chosen_sites,
    work_on_each,
)
from flong.console import Row, say, show_rows
from flong.errors import PipelineError
from flong.program import program
from flong.storage import CorrectionRow, Site, Store

VERBS = ("list", "undo", "export", "load", "apply")


class CorrectionsCommand(Command):
    """List, undo, export and load corrections, and relearn sites with them."""

    group = Group.READ
    summary: ClassVar[str] = "List corrections; undo, export, load or apply them"
    arguments: ClassVar[str] = "[list | undo ID ... | export | load FILE | apply] [SITE ...]"
    examples: ClassVar[str] = """
        flong corrections
        flong corrections list news.example --json
        flong corrections undo 3
        flong corrections export news.example > corrections.jsonl
        flong corrections load corrections.jsonl
        flong corrections apply news.example    # relearn with them, extract again
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the action and its arguments."""
        parser.add_argument("words", nargs="*", metavar="WORD", help="action, then ids or sites")
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Run the action."""
        verb, *words = options.words or ["list"]
        if verb not in VERBS:
            raise UsageError(f"Unknown action {verb!r}. Use one of: {', '.join(VERBS)}.")
        if verb in ("undo", "load") and not words:
            raise UsageError(f"Run: {program()} corrections {verb} {'ID' * (verb == 'undo')}")
        if verb == "undo":
            return _undo(store, [_number(word) for word in words])
        if verb == "load":
            return _load(store, Path(words[0]))
        sites = chosen_sites(store, words)
        if verb == "apply":
            return self._apply(store, sites)
        rows = store.extractions.corrections(sites)
        if verb == "export":
            _export([row for row in rows if row.undone_at is None])
        else:
            empty = f"There are no corrections yet. Run: {program()} inspect --edit"
            show_rows("Corrections", [*map(_row, rows)], as_json=options.json, empty=empty)
        return DONE

    def _apply(self, store: Store, sites: Sequence[Site]) -> int:
        from flong.stages.learning import apply_corrections  # noqa: PLC0415 - loads the compiler

        def work(site: Site) -> int:
            with store.locks.hold(site):
                said, is_well = apply_corrections(store, site, self.learning())
            say(f"{site.name}: {said}")
            return DONE if is_well else NEEDS_ATTENTION

        return work_on_each(sites, work)


def _undo(store: Store, numbers: Sequence[int]) -> int:
    sites: dict[str, None] = {}
    for number in numbers:
        row = store.extractions.undo_correction(number)
        sites[row.site] = None
        say(f"Correction {number} of {row.site} is undone.")
    say(f"To update the pages, run: {program()} corrections apply {' '.join(sites)}")
    return DONE


def _load(store: Store, file: Path) -> int:
    from flong.stages.corrections import read_lines  # noqa: PLC0415 - loads the compiler

    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PipelineError(f"{file} cannot be read: {error}.") from error
    with store.transaction():  # all or nothing
        added = [row for each in list(read_lines(lines)) if (row := each.into(store))]
    say(f"{len(added)} of {len(lines)} corrections are new.")
    return DONE


def _export(rows: Sequence[CorrectionRow]) -> None:
    from flong.stages.corrections import ExportedCorrection  # noqa: PLC0415 - loads the compiler

    lines = [asdict(ExportedCorrection.of(row)) for row in rows]
    show_rows("Corrections", lines, as_json=True, empty="")


def _row(row: CorrectionRow) -> Row:
    return {
        "id": row.id,
        "site": row.site,
        "field": row.field.value,
        "kind": row.kind.value,
        "text": row.text,
        "url": row.url,
        "made_at": row.made_at,
        "undone_at": row.undone_at,
    }


def _number(word: str) -> int:
    if not word.isdecimal() or len(word) > 9:
        raise UsageError(f"{word!r} is not the id of a correction.")
    return int(word)
