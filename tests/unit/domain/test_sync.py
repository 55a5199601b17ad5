"""What travels between devices: packs as JSON, and the order of versions."""

import json

import pytest

from desktop.domain.sync import (
    COUNTER_BITS,
    DeviceId,
    EntityChange,
    Pack,
    Version,
    next_clock,
    pack_from_json,
    pack_to_json,
)

HERE, THERE = DeviceId("a" * 32), DeviceId("b" * 32)


def test_a_pack_is_the_same_after_it_was_written_and_read() -> None:
    version = Version(next_clock(0), HERE)
    title = EntityChange(
        "sessions", "s1", {"title": "Işık"}, {"title": Version(7, THERE)}, version
    )
    deletion = EntityChange("facts", "f1", {}, {}, version, is_deletion=True)
    pack = Pack(HERE, 3, {THERE: 2}, 30, [title, deletion])
    assert pack_from_json(json.loads(json.dumps(pack_to_json(pack)))) == pack


@pytest.mark.parametrize("value", [None, [], {"device": "a"}, {"changes": [[1]]}, 7, "pack"])
def test_what_is_no_pack_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="not a"):
        pack_from_json(value)


def test_a_clock_never_goes_back_and_follows_the_wall_clock() -> None:
    last = 5_000 << COUNTER_BITS
    assert next_clock(last, now_ms=4_000) == last + 1
    assert next_clock(last, now_ms=6_000) == 6_000 << COUNTER_BITS
