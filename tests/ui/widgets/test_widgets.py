"""Buttons, bars, fields, and text with its matches highlighted."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QKeySequence, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QLineEdit,
    QPushButton,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from desktop.settings.settings import Number, Theme
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import LIGHT
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.fields import ComboBox, NumberField, TabBar, WrappingCheckBox
from desktop.ui.widgets.layouts import (
    FlowLayout,
    GrowthFilter,
    column,
    growing,
    keep_on_screen,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, ElidedLabel
from desktop.ui.widgets.row_list import HighlightedText, Marks
from desktop.ui.widgets.search_fields import FindBar
from desktop.ui.window.header import ContinueBar
from tests.narrowing import present


@pytest.fixture
def dialog(qtbot: QtBot) -> QDialog:
    made = QDialog()
    column = QVBoxLayout(made)
    column.addWidget(QLineEdit())
    column.addWidget(Button())
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_focused_button_is_pressed_with_the_keyboard(
    dialog: QDialog, qtbot: QtBot, key: Qt.Key
) -> None:
    button = dialog.findChildren(Button)[0]
    button.setFocus()
    with qtbot.waitSignal(button.clicked):
        QTest.keyClick(button, key)


def test_enter_elsewhere_in_a_dialog_presses_only_the_primary_button(dialog: QDialog) -> None:
    (plain,) = dialog.findChildren(Button)
    primary = Button("primary")
    column = present(dialog.layout())
    column.addWidget(primary)
    primary.show()
    pressed: list[Button] = []
    for button in (plain, primary):
        button.clicked.connect(lambda _, button=button: pressed.append(button))
    QTest.keyClick(dialog.findChildren(QLineEdit)[0], Qt.Key.Key_Return)
    assert pressed == [primary]


@pytest.fixture
def button(qtbot: QtBot, theme: ThemeController) -> IconButton:
    made = IconButton(theme, Glyph.CLOSE)
    qtbot.addWidget(made)
    made.show()
    return made


def test_enter_presses_it(qtbot: QtBot, button: IconButton) -> None:
    with qtbot.waitSignal(button.clicked):
        QTest.keyClick(button, Qt.Key.Key_Return)


def test_its_accessible_name_has_no_shortcut(button: IconButton) -> None:
    button.set_name("Close", "Esc")
    assert button.accessibleName() == "Close"
    assert button.toolTip() == "Close (Esc)"


def test_it_grows_with_the_zoom_and_takes_the_colours_of_the_theme(
    button: IconButton, theme: ThemeController
) -> None:
    before, icon = button.iconSize().width(), button.icon().cacheKey()
    theme.apply(Theme.DARK, zoom_percent=200)
    assert button.iconSize().width() == 2 * before
    assert button.icon().cacheKey() != icon


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> Iterator[FindBar]:
    theme = ThemeController(qapp)
    theme.apply(Theme.LIGHT)
    made = FindBar(theme)
    qtbot.addWidget(made)
    made.show()
    yield made
    theme.deleteLater()


def test_escape_closes_it_and_reports_it_once(bar: FindBar) -> None:
    told = []
    bar.closed.connect(lambda: told.append(1))
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    bar.end()
    assert bar.isHidden()
    assert told == [1]


def test_each_button_leads_where_its_name_says(bar: FindBar, qtbot: QtBot) -> None:
    bar.set_hints(QKeySequence("F3"), QKeySequence("Shift+F3"))
    assert bar._previous.toolTip() == "Previous match (Shift+F3)"
    assert bar._next.accessibleName() == "Next match"
    for button, by in ((bar._previous, -1), (bar._next, 1)):
        with qtbot.waitSignal(bar.stepped) as told:
            button.click()
        assert told.args == [by]
    with qtbot.waitSignal(bar.closed):
        bar._close.click()


def test_tab_goes_from_the_find_bar_to_its_field(bar: FindBar) -> None:
    assert isinstance(bar.nextInFocusChain(), QLineEdit)


@pytest.mark.parametrize(("width", "zoom"), [(680, 100), (590, 100), (700, 200), (590, 200)])
def test_its_buttons_are_never_cut(
    qtbot: QtBot, theme: ThemeController, width: int, zoom: int
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=zoom)
    bar = ContinueBar()
    qtbot.addWidget(bar)
    bar.resize(width, bar.sizeHint().height())
    bar.show()
    for button in bar.findChildren(QPushButton):
        qtbot.waitUntil(partial(_is_whole, button))
        assert bar.rect().contains(button.geometry())


def _is_whole(button: QPushButton) -> bool:
    return button.width() >= button.sizeHint().width()


WORDS = "&Geçmiş oturumları ve onlardan hatırlananları sorularımda kullan"


@pytest.fixture
def check(qtbot: QtBot) -> Iterator[WrappingCheckBox]:
    page = QWidget()
    qtbot.addWidget(page)
    made = WrappingCheckBox(WORDS)
    column = QVBoxLayout(page)
    column.addWidget(made)
    column.addStretch()
    page.resize(900, 400)
    page.show()
    yield made
    page.close()


def shown(check: WrappingCheckBox) -> list[str]:
    return QCheckBox.text(check).split("\n")


def test_its_text_is_on_one_line_if_there_is_room(check: WrappingCheckBox) -> None:
    assert shown(check) == [WORDS]


def test_without_room_they_wrap_and_nothing_is_lost(qtbot: QtBot, check: WrappingCheckBox) -> None:
    high = check.height()
    check.window().resize(300, 400)
    qtbot.waitUntil(lambda: len(shown(check)) > 1)
    assert " ".join(shown(check)) == WORDS
    assert check.text() == WORDS
    qtbot.waitUntil(lambda: check.height() > high)
    letters = check.fontMetrics()
    assert all(letters.horizontalAdvance(line) < check.width() for line in shown(check))
    check.window().resize(900, 400)
    qtbot.waitUntil(lambda: shown(check) == [WORDS])


def test_it_is_read_aloud_without_breaks(check: WrappingCheckBox) -> None:
    check.window().resize(300, 400)
    assert check.accessibleName() == WORDS.replace("&", "")


SMALL = (320, 200)


def test_a_window_is_no_larger_than_its_screen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(9_000, 9_000)
    keep_on_screen(window)
    area = window.screen().availableSize()
    assert window.width() <= area.width()
    assert window.height() < area.height()


def test_a_window_that_has_room_stays_as_it_is(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(*SMALL)
    keep_on_screen(window)
    assert window.size().toTuple() == SMALL


def test_a_window_grows_when_its_texts_do(qtbot: QtBot) -> None:
    window, words = QWidget(), BodyLabel("Kısa")
    qtbot.addWidget(window)
    window.setLayout(column(words))
    GrowthFilter(window)
    window.resize(*SMALL)
    window.show()
    assert window.size().toTuple() == SMALL
    words.setText("Bu parola bu değil. " * 99)
    qtbot.waitUntil(lambda: words.height() >= words.heightForWidth(words.width()))
    assert window.width() == SMALL[0]


WIDE, HIGH = 240, 20
WHITE, BLACK = QColor("#ffffff"), QColor("#000000")


def painted(text: str, marks: Marks = (), *, lines: int = 2) -> tuple[QImage, int]:
    image = QImage(2 * WIDE, 4 * HIGH, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    painter.setPen(BLACK)
    words = HighlightedText(QFont(), HIGH, lines)
    taken = words.paint(painter, QRect(0, 0, WIDE, lines * HIGH), text, marks, LIGHT)
    painter.end()
    return image, taken


def reaches(image: QImage, colour: QColor | None = None) -> int:
    """How far to the right a widget or a colour extends."""
    places = (
        x
        for x in range(image.width() - 1, -1, -1)
        for y in range(image.height())
        if (image.pixelColor(x, y) == colour if colour else image.pixelColor(x, y) != WHITE)
    )
    return next(places, -1)


def test_a_text_takes_the_lines_it_needs_up_to_a_limit(qtbot: QtBot) -> None:
    assert painted("kısa")[1] == 1
    assert painted("sabah yüksekliği " * 40)[1] == 2
    assert painted("sabah yüksekliği " * 40, lines=1)[1] == 1


def test_an_elided_text_shows_an_ellipsis_within_its_room(qtbot: QtBot) -> None:
    for text in ("sabah yüksekliği " * 40, "sabahyüksekliği" * 40, "iiii " * 300, "i" * 900):
        image, _ = painted(text)
        assert 0 < reaches(image) <= WIDE


def test_a_text_of_the_narrowest_letters_is_shown_to_its_end(qtbot: QtBot) -> None:
    metrics = QFontMetrics(QFont())
    many = "i" * (2 * WIDE // metrics.horizontalAdvance("i") - 8)
    whole, lines = painted(f"{many[: len(many) // 2]} {many[len(many) // 2 :]}")
    assert lines == 2
    assert reaches(whole) > WIDE - 8 * metrics.averageCharWidth()


def test_details_that_do_not_fit_are_left_out_whole(qtbot: QtBot) -> None:
    label = ElidedLabel(between=" · ")
    qtbot.addWidget(label)
    label.set_text("4 mesaj · kaydedildi 28 Eki 09.47")
    label.show()
    whole, first = label.sizeHint().width(), label.fontMetrics().horizontalAdvance("4 mesaj")
    shown = []
    for width in (whole, whole - 10, first - 1):
        label.resize(width, 20)
        shown.append(label.text())
    assert shown == ["4 mesaj · kaydedildi 28 Eki 09.47", "4 mesaj", ""]


def test_a_label_of_one_part_is_elided_also_where_an_ellipsis_has_no_room(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.set_text("Bir klasörün uzun yolu")
    label.show()
    label.resize(1, 20)
    assert label.text() in {"", "…"}


def test_a_mark_outside_the_visible_part_paints_nothing(qtbot: QtBot) -> None:
    text = "sabah " * 200
    highlight = QColor(LIGHT.highlight)
    assert reaches(painted(text, [(0, 5)])[0], highlight) > 0
    assert reaches(painted(text, [(1_000, 1_005)])[0], highlight) == -1


def roll(field: QWidget) -> None:
    """Turn the wheel by one step over a widget, as the window system does."""
    at = field.rect().center()
    wheel = QWheelEvent(
        QPointF(at),
        QPointF(field.mapToGlobal(at)),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(field, wheel)


@pytest.mark.parametrize("make", [ComboBox, TabBar, lambda: NumberField(Number(least=0, most=8))])
def test_the_wheel_changes_only_what_has_the_focus(
    make: Callable[[], QWidget], dialog: QDialog
) -> None:
    field = make()
    if isinstance(field, ComboBox):
        field.addItems(["a", "b"])
    elif isinstance(field, TabBar):
        field.addTab("a")
        field.addTab("b")
    column = present(dialog.layout())
    column.addWidget(field)
    field.show()

    def state() -> object:
        if isinstance(field, ComboBox | TabBar):
            return field.currentIndex()
        assert isinstance(field, NumberField)
        return field.value()

    if isinstance(field, NumberField):
        field.setValue(5)
    before = state()
    dialog.findChildren(QLineEdit)[0].setFocus()
    roll(field)
    assert state() == before
    assert field.focusPolicy() is not Qt.FocusPolicy.WheelFocus
    field.setFocus()
    roll(field)
    assert state() != before


def test_a_disabled_button_hands_its_focus_to_nobody_and_gets_it_back(dialog: QDialog) -> None:
    (button,) = dialog.findChildren(Button)
    (field,) = dialog.findChildren(QLineEdit)
    button.setFocus()
    button.setDisabled(True)
    assert dialog.focusWidget() is None
    button.setDisabled(False)
    assert dialog.focusWidget() is button
    button.setDisabled(True)
    field.setFocus()
    button.setDisabled(False)
    assert dialog.focusWidget() is field


@pytest.mark.parametrize("holder", ["column", "page", "window"])
def test_a_flow_keeps_its_items_when_pyside_forgets_what_holds_it(
    qtbot: QtBot, holder: str
) -> None:
    """What PySide invalidates takes along all that it holds and that Python has not made."""
    flow, buttons = FlowLayout(), [Button(text=name) for name in "abcd"]
    for button in buttons:
        flow.addWidget(button)
    page = QWidget()
    outer = QVBoxLayout(page)
    outer.addLayout(column(BodyLabel("Rules"), flow))
    window = widget_with(column(page))
    qtbot.addWidget(window)
    height = flow.heightForWidth(300)
    Shiboken.invalidate({"column": outer, "page": page, "window": window}[holder])
    assert flow.heightForWidth(300) == height > 0
    Shiboken.delete(buttons[0])
    assert flow.count() == 3


def test_a_choice_with_a_long_name_ends_in_an_ellipsis_and_leaves_room(
    theme: ThemeController, qtbot: QtBot
) -> None:
    button = Button("choice", text="Sözlü tarih & göç: 1923–2023 arasında bütün anlatılar, taslak")
    theme.apply(Theme.LIGHT)
    field = QLineEdit()
    bar = widget_with(row(growing(field), button))
    qtbot.addWidget(bar)
    bar.resize(400, 40)
    bar.show()
    option = QStyleOptionButton()
    button.initStyleOption(option)
    assert option.text.startswith("Sözlü tarih")
    assert option.text.endswith("…")
    assert field.width() > 100
    button.setText("Tez")
    button.initStyleOption(option)
    assert option.text == "Tez"
