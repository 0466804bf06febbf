"""Entry point of a job's process: a `scrapy` command that ends with its worker."""

import sys

from scrapy.cmdline import execute

from flong.fleet.child_process import die_with_parent

if __name__ == "__main__":
    die_with_parent()
    execute(["scrapy", *sys.argv[1:]])
