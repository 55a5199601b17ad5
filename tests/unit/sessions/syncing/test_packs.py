import random
from base64 import b64encode

import pytest

from desktop.domain.errors import WrongPassphraseError
from desktop.domain.sync import DeviceId, EntityChange, Pack, Version
from desktop.sessions.syncing.carrier import FileName
from desktop.sessions.syncing.packs import (
    BrokenFileError,
    SyncKey,
    lock_key,
    open_file,
    open_pack,
    seal_file,
    seal_pack,
    unlock_key,
)

A, B = DeviceId("a" * 32), DeviceId("b" * 32)
MARK = "Nil'in kıyısında gizli bir cümle"
PACK = Pack(A, 7, {B: 3}, 30, [EntityChange("sessions", "s1", {"title": MARK}, {}, Version(5, A))])
KEY = SyncKey.new()


def test_a_pack_is_opened_as_it_was() -> None:
    name, sealed = seal_pack(KEY, PACK)
    assert open_pack(KEY, A, name, sealed) == PACK


def test_neither_name_nor_bytes_show_a_word() -> None:
    name, sealed = seal_pack(KEY, PACK)
    file, content = seal_file(KEY, A, "ab12.png", MARK.encode())
    shown = name.encode() + sealed + file.encode() + content
    assert MARK.encode() not in shown
    assert b"ab12" not in shown
    assert b64encode(MARK.encode())[:12] not in shown


def test_a_file_is_opened_with_its_stored_name() -> None:
    name, sealed = seal_file(KEY, A, "ab12.png", b"picture")
    assert open_file(KEY, A, name, sealed) == ("ab12.png", b"picture")


def test_a_pack_of_one_device_is_not_accepted_as_anothers() -> None:
    name, sealed = seal_pack(KEY, PACK)
    with pytest.raises(BrokenFileError):
        open_pack(KEY, B, name, sealed)


def test_a_pack_is_not_accepted_under_another_number() -> None:
    _, sealed = seal_pack(KEY, PACK)
    with pytest.raises(BrokenFileError):
        open_pack(KEY, A, str(FileName.of("p", 8, sealed)), sealed)


def test_mutated_packs_raise_one_error_and_never_open() -> None:
    chance = random.Random(38)  # noqa: S311 - no secret
    name, sealed = seal_pack(KEY, PACK)
    for _ in range(5_000):
        mutant = _mutated(chance, sealed)
        if mutant == sealed:
            continue
        with pytest.raises(BrokenFileError):
            open_pack(KEY, A, name, mutant)


def _mutated(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    match chance.randrange(4):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + chance.randbytes(chance.randrange(1, 40)) + data[at:]
        case 2:
            return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
        case _:
            return chance.randbytes(chance.randrange(200))


def test_the_passphrase_opens_the_key_and_another_does_not() -> None:
    content = lock_key(KEY, "doğru at pil zımba", seconds=0)
    assert unlock_key(content, "doğru at pil zımba").secret == KEY.secret
    with pytest.raises(WrongPassphraseError):
        unlock_key(content, "yanlış")
    assert KEY.secret.hex().encode() not in content


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"derivation": {}, "key": "00"}'])
def test_a_damaged_key_file_is_called_broken(content: bytes) -> None:
    with pytest.raises(BrokenFileError):
        unlock_key(content, "x")
