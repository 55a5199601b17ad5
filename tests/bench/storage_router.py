"""Measures saving one more message, and deciding how to answer one."""

import os
import sys
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event

from desktop.domain.language import Language
from desktop.domain.messages import MessageState, Role
from desktop.domain.times import utc_now
from desktop.research.router import Rules, judge
from desktop.research.utterance import parse_utterance
from desktop.sessions.answering.answer_lifecycle import AnswerDraft
from desktop.sessions.conversation.active_session import ActiveSession, new_session
from desktop.sessions.conversation.assistant_context import shipped_phrases
from tests.bench.measurement import Sizes, report, spread, timed_ms
from tests.bench.synthetic_archive import Words, invented_sessions, new_archive

_FEW = 10
_STREAMED_WORDS_PER_SECOND = 40
_ASKED = (
    "adın ne ve bugün Londra'da hava nasıl",
    "Şafak olayını kaynaklarıyla araştırır mısın",
    "İkisinin farkı ne",
    "What is the capital of Australia",
    "Compare nuclear and solar power on cost and safety, with sources",
    "Geçen hafta insülin için ne karar vermiştik",
    "Sanayi Devrimi işçi sınıfının gündelik hayatını nasıl etkiledi",
    "teşekkürler, bu kadar yeter",
)
_TIMES = 25
_MOST_SAID = 2_000


def bench_autosave(runs: int, sizes: Sizes) -> None:
    """Saving message 10 against saving message 10,000 of one session, and an answer streaming."""
    near, far, written, streamed = (list[float]() for _ in range(4))
    words = Words()
    for _ in range(runs):
        with TemporaryDirectory() as folder:
            archive = new_archive(Path(folder) / "bellek.db")
            session = new_session(Language.TR, utc_now())
            active = ActiveSession(session, (), archive.sessions, utc_now)
            # The first statements of a process cost more than all later ones, at every length.
            _save_each(active, words, _FEW)
            near += _save_each(active, words, sizes.saves)
            for _ in range(sizes.far_message - _FEW - sizes.saves):
                active.add(Role.USER, words.text())
            active.save()
            before = bytes_written()
            far += _save_each(active, words, sizes.saves)
            written.append((bytes_written() - before) / sizes.saves)
            streamed.append(_streamed_bytes(active, words, sizes.streamed_s) / sizes.streamed_s)
            archive.close()
    first, last = round(median(near), 2), round(median(far), 2)
    report(
        "autosave",
        runs=runs,
        message_10_ms=first,
        **{f"message_{sizes.far_message}_ms": last},
        ratio=round(last / first, 2),
        bytes_per_message=round(median(written)),
        bytes_per_streamed_second=round(median(streamed)),
    )


def _save_each(active: ActiveSession, words: Words, count: int) -> list[float]:
    times = []
    for _ in range(count):
        active.add(Role.USER, words.text())
        times.append(timed_ms(active.save))
    return times


def _streamed_bytes(active: ActiveSession, words: Words, seconds: float) -> int:
    """Return the bytes written for an answer that streams for some seconds."""
    message = active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    before, pause = bytes_written(), Event()
    active.save()
    draft = AnswerDraft(active, message)
    for word in islice(words.all, round(seconds * _STREAMED_WORDS_PER_SECOND)):
        draft.append(f"{word} ")
        pause.wait(1 / _STREAMED_WORDS_PER_SECOND)
    draft.close(MessageState.COMPLETE)
    return bytes_written() - before


def bytes_written() -> int:
    """Return the bytes this process has written; 0 if the system does not report them."""
    if sys.platform != "linux":
        return 0
    counters = Path(f"/proc/{os.getpid()}/io").read_text(encoding="ascii").split()
    return int(counters[counters.index("wchar:") + 1])


def bench_router(runs: int, sizes: Sizes) -> None:
    """Deciding without a model, with a long session before the question."""
    rules = Rules(can_search=lambda: True)
    (session,) = invented_sessions(1, min(sizes.opened_messages, _MOST_SAID))
    said = session.messages

    def decide(text: str) -> object:
        return judge(parse_utterance(text, shipped_phrases()), said, rules).decision

    # The first of each compiles the lists, once in a process.
    first_ms = timed_ms(lambda: [decide(text) for text in _ASKED])
    texts = [f"{text} {turn}?" for turn in range(runs * _TIMES) for text in _ASKED]
    times = [timed_ms(partial(decide, text)) for text in texts]
    report("router", messages=len(said), **spread(times), first_ms=round(first_ms, 2))
