import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.composer.composer import Composer
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.paste_chips import LONG


@pytest.fixture
def composer(qtbot: QtBot, theme: ThemeController) -> Composer:
    made = Composer(theme)
    qtbot.addWidget(made)
    made.resize(640, 120)
    made.show()
    return made


def test_nothing_is_sent_without_words(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(composer.field, "   ")
    with qtbot.assertNotEmitted(composer.sent):
        QTest.keyClick(composer.field, Qt.Key.Key_Return)
    assert not composer.button.isEnabled()


def test_an_enter_of_the_input_method_does_not_send(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("a")
    QApplication.sendEvent(composer.field, QInputMethodEvent("ni", []))
    with qtbot.assertNotEmitted(composer.sent):
        QTest.keyClick(composer.field, Qt.Key.Key_Return)
    QApplication.sendEvent(composer.field, QInputMethodEvent("", []))
    with qtbot.waitSignal(composer.sent):
        QTest.keyClick(composer.field, Qt.Key.Key_Return)


def test_it_grows_to_eight_lines_and_then_scrolls(composer: Composer) -> None:
    heights = []
    for lines in (1, 2, 8, 20):
        composer.set_text("\n".join("x" * lines))
        heights.append(composer.field.height())
    one, two, eight, twenty = heights
    assert one < two < eight == twenty
    bar = composer.field.verticalScrollBarPolicy()
    assert bar == Qt.ScrollBarPolicy.ScrollBarAsNeeded


def test_writing_is_told_of_and_putting_back_is_not(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.draft_changed):
        QTest.keyClicks(composer.field, "a")
    with qtbot.assertNotEmitted(composer.draft_changed):
        composer.set_text("eski taslak")
    assert composer.button.isEnabled()


def test_the_meter_says_how_much_of_the_context_is_taken(composer: Composer) -> None:
    composer.set_context(0, 200_000)
    assert composer.meter.isHidden()
    composer.set_context(2_100, 200_000)
    assert composer.meter.text() == "Context: 2.1 K / 200 K"
    composer.set_context(2_100, None)
    assert composer.meter.text() == "2.1 K tokens"


def test_the_type_follows_the_zoom(composer: Composer, theme: ThemeController) -> None:
    before = composer.field.height()
    theme.apply(Theme.LIGHT, zoom_percent=200)
    assert composer.field.height() > before


def _paste(composer: Composer, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    composer.field.paste()


def _chips(composer: Composer) -> list[str]:
    return [one.text() for one in composer.pastes.buttons() if one.text()]


def test_a_long_paste_stands_beside_the_field_and_goes_with_the_message(
    composer: Composer, qtbot: QtBot
) -> None:
    composer.set_text("Bunu özetle")
    long = "satır\n" * 500_000
    _paste(composer, long)
    assert composer.field.toPlainText() == "Bunu özetle"
    assert _chips(composer) == ["Pasted text, 3.5 MB"]
    with qtbot.waitSignal(composer.sent) as sent:
        QTest.keyClick(composer.field, Qt.Key.Key_Return)
    assert sent.args == ["Bunu özetle\n\n" + long.strip()]
    composer.clear()
    assert composer.pastes.isHidden()
    assert not composer.can_send


def test_a_long_paste_alone_can_be_sent_and_taken_off(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.draft_changed):
        _paste(composer, "x" * LONG)
    assert composer.button.isEnabled()
    chip = composer.pastes.buttons()[0]
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    assert not composer.button.isEnabled()
    assert composer.text == ""


def test_a_long_paste_can_be_written_into_the_field(composer: Composer) -> None:
    composer.set_text("Önce")
    _paste(composer, "y" * LONG)
    composer.pastes.buttons()[0].click()
    assert composer.field.toPlainText() == "Önce\n\n" + "y" * LONG
    assert composer.pastes.texts == ()


def test_a_kept_draft_with_a_long_paste_comes_back_as_it_was(composer: Composer) -> None:
    text = "Bunu özetle\n\n" + "z " * LONG
    composer.set_text(text)
    assert composer.field.toPlainText() == "Bunu özetle"
    assert len(composer.pastes.texts) == 1
    assert composer.text == text
    composer.set_text("w" * LONG)
    assert composer.field.toPlainText() == ""
    assert composer.text == "w" * LONG


def test_documents_can_be_brought_along_from_beside_the_field(
    composer: Composer, qtbot: QtBot
) -> None:
    composer.add.click()
    menu = composer.add.findChild(QMenu)
    assert menu is not None
    files, folder, page = menu.actions()
    for action, wanted in (
        (files, composer.add.files_wanted),
        (folder, composer.add.folder_wanted),
        (page, composer.add.page_wanted),
    ):
        with qtbot.waitSignal(wanted):
            action.trigger()
    menu.close()


def test_where_there_is_no_room_the_offer_to_add_gives_up_its_word(
    composer: Composer, qtbot: QtBot
) -> None:
    assert composer.add.text() == "Add"
    composer.set_context(12_345, 200_000)
    composer.resize(composer.minimumSizeHint().width(), 120)
    qtbot.waitUntil(lambda: not composer.add.text())
    assert composer.add.accessibleName()
    composer.resize(640, 120)
    qtbot.waitUntil(lambda: composer.add.text() == "Add")


class Paints(QObject):
    """Counts how often all of a widget is painted, not just its cursor."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QPaintEvent) and isinstance(watched, QWidget):
            self.count += event.rect().contains(watched.rect())
        return super().eventFilter(watched, event)


def test_other_words_in_the_empty_field_are_seen_at_once(composer: Composer, qtbot: QtBot) -> None:
    paints = Paints(composer.field.viewport())
    composer.update()
    qtbot.waitUntil(lambda: paints.count > 0)
    QApplication.processEvents()
    before = paints.count
    composer.set_begins_anew(True)
    qtbot.waitUntil(lambda: paints.count > before)


def test_tab_goes_through_the_row_below_the_field_in_its_order(composer: Composer) -> None:
    composer.set_context(1_000, 200_000)
    composer.set_text("Soru")
    at: QWidget | None = composer.field
    passed = []
    while at is not None and at is not composer.button:
        at = at.nextInFocusChain()
        if at and at.isVisible() and at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            passed.append(at)
    assert passed == [composer.tiers.stops[0], composer.add, composer.meter, composer.button]
