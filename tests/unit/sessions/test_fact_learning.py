"""Important facts of a session are known in the next one, and nothing else is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from desktop.domain.events import FactsSent
from desktop.domain.facts import FactFilter, Learned, ProposedFact, Refusal, Term
from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import COMMON, EVERYTHING
from desktop.memory.active_memory import MOST_TOKENS
from tests.guards import LogWatch
from tests.models import A_DESCRIPTION
from tests.studies import Study

DIABETES = "Kullanıcının tip 1 diyabeti var."


def fact(
    content: str, quote: str, *, topic: str = "Sağlık", importance: int = 8, **more: JsonValue
) -> dict[str, JsonValue]:
    return {
        "topic": topic,
        "fact": content,
        "importance": importance,
        "quote": quote,
        "about": "",
        "replaces": 0,
        **more,
    }


def reply(*facts: Mapping[str, JsonValue]) -> JsonValue:
    assert isinstance(A_DESCRIPTION, Mapping)
    return {**A_DESCRIPTION, "facts": list(facts)}


def a_session(study: Study, *said: str) -> SessionId:
    for text in said:
        study.ask(text)
    session_id = study.active.id
    study.assistant.end()
    return session_id


def forgotten_and_read_again(
    study: Study, session_id: SessionId, *proposed: Mapping[str, JsonValue]
) -> list[Learned]:
    """The only fact is purged, and its session is read again."""
    study.facts.forget([study.archive.facts.facts(FactFilter(EVERYTHING))[0].id])
    study.archive.purge_deleted()
    study.script.descriptions.append(reply(*proposed))
    study.archive.learning.make_due(session_id)
    return learned(study)


def learned(study: Study) -> list[Learned]:
    return [one.learned for one in study.assistant.describe_pending(lambda: False) if one.learned]


def remembered(study: Study) -> list[str]:
    return [one.content for one in study.archive.facts.facts(FactFilter(EVERYTHING))]


def test_statements_of_the_user_are_known_in_the_next_session(study: Study) -> None:
    study.script.descriptions.append(reply(fact(DIABETES, "tip 1 diyabetim var")))
    a_session(study, "Benim tip 1 diyabetim var, ne yemeliyim?", "Peki meyve?")
    (one,) = learned(study)
    assert [new.content for new in one.new] == [DIABETES]
    study.ask("Kahvaltıda ne önerirsin?")
    assert DIABETES in study.changing
    (sent,) = study.happened(FactsSent)
    assert [new.content for new in sent.facts] == [DIABETES]
    answer = study.active.messages[-1]
    assert study.archive.sent_facts.by_answer(study.active.id) == {answer.id: [sent.facts[0].id]}


@pytest.mark.parametrize("change", ["edited", "deleted"])
@pytest.mark.parametrize("words", ["Kullanıcı Adana'da oturuyor.", "Kullanıcı İzmir'de oturuyor."])
def test_what_the_user_changes_while_a_session_is_learned_stays(
    study: Study, words: str, change: str
) -> None:
    study.ask("Kullanıcı Adana'da oturuyor.")
    study.ask("Kullanıcı İzmir'de oturuyor.")
    messages = study.active.messages
    memory = study.assistant.memory
    said = next(each for each in messages if each.content == words)
    (known,) = memory.remember_message(said.id, "Kullanıcı Adana'da oturuyor.").added

    def meddle() -> datetime:
        """The clock is asked between the comparison and the storing."""
        if known.id in {fact.id for fact in study.archive.facts.facts(FactFilter(EVERYTHING))}:
            study.clock.pass_by(hours=1)
            if change == "edited":
                memory.supersede(known.id, "Kullanıcı Samsun'da oturuyor.")
            else:
                study.archive.facts.delete([known.id])
        return study.clock()

    proposed = ProposedFact("Ev", words, 8, quote=words, replaces=known.id)
    learned = replace(memory, now=meddle).learn(COMMON, study.active.id, messages, [proposed])
    assert remembered(study) == (["Kullanıcı Samsun'da oturuyor."] if change == "edited" else [])
    refused = Refusal.OUTDATED if change == "edited" else Refusal.FORGOTTEN
    assert learned.refused == ((refused, 1),)


def test_a_fact_that_is_pinned_while_facts_age_stays_in_the_short_term(study: Study) -> None:
    (fact,) = study.assistant.memory.remember("Kullanıcı Adana'da oturuyor.", importance=5).added
    study.clock.pass_by(hours=49)

    def pin() -> tuple[()]:
        """The settings are asked between the reading and the moving."""
        study.archive.facts.pin(fact.id, is_pinned=True)
        return ()

    replace(study.assistant.memory, retention=pin).move_aged_facts(EVERYTHING)
    assert study.archive.facts.fact(fact.id).term is Term.SHORT


@pytest.mark.parametrize(
    ("uses_memory", "said"),
    [(True, ["Diyabette ne yenir?"]), (False, ["Benim tip 1 diyabetim var.", "Peki meyve?"])],
)
def test_a_single_question_or_disabled_memory_teaches_nothing(
    study: Study, *, uses_memory: bool, said: list[str]
) -> None:
    study.set(uses_memory=uses_memory)
    study.script.descriptions.append(reply(fact(DIABETES, "tip 1 diyabetim var")))
    a_session(study, *said)
    assert learned(study) == []
    assert remembered(study) == []
    assert "facts" not in str(study.script.schemas[-1])


@pytest.mark.parametrize("wished_first", [True, False])
@pytest.mark.parametrize(
    ("said", "wished"),
    [
        (DIABETES, f"{DIABETES.rstrip('.')}, bunu unutma."),
        ("The user's car is blue.", "Remember that the user's car is blue."),
    ],
)
def test_a_fact_in_a_request_to_remember_is_the_same_fact(
    study: Study, said: str, wished: str, *, wished_first: bool
) -> None:
    first, second = (wished, said) if wished_first else (said, wished)
    memory = study.assistant.memory
    (kept,) = memory.remember(first).added
    assert [one.id for one in memory.remember(second).strengthened] == [kept.id]
    (other,) = memory.remember("The user cannot remember names.").added
    assert other.content == "The user cannot remember names."


def test_recalled_facts_are_not_learned_again(study: Study) -> None:
    """Recalled passages are only in the request: they are nobody's message."""
    a_session(study, "Dayımın şekeri 180 çıktı.", "Bu yüksek mi?")
    learned(study)
    study.script.descriptions.append(
        reply(fact("Kullanıcının dayısının şekeri 180.", "şekeri 180 çıktı"))
    )
    a_session(study, "Geçen oturumda ne demiştik?", "Bana hangi yürüyüş uygun olur?")
    (one,) = learned(study)
    assert one.refused == ((Refusal.UNSUPPORTED, 1),)


