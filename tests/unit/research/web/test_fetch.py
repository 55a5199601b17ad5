"""Fetching over real sockets: politeness, limits, and private addresses."""

import ssl
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.times import utc_now
from desktop.domain.web import (
    AddressPrivateError,
    ContactOutcome,
    ContactPurpose,
    HostShutOutError,
    PageGoneError,
    PageKindError,
    PageTooLargeError,
    PageTooSlowError,
    RedirectedTooOftenError,
    RobotsRefuseError,
    SiteBusyError,
    SiteRefusedError,
    SiteUnreachableError,
    SiteUntrustedError,
    WebError,
    WebStoppedError,
)
from desktop.research.web.fetch import PDF, Fetcher
from desktop.research.web.rate_limiting import Deadline, RateLimiter
from desktop.research.web.safe_urls import AccessRules, LookUp
from tests.web import (
    ContactList,
    Served,
    Web,
    bomb,
    cut_short,
    dripping,
    dripping_head,
    fetcher_for,
    huge,
    packed,
    page,
    redirect,
    robots,
    silent,
)


@dataclass
class Guest:
    """A fetcher that knows the loopback web, and its log."""

    web: Web
    log: ContactList = field(default_factory=ContactList)
    rules: AccessRules = field(default_factory=lambda: AccessRules(is_on=True))
    seconds: float = 20.0
    look_up: LookUp | None = None

    @property
    def entries(self) -> list[tuple[ContactPurpose, ContactOutcome]]:
        return [(one.purpose, one.outcome) for one in self.log.contacts]

    @property
    def fetcher(self) -> Fetcher:
        return fetcher_for(
            self.web,
            lambda: replace(self.rules, at_home=self.web.at_home),
            contacts=self.log,
            look_up=self.look_up or self.web.look_up,
            seconds=self.seconds,
        )


@pytest.fixture
def guest(web: Web) -> Guest:
    return Guest(web)


ARTICLE = page("Insulin", "Insulin lowers blood sugar.")


def test_a_page_is_fetched_and_every_address_on_the_way_is_written_down(
    web: Web, guest: Guest
) -> None:
    address = web.put("/insulin", ARTICLE)
    fetched = guest.fetcher.fetch(address, session_id=SessionId("s1"))
    assert (fetched.kind, fetched.charset) == ("text/html", "utf-8")
    assert fetched.body == ARTICLE.body
    assert [(one.address, one.session_id) for one in guest.log.contacts] == [
        (web.url("/robots.txt"), "s1"),
        (address, "s1"),
    ]
    assert guest.entries[-1] == (ContactPurpose.PAGE, ContactOutcome.OK)


def test_a_site_gets_the_program_name_and_nothing_about_the_user(web: Web, guest: Guest) -> None:
    guest.fetcher.fetch(web.put("/insulin", ARTICLE))
    headers = web.asked[-1].headers
    assert headers["user-agent"].startswith("Bellek/")
    assert set(headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}


def test_pages_that_robots_txt_forbids_are_not_fetched(web: Web, guest: Guest) -> None:
    web.put("/robots.txt", robots("\ufeffUser-agent: *\nDisallow: /a\nAllow: /a/open"))
    with pytest.raises(RobotsRefuseError):
        guest.fetcher.fetch(web.put("/a/b", ARTICLE))
    assert web.paths() == []
    guest.fetcher.fetch(web.put("/a/open", ARTICLE))
    assert web.paths() == ["/a/open"]
    web.put("/robots.txt", robots("User-agent: *\nAllow: /\n\nUser-agent: bellek\nDisallow: /"))
    with pytest.raises(RobotsRefuseError):
        guest.fetcher.fetch(web.url("/a/open"))


def test_robots_txt_is_asked_for_once_a_site(web: Web, guest: Guest) -> None:
    fetcher = guest.fetcher
    for path in ("/a", "/b", "/c"):
        fetcher.fetch(web.put(path, ARTICLE))
    assert web.paths(robots=True) == ["/robots.txt", "/a", "/b", "/c"]


def test_a_site_whose_robots_txt_cannot_be_had_is_left_alone(web: Web, guest: Guest) -> None:
    web.put("/robots.txt", Served(status=500))
    with pytest.raises(SiteRefusedError):
        guest.fetcher.fetch(web.put("/a", ARTICLE))
    assert web.paths() == []


def test_redirects_are_followed_and_each_site_on_the_way_is_asked(web: Web, guest: Guest) -> None:
    web.put("b.example/new", ARTICLE)
    address = web.put("a.example/old", redirect(web.url("/new", "b.example"), 301))
    fetched = guest.fetcher.fetch(address)
    assert str(fetched.address) == web.url("/new", "b.example")
    assert [(one.host, one.path) for one in web.asked] == [
        ("a.example", "/robots.txt"),
        ("a.example", "/old"),
        ("b.example", "/robots.txt"),
        ("b.example", "/new"),
    ]
    assert ContactOutcome.REDIRECTED in [outcome for _, outcome in guest.entries]


