"""Colours, icons and fonts of the window, in light and dark."""

from dataclasses import astuple
from typing import TypeVar

import pytest
from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.settings.settings import LineSpacing, Settings, TextWidth, Theme
from desktop.ui.theme.theme import MAX_ZOOM, Glyph, ThemeController
from desktop.ui.theme.tokens import DARK, LIGHT, Tokens, in_high_contrast
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.plain_text import HintLabel


def test_a_chosen_theme_colours_the_application_at_once(
    qtbot: QtBot, theme: ThemeController, qapp: QApplication
) -> None:
    with qtbot.waitSignal(theme.theme_changed):
        theme.apply(Theme.DARK)
    assert theme.tokens is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.ground)
    theme.apply(Theme.LIGHT)
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(LIGHT.ground)


class Wishes(QObject):
    contrastPreferenceChanged = Signal(object)  # noqa: N815 - Qt's name
    contrast = Qt.ContrastPreference.NoPreference

    def contrastPreference(self) -> Qt.ContrastPreference:  # noqa: N802 - Qt's name
        return self.contrast

    def ask_for(self, contrast: Qt.ContrastPreference) -> None:
        self.contrast = contrast
        self.contrastPreferenceChanged.emit(contrast)


class System(QObject):
    """A desktop with its own colour scheme; the tests' platform has none."""

    colorSchemeChanged = Signal(object)  # noqa: N815 - Qt's name
    scheme = Qt.ColorScheme.Light

    def __init__(self) -> None:
        super().__init__()
        self.wishes = Wishes(self)

    def accessibility(self) -> Wishes:
        return self.wishes

    def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802 - Qt's name
        return self.scheme

    def turns(self, scheme: Qt.ColorScheme) -> None:
        self.scheme = scheme
        self.colorSchemeChanged.emit(scheme)

    def setColorScheme(self, _wanted: Qt.ColorScheme) -> None:  # noqa: N802 - Qt's name
        """A scheme for this application only does not affect the others."""


def test_the_window_follows_the_system_only_while_it_is_asked_to(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = System()
    monkeypatch.setattr(QGuiApplication, "styleHints", lambda: system)
    theme = ThemeController(qapp)
    theme.apply(Theme.SYSTEM)
    with qtbot.waitSignal(theme.theme_changed):
        system.turns(Qt.ColorScheme.Dark)
    assert theme.tokens is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.ground)
    with qtbot.waitSignal(theme.theme_changed):
        system.turns(Qt.ColorScheme.Light)
    assert theme.tokens is LIGHT
    theme.apply(Theme.LIGHT)
    with qtbot.assertNotEmitted(theme.theme_changed):
        system.turns(Qt.ColorScheme.Dark)
    assert theme.tokens is LIGHT


@pytest.mark.parametrize("choice", [Theme.LIGHT, Theme.DARK])
def test_higher_contrast_applies_to_muted_text_and_edges(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, choice: Theme
) -> None:
    system = System()
    monkeypatch.setattr(QGuiApplication, "styleHints", lambda: system)
    theme = ThemeController(qapp)
    theme.apply(choice)
    quiet = theme.tokens
    with qtbot.waitSignal(theme.theme_changed):
        system.wishes.ask_for(Qt.ContrastPreference.HighContrast)
    strong = theme.tokens
    assert (strong.muted, strong.line) == (quiet.text, quiet.muted)
    system.wishes.ask_for(Qt.ContrastPreference.NoPreference)
    assert theme.tokens == quiet


def test_zoom_scales_the_interface_type_from_the_systems_own_size(
    theme: ThemeController, qapp: QApplication
) -> None:
    theme.apply(Theme.LIGHT)
    before = qapp.font().pointSizeF()
    theme.apply(Theme.LIGHT, zoom_percent=200)
    assert qapp.font().pointSizeF() == pytest.approx(before * 2)
    theme.apply(Theme.LIGHT, zoom_percent=100)
    assert qapp.font().pointSizeF() == pytest.approx(before)


