"""An item pipeline that somebody else has written."""

from pathlib import Path
from typing import Self

from scrapy.crawler import Crawler


class Seen:
    """Notes the kinds of items that come to it in the file that the setting `SEEN` names."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the setting."""
        return cls(Path(crawler.settings["SEEN"]))

    def process_item(self, item: object) -> object:
        """Note an item."""
        with self._file.open("a") as file:
            file.write(f"{type(item).__name__}\n")
        return item
