"""Check that the tests of docs/reliability.md fail without the defences that they test.

`python -m benchmarks.faults.defences [ROW ...]`. In a copy of the checkout, one defence at a time
is removed from the source, and the tests of its row are run. The first failing test is printed.
The exit code is 1 if all tests pass without a defence, or if its source is not found.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from shutil import copy2
from typing import NamedTuple

from tests import leftovers

PROJECT = Path(__file__).parents[2]
SECONDS = 900
"""Maximum seconds for the tests of one row; a timeout counts as passed."""

BOUNDS = "tests/crawler/test_bounds.py::"
BROKEN = "tests/stages/test_broken_nights.py::"
DATABASE = "tests/storage/test_database.py::"
LINKS = "tests/flong/test_links.py::"
LOCKS = "tests/storage/test_locks.py::"
NEW_USER = "tests/stages/test_new_user.py::"
RESPONSES = "tests/faults/test_hostile_responses.py::"
SILENT = "tests/stages/test_silent_nights.py::"
STOPPED = "tests/stages/test_interruption.py::"
VIEWS = "tests/inspector/test_views.py::"
WEBHOOK = "tests/stages/test_nightly_parts.py::"


class Defence(NamedTuple):
    """A defence, the change that removes it, and the tests that should fail then."""

    row: str
    """Number of the row of docs/reliability.md, or its first words."""
    path: str
    """File of the defence."""
    on: str
    """Its source, which must be unique in the file."""
    off: str
    """Replacement that removes it."""
    tests: str
    """Names of tests, separated by spaces."""


DEFENCES = (
    Defence(
        "31", "crawler/spider.py", "if self._is_sated:", "if False:",
        f"{BOUNDS}test_reached_limit_ends_the_crawl_and_is_reported",
    ),
    Defence(
        "31", "crawler/bounds.py", "waiting < FEW + SPARE * max(0, self.pages - stored)", "True",
        f"{BOUNDS}test_max_pages_bounds_the_frontier",
    ),
    Defence(
        "32", "crawler/spider.py",
        "url = self._sitemaps.next() if self._bound is None else None\n"
        "        if url is not None:\n",
        "while (url := self._sitemaps.next()) is not None:\n            self._sitemaps.done()\n",
        f"{BOUNDS}test_sitemaps_are_fetched_one_after_the_other",
    ),
    Defence(
        "32", "crawler/feeds.py", "        _forget(element)\n", "",
        f"{BOUNDS}test_large_sitemap_needs_little_memory",
    ),
    Defence(
        "33", "flong/stages/extraction.py",
        "pool.map(reader, documents,", "pool.map(reader, [*documents],",
        "tests/stages/test_memory.py::test_extraction_memory_does_not_grow_with_the_site",
    ),
    Defence(
        "33", "flong/tree/tree.py", "source=self.source.packed()", "source=self.source",
        "tests/tree/test_packed.py::"
        "test_packed_tree_is_equal_and_much_smaller",
    ),
    Defence(
        "34", "storage/pages.py", "                _ = row.html, row.links\n",
        "                pass\n",
        "tests/stages/test_damaged.py::test_damaged_page_is_reported_and_others_are_processed",
    ),
    Defence(
        "34", "storage/pages.py", '{"content_hash": None, "etag": None, "last_modified": None}',
        '{"content_hash": None}',
        "tests/crawler/test_revisit_policy.py::"
        "test_damaged_page_is_fetched_again_unconditionally",
    ),
    Defence(
        "35", "crawler/decoding.py", "encoding = webencodings.lookup(label)\n",
        "import codecs\n    try:\n        info = codecs.lookup(label)\n    except LookupError:\n"
        "        return None\n    encoding = Encoding(info.name, info)\n",
        f"{RESPONSES}test_unknown_encoding_label_is_ignored",
    ),
    Defence(
        "37", "crawler/callback_errors.py", "if isinstance(exception, CloseSpider):", "if True:",
        f"{RESPONSES}test_callback_error_is_recorded_and_the_crawl_continues",
    ),
    Defence(
        "38", "flong/links.py", "if inner is not element and inner.tag in _TEXT_ENDS:",
        "if False:", f"{LINKS}test_nested_links_are_read_once",
    ),
    Defence(
        "39", "flong/links.py", "limit_attributes(html).encode", "html.encode",
        f"{LINKS}test_tags_with_thousands_of_attributes_are_cut",
    ),
    Defence(
        "40", "flong/links.py", "if thread_time() > self._end:", "if False:",
        f"{RESPONSES}test_page_too_slow_to_parse_is_a_recorded_failure",
    ),
    Defence(
        "41", "crawler/spider.py", "status = status if status in HTTP_STATUSES else 0\n",
        "pass\n", f"{RESPONSES}test_odd_status_codes_are_recorded_failures",
    ),
    Defence(
        "42", "crawler/robots.py", "if self._spider.networks.is_inside and", "if False and",
        f"{RESPONSES}test_robots_txt_cannot_redirect_to_another_internal_host",
    ),
    Defence(
        "43", "crawler/networks.py", " and ip in _GLOBAL_UNICAST", "",
        "tests/crawler/test_networks.py",
    ),
    Defence(
        "44", "crawler/revisit_policy.py", '.encode(HEADER_ENCODING, "ignore")', ".encode()",
        f"{RESPONSES}test_validators_are_sent_back_byte_for_byte",
    ),
    Defence(
        "45", "flong/inspector/paging.py", "Path(ge=0, le=LARGEST)", "Path(ge=0)",
        f"{VIEWS}test_numbers_of_any_size_are_handled",
    ),
    Defence(
        "45", "flong/inspector/app.py", 'if "\\0" in request.scope["path"] or any', "if any",
        f"{VIEWS}test_nul_is_refused_with_a_message",
    ),
    Defence(
        "46", "flong/inspector/database.py", "store.only_read(seconds)", "store.only_read(1e6)",
        f"{VIEWS}test_endless_query_is_cancelled",
    ),
    Defence(
        "47", "flong/inspector/app.py",
        'scope["type"] != "http" or self._is_ours', "True or self._is_ours",
        "tests/inspector/test_command.py::"
        "test_network_access_is_warned_of_and_other_hosts_refused",
    ),
    Defence(
        "48", "flong/stages/delivery.py", "ValueError, HTTPException)", "ValueError)",
        f"{WEBHOOK}test_webhook_without_http_is_reported",
    ),
    Defence(
        "48", "flong/stages/delivery.py", "within(seconds, lambda: _post(url, body, seconds))",
        "_post(url, body, seconds)",
        f"{WEBHOOK}test_slow_webhook_times_out",
    ),
    Defence(
        "48", "flong/stages/delivery.py", "({type(error).__name__})", "({error})",
        f"{WEBHOOK}test_webhook_failure_is_reported_without_its_url",
    ),
    Defence(
        "49", "flong/stages/exports.py",
        "the pipe\n    except OSError as error:\n", "the pipe\n    except EOFError as error:\n",
        "tests/stages/test_exports.py::test_full_device_is_reported",
    ),
    Defence(
        "50", "storage/engine.py", "0o600", "0o644",
        f"{DATABASE}test_new_database_is_readable_only_by_its_owner",
    ),
    Defence(
        "51", "storage/engine.py", 'if tables != ["alembic_version"] and not re', "if False and re",
        f"{DATABASE}test_a_database_without_a_schema_version_is_refused",
    ),
    Defence(
        "52", "storage/engine.py", 'r"://.*@"', 'r"://[^@]*@"',
        f"{DATABASE}test_no_part_of_a_password_is_in_messages",
    ),
    Defence(
        "53", "flong/stages/replaced_articles.py", "if known_broken or is_broken(",
        "if False and is_broken(",
        f"{BROKEN}test_a_night_of_error_pages_changes_nothing",
    ),
    Defence(
        "53", "flong/stages/replaced_articles.py", "edited = store.runs.edited_articles(crawl)",
        "edited = []", f"{BROKEN}test_apparent_edits_on_a_broken_night_are_undone",
    ),
    Defence(
        "55", "flong/stages/article_merge.py", "judged_anew = same_document and ", "judged_anew = ",
        "tests/stages/test_article_merge.py::"
        "test_new_model_rejudges_only_the_source_document",
    ),
    Defence(
        "56", "flong/stages/replaced_articles.py",
        "links is not None\n        and", "False\n        and",
        f"{SILENT}test_outage_is_reported_and_articles_are_kept",
    ),
    Defence(
        "57", "crawler/revisit_policy.py", "return time > self._now + NIGHT", "return False",
        f"{SILENT}test_times_in_the_future_do_not_stop_nights",
    ),
    Defence(
        "58", "storage/runs.py", 'mine |= {} if night_id is None else {"night_id": night_id}',
        "pass", f"{SILENT}test_resumed_crawl_belongs_to_the_night_that_resumes_it",
    ),
    Defence(
        "59", "flong/stages/drift.py", "articles < self.mean - SPREADS * self.spread", "False",
        f"{SILENT}test_unusually_few_new_articles_are_reported",
    ),
    Defence(
        "68", "flong/tree/build.py", "        elif opened[name]:", "        elif True:",
        "tests/tree/test_build.py::test_tags_stay_open_until_their_end_tag",
    ),
    Defence(
        "70", "storage/engine.py", "    if _is_read_only(Path(path)):", "    if False:",
        f"{DATABASE}test_database_on_read_only_storage_can_be_read",
    ),
    Defence(
        "71", "flong/fleet/worker.py", "        record.exc_info = None\n", "        pass\n",
        "tests/fleet/test_worker.py::test_night_survives_a_database_restart",
    ),
    Defence(
        "72", "flong/fleet/worker.py", "        if job.paused:", "        if False:",
        "tests/fleet/test_worker.py::test_site_that_is_paused_after_queueing_is_not_visited",
    ),
    Defence(
        "75", "crawler/networks.py", 'network not in ("", METADATA_SERVICE) and ', "",
        "tests/crawler/test_networks.py::"
        "test_metadata_service_is_refused_in_every_spelling",
    ),
    Defence(
        "76", "flong/search/mcp_server.py", " if 0 < article < _END_OF_IDS else None", "",
        "tests/stages/test_mcp.py::"
        "test_hostile_arguments_are_refused_or_bounded",
    ),
    Defence(
        "77", "crawler/networks.py", "(is_own and self._trusts_home)", "is_own",
        "tests/inspector/test_internal_urls.py::"
        "test_only_public_hosts_and_one_named_by_its_address_were_connected_to",
    ),
    Defence(
        "locks: at once", "storage/locks.py",
        "    if at_work:\n        raise _refused(site, lock)\n    return at_work is False\n",
        "    return True\n",
        f"{LOCKS}test_only_one_of_several_processes_gets_the_lock",
    ),
    Defence(
        "locks: number", "storage/locks.py",
        "return started == process.started if started and process.started else None",
        "return True", f"{LOCKS}test_reused_process_id_does_not_hold_a_lock",
    ),
    Defence(
        "locks: taken over", "storage/database.py", "if self.refusal:\n", "if False:\n",
        f"{LOCKS}test_process_that_lost_its_lock_cannot_write",
    ),
    Defence(
        "locks: learn", "flong/commands/learn.py", "with store.locks.hold(site):", "if True:",
        "tests/stages/test_locked_sites.py::"
        "test_locked_site_is_refused",
    ),
    Defence(
        "terminal: dead site", "flong/command.py", "except (PipelineError, LockedSite)",
        "except LockedSite", f"{NEW_USER}test_dead_site_is_named_and_does_not_stop_others",
    ),
    Defence(
        "terminal: Ctrl-C", "flong/command.py", "except KeyboardInterrupt:",
        "except EOFError:", f"{STOPPED}test_ctrl_c_interrupts_a_stage_cleanly",
    ),
    Defence(
        "terminal: Ctrl-C", "flong/stages/night.py", "process.terminate()", "pass",
        f"{STOPPED}test_interrupted_night_is_continued_by_the_next",
    ),
    Defence(
        "terminal: Ctrl-C", "crawler/item_pipeline.py",
        'at_its_end("before", "shutdown", self._abandon)', "pass",
        f"{STOPPED}test_interrupted_night_is_continued_by_the_next",
    ),
    Defence(
        "terminal: died", "storage/runs.py", "status = row.status if alive else RunStatus.KILLED",
        "status = row.status", f"{STOPPED}test_run_of_a_dead_process_is_shown_as_killed",
    ),
    Defence(
        "terminal: method", "flong/commands/extract.py",
        "if options.method or options.output:", "if options.output and not options.method:",
        f"{NEW_USER}test_other_methods_never_change_stored_articles",
    ),
    Defence(
        "terminal: long work", "flong/stages/extraction.py", 'tell, "pages", len(waiting))',
        'tell, "pages", 0)', f"{NEW_USER}test_extraction_progress_shows_the_page_count",
    ),
    Defence(
        "terminal: 80 columns", "flong/rich_console.py", "    if not widths:\n",
        "    widths = widths or [6] * len(names)\n    if False:\n",
        "tests/stages/test_console.py::test_no_word_is_broken_and_no_line_is_too_long",
    ),
    Defence(
        "terminal: output", "flong/stages/exports.py", "if path == STDOUT:", "if False:",
        "tests/stages/test_exports.py::test_a_dash_is_standard_output",
    ),
    Defence(
        "terminal: database", "flong/command.py", "if not create:\n", "if False:\n",
        "tests/stages/test_bad_input.py::"
        "test_read_commands_do_not_create_a_database",
    ),
    Defence(
        "terminal: database", "flong/command.py", "    show_note(f\"New", "    str(f\"New",
        "tests/stages/test_bad_input.py::test_new_database_is_announced_once",
    ),
    Defence(
        "terminal: remove", "flong/commands/sites.py",
        "if not is_sure and not sys.stdin.isatty():", "if False:",
        f"{NEW_USER}test_removing_a_site_needs_confirmation",
    ),
    Defence(
        "terminal: remove", "flong/commands/sites.py", "store.give_back_space()", "pass",
        f"{NEW_USER}test_removing_a_site_shrinks_the_database",
    ),
    Defence(
        "terminal: gone", "flong/commands/explain.py", "missing = _missing(row)", 'missing = ""',
        f"{NEW_USER}test_explain_first_reports_that_a_page_is_gone",
    ),
    Defence(
        "terminal: hint", "flong/stages/hints.py", "    if found is not None:\n", "    if False:\n",
        f"{NEW_USER}test_unusable_site_gives_a_hint",
    ),
)  # fmt: skip


def copy_checkout(folder: Path) -> None:
    """Copy the repository with its cache of compiled code: compiling takes a minute."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(  # noqa: S603 - ours
        listed, cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    names += [str(path.relative_to(PROJECT)) for path in PROJECT.glob("*/**/__pycache__/*.nb?")]
    for name in names:
        # `flong/crawler` and three others are links to folders.
        if (PROJECT / name).is_file() or (PROJECT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            copy2(PROJECT / name, folder / name, follow_symlinks=False)


def who_notices(folder: Path, defence: Defence) -> str:
    """Return the first test that fails without a defence; empty if all pass."""
    file = folder / defence.path
    source = file.read_text()
    if source.count(defence.on) != 1:
        raise SystemExit(f"{defence.path} does not hold once: {defence.on}")
    changed = source.replace(defence.on, defence.off)
    compile(changed, defence.path, "exec")  # else every test would notice
    file.write_text(changed)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - our own tests
            [*command, *defence.tests.split()],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    finally:
        file.write_text(source)
    lines = done.stdout.splitlines()
    failed = (line for line in lines if re.match(r"(FAILED|ERROR) tests\S+::", line))
    return next(failed, "")[:150]


def main(arguments: Sequence[str] | None = None) -> int:
    """Remove one defence after the other."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults.defences",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "rows", nargs="*", metavar="ROW", help="of docs/reliability.md; default: all"
    )
    rows = parser.parse_args(arguments).rows
    leftovers.watch()
    unnoticed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_checkout(folder)
        for defence in DEFENCES:
            if rows and not any(defence.row.startswith(row) for row in rows):
                continue
            noticed = who_notices(folder, defence)
            unnoticed += not noticed
            print(f"{defence.row}: {noticed or f'NOT NOTICED: {defence.on}'}", flush=True)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
