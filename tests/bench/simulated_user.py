"""A simulated person: 300 sessions in 120 days, in both languages, with planted habits and decoys.

The tables below list what is planted and what only looks like it, each with its reason. The
sessions are written as an export of Bellek, so that they pass through the importer: topics are
extracted, not given. The tables were written before the code that finds habits was looked at.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from desktop.domain.language import Language
from desktop.domain.times import utc_text

DAYS, SESSIONS = 120, 300
ACTIVE_WEEKDAYS = frozenset(range(5))
ACTIVE_HOURS = (9, 10, 11)
ODD_HOUR = 3
"""Two sessions only: no habit."""


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    language: Language
    recent: int
    """Sessions in the last 60 days."""
    older: int = 0
    """Sessions before that."""
    is_habit: bool = False


@dataclass(frozen=True, slots=True)
class TopicSequence:
    first: str
    then: str
    language: Language
    times: int
    is_habit: bool


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    text: str
    language: Language
    asked: int
    is_answered: bool
    is_habit: bool


TR, EN = Language.TR, Language.EN
SUBJECTS = (
    Subject("bazal insülin", TR, 8, 3, is_habit=True),
    Subject("roma hukuku", TR, 7, 2, is_habit=True),
    Subject("ekşi maya", TR, 9, 2, is_habit=True),
    Subject("fotoğraf pozlaması", TR, 6, 1, is_habit=True),
    Subject("deprem yönetmeliği", TR, 7, 0, is_habit=True),
    Subject("knowledge graphs", EN, 8, 4, is_habit=True),
    Subject("bicycle gearing", EN, 7, 1, is_habit=True),
    Subject("sleep apnea", EN, 6, 2, is_habit=True),
    Subject("mortgage rates", EN, 9, 0, is_habit=True),
    Subject("tomato blight", EN, 7, 3, is_habit=True),
    # Often, but long ago.
    Subject("osmanlı vergileri", TR, 0, 8),
    Subject("arı kovanı", TR, 0, 7),
    Subject("solar panels", EN, 0, 8),
    Subject("viking ships", EN, 0, 7),
    # Lately, but seldom.
    Subject("balkon bahçesi", TR, 2, 1),
    Subject("satranç açılışları", TR, 2, 0),
    Subject("kahve kavurma", TR, 2, 2),
    Subject("harbour cranes", EN, 2, 1),
    Subject("opera librettos", EN, 2, 0),
    Subject("paper folding", EN, 2, 2),
)
SEQUENCES = (
    TopicSequence("ekmek hamuru", "fırın taşı", TR, 6, is_habit=True),
    TopicSequence("uçak bileti", "vize başvurusu", TR, 6, is_habit=True),
    TopicSequence("interval training", "muscle recovery", EN, 6, is_habit=True),
    TopicSequence("tax return", "pension savings", EN, 6, is_habit=True),
    TopicSequence("cam üretimi", "kum ocakları", TR, 1, is_habit=False),
    TopicSequence("peynir mayası", "süt ısısı", TR, 2, is_habit=False),
    TopicSequence("bird migration", "magnetic fields", EN, 1, is_habit=False),
    TopicSequence("stone bridges", "river floods", EN, 2, is_habit=False),
)
OPEN_QUESTIONS = (
    OpenQuestion("Evin sigortası hangi tarihte yenilenmeli?", TR, 4, False, is_habit=True),
    OpenQuestion("Annemin ilaç listesi nerede duruyor?", TR, 3, False, is_habit=True),
    OpenQuestion("Which dentist accepts my insurance plan?", EN, 4, False, is_habit=True),
    OpenQuestion("When does the library card expire?", EN, 3, False, is_habit=True),
    OpenQuestion("Bodrumdaki nem nereden geliyor?", TR, 1, False, is_habit=False),
    OpenQuestion("Kedinin aşısı hangi ayda yapılmalı?", TR, 1, False, is_habit=False),
    OpenQuestion("Who repairs old typewriters?", EN, 1, False, is_habit=False),
    OpenQuestion("How tall is the church tower?", EN, 1, True, is_habit=False),
)
# Besides the subject only words that no other message has, and stop words.
_QUESTIONS = {
    TR: ("{subject} nedir, {own} nedir?", "{subject} ile {own} nasıl olur?"),
    EN: ("What is it about {subject} and {own}?", "How does {subject} go with {own}?"),
}
_ANSWERS = {
    TR: "{subject} için {detail} gerekir. {subject} ile {other} birlikte olur.",
    EN: "For {subject} it is {detail}. With {subject} there is also {other}.",
}
_LEFT_OPEN = {
    TR: "Bunu elimdeki kaynaklarda bulamadım.",
    EN: "I could not find this in the sources I have.",
}
_ANSWERED = {TR: "Kayıtlara göre 12 Mart'ta.", EN: "It is 42 metres tall, says the parish."}


@dataclass(slots=True)
class SimulatedUser:
    """Writes the sessions; the same for the same seed. `end`: the moment after the last day."""

    end: datetime
    seed: int = 18
    _random: random.Random = field(init=False)
    _used: set[datetime] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)  # noqa: S311 - no secret

    def write(self, path: Path) -> int:
        """Write the sessions as an export; return how many there are."""
        several = sorted(self._sessions(), key=lambda one: str(one["created_at"]))
        path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in several))
        return len(several)

    def _sessions(self) -> Iterator[dict[str, object]]:
        written = 0
        for one in self._planted():
            written += 1
            yield one
        for number in range(SESSIONS - written):
            yield self._single(number)

    def _planted(self) -> Iterator[dict[str, object]]:
        for subject in SUBJECTS:
            for recent, count in ((True, subject.recent), (False, subject.older)):
                for at in self._moments(count, recent=recent):
                    yield self._session(at, self._exchange(subject.name, subject.language))
        for pair in SEQUENCES:
            for at in self._moments(pair.times, recent=True):
                yield self._session(at, self._exchange(pair.first, pair.language))
                later = at + timedelta(minutes=2)
                yield self._session(later, self._exchange(pair.then, pair.language))
        for question in OPEN_QUESTIONS:
            answer = (_ANSWERED if question.is_answered else _LEFT_OPEN)[question.language]
            for at in self._moments(question.asked, recent=True):
                yield self._session(at, [question.text, answer])

    def _moments(self, count: int, *, recent: bool) -> list[datetime]:
        """Return moments on different working days, in the usual hours."""
        days = range(1, 58) if recent else range(64, DAYS)
        usable = [day for day in days if self._day(day).weekday() in ACTIVE_WEEKDAYS]
        return [self._moment(day) for day in self._random.sample(usable, count)]

    def _moment(self, day: int) -> datetime:
        while True:
            at = self._day(day).replace(
                hour=self._random.choice(ACTIVE_HOURS), minute=self._random.randrange(0, 30)
            )
            if at not in self._used:
                self._used.add(at)
                return at

    def _day(self, ago: int) -> datetime:
        return self.end.astimezone() - timedelta(days=ago)

    def _exchange(self, subject: str, language: Language) -> list[str]:
        said: list[str] = []
        for question in _QUESTIONS[language]:
            own, detail, other = (_word(self._random.randrange(4096)) for _ in range(3))
            answer = _ANSWERS[language].format(subject=subject, detail=detail, other=other)
            asked = question.format(subject=subject, own=own)
            said += [asked[0].upper() + asked[1:], answer[0].upper() + answer[1:]]
        return said

    def _single(self, number: int) -> dict[str, object]:
        """Return a session on a subject of its own; a few at an odd hour."""
        language = TR if number % 2 else EN
        name = f"{_SINGLE[language][number % len(_SINGLE[language])]} {_word(number)}"
        (at,) = self._moments(1, recent=bool(number % 3))
        if number < len((TR, EN)):
            at = at.replace(hour=ODD_HOUR)
        return self._session(at, self._exchange(name, language))

    def _session(self, at: datetime, said: Sequence[str]) -> dict[str, object]:
        roles = ("user", "assistant")
        messages = [
            {
                "role": roles[place % 2],
                "content": content,
                "created_at": utc_text(at + timedelta(seconds=40 * place)),
            }
            for place, content in enumerate(said)
        ]
        return {
            "id": f"sim-{int(at.timestamp())}-{len(said)}",
            "created_at": utc_text(at),
            "ended_at": utc_text(at + timedelta(minutes=10)),
            "messages": messages,
        }


_SINGLE = {
    TR: [
        "çömlek",
        "hattat",
        "bakır",
        "tiyatro",
        "halı",
        "gemi",
        "orman",
        "maden",
        "pazar",
        "köprü",
    ],
    EN: [
        "pottery",
        "copper",
        "theatre",
        "carpet",
        "harbour",
        "forest",
        "mining",
        "market",
        "canal",
        "clock",
    ],
}


def _word(number: int) -> str:
    """Return an invented word that no other session has."""
    syllables = ("ka", "ro", "mi", "tu", "sel", "dor", "vak", "pen")
    digits = (number // 512, number // 64, number // 8, number)
    return "".join(syllables[digit % len(syllables)] for digit in digits)
