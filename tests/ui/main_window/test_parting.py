"""Splitting and merging past sessions in the window, and taking it back from the notice."""

from collections.abc import Callable

import pytest

from desktop.domain.sessions import Session
from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.window.actions import ActionId
from tests.guards import LogWatch
from tests.ui.main_window.stage import Stage


@pytest.fixture
def library(opens: Callable[[], Stage]) -> Stage:
    """The window over the example library."""
    stage = opens()
    stage.add_examples()
    stage.attach()
    stage.until(lambda: len(stage.rows()) > 1)
    return stage


def _by_beginning(stage: Stage) -> list[Session]:
    return sorted(stage.archive.sessions.sessions(), key=lambda one: one.created_at)


def _shows(stage: Stage, session: Session, messages: int) -> bool:
    shown = stage.window.sessions.shown
    return shown is not None and shown.id == session.id and len(stage.messages()) == messages


def test_a_session_is_split_at_the_shown_message_and_put_together_again(library: Stage) -> None:
    one = _by_beginning(library)[3]
    count = len(_by_beginning(library))
    library.window.sessions.open(NavigationTarget(one.id))
    library.until(lambda: _shows(library, one, one.messages))
    at = library.messages()[4].message.id
    library.window.parts.transcript.action_chosen.emit(MessageRequest(MessageAction.SPLIT, at))
    library.until(lambda: _shows(library, one, 4))
    assert len(_by_beginning(library)) == count + 1
    assert "was split in two" in library.window.parts.strip.text("parted")
    library.window.parts.strip.choose_first("parted")
    library.until(lambda: _shows(library, one, one.messages))
    assert len(_by_beginning(library)) == count
    assert "parted" not in library.window.parts.strip


def test_a_session_is_merged_into_the_one_before_it_and_parted_again(library: Stage) -> None:
    first, second = _by_beginning(library)[3:5]
    library.window.sessions.open(NavigationTarget(second.id))
    library.until(lambda: _shows(library, second, second.messages))
    library.window.parts.sidebar.merge_requested.emit(second.id)
    library.until(lambda: _shows(library, first, first.messages + second.messages))
    library.until(lambda: second.title not in library.rows())
    library.window.parts.strip.choose_first("parted")
    library.until(lambda: _shows(library, first, first.messages))
    library.until(lambda: second.title in library.rows())


def test_the_session_menu_merges_what_is_shown_and_learns_from_it(library: Stage) -> None:
    first, second = _by_beginning(library)[3:5]
    actions = library.window.actions_by_name
    assert not actions[ActionId.MERGE].isEnabled()
    library.window.sessions.open(NavigationTarget(second.id))
    library.until(lambda: _shows(library, second, second.messages))
    library.has_model = False
    actions[ActionId.LEARN].trigger()
    library.until(lambda: "learning" in library.window.parts.strip)
    actions[ActionId.MERGE].trigger()
    library.until(lambda: _shows(library, first, first.messages + second.messages))


def test_the_first_session_of_all_cannot_be_merged_and_the_window_says_so(library: Stage) -> None:
    first = _by_beginning(library)[0]
    library.window.parts.sidebar.merge_requested.emit(first.id)
    library.until(lambda: "parted" in library.window.parts.strip)
    assert "no session before" in library.window.parts.strip.text("parted")


def test_a_past_session_is_read_for_facts_when_that_is_asked_for(
    library: Stage, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions.session_description", "is not described by the model")
    log_watch.expect("desktop.sessions.session_description", "could not be read")
    one = _by_beginning(library)[2]
    assert not library.archive.learning.is_due(one.id)
    library.window.parts.sidebar.learn_requested.emit(one.id)
    library.until(lambda: "learning" in library.window.parts.strip)
    assert "Looking for facts" in library.window.parts.strip.text("learning")
    library.until(lambda: library.archive.learning.failed_before() == [one.id])


def test_a_link_to_a_session_that_was_put_to_another_leads_there(library: Stage) -> None:
    first, second = _by_beginning(library)[3:5]
    at = library.archive.sessions.messages(second.id)[1].id
    library.services.assistant.split_merge.merge(second.id)
    for link in (f"bellek://session/{second.id}", f"bellek://session/{second.id}?message={at}"):
        library.window.sessions.show_active()
        library.window.desk.follow(at, link)
        library.until(lambda: _shows(library, first, first.messages + second.messages))
