"""Title, summary and topics of ended sessions: by the model, else by extraction."""

from dataclasses import replace
from typing import Any

import pytest

from desktop.domain.errors import ConnectionLostError, RefusedError, ReplyInvalidError
from desktop.domain.ids import SessionId
from desktop.domain.search import EVERYWHERE, Query
from desktop.domain.sessions import DescribedBy, Description, Session
from desktop.domain.usage import Purpose
from desktop.sessions.conversation.session_description import transcript, validated
from tests.archives import finished
from tests.guards import LogWatch
from tests.models import ScriptedModel
from tests.studies import Study

DESCRIBING = "desktop.sessions.conversation.session_description"

GOOD: dict[str, Any] = {
    "title": "Başlık",
    "summary": "Özet.",
    "topics": ["a", "b", "c"],
    "facts": [],
}


def an_ended_session(study: Study) -> SessionId:
    study.ask("Şafak olayı nedir, kan şekeri sabahları neden yükselir?")
    study.ask("Peki şafak olayında insülin ne işe yarar?")
    session_id = study.active.id
    study.assistant.end()
    return session_id


def described(study: Study, session_id: SessionId) -> Session:
    study.describe()
    return study.archive.sessions.session(session_id)


@pytest.mark.parametrize("reply", [ReplyInvalidError(), {"title": " ", "topics": [], "facts": []}])
def test_after_a_reply_that_does_not_validate_the_description_is_extracted(
    study: Study, log_watch: LogWatch, reply: Any
) -> None:
    log_watch.expect(DESCRIBING, "is not described by the model")
    study.script.descriptions.append(reply)
    session = described(study, an_ended_session(study))
    assert session.described_by is DescribedBy.EXTRACTION
    assert session.title
    assert len(study.script.json_requests) == 1
    assert study.describe() == []


@pytest.mark.parametrize("bad", [{"title": " "}, {"topics": ["Tek", "tek"]}, {"summary": 5}])
def test_of_a_reply_that_is_right_in_part_that_part_is_kept(
    study: Study, bad: dict[str, Any]
) -> None:
    study.script.descriptions.append({**GOOD, **bad})
    session = described(study, an_ended_session(study))
    assert session.described_by is DescribedBy.MODEL
    assert session.title == GOOD["title"] or "title" in bad
    assert session.summary == GOOD["summary"] or "summary" in bad
    assert list(session.topics) == GOOD["topics"] or (
        session.topics[0] == "Tek" and "topics" in bad
    )
    assert session.title
    assert session.summary
    assert 3 <= len(session.topics) <= 7


def test_an_offline_week_asks_the_model_once_a_start_and_reports_nothing_twice(
    study: Study,
) -> None:
    for _ in range(4):
        an_ended_session(study)
        study.clock.pass_by(days=1)
    study.script.descriptions.extend([ConnectionLostError(where="x")] * 3)
    assert len(study.describe()) == 4
    assert len(study.script.json_requests) == 1
    assert study.describe() == []
    assert len(study.script.json_requests) == 2
    study.script.descriptions.clear()
    assert len(study.describe()) == 4
    assert {session.described_by for session in study.sessions()} == {DescribedBy.MODEL}


def continued(study: Study, session_id: SessionId, *said: str) -> None:
    study.assistant.resume(session_id)
    for text in said:
        study.ask(text)
    study.assistant.end()


@pytest.mark.parametrize("by", [DescribedBy.MODEL, DescribedBy.IMPORT, DescribedBy.USER])
def test_extraction_never_replaces_a_users_or_models_description(
    study: Study, by: DescribedBy
) -> None:
    session_id = an_ended_session(study)
    study.archive.descriptions.keep(session_id, Description("İyi", "Güzel.", ("a", "b", "c"), by))
    connected, study.model = study.model, None
    study.set(describes_with_model=False)
    continued(study, session_id, "Peki gece ne olur?")
    session = described(study, session_id)
    assert (session.title, session.summary, session.topics) == ("İyi", "Güzel.", ("a", "b", "c"))
    study.model = connected
    study.set(describes_with_model=True)
    assert described(study, session_id).summary == "Modelin özeti."


