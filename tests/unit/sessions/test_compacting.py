"""The older part of a long session is summarised after the turn, whatever happens to its path."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.domain.errors import OverloadedError
from desktop.domain.events import ContextReduced, Outcome
from desktop.domain.facts import FactFilter, Refusal
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Compact, Role, covered
from desktop.domain.model import ModelRequest
from desktop.domain.projects import EVERYTHING
from desktop.settings.settings import Overflow
from tests.archives import an_active_session, stored
from tests.models import ScriptedModel, a_compact, faithful
from tests.studies import Study
from tests.unit.sessions.test_fact_learning import fact

SESSION = SessionId("s1")
FEW, AFTER = 4, 30
"""The fewest messages that stay word for word, and that a compact stands for."""


def fill(folder: Path, count: int, begun: str = "söz", *, model: ScriptedModel) -> Study:
    """A study with a session of that many messages, each beginning with these words."""
    study = Study(folder, model)
    said = [
        stored(SESSION, number, f"{begun} {number} {letters(number)}, {'böyle sürüp gider ' * 4}.")
        for number in range(1, count + 1)
    ]
    study.archive.sessions.save(an_active_session(), said)
    study.set(
        detects_subject_change=False,
        detects_thanks=False,
        uses_past_sessions=False,
        history_items=FEW,
        compact_after=AFTER,
    )
    study.assistant.continue_unfinished()
    return study


def letters(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def compacts(study: Study) -> list[Compact]:
    return study.archive.compacts.compacts(study.active.id)


def spans(study: Study) -> list[tuple[int, int]]:
    return [(one.from_number, one.to_number) for one in compacts(study)]


def told_of(study: Study, content: str) -> dict[str, JsonValue]:
    return fact(content, study.said[0], topic="Tarım")


@pytest.fixture
def filled(tmp_path: Path, model: ScriptedModel) -> Iterator[Callable[..., Study]]:
    """A user who comes back to a session of that many messages."""
    with ExitStack() as made:
        yield lambda *given: made.enter_context(closing(fill(tmp_path, *given, model=model)))


@pytest.fixture
def study(filled: Callable[..., Study]) -> Study:
    return filled(2 * AFTER + FEW)


def test_all_that_is_due_is_summarised_and_what_is_left_begins_with_a_question(
    study: Study,
) -> None:
    study.describe()
    assert spans(study) == [(1, 30), (31, 60)]
    assert len(study.script.compact_requests) == 2
    study.ask("Neden?")
    texts = [one.text for one in study.script.requests[-1].messages]
    assert texts == [*(one.summary for one in compacts(study)), *study.said[60:-1]]


def test_a_summary_that_is_no_shorter_than_its_messages_is_not_kept(study: Study) -> None:
    def longer(request: ModelRequest) -> JsonValue:
        return a_compact(*(one.text for one in request.messages))

    study.script.compacts.extend([longer] * 2)
    study.describe()
    assert len(study.script.compact_requests) == 1
    assert spans(study) == []


def test_nothing_is_summarised_while_a_turn_runs_or_too_early(
    filled: Callable[..., Study], model: ScriptedModel
) -> None:
    study = filled(AFTER + FEW - 1)
    study.describe()
    assert model.compact_requests == []
    study.ask("Neden?")
    list(study.assistant.describe_pending(lambda: True))
    assert model.compact_requests == []
    study.describe()
    assert spans(study) == [(1, 30)]


def test_a_model_that_cannot_be_reached_is_asked_after_the_next_turn(study: Study) -> None:
    study.script.compacts.append(OverloadedError())
    study.describe()
    assert spans(study) == []
    study.describe()
    assert spans(study) == [(1, 30), (31, 60)]


def test_a_summary_that_lacks_something_is_asked_for_once_more_with_what_is_missing(
    study: Study,
) -> None:
    study.script.compacts.append(a_compact("kısa"))
    study.describe()
    again = study.script.compact_requests[1]
    assert again.messages == study.script.compact_requests[0].messages
    assert all(str(number) in (again.changing or "") for number in range(1, 31))
    assert spans(study) == [(1, 30), (31, 60)]


def test_after_two_bad_summaries_messages_stay_until_twenty_more_arrive(study: Study) -> None:
    """This also holds in the next process."""
    study.script.compacts.extend([a_compact("kısa"), a_compact("kısa")])
    study.describe()
    study.describe()
    later = study.after_a_crash()
    later.settings = study.settings
    later.assistant.continue_unfinished()
    for _ in range(9):
        later.ask("Neden?")
        later.describe()
    assert len(study.script.compact_requests) == 2
    later.ask("Neden?")
    texts = [one.text for one in study.script.requests[-1].messages]
    assert texts == later.said[:-1]
    later.describe()
    assert spans(later) == [(1, 30), (31, 60)]


def test_facts_of_a_rejected_summary_are_still_learned(study: Study) -> None:
    """At the end of such a long session its beginning is not read again."""
    told = told_of(study, f"Kullanıcı {study.said[0]} dedi.")
    short = a_compact("kısa", facts=[told])
    study.script.compacts.extend([short, short])
    study.describe()
    assert spans(study) == []
    assert len(study.archive.facts.facts(FactFilter(EVERYTHING))) == 1


def test_a_summary_s_facts_in_another_language_than_the_users_are_asked_for_once_more(
    filled: Callable[..., Study], model: ScriptedModel
) -> None:
    """Only the facts are requested again: the complete summary stays."""
    study = filled(AFTER + FEW, "Giresun'da fındık yetiştiriyorum")
    english = told_of(study, "The user grows hazelnuts in Giresun.")
    turkish = told_of(study, "Kullanıcı Giresun'da fındık yetiştiriyor.")
    model.compacts.extend([whole(facts=[english]), a_compact("kısa", facts=[turkish])])
    study.describe()
    assert len(model.compact_requests) == 2
    assert "language" in (model.compact_requests[1].changing or "")
    assert [one.content for one in study.archive.facts.facts(FactFilter(EVERYTHING))] == [
        turkish["fact"]
    ]
    assert spans(study) == [(1, 30)]


def test_a_summary_stays_if_the_retry_for_its_facts_fails(
    filled: Callable[..., Study], model: ScriptedModel
) -> None:
    study = filled(AFTER + FEW, "Giresun'da fındık yetiştiriyorum")
    english = told_of(study, "The user grows hazelnuts in Giresun.")
    model.compacts.extend([whole(facts=[english]), OverloadedError()])
    study.describe()
    assert len(model.compact_requests) == 2
    assert spans(study) == [(1, 30)]


def whole(*, facts: Sequence[JsonValue]) -> Callable[[ModelRequest], JsonValue]:
    """A complete summary with these facts."""

    def reply(request: ModelRequest) -> JsonValue:
        found = faithful(request)
        assert isinstance(found, Mapping)
        return {**found, "facts": list(facts)}

    return reply


def test_a_secret_in_a_summary_s_facts_is_not_kept(study: Study) -> None:
    told = told_of(study, f"Kullanıcının şifresi: {study.said[0].replace(' ', '')}")
    short = a_compact("kısa", facts=[told])
    study.script.compacts.extend([short, short])
    study.describe()
    assert study.archive.facts.facts(FactFilter(EVERYTHING)) == []
    assert study.archive.learning.refused() == {Refusal.SECRET: 1}


def test_replies_that_are_no_summary_leave_the_messages_as_they_are(study: Study) -> None:
    study.script.compacts.extend(["?", {"timeline": []}])
    study.describe()
    assert len(study.script.compact_requests) == 2
    assert "not a JSON object" in (study.script.compact_requests[1].changing or "")
    assert spans(study) == []


def test_a_summary_of_a_path_that_was_left_meanwhile_is_not_kept(study: Study) -> None:
    def edited(request: ModelRequest) -> JsonValue:
        if len(study.script.compact_requests) == 1:
            study.run(study.assistant.edit(study.active.messages[10].id, "Baştan?"))
        return faithful(request)

    study.script.compacts.append(edited)
    study.describe()
    assert spans(study) == []
    assert [one.text for one in study.script.requests[-1].messages] == study.said[:-1]


def test_a_turn_waits_for_a_summary_in_progress_and_requests_no_other(study: Study) -> None:
    """The second caller decides what to do about the overflow."""
    compactor = study.assistant._answerer.compactor
    turn = study.assistant.ask("?")
    with compactor._making:
        turn.cancelled.set()
        assert compactor.compact_now(study.active.messages[:30], study.script, turn) == 0
    assert study.script.compact_requests == []
    study.describe()
    turn.cancelled.clear()
    assert compactor.compact_now(study.active.messages[:30], study.script, turn) == 60
    assert len(study.script.compact_requests) == 2


@pytest.mark.parametrize("overflow", [Overflow.KEEP_LAST, Overflow.END])
def test_without_the_setting_no_summary_is_written(study: Study, overflow: Overflow) -> None:
    study.set(overflow=overflow)
    study.describe()
    assert study.script.compact_requests == []


def test_a_message_too_long_to_be_summarised_whole_stays_until_nothing_else_helps(
    filled: Callable[..., Study], model: ScriptedModel
) -> None:
    study = filled(AFTER + FEW)
    study.run(study.assistant.edit(study.active.messages[0].id, "Ölçüm neden yüksek? " * 400))
    for _ in range(AFTER):
        study.ask("Neden?")
    study.summariser = summariser = ScriptedModel(context=2_000)
    study.describe()
    assert summariser.compact_requests == []
    assert [one.text for one in model.requests[-1].messages] == study.said[:-1]
    model.context = 2_500
    study.ask("Neden?")
    (first, *_) = compacts(study)
    assert "1. mesajın ortası okunamayacak kadar uzundu" in first.summary
    assert all(len(one.messages[0].text) < 2_000 * 3 for one in summariser.compact_requests)


def test_lines_missing_in_a_summary_are_added_verbatim_if_the_messages_do_not_fit(
    filled: Callable[..., Study], model: ScriptedModel
) -> None:
    model.context = 3_000
    study = filled(3)
    model.compacts.extend([a_compact("kısa")] * 40)
    for number in range(30):
        study.ask(
            f"Dün 4{number} mg aldım. " + "Kan şekeri sabaha karşı neden yükselir, peki? " * 8
        )
    first = compacts(study)[0]
    for number in range(first.to_number // 2 - 2):
        assert f"Dün 4{number} mg aldım." in first.summary


def test_a_reply_that_is_no_summary_does_not_fail_a_turn_that_is_too_long(
    filled: Callable[..., Study], model: ScriptedModel
) -> None:
    model.context = 3_000
    study = filled(3)
    model.compacts.extend(["?"] * 99)
    left_out = 0
    for _ in range(30):
        ended = study.ask("Kan şekeri sabaha karşı neden yükselir, peki? " * 10)
        assert ended.outcome is Outcome.COMPLETE
        left_out += sum(event.left_out for event in study.happened(ContextReduced))
    assert left_out
    assert spans(study) == []


# Whatever happens to the path

acts = st.lists(
    st.tuples(
        st.sampled_from(["ask", "compact", "edit", "retry", "version", "restart"]),
        st.integers(0, 10_000),
    ),
    min_size=1,
    max_size=12,
)


class Person:
    """Does random things to a long session."""

    def __init__(self, folder: Path, count: int) -> None:
        self.model = ScriptedModel()
        self.study = fill(folder, count, model=self.model)

    def do(self, act: str, which: int) -> None:
        messages = self.study.active.messages
        match act:
            case "ask":
                self.ask("Neden?")
            case "compact":
                self.study.describe()
            case "edit":
                asked = [one.id for one in messages if one.role is Role.USER]
                self.sent(self.study.assistant.edit(asked[which % len(asked)], f"Yine {which}?"))
            case "retry":
                self.sent(self.study.assistant.retry(messages[which % len(messages)].id))
            case "version":
                self.show_version(which)
            case "restart":
                settings = self.study.settings
                self.study = self.study.after_a_crash()
                self.study.settings = settings
                self.study.assistant.continue_unfinished()
            case _:
                raise AssertionError(act)

    def ask(self, words: str) -> None:
        self.sent(self.study.assistant.ask(words))

    def sent(self, turn: object) -> None:
        """The request is the compacts and all later messages: none twice, none missing."""
        self.study.run(turn)  # type: ignore[arg-type]  # a turn
        standing = compacts(self.study)
        texts = [one.text for one in self.model.requests[-1].messages]
        after = self.study.said[covered(standing) : -1]
        assert texts == [*(one.summary for one in standing), *after]

    def show_version(self, which: int) -> None:
        versions: list[MessageId] = [
            other
            for message in self.study.active.messages
            for other in self.study.active.versions(message.id).ids
            if other != message.id
        ]
        if versions:
            self.study.assistant.show_version(versions[which % len(versions)])

    def check(self) -> None:
        reached = 0
        path = self.study.active.messages
        for one in compacts(self.study):
            assert one.from_number == reached + 1
            reached = one.to_number
            assert path[reached - 1].id == one.last_message_id
            read = [message.content for message in path[one.from_number - 1 : reached]]
            assert all(any(word in one.summary for word in words.split()) for words in read)
        assert reached < len(path)


@settings(max_examples=25)
@given(st.integers(AFTER + FEW - 2, 3 * AFTER), acts)
def test_compacts_never_overlap_nor_leave_a_gap_and_hold_on_their_path_alone(
    count: int, doings: list[tuple[str, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        person = Person(Path(folder), count)
        for act, which in doings:
            person.do(act, which)
            person.check()
        person.study.close()
