import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.sync import (
    CarrierFullError,
    CarrierGoneError,
    CarrierReadOnlyError,
    CarrierSlowError,
    DeviceId,
)
from desktop.sessions.syncing.carrier import FileName
from desktop.sessions.syncing.folder import FolderCarrier

A = DeviceId("a" * 32)
DATA = b"some sealed bytes"
NAME = str(FileName.of("p", 1, DATA))


@pytest.fixture
def carrier(tmp_path: Path) -> FolderCarrier:
    carrier = FolderCarrier(tmp_path)
    key = b"key"
    carrier.write(A, str(FileName.of("k", 1, key)), key)
    return carrier


def test_what_was_written_is_listed_and_read(carrier: FolderCarrier) -> None:
    carrier.write(A, NAME, DATA)
    assert carrier.devices() == [A]
    assert NAME in carrier.names(A)
    assert carrier.read(A, NAME) == DATA
    carrier.remove(A, NAME)
    carrier.remove(A, NAME)
    assert NAME not in carrier.names(A)


def test_half_files_copies_of_conflicts_and_foreign_ones_are_not_listed(
    carrier: FolderCarrier, tmp_path: Path
) -> None:
    before = carrier.names(A)
    (tmp_path / A / NAME).write_bytes(DATA[:5])
    for name in (
        f"{NAME}.sync-conflict-20261129-061500-ABCDEFG",
        f"{NAME} (conflicted copy)",
        f"{NAME} (çakışan kopya)",
        "desktop.ini",
        ".bellek-00.partial",
    ):
        (tmp_path / A / name).write_bytes(DATA)
    (tmp_path / "Fotoğraflar").mkdir()
    assert carrier.names(A) == before
    assert carrier.devices() == [A]


def test_a_file_of_the_right_length_with_other_bytes_is_not_read(
    carrier: FolderCarrier, tmp_path: Path
) -> None:
    (tmp_path / A / NAME).write_bytes(b"x" * len(DATA))
    with pytest.raises(FileNotFoundError):
        carrier.read(A, NAME)


def test_a_vanished_folder_is_said_and_nothing_is_written_into_an_empty_one(
    tmp_path: Path,
) -> None:
    with pytest.raises(CarrierGoneError):
        FolderCarrier(tmp_path / "stick").devices()
    with pytest.raises(CarrierGoneError):
        FolderCarrier(tmp_path).write(A, NAME, DATA)  # the place where the stick was
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (errno.ENOSPC, CarrierFullError),
        (errno.EDQUOT, CarrierFullError),
        (errno.EROFS, CarrierReadOnlyError),
        (errno.EACCES, CarrierReadOnlyError),
        (errno.EIO, CarrierGoneError),
        (errno.ESTALE, CarrierGoneError),
    ],
)
def test_each_failure_of_the_folder_has_its_error(
    carrier: FolderCarrier, code: int, error: type[Exception]
) -> None:
    def fail() -> None:
        raise OSError(code, os.strerror(code))

    with pytest.raises(error):
        carrier._run(fail)


@pytest.fixture
def released() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_placeholder_that_blocks_is_given_up_and_called_slow(tmp_path: Path) -> None:
    carrier = FolderCarrier(tmp_path, waits_s=0.05)
    (tmp_path / A).mkdir()
    os.mkfifo(tmp_path / A / NAME)
    with pytest.raises(CarrierSlowError):
        carrier.read(A, NAME)
    writer = os.open(tmp_path / A / NAME, os.O_RDWR)  # lets the blocked thread end
    os.close(writer)


def test_a_share_that_blocks_does_not_pile_up_threads(
    tmp_path: Path, released: threading.Event
) -> None:
    carrier = FolderCarrier(tmp_path, waits_s=0.01)
    for _ in range(10):
        with pytest.raises(CarrierGoneError):
            carrier._run(released.wait)
    assert sum(thread.name == "carrier" for thread in threading.enumerate()) <= 4
