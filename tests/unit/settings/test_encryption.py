"""The key of an encrypted profile, and the data it encrypts."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.domain.errors import KeyFileDamagedError, WrongPassphraseError
from desktop.settings.encryption import Derivation, KeyFile, ProfileKey, is_sealed
from desktop.settings.keys import KeyringKeys, MemoryKeys
from desktop.settings.paths import KEY_FILES, ProfilePaths

WORDS = "çok gizli bir İncir"


@pytest.fixture
def made(tmp_path: Path) -> tuple[KeyFile, ProfileKey, str]:
    file = KeyFile.of_profile(tmp_path)
    return file, *file.create(WORDS, seconds=0.01)


def test_the_passphrase_and_the_recovery_sheet_open_it_and_nothing_else(
    made: tuple[KeyFile, ProfileKey, str], tmp_path: Path
) -> None:
    file, key, recovery = made
    assert ProfilePaths(tmp_path).is_encrypted
    assert file.unlock("c\u0327ok gizli bir I\u0307ncir") == key
    assert file.unlock(recovery.lower().replace("-", " ").replace("o", "0")) == key
    for wrong in ("", WORDS.upper(), recovery[:-1], f"{recovery[:-1]}{'AB'[recovery[-1] == 'A']}"):
        with pytest.raises(WrongPassphraseError):
            file.unlock(wrong)
    shown = repr(key) + "".join((tmp_path / name).read_text() for name in KEY_FILES)
    assert key.secret.hex() not in shown
    assert WORDS not in shown


def test_a_new_passphrase_opens_the_same_key(made: tuple[KeyFile, ProfileKey, str]) -> None:
    file, key, recovery = made
    file.change(key, "yenisi", seconds=0.01)
    assert file.unlock("yenisi") == file.unlock(recovery) == key
    with pytest.raises(WrongPassphraseError):
        file.unlock(WORDS)
    file.remove()
    assert not file.exists()


def test_one_flipped_bit_in_either_copy_loses_nothing(
    made: tuple[KeyFile, ProfileKey, str], tmp_path: Path
) -> None:
    file, key, recovery = made
    whole = (tmp_path / KEY_FILES[0]).read_bytes()
    chosen = random.Random(20)  # noqa: S311 - the same every time
    for name in KEY_FILES * 100:
        place, flipped = chosen.randrange(len(whole)), bytearray(whole)
        flipped[place] ^= 1 << chosen.randrange(8)
        (tmp_path / name).write_bytes(flipped)
        assert file.unlock(recovery) == key
        assert all((tmp_path / one).read_bytes() == whole for one in KEY_FILES)
    for name in KEY_FILES:
        (tmp_path / name).write_bytes(whole[:-9])
    with pytest.raises(KeyFileDamagedError):
        file.unlock(recovery)


def test_no_key_is_cheaper_to_guess_than_is_safe(
    usual_calibration: Callable[[float], Derivation],
) -> None:
    first, second = usual_calibration(0), usual_calibration(0)
    assert (first.passes, first.kib) == (3, 64 << 10)
    assert first.salt != second.salt


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_encrypted_bytes_open_only_whole_and_under_their_name(size: int) -> None:
    key, data = ProfileKey(bytes(48)), b"\x07" * size
    sealed = key.seal(data, "a.pdf")
    assert is_sealed(sealed)
    assert key.unseal(sealed, "a.pdf") == data
    flipped = bytearray(sealed)
    flipped[-1] ^= 1
    wrong = [sealed[:-1], sealed[: len(sealed) - (1 << 20) - 16], bytes(flipped), sealed + b"x"]
    for one in wrong:
        if one.startswith(sealed[:16]):
            with pytest.raises(ValueError, match=r"a\.pdf"):
                key.unseal(one, "a.pdf")
    with pytest.raises(ValueError, match=r"b\.pdf"):
        key.unseal(sealed, "b.pdf")
    with pytest.raises(ValueError, match=r"a\.pdf"):
        ProfileKey(b"1" * 48).unseal(sealed, "a.pdf")


def test_the_keyring_holds_the_key_if_the_user_wants_that(
    made: tuple[KeyFile, ProfileKey, str],
) -> None:
    file, key, _ = made
    ring = _Ring()
    assert file.key_from_keyring(KeyringKeys(lambda: ring)) is None
    assert file.keep(key, KeyringKeys(lambda: ring))
    assert file.key_from_keyring(KeyringKeys(lambda: ring)) == key
    ring.kept = {name: "AAAA" for name in ring.kept if "profile-" in name}
    assert file.key_from_keyring(KeyringKeys(lambda: ring)) is None
    file.forget(KeyringKeys(lambda: ring))
    assert not any("profile-" in name for name in ring.kept)
    assert not file.keep(key, MemoryKeys())


class _Ring:
    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get(service + username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service + username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service + username]
