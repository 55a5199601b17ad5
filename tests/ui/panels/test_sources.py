from datetime import UTC, datetime

from pytestqt.qtbot import QtBot

from desktop.domain.ids import message_id_at, moment_of, new_passage_id
from desktop.domain.messages import Citation, CitationState
from desktop.ui.formatting import clock_time, day
from desktop.ui.panels.sources import SourcesPanel
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.plain_text import Label

SAID = datetime(2025, 10, 23, 6, 13, tzinfo=UTC)


def citation(number: int, passage: str, title: str) -> Citation:
    return Citation(number, CitationState.CHECKED, "Söz", "kaynak", passage, title)


def test_the_time_in_an_id_is_when_the_message_was_said() -> None:
    assert moment_of(message_id_at(SAID)) == SAID


def test_what_was_said_in_a_session_has_its_day_and_a_document_has_none(
    qtbot: QtBot, theme: ThemeController
) -> None:
    panel = SourcesPanel(theme)
    qtbot.addWidget(panel)
    said = citation(1, str(message_id_at(SAID)), "Nar ekşisi")
    read = citation(2, "12345678901234", "Kitap")
    assert len(new_passage_id()) == len(read.passage_id)
    panel.show_citations([said, read, citation(3, "", "Özet")])
    shown = [label.text() for label in panel.findChildren(Label)]
    wanted = f"Session · {day(SAID)}, {clock_time(SAID)}"
    assert [text for text in shown if text.startswith("Session")] == [wanted]
    assert shown.index(wanted) == shown.index("Nar ekşisi") + 1
