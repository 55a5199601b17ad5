"""What a simulated person does regularly is found; what only looks like it is not.

The sentences were written before anything that learns from them was tried on them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest

from desktop.domain.figures import Figures
from desktop.domain.language import Language
from desktop.domain.messages import Thumb
from desktop.domain.patterns import PatternKind
from desktop.domain.preferences import LEAST_CONFIDENCE, PreferenceSource
from desktop.memory.patterns import PatternFinder
from desktop.sessions.assistant_context import shipped_phrases
from desktop.sessions.importing.importer import Importer
from tests.bench.simulated_user import (
    ACTIVE_HOURS,
    OPEN_QUESTIONS,
    SEQUENCES,
    SESSIONS,
    SUBJECTS,
    SimulatedUser,
)
from tests.models import ScriptedModel
from tests.studies import Study


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with wishes said once, demands made thrice, reasons beside a thumb, and decoys."""

    name: str
    wishes: Sequence[tuple[str, str]] = ()
    """Value and message."""
    habits: Sequence[tuple[str, tuple[str, ...]]] = ()
    thumbs: Sequence[tuple[str, str]] = ()
    """Value and the words beside a thumb down."""
    decoys: Sequence[str] = ()


PEOPLE = (
    Person(
        "Ayla",
        wishes=(
            ("short", "Bundan sonra cevaplarını kısa tut."),
            ("casual", "Benimle hep samimi konuş."),
            ("tr", "Ne sorarsam sorayım Türkçe yanıt ver."),
        ),
        habits=(
            (
                "list",
                (
                    "Fotosentezin aşamalarını maddeler halinde yaz.",
                    "Bunu madde madde sırala: bütçe hazırlığı.",
                    "Göç yollarını liste olarak ver.",
                    "Arıların görevlerini maddeleyerek anlat.",
                ),
            ),
        ),
        decoys=(
            "Öğretmenim ödevde kısa cevap istiyor, ne yapmalıyım?",
            "Excel'de tablo nasıl yapılır?",
            "> Lütfen resmî bir dille yazınız.\n\nBu ne demek?",
            "Liste fiyatı ile satış fiyatı arasındaki fark nedir?",
            "Bu cümleyi İngilizceye çevir: Hava güzel.",
            "Kod yazmak zor mu?",
        ),
    ),
    Person(
        "Brian",
        wishes=(
            ("full", "From now on I prefer detailed answers."),
            ("formal", "Please keep a formal tone with me at all times."),
            ("en", "Always reply in English, whatever I write in."),
        ),
        habits=(
            (
                "table",
                (
                    "Compare copper and steel in a table.",
                    "Put the planets and their sizes into a table.",
                    "Show me the visa rules as a table.",
                    "I need the train types as a table.",
                ),
            ),
        ),
        decoys=(
            "How long should a cover letter be?",
            "Who invented the periodic table?",
            "My boss wants a formal report, is that normal?",
            "Translate this into Turkish: good morning.",
            "Why is Python code slower than C?",
            "Is a list faster than a tuple?",
        ),
    ),
    Person(
        "Cem",
        wishes=(("prose", "Bana hep düz metin yaz, madde işareti kullanma."),),
        thumbs=(("simple", "çok teknik olmuş, anlamadım"), ("simple", "daha basit anlatsan")),
        decoys=(
            "Basit faiz nasıl hesaplanır?",
            "Teknik servis kaç gün sürer?",
            "Romanın düz yazıya etkisi nedir?",
            "Kısaca bak: NATO ne zaman kuruldu?",
        ),
    ),
    Person(
        "Dora",
        wishes=(("code", "Always include a code example in your answers."),),
        thumbs=(("short", "too long"), ("short", "way too wordy")),
        decoys=(
            "What is the dress code for a wedding?",
            "What does area code 212 mean?",
            "How do I shorten a skirt?",
            "What is a simple machine in physics?",
        ),
    ),
)
_FILLERS = {
    True: ("Yağmur neden yağar?", "Ay neden hep aynı yüzünü gösterir?", "Tuz nasıl elde edilir?"),
    False: ("Why does it rain?", "Why is the sea salty?", "How do magnets work?"),
}