def test_a_deleted_fact_is_not_learned_again_by_quoting_other_words(study: Study) -> None:
    school = "Kullanıcının kızı Elif okula başladı."
    study.script.descriptions.append(reply(fact(school, "Elif okula başladı")))
    session_id = a_session(study, "Kızım Elif çok mutlu. Elif okula başladı.", "Kızım ne yesin?")
    learned(study)
    (one,) = forgotten_and_read_again(
        study,
        session_id,
        fact(school, "Kızım Elif"),
        fact("Elif okula gidiyor.", "Kızım ne yesin", topic="Kızım"),
        fact("Kullanıcının kızı Elif mutlu.", "Kızım Elif çok mutlu"),
    )
    assert one.refused == ((Refusal.FORGOTTEN, 1), (Refusal.UNSUPPORTED, 1))
    assert remembered(study) == ["Kullanıcının kızı Elif mutlu."]


@pytest.mark.parametrize(
    ("said", "known", "again"),
    [
        (
            ("Benim tip 1 diyabetim var.", "Peki meyve?"),
            fact(DIABETES, "tip 1 diyabetim var"),
            [fact("Kullanıcı tip 1 diyabet hastası.", "Benim tip 1 diyabetim")],
        ),
        (
            ("Benim tip 1 diyabetim var. Dediğim gibi diyabetim var.", "Diyabetim için meyve?"),
            fact(DIABETES, "Benim tip 1 diyabetim var"),
            [
                fact("Kullanıcı diyabet hastası.", "diyabetim var"),
                fact("Kullanıcı diyabetli.", "Diyabetim için"),
            ],
        ),
        (
            ("I am allergic to peanuts. Yes, allergic to peanuts!", "Peanuts: never?"),
            fact("The user is allergic to peanuts.", "I am allergic to peanuts"),
            [
                fact("The user has a peanut allergy.", "allergic to peanuts"),
                fact("The user eats no peanuts.", "Peanuts"),
            ],
        ),
    ],
)
def test_a_deleted_fact_is_not_learned_again_from_its_words_or_a_repetition(
    study: Study,
    said: tuple[str, str],
    known: dict[str, JsonValue],
    again: list[dict[str, JsonValue]],
) -> None:
    study.script.descriptions.append(reply(known))
    session_id = a_session(study, *said)
    learned(study)
    (one,) = forgotten_and_read_again(study, session_id, *again)
    assert (Refusal.FORGOTTEN, 1) in one.refused or (Refusal.FORGOTTEN, 2) in one.refused
    assert remembered(study) == []


