"""The theme as the application gets it."""

import pytest
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import MAX_ZOOM, ThemeController
from desktop.ui.theme.tokens import DARK, LIGHT, TypeScale


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
    """A desktop with a colour scheme of its own; the platform of the tests has none."""

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
        """What this application alone wants changes nothing for the others."""


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
def test_where_the_system_asks_for_more_contrast_quiet_words_and_edges_have_it(
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


def test_zoom_stays_within_what_can_be_read(theme: ThemeController) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=9999)
    assert theme.zoom_percent == MAX_ZOOM


def test_body_is_a_point_larger_and_small_one_and_a_half_smaller() -> None:
    scale = TypeScale.of(10)
    assert (scale.body, scale.interface, scale.small) == (11, 10, 8.5)


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
