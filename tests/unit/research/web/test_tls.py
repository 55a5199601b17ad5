"""TLS connections go to the checked address, and the certificate is checked for the name."""

import ssl
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.times import utc_now
from desktop.domain.web import SiteUntrustedError
from desktop.research.web.fetch import Fetcher
from desktop.research.web.safe_urls import AccessRules
from tests.web import Web, fetcher_for, page

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
