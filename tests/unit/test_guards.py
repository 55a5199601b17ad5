"""The guards of every test work."""

import logging
import os
import socket
from pathlib import Path

import pytest

from tests.guards import LogWatch, NetworkForbiddenError


def test_the_network_is_out_of_reach() -> None:
    with pytest.raises(NetworkForbiddenError):
        socket.create_connection(("192.0.2.1", 80))
    with pytest.raises(NetworkForbiddenError):
        socket.getaddrinfo("example.com", 443)
    with socket.socket() as it, pytest.raises(NetworkForbiddenError):
        it.connect_ex(("192.0.2.1", 80))


def test_this_machine_is_within_reach() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1])).close()


def test_an_unexpected_warning_fails_the_test() -> None:
    watch = LogWatch()
    watch.handle(logging.makeLogRecord({"name": "desktop.x", "levelname": "WARNING", "msg": "w"}))
    with pytest.raises(AssertionError, match=r"desktop\.x"):
        watch.check()
    watch.expect("desktop", "w")
    watch.check()


def test_a_warning_that_never_came_fails_the_test() -> None:
    watch = LogWatch()
    watch.expect("desktop")
    with pytest.raises(AssertionError, match="never came"):
        watch.check()


def test_tests_use_no_real_keys_or_folders(tmp_path: Path) -> None:
    assert "ANTHROPIC_API_KEY" not in os.environ
    assert os.environ["BELLEK_DATA_DIR"].startswith(str(tmp_path))
