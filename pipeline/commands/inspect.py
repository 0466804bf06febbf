"""`scrapy inspect`: everything in the database, in the browser."""

import argparse
import ipaddress
import socket
from contextlib import suppress
from threading import Thread
from typing import ClassVar

from pipeline.command import DONE, Command
from pipeline.console import say, show_note
from pipeline.errors import PipelineError
from pipeline.exports import FORMATS
from storage import Store


class InspectCommand(Command):
    """Serves the web view until it is interrupted."""

    summary: ClassVar[str] = "Look at sites, clusters, patterns and articles in the browser"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        scrapy inspect
        scrapy inspect --port 8080
        scrapy inspect --host 0.0.0.0    # for others on the network: there is no password
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take where to listen."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
        )
        parser.add_argument(
            "--port", type=int, default=8180, help="port to listen on, 0 for a free one (8180)"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Listen, say where, serve."""
        import uvicorn  # noqa: PLC0415 - only this command needs a web server

        from inspector import LOOPBACK, create_app, warm_up  # noqa: PLC0415 - nor its pages

        with _listening(options.host, options.port) as listener:
            hosts: tuple[str, ...] = LOOPBACK
            if not _is_loopback(options.host):
                hosts = (*LOOPBACK, options.host, socket.gethostname(), socket.getfqdn())
                show_note(f"Whoever reaches {options.host} sees everything: there is no password.")
            app = create_app(store, writers=FORMATS, hosts=hosts)
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
            host = f"[{options.host}]" if ":" in options.host else options.host
            url = f"http://{host}:{listener.getsockname()[1]}/"
            say(f"Look at {url} and stop it with Ctrl-C.", wraps=False)
            Thread(target=warm_up, args=(app,), daemon=True).start()
            with suppress(KeyboardInterrupt):  # the way to end it
                server.run(sockets=[listener])
        return DONE


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
