"""Two hundred sessions of somebody whose life changes, with a model that never says so.

It proposes what was said last, in one form or another, names no fact that is over, and takes what
is said of others for the user's own. In Turkish and in English.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from desktop.domain.facts import Fact
from desktop.domain.language import Language
from desktop.memory.active_memory_prompt import MOST_TOKENS
from tests.models import ScriptedModel
from tests.studies import Study
from tests.unit.sessions.test_learning import fact, reply

Said = tuple[str, Sequence[str]]
"""What the user says, and the forms in which a model may write it down."""
SESSIONS = 200


@dataclass(frozen=True)
class Subject:
    """Something of which one thing holds at a time."""

    marks: Sequence[str]
    """Every fact of it has one of these words."""
    states: Sequence[Said]


TR = (
    Subject(
        ("yaşıyor", "taşındı", "oturuyor"),
        [
            *(
                (f"Artık {place} yaşıyorum.", (f"Kullanıcı {place} yaşıyor.",))
                for place in ("İzmir'de", "Ankara'da", "Bursa'da", "Trabzon'da")
            ),
            *(
                (f"{place} taşındım.", (f"Kullanıcı {place} taşındı.",))
                for place in ("Adana'ya", "Konya'ya", "Kars'a")
            ),
        ],
    ),
    Subject(
        ("çalışıyor",),
        [
            (f"Artık {place} çalışıyorum.", (f"Kullanıcı {place} çalışıyor.",))
            for place in ("bankada", "hastanede", "belediyede", "okulda")
        ],
    ),
    Subject(
        ("metformin",),
        [
            (
                f"Günde {dose} mg metformin kullanıyorum.",
                (
                    f"Kullanıcı günde {dose} mg metformin kullanıyor.",
                    f"Kullanıcı günde {dose} mg metformin kullanmaktadır.",
                ),
            )
            for dose in ("500", "850", "1.000", "1.500")
        ],
    ),
    Subject(
        ("aspirin",),
        [
            (
                f"Günde {word} tablet aspirin içiyorum.",
                (
                    f"Kullanıcı günde {word} tablet aspirin içiyor.",
                    f"Kullanıcı günde {figure} tablet aspirin içer.",
                ),
            )
            for word, figure in (("iki", "2"), ("üç", "3"), ("dört", "4"))
        ],
    ),
    Subject(
        ("kedi",),
        [
            (f"{word} kedim var.", (f"Kullanıcının {figure} kedisi var.",))
            for word, figure in (("İki", "iki"), ("Üç", "3"), ("Beş", "beş"), ("Sekiz", "8"))
        ],
    ),
    Subject(
        ("sigara",),
        [
            ("Artık sigara içmiyorum.", ("Kullanıcı artık sigara içmiyor.",)),
            ("Günde on sigara içiyorum.", ("Kullanıcı günde 10 sigara içiyor.",)),
            ("Sigarayı bıraktım.", ("Kullanıcı sigarayı bıraktı.",)),
        ],
    ),
    Subject(
        ("sınav",),
        [
            (f"Sınavımın tarihi değişti, artık {day}.", (f"Kullanıcının sınavı {day}.",))
            for day in ("12 Mayıs'ta", "19 Mayıs'ta", "3 Haziran'da", "24.06.2026'da")
        ],
    ),
    Subject(
        ("bütçe",),
        [
            (f"Bütçem {much}.", (f"Kullanıcının bütçesi {much}.",))
            for much in ("20.000 TL", "25 bin lira", "30 bin TL", "900 euro")
        ],
    ),
    Subject(
        ("alerji",),
        [
            (
                "Fıstığa alerjim var, yine söyleyeyim.",
                (
                    "Kullanıcının fıstığa alerjisi var.",
                    "Kullanıcının fıstık alerjisi var.",
                    "Kullanıcı fıstığa alerjik.",
                    "Kullanıcının fıstığa alerjisi bulunuyor.",
                ),
            )
        ],
    ),
)
EN = (
    Subject(
        ("lives", "moved"),
        [
            *(
                (f"I now live in {place}.", (f"The user lives in {place}.",))
                for place in ("Izmir", "Bonn", "Leeds", "Lyon")
            ),
            *(
                (f"I moved to {place}.", (f"The user moved to {place}.",))
                for place in ("Turin", "Ghent")
            ),
        ],
    ),
    Subject(
        ("works",),
        [
            (f"I now work at a {place}.", (f"The user works at a {place}.",))
            for place in ("bank", "hospital", "school", "museum")
        ],
    ),
    Subject(
        ("metformin",),
        [
            (
                f"I take {dose} mg of metformin a day.",
                (f"The user takes {dose} mg of metformin a day.",),
            )
            for dose in ("500", "850", "1,000", "1,500")
        ],
    ),
    Subject(
        ("cats",),
        [
            (f"I have {word} cats.", (f"The user has {figure} cats.",))
            for word, figure in (("two", "two"), ("three", "3"), ("five", "five"))
        ],
    ),
    Subject(
        ("coffee",),
        [
            ("I no longer drink coffee.", ("The user no longer drinks coffee.",)),
            ("I drink three cups of coffee.", ("The user drinks 3 cups of coffee.",)),
            ("I stopped drinking coffee.", ("The user stopped drinking coffee.",)),
        ],
    ),
    Subject(
        ("exam",),
        [
            (f"My exam was moved, now it is on {day}.", (f"The user's exam is on {day}.",))
            for day in ("12 May", "19 May", "3 June")
        ],
    ),
    Subject(
        ("budget",),
        [
            (f"My budget is {much}.", (f"The user's budget is {much}.",))
            for much in ("$500", "600 dollars", "700 euros")
        ],
    ),
    Subject(
        ("peanut",),
        [
            (
                "I am allergic to peanuts, as I said.",
                (
                    "The user is allergic to peanuts.",
                    "The user has a peanut allergy.",
                    "User is allergic to peanuts",
                ),
            )
        ],
    ),
)
OF_OTHERS: Mapping[Language, Sequence[tuple[str, str]]] = {
    Language.TR: (
        ("Ali diyabet hastası.", "Kullanıcı diyabet hastası."),
        ("Annem diyabetli, kahve seviyor.", "Kullanıcı kahve seviyor."),
        ("Vejetaryen olsam ne yerdim?", "Kullanıcı vejetaryen."),
    ),
    Language.EN: (
        ("Tom has diabetes.", "The user has diabetes."),
        ("My mother is vegan, likes tea.", "The user likes tea."),
        ("If I were vegetarian, what would I eat?", "The user is vegetarian."),
    ),
}
ASIDE = {Language.TR: "Peki, devam edelim mi?", Language.EN: "So, shall we go on?"}


@dataclass
class Person:
    language: Language
    chance: random.Random
    last: dict[int, str] = field(default_factory=dict)
    """Of each subject what was said of it last."""

    @property
    def subjects(self) -> Sequence[Subject]:
        return TR if self.language is Language.TR else EN

    def session(self) -> tuple[str, str]:
        place = self.chance.randrange(len(self.subjects) + 1)
        if place == len(self.subjects):
            return self.chance.choice(OF_OTHERS[self.language])
        said, forms = self.chance.choice(self.subjects[place].states)
        self.last[place] = said
        return said, self.chance.choice(forms)


def lived(study: Study, model: ScriptedModel, look: Callable[[Person], None]) -> None:
    person = Person(study.language, random.Random(7))  # noqa: S311 - the same life every time
    for _ in range(SESSIONS):
        said, content = person.session()
        model.descriptions.append(reply(fact(content, said)))
        study.ask(said)
        study.ask(ASIDE[study.language])
        study.assistant.end()
        study.describe()
        study.clock.pass_by(hours=3)
        look(person)


@pytest.mark.parametrize("language", [Language.TR, Language.EN])
def test_of_everything_what_was_said_last_holds_alone(
    study: Study, model: ScriptedModel, language: Language
) -> None:
    study.language = language

    def look(person: Person) -> None:
        kept = study.archive.facts.facts()
        for place, subject in enumerate(person.subjects):
            found = [one for one in kept if any(mark in one.content for mark in subject.marks)]
            assert len(found) == (place in person.last), [one.content for one in found]
            assert all(_rests_on(study, one, person.last[place]) for one in found)
        assert len(kept) == len(person.last), [one.content for one in kept]

    lived(study, model, look)
    assert study.assistant.memory.block("").tokens <= MOST_TOKENS


def _rests_on(study: Study, kept: Fact, said: str) -> bool:
    """Whether the user's last words of it are among those that support it."""
    return any(source.quote in said for source in study.archive.facts.sources(kept.id))
