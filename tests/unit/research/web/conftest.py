from collections.abc import Iterator

import pytest

from tests.web import Web


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as web:
        yield web
