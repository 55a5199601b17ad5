"""How the processes that run the unit tests share them: one by one, some files whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    import pytest
    from xdist.remote import Producer

_WHOLE = (
    "tests/unit/sessions/test_a_thousand_messages.py",
    "tests/unit/sessions/boundaries/",
    "tests/unit/storage/test_salvage_of_copies.py",
    "tests/unit/test_fences.py",
)
"""A session of a thousand messages is lived, a strong model loaded, an archive that is damaged
written and the tree read by one process, once.
"""


def scheduler_of(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """For `--dist loadgroup`.

    WORKAROUND pytest-xdist 3.8: it finds the tests of a group by a name that it adds to their ids,
    which pytest 9.2 no longer reads; tests that are marked as a group came apart without a word.
    """
    return _SomeWhole(config, log) if config.getvalue("dist") == "loadgroup" else None


class _SomeWhole(LoadScopeScheduling):  # type: ignore[misc]  # ships no types
    def _split_scope(self, nodeid: str) -> str:
        return next((whole for whole in _WHOLE if nodeid.startswith(whole)), nodeid)