def test_zoom_stays_within_readable_sizes(theme: ThemeController) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=9999)
    assert theme.zoom_percent == MAX_ZOOM


@pytest.mark.parametrize("glyph", list(Glyph))
def test_every_icon_draws_something_in_the_colour_asked_for(
    theme: ThemeController, glyph: Glyph
) -> None:
    picture = theme.icon(glyph, "#ff0000").pixmap(QSize(32, 32)).toImage()
    drawn = [
        picture.pixelColor(x, y)
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).alpha() > 200
    ]
    assert drawn
    assert all(colour.red() > 200 and colour.green() < 60 for colour in drawn)


def test_an_icon_is_sharp_on_a_dense_screen(theme: ThemeController) -> None:
    assert theme.icon(Glyph.COPY).pixmap(QSize(16, 16), 2.0).size() == QSize(32, 32)


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def grounds(tokens: Tokens) -> dict[str, str]:
    names = ("ground", "side", "raised", "user", "code", "accent_ground", "hover")
    return {name: getattr(tokens, name) for name in names}


both = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])


@both
def test_body_text_has_a_contrast_of_seven_to_one_on_every_background(tokens: Tokens) -> None:
    marked = {
        name: getattr(tokens, name)
        for name in ("highlight", "current_highlight", "note", "selection")
    }
    too_weak = {
        name: round(contrast(tokens.text, ground), 2)
        for name, ground in (grounds(tokens) | marked).items()
        if contrast(tokens.text, ground) < 7
    }
    assert not too_weak


@both
def test_muted_text_and_links_have_enough_contrast_on_every_background(tokens: Tokens) -> None:
    too_weak = {
        (colour, name)
        for name, ground in grounds(tokens).items()
        for colour in (tokens.muted, tokens.accent)
        if contrast(colour, ground) < 4.5
    }
    assert not too_weak


@both
def test_in_high_contrast_words_have_seven_to_one_and_edges_three_to_one(tokens: Tokens) -> None:
    strong = in_high_contrast(tokens)
    too_weak = {
        (name, round(contrast(colour, ground), 2))
        for name, ground in grounds(strong).items()
        for colour, least in ((strong.text, 7), (strong.muted, 7), (strong.line, 3))
        if contrast(colour, ground) < least
    }
    assert not too_weak
    assert contrast(strong.notice_text, strong.notice_ground) >= 7


@both
def test_words_on_coloured_backgrounds_are_readable(tokens: Tokens) -> None:
    assert contrast(tokens.notice_text, tokens.notice_ground) >= 4.5
    assert contrast(tokens.notice_text, tokens.ground) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent_hover) >= 4.5


@both
def test_highlighted_code_can_be_read(tokens: Tokens) -> None:
    too_weak = [c for c in astuple(tokens.syntax) if contrast(c, tokens.code) < 4.5]
    assert not too_weak


B = TypeVar("B", bound=QWidget)


def at_its_size(qtbot: QtBot, box: B) -> B:
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    box.show()
    return box


@pytest.mark.parametrize("percent", [100, 150, 200, 300])
@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_a_check_box_grows_with_its_label(
    qtbot: QtBot, theme: ThemeController, kind: type[QCheckBox | QRadioButton], percent: int
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=percent)
    box = at_its_size(qtbot, kind("Ben yazarken ilgili oturumları öner"))
    assert _indicator(box).height() == pytest.approx(14 * percent / 100, abs=3)


@pytest.mark.parametrize("percent", [80, 100, 150, 200])
def test_the_hint_of_a_check_box_is_aligned_with_its_text(
    qtbot: QtBot, theme: ThemeController, percent: int
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=percent)
    box, hint = QCheckBox("Ben yazarken ilgili oturumları öner"), HintLabel()
    hint.setProperty("below", "box")
    for widget in (box, hint):
        qtbot.addWidget(widget)
        widget.resize(600, 60)
        widget.show()
    option = QStyleOptionButton()
    option.initFrom(box)
    words = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, box)
    assert hint.contentsRect().left() + hint.indent() == words.left()


