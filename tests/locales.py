"""The tests of the window run in two locales in turn: the system's and a Turkish one."""

import locale
import os
from collections.abc import Iterator
from zlib import crc32

import pytest

TURKISH = "tr_TR.UTF-8"
_NAMES = ("LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "LANGUAGE", "LANG")
_TURN = int(os.environ.get("TEST_TURN", "0"))
"""What a file is run in changes with each commit: packaging/test.sh counts them."""


@pytest.fixture(scope="module", autouse=True)
def locale_of_the_file(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """Give half of the files a Turkish locale, as a person's system does to window and commands.

    A locale changes what the C library does with letters: its `toupper` makes İ of i.
    """
    if (crc32(request.node.nodeid.encode()) + _TURN) % 2:
        yield None
        return
    before = locale.setlocale(locale.LC_ALL)
    with pytest.MonkeyPatch.context() as patch:
        for name in _NAMES:
            patch.delenv(name, raising=False)
        patch.setenv("LANG", TURKISH)
        try:
            locale.setlocale(locale.LC_ALL, TURKISH)
        except locale.Error:
            pytest.fail(f"The locale {TURKISH} is missing: packaging/test.sh makes it")
        yield TURKISH
        locale.setlocale(locale.LC_ALL, before)
