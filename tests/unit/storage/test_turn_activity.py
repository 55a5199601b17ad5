"""What was done for an answer comes back as it was told, for its trace."""

from desktop.domain.events import (
    SourceFound,
    StepEnded,
    StepStarted,
    ToolCalled,
    ToolState,
    WorkDone,
)
from desktop.domain.ids import MessageId, SessionId, TurnId
from desktop.domain.research import StepKind, StepState
from desktop.domain.sources import SourceKind
from desktop.domain.usage import Usage
from desktop.storage.archive import Archive
from tests.archives import finished

NONE = TurnId("")
STEP = StepEnded(
    NONE, "find:1", StepKind.FIND, StepState.FAILED, 2, Usage(5, 3, 2, 1, 0.5), 40, "web"
)
CALL = ToolCalled(NONE, "2", "web_search", "zeytin", ToolState.DONE, 30)
PAGE = SourceFound(NONE, SourceKind.WEB, "s", "Zeytin", "https://a.example", is_suspicious=True)
SESSION = SourceFound(NONE, None, "other", "Pırasa")


def answer_in(archive: Archive) -> MessageId:
    archive.imports.add([finished("first", "Soru", "Yanıt")])
    return archive.sessions.messages(SessionId("first"))[1].id


def test_it_comes_back_in_its_order(archive: Archive) -> None:
    answer = answer_in(archive)
    several = [
        WorkDone(1, STEP, "Ne kadar su ister?"),
        *(WorkDone(2, one) for one in (CALL, PAGE, SESSION)),
    ]
    archive.work_done.keep(answer, several)
    assert archive.work_done.of_answer(answer) == several
    archive.work_done.keep(answer, several[:1])
    assert archive.work_done.of_answer(answer) == several[:1]


def test_a_step_is_told_with_its_beginning() -> None:
    told = list(WorkDone(1, STEP, "Ne kadar su ister?").told())
    assert told == [StepStarted(NONE, "find:1", StepKind.FIND, "Ne kadar su ister?"), STEP]


def test_of_an_answer_that_is_not_there_nothing_is_kept(archive: Archive) -> None:
    archive.work_done.keep(MessageId(404), [WorkDone(1, CALL)])
    assert archive.work_done.of_answer(MessageId(404)) == []
