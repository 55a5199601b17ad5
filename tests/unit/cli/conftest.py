from pathlib import Path

import pytest

from desktop.settings.paths import Paths
from tests.archives import write_empty_archive


@pytest.fixture(autouse=True)
def _archive_made_before(tmp_path: Path, _own_environment: None) -> None:
    """Commands find an existing empty file, as creating one takes twenty times as long."""
    write_empty_archive(Paths.under(tmp_path / "bellek").profile().database)
