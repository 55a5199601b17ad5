"""In a small window with large letters nothing is cut off or painted over."""

from PySide6.QtWidgets import QStyle, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import resize_within_screen
from desktop.ui.window.header import EmptyPage

QUESTIONS = ("Ekşi maya neden köpürmüyor?", "Hangi un iyi?", "Nerede kalmıştık?")


def test_the_page_shows_the_questions_there_is_room_for(
    qtbot: QtBot, theme: ThemeController
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=200)
    page = EmptyPage(theme)
    qtbot.addWidget(page)
    page.show_questions(QUESTIONS)
    page.resize(900, 600)
    page.show()
    chips = page.questions.chips
    qtbot.waitUntil(lambda: all(chip.isVisible() for chip in chips))
    page.setFixedHeight(257)
    qtbot.waitUntil(lambda: [chip.isVisible() for chip in chips] == [True, False, False])
    page.setFixedHeight(600)
    qtbot.waitUntil(lambda: all(chip.isVisible() for chip in chips))


def test_a_message_keeps_its_lines_if_a_window_is_full(
    qtbot: QtBot, theme: ThemeController
) -> None:
    window, bar, rest = QWidget(), MessageBar(theme), QWidget()
    qtbot.addWidget(window)
    rest.setMinimumHeight(300)
    layout = QVBoxLayout(window)
    layout.addWidget(bar)
    layout.addWidget(rest)
    window.setFixedSize(300, 200)
    bar.show_message("key", "one message of several lines " * 6)
    window.show()
    (strip,) = bar._strips.values()
    qtbot.waitUntil(lambda: strip.height() >= strip.heightForWidth(strip.width()) > 60)


def test_the_height_of_a_text_area_follows_its_font(qtbot: QtBot) -> None:
    area = TextArea(lines=3)
    qtbot.addWidget(area)
    font = area.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    area.setFont(font)
    assert area.height() == 4 * area.fontMetrics().lineSpacing()


def test_a_window_leaves_room_for_its_title_bar(qtbot: QtBot) -> None:
    dialog = QWidget()
    qtbot.addWidget(dialog)
    resize_within_screen(dialog, 9_999, 9_999)
    screen = dialog.screen().availableSize()
    title = dialog.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    assert dialog.width() == screen.width()
    assert dialog.height() <= screen.height() - title
