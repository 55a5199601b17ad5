"""What the archive costs: finding a word in it, and putting one more message into it."""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from desktop.app.bench.archives import Words, fill
from desktop.app.bench.figures import report, spread, timed_ms
from desktop.domain.language import Language
from desktop.domain.messages import Role
from desktop.domain.search import Query, SearchOrder
from desktop.domain.sessions import EndReason
from desktop.domain.times import utc_now
from desktop.recall.search import Search
from desktop.sessions.active import ActiveSession
from desktop.storage.archive import open_archive
from desktop.storage.sessions import SessionStore

_SEARCHED_MESSAGES = 100_000
_MESSAGES_A_SESSION = 40
_FEW, _MANY = 10, 10_000
_SAMPLES = 40
"""Messages saved around each of the two lengths; their median is compared."""


def bench_search(runs: int) -> None:
    """From a keystroke to its results, for each kind of query."""
    with TemporaryDirectory() as folder:
        sessions = _SEARCHED_MESSAGES // _MESSAGES_A_SESSION
        archive = fill(
            Path(folder) / "bellek.db", sessions=sessions, messages_each=_MESSAGES_A_SESSION
        )
        search = Search(archive.index)
        for kind, (texts, order) in _queries(Words().all).items():
            asked = [Query(text, order=order) for text in texts] * runs
            times = [timed_ms(partial(search.find, query)) for query in asked]
            report("search", {"kind": kind, "messages": _SEARCHED_MESSAGES, **spread(times)})
        archive.close()


def _queries(words: Sequence[str]) -> Mapping[str, tuple[Sequence[str], SearchOrder]]:
    """Queries of each kind; the vocabulary begins with its most common words."""
    rare, usual, common = words[30_000:30_010], words[2_000:2_010], words[20:30]
    pairs = [f"{one} {other}" for one, other in zip(usual, words[500:510], strict=True)]
    ranked, newest = SearchOrder.RANKED, SearchOrder.NEWEST
    return {
        "keystroke": ([word[:3] for word in usual] + list(usual), newest),
        "rare word": (rare, ranked),
        "word": (usual, ranked),
        "common word": (common, ranked),
        "two words": (pairs, ranked),
        "prefix of 3": ([word[:3] for word in usual], ranked),
    }


def bench_autosave(runs: int) -> None:
    """Saving message 10 against saving message 10,000 of one session."""
    near: list[float] = []
    far: list[float] = []
    written: list[float] = []
    for _ in range(runs):
        with TemporaryDirectory() as folder:
            archive = open_archive(Path(folder) / "bellek.db", backups=Path(folder))
            active = ActiveSession.begin(Language.TR, archive.sessions, utc_now)
            words = Words()
            _warm_up(archive.sessions)
            _grow(active, words, _FEW)
            near += _saves(active, words)
            _grow(active, words, _MANY - _FEW - _SAMPLES)
            before = _bytes_written()
            far += _saves(active, words)
            written.append((_bytes_written() - before) / _SAMPLES)
            archive.close()
    first, last = spread(near), spread(far)
    ratio = float(str(last["p50_ms"])) / float(str(first["p50_ms"]))
    report(
        "autosave",
        {
            "runs": runs,
            "message_10_ms": first["p50_ms"],
            "message_10000_ms": last["p50_ms"],
            "ratio": round(ratio, 2),
            "bytes_per_message": round(sum(written) / len(written)),
        },
    )


def _warm_up(store: SessionStore) -> None:
    """The first statements of a process cost more than all later ones, at every length."""
    other = ActiveSession.begin(Language.TR, store, utc_now)
    _grow(other, Words(), _FEW)
    _saves(other, Words())
    other.complete(EndReason.USER)


def _grow(active: ActiveSession, words: Words, count: int) -> None:
    for number in range(count):
        active.add(Role.USER if number % 2 == 0 else Role.ASSISTANT, words.text())
    active.save()


def _saves(active: ActiveSession, words: Words) -> list[float]:
    times = []
    for _ in range(_SAMPLES):
        active.add(Role.USER, words.text())
        times.append(timed_ms(active.save))
    return times


def _bytes_written() -> int:
    """What this process has handed to the system to write; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    counters = Path(f"/proc/{os.getpid()}/io").read_text(encoding="ascii").split()
    return int(counters[counters.index("wchar:") + 1])
