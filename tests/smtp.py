"""An SMTP server on loopback that keeps the mails it receives."""

import base64
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


@dataclass
class MailServer:
    """Requirements of the server, and received mails."""

    name: str = "me"
    password: str = "secret"  # noqa: S105 - it opens nothing
    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    offers: str = "8BITMIME"

    def answer(self, line: str) -> str:
        """Return the reply to a command other than DATA."""
        command, _, rest = line.partition(" ")
        self.commands.append(command.upper())
        if command.upper() == "EHLO":
            return f"250-here\r\n250-{self.offers}\r\n250 AUTH PLAIN"
        if command.upper() == "AUTH":
            given = base64.b64decode(rest.removeprefix("PLAIN ")).decode().split("\0")
            return "235 ok" if given == ["", self.name, self.password] else "535 no"
        if line.upper().startswith("RCPT TO:"):
            self.recipients.append(rest.removeprefix("TO:").strip("<>"))
        said = {"DATA": "354 go on", "QUIT": "221 bye", "STARTTLS": "220 go on"}
        return said.get(command.upper(), "250 ok")


@contextmanager
def run_smtp(
    host: str = "127.0.0.1", context: ssl.SSLContext | None = None, *, starttls: bool = False
) -> Iterator[MailServer]:
    """Run a mail server on a free port; with a context, use TLS (from the start, or STARTTLS)."""
    server = MailServer(offers="STARTTLS" if starttls else "8BITMIME")

    class Session(StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError, ssl.SSLError):
                if not starttls:
                    self._encrypt()
                self._say("220 here")
                self._talk()
            self.request.close()

        def _encrypt(self) -> None:
            if context:
                self.request = context.wrap_socket(self.request, server_side=True)
                self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb")

        def _talk(self) -> None:
            while line := self.rfile.readline().decode().rstrip("\r\n"):
                self._say(server.answer(line))
                if line.upper() == "STARTTLS":
                    self._encrypt()
                if line.upper() == "DATA":
                    lines = list(iter(self.rfile.readline, b".\r\n"))
                    data = b"".join(each.removeprefix(b".") for each in lines)
                    server.mails.append(message_from_bytes(data, policy=policy.default))
                    self._say("250 taken")

        def _say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())
            self.wfile.flush()

    class Listener(ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Listener((host, 0), Session) as listener:
        server.port = listener.server_address[1]
        Thread(target=listener.serve_forever, daemon=True).start()
        yield server
        listener.shutdown()
