"""Small parts of the window: menus, names and hints, and the window by keyboard alone."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.facts import NewFact
from desktop.domain.ids import SessionId
from desktop.domain.messages import Citation, CitationState, Message
from desktop.domain.projects import EVERYTHING
from desktop.settings.settings import UiLanguage
from desktop.ui.services import NavigationTarget
from desktop.ui.session.shown_session import ShownSession
from desktop.ui.settings.welcome import WelcomeDialog
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import PANEL_WIDTH
from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.widgets.buttons import ToolButton
from desktop.ui.widgets.fields import EnumComboBox
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.search_fields import SearchField
from desktop.ui.widgets.splitter_layout import Side, SplitterLayout
from tests.ui.main_window.stage import Stage
from tests.ui.memory.conftest import a_fact


def _menu_words(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "") for action in menu.actions() if action.text()]


def test_buttons_without_words_have_names(stage: Stage) -> None:
    search = stage.window.parts.sidebar.search
    names = {button.accessibleName() for button in search.findChildren(QToolButton)}
    assert names == {"Clear search"}
    stage.until(lambda: "scripted" in stage.window.parts.status.link.accessibleName())


def test_the_menu_of_the_header_holds_what_concerns_this_session(library: Stage) -> None:
    library.ask("Soru")
    menu = library.window.actions_by_name.menu_of_session()
    assert _menu_words(menu)[0] == "End session"
    assert "Send" not in _menu_words(menu)
    assert "Next session" not in _menu_words(menu)
    library.read_past()
    menu.aboutToShow.emit()
    assert _menu_words(menu)[0] == "Continue this session"
    assert "End session" not in _menu_words(menu)


def test_every_entry_of_a_menu_has_a_letter_of_its_own(stage: Stage) -> None:
    actions = stage.window.actions_by_name
    for menu in actions._menus:
        texts = [one.text() for one in menu.actions() if one.text()]
        letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(letters) == len(texts)
        assert len(set(letters)) == len(letters)


def _citation(number: int, source: str) -> Citation:
    quote = f"**Gece** *düşük* {number}"
    return Citation(number, CitationState.CHECKED, quote, source, "7", f"Oturum {source}")


def test_sources_are_by_session_and_a_click_on_a_passage_opens_it(stage: Stage) -> None:
    panel = stage.window.parts.panel
    panel.show_citations([_citation(1, "a"), _citation(2, "b"), _citation(3, "a")])
    words = [label.text() for label in panel.findChildren(Label)]
    assert words.count("Oturum a") == 1
    assert "“Gece düşük 3”" in words
    assert [card.number for card in panel._cards] == [1, 3, 2]
    with stage.qtbot.waitSignal(panel.source_chosen) as chosen:
        QTest.mouseClick(panel._cards[1], Qt.MouseButton.LeftButton)
    assert chosen.args == [_citation(3, "a")]
    with stage.qtbot.waitSignal(panel.source_chosen) as chosen:
        QTest.keyClick(panel._cards[2], Qt.Key.Key_Return)
    assert chosen.args == [_citation(2, "b")]
    assert panel._cards[2].accessibleName() == "Open source 2: Oturum b"


def test_the_welcome_waits_while_something_is_being_written(opens: Callable[[], Stage]) -> None:
    stage = opens()
    stage.changes.apply(replace(stage.changes.settings, welcomed=False))
    composer = stage.window.parts.composer
    stage.write("Zeytin mi en?")
    stage.attach()
    assert not stage.window.findChildren(WelcomeDialog)
    composer.clear()
    stage.until(lambda: bool(stage.window.findChildren(WelcomeDialog)))


def shown_of(stage: Stage) -> ShownSession:
    return stage.window.sessions._shown


def ids(stage: Stage) -> list[SessionId]:
    return [one.id for one in stage.archive.sessions.sessions(EVERYTHING) if one.messages > 2]


def newest(stage: Stage, session_id: SessionId) -> Message:
    return stage.archive.sessions.messages(session_id)[-1]


def test_the_last_requested_of_several_sessions_is_shown(library: Stage) -> None:
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


def test_a_message_sent_while_a_session_loads_appears_once(library: Stage) -> None:
    (first, *_) = ids(library)
    message = newest(library, first)
    shown_of(library).open(NavigationTarget(first))
    shown_of(library).add(message, None)
    library.until(lambda: shown_of(library).shows(first))
    assert [entry.message.id for entry in library.messages()].count(message.id) == 1


ENGLISH = (
    "The dawn phenomenon is a rise of blood sugar in the early morning, which is caused by the "
    "hormones that prepare the body for waking up."
)
TURKISH = "Şafak olayı, sabaha karşı salgılanan hormonların kan şekerini yükseltmesidir."
QUESTION = "Şafak olayı nedir, kan şekeri neden yükselir?"


def test_an_answer_that_is_written_again_takes_the_place_of_the_one_before(stage: Stage) -> None:
    stage.model.says(ENGLISH)
    stage.model.says(TURKISH)
    stage.ask(QUESTION)
    assert stage.shown() == [QUESTION, TURKISH]
    stage.until(lambda: len(_versions(stage)) == 2)


def _versions(stage: Stage) -> tuple[object, ...]:
    versions = stage.messages()[-1].facts.versions
    return tuple(versions.ids) if versions else ()


def shell_of(qtbot: QtBot, theme: ThemeController, width: int) -> tuple[SplitterLayout, QWidget]:
    left = QWidget()
    shell = SplitterLayout(theme, (left, QWidget(), QWidget()))
    qtbot.addWidget(shell)
    shell.resize(width, 600)
    shell.show()
    return shell, left


def test_a_dragged_sidebar_keeps_its_width(qtbot: QtBot, theme: ThemeController) -> None:
    shell, left = shell_of(qtbot, theme, 2000)
    before = left.width()
    shell._drag(Side.LEFT, -30)
    assert left.width() == before - 30
    shell.resize(1400, 600)
    assert left.width() == before - 30
    shell.restore((260, PANEL_WIDTH), (True, False))
    shell.resize(2000, 600)
    assert left.width() == 260


def test_a_document_has_room_beside_the_text_and_its_border_moves(
    qtbot: QtBot, theme: ThemeController
) -> None:
    shell, left = shell_of(qtbot, theme, 1236)  # A window of 1280
    shell.widen(is_wide=True)
    shell.show_side(Side.RIGHT, True)
    right = shell._sides[Side.RIGHT]
    assert left.isHidden()
    assert right.width() == 618
    shell._drag(Side.RIGHT, 40)
    assert right.width() == 658
    shell.show_side(Side.LEFT, True)
    assert not left.isHidden()
    shell.show_side(Side.RIGHT, True)
    assert left.isHidden()
    shell.show_side(Side.RIGHT, False)
    assert not left.isHidden()
    assert not shell.covers(Side.LEFT)


def _focus() -> QWidget:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def _words() -> str:
    focus = _focus()
    return focus.accessibleName() or (focus.text() if isinstance(focus, QPushButton) else "")


def _goes_back() -> None:
    QTest.keyClick(_focus(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)


@pytest.fixture
def front(stage: Stage) -> Stage:
    stage.window.activateWindow()
    stage.ask("Soru")
    return stage


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_button_of_a_notice(front: Stage, key: Qt.Key) -> None:
    front.window.actions_by_name["new_session"].trigger()
    strip = front.window.parts.strip
    front.until(lambda: "ended" in strip)
    button = strip.findChildren(QPushButton)[0]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, key)
    front.until(lambda: front.shown() == ["Soru", "Tamam."])


def test_enter_continues_a_session_that_is_read(library: Stage) -> None:
    library.window.activateWindow()
    library.read_past()
    library.window.commands.write()
    QTest.keyClick(_focus(), Qt.Key.Key_Return)
    library.until(lambda: library.window.sessions.active is not None)
    library.until(library.window.parts.composer.field.hasFocus)


def test_the_key_of_the_message_field_leads_to_it_from_a_session_that_is_read(
    library: Stage,
) -> None:
    library.window.activateWindow()
    library.read_past()
    library.window.actions_by_name["write"].trigger()
    library.until(library.window.parts.composer.field.hasFocus)
    assert library.window.sessions.shown is None


def test_shift_tab_goes_from_the_composer_over_the_notice_to_the_newest_answer(
    front: Stage,
) -> None:
    front.window.actions_by_name["end_session"].trigger()
    front.until(lambda: front.notices() != [])
    parts = front.window.parts
    parts.composer.setFocus(Qt.FocusReason.ShortcutFocusReason)
    seen = []
    for _ in range(8):
        _goes_back()
        seen.append(_words())
    assert seen[:3] == ["Undo", "Notice", "Poor answer"]
    assert "Copy" in seen
    while _focus() is not parts.transcript:
        _goes_back()
    _goes_back()
    assert not parts.transcript.isAncestorOf(_focus())


def test_a_question_is_sent_with_control_and_either_enter(front: Stage) -> None:
    """X11 takes Return for both: two shortcuts would be ambiguous, and neither would send."""
    keys = front.window.actions_by_name["send"].shortcuts()
    assert keys == [QKeySequence("Ctrl+Return")]
    field = front.window.parts.composer.field
    field.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        field.setPlainText("Peki?")
        with front.qtbot.waitSignal(front.window.sessions.answered):
            QTest.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    front.until(lambda: front.shown() == ["Soru", "Tamam.", *("Peki?", "Tamam.") * 2])


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_actions_of_an_answer(front: Stage, key: Qt.Key) -> None:
    transcript = front.window.parts.transcript
    (card,) = [one for one in transcript.live.values() if isinstance(one, AnswerCard)]
    card.keep_actions(shown=True)
    QApplication.clipboard().clear()
    copy, rewrite = card.findChildren(ToolButton)[:2]
    copy.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(copy, key)
    assert QApplication.clipboard().text() == "Tamam."
    front.model.says("Başka türlü.")
    rewrite.setFocus(Qt.FocusReason.TabFocusReason)
    with front.qtbot.waitSignal(front.window.sessions.answered):
        QTest.keyClick(rewrite, key)
    front.until(lambda: front.shown() == ["Soru", "Başka türlü."])


def test_an_unavailable_action_is_not_offered(library: Stage) -> None:
    send = library.window.actions_by_name["send"]
    assert not send.isEnabled()
    library.write("  \n")
    assert not send.isEnabled()
    library.write("Soru")
    assert send.isEnabled()
    answer = library.model.holds("Bir ", "iki")
    with library.qtbot.waitSignal(library.window.sessions.answered):
        send.trigger()
        library.write("Sonra")
        library.until(lambda: library.window.sessions.turns.is_running)
        assert not send.isEnabled()
        answer.go.set()
    assert send.isEnabled()
    past = library.archive.sessions.sessions(EVERYTHING)[-1]
    library.window.sessions.open(NavigationTarget(past.id))
    library.until(lambda: library.window.sessions.is_past_shown)
    assert not send.isEnabled()


def test_keys_that_no_widget_handles_go_to_the_composer(front: Stage) -> None:
    transcript, composer = front.window.parts.transcript, front.window.parts.composer
    transcript.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClicks(transcript, "Peki")
    assert composer.text == "Peki"
    assert composer.field.hasFocus()


def test_a_command_or_a_space_in_the_session_writes_nothing(front: Stage) -> None:
    transcript, composer = front.window.parts.transcript, front.window.parts.composer
    transcript.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClick(transcript, Qt.Key.Key_Space)
    QTest.keyClick(transcript, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert composer.text == ""
    assert not composer.field.hasFocus()


@pytest.mark.parametrize("name", ["memory", "library", "diary", "insight"])
def test_another_language_leaves_a_page_as_it_was(name: str, library: Stage) -> None:
    window = library.window
    many = [a_fact(f"ev {n}", f"Ev {n} Ankara'da.") for n in range(80)]
    library.archive.facts.add([NewFact(one) for one in many])
    owner = getattr(window, name)
    window.resize(1000, 480)
    owner.open()
    old = owner.page
    library.until(lambda: old.is_loaded)
    for field in old.findChildren(SearchField):
        field.setText("e")
    for order in old.findChildren(EnumComboBox):
        order.setCurrentIndex(2)
        order.activated.emit(2)
    (bar, *_) = (area.verticalScrollBar() for area in old.scrolled)
    bar.setValue(20)
    place = bar.value()
    state = (
        [one.text() for one in old.findChildren(SearchField)],
        [one.value for one in old.findChildren(EnumComboBox)],
    )
    window.changes.choose_language(UiLanguage.TR)
    new = owner.page
    assert new is not old
    library.until(lambda: new.isVisible() and new.is_loaded)
    assert state == (
        [one.text() for one in new.findChildren(SearchField)],
        [one.value for one in new.findChildren(EnumComboBox)],
    )
    assert place == (20 if name in {"memory", "insight"} else 0)  # the others show too little
    library.until(lambda: new.scrolled[0].verticalScrollBar().value() == place)
    assert window.parts.view is new
