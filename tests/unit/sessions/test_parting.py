"""Splitting a past session and merging two, and taking either back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.errors import SessionUnknownError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message
from desktop.domain.search import Query
from desktop.domain.sessions import EndReason, Session
from tests.studies import Study

TIDES, BREAD = "Gelgit nasıl oluşur?", "Ekşi maya nasıl beslenir?"


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    study = Study(tmp_path)
    yield study
    study.close()


def _past(study: Study, *questions: str) -> SessionId:
    for question in questions:
        study.ask(question)
        study.clock.pass_by(minutes=1)
    session_id = study.active.id
    study.assistant.end(EndReason.USER)
    study.clock.pass_by(minutes=1)
    study.describe()
    return session_id


def _state(study: Study) -> dict[SessionId, tuple[Session, list[Message]]]:
    return {one.id: (one, study.on_disk(one.id)) for one in study.sessions()}


def _found(study: Study, words: str) -> set[SessionId]:
    study.describe()
    return {hit.session_id for hit in study.search.find(Query(words))}


def _numbers(study: Study, session_id: SessionId) -> list[int]:
    return [one.number for one in study.on_disk(session_id)]


def _question(study: Study, session_id: SessionId, text: str) -> MessageId:
    return next(one.id for one in study.on_disk(session_id) if one.content == text)


def test_a_split_makes_two_sessions_and_loses_no_word(study: Study) -> None:
    session_id = _past(study, TIDES, BREAD)
    before = [one.content for one in study.on_disk(session_id)]
    done = study.assistant.split_merge.split(session_id, _question(study, session_id, BREAD))
    parts = [study.on_disk(session_id), study.on_disk(done.part)]
    assert [one.content for part in parts for one in part] == before
    assert [_numbers(study, one) for one in (session_id, done.part)] == [[1, 2], [1, 2]]
    assert parts[1][0].parent_id is None
    new = study.archive.sessions.session(done.part)
    assert (new.opening, new.messages, new.title) == (BREAD, 2, None)
    assert study.archive.sessions.session(session_id).messages == 2


def test_both_parts_are_found_and_described_anew(study: Study) -> None:
    session_id = _past(study, TIDES, BREAD)
    done = study.assistant.split_merge.split(session_id, _question(study, session_id, BREAD))
    described = {one.id for one in study.describe()}
    assert done.part in described
    assert _found(study, "gelgit") == {session_id}
    assert _found(study, "maya") == {done.part}


def test_a_split_is_taken_back_whole(study: Study) -> None:
    session_id = _past(study, TIDES, BREAD)
    study.assistant.rename(session_id, "Benim başlığım")
    before = _state(study)
    done = study.assistant.split_merge.split(session_id, _question(study, session_id, BREAD))
    study.assistant.split_merge.undo(done)
    assert _state(study) == before
    assert _found(study, "maya") == {session_id}


def test_a_session_is_put_behind_the_one_before_it(study: Study) -> None:
    first, second = _past(study, TIDES), _past(study, BREAD)
    done = study.assistant.split_merge.merge(second)
    assert done is not None
    assert (done.first.id, done.second.id, done.number) == (first, second, 3)
    assert [one.id for one in study.sessions()] == [first]
    assert _numbers(study, first) == [1, 2, 3, 4]
    assert [one.parent_id for one in study.on_disk(first)][1:] == [
        one.id for one in study.on_disk(first)
    ][:-1]
    assert _found(study, "maya") == {first}


def test_a_merge_is_taken_back_whole(study: Study) -> None:
    _past(study, TIDES)
    second = _past(study, BREAD)
    before = _state(study)
    done = study.assistant.split_merge.merge(second)
    assert done is not None
    study.assistant.split_merge.undo(done)
    assert _state(study) == before
    assert _found(study, "maya") == {second}


def test_the_first_session_of_all_has_nothing_before_it(study: Study) -> None:
    assert study.assistant.split_merge.merge(_past(study, TIDES)) is None


def test_what_was_merged_stays_merged_when_its_other_half_is_deleted_for_good(
    study: Study,
) -> None:
    first, second = _past(study, TIDES), _past(study, BREAD)
    done = study.assistant.split_merge.merge(second)
    assert done is not None
    study.archive.purge_deleted()
    assert _found(study, "maya") == {first}
    with pytest.raises(SessionUnknownError):
        study.assistant.split_merge.undo(done)
    assert _numbers(study, first) == [1, 2, 3, 4]


def test_the_active_session_is_left_alone(study: Study) -> None:
    past = _past(study, TIDES)
    study.ask(BREAD)
    active = study.active.id
    with pytest.raises(SessionUnknownError):
        study.assistant.split_merge.merge(active)
    with pytest.raises(SessionUnknownError):
        study.assistant.split_merge.split(active, study.active.messages[1].id)
    assert study.assistant.split_merge.merge(past) is None


def test_nothing_is_split_off_at_the_first_message_or_at_one_of_another_session(
    study: Study,
) -> None:
    first, second = _past(study, TIDES), _past(study, BREAD)
    before = _state(study)
    for at in (study.on_disk(first)[0].id, study.on_disk(second)[1].id, MessageId(7)):
        with pytest.raises(SessionUnknownError):
            study.assistant.split_merge.split(first, at)
    assert _state(study) == before
