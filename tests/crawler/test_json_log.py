import json
import logging
import sys

from flong.crawler.json_log import JsonFormatter


def test_log_record_is_always_one_line_of_json():
    try:
        raise ValueError("first\nsecond")
    except ValueError:
        about = sys.exc_info()
    record = logging.LogRecord("crawler", logging.ERROR, "", 1, 'a "quoted"\nline %d', (7,), about)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    said = json.loads(line)
    assert said["message"] == 'a "quoted"\nline 7'
    assert said["level"] == "ERROR"
    assert "ValueError: first\nsecond" in said["error"]


def test_crawl_logs_json_lines_on_request(scrapy, tmp_path):
    done = scrapy(
        "crawl",
        "site",
        "-a",
        "url=http://127.0.0.1:9/",
        *("-s", "FLONG_LOG_JSON=1", "-s", "LOG_LEVEL=INFO", "-s", "RETRY_TIMES=0"),
        FLONG_DATABASE=f"sqlite:///{tmp_path / 'flong.db'}",
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith('{"time"')]
    said = [json.loads(line) for line in lines]
    assert any("Enabled extensions" in each["message"] for each in said), done.stderr
    assert all({"level", "logger", "process"} <= each.keys() for each in said)
