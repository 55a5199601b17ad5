from tests.ui.library.conftest import stage  # noqa: F401 (a fixture)
