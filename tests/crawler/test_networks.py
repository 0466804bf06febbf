import asyncio
from ipaddress import ip_address
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.crawler.networks import Networks, network_of
from flong.crawler.rendering import is_unwanted

NETWORKS = Networks("http://news.example.com/")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("93.184.216.34", "public"),
        ("2606:2800:220:1:248:1893:25c8:1946", "public"),
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("::1", "loopback"),
        ("0.0.0.0", "unspecified"),  # noqa: S104 - nobody listens there
        ("::", "unspecified"),
        ("10.1.2.3", "private"),
        ("172.16.0.1", "private"),
        ("192.168.1.1", "private"),
        ("fd12:3456::1", "private"),
        ("169.254.1.1", "link-local"),
        ("fe80::1", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("169.254.169.254", "metadata"),
        ("fd00:ec2::254", "metadata"),
        ("168.63.129.16", "metadata"),
        ("100.64.0.1", "reserved"),
        ("224.0.0.1", "multicast"),
        ("255.255.255.255", "private"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:169.254.169.254", "metadata"),
        ("2002:7f00:1::", "loopback"),
        ("64:ff9b::a00:1", "private"),
        ("64:ff9b::5db8:d822", "public"),
        ("fec0::1", "site-local"),
        ("fec0:0:0:ffff::1", "site-local"),
        ("::127.0.0.1", "reserved"),
        ("3fff::1", "reserved"),
        ("5f00::1", "reserved"),
        ("2130706433", ""),
        ("0x7f.1", ""),
        ("news.example", ""),
        ("", ""),
    ],
)
def test_networks_are_classified(address, network):
    assert network_of(address) == network


@pytest.mark.parametrize("address", ["64:ff9b:1::a00:1", "64:ff9b:1:ffff::1", "2001:db8::1"])
def test_local_addresses_are_not_public(address):
    assert network_of(address) in ("private", "reserved")  # versions of Python differ


@given(st.ip_addresses(v=4))
def test_embedded_address_has_the_network_of_the_inner_one(address):
    number = int(address)
    network = network_of(str(address))
    assert network
    assert network_of(f"::ffff:{address}") == network
    assert network_of(f"64:ff9b::{number >> 16:x}:{number & 0xFFFF:x}") == network


@given(st.ip_addresses())
def test_public_addresses_are_globally_reachable(address):
    if network_of(str(address)) == "public":
        inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
        assert (inner or address).is_global or ip_address("64:ff9b::") <= address


@given(st.text(max_size=40))
def test_any_text_can_be_classified(text):
    network_of(text)
    assert NETWORKS.refusal("a.example.com", text) != ""


@pytest.mark.parametrize(
    ("home", "address", "refused"),
    [
        ("http://news.example.com/", "93.184.216.34", False),
        ("http://news.example.com/", "10.0.0.1", True),
        ("http://localhost:8000/", "127.0.0.1", False),
        ("http://nas/", "192.168.1.7", False),
        ("http://10.0.0.1:8000/", "10.0.0.1", False),
    ],
)
def test_public_site_must_resolve_to_a_public_address(home, address, refused):
    host = home.split("/")[2].partition(":")[0]
    assert bool(Networks(home).refusal(host, address)) == refused
    assert Networks(home, intranet=True).refusal(host, address) is None


def test_site_cannot_move_to_another_network():
    networks = Networks("http://nas/")
    assert networks.refusal("nas", "192.168.1.7") is None
    assert networks.refusal("nas", "192.168.1.8") is None
    assert "nas is at 127.0.0.1, a loopback address" in networks.refusal("nas", "127.0.0.1")
    assert networks.refusal("other", "169.254.169.254") is not None
    assert networks.refusal("other", "93.184.216.34") is None
    public = Networks("http://nas/")
    assert public.refusal("nas", "93.184.216.34") is None
    assert public.refusal("nas", "192.168.1.7") is not None


@pytest.mark.parametrize(
    ("url", "unwanted"),
    [
        ("http://127.0.0.1:8000/script.js", False),
        ("http://localhost/", False),
        ("http://10.0.0.1/", True),
        ("http://[::ffff:169.254.169.254]/", True),
        ("http://0.0.0.0/", True),
        ("data:text/html,x", False),
    ],
)
def test_browser_requests_are_restricted_too(url, unwanted):
    networks = Networks("http://127.0.0.1:8000/")
    assert networks.refusal("127.0.0.1", "127.0.0.1") is None
    request = SimpleNamespace(url=url, resource_type="script")
    assert asyncio.run(is_unwanted(request, networks)) == unwanted
    assert asyncio.run(is_unwanted(SimpleNamespace(url=url, resource_type="image"), networks))


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "metadata"]
)
def test_metadata_service_is_refused_in_every_spelling(host):
    networks = Networks(f"http://{host}/", intranet=True)
    assert "a metadata address" in networks.refusal(host, "169.254.169.254")
