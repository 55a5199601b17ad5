from tests.ui.library.conftest import disk, empty, opens, stage  # noqa: F401 (fixtures)
