"""Runs `scrapy` commands, each in a fork of this process, which has all modules loaded.

Reads a line of JSON for each command: its number, words, environment, output files. Writes that
number and the exit code when the command has ended. Starting an interpreter for each command
would take most of the time of many tests.
"""

import importlib
import json
import os
import pkgutil
import sys
import traceback
import warnings
from importlib.metadata import entry_points

import scrapy.cmdline

import flong.crawler.settings
import flong.rich_console
import flong.stages.extraction
from flong.workers.warm import warm

LOADED = (
    *("flong.commands", "flong.crawler", "flong.recipes", "flong.search", "flong.stages"),
    *("scrapy.commands", "scrapy.downloadermiddlewares", "scrapy.extensions"),
    "scrapy.spidermiddlewares",
)
"""Packages of which a command loads many modules: Scrapy lists all commands first."""
NOT_FORKED = ("flong.crawler.browser_handler",)
"""Modules that a process has to load itself: Playwright's."""


def run(words, environment, out, err):
    """Run a command line in this process; return its exit code."""
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for file, stream in ((out, 1), (err, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    sys.argv = ["scrapy", *words]
    importlib.reload(flong.crawler.settings)  # it reads the environment
    try:
        scrapy.cmdline.execute(["scrapy", *words])
    except SystemExit as end:
        return end.code or 0
    except BaseException:  # noqa: BLE001 - what a process of its own would print
        traceback.print_exc()
        return 1
    return 0


def main():
    with warnings.catch_warnings(action="ignore"):  # of modules that no command uses
        for name in LOADED:
            for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
                if module.name not in NOT_FORKED:
                    importlib.import_module(module.name)
    for command in entry_points(group="scrapy.commands"):
        command.load()
    warm()
    serve()


def serve():
    for line in sys.stdin:
        asked = json.loads(line)
        number = asked.pop("number")
        copy = os.fork()
        if not copy:
            code = run(**asked)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(copy, 0)
        sys.stdout.write(f"{number} {os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
