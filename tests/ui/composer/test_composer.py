"""The composer: writing, long pastes, suggestions, and the choice of a tier."""

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.ids import SessionId
from desktop.domain.routing import Tier
from desktop.domain.search import Suggestion
from desktop.settings.settings import Theme
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.controls import TierChoice
from desktop.ui.composer.suggestions import Suggestions
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.message_editor import LONG


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


@pytest.mark.parametrize("is_put", [True, False])
def test_it_is_as_high_as_a_long_paragraph_that_was_put_into_it(
    composer: Composer, *, is_put: bool
) -> None:
    composer.resize(500, 300)
    composer.show()
    composer.set_text("\n".join("x" * 8))
    eight = composer.field.height()
    composer.set_text("")
    put = composer.quote if is_put else composer.set_text
    put(f"{'words ' * 80}\n\nAnd more.")
    assert composer.field.height() == eight


def test_typing_emits_a_change_and_restoring_does_not(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.draft_changed):
        QTest.keyClicks(composer.field, "a")
    with qtbot.assertNotEmitted(composer.draft_changed):
        composer.set_text("eski taslak")
    assert composer.button.isEnabled()


def test_the_meter_says_how_much_of_the_context_is_taken(composer: Composer) -> None:
    composer.set_context(0, 200_000)
    assert composer.meter.isHidden()
    composer.set_context(2_100, 200_000)
    assert composer.meter.text() == "Context: 2.1k / 200k"
    composer.set_context(2_100, None)
    assert composer.meter.text() == "2.1k tokens"


def test_the_type_follows_the_zoom(composer: Composer, theme: ThemeController) -> None:
    before = composer.field.height()
    theme.apply(Theme.LIGHT, zoom_percent=200)
    assert composer.field.height() > before


def _paste(composer: Composer, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    composer.field.paste()


def _chips(composer: Composer) -> list[str]:
    return [one.text() for one in composer.pastes.buttons() if one.text()]


def test_a_long_paste_is_a_chip_and_is_sent_with_the_message(
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


def test_pictures_and_documents_can_be_attached_with_the_button(
    composer: Composer, qtbot: QtBot
) -> None:
    composer.add.click()
    menu = composer.add.findChild(QMenu)
    assert menu is not None
    picture, screenshot, _, files, folder, page = menu.actions()
    for action, wanted in (
        (picture, composer.add.pictures_wanted),
        (screenshot, composer.add.screenshot_wanted),
        (files, composer.add.files_wanted),
        (folder, composer.add.folder_wanted),
        (page, composer.add.page_wanted),
    ):
        with qtbot.waitSignal(wanted):
            action.trigger()
    menu.close()


def test_without_room_the_attach_button_loses_its_word(composer: Composer, qtbot: QtBot) -> None:
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


def test_the_empty_field_says_that_nothing_leaves_the_computer(composer: Composer) -> None:
    composer.set_local_only(True)
    assert "Nothing leaves this computer" in composer.field.placeholderText()
    composer.set_local_only(False)
    assert "leaves" not in composer.field.placeholderText()


def test_tab_goes_through_the_row_below_the_field_in_its_order(composer: Composer) -> None:
    composer.set_context(1_000, 200_000)
    composer.set_text("Soru")
    at: QWidget | None = composer.field
    passed = []
    while at is not None and at is not composer.button:
        at = at.nextInFocusChain()
        if at and at.isVisible() and at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            passed.append(at)
    assert passed == [
        composer.tiers.stops[0],
        composer.model,
        composer.add,
        composer.meter,
        composer.button,
    ]


def suggestion(name: str, title: str, month: int) -> Suggestion:
    at = datetime(2024, month, 3, 12, tzinfo=UTC)
    return Suggestion(SessionId(name), None, title, at, ())


def test_a_narrow_window_shows_fewer_readable_ones(qtbot: QtBot, theme: ThemeController) -> None:
    chips = Suggestions(theme)
    qtbot.addWidget(chips)
    titles = ("Ekşi maya besleme düzeni", "Ekşi maya besleme düzeni", "Kira sözleşmesi")
    chips.show_suggestions([suggestion(str(n), title, n + 1) for n, title in enumerate(titles)])
    chips.show()

    def seen() -> list[str]:
        return [chip.text() for chip in chips._chips if chip.isVisible()]

    chips.resize(900, 40)
    qtbot.waitUntil(lambda: [len(text) > 8 for text in seen()] == [True, True, True])
    chips.resize(300, 40)
    qtbot.waitUntil(lambda: [len(text) > 8 for text in seen()] == [True])


@pytest.fixture
def choice(qtbot: QtBot) -> TierChoice:
    made = TierChoice()
    qtbot.addWidget(made)
    made.show()
    return made


def shown(choice: TierChoice) -> list[str]:
    return [button.text() for button in choice.stops if button.isVisible()]


def chosen(choice: TierChoice) -> str:
    (found,) = [button.text() for button in choice.stops if button.isChecked()]
    return found


def test_a_choice_stays_and_is_given_up_by_choosing_it_again(choice: TierChoice) -> None:
    choice.choose(Tier.QUICK)
    assert [choice.take(), choice.take()] == [Tier.QUICK, Tier.QUICK]
    choice.choose(Tier.QUICK)
    assert choice.take() is None


def test_deep_is_for_one_question(choice: TierChoice, qtbot: QtBot) -> None:
    with qtbot.waitSignal(choice.changed):
        choice.choose(Tier.DEEP)
    assert choice.take() is Tier.DEEP
    assert choice.tier is None


def test_all_choices_are_side_by_side_and_one_is_pressed(choice: TierChoice) -> None:
    assert shown(choice) == ["Automatic", "Quick", "Research", "Deep"]
    QTest.mouseClick(choice.stops[2], Qt.MouseButton.LeftButton)
    assert choice.tier is Tier.RESEARCH
    assert chosen(choice) == "Research"


def test_the_arrow_keys_go_from_one_choice_to_the_next(choice: TierChoice) -> None:
    choice.stops[0].setFocus()
    QTest.keyClick(choice.stops[0], Qt.Key.Key_Right)
    assert (choice.tier, chosen(choice)) == (Tier.QUICK, "Quick")


def test_without_room_only_the_chosen_tier_is_shown(choice: TierChoice) -> None:
    choice.choose(Tier.QUICK)
    choice.fit(choice.sizeHint().width() - 1)
    assert shown(choice) == ["Quick"]
    choice.fit(10_000)
    assert len(shown(choice)) == len(Tier) + 1
