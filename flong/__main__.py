"""The command `flong`: Scrapy's commands with flong's settings, in any folder."""

import os
import sys


def main() -> None:
    """Run `scrapy` as in a checkout of flong, whatever project is around."""
    os.environ["SCRAPY_SETTINGS_MODULE"] = "flong.crawler.settings"
    from scrapy.cmdline import execute  # noqa: PLC0415 - not needed by the library

    execute(["flong", *sys.argv[1:]])


if __name__ == "__main__":
    main()
