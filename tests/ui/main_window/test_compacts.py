"""What stands for the older messages of a session can be read in the window."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop.domain.errors import DiskFullError
from desktop.domain.events import ContextReduced
from desktop.domain.ids import SessionId, TurnId
from desktop.domain.language import Language
from desktop.domain.sessions import Compact
from desktop.settings.messages import Texts
from desktop.ui.dialogs.information_dialogs import ActiveSummary, SummariesDialog
from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.card import NoticeCard
from desktop.ui.transcript.entries import NoticeEntry
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.plain_text import Label
from desktop.ui.window.actions import ActionId
from tests.archives import finished
from tests.ui.dialogs.stand_ins import AtOnce
from tests.ui.main_window.stage import Stage

LONG = SessionId("uzun")
SUMMARY = (
    "Bu oturumun 1–4. mesajlarının özeti; onların yerine geçer:\n\n"
    "Konular:\n- Lizbon gezisi\n\nKesinleşenler:\n- 14 Mayıs'ta, **742 avroya** uçuluyor.\n"
)
LATER = "Bu oturumun 5–8. mesajlarının özeti; onların yerine geçer:\n\nKonular:\n- Otel\n"


def add_long_session(stage: Stage) -> None:
    said = [f"{number}. söz" for number in range(1, 11)]
    stage.archive.imports.add([finished(LONG, *said, title="Lizbon")])
    messages = stage.archive.sessions.messages(LONG)
    for first, last, summary in ((1, 4, SUMMARY), (5, 8, LATER)):
        compact = Compact(LONG, first, last, messages[last - 1].id, summary)
        assert stage.archive.compacts.add(compact)


@pytest.fixture
def asked(stage: Stage) -> Stage:
    """A session with two compacts that was gone on with: they went with the question."""
    add_long_session(stage)
    with stage.qtbot.waitSignal(stage.window.sessions.active_changed):
        stage.window.sessions.resume(LONG)
    stage.window.sessions.open(NavigationTarget(LONG))
    stage.until(lambda: bool(stage.shown()))
    stage.ask("Otel hangisiydi?")
    stage.window.parts.show_panel(stage.window.parts.context)
    return stage


def opened(stage: Stage) -> SummariesDialog:
    (dialog,) = stage.window.findChildren(SummariesDialog)
    stage.until(lambda: len(dialog.sections) == 2)
    return dialog


def ranges(dialog: SummariesDialog) -> list[str]:
    return [section.range.text() for section in dialog.sections]


def words_of(dialog: SummariesDialog) -> str:
    bodies = (section.body for section in dialog.sections)
    return "\n".join(pane.toPlainText() for body in bodies for pane in body.panes())


def reader(stage: Stage) -> QPushButton | None:
    buttons: Sequence[QPushButton] = stage.window.parts.context.findChildren(QPushButton)
    return next((one for one in buttons if one.text() == "Read"), None)


def read_from_panel(stage: Stage) -> SummariesDialog:
    button = reader(stage)
    assert button is not None
    button.click()
    return opened(stage)


def test_the_panel_of_the_last_request_leads_to_what_stands_for_which_messages(
    asked: Stage,
) -> None:
    dialog = read_from_panel(asked)
    assert ranges(dialog) == ["Messages 1–4", "Messages 5–8"]
    words = words_of(dialog)
    assert "742 avroya" in words
    assert "**" not in words
    assert words.index("Lizbon gezisi") < words.index("Otel")


def test_a_past_session_lets_them_be_read_before_anything_is_asked_in_it(stage: Stage) -> None:
    add_long_session(stage)
    stage.window.sessions.open(NavigationTarget(LONG))
    stage.until(lambda: bool(stage.shown()))
    stage.window.actions_by_name[ActionId.SUMMARIES].trigger()
    assert ranges(opened(stage)) == ["Messages 1–4", "Messages 5–8"]


def test_a_request_without_summaries_offers_none_to_read(stage: Stage) -> None:
    stage.ask("Merhaba, nasılsın?")
    stage.window.parts.show_panel(stage.window.parts.context)
    assert reader(stage) is None


def test_a_summary_leads_to_the_message_that_it_begins_with(asked: Stage) -> None:
    dialog = read_from_panel(asked)
    wanted: list[object] = []
    asked.window.memory.place_wanted.connect(wanted.append)
    dialog.sections[1].go.click()
    fifth = asked.archive.sessions.messages(LONG)[4]
    assert wanted == [NavigationTarget(LONG, fifth.id)]
    assert not dialog.isVisible()


def test_the_notice_of_a_summary_opens_it_and_stays(asked: Stage) -> None:
    happened = asked.window.sessions.turns.happened
    happened.emit(ContextReduced(TurnId("t"), left_out=0, compacted=8))
    transcript = asked.window.parts.transcript
    (notice,) = [one for one in transcript.entries if isinstance(one, NoticeEntry)]
    asked.until(lambda: notice in transcript.live)
    card = transcript.live[notice]
    assert isinstance(card, NoticeCard)
    button = card.findChild(QPushButton)
    assert button is not None
    assert button.text() == "Read the summary"
    button.click()
    assert ranges(opened(asked)) == ["Messages 1–4", "Messages 5–8"]
    assert notice in transcript.entries


def test_a_notice_of_messages_that_were_left_out_offers_no_summary(asked: Stage) -> None:
    happened = asked.window.sessions.turns.happened
    happened.emit(ContextReduced(TurnId("t"), left_out=8, compacted=0))
    entries = asked.window.parts.transcript.entries
    (notice,) = [one for one in entries if isinstance(one, NoticeEntry)]
    assert notice.notice.actions == ()


def test_the_request_is_remembered_with_its_session_when_another_is_shown(asked: Stage) -> None:
    asked.archive.imports.add([finished("kısa", "Selam", "Selam.")])
    asked.window.sessions.open(NavigationTarget(SessionId("kısa")))
    asked.until(lambda: asked.shown() == ["Selam", "Selam."])
    assert ranges(read_from_panel(asked)) == ["Messages 1–4", "Messages 5–8"]


Make = Callable[[Callable[[], Sequence[ActiveSummary]], Executor], SummariesDialog]


@pytest.fixture
def made(stage: Stage, qtbot: QtBot) -> Make:
    def make(read: Callable[[], Sequence[ActiveSummary]], pool: Executor) -> SummariesDialog:
        texts = Texts(Language.EN)
        dialog = SummariesDialog(read, TurnBridge(pool), lambda: texts, stage.theme)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return make


def said(dialog: SummariesDialog) -> list[str]:
    labels: Sequence[Label] = dialog.findChildren(Label)
    return [label.text() for label in labels if label.isVisible()]


def test_what_cannot_be_read_says_why(made: Make) -> None:
    def fail() -> Sequence[ActiveSummary]:
        raise DiskFullError

    dialog = made(fail, AtOnce())
    assert Texts(Language.EN).error(DiskFullError()) in said(dialog)
    assert "Reading…" not in said(dialog)
