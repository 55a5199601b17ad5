"""What synchronisation costs a device: `python -m tests.bench.sync_devices [MESSAGES]`.

Through a folder and through a PostgreSQL server of its own, where one is installed.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import pytest

from desktop.domain.language import Language
from desktop.domain.messages import MessageState, Role
from desktop.domain.times import utc_now
from desktop.sessions.conversation.active_session import ActiveSession, new_session
from desktop.sessions.syncing.carrier import FILE, FileName
from tests.bench.storage_router import bytes_written
from tests.bench.synthetic_archive import Words, invented_sessions
from tests.database_server import database_server
from tests.syncing import SyncedDevice

Measure = Callable[[Path, str], None]

_EACH, _BATCH = 10, 200
_NOTICES = 10
_TURNS, _QUESTION, _ANSWER, _SAVES = 100, 90, 1_800, 8


def main() -> None:
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    first: Measure = partial(first_run, messages=messages)
    modes = ("not synchronised", "journalled", "a run after each turn")
    in_a_folder: tuple[Measure, ...] = (
        first,
        notices,
        looks,
        *(partial(turns, mode=mode) for mode in modes),
    )
    for measure in in_a_folder:
        in_folder(measure)
    with suppress(pytest.skip.Exception), database_server() as server:
        for number, measure in enumerate((first, notices)):
            with TemporaryDirectory() as home:
                measure(Path(home), server.address(more=f"&space=bench{number}"))


def in_folder(measure: Measure) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder) / "shared"
        place.mkdir()
        measure(Path(folder), str(place))


def first_run(home: Path, place: str, messages: int) -> None:
    first, second = SyncedDevice(home / "a", place), SyncedDevice(home / "b", place)
    sessions = invented_sessions(messages // _EACH, _EACH)
    while some := list(islice(sessions, _BATCH)):
        first.archive.imports.add(some)
    for name, device in (("sends", first), ("has them", second)):
        print(f"{messages} messages: a device {name}: {seconds(device.set_up):.1f} s")
    for device in (first, second, first):
        device.syncing.run()
    print(
        f"a run that has nothing to do: {seconds(partial(first.syncing.run, is_full=False)):.3f} s"
    )
    print(f"… with the hash of all: {seconds(first.syncing.run):.3f} s")
    first.close()
    second.close()


def notices(home: Path, place: str) -> None:
    """From the end of the sender's run until the message is in the other archive."""
    first, second = (SyncedDevice(home / name, place).set_up() for name in "ab")
    for device in (first, second, first, second):
        device.syncing.run()

    def receive() -> float:
        second.syncing.wait_for_news(60)
        second.syncing.run(is_full=False)
        return perf_counter()

    times = []
    with ThreadPoolExecutor(1) as pool:
        for number in range(_NOTICES):
            received = pool.submit(receive)
            first.ask(f"s{number}", f"Soru {number}")
            first.syncing.run(is_full=False)
            sent = perf_counter()
            times.append(received.result() - sent)
            assert second.texts(f"s{number}")
    print(f"a message is there after {median(times):.2f} s, at most {max(times):.2f} s")
    first.close()
    second.close()


def looks(home: Path, place: str) -> None:
    for files in (1_000, 10_000):
        first, second = (SyncedDevice(home / f"{name}{files}", place).set_up() for name in "ab")
        for number in range(files):
            name = str(FileName.of(FILE, f"{number:032x}", b""))
            (first.own_folder() / name).write_bytes(b"")
        second.syncing.run()
        second.syncing.has_news()
        print(f"a look at {files} more files: {seconds(second.syncing.has_news) * 1e3:.1f} ms")
        first.close()
        second.close()


def turns(home: Path, place: str, mode: str) -> None:
    device, words = SyncedDevice(home / "a", place), Words()
    if mode != "not synchronised":
        device.set_up()
    before = bytes_written()
    for _ in range(_TURNS // _EACH):
        session = new_session(Language.TR, utc_now())
        active = ActiveSession(session, (), device.archive.sessions, utc_now)
        for _ in range(_EACH):
            turn(device, active, words)
            if mode.startswith("a run"):
                device.syncing.run(is_full=False)
        device.archive.index.index_session(session.id)
    written = (bytes_written() - before) / _TURNS
    if device.syncing.is_on:
        device.syncing.run()
    with device.archive.database.outside_transactions() as db:
        db.exec_driver_sql("VACUUM")
        pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
    print(f"{mode}: {written / 1e3:.0f} kB written for a turn, file {pages * 4096 / 1e3:,.0f} kB")
    device.close()


def turn(device: SyncedDevice, active: ActiveSession, words: Words) -> None:
    active.add(Role.USER, text(words, _QUESTION))
    active.save()
    answer = active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    active.save()
    content = text(words, _ANSWER)
    for part in range(1, _SAVES + 1):
        arrived = content[: len(content) * part // (_SAVES + 1)]
        device.archive.sessions.keep_arrived(replace(answer, content=arrived))
    active.replace(replace(answer, content=content, state=MessageState.COMPLETE))
    active.save()


def text(words: Words, length: int) -> str:
    written = ""
    while len(written) < length:
        written += f"{words.text()} "
    return written[:length]


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


if __name__ == "__main__":
    main()
