"""A server needs the extra `sync`."""

import sys

import pytest

from desktop.domain.sync import SyncClientMissingError
from desktop.sessions.syncing.carrier import open_server


def test_without_the_client_its_absence_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "desktop.sessions.syncing.postgresql", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(SyncClientMissingError):
        open_server("postgresql://a@host/lab", lambda: None)
