"""Every command line and every piece of code in the documents is one that works."""

import argparse
import importlib.util
import re
import shlex
from functools import cache
from importlib import import_module
from inspect import getmembers, isclass
from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand
from scrapy.utils.project import get_project_settings

from flong.demo import Portal, serve
from flong.program import VERSION

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
SCRAPYS = {"runspider", "savefixture", "startproject", "version"}
"""Commands that are not flong's."""
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(document, *languages):
    return [code for kind, code in FENCED.findall(document.read_text()) if kind in languages]


def command_lines(document):
    """Yield the words of each command line in the blocks for a shell."""
    for block in blocks(document, "sh", "console"):
        for line in block.replace("\\\n", " ").splitlines():
            prompt = line.removeprefix("$ ").removeprefix("# ")
            if prompt == line and block in blocks(document, "console"):
                continue  # what a command prints
            words = shlex.split(prompt, comments=True)
            while words and re.match(r"[A-Z_]+=", words[0]):
                del words[0]
            if words:
                yield words


def mentioned(document):
    """Yield the words of each command line in the middle of a sentence."""
    prose = FENCED.sub("", document.read_text())
    for code in re.findall(r"`((?:scrapy|flong) [^`]+)`", prose):
        yield code.replace("\n", " ").split()


@cache
def parser(command):
    """Return the parser of one of flong's commands, as Scrapy makes it."""
    module = import_module(f"flong.commands.{command}")
    (found,) = {
        thing
        for _, thing in getmembers(module, isclass)
        if issubclass(thing, ScrapyCommand) and thing.__module__ == module.__name__
    }
    made = found()
    made.settings = get_project_settings()
    parser = argparse.ArgumentParser(prog=command, conflict_handler="resolve", exit_on_error=False)
    made.add_options(parser)
    return parser


def exists(command):
    return (ROOT / "flong" / "commands" / f"{command}.py").exists()


def check_words(words):
    program, *rest = words
    if program in ("scrapy", "flong") and rest and not rest[0].startswith("-"):
        command, *arguments = rest
        if command not in SCRAPYS:
            assert exists(command), words
            if command != "crawl" or "-h" not in arguments:
                parser(command).parse_known_args(arguments)
            unknown = [a for a in arguments if a.startswith("--") and not has_option(command, a)]
            assert not unknown, words
    elif program == "make":
        assert re.search(rf"^{rest[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), words
    elif program == "python" and rest[0] == "-m":
        assert importlib.util.find_spec(rest[1]), words


def has_option(command, option):
    return option.partition("=")[0] in re.split(r"[\s,=\[\]]+", parser(command).format_help())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_line_in_a_block_parses(document):
    for words in command_lines(document):
        try:
            check_words(words)
        except (argparse.ArgumentError, SystemExit) as error:
            pytest.fail(f"{shlex.join(words)}: {error}")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_in_a_sentence_exists(document):
    for _, command, *arguments in mentioned(document):
        if command.startswith("-") or not command.islower() or command in SCRAPYS:
            continue
        assert exists(command), command
        options = [re.sub(r"[\[\],.;]", "", word) for word in arguments]
        for option in options:
            assert not option.startswith("--") or has_option(command, option), (command, option)


def test_command_blocks_are_found():
    lines = [words for document in DOCUMENTS for words in command_lines(document)]
    assert len(lines) > 40
    assert sum(len(list(mentioned(document))) for document in DOCUMENTS) > 60


@pytest.mark.parametrize(
    "words", [["scrapy", "articels"], ["scrapy", "articles", "--limmit", "3"], ["make", "tea"]]
)
def test_wrong_command_is_detected(words):
    with pytest.raises((AssertionError, SystemExit, argparse.ArgumentError)):
        check_words(words)


def test_the_tutorial_works(scrapy, tmp_path, monkeypatch, capsys):
    tutorial = ROOT / "docs" / "tutorial.md"
    environment = {"FLONG_DATABASE": f"sqlite:///{tmp_path / 'flong.db'}", "FLONG_LEARN": "1"}
    with serve(Portal(articles=30)) as site:
        for block in blocks(tutorial, "sh"):
            for line in block.splitlines():
                said = line.replace("http://127.0.0.1:8000", site.url)
                words = shlex.split(said.replace("articles.jsonl", f"{tmp_path}/articles.jsonl"))
                done = scrapy(*words[1:], **environment)
                assert done.returncode == 0, line + done.stdout + done.stderr
    assert (tmp_path / "articles.jsonl").stat().st_size > 10_000
    monkeypatch.chdir(tmp_path)
    for block in blocks(tutorial, "python"):
        exec(block, {})  # noqa: S102 - our own document
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) > 25
    assert printed[-1] == "None"


def test_readme_shows_the_output_of_the_demo(scrapy, tmp_path):
    (session,) = blocks(ROOT / "README.md", "console")
    shown = [line for line in session.splitlines() if line != "..." and line[0] not in "$1"]
    done = scrapy("demo", "--database", str(tmp_path / "demo.db"))
    printed = "".join(re.sub(r"[│\s]", "", line) for line in done.stdout.splitlines())
    assert done.returncode == 0
    assert [line for line in shown if re.sub(r"[│\s]", "", line) not in printed] == []


def test_the_changelog_begins_with_this_version():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == VERSION
