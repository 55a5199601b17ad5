from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.settings.encryption import Derivation
from desktop.storage.archive import Archive
from tests.archives import SettableClock, archive_in


@pytest.fixture
def quick_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive keys in one pass: half a second a passphrase would slow the tests."""
    monkeypatch.setattr(
        Derivation, "calibrated", classmethod(lambda cls, _: cls("00" * 16, passes=1))
    )


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def archive(tmp_path: Path, clock: SettableClock) -> Iterator[Archive]:
    archive = archive_in(tmp_path, clock)
    yield archive
    archive.close()
