"""A site of the corpus, served on loopback by the corpus' own server."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import PROJECT, CorpusSite
from tests import leftovers

SERVER = Path(os.environ.get("FLONG_SERVER") or PROJECT.parent / "shared" / "tools" / "serve.py")
"""Takes a site's name, a port and `--root FOLDER`."""
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")
"""Settings of a crawl on loopback, without delays."""
_PATIENCE = 10.0


@contextmanager
def served(site: CorpusSite) -> Iterator[str]:
    """Serve a site while the block runs; yield the URL of its home page."""
    leftovers.watch()
    port = _free_port()
    root = str(site.folder.parent)
    command = [sys.executable, str(SERVER), site.slug, str(port), "--root", root]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:  # noqa: S603 - ours
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return
