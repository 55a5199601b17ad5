"""Temporary sessions: they read no memory, store nothing, and nothing is derived from them."""

from pathlib import Path

import pytest

from desktop.domain.events import FactsSent, PassagesRecalled, SessionEnded, TurnEnded
from desktop.domain.facts import FactFilter
from desktop.domain.messages import Thumb
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Draft
from tests.studies import Study

TOLD = "Zümrüdüanka'nın kanadı kırıldı"


@pytest.fixture
def temporary(study: Study) -> Study:
    study.assistant.begin_temporary()
    return study


def raw(folder: Path) -> bytes:
    """Every byte of the database and of the files beside it."""
    return b"".join(one.read_bytes() for one in sorted(folder.glob("bellek.db*")))


def has_words(folder: Path, words: str) -> bool:
    return any(words.encode(code) in raw(folder) for code in ("utf-8", "utf-16-le"))


def test_no_word_of_it_is_ever_in_the_file(temporary: Study) -> None:
    temporary.script.steps.append("Geçmiş olsun, kanarya.")
    ended = temporary.ask(TOLD)
    temporary.assistant.drafts.keep(Draft("Gizlitaslak"))
    assert ended.text == "Geçmiş olsun, kanarya."
    assert not has_words(temporary.folder, "Zümrüdüanka")
    temporary.assistant.close()
    temporary.assistant.end()
    for words in ("Zümrüdüanka", "kanarya", "Gizlitaslak", temporary_id(ended)):
        assert not has_words(temporary.folder, words)
    assert temporary.sessions() == []


def temporary_id(ended: TurnEnded) -> str:
    assert ended.session_id
    return ended.session_id


def test_stored_fields_are_found_in_the_file(study: Study) -> None:
    study.ask(TOLD)
    assert has_words(study.folder, "Zümrüdüanka")


def test_neither_its_usage_nor_a_judgement_is_stored(temporary: Study) -> None:
    ended = temporary.ask(TOLD)
    temporary.assistant.rate(temporary.active.messages[-1].id, Thumb.UP, "iyi")
    assert temporary.archive.answers.usage(temporary.active.id) == {}
    assert temporary.archive.answers.ratings(temporary.active.id) == {}
    assert ended.usage.output_tokens


def test_the_memory_is_neither_read_nor_written(temporary: Study) -> None:
    temporary.assistant.memory.remember("Ankara'da yaşıyor.")
    temporary.ask("Nerede yaşıyorum?")
    assert "Ankara" not in temporary.changing
    assert not temporary.happened(FactsSent)
    temporary.ask("Bunu unutma: köpeğimin adı Karabaş.")
    assert len(temporary.archive.facts.facts(FactFilter(EVERYTHING))) == 1
    assert "geçici" in temporary.said[-1]


def test_a_quick_question_reads_memory_and_past_sessions_and_changes_neither(study: Study) -> None:
    study.add_past("somogyi", "Somogyi etkisi nedir?", "Gece düşüşünden sonra sabah yükselir.")
    study.assistant.memory.remember("Adı Nilüfer, Ankara'da yaşıyor.")
    before = study.archive.facts.facts(FactFilter(EVERYTHING))
    study.assistant.begin_aside()
    ended = study.ask("Somogyi etkisini anlat")
    assert "Gece düşüşünden" in study.changing
    assert "Nilüfer" in study.changing
    (recalled,), (sent,) = study.happened(PassagesRecalled), study.happened(FactsSent)
    assert recalled.message_id == sent.message_id == ended.message_id
    study.ask("Bunu unutma: köpeğimin adı Zümrüdüanka.")
    assert study.archive.facts.facts(FactFilter(EVERYTHING)) == before
    study.assistant.end()
    assert not has_words(study.folder, "Zümrüdüanka")


def test_nothing_but_the_user_ends_it(temporary: Study) -> None:
    temporary.ask(TOLD)
    session = temporary.active.id
    temporary.ask("Teşekkürler, bu kadar yeter.")
    temporary.ask("Yeni konu: Roma neden çöktü?")
    temporary.clock.pass_by(hours=9)
    assert temporary.assistant.idle_end() is None
    assert temporary.active.id == session
    assert not temporary.happened(SessionEnded)
    assert len(temporary.said) == 6


def test_an_earlier_draft_is_not_restored_after_it(study: Study) -> None:
    study.assistant.drafts.keep(Draft("Gizlitaslak"))
    study.assistant.begin_temporary()
    study.assistant.end()
    assert study.assistant.drafts.read() == Draft()


def test_without_a_model_it_quotes_the_archive_and_is_kept_nowhere(alone: Study) -> None:
    alone.ask("Roma neden çöktü? Tahıl geliri kesildiği için mi?")
    alone.assistant.end()
    alone.describe()
    alone.assistant.begin_temporary()
    ended = alone.ask("Roma'nın tahıl geliri ne oldu? Zümrüdüanka")
    assert ended.error is None
    assert not has_words(alone.folder, "Zümrüdüanka")
