"""Addresses of servers: the password is taken out, and nothing in one weakens the connection."""

import pytest

from desktop.domain.sync import SyncAddressError
from desktop.sessions.syncing.addresses import is_server, parse_address, split_password


def test_the_password_is_taken_out_of_an_address() -> None:
    address, password = split_password("postgresql://ayşe:a%40b:c@db.example.org:6432/lab?space=x")
    assert address == "postgresql://ayşe@db.example.org:6432/lab?space=x"
    assert password == "a@b:c"  # noqa: S105
    assert split_password(address) == (address, None)


def test_an_address_gives_server_database_role_and_space() -> None:
    address = parse_address("postgresql://u%C4%9Fur@db.example.org:6432/lab?space=Grup%20A")
    assert address.options == {
        "host": "db.example.org",
        "dbname": "lab",
        "user": "uğur",
        "port": "6432",
    }
    assert (address.where, address.space) == ("db.example.org", "Grup A")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("postgresql://a@host/lab", True),
        ("PostgreSQL://a@host/lab", True),
        ("https://example.org/files", True),
        ("/folder/of://a", False),
        ("~/Dropbox", False),
        ("C://folder", False),
        ("", False),
    ],
)
def test_what_is_meant_as_an_address_is_never_a_folder(place: str, expected: bool) -> None:  # noqa: FBT001 - of a table
    assert is_server(place) is expected


def test_every_connection_is_verified() -> None:
    parameters = parse_address("postgresql://a@db.example.org/lab").parameters("word")
    assert parameters["sslmode"] == "verify-full"
    assert parameters["sslrootcert"]
    assert parameters["hostaddr"] == parameters["options"] == ""


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a folder",
        "/folder/of/a",
        "mysql://a@host/lab",
        "postgresql://a@host",
        "postgresql://a@host/",
        "postgresql://a@host/lab/more",
        "postgresql://a@host:none/lab",
        "postgresql://a@host:99999/lab",
        "postgresql://a@one,two/lab",
        "postgresql://a@host/lab?sslmode=disable",
        "postgresql://a@host/lab?options=-crow_security%3Doff",
        "postgresql://a@host/lab?service=other",
        "postgresql://a@host/lab?host=/run/other",
        "postgresql://a@host/lab?password=open",
    ],
)
def test_what_is_no_address_or_weakens_it_is_refused(address: str) -> None:
    with pytest.raises(SyncAddressError):
        parse_address(address)
