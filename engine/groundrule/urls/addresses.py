"""Which IP addresses belong to the public internet.

Source: the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890 and its updates), read
strictly: an exception inside a reserved block that the registry calls global counts as reserved. The tables are
ours, since those of the standard library changed between the Python versions we support.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NOT_PUBLIC_4 = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; also a cloud's metadata address
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's host agent, though its number is a public one
        "169.254.0.0/16",  # link-local; also metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # IETF protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays, deprecated
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)

# Outside this block all is loopback, private, link-local, multicast, discard, translation or unassigned.
_UNICAST_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # IETF protocol assignments: benchmarks, ORCHID, and Teredo (read apart, below)
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052; the local-use block 64:ff9b:1::/48 is never public


@lru_cache(maxsize=2048)
def address_is_public(ip: str) -> bool:
    """Whether `ip` is an address of the public internet; to be asked of every address before connecting.

    Takes the text of an IPv4 or IPv6 address as a resolver gives it, without brackets. An IPv6 address that
    carries IPv4 addresses (mapped, 6to4, Teredo, NAT64) is public if all those are. What is no plain address,
    one with a zone id included, is not public.
    """
    try:
        address = ip_address(ip)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return _public_4(address)
    if address.scope_id is not None:
        return False
    carried = _carried(address)
    if carried:
        return all(_public_4(inner) for inner in carried)
    return address in _UNICAST_6 and not any(address in block for block in _NOT_PUBLIC_6)


def _public_4(address: IPv4Address) -> bool:
    return not any(address in block for block in _NOT_PUBLIC_4)


def _carried(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that packets to this address end up at, or pass through."""
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address.sixtofour is not None:
        return (address.sixtofour,)
    if address.teredo is not None:
        return address.teredo
    if address in _NAT64:
        return (IPv4Address(int(address) & 0xFFFF_FFFF),)
    return ()
