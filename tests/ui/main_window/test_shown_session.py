"""Which session the transcript shows while several are asked for, and what is said meanwhile."""

from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.ui.services import NavigationTarget
from desktop.ui.session.shown_session import ShownSession
from tests.ui.main_window.stage import Stage


def shown_of(stage: Stage) -> ShownSession:
    return stage.window.sessions._shown


def ids(stage: Stage) -> list[SessionId]:
    return [one.id for one in stage.archive.sessions.sessions() if one.messages > 2]


def newest(stage: Stage, session_id: SessionId) -> Message:
    return stage.archive.sessions.messages(session_id)[-1]


def test_of_several_sessions_the_one_asked_for_last_is_shown(library: Stage) -> None:
    first, second = ids(library)[:2]
    opened: list[SessionId | None] = []
    shown_of(library).opened.connect(opened.append)
    shown_of(library).open(NavigationTarget(first))
    shown_of(library).open(NavigationTarget(second))
    library.until(lambda: shown_of(library).shows(second))
    assert opened == [second]


def test_an_empty_page_wins_over_a_session_that_is_still_read(library: Stage) -> None:
    shown_of(library).open(NavigationTarget(ids(library)[0]))
    shown_of(library).show_empty()
    second = ids(library)[1]
    shown_of(library).open(NavigationTarget(second))
    library.until(lambda: shown_of(library).session is not None)
    assert shown_of(library).shows(second)


def test_what_is_said_while_a_session_is_read_stands_in_it_once(library: Stage) -> None:
    (first, *_) = ids(library)
    message = newest(library, first)
    shown_of(library).open(NavigationTarget(first))
    shown_of(library).add(message, None)
    library.until(lambda: shown_of(library).shows(first))
    assert [entry.message.id for entry in library.messages()].count(message.id) == 1
