"""`flong inspect`: browse the database in a web browser."""

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
        flong inspect --host 0.0.0.0    # reachable from the network: there is no password
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

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Listen, print the URL, and serve."""
        import uvicorn  # noqa: PLC0415 - only this command needs a web server

        from flong.inspector import LOOPBACK, Editor, Jobs, add_recipes, create_app, warm_up  # noqa: PLC0415

        with _listening(options.host, options.port) as listener, ExitStack() as stack:
            hosts: tuple[str, ...] = LOOPBACK
            if not _is_loopback(options.host):
                hosts = (*LOOPBACK, options.host, socket.gethostname(), socket.getfqdn())
                show_note(_warning(options.host, edit=options.edit))
            editor = None
            if options.edit:
                jobs = Jobs(self._options(options.set), self.child_environment())
                stack.enter_context(closing(jobs))
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
            say(f"Open {url} in a browser. Press Ctrl-C to stop.", wraps=False)
            Thread(target=warm_up, args=(app,), daemon=True).start()
            with suppress(KeyboardInterrupt):  # the way to stop it
                server.run(sockets=[listener])
        return DONE

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


def _warning(host: str, *, edit: bool) -> str:
    """Return a warning about access from the network."""
    seen = f"Everyone who can reach {host} can read everything: there is no password."
    return f"{seen} The token allows changes, and it is sent unencrypted." * edit or seen


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
