import pytest

from desktop.recall.search import Search
from desktop.storage.archive import Archive


@pytest.fixture
def search(archive: Archive) -> Search:
    return Search(archive.index)
