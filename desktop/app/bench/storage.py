"""What the archive costs: finding a word in it, and putting one more message into it."""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event

from desktop.app.bench.archives import Words
from desktop.app.bench.children import fill_profile, in_window
from desktop.app.bench.figures import report, spread, timed_ms
from desktop.app.bench.sizes import Sizes
from desktop.domain.language import Language
from desktop.domain.messages import MessageState, Role
from desktop.domain.search import Query, SearchOrder
from desktop.domain.sessions import EndReason
from desktop.domain.times import utc_now
from desktop.recall.search import Search
from desktop.sessions.active import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.storage.archive import open_archive
from desktop.storage.sessions import SessionStore

_MESSAGES_A_SESSION = 40
_FEW = 10
_STREAMED_WORDS_PER_SECOND = 40


def bench_search(runs: int, sizes: Sizes) -> None:
    """In the window from a keystroke to its painted results, and in the core by kind of query."""
    with TemporaryDirectory() as folder:
        messages = sizes.searched_messages
        archive = fill_profile(
            folder,
            sessions=messages // _MESSAGES_A_SESSION,
            messages_each=_MESSAGES_A_SESSION,
        )
        search = Search(archive.index)
        for kind, (texts, order) in _queries(Words().all).items():
            asked = [Query(text, order=order) for text in texts] * runs
            times = [timed_ms(partial(search.find, query)) for query in asked]
            report("search", {"kind": kind, "messages": messages, **spread(times)})
        archive.close()
        times = in_window("search", folder, runs, sizes)["times_ms"]
        report("search", {"kind": "keystroke", "messages": messages, **spread(times)})


def typed_words() -> list[str]:
    """What is typed into the window: words that are neither rare nor in every message."""
    return Words().all[2_000:2_010]


def _queries(words: Sequence[str]) -> Mapping[str, tuple[Sequence[str], SearchOrder]]:
    """Queries of each kind; the vocabulary begins with its most common words."""
    rare, usual, common = words[30_000:30_010], words[2_000:2_010], words[20:30]
    pairs = [f"{one} {other}" for one, other in zip(usual, words[500:510], strict=True)]
    ranked, newest = SearchOrder.RANKED, SearchOrder.NEWEST
    return {
        "newest first": ([word[:3] for word in usual] + list(usual), newest),
        "rare word": (rare, ranked),
        "word": (usual, ranked),
        "common word": (common, ranked),
        "two words": (pairs, ranked),
        "prefix of 3": ([word[:3] for word in usual], ranked),
    }


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
