"""Which IP addresses a crawl may connect to: the policy, without network or clock.

A page, a redirect or a name server can point anywhere, also to the machine on which flong runs,
to its neighbours, and to where clouds keep their keys. A crawl stays on the public network, and
where its own site is.
"""

from functools import cached_property, lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from flong.urls import has_public_suffix

PUBLIC = "public"
"""The network that anyone can reach."""

METADATA = frozenset(
    map(
        ip_address,
        ("169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"),
    )
)
"""Where clouds tell a machine its secrets."""

_NAT64 = ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ip_network("2000::/3")
"""All that IANA has ever given to anyone of IPv6; Python takes what it does not know for public."""
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
    """Return the kind of network in which an IP address is, empty if it is none.

    An IPv4 address inside an IPv6 one counts as what it is. Only the usual spelling is
    understood; others (`2130706433`, `0x7f.1`) are names, and whoever resolves them must look
    at what came out.

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
        return "metadata"
    if _is_public(ip):
        return PUBLIC
    return next((kind for kind, test in _KINDS.items() if getattr(ip, test, False)), "reserved")


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv4Address):
        return ip.is_global and not ip.is_multicast
    return ip.is_global and ip in _GLOBAL_UNICAST and ip not in _DOCUMENTATION


def _embedded(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address to which an IPv6 address leads, or the address itself."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    teredo = ip.teredo[1] if ip.teredo else None
    return ip.ipv4_mapped or ip.sixtofour or teredo or ip


class Networks:
    """The networks of one crawl: the public one, and that of its home page's host.

    A host whose name anyone could have registered must be public itself, or its owner could
    lead a crawl into the neighbourhood some night; `intranet` lifts that.

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
        """Whether the home page is, as far as known, where not everyone can reach it."""
        return self._own not in ("", PUBLIC)

    @cached_property
    def _trusts_home(self) -> bool:
        """Whether the home page may be where not everyone can reach it."""
        is_address = bool(network_of(self._home))
        return self._intranet or is_address or not has_public_suffix(self._home)

    def refusal(self, host: str, address: str) -> str | None:
        """Return why nothing is to be asked of a host at an address; None if it may be."""
        network = network_of(address)
        if host == self._home:
            self._own = self._own or network  # it must not move elsewhere later
        if network == PUBLIC or (network and network == self._own and self._trusts_home):
            return None
        article = "an" if network[:1] in "aeiou" else "a"
        kind = f"{article} {network} address" if network else "which is not an IP address"
        helps = host == self._home and not self._trusts_home
        hint = "; FLONG_INTRANET=1 allows that" if helps else ""
        place = "" if host == address else f"at {address}, "
        return f"{host} is {place}{kind}{hint}"
