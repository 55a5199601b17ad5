"""A follow-up gets the dates, amounts and names that it refers to, for a while."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from desktop.domain.annotations import ContextType, EntityKind
from desktop.domain.events import ContextAssembled
from desktop.domain.messages import Thumb
from desktop.domain.routing import Intent
from desktop.domain.usage import PartKind
from desktop.storage.schema.learned_tables import annotations
from tests.models import ScriptedModel
from tests.studies import Study
from tests.unit.sessions.test_compacting import fill

TOLD = "Dün Ayşe Demir ile 12.500 TL kira için anlaştım, ev Kadıköy semtinde."
FOLLOW_UP = "Bu tutarın yüzde 20'si ne kadar?"


@pytest.fixture
def study(tmp_path: Path, model: ScriptedModel) -> Iterator[Study]:
    """A session of 34 messages, of which a compact replaces 30."""
    with closing(fill(tmp_path, 26, model=model)) as study:
        study.ask(TOLD)
        for question in ("Peki sonra?", "Peki bunun adımları neler?", "Peki neden?"):
            study.ask(question)
        study.describe()
        yield study


def names(study: Study, kind: ContextType) -> list[str]:
    found = study.archive.annotations.contexts(study.clock(), study.active.id)
    return [one.name for one in found if one.type is kind]


def test_a_follow_up_gets_the_details_of_a_summarised_message(study: Study) -> None:
    study.ask(FOLLOW_UP)
    request = study.script.requests[-1]
    assert not any(one.text == TOLD for one in request.messages)
    assert "- 12.500 TL: " in study.changing
    assert "- Dün: 4 Mart 2026" in study.changing
    assert "12.500" not in request.instructions
    report = study.happened(ContextAssembled)[0].report
    assert report.part(PartKind.CONTEXTS).items == 5
    assert {one.name for one in report.contexts} >= {"Dün", "12.500 TL", "Ayşe"}


def test_contexts_expire_amounts_first_then_times_then_names(study: Study) -> None:
    for minutes, left in ((31, 4), (30, 3), (60, 0)):
        study.clock.pass_by(minutes=minutes)
        assert len(study.archive.annotations.contexts(study.clock())) == left
    study.ask(FOLLOW_UP)
    assert "12.500" not in study.changing


def test_text_in_the_request_is_not_repeated(tmp_path: Path, model: ScriptedModel) -> None:
    with closing(Study(tmp_path, model)) as study:
        study.ask(TOLD)
        study.describe()
        study.ask(FOLLOW_UP)
        assert TOLD in [one.text for one in study.script.requests[-1].messages]
        assert "12.500" not in study.changing


def test_a_newer_amount_in_the_same_words_replaces_the_older(study: Study) -> None:
    study.ask("Peki 12.500 TL depozito da var mı?")
    study.describe()
    found = study.archive.annotations.contexts(study.clock(), study.active.id)
    (amount,) = [one for one in found if one.name == "12.500 TL"]
    assert "depozito" in amount.value


def test_a_message_is_annotated_with_its_intent_details_thumb_and_time(study: Study) -> None:
    answer = study.active.messages[27]
    study.assistant.rate(answer.id, Thumb.DOWN, "çok uzun")
    told = study.archive.annotations.of_session(study.active.id)
    first = next(one for one in told if one.number == 27)
    assert first.annotation.intent is Intent.ORDINARY
    kinds = {one.kind: one.text for one in reversed(first.annotation.entities)}
    assert kinds[EntityKind.AMOUNT] == "12.500 TL"
    assert kinds[EntityKind.DATE] == "Dün"
    assert (first.thumb, first.words) == (Thumb.DOWN, "çok uzun")
    assert first.answer_ms == answer.duration_ms


def test_quoted_words_are_not_the_users_details(study: Study) -> None:
    study.ask("> Toplam 900 EUR borcu var.\n\nBunu özetle.")
    study.describe()
    assert "900 EUR" not in names(study, ContextType.AMOUNT)


def test_a_temporary_session_keeps_no_contexts(tmp_path: Path, model: ScriptedModel) -> None:
    with closing(Study(tmp_path, model)) as study:
        study.assistant.begin_temporary()
        study.ask(TOLD)
        study.describe()
        study.ask(FOLLOW_UP)
        assert study.archive.annotations.contexts(study.clock()) == []


def test_deleting_a_session_deletes_its_annotations_and_contexts(study: Study) -> None:
    session_id = study.active.id
    study.assistant.end()
    study.archive.sessions.delete(session_id)
    assert study.archive.annotations.contexts(study.clock()) == []
    study.archive.purge_deleted()
    with study.archive.database.reading() as db:
        assert db.execute(select(annotations.c.intent)).all() == []
