"""What belongs to an answer: citations, ratings and cost."""

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Citation, CitationState, Rating, Thumb
from desktop.domain.usage import Purpose, Usage
from desktop.storage.answer_records import AnswerRecord
from desktop.storage.archive import Archive
from tests.archives import an_active_session, stored

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


def test_a_rating_can_be_changed_and_taken_back(archive: Archive) -> None:
    _fill(archive)
    archive.answers.rate(Rating(MessageId(2), Thumb.UP))
    archive.answers.rate(Rating(MessageId(2), Thumb.DOWN, "kaynak yok"))
    assert archive.answers.ratings(SESSION) == {2: Rating(MessageId(2), Thumb.DOWN, "kaynak yok")}
    archive.answers.unrate(MessageId(2))
    assert archive.answers.ratings(SESSION) == {}


def test_what_an_answer_and_what_the_session_itself_cost_is_counted_apart(
    archive: Archive,
) -> None:
    _fill(archive)
    for cost in (0.5, 0.25):
        archive.answers.count_usage(
            SESSION,
            Usage(10, 5, 3, 2, cost),
            purpose=Purpose.ANSWER,
            model="m",
            message_id=MessageId(2),
        )
    archive.answers.count_usage(SESSION, Usage(7, 1), purpose=Purpose.DESCRIBE, model="m")
    assert archive.answers.usage(SESSION) == {
        MessageId(2): Usage(20, 10, 6, 4, 0.75),
        None: Usage(7, 1, 0, 0, None),
    }
