"""Which addresses are followed, in which spelling, and which are private."""

import pytest

from desktop.domain.web import AddressRefusedError
from desktop.research.web.safe_urls import covers, is_public, parse_address
from tests.examples import examples


@pytest.mark.parametrize(
    ("written", "followed"),
    examples(__file__, "an_address_is_followed_in_one_spelling"),
)
def test_an_address_is_followed_in_one_spelling(written: str, followed: str) -> None:
    assert str(parse_address(written)) == followed


NO_PAGES = """
example.org ftp://example.org/ file:///etc/passwd javascript:alert(1) data:text/html,hello
https:// https:///path https://user:word@example.org/ https://example.org@evil.example/
https://example.org\\@evil.example/ https://example.org:22/ https://example.org:99999/
https://example.org:0/ https://[::1%25eth0]/ https://[nonsense]/ http://1.2.3.4.5/
http://256.256.256.256/ https://-a.example/ https://a..example/
"""


@pytest.mark.parametrize(
    "written",
    ["", "https://exa mple.org/", "https://example.org/" + "a" * 5000, *NO_PAGES.split()],
)
def test_anything_but_a_plain_web_address_is_refused(written: str) -> None:
    with pytest.raises(AddressRefusedError):
        parse_address(written)


@pytest.mark.parametrize(
    ("location", "followed"),
    [
        ("/b", "https://a.example/b"),
        ("c?d", "https://a.example/x/c?d"),
        ("//b.example/", "https://b.example/"),
        ("http://b.example/y", "http://b.example/y"),
    ],
)
def test_a_relative_redirect_is_resolved_against_its_page(location: str, followed: str) -> None:
    assert str(parse_address(location, "https://a.example/x/y")) == followed
    for refused in ("file:///etc/passwd", "gopher://a.example/", "http://["):
        with pytest.raises(AddressRefusedError):
            parse_address(refused, "https://a.example/")


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "8.8.8.8", "2001:4860:4860::8888", "2606:2800:220:1::1", "64:ff9b::808:808"],
)
def test_the_internet_is_public(address: str) -> None:
    assert is_public(address)


NOT_PUBLIC = """
0.0.0.1 10.1.2.3 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16
169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.168.1.1 198.18.0.1 203.0.113.5
224.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8
::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::808:808 fe80::1 fe80::1%eth0
fec0::1 fc00::1 fd00:ec2::254 ff02::1 2001:0:7f00:1:: 2001:db8::1 2002:7f00:1::
2001:4860::5efe:192.168.0.1 100::1 nonsense
"""


@pytest.mark.parametrize("address", [*NOT_PUBLIC.split(), ""])
def test_everything_else_is_not(address: str) -> None:
    assert not is_public(address)


def test_a_blocked_host_covers_its_subdomains_and_no_look_alike() -> None:
    for written in ("example.org", "*.example.org", "https://example.org/path", "EXAMPLE.org."):
        assert covers([written], "example.org", 443)
        assert covers([written], "www.example.org", 443)
        assert not covers([written], "notexample.org", 443)
        assert not covers([written], "example.org.evil.example", 443)
    assert covers(["example.org:8080"], "example.org", 8080)
    assert not covers(["example.org:8080"], "example.org", 443)
    assert covers(["çay.example"], "xn--ay-3ia.example", 443)


@pytest.mark.parametrize(
    ("listed", "host", "port", "is_named"),
    [
        ("wiki.ev", "wiki.ev", 8080, True),
        ("127.0.0.1:8080", "127.0.0.1", 8080, True),
        ("http://127.0.0.1:8080/search", "127.0.0.1", 8080, True),
        ("[::1]:8080", "::1", 8080, True),
        ("127.0.0.1:8080", "127.0.0.1", 22, False),
        ("wiki.ev", "a.wiki.ev", 80, False),
    ],
)
def test_a_local_host_is_named_exactly(
    listed: str, host: str, port: int, *, is_named: bool
) -> None:
    assert covers([listed], host, port, is_exact=True) == is_named
