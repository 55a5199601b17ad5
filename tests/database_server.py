"""A PostgreSQL server of a test's own: on a socket and a TLS port, in a folder of its own."""

import datetime as dt
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

OWNER = "bellek_owner"

_HBA = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"


def programs() -> Path | None:
    """Return the folder of the server's programs; Debian keeps them out of the path."""
    if initdb := shutil.which("initdb"):
        return Path(initdb).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    return versions[0].parent if versions else None


class DatabaseServer:
    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self.authority = folder / "authority.pem"
        self._programs = programs
        self._process: subprocess.Popen[bytes] | None = None
        # It refuses to run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        _write_certificates(folder)
        self._give_away()
        self._run("initdb", "-D", "data", "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync")
        (folder / "data" / "pg_hba.conf").write_text(_HBA)

    def address(self, role: str = OWNER, *, database: str = "postgres", more: str = "") -> str:
        return f"postgresql://{role}@:{self.port}/{database}?host={self.folder}{more}"

    def tls_address(self, role: str, *, host: str = "localhost") -> str:
        return f"postgresql://{role}@{host}:{self.port}/postgres?sslrootcert={self.authority}"

    def start(self) -> None:
        options = {
            "unix_socket_directories": self.folder,
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "ssl": "on",
            "ssl_cert_file": self.folder / "server.pem",
            "ssl_key_file": self.folder / "server.key",
            "fsync": "off",  # It is killed, not the machine
            "shared_buffers": "16MB",
            "max_connections": 40,
        }
        given = [f"-c{name}={value}" for name, value in options.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                [self._programs / "postgres", "-D", self.folder / "data", *given],
                cwd=self.folder,
                user=self._user,
                process_group=0,
                stderr=log,
            )
        self._wait()

    def kill(self) -> None:
        """End all of its processes at once, as a failing machine does."""
        if self._process:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process = None

    def sql(self, statement: str, role: str = OWNER) -> list[tuple[object, ...]]:
        """Run it as this role; return its rows."""
        with psycopg.connect(
            host=str(self.folder),
            hostaddr="",
            port=self.port,
            dbname="postgres",
            user=role,
            autocommit=True,
        ) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def stop_one(self, role: str) -> int:
        """Freeze what serves a role; return its process."""
        [(pid,)] = self.sql(f"SELECT pid FROM pg_stat_activity WHERE usename = '{role}'")  # noqa: S608
        assert isinstance(pid, int)
        os.kill(pid, signal.SIGSTOP)
        return pid

    def _wait(self) -> None:
        pause = threading.Event()
        for _ in range(600):
            with suppress(psycopg.OperationalError):
                self.sql("SELECT 1")
                return
            assert self._process
            assert self._process.poll() is None, (self.folder / "log").read_text()
            pause.wait(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(  # noqa: S603
            [self._programs / program, *arguments],
            cwd=self.folder,
            user=self._user,
            capture_output=True,
            check=True,
            timeout=60,
        )

    def _give_away(self) -> None:
        if self._user:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, self._user)


@contextmanager
def database_server() -> Iterator[DatabaseServer]:
    """Skips the test, with the reason, where there is no server to start."""
    folder = programs()
    if folder is None:
        pytest.skip("no PostgreSQL server is installed (Debian: apt-get install postgresql)")
    # A socket's path has at most 107 characters.
    place = Path(tempfile.mkdtemp(prefix="bellek-pg-"))
    server = DatabaseServer(place, folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(place, ignore_errors=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as it:
        port: int = it.getsockname()[1]
        return port


def _write_certificates(folder: Path) -> None:
    """An authority, and a certificate of it for `localhost` alone."""
    authority_key, key = (
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP256R1()),
    )
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of a test")])
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)

    def certificate(
        name: x509.Name, public: ec.EllipticCurvePublicKey, *, is_authority: bool
    ) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(issuer)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=2))
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        )
        if not is_authority:
            names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(authority_key, hashes.SHA256())

    pem = serialization.Encoding.PEM
    authority = certificate(issuer, authority_key.public_key(), is_authority=True)
    (folder / "authority.pem").write_bytes(authority.public_bytes(pem))
    (folder / "authority.pem").chmod(0o644)
    server = certificate(subject, key.public_key(), is_authority=False)
    (folder / "server.pem").write_bytes(server.public_bytes(pem))
    secret = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.key").write_bytes(secret)
    (folder / "server.key").chmod(0o600)