def _indicator(box: QAbstractButton) -> QRect:
    option = QStyleOptionButton()
    option.initFrom(box)
    element = QStyle.SubElement
    which = (
        element.SE_CheckBoxIndicator
        if isinstance(box, QCheckBox)
        else element.SE_RadioButtonIndicator
    )
    return box.style().subElementRect(which, option, box)


def test_a_disabled_delete_button_looks_disabled(qtbot: QtBot, theme: ThemeController) -> None:
    theme.apply(Theme.LIGHT)
    pictures = []
    for button in (DangerButton(), Button()):
        qtbot.addWidget(button)
        button.setText("Kaldır")
        button.setEnabled(False)
        button.resize(120, 40)
        pictures.append(button.grab().toImage())
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
@pytest.mark.parametrize("choice", [Theme.LIGHT, Theme.DARK])
def test_the_placeholder_of_an_empty_field_is_legible(
    qtbot: QtBot, theme: ThemeController, choice: Theme, kind: type[QLineEdit | QPlainTextEdit]
) -> None:
    theme.apply(choice)
    field = kind()
    field.setProperty("role", "field")
    field.setPlaceholderText("Ara")
    qtbot.addWidget(field)
    field.ensurePolished()
    asked = field.palette().color(QPalette.ColorRole.PlaceholderText)
    assert asked.name(QColor.NameFormat.HexArgb) == f"#ff{theme.tokens.muted[1:]}"


def test_small_text_has_at_least_twelve_pixels(theme: ThemeController, qapp: QApplication) -> None:
    theme.apply(Theme.LIGHT)
    dots = qapp.primaryScreen().logicalDotsPerInch()
    assert theme.scale.small * dots / 72 >= 12


def test_the_conversation_has_the_font_width_and_spacing_that_were_chosen(
    qtbot: QtBot, theme: ThemeController
) -> None:
    usual = theme.column_width
    wished = Settings(
        font_family="DejaVu Serif", text_width=TextWidth.WIDE, line_spacing=LineSpacing.LOOSE
    )
    with qtbot.waitSignal(theme.theme_changed):
        theme.apply_settings(wished)
    style = TextStyle(theme)
    assert style.font.families() == ["DejaVu Serif"]
    assert theme.font().families() != ["DejaVu Serif"]
    assert theme.column_width > usual
    loose = style.line_height(10)
    with qtbot.assertNotEmitted(theme.theme_changed):
        theme.apply_settings(wished)
    theme.apply_settings(Settings(line_spacing=LineSpacing.TIGHT))
    assert TextStyle(theme).line_height(10) < loose


def test_the_default_settings_are_applied_at_the_start(
    theme: ThemeController, qapp: QApplication
) -> None:
    qapp.setStyleSheet("")
    theme.apply_settings(Settings())
    assert not qapp.styleSheet()
    theme.apply_settings(Settings(), is_first=True)
    assert qapp.styleSheet()


def test_a_mnemonic_is_underlined_only_while_alt_is_held(
    qtbot: QtBot, theme: ThemeController, qapp: QApplication
) -> None:
    theme.apply(Theme.LIGHT)
    button = Button(text="&Open")
    qtbot.addWidget(button)
    with qtbot.waitActive(button):
        button.show()
        button.activateWindow()
    hidden = button.grab().toImage()
    window = button.windowHandle()
    QTest.keyPress(window, Qt.Key.Key_Alt)
    assert button.grab().toImage() != hidden
    QTest.keyRelease(window, Qt.Key.Key_Alt)
    assert button.grab().toImage() == hidden
    assert qapp.style().styleHint(QStyle.StyleHint.SH_UnderlineShortcut, None, QMenu(button))
