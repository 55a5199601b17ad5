from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.recall.search import Search
from desktop.storage.archive import Archive
from tests.archives import archive_in


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path)
    yield archive
    archive.close()


@pytest.fixture
def search(archive: Archive) -> Search:
    return Search(archive.index)
