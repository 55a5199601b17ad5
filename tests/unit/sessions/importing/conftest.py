from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.storage.archive import Archive
from tests.archives import archive_in
from tests.incoming import Desk


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path)
    yield archive
    archive.close()


@pytest.fixture
def desk(archive: Archive, tmp_path: Path) -> Desk:
    return Desk(archive, tmp_path)
