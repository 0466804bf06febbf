"""`flong inspect`: everything in the database, in the browser."""

import argparse
import ipaddress
import socket
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from importlib.util import find_spec
from threading import Thread
from typing import ClassVar

from flong.command import DONE, Command, Group, open_store
from flong.console import say, show_note
from flong.crawler import lock_settings
from flong.errors import PipelineError
from flong.stages.exports import FORMATS
from flong.storage import Site, Store
from flong.storage.search import Result
from flong.workers.pool import PAGE_SECONDS

PATIENCE = 2
"""Seconds that visitors have when the inspector ends; whoever watches a job would stay for ever."""


class InspectCommand(Command):
    """Serves the web view until it is interrupted."""

    group = Group.LOOK
    summary: ClassVar[str] = "Look at sites, clusters, patterns and articles in the browser"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        flong inspect
        flong inspect --port 8080
        flong inspect --edit            # to correct, add and run sites: prints a URL with a token
        flong inspect --host 0.0.0.0    # for others on the network: there is no password
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take where to listen."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
        )
        parser.add_argument(
            "--port", type=int, default=8180, help="port to listen on, 0 for a free one (8180)"
        )
        parser.add_argument(
            "--edit", action="store_true", help="let whoever has the token in the URL change things"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Listen, say where, serve."""
        import uvicorn  # noqa: PLC0415 - only this command needs a web server

        from flong.inspector import LOOPBACK, Editor, Jobs, add_recipes, create_app, warm_up  # noqa: PLC0415

        with _listening(options.host, options.port) as listener, ExitStack() as stack:
            hosts: tuple[str, ...] = LOOPBACK
            if not _is_loopback(options.host):
                hosts = (*LOOPBACK, options.host, socket.gethostname(), socket.getfqdn())
                show_note(_warning(options.host, edit=options.edit))
            editor = None
            if options.edit:
                jobs = stack.enter_context(closing(Jobs(self._options(options.set))))
                editor = Editor(store=stack.enter_context(self._writable()), jobs=jobs)
            app = create_app(
                store,
                writers=FORMATS,
                hosts=hosts,
                editor=editor,
                typesetter=_newspaper if find_spec("typst") else None,
            )
            add_recipes(app, write_recipe)
            server = uvicorn.Server(
                uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=PATIENCE)
            )
            host = f"[{options.host}]" if ":" in options.host else options.host
            url = f"http://{host}:{listener.getsockname()[1]}/"
            url += f"?token={editor.token}" if editor else ""
            say(f"Look at {url} and stop it with Ctrl-C.", wraps=False)
            Thread(target=warm_up, args=(app,), daemon=True).start()
            with suppress(KeyboardInterrupt):  # the way to end it
                server.run(sockets=[listener])
        return DONE

    def _writable(self) -> Store:
        """Return the database once more: what visitors look at is only read."""
        locking = lock_settings(self.settings or {})
        return open_store(self.database(), locking, create=False)

    def _options(self, given: Sequence[str]) -> list[str]:
        """Return what the commands of jobs are told: the settings of this one."""
        settings = [*given, f"FLONG_DATABASE={self.database()}"]
        return [word for setting in settings for word in ("-s", setting)]


def _newspaper(title: str, subtitle: str, results: Sequence[Result]) -> bytes:
    """Return what was found as a PDF; letters that no font has are missing in it."""
    from flong.search.newspaper import typeset  # noqa: PLC0415 - only for who asks for it

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


def _warning(host: str, *, edit: bool) -> str:
    """Return what others on the network can do."""
    seen = f"Whoever reaches {host} sees everything: there is no password."
    return (
        f"{seen} Whoever has the token changes it, and the token is not encrypted." * edit or seen
    )


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise PipelineError(f"Cannot listen on {host} port {port}: {error}.") from error


def _is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address.

    >>> _is_loopback("localhost"), _is_loopback("::1"), _is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
