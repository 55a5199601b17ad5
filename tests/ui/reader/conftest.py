from tests.ui.library.conftest import empty, stage  # noqa: F401 (fixtures)
from tests.ui.main_window.conftest import disk, opens  # noqa: F401 (fixtures)
