"""Logging as JSON lines (`FLONG_LOG_JSON=1`)."""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.log import configure_logging


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON: `time`, `level`, `logger`, `message`, `error`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a JSON line."""
        said: dict[str, str | int] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process or 0,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


class JsonLog:
    """Scrapy extension that switches the log of a crawl to JSON lines.

    It is an extension because Scrapy configures logging again after reading the spider's settings.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Switch the log if `FLONG_LOG_JSON` is set."""
        if not crawler.settings.getint("FLONG_LOG_JSON"):
            raise NotConfigured
        _write_json()
        return cls()


def set_up_log(settings: Mapping[str, Any]) -> None:
    """Log to standard error according to the settings, for commands that do not crawl."""
    configure_logging(dict(settings))
    if int(settings["FLONG_LOG_JSON"]):
        _write_json()


def _write_json() -> None:
    for handler in logging.root.handlers:
        handler.setFormatter(JsonFormatter())
