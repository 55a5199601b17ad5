"""The passages used for an answer: their places, and an answer without them."""

from desktop.domain.errors import KeyRejectedError
from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.answer_card import AnswerCard, UsedPassages
from desktop.ui.widgets.buttons import Button
from tests.narrowing import instance, present
from tests.ui.main_window.stage import Stage
from tests.ui.read_aloud import nameless

QUESTION = "Explain the difference between Dawn fenomeni and Somogyi etkisi"


def _used(stage: Stage) -> UsedPassages:
    card = instance(stage.window.parts.transcript.live[stage.messages()[-1]], AnswerCard)
    (found,) = card.findChildren(UsedPassages)
    return found


def _buttons(stage: Stage) -> dict[str, Button]:
    """The visible buttons, by name."""
    buttons = _used(stage).findChildren(Button)
    return {one.accessibleName(): one for one in buttons if one.isVisible()}


def _titles(stage: Stage) -> set[str]:
    return {one.title for one in stage.messages()[-1].facts.recalled}


def _asked(stage: Stage) -> Stage:
    stage.ask(QUESTION)
    stage.until(lambda: bool(stage.messages()[-1].facts.recalled))
    return stage


def test_the_answer_shows_how_many_past_sessions_it_used(library: Stage) -> None:
    stage = _asked(library)
    sessions = {one.session_id for one in stage.messages()[-1].facts.recalled}
    assert list(_buttons(stage)) == [f"Passages from {len(sessions)} past sessions sent, hidden"]
    (head,) = _buttons(stage).values()
    assert head.visibleRegion().boundingRect().size() == head.size()
    library.ask("Thanks")
    assert not library.messages()[-1].facts.recalled


def test_a_used_passage_opens_where_it_stands(library: Stage) -> None:
    stage = _asked(library)
    (head,) = _buttons(stage).values()
    head.click()
    card = stage.window.parts.transcript.live[stage.messages()[-1]]
    stage.until(lambda: len(_buttons(stage)) > 1)
    assert not nameless(card)
    item = stage.messages()[-1].facts.recalled[0]
    next(one for name, one in _buttons(stage).items() if name.startswith(item.title)).click()
    sessions = stage.window.sessions
    stage.until(lambda: sessions.shown is not None and sessions.shown.id == item.session_id)
    transcript = stage.window.parts.transcript
    stage.until(lambda: bool(transcript.marking._marks.terms))
    entry = next(one for one in stage.messages() if str(one.message.id) == item.target)
    assert transcript.marking._marks.spans(entry.text)


def test_sessions_are_left_out_one_after_the_other(library: Stage) -> None:
    stage = _asked(library)
    left_out: set[str] = set()
    for version in (2, 3):
        used = _titles(stage)
        if not stage.messages()[-1].shows_used:
            next(iter(_buttons(stage).values())).click()
        title = min(used)
        left_out.add(title)
        _buttons(stage)[f"Leave out “{title}” and ask again"].click()

        def is_answered(version: int = version) -> bool:
            facts = stage.messages()[-1].facts
            return bool(facts.versions and len(facts.versions.ids) == version and facts.recalled)

        stage.until(is_answered)
        assert not left_out & _titles(stage)
        assert stage.shown().count(QUESTION) == 1


def test_a_reopened_session_shows_it_too(library: Stage) -> None:
    stage = _asked(library)
    recalled = [(one.target, one.title) for one in stage.messages()[-1].facts.recalled]
    active = present(stage.window.sessions.active)
    stage.read_past()
    stage.window.sessions.open(NavigationTarget(active.id))
    stage.until(lambda: QUESTION in stage.shown())
    stage.until(lambda: bool(stage.messages()[-1].facts.recalled))
    shown = stage.messages()[-1].facts.recalled
    assert [(one.target, one.title) for one in shown] == recalled
    assert all(one.snippet for one in shown)


def test_a_failed_answer_used_nothing(library: Stage) -> None:
    library.model.fails(KeyRejectedError())
    assert not _buttons(_asked(library))


def test_a_stopped_answer_was_only_sent_the_passages(library: Stage) -> None:
    answer = library.model.holds("Bir ", "iki")
    library.send(QUESTION)
    library.until(lambda: library.shown()[-1:] == ["Bir "])
    library.window.sessions.asking.stop()
    answer.go.set()
    library.until(lambda: bool(library.messages()[-1].facts.recalled))
    assert ["Passages from" in name for name in _buttons(library)] == [True]


def test_nothing_is_left_out_of_a_past_session(library: Stage) -> None:
    stage = _asked(library)
    assert stage.window.sessions.active is not None
    asked = stage.window.sessions.active.id
    stage.read_past()
    stage.window.sessions.end()
    stage.window.sessions.open(NavigationTarget(asked))
    stage.until(lambda: bool(stage.messages()) and bool(stage.messages()[-1].facts.recalled))
    next(iter(_buttons(stage).values())).click()
    stage.until(lambda: len(_buttons(stage)) > 1)
    assert not [name for name in _buttons(stage) if name.startswith("Leave out")]
