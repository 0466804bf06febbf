"""One crawl of a site with sub-domains whose names, redirects and robots.txt are hostile.

The crawl runs in an internet of its own (`tests/faults/internet.py`), so that there are public
addresses, and every connection that it tries is noted.
"""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_address

import pytest

from tests.faults.serving import dripping, head, in_turn, page, redirect, respond

HOME = "http://news.example.com/"
PUBLIC = "93.184.216.34"

INSIDE = {
    "inner": "10.0.0.7",
    "local": "127.0.0.1",
    "linklocal": "169.254.7.7",
    "cloud": "169.254.169.254",
    "azure": "168.63.129.16",
    "carrier": "100.64.0.1",
    "zero": "0.0.0.0",  # noqa: S104 - nobody listens there
}
"""Sub-domains that lead to where a crawl must not go."""

TARGETS = {
    "plain": "http://127.0.0.1/",
    "decimal": "http://2130706433/",
    "hex": "http://0x7f000001/",
    "octal": "http://0177.0.0.1/",
    "short": "http://127.1/",
    "mapped": "http://[::ffff:127.0.0.1]/",
    "six": "http://[::1]/",
    "unspecified": "http://0.0.0.0/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "private": "http://192.168.0.1/",
    "named": "http://inner.example.com/robots.txt",
    "two-hops": "http://detour.example.com/robots.txt",
}
"""Where the robots.txt of further sub-domains redirects to; robots.txt is followed off the site."""

HUGE = "User-agent: *\nDisallow: /early\n" + f"# {'x' * 97}\n" * 6000 + "Disallow: /late\n"
ROBOTS = {
    "down": respond("Sorry", status=503),
    "slow": dripping(head(kind="text/plain"), b"#"),
    "missing": respond("User-agent: *\nDisallow: /", status=404, kind="text/plain"),
    "forbidden": respond("User-agent: *\nDisallow: /", status=403, kind="text/plain"),
    "html": respond("<html><body><p>User-agent: all<p>Not found</body></html>"),
    "huge": respond(HUGE, kind="text/plain"),
    "to-file": redirect("file:///etc/passwd"),
    "loop": redirect("http://loop.example.com/robots.txt"),
    "nowhere": redirect("http://["),
}


def name(host):
    return f"{host}.example.com"


def soon(exchange):
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
    respond(status=503, Retry_After=when)(exchange)


BUSY = {
    "seconds": in_turn(respond(status=429, Retry_After=2), page(text="Now.")),
    "date": in_turn(soon, page(text="Now.")),
}


def furnish(server):
    hosts = [*INSIDE, *TARGETS, *ROBOTS, *BUSY, "long", "rebinding", "hopping"]
    links = [f"http://{name(host)}/page" for host in hosts]
    links += [f"http://{name('huge')}/early", f"http://{name('huge')}/late"]
    server.routes |= {"/page": page(text="A page."), "/late": page(text="A page.")}
    server.routes |= {f"{name(h)}/robots.txt": redirect(target) for h, target in TARGETS.items()}
    server.routes |= {f"{name(h)}/robots.txt": robots for h, robots in ROBOTS.items()}
    server.routes |= {f"{name(h)}/page": route for h, route in BUSY.items()}
    server.routes |= {
        "news.example.com/": page(*links),
        "detour.example.com/robots.txt": redirect("http://10.0.0.7/"),
        "hopping.example.com/page": redirect("http://inner.example.com/secret"),
        "rebinding.example.com/page": page("/again", text="A page."),
        "long.example.com/page": respond(status=429, Retry_After=86400),
        "rebinding.example.com/again": page(text="Again."),
    }
    public = [*TARGETS, *ROBOTS, *BUSY, "long", "hopping", "detour", "news"]
    return (
        {name(host): [address] for host, address in INSIDE.items()}
        | {name(host): [PUBLIC] for host in public}
        | {"rebinding.example.com": [PUBLIC, "127.0.0.1"]}
    )


@pytest.fixture(scope="module")
def after(new_server, travel):
    server = new_server()
    names = furnish(server)
    longest = ("-s", "FLONG_MAX_RETRY_AFTER=4")
    return travel(HOME, names, {f"{PUBLIC}:80": server}, *longest, subdomains=1)


@pytest.fixture(scope="module")
def failures(after):
    return after.failures()


@pytest.fixture(scope="module")
def stored(after):
    return set(after.crawl.rows())


def test_crawl_succeeds(after):
    assert after.done.returncode == 0, after.done.stderr
    assert "Traceback" not in after.done.stderr


def test_only_the_public_address_is_connected_to(after):
    connections = {line.split()[1] for line in after.log.splitlines() if line.startswith("connect")}
    assert connections == {PUBLIC}
    assert ip_address(PUBLIC).is_global


@pytest.mark.parametrize("host", INSIDE)
def test_name_resolving_to_an_internal_address_is_refused(failures, host):
    reason = failures[f"http://{name(host)}/page"]
    assert f"{name(host)} is at {INSIDE[host]}, a" in reason


@pytest.mark.parametrize("host", TARGETS)
def test_each_redirect_is_checked(after, failures, host):
    assert "robots.txt is unavailable: " in failures[f"http://{name(host)}/page"]
    assert after.server.paths(name(host)) == ["/robots.txt"]


def test_redirect_to_an_internal_address_is_refused(failures):
    assert "private address" in failures["http://inner.example.com/secret"]


def test_dns_rebinding_does_not_change_the_address(after, stored):
    assert after.log.count("lookup rebinding.example.com") == 1
    assert {"http://rebinding.example.com/page", "http://rebinding.example.com/again"} <= stored


@pytest.mark.parametrize("host", ["down", "slow"])
def test_unavailable_robots_txt_stops_fetching(after, failures, host):
    assert "robots.txt is unavailable: " in failures[f"http://{name(host)}/page"]
    assert after.server.paths(name(host)) == ["/robots.txt"] * 2


@pytest.mark.parametrize(
    "host", ["missing", "forbidden", "html", "huge", "to-file", "loop", "nowhere"]
)
def test_robots_txt_without_rules_allows_everything(stored, host):
    assert f"http://{name(host)}/page" in stored


def test_huge_robots_txt_is_cut(after):
    assert set(after.server.paths(name("huge"))) == {"/robots.txt", "/page", "/late"}


@pytest.mark.parametrize(("host", "seconds"), [("seconds", 2), ("date", 2)])
def test_retry_after_pauses_only_its_host(after, stored, host, seconds):
    first, second = (a.at for a in after.server.asked if (a.host, a.path) == (name(host), "/page"))
    assert second - first >= seconds
    assert f"http://{name(host)}/page" in stored
    meanwhile = [a for a in after.server.asked if first < a.at < second and a.host != name(host)]
    assert meanwhile


def test_host_with_too_long_retry_after_is_given_up(after, failures):
    assert after.server.paths(name("long")) == ["/robots.txt", "/page"]
    assert "the host is busy for the next 86" in failures[f"http://{name('long')}/page"]
