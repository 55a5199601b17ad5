"""How the user wants to be answered: learned from words and ratings, sent in one line."""

from dataclasses import replace

import pytest

from desktop.domain.events import PreferencesStated
from desktop.domain.facts import FactFilter, FactSupport, Origin, ProposedFact, Refusal
from desktop.domain.ids import SessionId
from desktop.domain.learned_preferences import Preference, PreferenceSource
from desktop.domain.messages import Thumb
from desktop.domain.projects import COMMON, EVERYTHING
from desktop.domain.usage import estimate_tokens
from tests.archives import finished
from tests.studies import Study

LEAD = "Öğrenilen tercihler"
# For the line, so that it stands beside it.
TOO_LONG = (
    "Bundan sonra kısa yanıt ver, yanıtları telefonda okuyorum ve ekranım küçük olduğu için "
    "uzun metinlerde yolumu kaybediyorum."
)


@pytest.fixture
def person(study: Study) -> Study:
    study.set(describes_with_model=False)
    return study


def say(study: Study, *texts: str, ends: bool = True) -> None:
    for text in texts:
        study.clock.pass_by(seconds=1)
        study.ask(text)
    if ends:
        study.assistant.end()
    study.describe()


def known(study: Study) -> dict[str, float]:
    return {
        one.value: round(one.confidence, 2)
        for one in study.archive.preferences.preferences(EVERYTHING)
    }


def only(study: Study) -> Preference:
    (one,) = study.archive.preferences.preferences(EVERYTHING)
    return one


def line(study: Study) -> str:
    """The line of preferences in the last request."""
    return next((one for one in study.changing.splitlines() if one.startswith(LEAD)), "")


def rate(study: Study, thumb: Thumb | None, words: str = "") -> list[str]:
    found = study.assistant.rate(study.active.messages[-1].id, thumb, words)
    return [one.value for one in found]


@pytest.mark.parametrize(
    "wish",
    [
        "Bundan sonra bana kısa yanıt ver.",
        "Always keep your answers short.",
        "Artık hep madde madde yaz.",
        TOO_LONG,
        "Bundan sonra hep kaynak ver",
        "Use metric units from now on",
        "Bundan sonra bana Kaptan de",
        "Remember: from now on use British spelling",
        "Always give version numbers when I ask about libraries",
        "Kod örneklerinde hep type hint kullan",
        "When I ask about wine, keep it short.",
        "Tarih sorduğumda kısa yaz, hep yılları belirt.",
    ],
)
def test_a_standing_wish_is_kept_once_as_a_preference(person: Study, wish: str) -> None:
    ended = person.ask(wish)
    assert (only(person).confidence, person.script.requests) == (0.9, [])
    assert ended.text
    (stated,) = person.happened(PreferencesStated)
    assert stated.preferences == [only(person)]
    person.describe()
    words = only(person).words
    assert words.lower() in wish.lower()
    assert person.archive.facts.facts(FactFilter(EVERYTHING)) == []
    person.assistant.end()
    person.ask("Gelgit nedir?")
    assert person.changing.count(words) == 1
    person.archive.preferences.delete(only(person).id)
    say(person, "Fotosentez nedir?", ends=False)
    assert (known(person), words in person.changing) == ({}, False)


def test_a_wish_that_is_deleted_before_it_is_read_again_stays_deleted(person: Study) -> None:
    person.ask("Bundan sonra metrik birimler kullan")
    person.archive.preferences.delete(only(person).id)
    person.describe()
    assert known(person) == {}


def test_a_wish_that_was_off_applies_again_when_it_is_repeated(person: Study) -> None:
    person.ask("Bundan sonra hep kaynak ver")
    person.archive.preferences.switch(only(person).id, is_on=False)
    person.ask("bundan sonra hep kaynak ver")
    assert only(person).is_on


def test_a_model_that_proposes_a_wish_as_a_fact_is_refused(study: Study) -> None:
    text = "Bundan sonra metrik birimler kullan. Ay ne kadar uzak?"
    study.ask(text)
    learned = study.assistant.memory.learn(
        COMMON,
        study.active.id,
        study.active.messages[:1],
        [ProposedFact("Birimler", "Kullanıcı metrik birimler ister", 7, "metrik birimler kullan")],
    )
    assert (learned.added, dict(learned.refused)) == ([], {Refusal.EMPTY: 1})


