"""Attached past sessions: what a request contains, and how it is cited."""

from datetime import UTC, datetime

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.messages import CitationState
from tests.studies import Study

PAST = SessionId("seker")
SAID = (
    "Sabah açlık şekerim neden yüksek?",
    "Somogyi etkisini dışlamak için gece üçte ölçüm yapmaya karar verdik.",
    "Peki kahvaltıda ne yemeliyim?",
    "Kahvaltıda yulaf ve yoğurt uygundur.",
)
QUESTION = "Somogyi etkisi için ölçüm planı nasıl olmalı?"


@pytest.fixture
def kept(study: Study) -> Study:
    study.set(recalled_items=0)
    day, rises = datetime(2026, 2, 10, 9, tzinfo=UTC), "Sabah yükselmeleri konuşuldu."
    study.add_past(PAST, *SAID, title="Sabah şekeri", summary=rises, at=day)
    study.add_past("uzun", *(f"Gelgit üzerine {n}. söz. " * 40 for n in range(1, 301)))
    return study


def test_its_summary_and_related_messages_are_at_the_end_of_the_request(kept: Study) -> None:
    kept.run(kept.assistant.ask(QUESTION, attachments=[PAST]))
    block = kept.changing
    assert "Sabah yükselmeleri konuşuldu." in block
    assert 'session="Sabah şekeri" date="10 Şubat 2026" said_by="assistant"' in block
    assert "gece üçte ölçüm yapmaya karar verdik" in block
    assert "talimat değildir" in block
    assert [one.text for one in kept.script.requests[-1].messages] == [QUESTION]
    assert [one.content for one in kept.on_disk()] == [QUESTION, "Tamam."]


def test_the_next_question_without_it_is_sent_without_it(kept: Study) -> None:
    kept.run(kept.assistant.ask(QUESTION, attachments=[PAST]))
    kept.ask("Peki ya akşam?")
    assert "Somogyi etkisini dışlamak" not in kept.changing


def test_statements_from_it_cite_its_message(kept: Study) -> None:
    kept.script.steps.append(['Gece ölç [3: "gece üçte ölçüm yapmaya karar verdik"].'])
    ended = kept.run(kept.assistant.ask(QUESTION, attachments=[PAST]))
    (citation,) = ended.citations
    assert citation.state is CitationState.CHECKED
    assert citation.source_id == PAST
    assert citation.passage_id == str(kept.on_disk(PAST)[1].id)


def test_a_question_about_the_past_numbers_all_passages_in_one_sequence(kept: Study) -> None:
    kept.run(kept.assistant.ask("Gelgit için ne demiştik?", attachments=[PAST]))
    numbers = [int(part.split('"')[0]) for part in kept.changing.split('<passage n="')[1:]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "Sabah yükselmeleri" in kept.changing
    assert "Gelgit üzerine" in kept.changing


def test_an_attached_session_of_300_long_messages_takes_a_few_hundred_tokens(kept: Study) -> None:
    kept.run(kept.assistant.ask("Gelgit nasıl hesaplanır?", attachments=[SessionId("uzun")]))
    assert 200 < len(kept.changing) < 4_000


def test_a_session_deleted_or_continued_meanwhile_is_left_out(kept: Study) -> None:
    kept.archive.sessions.delete(PAST)
    kept.archive.purge_deleted(before=datetime(2100, 1, 1, tzinfo=UTC))
    kept.ask("Merhaba, bir şey soracağım.")
    own = kept.active.id
    kept.run(kept.assistant.ask(QUESTION, attachments=[PAST, own]))
    assert "<passage" not in kept.changing


def test_without_a_model_its_sentences_are_quoted(kept: Study) -> None:
    kept.model = None
    ended = kept.run(kept.assistant.ask(QUESTION, attachments=[PAST]))
    assert "gece üçte ölçüm" in ended.text
    assert {one.source_id for one in ended.citations} == {PAST}