def test_an_older_session_read_later_replaces_no_newer_fact(study: Study) -> None:
    a_session(study, "Ben İzmir'de yaşıyorum.", "Müzeler kaçta açılır?")
    study.clock.pass_by(hours=3)
    a_session(study, "Ankara'da yaşıyorum.", "Müzeler kaçta açılır?")
    city = "yaşadığı şehir"
    study.script.descriptions.extend(
        [
            reply(fact("Kullanıcı Ankara'da yaşıyor.", "Ankara'da yaşıyorum", about=city)),
            reply(fact("Kullanıcı İzmir'de yaşıyor.", "İzmir'de yaşıyorum", about=city)),
        ]
    )
    newer, older = learned(study)
    assert [one.content for one in newer.new] == ["Kullanıcı Ankara'da yaşıyor."]
    assert older.refused == ((Refusal.OUTDATED, 1),)
    assert remembered(study) == ["Kullanıcı Ankara'da yaşıyor."]


@pytest.mark.parametrize(
    "corrected", ["Kullanıcının kızı 8 yaşında.", "Kullanıcının kızı ilkokula gidiyor."]
)
def test_a_corrected_fact_is_not_learned_again_from_its_message(
    study: Study, corrected: str
) -> None:
    misread = reply(fact("Kullanıcının kızı 7 yaşında.", "kızım 7 yaşında"))
    study.script.descriptions.extend([misread, misread])
    session_id = a_session(study, "Benim kızım 7 yaşında.", "Okul çantası kaç kilo olmalı?")
    learned(study)
    study.clock.pass_by(hours=3)
    study.assistant.memory.edit(
        study.archive.facts.facts(FactFilter(EVERYTHING))[0].id, content=corrected
    )
    study.archive.learning.make_due(session_id)
    (one,) = learned(study)
    assert one.refused == ((Refusal.OUTDATED, 1),)
    assert remembered(study) == [corrected]


def test_facts_that_could_not_be_read_are_looked_for_again_at_the_next_start(
    study: Study, log_watch: LogWatch
) -> None:
    """The description is kept all the same."""
    log_watch.expect(
        "desktop.sessions.conversation.session_description", "facts of a session could not be read"
    )
    study.script.descriptions.append(reply({"fact": "Yarım"}))
    session_id = a_session(study, "40 yaşındayım, spor önerir misin?", "Peki yürüyüş?")
    assert learned(study) == learned(study) == []
    assert len(study.script.json_requests) == 1
    assert study.archive.sessions.session(session_id).title == "Modelin başlığı"
    assert study.archive.learning.failed_before() == [session_id]
    later = study.after_a_crash()
    study.script.descriptions.append(reply(fact("Kullanıcı 40 yaşında.", "40 yaşındayım")))
    (one,) = learned(later)
    assert [new.content for new in one.new] == ["Kullanıcı 40 yaşında."]
    assert learned(later) == []