def live(person: Person, study: Study) -> None:
    """Ask everything, each demand in a session of its own, with other questions in between."""
    fillers = cycle(_FILLERS[person.name in {"Ayla", "Cem"}])
    demands = [text for _, several in person.habits for text in several]
    for text in (*(said for _, said in person.wishes), *demands, *person.decoys):
        study.ask(next(fillers))
        study.ask(text)
        study.assistant.end()
        study.describe()
        study.clock.pass_by(hours=20)
    for _, words in person.thumbs:
        ended = study.ask(next(fillers))
        assert ended.message_id is not None
        study.assistant.rate(ended.message_id, Thumb.DOWN, words)
        study.assistant.end()
        study.describe()
        study.clock.pass_by(hours=20)


@pytest.fixture(params=PEOPLE, ids=lambda person: person.name)
def lived(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Person, Study]]:
    study = Study(tmp_path, ScriptedModel(), language=Language.TR)
    study.set(detects_subject_change=False, detects_thanks=False)
    live(request.param, study)
    yield request.param, study
    study.close()


def test_planted_preferences_are_learned_from_their_messages_and_decoys_teach_nothing(
    lived: tuple[Person, Study],
) -> None:
    person, study = lived
    store = study.archive.preferences
    found = {one.value: one for one in store.known()}
    planted = {
        **dict.fromkeys((value for value, _ in person.wishes), PreferenceSource.WISH),
        **dict.fromkeys((value for value, _ in person.habits), PreferenceSource.HABIT),
        **dict.fromkeys((value for value, _ in person.thumbs), PreferenceSource.THUMB),
    }
    assert set(found) >= set(planted)
    for value, source in planted.items():
        assert source in {one.source for one in store.evidence(found[value].id)}
        least = 0.5 if source is PreferenceSource.HABIT else LEAST_CONFIDENCE
        assert found[value].confidence >= least
    quoted = [one.quote for value in found for one in store.evidence(found[value].id)]
    assert not [decoy for decoy in person.decoys if any(decoy in quote for quote in quoted)]
    in_effect = {value for value, one in found.items() if one.is_in_effect}
    assert in_effect <= set(planted)


def test_planted_patterns_are_found_with_their_evidence_and_no_decoy_is_used(
    tmp_path: Path,
) -> None:
    study = Study(tmp_path)
    path = tmp_path / "lived.jsonl"
    assert SimulatedUser(study.clock()).write(path) == SESSIONS
    importer = Importer(study.archive.imports, shipped_phrases, lambda: Language.TR, study.clock)
    assert importer.import_file(path).added == SESSIONS
    finder = PatternFinder(study.archive.patterns, shipped_phrases, Figures())
    finder.refresh(study.clock())
    used = [one for one in study.archive.patterns.patterns() if one.is_used]
    found = {(one.kind, one.value.lower(), one.next_value.lower()): one for one in used}
    study.close()

    days, hours = "1,2,3,4,5", ",".join(map(str, ACTIVE_HOURS))
    pairs = [(one.first, one.then) for one in SEQUENCES if one.is_habit]
    planted = {
        (PatternKind.DAYS, days, ""): "",
        (PatternKind.HOURS, hours, ""): "",
        **{(PatternKind.SUBJECT, one.name, ""): one.name for one in SUBJECTS if one.is_habit},
        # Both sides of a sequence come back, too.
        **{(PatternKind.SUBJECT, name, ""): name for pair in pairs for name in pair},
        **{
            (PatternKind.OPEN_QUESTION, one.text.lower(), ""): one.text.lower()
            for one in OPEN_QUESTIONS
            if one.is_habit
        },
        **{(PatternKind.SEQUENCE, first, then): "" for first, then in pairs},
    }
    missed = planted.keys() - found.keys()
    assert len(missed) <= 0.05 * len(planted), missed
    assert found.keys() <= planted.keys()
    for key, pattern in found.items():
        said = [one.text.lower() for one in pattern.evidence]
        assert all(planted[key] in text for text in said)
        if pattern.kind is PatternKind.SEQUENCE:
            assert all(pattern.value in text or pattern.next_value in text for text in said)
