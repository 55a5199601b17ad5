"""A window and another device of the same profile, which meet in a folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syncing import SyncedDevice


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    (tmp_path / "shared").mkdir()
    return tmp_path / "shared"


@pytest.fixture
def laptop(tmp_path: Path, shared: Path) -> Iterator[SyncedDevice]:
    device = SyncedDevice(tmp_path / "Dizüstü", shared)
    yield device
    device.close()