def test_a_fact_stated_beside_a_secret_is_learned(study: Study) -> None:
    said = "Parolam: gizli123 ve ben Bursa'da yaşıyorum."
    study.script.descriptions.append(
        reply(fact("Kullanıcı Bursa'da yaşıyor.", "Bursa'da yaşıyorum"))
    )
    a_session(study, said, "Peki ne yapmalıyım?")
    learned(study)
    assert remembered(study) == ["Kullanıcı Bursa'da yaşıyor."]


# A contradiction that the model names ends the older fact; compatible facts are kept


Told = tuple[str, str]
"""What the user says, and the fact that the model makes of it."""


def pairs(table: str) -> Sequence[tuple[Told, Told]]:
    told = [line.split(" → ") for line in table.splitlines()]
    lines = [(said, fact) for said, fact in told]
    return list(zip(lines[::2], lines[1::2], strict=True))


CONTRADICTIONS = pairs("""\
Ben İzmir'de yaşıyorum. → Kullanıcı İzmir'de yaşıyor.
Geçen hafta Ankara'ya taşındım. → Kullanıcı Ankara'ya taşındı.
Arabam dizel bir Clio. → Kullanıcının dizel bir Clio'su var.
Clio'yu sattım, artık bisikletle gidiyorum. → Kullanıcı arabasını sattı.
My flight is on Friday. → The user's flight is on Friday.
The airline cancelled my flight. → The user's flight was cancelled.
""")
COMPATIBLE = pairs("""\
Ben İzmir'de yaşıyorum. → Kullanıcı İzmir'de yaşıyor.
İzmir'de Bornova'da oturuyorum. → Kullanıcı Bornova'da oturuyor.
I work at a bank. → The user works at a bank.
I volunteer at a museum. → The user volunteers at a museum.
""")


def learn(study: Study, told: Told, *, replaces: int = 0) -> None:
    said, content = told
    study.script.descriptions.append(reply(fact(content, said, replaces=replaces)))
    study.ask(said)
    study.ask("Peki, devam edelim mi?")
    study.assistant.end()
    study.describe()
    study.clock.pass_by(hours=3)


def kept(study: Study) -> set[str]:
    return {one.content for one in study.archive.facts.facts(FactFilter(EVERYTHING))}


@pytest.mark.parametrize(("older", "newer"), CONTRADICTIONS)
def test_a_fact_is_superseded_if_the_model_names_it_in_the_users_words(
    study: Study, older: Told, newer: Told
) -> None:
    learn(study, older)
    learn(study, newer, replaces=1)
    assert f"1. {older[1]}" in str(study.script.json_requests[-1].changing)
    assert kept(study) == {newer[1]}
    (now,) = study.archive.facts.facts(FactFilter(EVERYTHING))
    assert [one.content for one in study.archive.facts.history(now.id)] == [older[1]]


@pytest.mark.parametrize(("older", "newer"), COMPATIBLE)
def test_a_fact_that_the_model_does_not_name_stays(study: Study, older: Told, newer: Told) -> None:
    learn(study, older)
    learn(study, newer)
    assert kept(study) == {older[1], newer[1]}


def test_words_that_are_not_the_users_supersede_nothing(study: Study) -> None:
    older = CONTRADICTIONS[0][0]
    learn(study, older)
    pasted = "Şunu çevir:\n> Geçen hafta Ankara'ya taşındım."
    quote = "Geçen hafta Ankara'ya taşındım"
    study.script.descriptions.append(
        reply(fact("Kullanıcı Ankara'ya taşındı.", quote, replaces=1))
    )
    study.ask(pasted)
    study.ask("Peki, devam edelim mi?")
    study.assistant.end()
    study.describe()
    assert kept(study) == {older[1]}


def test_a_number_that_changes_repeatedly_is_kept_once(study: Study) -> None:
    for weight in range(78, 90):
        said = f"Hedef kilom {weight} kg oldu."
        learn(study, (said, f"Kullanıcının hedef kilosu {weight} kg."))
    assert kept(study) == {"Kullanıcının hedef kilosu 89 kg."}
    assert study.assistant.memory.prompt_block(EVERYTHING).tokens <= MOST_TOKENS
