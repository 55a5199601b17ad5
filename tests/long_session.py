"""A session of a thousand messages: its texts, and a model that summarises it briefly."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.domain.model import ModelRequest
from tests.models import a_compact

_MESSAGE = re.compile(r"(?m)^\[(\d+)\] (?:user|assistant): ")
_PLACES = ("Nevra", "Tolga", "Selin", "Burak", "Derin", "Kaan", "Melis", "Ozan", "Pelin", "Umut")
_MONTHS = {
    Language.TR: ("Ocak", "Mart", "Mayıs", "Temmuz", "Eylül", "Kasım"),
    Language.EN: ("January", "March", "May", "July", "September", "November"),
}
_SAID = {
    (Language.TR, 1): """\
Sabah ölçtüğümde sonuç {number} çıktı; bunu {date} günü {name} de görmüştü. Aç karnına mı ölçmem \
gerekiyor, yoksa yemekten sonra da olur mu, hangisine göre karar vereyim?""",
    (Language.TR, 0): """\
O değer tek başına bir şey söylemez; {name} tarafından {date} günü bildirilen {number} ile \
birlikte okunmalıdır. Aç karnına ölçmek karşılaştırmayı kolaylaştırır, çünkü yemekten sonra değer \
her zaman yükselir ve ne kadar yükseldiği yenilene bağlıdır. İki hafta boyunca aynı saatte \
ölçülürse eğilim görülür, tek bir ölçüme bakılmaz.""",
    (Language.EN, 1): """\
When I measured in the morning the result was {number}; on {date} it had been seen by {name} as \
well. Do I have to measure before breakfast, or is it fine after a meal?""",
    (Language.EN, 0): """\
That value alone says little; it has to be read together with the {number} that was reported on \
{date} by {name}. Measuring before breakfast makes it easier to compare, since the value always \
rises after a meal and how far it rises depends on the meal. Measured at the same hour for two \
weeks a trend shows; a single value says nothing.""",
}


class Planted(NamedTuple):
    """The unique content of one message."""

    number: str
    name: str
    date: str


def planted(n: int, language: Language) -> Planted:
    """The unique content of the nth message."""
    mark = "," if language is Language.TR else "."
    letters = "".join("abcdefghijklmnoprstuvyz"[int(digit) * 2] for digit in str(n))
    year, month, day = 1990 + n // 150, _MONTHS[language][n // 25 % 6], 1 + n % 25
    return Planted(
        f"{1000 + n}{mark}{n % 9 + 1} mg", f"{_PLACES[n % 10]}{letters}", f"{day} {month} {year}"
    )


def said(n: int, language: Language) -> str:
    """The nth message; odd ones are the user's."""
    one = planted(n, language)
    return _SAID[language, n % 2].format(number=one.number, name=one.name, date=one.date)


@dataclass
class BriefSummariser:
    """Writes one line a message, with its unique content; the named calls go wrong.

    Counted from 1: `forgets` leaves out the names, `garbles` is no summary at all.
    """

    language: Language
    forgets: frozenset[int] = frozenset()
    garbles: frozenset[int] = frozenset()
    asked: list[ModelRequest] = field(default_factory=list)

    def __call__(self, request: ModelRequest) -> JsonValue:
        self.asked.append(request)
        count = len(self.asked)
        if count in self.garbles:
            return {"timeline": "?"}
        numbers = [int(number) for number in _MESSAGE.findall(request.messages[0].text)]
        lines = []
        for number in numbers:
            one = planted(number, self.language)
            kept = (one.number, one.date) if count in self.forgets else one
            lines.append(f"[{number}] {'; '.join(kept)}")
        facts = [_first_fact(self.language)] if numbers[0] == 1 else []
        return a_compact(*lines, facts=facts)


def _first_fact(language: Language) -> JsonValue:
    """Learn a fact from the first question, in the user's own words."""
    number = planted(1, language).number
    topic, content, quote = {
        Language.TR: (
            "ölçüm",
            f"Kullanıcının ilk sabah ölçümü {number} çıktı.",
            f"Sabah ölçtüğümde sonuç {number} çıktı",
        ),
        Language.EN: (
            "measurement",
            f"The user's first result in the morning was {number}.",
            f"When I measured in the morning the result was {number}",
        ),
    }[language]
    return {
        "topic": topic,
        "fact": content,
        "importance": 5,
        "quote": quote,
        "about": "",
        "replaces": 0,
    }
