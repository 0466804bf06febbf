"""Pauses between requests, by a clock that only advances when the crawler waits."""

import asyncio

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.robotstxt import ProtegoRobotParser
from scrapy.utils.project import get_project_settings

from flong.crawler import SiteSpider, settings
from flong.crawler.outcomes import FetchRefused
from flong.crawler.throttling import FIRST_PAUSE, Politeness, Throttling

PAGE = Request("https://news.example/story")
LIMITS = Politeness(longest_delay=120, longest_pause=120)


class Clock:
    def __init__(self, politeness=LIMITS):
        self.now = 1000.0
        self.left = []
        self.throttling = Throttling(
            politeness, "flong", self.left.append, clock=lambda: self.now, sleep=self.sleep
        )

    async def sleep(self, seconds):
        self.now += seconds

    def wait(self, request=PAGE):
        """Return the seconds until the next request."""
        begun = self.now
        asyncio.run(self.throttling.wait_for_turn(request))
        return self.now - begun

    def respond(self, status, retry_after=None, request=PAGE):
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        response = Response(request.url, status=status, headers=headers)
        self.throttling.response_downloaded(response, request)


@pytest.mark.parametrize("status", [429, 503])
def test_busy_host_pauses_double_from_30_s(status):
    clock, waits = Clock(), []
    for _ in range(3):
        clock.respond(status)
        waits.append(clock.wait())
    assert waits == [30, 60, 120]
    clock.respond(status)
    assert clock.left == ["news.example"]


def test_a_pause_ends_with_the_first_page():
    clock = Clock()
    clock.respond(503)
    clock.wait()
    clock.respond(200)
    clock.respond(503)
    assert clock.wait() == FIRST_PAUSE


def test_retry_after_is_kept_and_doubles_when_repeated():
    clock = Clock()
    clock.respond(429, 5)
    assert clock.wait() == 5
    clock.respond(429, 5)
    assert clock.wait() == 10


def test_responses_during_a_pause_do_not_double_it():
    clock = Clock()
    clock.respond(429, 40)
    clock.respond(429, 50)
    assert clock.wait() == 50
    clock.respond(429)
    assert clock.wait() == 80


def test_too_long_retry_after_ends_requests_to_that_host():
    clock = Clock()
    clock.respond(429, 3600)
    assert clock.left == ["news.example"]
    with pytest.raises(FetchRefused, match="busy for the next 3600 s"):
        clock.wait()
    assert clock.wait(Request("https://sport.news.example/")) == 0


@pytest.mark.parametrize(("asked", "seconds"), [(1.5, 1.5), (90, 90), (3600, 120)])
def test_a_crawl_delay_is_kept_up_to_the_limit(asked, seconds):
    clock = Clock()
    rules = ProtegoRobotParser(f"User-agent: *\nCrawl-delay: {asked}".encode(), spider=None)
    clock.throttling.robots_parsed(rules, PAGE)
    assert [clock.wait() for _ in range(3)] == [seconds] * 3


def test_unthrottled_server_pauses_only_after_retry_after():
    clock = Clock(Politeness(longest_delay=120, longest_pause=120, first_pause=0))
    clock.respond(503)
    assert clock.wait() == 0
    clock.respond(503, 7)
    assert clock.wait() == 7


def crawler_of(url, **arguments):
    crawler = Crawler(SiteSpider, get_project_settings(), init_reactor=False)
    SiteSpider.update_settings(crawler.settings)
    SiteSpider.from_crawler(crawler, url=url, **arguments)
    return crawler


def throttle_of(crawler):
    try:
        AutoThrottle.from_crawler(crawler)
    except NotConfigured:
        is_adaptive = False
    else:
        is_adaptive = True
    delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
    return delay, crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"), is_adaptive


@pytest.mark.parametrize(
    ("url", "arguments", "throttle"),
    [
        ("https://news.example", {}, (2.0, 2, True)),
        ("https://news.example", {"delay": "9"}, (9.0, 2, True)),
        ("https://news.example", {"fast": "0"}, (2.0, 2, True)),
        ("https://news.example", {"fast": "1"}, (0.0, 8, False)),
        ("https://news.example", {"fast": "1", "delay": "9"}, (0.0, 8, False)),
        ("http://127.0.0.1:8000", {}, (0.0, 8, False)),
        ("http://localhost:8000", {}, (0.0, 8, False)),
        ("http://[::1]:8000", {}, (0.0, 8, False)),
    ],
)
def test_throttle_depends_on_the_kind_of_server(url, arguments, throttle):
    assert throttle_of(crawler_of(url, **arguments)) == throttle


def test_crawl_delay_is_limited_to_two_minutes():
    assert crawler_of("https://news.example").settings.getfloat("FLONG_MAX_CRAWL_DELAY") == 120
    assert settings.DOWNLOAD_DELAY == 2


@pytest.mark.parametrize(
    ("contact", "agent", "sender"),
    [
        ("", "flong/", None),
        ("https://example.org/bot", "(+https://example.org/bot)", None),
        ("https://example.org/@bot", "(+https://example.org/@bot)", None),
        ("bot@example.org", "(+bot@example.org)", "bot@example.org"),
    ],
)
def test_the_contact_is_sent_with_each_request(contact, agent, sender):
    crawler = Crawler(SiteSpider, get_project_settings(), init_reactor=False)
    crawler.settings.set("FLONG_CONTACT", contact)
    SiteSpider.update_settings(crawler.settings)
    assert agent in crawler.settings["USER_AGENT"]
    assert crawler.settings.getdict("DEFAULT_REQUEST_HEADERS").get("From") == sender
