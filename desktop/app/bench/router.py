"""How long it takes to decide about a message, with rules alone and a long session before it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from time import thread_time

from desktop.app.bench.measurement import Sizes, report, spread, timed_ms
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.research.router import Rules, decide
from desktop.sessions.prompts_and_phrases import shipped_phrases

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
_SAID = "Sabaha karşı büyüme hormonu ve kortizol artar, karaciğer glukoz üretir ve kana verir."
_TIMES = 25
_TRIES = 4
_PASTED = (
    _SAID + " ",
    "def load(path):\n    return json.load(open(path))\n",
    "| Kalem | 12,50 | 300 |\n",
    "2026-01-01 ERROR [worker-3] timeout after 3000 ms: who are you?\n",
)
_PASTED_LETTERS = (10_000, 3_000_000)


def bench_router(runs: int, sizes: Sizes) -> None:
    rules = Rules(shipped_phrases(), can_search=True)
    said = [_message(number) for number in range(1, min(sizes.opened_messages, 2_000) + 1)]
    # The first of each compiles the lists, once in a process.
    first = timed_ms(lambda: [decide(text, said, rules) for text in _ASKED])
    texts = [f"{text} {turn}?" for turn in range(runs * _TIMES) for text in _ASKED]
    began = thread_time()
    times = [timed_ms(partial(decide, text, said, rules)) for text in texts]
    pasted = [
        f"Bunu özetler misin?\n\n{piece * (letters // len(piece))}"
        for piece in _PASTED
        for letters in _PASTED_LETTERS
    ]
    # What else the machine does makes the others waver.
    cpu_ms = (thread_time() - began) * 1000 / len(texts)
    report(
        "router",
        {
            "messages": len(said),
            **spread(times),
            "max_ms": round(max(times), 2),
            "cpu_mean_ms": round(cpu_ms, 2),
            "pasted_max_ms": round(max(_cpu_ms(one, said, rules) for one in pasted), 2),
            "first_ms": round(first, 2),
        },
    )


def _cpu_ms(text: str, said: Sequence[Message], rules: Rules) -> float:
    """The best of a few: what else the machine does is none of it."""
    times = []
    for turn in range(_TRIES):
        began = thread_time()
        decide(f"{text}{turn}", said, rules)
        times.append((thread_time() - began) * 1000)
    return min(times)


def _message(number: int) -> Message:
    return Message(
        id=MessageId(number),
        session_id=SessionId("bench"),
        number=number,
        role=Role.USER if number % 2 else Role.ASSISTANT,
        content=f"{_SAID} ({number})",
        state=MessageState.COMPLETE,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