def test_five_redirects_are_followed_and_no_sixth(web: Web, guest: Guest) -> None:
    web.put("/5", ARTICLE)
    for step in range(5):
        web.put(f"/{step}", redirect(f"/{step + 1}"))
    assert guest.fetcher.fetch(web.url("/0")).body == ARTICLE.body
    web.put("/5", redirect("/6"))
    web.put("/6", ARTICLE)
    with pytest.raises(RedirectedTooOftenError):
        guest.fetcher.fetch(web.url("/0"))
    assert "/6" not in web.paths()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f000001", "0177.1", "127.1"],
)
def test_this_computer_is_not_contacted_in_any_spelling(web: Web, guest: Guest, host: str) -> None:
    """No test has used this port."""
    with pytest.raises(AddressPrivateError):
        guest.fetcher.fetch(f"http://{host}:{web.port + 1 if web.port < 65000 else 9999}/")
    assert web.asked == []
    assert guest.entries == [(ContactPurpose.ROBOTS, ContactOutcome.REFUSED_HERE)]


@pytest.mark.parametrize("inner", ["169.254.169.254", "10.0.0.1", "fd00:ec2::254", "192.168.1.1"])
def test_a_name_that_resolves_to_a_private_network_is_not_followed(
    web: Web, guest: Guest, inner: str
) -> None:
    web.names["evil.example"] = ["93.184.216.34", inner]
    with pytest.raises(AddressPrivateError):
        guest.fetcher.fetch("http://evil.example/")
    assert guest.entries == [(ContactPurpose.ROBOTS, ContactOutcome.REFUSED_HERE)]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:9999/admin",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]:9999",
    ],
)
def test_a_redirect_into_a_private_network_is_not_followed(
    web: Web, guest: Guest, location: str
) -> None:
    address = web.put("a.example/go", redirect(location))
    with pytest.raises(AddressPrivateError):
        guest.fetcher.fetch(address)
    assert guest.entries[-1][1] is ContactOutcome.REFUSED_HERE