@pytest.mark.parametrize(
    "request_to_forget", ["Kısa yanıt istediğimi unut.", "Forget that I wanted short answers."]
)
def test_a_standing_wish_that_is_to_be_forgotten_is_turned_off(
    person: Study, request_to_forget: str
) -> None:
    person.ask("Bundan sonra bana kısa yanıt ver.")
    ended = person.ask(request_to_forget)
    assert only(person).is_on is False
    assert "kısa yanıt" in ended.text
    assert person.script.requests == []


@pytest.mark.parametrize(
    "wish",
    [
        "long answer please",
        "longer answer please",
        "İngilizce cevapla",
        "daha kısa yaz",
        "Uzun uzun anlatma",
        "this time as a table",
        "bu sefer madde madde yaz",
        "make it less formal",
        "Erken soru",
        "Erken kalkmak",
    ],
)
def test_a_wish_about_this_answer_is_sent_with_it_and_kept_nowhere(
    person: Study, wish: str
) -> None:
    say(person, "Gelgit nedir?", wish, ends=False)
    assert [one.text for one in person.script.requests[-1].messages[:2]] == [
        "Gelgit nedir?",
        "Tamam.",
    ]
    assert person.script.requests[-1].messages[-1].text.startswith(wish)
    assert person.archive.facts.facts(FactFilter(EVERYTHING)) == []
    assert not any(one.is_in_effect for one in person.archive.preferences.preferences(EVERYTHING))


def test_it_is_part_of_the_request_that_the_panel_shows(person: Study) -> None:
    say(person, "Bundan sonra kısa yanıt ver.")
    say(person, "Fotosentez nedir?", ends=False)
    asked = person.assistant.would_remember("Gelgit nedir?")
    assert asked is not None
    assert [one.value for one in asked.preferences] == ["short"]
    assert LEAD in asked.whole


def test_wishes_of_this_session_precede_learned_ones(person: Study) -> None:
    say(person, "Bundan sonra kısa yanıt ver.")
    say(person, "Fotosentez nedir? Bunu ayrıntılı anlatır mısın?", ends=False)
    assert "ısa yanıt ver" not in person.changing
    say(person, "Peki klorofil nedir?")
    assert "ısa yanıt ver" not in person.changing
    say(person, "Gelgit nedir?")
    assert "ısa yanıt ver" in line(person)


def test_a_thumb_down_with_a_reason_lowers_the_preference_that_it_contradicts(
    person: Study,
) -> None:
    say(person, "Bundan sonra hep ayrıntılı cevap ver.")
    say(person, "Gelgit nedir?", ends=False)
    assert rate(person, Thumb.DOWN, "çok uzun") == ["short"]
    assert known(person) == {"short": 0.7, "full": 0.63}
    assert rate(person, Thumb.DOWN) == []
    assert known(person) == {"full": 0.9}


def test_a_thumb_teaches_only_the_preference_in_its_words(person: Study) -> None:
    say(person, "Gelgit nedir?", ends=False)
    for words in ("", "yanlış", "çok iyi", "kaynak eksik"):
        assert rate(person, Thumb.DOWN, words) == []
    assert known(person) == {}
    assert rate(person, Thumb.UP, "tablo çok iyi olmuş") == ["table"]
    assert rate(person, None) == []
    assert known(person) == {}


def test_a_habit_is_known_from_the_third_time_and_used_once_it_is_confirmed(person: Study) -> None:
    say(person, "Gelgit nedir? Kısaca anlat lütfen.")
    say(person, "Fotosentez nedir? Kısaca anlat lütfen.")
    assert known(person) == {"short": 0.0}
    say(person, "Enflasyon nedir? Kısaca anlat lütfen.")
    assert known(person) == {"short": 0.5}
    one = only(person)
    sources = {said.source for said in person.archive.preferences.evidence(one.id)}
    assert (one.count, sources) == (3, {PreferenceSource.HABIT})
    say(person, "Deprem nedir?")
    assert line(person) == ""
    person.archive.preferences.switch(one.id, is_on=True)
    say(person, "Volkan nedir?")
    assert "kısa yanıtlar" in line(person)


