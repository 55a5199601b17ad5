"""Past sessions side by side with the current one, and the summaries of a long one."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop.domain.errors import DiskFullError
from desktop.domain.events import ContextReduced
from desktop.domain.ids import SessionId, TurnId
from desktop.domain.language import Language
from desktop.domain.messages import Compact
from desktop.settings.messages import Texts
from desktop.storage.repositories.sessions import NEW_SESSION
from desktop.ui.dialogs.information_dialogs import ActiveSummary, SummariesDialog
from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.card import NoticeCard
from desktop.ui.transcript.entries import MessageAction, MessageRequest, NoticeEntry
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.plain_text import Label
from tests.archives import finished
from tests.narrowing import instance, present
from tests.ui.dialogs.stand_ins import AtOnce
from tests.ui.main_window.stage import Stage

DRAFT = "Şimdi beta hücre rejenerasyonu araştıralım"


@pytest.fixture
def kept(opens: Callable[[], Stage]) -> Stage:
    stage = opens()
    stage.archive.imports.add(
        [
            finished(
                "beta",
                "Beta hücreleri yenilenir mi?",
                "Beta hücre rejenerasyonu farelerde görülmüştür.",
                title="Beta hücreleri",
                summary="Yenilenme konuşuldu.",
            ),
            finished("roma", "Roma neden çöktü?", "Tahıl geliri kesildi.", title="Roma"),
        ]
    )
    stage.attach()
    return stage


def suggested(stage: Stage) -> list[str]:
    return [one.title for one in stage.window.parts.suggestions.suggestions]


def test_a_pause_in_typing_shows_related_hits_and_clearing_hides_them(kept: Stage) -> None:
    kept.write(DRAFT)
    kept.until(lambda: suggested(kept) == ["Beta hücreleri"])
    assert kept.window.parts.suggestions.isVisible()
    kept.write("")
    assert kept.window.parts.suggestions.isHidden()


def test_an_answer_to_a_draft_that_has_changed_is_dropped(kept: Stage) -> None:
    kept.write(DRAFT)
    kept.window.recall._look()
    kept.write("Roma mutfağında pide nasıl yapılırdı?")
    kept.until(lambda: not kept.window.recall._is_looking)
    assert suggested(kept) == []


def test_switched_off_nothing_is_suggested(kept: Stage) -> None:
    kept.changes.apply(replace(kept.changes.settings, suggests_sessions=False))
    kept.write(DRAFT)
    assert not kept.window.recall._pause.isActive()


def test_one_key_opens_it_beside_and_another_attaches_it(kept: Stage) -> None:
    parts, actions = kept.window.parts, kept.window.actions_by_name
    kept.write(DRAFT)
    kept.until(lambda: bool(suggested(kept)))
    actions["read_beside"].trigger()
    kept.until(parts.side_panel.isVisible)
    assert len(parts.side_panel.transcript.entries) == 2
    assert parts.composer.text == DRAFT
    actions["add_beside"].trigger()
    assert tuple(kept.window.sessions.asking.in_context) == ("beta",)
    assert parts.context_chips.isVisible()
    assert suggested(kept) == []


def test_the_chips_are_walked_by_keyboard(kept: Stage) -> None:
    parts = kept.window.parts
    kept.write(DRAFT)
    kept.until(lambda: bool(suggested(kept)))
    parts.suggestions.enter()
    QTest.keyClick(parts.suggestions._chips[0], Qt.Key.Key_Plus)
    assert tuple(kept.window.sessions.asking.in_context) == ("beta",)
    QTest.keyClick(parts.context_chips._chips[0], Qt.Key.Key_Delete)
    assert tuple(kept.window.sessions.asking.in_context) == ()
    assert parts.context_chips.isHidden()


def test_an_attachment_is_sent_with_every_question_until_it_is_removed(kept: Stage) -> None:
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.ask(DRAFT)
    assert "farelerde görülmüştür" in (kept.model.requests[-1].changing or "")
    kept.ask("Peki bu hücreler insanda nasıl davranır?")
    assert "farelerde görülmüştür" in (kept.model.requests[-1].changing or "")
    assert all("farelerde" not in words for words in kept.shown())
    kept.window.recall.remove(SessionId("beta"))
    kept.ask("Peki bu hücreler farede nasıl davranır?")
    assert "farelerde görülmüştür" not in (kept.model.requests[-1].changing or "")


def test_attachments_end_with_their_session(kept: Stage) -> None:
    kept.ask("Merhaba, bir sorum var.")
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.window.actions_by_name["end_session"].trigger()
    kept.until(lambda: kept.window.sessions.active is None)
    assert tuple(kept.window.sessions.asking.in_context) == ()


def test_a_deleted_session_goes_from_the_context(kept: Stage) -> None:
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.window.commands.delete(SessionId("beta"))
    kept.until(lambda: tuple(kept.window.sessions.asking.in_context) == ())


def test_a_merged_session_side_by_side_or_attached_is_replaced_by_its_target(kept: Stage) -> None:
    window, parts = kept.window, kept.window.parts
    window.recall.read_place(NavigationTarget(SessionId("roma")))
    kept.until(parts.side_panel.isVisible)
    window.recall.add(SessionId("roma"), "Roma")
    window.archive.merge(SessionId("roma"))
    kept.until(lambda: len(parts.side_panel.transcript.entries) == 4)
    assert parts.side_panel.place == NavigationTarget(SessionId("beta"))
    assert parts.side_panel.title == "Beta hücreleri"
    assert tuple(window.sessions.asking.in_context) == ("beta",)


def test_a_deleted_session_is_no_longer_read_as_context(kept: Stage) -> None:
    parts = kept.window.parts
    kept.window.recall.read_place(NavigationTarget(SessionId("beta")))
    kept.until(parts.side_panel.isVisible)
    kept.window.commands.delete(SessionId("beta"))
    kept.until(lambda: not parts.side_panel.isVisible())
    assert parts.side_panel.place is None
    assert not parts.side_panel.transcript.entries


def test_a_selection_is_quoted_in_the_message_and_looked_for_in_all_sessions(kept: Stage) -> None:
    parts = kept.window.parts
    kept.write("Bu doğru mu?")
    parts.transcript.action_chosen.emit(
        MessageRequest(MessageAction.QUOTE, text="Tahıl geliri\nkesildi.")
    )
    assert parts.composer.text == "> Tahıl geliri\n> kesildi.\n\nBu doğru mu?"
    kept.until(lambda: parts.composer.field.cursorForPosition(QPoint(2, 2)).blockNumber() == 0)
    parts.transcript.action_chosen.emit(MessageRequest(MessageAction.SEARCH, text="Tahıl geliri"))
    kept.until(lambda: parts.sidebar.query.text == "Tahıl geliri")


@pytest.mark.parametrize("is_crash", [True, False])
def test_attachments_are_restored_after_a_restart(
    opens: Callable[[], Stage], kept: Stage, *, is_crash: bool
) -> None:
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.window.recall.add(SessionId("roma"), "Roma")
    kept.write("Bir de şunu")
    if is_crash:
        kept.window.background._keep_draft()
        kept.until(lambda: kept.archive.drafts.draft(NEW_SESSION).attachments == ("beta", "roma"))
        kept.die()
    else:
        kept.leave()
    again = opens()
    again.archive.sessions.delete(SessionId("roma"))
    again.attach()
    again.until(again.window.parts.context_chips.isVisible)
    assert again.window.parts.composer.text == "Bir de şunu"
    assert tuple(again.window.sessions.asking.in_context) == ("beta",)
    again.ask(DRAFT)
    assert "farelerde görülmüştür" in (again.model.requests[-1].changing or "")


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
    """A continued session with two compacts, which were sent with the question."""
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
    stage.until(lambda: len(ranges(dialog)) == 2)
    return dialog


def ranges(dialog: SummariesDialog) -> list[str]:
    return [line for line in words_of(dialog).split("\n") if line.startswith("Messages ")]


def words_of(dialog: SummariesDialog) -> str:
    return "\n".join(pane.toPlainText() for pane in dialog._area.body.panes())


def reader(stage: Stage) -> QPushButton | None:
    buttons: Sequence[QPushButton] = stage.window.parts.context.findChildren(QPushButton)
    return next((one for one in buttons if one.text() == "Read"), None)


def read_from_panel(stage: Stage) -> SummariesDialog:
    button = present(reader(stage))
    button.click()
    return opened(stage)


def test_the_panel_of_the_last_request_opens_the_summaries(asked: Stage) -> None:
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
    stage.window.actions_by_name["summaries"].trigger()
    assert ranges(opened(stage)) == ["Messages 1–4", "Messages 5–8"]


def test_a_request_without_summaries_offers_none_to_read(stage: Stage) -> None:
    stage.ask("Merhaba, nasılsın?")
    stage.window.parts.show_panel(stage.window.parts.context)
    assert reader(stage) is None


def test_a_summary_leads_to_the_message_that_it_begins_with(asked: Stage) -> None:
    dialog = read_from_panel(asked)
    wanted: list[object] = []
    asked.window.memory.place_wanted.connect(wanted.append)
    fifth = asked.archive.sessions.messages(LONG)[4]
    dialog.go_to("https://example.org/")
    assert dialog.isVisible()
    (pane,) = dialog._area.body.panes()
    pane.link_activated.emit(f"bellek://message/{fifth.id}")
    assert wanted == [NavigationTarget(LONG, fifth.id)]
    assert not dialog.isVisible()


def test_the_notice_of_a_summary_opens_it_and_stays(asked: Stage) -> None:
    happened = asked.window.sessions.turns.front_happened
    happened.emit(ContextReduced(TurnId("t"), left_out=0, compacted=8))
    transcript = asked.window.parts.transcript
    (notice,) = [one for one in transcript.entries if isinstance(one, NoticeEntry)]
    asked.until(lambda: notice in transcript.live)
    card = instance(transcript.live[notice], NoticeCard)
    button = present(card.findChild(QPushButton))
    assert button.text() == "Read the summary"
    button.click()
    assert ranges(opened(asked)) == ["Messages 1–4", "Messages 5–8"]
    assert notice in transcript.entries


def test_a_notice_of_messages_that_were_left_out_offers_no_summary(asked: Stage) -> None:
    happened = asked.window.sessions.turns.front_happened
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


def test_an_unreadable_summary_shows_the_reason(made: Make) -> None:
    def fail() -> Sequence[ActiveSummary]:
        raise DiskFullError

    dialog = made(fail, AtOnce())
    assert Texts(Language.EN).error(DiskFullError()) in said(dialog)
    assert "Reading…" not in said(dialog)


def test_typing_loads_the_embedding_model_once(
    kept: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[bool] = []
    monkeypatch.setattr(kept.services.meanings, "wake", lambda: woken.append(True))
    for draft in (DRAFT, f"{DRAFT}?"):
        kept.write(draft)
    kept.until(lambda: suggested(kept) == ["Beta hücreleri"])
    assert woken == [True]


def test_without_a_suggestion_a_session_is_chosen_to_be_read_or_attached(kept: Stage) -> None:
    window, parts = kept.window, kept.window.parts
    for act in ("read_beside", "add_beside"):
        window.actions_by_name[act].trigger()
        palette = present(window.command_palette.palette)
        palette.field.insert("roma")
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    kept.until(lambda: parts.side_panel.isVisible() and parts.side_panel.title == "Roma")
    assert list(window.sessions.asking.in_context.values()) == ["Roma"]


@pytest.mark.parametrize("act", ["read_beside", "add_beside"])
def test_a_past_session_that_is_read_goes_beside_the_message(kept: Stage, act: str) -> None:
    parts = kept.window.parts
    kept.window.sessions.open(NavigationTarget(SessionId("roma")))
    kept.until(parts.reading_bar.isVisible)
    kept.window.actions_by_name[act].trigger()
    kept.until(parts.composer.isVisible)
    if act == "read_beside":
        kept.until(lambda: parts.side_panel.isVisible() and parts.side_panel.title == "Roma")
    else:
        assert list(kept.window.sessions.asking.in_context.values()) == ["Roma"]