def test_the_checked_address_is_the_one_connected_to(web: Web, guest: Guest) -> None:
    """A name that resolves differently each time: no connection goes to an unchecked address."""
    answers = iter([["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]])

    def rebinding(host: str, port: int) -> list[str]:
        return next(answers)

    web.put("site.example/a", ARTICLE)
    guest.look_up = rebinding
    fetcher = guest.fetcher
    fetcher.fetch(web.url("/a", "site.example"))  # one lookup for robots.txt, one for the page
    assert len(web.asked) == 2
    outsider = Guest(web, look_up=rebinding)
    with pytest.raises(AddressPrivateError):  # the third lookup, by a name that was not allowed
        outsider.fetcher.fetch(f"http://other.example:{web.port}/a")
    assert len(web.asked) == 2


def test_hosts_that_the_user_blocked_are_neither_contacted_nor_linked(
    web: Web, guest: Guest
) -> None:
    guest.rules = AccessRules(is_on=True, never=("b.example",))
    web.put("b.example/new", ARTICLE)
    with pytest.raises(HostShutOutError):
        guest.fetcher.fetch(web.url("/new", "b.example"))
    with pytest.raises(HostShutOutError):
        guest.fetcher.fetch(web.put("a.example/old", redirect(web.url("/new", "b.example"))))
    guest.rules = AccessRules(is_on=True, only=("a.example",))
    with pytest.raises(HostShutOutError):
        guest.fetcher.fetch(web.url("/new", "b.example"))
    assert "b.example" not in [one.host for one in web.asked]


def test_a_packed_page_is_unpacked(web: Web, guest: Guest) -> None:
    assert guest.fetcher.fetch(web.put("/packed", packed(ARTICLE))).body == ARTICLE.body


NO_PAGES: list[tuple[Served, type[WebError]]] = [
    *((Served(status=status), PageGoneError) for status in (404, 410)),
    *((Served(status=status), SiteRefusedError) for status in (401, 418, 500, 304)),
    *(
        (replace(dripping(), kind=kind), PageKindError)
        for kind in ("image/png", "application/zip", "video/mp4", "text/css")
    ),
    (Served(b"\x00\x01\x02", None), PageKindError),
    (replace(ARTICLE, headers={"Content-Encoding": "br"}), PageKindError),
    (
        replace(ARTICLE, headers={"Content-Encoding": "gzip"}),
        PageKindError,
    ),  # and is not compressed
    *((served, PageTooLargeError) for served in (huge(says_so=True), huge(says_so=False), bomb())),
    (cut_short(), SiteUnreachableError),
]


@pytest.mark.parametrize(("served", "error"), NO_PAGES)
def test_content_that_is_no_page_is_refused_early_with_the_reason(
    web: Web, guest: Guest, served: Served, error: type[WebError]
) -> None:
    with pytest.raises(error):
        guest.fetcher.fetch(web.put("/a", served))


@pytest.mark.parametrize("slow", [dripping(), dripping_head(), silent()])
def test_a_site_that_never_answers_times_out(web: Web, guest: Guest, slow: Served) -> None:
    guest.seconds = 0.4
    with pytest.raises(PageTooSlowError):
        guest.fetcher.fetch(web.put("/slow", slow))
    assert guest.entries[-1] == (ContactPurpose.PAGE, ContactOutcome.FAILED)


def test_a_waiting_fetch_can_be_stopped(web: Web, guest: Guest) -> None:
    address = web.put("/slow", silent())

    def is_under_way() -> bool:
        return "/slow" in web.paths()

    with pytest.raises(WebStoppedError):
        guest.fetcher.fetch(address, stop=is_under_way)


def test_a_site_that_is_missing_is_said_to_be_unreachable(web: Web, guest: Guest) -> None:
    address = web.put("/a", ARTICLE)
    web.close()
    with pytest.raises(SiteUnreachableError):
        guest.fetcher.fetch(address)

    def unknown(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    guest.look_up = unknown
    with pytest.raises(SiteUnreachableError):
        guest.fetcher.fetch("https://nowhere.example/")


def test_a_missing_content_type_is_guessed_from_the_first_bytes(web: Web, guest: Guest) -> None:
    pdf = Served(b"%PDF-1.7 ...", "application/octet-stream")
    assert guest.fetcher.fetch(web.put("/pdf", pdf)).kind == PDF
    assert guest.fetcher.fetch(web.put("/html", replace(ARTICLE, kind=None))).kind == "text/html"


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120),
        ("x", 60),
        ("9" * 22, 3600),
        ("-1", 60),
        ("nan", 60),
        ("1e999", 3600),
        ("²", 60),
    ],
)
def test_a_site_that_is_busy_is_left_alone_for_as_long_as_it_says(
    web: Web, guest: Guest, said: str, seconds: int
) -> None:
    fetcher = guest.fetcher
    busy = web.put("/busy", Served(status=429, headers={"Retry-After": said}))
    with pytest.raises(SiteBusyError) as told:
        fetcher.fetch(busy)
    assert told.value.values["seconds"] == seconds
    with pytest.raises(SiteBusyError):
        fetcher.fetch(web.put("/other", ARTICLE))
    assert web.paths() == ["/busy"]


def test_a_site_gets_no_more_than_two_requests_at_once() -> None:
    rate_limiter = RateLimiter(gap_s=0, at_once=2)
    with rate_limiter.turn("a.example", Deadline(5)):
        with rate_limiter.turn("a.example", Deadline(5)):
            with pytest.raises(PageTooSlowError), rate_limiter.turn("a.example", Deadline(0.05)):
                pass
            with rate_limiter.turn("b.example", Deadline(5)):
                pass
        with rate_limiter.turn("a.example", Deadline(5)):
            pass


def test_a_site_is_given_the_time_between_requests_that_it_asks_for(web: Web) -> None:
    """If a site asks for more time than the fetch may take, the second page is skipped."""
    web.put("/robots.txt", robots("User-agent: *\nCrawl-delay: 8"))
    guest = Guest(web, seconds=0.5)
    fetcher = guest.fetcher
    fetcher.fetch(web.put("/a", ARTICLE))
    with pytest.raises(SiteBusyError):
        fetcher.fetch(web.put("/b", ARTICLE))
    assert web.paths() == ["/a"]


# TLS connections go to the checked address, and the certificate is checked for the name


x509 = pytest.importorskip("cryptography.x509")
from cryptography.hazmat.primitives import hashes, serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402

NAME = "site.example"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate of `site.example`."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(utc_now() - timedelta(days=1))
        .not_valid_after(utc_now() + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "site.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


def fetcher(web: Web, host: str, trusted: Path | None) -> Fetcher:
    trust = ssl.create_default_context(cafile=str(trusted)) if trusted else None
    rules = AccessRules(is_on=True, at_home=(f"{host}:{web.port}",))
    return fetcher_for(web, lambda: rules, trust=trust)


def speaking_tls(certificate: Path) -> Web:
    identity = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    identity.load_cert_chain(certificate)
    return Web({"/a": page("A", "Over TLS.")}, identity=identity)


def test_the_name_is_checked_although_the_line_goes_to_a_number(certificate: Path) -> None:
    with speaking_tls(certificate) as web:
        fetched = fetcher(web, NAME, certificate).fetch(web.url("/a", NAME))
        assert b"Over TLS." in fetched.body
        assert web.looked_up == [NAME, NAME]


@pytest.mark.parametrize(("host", "is_trusted"), [("other.example", True), (NAME, False)])
def test_an_untrusted_certificate_or_one_for_another_name_opens_no_page(
    certificate: Path, host: str, *, is_trusted: bool
) -> None:
    with speaking_tls(certificate) as web:
        with pytest.raises(SiteUntrustedError):
            fetcher(web, host, certificate if is_trusted else None).fetch(web.url("/a", host))
        assert web.asked == []
