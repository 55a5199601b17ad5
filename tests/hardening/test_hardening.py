"""A short run of every part of the harness; the long one is `python -m tests.hardening`."""

import pytest

from tests.hardening.__main__ import PARTS

_TRIES = {
    "network": 1,  # first, since it waits longest
    "calls": 40,
    "kills": 11,
    "windows": 2,
    "disks": 20,
    "imports": 300,
    "documents": 60,
    "references": 60,
    "volumes": 8,
    "settings": 100,
    "streams": 20,
    "scans": 24,
    "pages": 9,
    "servers": 22,
    "passphrases": 6,
    "packs": 300,
}


@pytest.mark.timeout(900)  # a part starts the program a hundred times
@pytest.mark.parametrize("part", _TRIES)
def test_no_attack_loses_data_crashes_hangs_or_contacts_a_host(part: str) -> None:
    try_to_break, _ = PARTS[part]
    tally = try_to_break(_TRIES[part])
    if tally.skipped:
        pytest.skip(tally.skipped)
    assert tally.tried >= _TRIES[part]
    found = (tally.lost, tally.stuck, tally.tracebacks, tally.hangs, tally.contacts)
    assert found == (0, 0, 0, 0, 0), tally.notes
