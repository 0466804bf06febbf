"""`python -m flong.demo`: serve the portal until interrupted, for viewing in a browser."""

import argparse
import sys
from threading import Event

from flong.demo.portal import Portal
from flong.demo.server import serve


def main() -> None:
    """Parse the arguments, serve, and wait."""
    parser = argparse.ArgumentParser(
        prog="python -m flong.demo", description="Serves a made-up news site."
    )
    parser.add_argument(
        "--articles", type=int, default=120, help="number of articles (default 120)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of all texts (default 1)")
    parser.add_argument(
        "--night", type=int, default=1, help="1 to 6: a week of changes (default 1)"
    )
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    asked = parser.parse_args()
    portal = Portal(seed=asked.seed, articles=asked.articles).night(asked.night)
    with serve(portal, asked.port) as site:
        sys.stdout.write(f"{site.url}/\n")
        sys.stdout.flush()
        try:
            Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write("\n")


if __name__ == "__main__":
    main()
