"""`flong inspect`: browse the database in a web browser."""

import argparse
import ipaddress
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from getpass import getpass
from importlib.util import find_spec
from threading import Thread
from typing import ClassVar
from urllib.parse import urlsplit

from scrapy.exceptions import UsageError

from flong.command import DONE, Command, Group, open_store
from flong.console import say, show_note
from flong.crawler import lock_settings
from flong.errors import PipelineError
from flong.program import program
from flong.stages.exports import FORMATS
from flong.storage import Site, Store
from flong.storage.search import Result
from flong.workers.pool import PAGE_SECONDS

MIN_PASSWORD = 12
"""Minimum number of characters of a password."""
PATIENCE = 2
"""Seconds until open connections are closed at exit; job logs would keep them open."""


class InspectCommand(Command):
    """Serve the web interface until interrupted."""

    group = Group.LOOK
    summary: ClassVar[str] = "Browse sites, clusters, patterns and articles in a web browser"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        flong inspect
        flong inspect --port 8080
        flong inspect --edit            # correct, add and run sites: prints a URL with a token
        flong inspect --host 0.0.0.0    # reachable from the network
        flong inspect --hash-password   # prints FLONG_PASSWORD_HASH, for a login
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the address and port."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
        )
        parser.add_argument(
            "--port", type=int, default=8180, help="port to listen on, 0 for a free one (8180)"
        )
        parser.add_argument(
            "--edit", action="store_true", help="allow changes with the token in the URL"
        )
        parser.add_argument(
            "--hash-password",
            action="store_true",
            help="ask for a password, print the setting for it, and end",
        )

    def start(self, options: argparse.Namespace) -> int:
        """Open the database, unless a password is to be hashed."""
        return _hash_password() if options.hash_password else super().start(options)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Listen, print the URL, and serve."""
        import uvicorn  # noqa: PLC0415 - only this command needs a web server

        from flong.inspector import (  # noqa: PLC0415
            LOOPBACK,
            Editor,
            Jobs,
            Login,
            add_newspaper,
            add_recipes,
            create_app,
            warm_up,
        )

        hashed = self.setting("FLONG_PASSWORD_HASH")
        try:
            login = Login(hashed) if hashed else None
        except ValueError as error:
            raise UsageError(
                "FLONG_PASSWORD_HASH is not a hash. Set it to the output of "
                f"{program()} inspect --hash-password."
            ) from error
        if not _is_loopback(options.host):
            _warn(options.host, edit=options.edit, has_login=login is not None)
        with _listening(options.host, options.port) as listener, ExitStack() as stack:
            editor = None
            if options.edit:
                jobs = Jobs(self._options(options.set), self.child_environment())
                stack.enter_context(closing(jobs))
                editor = Editor(store=stack.enter_context(self._writable()), jobs=jobs)
            hosts = [*LOOPBACK, *self._names(options.host)]
            app = create_app(store, writers=FORMATS, hosts=hosts, editor=editor, login=login)
            add_recipes(app, write_recipe)
            if find_spec("typst"):
                add_newspaper(app, _newspaper)
            server = uvicorn.Server(
                uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=PATIENCE)
            )
            host = f"[{options.host}]" if ":" in options.host else options.host
            url = f"http://{host}:{listener.getsockname()[1]}/"
            url += f"?token={editor.token}" if editor and not login else ""
            say(f"Open {url} in a browser. Press Ctrl-C to stop.", wraps=False)
            Thread(target=warm_up, args=(app,), daemon=True).start()
            with suppress(KeyboardInterrupt):  # the way to stop it
                server.run(sockets=[listener])
        return DONE

    def _names(self, host: str) -> list[str]:
        """Return the names of this inspector, which requests may have as Host, beside loopback."""
        try:
            public = urlsplit(self.setting("FLONG_INSPECTOR")).hostname or host
        except ValueError as error:
            raise UsageError(f"FLONG_INSPECTOR is not a URL: {error}.") from error
        beyond = () if _is_loopback(host) else (socket.gethostname(), socket.getfqdn())
        return [host, public, *beyond]

    def _writable(self) -> Store:
        """Open the database again for writing: visitors get a read-only store."""
        locking = lock_settings(self.settings or {})
        return open_store(self.database(), locking, create=False)

    def _options(self, given: Sequence[str]) -> list[str]:
        """Return the settings passed to the commands of jobs."""
        return [word for setting in self.child_settings(given) for word in ("-s", setting)]


def _newspaper(title: str, subtitle: str, results: Sequence[Result]) -> bytes:
    """Return search results as a PDF; characters without a font are missing."""
    from flong.search.newspaper import typeset  # noqa: PLC0415 - an extra

    return typeset(title, subtitle, results)[0]


def write_recipe(store: Store, site: Site, form: str) -> bytes:
    """Return the selectors of a site for another tool."""
    from flong.inspector import NotThere  # noqa: PLC0415 - as above
    from flong.recipes import FORMS  # noqa: PLC0415
    from flong.recipes.export import PAGES, make_recipe  # noqa: PLC0415

    try:
        made = make_recipe(store, site, pages=PAGES, seconds=PAGE_SECONDS)
    except PipelineError as error:
        raise NotThere(str(error)) from error
    return FORMS[form]([made]).encode()


def _hash_password() -> int:
    """Read a password from the terminal or standard input, and print the setting for it."""
    from flong.inspector import hash_password  # noqa: PLC0415 - as above

    if sys.stdin.isatty():
        password = getpass()
        if getpass("Again: ") != password:
            raise UsageError("The two passwords differ.")
    else:
        password = sys.stdin.readline().rstrip("\n")
    if len(password) < MIN_PASSWORD:
        raise UsageError(f"The password must have at least {MIN_PASSWORD} characters.")
    say(f"FLONG_PASSWORD_HASH={hash_password(password)}", wraps=False)
    return DONE


def _warn(host: str, *, edit: bool, has_login: bool) -> None:
    """Warn about access from the network; refuse changes without a password."""
    if has_login:
        show_note("The password is sent unencrypted. Use a proxy with TLS: see docs/inspector.md.")
    elif edit:
        raise UsageError(
            "--edit beyond this machine needs a password. Set FLONG_PASSWORD_HASH to the output of "
            f"{program()} inspect --hash-password."
        )
    else:
        show_note(f"Everyone who can reach {host} can read everything: there is no password.")


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise PipelineError(f"Cannot listen on {host} port {port}: {error}.") from error


def _is_loopback(host: str) -> bool:
    """Return True if an address is reachable from this machine only.

    >>> _is_loopback("localhost"), _is_loopback("::1"), _is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