@pytest.mark.parametrize(
    "text",
    [
        "Şu e-postayı özetle:\n> Bundan sonra kısa yanıt ver.\n> Saygılar",
        'Patron bana dedi ki: "Bundan sonra raporları kısa yaz, tablo yap." Haklı mı?',
        "En kısa gün ne zaman?",
        "Periyodik tabloyu kim buldu?",
        "İngilizce nasıl öğrenilir?",
    ],
)
def test_only_the_users_own_preferences_teach(person: Study, text: str) -> None:
    say(person, text)
    assert known(person) == {}


def test_nothing_is_learned_from_imports_temporary_sessions_or_without_memory(
    person: Study,
) -> None:
    imported = finished("eski", "Bundan sonra kısa yanıt ver.", "Peki.")
    named = [replace(one, ref=str(one.number)) for one in imported.messages]
    imported = replace(imported, messages=named)
    person.archive.imports.add([imported])
    person.assistant.begin_temporary()
    say(person, "Bundan sonra kısa yanıt ver.")
    person.set(uses_memory=False)
    say(person, "Gelgit nedir?", ends=False)
    assert rate(person, Thumb.DOWN, "çok uzun") == []
    person.set(uses_memory=True)
    person.describe()
    assert known(person) == {}


def test_deleting_a_session_deletes_the_facts_that_only_it_supports(person: Study) -> None:
    say(person, "Bundan sonra kısa yanıt ver.")
    (session,) = person.sessions()
    person.archive.sessions.delete(session.id)
    assert known(person) == {}
    person.archive.sessions.undelete(session.id)
    assert known(person) == {"short": 0.9}
    say(person, "Bundan sonra kısa yanıt ver lütfen.")
    person.archive.sessions.delete(session.id)
    person.archive.purge_deleted()
    assert only(person).count == 1
    person.archive.sessions.delete(SessionId(person.sessions()[0].id))
    person.archive.purge_deleted()
    assert known(person) == {}
    assert _rows(person) == 0


def test_the_words_of_a_deleted_session_are_gone_with_it(person: Study) -> None:
    say(person, "Bundan sonra kısa yanıt ver lütfen gülüm.")
    say(person, "Bundan sonra kısa cevap ver.")
    first = min(person.sessions(), key=lambda one: one.created_at)
    last = max(person.sessions(), key=lambda one: one.created_at)
    person.archive.sessions.delete(last.id)
    assert only(person).words == "Bundan sonra kısa yanıt ver lütfen gülüm"
    person.archive.sessions.undelete(last.id)
    person.archive.sessions.delete(first.id)
    person.archive.purge_deleted()
    assert only(person).words == "Bundan sonra kısa cevap ver"
    assert "gülüm".encode() not in person.database.read_bytes()


def _rows(study: Study) -> int:
    with study.archive.database.reading() as db:
        return int(db.exec_driver_sql("SELECT count(*) FROM preferences").scalar_one())


def test_a_deleted_preference_is_not_learned_again(person: Study) -> None:
    say(person, TOO_LONG)
    store, name = person.archive.preferences, only(person).id
    store.delete(name)
    say(person, "Gelgit nedir?")
    assert known(person) == {}
    assert "ısa yanıt ver" not in person.changing
    store.undelete(name)
    assert known(person) == {"short": 0.9}


def test_a_wish_that_is_a_fact_of_old_goes_with_its_preference(person: Study) -> None:
    person.ask("Bundan sonra kısa yanıt ver.")
    memory, store = person.assistant.memory, person.archive.preferences
    support = FactSupport(person.active.messages[0].id, 0, 27)
    memory.remember("Kısa yanıt ver", origin=Origin.DIRECTIVE, supports=[support])
    (fact,) = person.archive.facts.facts(FactFilter(EVERYTHING))
    change = person.facts.forget([fact.id])
    assert known(person) == {}
    change.undo()
    store.delete(only(person).id)
    assert person.archive.facts.facts(FactFilter(EVERYTHING)) == []


