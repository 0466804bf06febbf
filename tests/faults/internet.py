"""A simulated internet for any command, and a command of Scrapy in it.

`python -m tests.faults.internet WORLD.json crawl site ...`. WORLD.json maps names to IP addresses,
used one after the other, and addresses with ports to ports on loopback. Other connections are
refused. Every lookup and every connection is logged. The rest is real: resolver, reactor, sockets,
server.
"""

import errno
import json
import socket
import sys
from pathlib import Path

_connect = socket.socket.connect_ex


def enter(path: Path) -> None:
    """Let this process look up names and connect as WORLD.json says."""
    world = json.loads(path.read_text())
    log = path.with_suffix(".log").open("a", buffering=1)

    def look_up(name):
        log.write(f"lookup {name}\n")
        addresses = world["names"].get(name)
        if addresses:
            return addresses.pop(0) if len(addresses) > 1 else addresses[0]
        return socket.inet_ntoa(socket.inet_aton(name))  # numbers in any spelling

    def look_up_or_fail(name):
        try:
            return look_up(name)
        except OSError:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None

    def connect(self, address):
        host, port = address[:2]
        log.write(f"connect {host} {port}\n")
        end = world["routes"].get(f"{host}:{port}")
        return _connect(self, ("127.0.0.1", end)) if end else errno.ECONNREFUSED

    setattr(socket, "gethostbyname", look_up_or_fail)  # noqa: B010 - mypy protects it
    setattr(socket.socket, "connect_ex", connect)  # noqa: B010 - and this


def main() -> None:
    from scrapy.cmdline import execute  # noqa: PLC0415 - slow, and other processes only enter

    enter(Path(sys.argv[1]))
    execute(["scrapy", *sys.argv[2:]])


if __name__ == "__main__":
    main()
