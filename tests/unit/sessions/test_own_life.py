"""What is asked of the user's own life is answered from what is remembered of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.events import Decided
from desktop.domain.facts import Term
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.routing import Recall
from desktop.settings.messages import Texts
from tests.fakes import Says, ScriptedServer
from tests.models_of_meaning import SubjectEmbedder
from tests.studies import Study
from tests.unit.sessions.test_tools import study_at

TURKISH = (
    "Kullanıcı Eskişehir'de oturuyor.",
    "Kullanıcı bir hastanede fizyoterapist olarak çalışıyor.",
    "Kullanıcının annesi Bursa'da yaşıyor.",
    "Kullanıcının penisiline alerjisi var.",
    "Kullanıcının Boncuk adında bir papağanı var.",
    "Kullanıcı 41 yaşında.",
    "Kullanıcı caz dinlemeyi seviyor.",
    "Kullanıcının en sevdiği renk mor.",
)
ENGLISH = (
    "The user lives in Leeds.",
    "The user works as a paralegal.",
    "The user's brother lives in Toronto.",
    "The user is allergic to shellfish.",
    "The user has a beagle named Biscuit.",
    "The user is 36 years old.",
    "The user enjoys bouldering.",
    "The user's favourite colour is purple.",
)
ASKED = (
    ("Hangi şehirde yaşıyorum?", "Where do I live?"),
    ("Mesleğim ne?", "What do I do for a living?"),
    ("Annem nerede oturuyor?", "Where does my brother live?"),
    ("Alerjim neydi?", "Am I allergic to anything?"),
    ("Evcil hayvanım var mı?", "Do I have a pet?"),
    ("Yaşım kaç?", "How old am I?"),
    ("Hobilerim neler?", "What are my hobbies?"),
    ("En sevdiğim renk hangisi?", "What's my favourite colour?"),
)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Study]:
    study = Study(tmp_path / "alone")
    yield study
    study.close()


@pytest.mark.parametrize(
    ("facts", "place", "language"),
    [(TURKISH, 0, Language.TR), (ENGLISH, 1, Language.EN)],
)
def test_each_question_finds_the_fact_that_answers_it_first(
    alone: Study, facts: tuple[str, ...], place: int, language: Language
) -> None:
    alone.language = language
    for content in facts:
        alone.assistant.memory.remember(content)
    found = [alone.assistant.memory.bearing(asked[place])[:1] for asked in ASKED]
    assert [one[0].content if one else "" for one in found] == list(facts)


def test_a_question_in_the_other_language_finds_it_too(alone: Study) -> None:
    for content in TURKISH:
        alone.assistant.memory.remember(content)
    (first, *_) = alone.assistant.memory.bearing("What do you know about my job?")
    assert first.content == TURKISH[1]


@pytest.mark.parametrize(
    "question", ["Papağanlar kaç yıl yaşar?", "Alerji nedir?", "What is the capital of Leeds?"]
)
def test_a_question_of_the_world_brings_no_facts(alone: Study, question: str) -> None:
    for content in (*TURKISH, *ENGLISH):
        alone.assistant.memory.remember(content)
    assert alone.assistant.memory.bearing(question) == []
    assert "hatırlanan" not in alone.ask(question).text


def test_without_a_model_it_is_quoted_with_the_message_it_came_from(alone: Study) -> None:
    alone.ask("Adana'da oturuyorum, bunu unutma.")
    said = alone.active.messages[0]
    alone.assistant.end()
    ended = alone.ask("Nerede oturuyorum?")
    (decided,) = [event.decision for event in alone.happened(Decided)]
    assert isinstance(decided, Recall)
    first = ended.citations[0]
    assert (first.source_id, first.passage_id) == (said.session_id, str(said.id))
    assert first.quote in said.content
    assert f"bellek://session/{said.session_id}?message={said.id}" in ended.text
    assert ended.text.startswith("Bununla ilgili hatırlananlar:")


def test_without_a_model_what_only_meaning_links_is_quoted_as_no_more_than_near(
    tmp_path: Path,
) -> None:
    study = Study(tmp_path)
    meanings = study.use_meanings(SubjectEmbedder())
    study.assistant.memory.remember("Kırmızı bir otomobil aldım")
    study.assistant.memory.remember("Toplantılar salı günü")
    meanings.embed_due(lambda: False)
    ended = study.ask("Araç rengi nasıl?")
    assert ended.text.startswith(Texts(Language.TR).say("no_model.nearest_facts"))
    assert "> Kırmızı bir otomobil aldım" in ended.text
    assert "Toplantılar" not in ended.text
    study.set(uses_memory=False)
    assert "otomobil" not in study.ask("Araç boyası nasıl?").text
    study.close()


def test_what_was_superseded_is_neither_told_nor_quoted(alone: Study) -> None:
    alone.ask("Adana'da oturuyorum, bunu unutma.")
    (older,) = alone.archive.facts.facts()
    alone.assistant.memory.supersede(older.id, "Artık Samsun'da oturuyorum")
    alone.assistant.end()
    alone.describe()
    now = alone.ask("Nerede oturuyorum?").text
    assert "Samsun" in now
    assert "> Adana" not in now
    assert "Adana'da oturuyorum, bunu unutma." not in now.split("hatırlananlar")[1].split("](")[-1]


def test_an_answer_that_only_quoted_is_not_quoted_again(alone: Study) -> None:
    alone.ask("Adana'da oturuyorum, bunu unutma.")
    for _ in range(2):
        alone.ask("Nerede oturuyorum?")
        alone.assistant.end()
        alone.describe()
    for citation in alone.ask("Nerede oturuyorum?").citations:
        if citation.passage_id:
            message = alone.archive.sessions.messages(SessionId(citation.source_id))
            (cited,) = [one for one in message if one.id == MessageId(int(citation.passage_id))]
            assert cited.role == "user"
            assert "unutma" in cited.content


def test_a_temporary_session_is_told_nothing(alone: Study) -> None:
    alone.assistant.memory.remember(TURKISH[0])
    alone.assistant.begin_temporary()
    assert "Eskişehir" not in alone.ask("Nerede oturuyorum?").text


def test_an_endpoint_without_tools_is_told_what_has_aged(
    tmp_path: Path, server: ScriptedServer
) -> None:
    study, connection = study_at(tmp_path / "plain", server, tools=False)
    study.assistant.memory.remember("Kullanıcı mimar olarak çalışıyor.")
    study.clock.pass_by(days=9)
    study.assistant.memory.age()
    assert [fact.term for fact in study.archive.facts.facts()] == [Term.LONG]
    server.then(Says("Mimarsın."))
    study.ask("Mesleğim ne?")
    assert "mimar olarak çalışıyor" in server.asked[-1].newest
    connection.close()
    study.close()
