"""Which addresses a connection may be made to."""

from __future__ import annotations

import pytest

from groundrule.urls import address_is_public

ADDRESSES_PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700::1111",
    "2001:200::1",
    "2400:3200::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
    "2001:0:808:808:0:0:f7f7:f7f7",
]
ADDRESSES_NOT_PUBLIC = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1"),
    *("127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192"),
    *("192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1"),
    *("203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "168.63.129.16"),
    *("::", "::1", "::7f00:1", "::8.8.8.8", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1"),
    *("100::1", "5f00::1", "2001:db8::1", "3fff::1", "2001:2::1", "2001:10::1", "2001:20::1", "4000::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:8.8.8.8", "2002:a00:1::", "2002:7f00:1::1"),
    *("64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b:1::808:808", "64:ff9b:0:0:0:1:808:808"),
    "2001:0:a00:1:0:0:f7f7:f7f7",  # Teredo, private server
    "2001:0:808:808:0:0:f5ff:fffe",  # Teredo, private client
    *("fe80::1%eth0", "2606:4700::1111%eth0", "127.1", "0177.0.0.1", "2130706433", "0x7f.0.0.1", "[::1]"),
    *("", "good.example", "8.8.8.8 ", "8.8.8.8/32", "８.8.8.8", "08.8.8.8"),
]


@pytest.mark.parametrize("ip", ADDRESSES_PUBLIC)
def test_unicast_addresses_of_the_internet_are_public(ip: str) -> None:
    """Those next to a reserved block too, and those that carry a public IPv4 address."""
    assert address_is_public(ip) is True


@pytest.mark.parametrize("ip", ADDRESSES_NOT_PUBLIC)
def test_reserved_addresses_and_what_is_no_address_are_not_public(ip: str) -> None:
    """Fail-closed: an address that is not parsed, a zone id included, is not connected to."""
    assert address_is_public(ip) is False