def test_everything_can_be_found_before_the_first_request_leaves(study: Study) -> None:
    an_ended_session(study)
    found: list[bool] = []
    ask_json = study.script.ask_json

    def look(*given: Any) -> Any:
        found.append(bool(study.search.find(Query("insülin", scope=EVERYWHERE))))
        return ask_json(*given)

    study.script.ask_json = look  # type: ignore[method-assign,assignment]  # to look while it is asked
    study.describe()
    assert found == [True]


@pytest.mark.parametrize(
    "broken", [None, "metin", [], {}, {"title": " ", "summary": 5, "topics": {"a": "b"}}]
)
def test_a_reply_is_not_taken_for_a_description_unless_it_is_one(broken: Any) -> None:
    with pytest.raises(ReplyInvalidError):
        validated(broken)


def test_a_session_too_long_for_one_request_is_sent_as_beginning_and_end(study: Study) -> None:
    study.ask("BAŞLANGIÇ " + "orta " * 400 + "SON")
    said = transcript(study.active.messages, ScriptedModel(context=200))
    assert len(said) < 320
    assert "BAŞLANGIÇ" in said
    assert said.endswith("assistant: Tamam.")
    assert "[…]" in said
    whole = transcript(study.active.messages, ScriptedModel())
    assert whole.count("orta") == 400


# imported sessions, within a budget


def imports(study: Study, *names: str, title: str | None = None) -> None:
    for name in names:
        one = finished(name, "Şafak olayı nedir?", "Sabah yükselir.", title=title, summary="S")
        study.archive.imports.add([replace(one, is_extracted=True)])


def test_within_the_budget_the_model_describes_them_and_a_title_of_the_files_stays(
    study: Study,
) -> None:
    imports(study, "a", title="Dosyanın başlığı")
    study.set(import_tokens=100_000)
    (session,) = study.describe()
    assert (session.title, session.summary) == ("Dosyanın başlığı", "Modelin özeti.")
    assert session.described_by is DescribedBy.MODEL
    assert study.search.find(Query("modelin özeti", scope=EVERYWHERE))
    assert study.describe() == []
    assert study.archive.answers.spent_tokens(Purpose.DESCRIBE_IMPORT) == 17


def test_describing_imports_ends_if_the_next_request_would_go_over_the_budget(
    study: Study,
) -> None:
    imports(study, "a", "b", "c")
    study.set(import_tokens=1_550)
    assert len(study.describe()) == 2  # 17 tokens each; a third might cost more than is left
    assert study.describe() == []
    assert len(study.script.json_requests) == 2


def test_a_model_that_cannot_be_reached_leaves_imports_for_later_and_a_refusal_is_final(
    study: Study, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions.conversation.session_description", "refused")
    imports(study, "a")
    study.set(import_tokens=100_000)
    study.script.descriptions.append(ConnectionLostError(where="x"))
    assert study.describe() == []
    study.script.descriptions.append(RefusedError())
    (session,) = study.describe()
    assert session.summary == "S"
    assert study.describe() == []


def test_every_session_has_a_title_before_a_model_is_asked_for_a_better_one(study: Study) -> None:
    for _ in range(2):
        an_ended_session(study)
        study.clock.pass_by(days=1)
    pending = study.assistant.describe_pending(lambda: False)
    first = [next(pending).session for _ in range(2)]
    assert {one.described_by for one in first if one} == {DescribedBy.EXTRACTION}
    assert all(one.title for one in study.sessions())
    assert study.script.json_requests == []
    better = [done.session for done in pending]
    assert {one.described_by for one in better if one} == {DescribedBy.MODEL}
