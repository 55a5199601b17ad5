from collections.abc import Iterator

import pytest

from desktop.research.documents.reader import DocumentReader


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    """One child for all of them, as in a folder full of documents."""
    with DocumentReader() as reader:
        yield reader
