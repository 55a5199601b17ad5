"""Wishes in a user's own words are found; mere mentions are not.

Eight people have an archive each. The sentences were written before anything was fitted, and
nothing is fitted on them. A preference is said in several ways over the weeks, as people do; the
decoys have its words and wish for nothing.
"""

from pathlib import Path
from typing import NamedTuple

from desktop.domain.messages import Thumb
from desktop.domain.projects import EVERYTHING
from tests.studies import Study


class Person(NamedTuple):
    says: dict[str, tuple[str, ...]]
    """By value: the wishes; what begins with - stands beside a thumb down, with + beside an up."""
    speaks_of: tuple[str, ...]
    """Decoys."""


PERSONS = (
    Person(
        {
            "short": (
                "Yanıtların birkaç satırdan uzun olmasın bundan böyle.",
                "- fazla uzatmışsın",
                "Enflasyon neden artar? Özetle yaz.",
            ),
            "table": ("Kıyaslama yaparken hep tabloya dök lütfen.", "+ tablo çok yardımcı oldu"),
            "tr": ("Benimle hep Türkçe yazış.", "Cevapların Türkçe olsun lütfen."),
        },
        (
            "Uzun atlamada dünya rekoru kimde?",
            "Periyodik tabloda kaç element var?",
            "Kızım İngilizce kursuna gidiyor, bu yaşta uygun mu?",
            "Dünkü toplantı gereğinden uzun sürdü, moralim bozuk.",
        ),
    ),
    Person(
        {
            "full": (
                "Bir şeyi anlatırken gerekçelerini de ayrıntılarıyla yaz, hep böyle yap.",
                "- çok yüzeysel kalmış, detay istiyorum",
                "Deprem nasıl oluşur? Ayrıntılı açıkla.",
            ),
            "simple": (
                "Bana hep sade bir dille anlat, bu konulara yabancıyım.",
                "- anlamadım, daha basit anlat",
            ),
        },
        (
            "Sade kahve mi daha sağlıklı, sütlü mü?",
            "Ayrıntılı kilit sistemi nedir?",
            "Basit faiz ile bileşik faiz farkı nedir?",
        ),
    ),
    Person(
        {
            "formal": (
                "Bana her zaman siz diye hitap etmenizi rica ederim.",
                "Yazışmalarımızda resmî bir dil kullan.",
            ),
            "list": (
                "Cevaplarını maddeler halinde yaz bundan sonra.",
                "+ madde madde olması iyi",
                "Fotosentezin aşamaları neler? Madde madde yaz.",
            ),
        },
        (
            "Resmî Gazete bugün yayımlandı mı?",
            "Anayasanın ilk üç maddesi neden değiştirilemez?",
            "Alışveriş listemde süt var mıydı?",
        ),
    ),
    Person(
        {
            "casual": ("Bana arkadaşınmışım gibi samimi yaz her zaman.", "- çok resmi olmuş"),
            "technical": (
                "Ben mühendisim, her zaman teknik terimlerle anlat.",
                "Bundan sonra teknik düzeyi yüksek tut.",
            ),
            "code": (
                "Programlama sorularında bana her zaman kod örneği ver.",
                "+ kod örneği tam istediğim gibi",
            ),
        },
        (
            "Arkadaşım samimi değil gibi geliyor, ne yapayım?",
            "Teknik servisten hâlâ aramadılar.",
            "Posta kodum 34710, kargo gelir mi?",
        ),
    ),
    Person(
        {
            "short": (
                "From now on, three sentences at most, please.",
                "- way too long",
                "How do tides work? In a nutshell, please.",
            ),
            "list": ("I'd always like your answers as bullet points.", "+ I love the bullets"),
            "en": ("Always write to me in English.", "Please stick to English with me."),
        },
        (
            "What is the longest river in Europe?",
            "My short-term memory is terrible lately.",
            "Is German harder to learn than English?",
            "Which items are on the endangered species list?",
        ),
    ),
    Person(
        {
            "full": (
                "Always give me thorough, in-depth explanations.",
                "- not enough detail",
                "What causes inflation? Explain in detail.",
            ),
            "technical": (
                "I'm a physician, so always use the proper medical terminology.",
                "From now on be as technical as you can.",
            ),
        },
        (
            "The technical exam is on Monday, wish me luck.",
            "Is full-fat milk bad for you?",
            "In-depth interviews: what are they used for in research?",
        ),
    ),
    Person(
        {
            "simple": (
                "Always explain things to me in plain, everyday words.",
                "- too complicated, make it simpler",
            ),
            "prose": (
                "Please always write in flowing paragraphs.",
                "From now on answer in continuous prose.",
            ),
        },
        (
            "Plain yoghurt or Greek yoghurt for tzatziki?",
            "Who invented the paragraph?",
            "Is a simple majority enough to pass a law?",
        ),
    ),
    Person(
        {
            "casual": (
                "You can always talk to me like a friend, keep it casual.",
                "- too stiff and formal",
            ),
            "table": (
                "Whenever you compare things, put them in a table.",
                "+ the table was very helpful",
                "Compare cats and dogs in a table.",
            ),
        },
        (
            "What should I wear to a casual wedding?",
            "How do I set the table for six guests?",
            "Is the water table rising in the Netherlands?",
        ),
    ),
)


def _live(person: Person, study: Study) -> None:
    """Send the wishes and the decoys in turns, each in a session of its own."""
    rounds = max(map(len, person.says.values()))
    said = [texts[at] for at in range(rounds) for texts in person.says.values() if at < len(texts)]
    for text in (*said, *person.speaks_of):
        study.clock.pass_by(days=1)
        if text[0] in "-+":
            study.ask("Gelgit neden olur?")
            thumb = Thumb.DOWN if text[0] == "-" else Thumb.UP
            study.assistant.rate(study.active.messages[-1].id, thumb, text[2:])
        else:
            study.ask(text)
        study.assistant.end()
        study.describe()


def test_planted_preferences_are_found_and_no_decoy_is(tmp_path: Path) -> None:
    planted = found = 0
    wrong: list[str] = []
    missed: list[str] = []
    for number, person in enumerate(PERSONS):
        study = Study(tmp_path / str(number))
        study.set(describes_with_model=False)
        _live(person, study)
        in_effect = [
            preference
            for preference in study.archive.preferences.preferences(EVERYTHING)
            if preference.is_in_effect
        ]
        # A wish with a condition, or one that no value expresses, is in the person's own words.
        value_by_wish = {
            text.rstrip("."): value for value, texts in person.says.items() for text in texts
        }
        known = {
            value_by_wish.get(preference.words.rstrip("."), preference.value): preference
            for preference in in_effect
        }
        planted += len(person.says)
        found += len(person.says.keys() & known.keys())
        missed += [f"{number} {value}" for value in person.says.keys() - known.keys()]
        wrong += [f"{number} {value}" for value in known.keys() - person.says.keys()]
        for value, one in known.items():
            quotes = [said.quote for said in study.archive.preferences.evidence(one.id)]
            own = [text.lstrip("-+ ") for text in person.says.get(value, ())]
            wrong += [quote for quote in quotes if value in person.says and quote not in own]
        study.close()
    assert not wrong, wrong
    assert found >= 0.95 * planted, missed
