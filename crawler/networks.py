"""Network policy: the IP addresses that a crawl may connect to (pure, no I/O).

Pages, redirects and DNS can point to loopback, to internal hosts, or to the metadata service of a
cloud. A crawl may connect to public addresses and to the network of its own home page.
"""

from functools import cached_property, lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from flong.urls import has_public_suffix

PUBLIC = "public"
"""Name of the public network."""
METADATA_SERVICE = "metadata"
"""Name of the network of metadata services, which no crawl may connect to."""

METADATA = frozenset(
    map(
        ip_address,
        ("169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"),
    )
)
"""Addresses of the instance metadata services of cloud providers, which hand out credentials."""

_NAT64 = ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ip_network("2000::/3")
"""IPv6 range allocated by IANA. Python treats unknown ranges as public."""
_DOCUMENTATION = ip_network("3fff::/20")
_KINDS = {
    "unspecified": "is_unspecified",
    "loopback": "is_loopback",
    "link-local": "is_link_local",
    "multicast": "is_multicast",
    "site-local": "is_site_local",
    "private": "is_private",
}


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return the kind of network of an IP address; empty if it is not an IP address.

    IPv4 addresses embedded in IPv6 are classified as IPv4. Other notations (`2130706433`, `0x7f.1`)
    count as host names, so check the address they resolve to.

    >>> network_of("93.184.216.34"), network_of("127.0.0.1"), network_of("::ffff:10.0.0.1")
    ('public', 'loopback', 'private')
    >>> network_of("169.254.169.254"), network_of("100.64.0.1"), network_of("news.example")
    ('metadata', 'reserved', '')
    """
    try:
        ip = _embedded(ip_address(address))
    except ValueError:
        return ""
    if ip in METADATA:
        return METADATA_SERVICE
    if _is_public(ip):
        return PUBLIC
    return next((kind for kind, test in _KINDS.items() if getattr(ip, test, False)), "reserved")


def is_loopback(host: str) -> bool:
    """Return True if a host name or address is this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("news.example")
    (True, True, False)
    """
    return network_of(host) == "loopback" or host == "localhost" or host.endswith(".localhost")


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv4Address):
        return ip.is_global and not ip.is_multicast
    return ip.is_global and ip in _GLOBAL_UNICAST and ip not in _DOCUMENTATION


def _embedded(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address embedded in an IPv6 address, else the address itself."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    teredo = ip.teredo[1] if ip.teredo else None
    return ip.ipv4_mapped or ip.sixtofour or teredo or ip


class Networks:
    """The networks of one crawl: the public one and that of the home page's host.

    A home page with a public domain name must have a public address: otherwise the owner of the
    domain could point a crawl at internal hosts. `intranet` disables this check.

    >>> networks = Networks("http://news.example.com/")
    >>> networks.refusal("news.example.com", "93.184.216.34") is None
    True
    >>> networks.refusal("inner.example.com", "10.0.0.1")
    'inner.example.com is at 10.0.0.1, a private address'
    >>> Networks("http://127.0.0.1:8000/").refusal("127.0.0.1", "127.0.0.1") is None
    True
    """

    def __init__(self, home: str, *, intranet: bool = False) -> None:
        self._home = urlsplit(home).hostname or ""
        self._intranet = intranet
        self._own = ""

    @property
    def is_inside(self) -> bool:
        """True if the home page was found at an address that is not public."""
        return self._own not in ("", PUBLIC)

    @cached_property
    def _trusts_home(self) -> bool:
        """True if the home page may have an address that is not public."""
        is_address = bool(network_of(self._home))
        return self._intranet or is_address or not has_public_suffix(self._home)

    def refusal(self, host: str, address: str) -> str | None:
        """Return the reason for not connecting to a host at an address; None if it is allowed."""
        network = network_of(address)
        if host == self._home:
            self._own = self._own or network  # the first address decides
        is_own = network not in ("", METADATA_SERVICE) and network == self._own
        if network == PUBLIC or (is_own and self._trusts_home):
            return None
        article = "an" if network[:1] in "aeiou" else "a"
        kind = f"{article} {network} address" if network else "which is not an IP address"
        helps = host == self._home and not self._trusts_home
        hint = "; set FLONG_INTRANET=1 to allow it" if helps else ""
        place = "" if host == address else f"at {address}, "
        return f"{host} is {place}{kind}{hint}"
