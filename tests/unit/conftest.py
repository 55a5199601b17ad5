from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.storage.archive import Archive
from tests.archives import SettableClock, archive_in


@pytest.fixture(scope="session", autouse=True)
def _forked(children_share_imports: None) -> None:
    """Starting a child costs more than most tests do."""


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def archive(tmp_path: Path, clock: SettableClock) -> Iterator[Archive]:
    archive = archive_in(tmp_path, clock)
    yield archive
    archive.close()
