"""The command `flong`: works in any folder, with flong's settings."""

import os
import sys
from difflib import get_close_matches
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules

HELP = ("-h", "--help", "help")
VERSION = ("-V", "--version")


def main() -> None:
    """Run the command in the command line."""
    words = sys.argv[1:]
    if not words or words[0] in HELP:
        sys.exit(_list_commands())
    if words[0] in VERSION:
        words[0] = "version"
    names = _names()
    if words[0] not in names:
        sys.exit(_explain_mistake(words[0], names))
    os.environ["SCRAPY_SETTINGS_MODULE"] = "flong.crawler.settings"
    from scrapy.cmdline import execute  # noqa: PLC0415 - slow to load

    execute(["flong", *words])


def _names() -> list[str]:
    from flong import commands  # noqa: PLC0415 - loads Scrapy

    return [module.name for module in iter_modules(commands.__path__)]


def _list_commands() -> int:
    """Print the commands by group."""
    from scrapy.commands import ScrapyCommand  # noqa: PLC0415 - slow to load

    from flong.command import Group  # noqa: PLC0415

    groups: dict[Group, list[str]] = {group: [] for group in Group}
    for name in _names():
        module = import_module(f"flong.commands.{name}")
        for _, command in getmembers(module, isclass):
            if issubclass(command, ScrapyCommand) and command.__module__ == module.__name__:
                groups[vars(command)["group"]].append(f"  {name:12} {command().short_desc()}")
    print("usage: flong COMMAND [options]\n\nflong COMMAND -h shows options and examples.")
    for group, lines in groups.items():
        print(f"\n{group}:", *lines, sep="\n")
    return 0


def _explain_mistake(word: str, names: list[str]) -> int:
    """Report an unknown command, with the one that was probably meant."""
    from flong.console import show_error  # noqa: PLC0415

    if "://" in word or word.startswith("www."):
        url = word if "://" in word else f"https://{word}"
        show_error(f"To crawl a site, run: flong crawl {url}")
    else:
        close = "".join(f" Did you mean {name}?" for name in get_close_matches(word, names, 1))
        show_error(f"There is no command {word!r}.{close} flong -h lists all.")
    return 2


if __name__ == "__main__":
    main()
