"""A row with an unreadable value: it is shown, and shown as damaged."""

from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.domain.facts import Fact, Origin, Term
from desktop.domain.ids import FactId, SessionId, SourceId
from desktop.domain.sessions import Session, SessionStatus
from desktop.domain.sources import Source, SourceKind
from desktop.ui.formatting import SourceLabels
from desktop.ui.memory.memory_actions import FactListModel
from desktop.ui.searchable_list import SearchableItem
from desktop.ui.sidebar.model import SessionListModel, SessionRole
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.card import headline
from desktop.ui.transcript.view import TranscriptView
from tests.ui.transcript.conftest import answer, card_of, question

AT = datetime(2026, 3, 5, 12, tzinfo=UTC)


def test_a_damaged_session_is_in_the_list(qtbot: QtBot) -> None:
    model = SessionListModel(AT.date)
    session = Session(SessionId("s"), SessionStatus.COMPLETE, AT, AT, title="Kan şekeri")
    model.show_sessions([replace(session, is_damaged=True), session], has_more=False)
    assert model.index(1).data() == "Kan şekeri"
    assert model.index(1).data(SessionRole.WHEN) == "damaged"


def test_a_damaged_message_is_in_its_session(qtbot: QtBot, theme: ThemeController) -> None:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    asked = replace(question(1, "Kan \ufffd"), is_damaged=True)
    view.show_session([asked, answer(2)])
    (pane,) = card_of(view, asked).panes()
    assert pane.toPlainText().splitlines() == ["Kan \ufffd", "(This message is damaged.)"]
    assert headline(replace(answer(2), is_damaged=True)).endswith(" · damaged")


def test_a_damaged_fact_and_a_damaged_document_are_in_their_lists(qtbot: QtBot) -> None:
    fact = Fact(FactId("f"), "Ev", "İzmir", 5, Origin.USER, Term.LONG, AT, is_damaged=True)
    model = FactListModel()
    model.show_items(SearchableItem.of_all([fact], [fact.content]))
    said = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.endswith("damaged")
    source = Source(SourceId("d"), SourceKind.DOCUMENT, "Kış", "/a", AT, AT, "0", is_damaged=True)
    assert SourceLabels().trouble(source) == "part of its record is damaged"
