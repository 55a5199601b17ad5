"""What it costs to put one more message into the archive."""

import os
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event

from desktop.app.bench.measurement import Sizes, report, spread, timed_ms
from desktop.app.bench.synthetic_archive import Words
from desktop.domain.language import Language
from desktop.domain.messages import MessageState, Role
from desktop.domain.sessions import EndReason
from desktop.domain.times import utc_now
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.storage.archive import open_archive
from desktop.storage.sessions import SessionStore

_FEW = 10
_STREAMED_WORDS_PER_SECOND = 40


def bench_autosave(runs: int, sizes: Sizes) -> None:
    """Saving message 10 against saving message 10,000 of one session, and an answer streaming."""
    near: list[float] = []
    far: list[float] = []
    written: list[float] = []
    streamed: list[float] = []
    for _ in range(runs):
        with TemporaryDirectory() as folder:
            archive = open_archive(Path(folder) / "bellek.db", backups=Path(folder))
            active = ActiveSession.begin(Language.TR, archive.sessions, utc_now)
            words = Words()
            _warm_up(archive.sessions)
            _grow(active, words, _FEW)
            near += _saves(active, words, sizes.saves)
            _grow(active, words, sizes.far_message - _FEW - sizes.saves)
            before = _bytes_written()
            far += _saves(active, words, sizes.saves)
            written.append((_bytes_written() - before) / sizes.saves)
            streamed.append(_streamed_bytes(active, words, sizes.streamed_s) / sizes.streamed_s)
            archive.close()
    first, last = spread(near), spread(far)
    ratio = float(str(last["p50_ms"])) / float(str(first["p50_ms"]))
    report(
        "autosave",
        {
            "runs": runs,
            "message_10_ms": first["p50_ms"],
            f"message_{sizes.far_message}_ms": last["p50_ms"],
            "ratio": round(ratio, 2),
            "bytes_per_message": round(median(written)),
            "bytes_per_streamed_second": round(median(streamed)),
        },
    )


def _warm_up(store: SessionStore) -> None:
    """The first statements of a process cost more than all later ones, at every length."""
    other = ActiveSession.begin(Language.TR, store, utc_now)
    _grow(other, Words(), _FEW)
    _saves(other, Words(), _FEW)
    other.complete(EndReason.USER)


def _grow(active: ActiveSession, words: Words, count: int) -> None:
    for number in range(count):
        active.add(Role.USER if number % 2 == 0 else Role.ASSISTANT, words.text())
    active.save()


def _streamed_bytes(active: ActiveSession, words: Words, seconds: float) -> int:
    """What an answer costs that streams for so long, from its first row to its last state."""
    message = active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    before, pause = _bytes_written(), Event()
    active.save()
    draft = AnswerDraft(active, message)
    said = iter(words.all)
    for _ in range(round(seconds * _STREAMED_WORDS_PER_SECOND)):
        draft.append(f"{next(said)} ")
        pause.wait(1 / _STREAMED_WORDS_PER_SECOND)
    draft.close(MessageState.COMPLETE)
    return _bytes_written() - before


def _saves(active: ActiveSession, words: Words, count: int) -> list[float]:
    times = []
    for _ in range(count):
        active.add(Role.USER, words.text())
        times.append(timed_ms(active.save))
    return times


def _bytes_written() -> int:
    """What this process has handed to the system to write; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    counters = Path(f"/proc/{os.getpid()}/io").read_text(encoding="ascii").split()
    return int(counters[counters.index("wchar:") + 1])
