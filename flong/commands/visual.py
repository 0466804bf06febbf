"""`flong visual`: train the V-Wrapper on stored articles, or evaluate it."""

import argparse
import importlib.util
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import DONE, NEEDS_ATTENTION, Command, Group, add_json_argument, chosen_sites
from flong.console import show_note, show_rows
from flong.errors import PipelineError
from flong.program import program
from flong.stages.exports import whole_file
from flong.storage import Site, Store

VERBS = ("train", "evaluate")


class VisualCommand(Command):
    """Train and evaluate the V-Wrapper, which reads pages by their layout."""

    group = Group.READ
    summary: ClassVar[str] = "Train or evaluate the V-Wrapper on stored articles"
    arguments: ClassVar[str] = "train | evaluate [SITE ...]"
    examples: ClassVar[str] = """
        flong visual train --output wrapper.json
        flong visual train a.example b.example --as-published --output printed.json
        flong visual evaluate c.example --model wrapper.json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the action, sites and files."""
        parser.add_argument("words", nargs="+", metavar="train|evaluate [SITE]", help="what to do")
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="output of train, - for standard output"
        )
        parser.add_argument(
            "--model", type=Path, metavar="FILE", help="model for evaluate (default: flong's own)"
        )
        parser.add_argument(
            "--as-published", action="store_true", help="train the wrapper as published"
        )
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Run the action."""
        verb, *names = options.words
        if verb not in VERBS:
            raise UsageError(f"Unknown action {verb!r}. Use one of: {', '.join(VERBS)}.")
        if verb == "train" and not options.output:
            raise UsageError("The output file is missing. Add --output FILE")
        sites = chosen_sites(store, names)
        if not sites:
            raise PipelineError(f"There is no site yet. Run: {program()} crawl https://...")
        return (self._train if verb == "train" else self._evaluate)(store, sites, options)

    def _train(self, store: Store, sites: Sequence[Site], options: argparse.Namespace) -> int:
        """Train a wrapper on the articles of the sites and write it."""
        from flong.visual import write_wrapper  # noqa: PLC0415
        from flong.visual.browser import Browser  # noqa: PLC0415 - loads the compiler
        from flong.visual.stored_pages import train_on  # noqa: PLC0415

        if importlib.util.find_spec("sklearn") is None:
            raise PipelineError("Training needs scikit-learn. Run: pip install 'flong[visual]'")
        with Browser(self.setting("FLONG_CHROMIUM")) as browser:
            trained = train_on(
                store, sites, browser, self.page_seconds(), as_published=options.as_published
            )
        with whole_file(options.output) as stream:
            stream.write(write_wrapper(trained).encode())
        show_note(f"Trained on {trained.pages} pages of {len(sites)} sites.")
        return DONE

    def _evaluate(self, store: Store, sites: Sequence[Site], options: argparse.Namespace) -> int:
        """Show the agreement of the wrapper with the stored articles of each site."""
        from flong.visual.browser import Browser  # noqa: PLC0415 - loads the compiler
        from flong.visual.stored_pages import compare, load_wrappers  # noqa: PLC0415

        method = "v-wrapper-as-published" if options.as_published else "v-wrapper"
        wrappers = load_wrappers(method, options.model)
        with Browser(self.setting("FLONG_CHROMIUM")) as browser:
            found = [compare(store, site, wrappers, browser, self.page_seconds()) for site in sites]
        rows = [
            {name: round(v, 3) if isinstance(v, float) else v for name, v in asdict(each).items()}
            for each in found
        ]
        show_rows("The V-Wrapper and the stored articles", rows, as_json=options.json, empty="")
        return DONE if any(each.articles for each in found) else NEEDS_ATTENTION
