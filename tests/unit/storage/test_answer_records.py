"""The records of an answer: citations, ratings, cost, and work."""

from desktop.domain.events import (
    SourceFound,
    StepEnded,
    StepStarted,
    ToolCalled,
    ToolState,
    WorkDone,
)
from desktop.domain.ids import MessageId, SessionId, TurnId
from desktop.domain.messages import Citation, CitationState
from desktop.domain.research import StepKind, StepState
from desktop.domain.sources import SourceKind
from desktop.domain.usage import Usage
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.archives import an_active_session, finished, stored

SESSION = SessionId("s1")


def _fill(archive: Archive) -> None:
    archive.sessions.save(
        an_active_session(), [stored(SESSION, number, f"{number}") for number in range(1, 7)]
    )


def test_citations_come_back_by_message_and_in_the_order_of_their_numbers(
    archive: Archive,
) -> None:
    _fill(archive)
    cited = [
        Citation(number, CitationState.CHECKED, f"alıntı {number}", "s0", "17", "Başlık")
        for number in (2, 1)
    ]
    archive.sessions.keep_records(SESSION, [AnswerRecord(MessageId(2), "", cited)])
    assert archive.answers.citations(SESSION) == {2: [cited[1], cited[0]]}
    assert archive.answers.citations(SessionId("other")) == {}


NONE = TurnId("")
STEP = StepEnded(
    NONE, "find:1", StepKind.FIND, StepState.FAILED, 2, Usage(5, 3, 2, 1, 0.5), 40, "web"
)
CALL = ToolCalled(NONE, "2", "web_search", "zeytin", ToolState.DONE, 30)
PAGE = SourceFound(NONE, SourceKind.WEB, "s", "Zeytin", "https://a.example", is_suspicious=True)
OTHER = SourceFound(NONE, None, "other", "Pırasa")


def answer_in(archive: Archive) -> MessageId:
    archive.imports.add([finished("first", "Soru", "Yanıt")])
    return archive.sessions.messages(SessionId("first"))[1].id


def test_the_work_for_an_answer_is_read_back_in_order(archive: Archive) -> None:
    answer = answer_in(archive)
    several = [
        WorkDone(1, STEP, "Ne kadar su ister?"),
        *(WorkDone(2, one) for one in (CALL, PAGE, OTHER)),
    ]
    archive.work_done.keep(answer, several)
    assert archive.work_done.of_answer(answer) == several
    archive.work_done.keep(answer, several[:1])
    assert archive.work_done.of_answer(answer) == several[:1]


def test_a_step_is_reported_when_it_begins() -> None:
    told = list(WorkDone(1, STEP, "Ne kadar su ister?").events())
    assert told == [StepStarted(NONE, "find:1", StepKind.FIND, "Ne kadar su ister?"), STEP]


def test_nothing_is_stored_for_a_missing_answer(archive: Archive) -> None:
    archive.work_done.keep(MessageId(404), [WorkDone(1, CALL)])
    assert archive.work_done.of_answer(MessageId(404)) == []
