from collections.abc import Iterator

import pytest

from tests.forked_children import forked_children


@pytest.fixture(scope="module")
def children_share_imports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Children that speak with servers of tools are forked."""
    with forked_children(tmp_path_factory.mktemp("children")):
        yield
