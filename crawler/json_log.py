"""Logs as JSON lines, for programs that collect them (`FLONG_LOG_JSON=1`)."""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.log import configure_logging


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON: `time`, `level`, `logger`, `message`, `error`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
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
    """Makes the log of a crawl one of JSON lines.

    An extension: Scrapy sets up the log anew when it has read the settings of a spider.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Change the log if the settings say so."""
        if not crawler.settings.getint("FLONG_LOG_JSON"):
            raise NotConfigured
        _write_json()
        return cls()


def set_up_log(settings: Mapping[str, Any]) -> None:
    """Log to standard error as the settings say, in a command that crawls nothing."""
    configure_logging(dict(settings))
    if int(settings["FLONG_LOG_JSON"]):
        _write_json()


def _write_json() -> None:
    for handler in logging.root.handlers:
        handler.setFormatter(JsonFormatter())