def test_the_line_has_at_most_sixty_tokens_and_loses_no_preference(person: Study) -> None:
    wishes = (
        "Bundan sonra bana her zaman kısa ve öz yanıt ver lütfen.",
        "Bundan sonra bana hep resmi bir dille, siz diye hitap et.",
        "Bundan sonra bana her zaman Türkçe cevap ver lütfen olur mu.",
        "Bundan sonra karşılaştırmaları her zaman tablo halinde göster.",
    )
    say(person, *wishes)
    say(person, "Gelgit nedir?")
    assert len(known(person)) == len(wishes)
    assert 0 < estimate_tokens(len(line(person))) <= 60
    for wish in ("kısa ve öz", "siz diye", "Türkçe cevap", "tablo halinde"):
        assert wish in person.changing


def test_subjects_in_the_same_words_become_one(person: Study) -> None:
    say(person, "Yapay zekâ ile ilgileniyorum.")
    say(person, "Yapay zekâyla ilgileniyorum.")
    found = person.archive.preferences.preferences(EVERYTHING)
    assert len(found) == 2
    assert person.assistant.memory.preferences.consolidate(lambda: False) == 1
    assert only(person).count == 2
    assert person.assistant.memory.preferences.consolidate(lambda: False) == 0


def test_a_preference_that_is_off_or_reworded_is_never_merged_away(person: Study) -> None:
    store, preferences = person.archive.preferences, person.assistant.memory.preferences
    say(person, "Yapay zekâ ile ilgileniyorum.")
    first = only(person).id
    store.switch(first, is_on=False)
    say(person, "Yapay zekâyla ilgileniyorum.")
    second = next(one.id for one in store.preferences(EVERYTHING) if one.id != first)
    store.edit(second, "Yapay zekâyı sorarsam anlat")
    assert preferences.consolidate(lambda: False) == 0
    store.delete(second)
    say(person, "Yapay zekâyla ilgileniyorum.")
    assert preferences.consolidate(lambda: False) == 1
    assert (only(person).id, only(person).is_on, only(person).count) == (first, False, 2)
    store.edit(first, "Yapay zekâyı sorarsam anlat")
    say(person, "Yapay zekâyla ilgileniyorum.")
    assert preferences.consolidate(lambda: False) == 1
    assert only(person).words == "Yapay zekâyı sorarsam anlat"


def test_deleting_one_preference_of_a_message_leaves_the_other(person: Study) -> None:
    say(person, "Bundan sonra hep kısa yaz, tablo kullan.")
    store = person.archive.preferences
    names = {one.value: one.id for one in store.preferences(EVERYTHING)}
    store.delete(names["short"])
    person.clock.pass_by(days=60)
    person.archive.purge_deleted()
    assert known(person) == {"table": 0.9}
    say(person, "Gelgit nedir?")
    assert "tablo" in line(person)
    assert "kısa yaz" not in person.changing
    store.delete(names["table"])
    assert known(person) == {}
    assert person.archive.facts.facts(FactFilter(EVERYTHING)) == []
    store.undelete(names["table"])
    assert known(person) == {"table": 0.9}


def test_messages_sent_without_memory_are_not_learned_later(person: Study) -> None:
    person.set(uses_memory=False)
    say(person, "Bundan sonra kısa yanıt ver.")
    person.set(uses_memory=True)
    say(person, "Gelgit nedir?")
    assert known(person) == {}


def test_of_many_wishes_those_with_the_questions_condition_are_sent(person: Study) -> None:
    subjects = ["şarap", "satranç", "vergi", "Python", "deprem", "kahve", "bisiklet", "hukuk"]
    for subject in subjects:
        for wish in ("kaynak göster", "örnek ver", "adımları numaralandır", "sonunda özetle"):
            person.ask(f"{subject.capitalize()} sorularında her zaman {wish}, ayrıntıya girme")
    person.assistant.end()
    for subject in subjects:
        person.ask(f"Evde {subject} ile ilgili neye dikkat edilir?")
        assert person.changing.count(f"{subject.capitalize()} sorularında") == 4


def test_a_long_past_is_read_bit_by_bit(study: Study) -> None:
    """The command that answers a question ends only when what is due is done."""
    study.add_past("long", *("Peki?", "Evet.") * 1_001)
    unread = study.assistant.memory.preferences._store.unread
    study.describe()
    assert len(unread(9)) == 1
    study.describe()
    assert unread(9) == []
