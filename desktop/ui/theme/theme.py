"""Applies colours and fonts to the application, draws icons, and follows the system's theme.

It has one stylesheet: `resources/theme/bellek.qss`, filled in from the tokens. Widgets say what
they are through dynamic properties: QPushButton and QToolButton `kind` (primary, quiet, chip,
filter, link, notice, danger), QLabel `role` (muted, small, heading, title, problem), QFrame `role`
(line, card), lists `role` (list, navigation), QPlainTextEdit `role` (field).

Icons are drawn when they are shown, by an icon engine, so every scale of the screen is sharp.
"""

import logging
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from functools import cache
from string import Template

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QKeyEvent,
    QPainter,
    QPalette,
    QPixmap,
    QWindow,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QApplication,
    QProxyStyle,
    QStyle,
    QStyleFactory,
)
from shiboken6 import isValid

from desktop.settings.paths import asset
from desktop.settings.settings import LineSpacing, Settings, TextWidth, Theme, number_of
from desktop.ui.theme.tokens import (
    COLUMN_WIDTHS,
    DARK,
    ICON_SIZE,
    LEAST_SMALL_PIXELS,
    LIGHT,
    LINE_HEIGHTS,
    Radius,
    Space,
    Tokens,
    TypeScale,
    in_high_contrast,
)

log = logging.getLogger(__name__)

_Role = QPalette.ColorRole
_SCHEMES = {
    Theme.SYSTEM: Qt.ColorScheme.Unknown,
    Theme.LIGHT: Qt.ColorScheme.Light,
    Theme.DARK: Qt.ColorScheme.Dark,
}
_ZOOM = number_of("zoom_percent")
MIN_ZOOM, MAX_ZOOM, ZOOM_STEP = _ZOOM.whole[0], _ZOOM.whole[-1], int(_ZOOM.step)
_TITLE_RATIO = 1.35  # headings of pages and dialogs, to the body
_CHIP_RADIUS = 1.45  # pixels a point of its type
_BOX = 14  # what is inside the border of a check box
_BESIDE_BOX = 7
_SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="{colour}" fill="none"
 stroke="{colour}" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round">{shapes}</svg>
"""

Glyph = StrEnum(
    "Glyph",
    "SEARCH STAR STAR_FULL DOWNLOAD MORE COPY REFRESH THUMB_UP THUMB_DOWN THUMB_UP_FULL "
    "THUMB_DOWN_FULL SEND STOP PENCIL INFO CHEVRON_LEFT CHEVRON_RIGHT CHEVRON_UP CHEVRON_DOWN "
    "ARROW_DOWN CLOSE PLUS CHECK DIVIDE BOOKMARK STEPS SWAP TRASH BELL PANEL SIDEBAR "
    "MINUS CHAT BOOKS MEMORY CALENDAR CHART SLIDERS BRACES",
)
"""The names of the shapes in `resources/theme/icons.toml`."""


def icon(glyph: Glyph, colour: str, *, faint: str) -> QIcon:
    """Return an icon in one colour; when disabled it uses the faint colour."""
    return QIcon(_GlyphEngine(glyph, colour, faint))


class _GlyphEngine(QIconEngine):
    def __init__(self, glyph: Glyph, colour: str, faint: str) -> None:
        super().__init__()
        self._glyph, self._colour, self._faint = glyph, colour, faint

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        colour = self._faint if mode is QIcon.Mode.Disabled else self._colour
        side = min(rect.width(), rect.height())
        place = QRectF(0, 0, side, side)
        place.moveCenter(QRectF(rect).center())
        _drawing(self._glyph, colour).render(painter, place)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return _GlyphEngine(self._glyph, self._colour, self._faint)


@cache
def _drawing(glyph: Glyph, colour: str) -> QSvgRenderer:
    svg = _SVG.format(colour=colour, shapes=_shapes()[glyph.name])
    return QSvgRenderer(QByteArray(svg.encode()))


@cache
def _shapes() -> Mapping[str, str]:
    return tomllib.loads(asset("resources", "theme", "icons.toml").read_text("utf-8"))


class MnemonicStyle(QProxyStyle):
    """Fusion, but letters of mnemonics are underlined only in menus, and while Alt is held."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(QStyleFactory.create("Fusion"))
        self._app = app
        self._window: QWindow | None = None  # that gets the keys
        self._is_alt_held = False
        app.focusWindowChanged.connect(self._follow)

    def drawItemText(  # noqa: PLR0913, PLR0917 - Qt's signature
        self,
        painter: QPainter,
        rect: QRect,
        flags: int,
        pal: QPalette | Qt.GlobalColor | QColor,
        enabled: bool,  # noqa: FBT001 - the same
        text: str,
        textRole: QPalette.ColorRole = _Role.NoRole,  # noqa: N803 - the same
    ) -> None:
        # Menus draw their text themselves. The hint for this, SH_UnderlineShortcut, would answer
        # in Python for all other hints too: thousands while a window is built.
        if not self._is_alt_held and flags & Qt.TextFlag.TextShowMnemonic:
            flags |= Qt.TextFlag.TextHideMnemonic
        super().drawItemText(painter, rect, flags, pal, enabled, text, textRole)

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            self._show(is_alt_held=event.type() == QEvent.Type.KeyPress)
        return False

    def _follow(self, window: QWindow | None) -> None:
        if self._window is not None and isValid(self._window):
            self._window.removeEventFilter(self)
        self._window = window
        if window is not None:
            window.installEventFilter(self)
        self._show(is_alt_held=False)  # its release may have gone to another program

    def _show(self, *, is_alt_held: bool) -> None:
        if is_alt_held != self._is_alt_held:
            self._is_alt_held = is_alt_held
            for widget in self._app.topLevelWidgets():
                widget.update()


class ThemeController(QObject):
    """One for the application; widgets with their own painting repaint on `theme_changed`."""

    theme_changed = Signal()

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self._system_font = QFont(app.font())
        self.choice = Theme.SYSTEM
        self.zoom_percent = 100
        self._is_building = False
        self._family, self._width, self._spacing = "", TextWidth.MEDIUM, LineSpacing.NORMAL
        self.tokens = LIGHT
        self.scale = self._made_scale()
        app.setStyle(MnemonicStyle(app))
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        wishes = QGuiApplication.styleHints().accessibility()
        wishes.contrastPreferenceChanged.connect(self._refresh)

    @contextmanager
    def building(self) -> Iterator[None]:
        """Set the stylesheet when the first window is built, but not shown yet.

        Before, Qt would style each widget again for every layout into which it is put.
        """
        self._is_building = True
        yield
        self._is_building = False
        self._app.setStyleSheet(_stylesheet(self.tokens, self.scale))
        self.theme_changed.emit()  # what was measured without it is measured again

    @property
    def reduces_motion(self) -> bool:
        """Whether the system asks for less motion."""
        return self._app.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0

    def apply_settings(self, settings: Settings, *, is_first: bool = False) -> None:
        """`is_first`: nothing was applied yet."""
        wished = settings.font_family, settings.text_width, settings.line_spacing
        is_new = is_first or wished != (self._family, self._width, self._spacing)
        self._family, self._width, self._spacing = wished
        if is_new or (settings.theme, settings.zoom_percent) != (self.choice, self.zoom_percent):
            self.apply(settings.theme, zoom_percent=settings.zoom_percent)

    def apply(self, choice: Theme, *, zoom_percent: int = 100) -> None:
        """Colour the whole application; call once before the first window is shown."""
        self.choice = choice
        self.zoom_percent = min(max(zoom_percent, MIN_ZOOM), MAX_ZOOM)
        QGuiApplication.styleHints().setColorScheme(_SCHEMES[choice])
        self._refresh()

    def font(self, points: float | None = None, *, weight: QFont.Weight | None = None) -> QFont:
        """Return the system's font in a size of the scale; the interface's size by default."""
        made = QFont(self._system_font)
        made.setPointSizeF(points or self.scale.interface)
        if weight is not None:
            made.setWeight(weight)
        return made

    @property
    def reading_font(self) -> QFont:
        """Return the font of the transcript, in the size of its body."""
        made = self.font(self.scale.body)
        if self._family:
            made.setFamilies([self._family])
        return made

    @property
    def column_width(self) -> int:
        """Return the width of the widest column of text, in pixels."""
        return round(COLUMN_WIDTHS[self._width] * max(self.scale.zoom, 1.0))

    @property
    def column_margin(self) -> int:
        """Return the room beside a column of text that fills its window, in pixels."""
        return round(Space.WIDE * max(self.scale.zoom, 1.0))

    @property
    def line_height(self) -> float:
        """Return the line height of the transcript, as a multiple of its type."""
        return LINE_HEIGHTS[self._spacing]

    def icon(self, glyph: Glyph, colour: str | None = None) -> QIcon:
        return icon(glyph, colour or self.tokens.muted, faint=self.tokens.faint)

    @property
    def icon_size(self) -> QSize:
        """Return the size for setIconSize; it follows the zoom."""
        side = round(ICON_SIZE * self.scale.zoom)
        return QSize(side, side)

    def _made_scale(self) -> TypeScale:
        dots = QGuiApplication.primaryScreen().logicalDotsPerInch()
        return TypeScale.of(
            self._system_points(),
            zoom_percent=self.zoom_percent,
            least_small=LEAST_SMALL_PIXELS * 72 / dots,
        )

    def _system_points(self) -> float:
        points = self._system_font.pointSizeF()
        if points > 0:
            return points
        pixels = self._system_font.pixelSize()
        return pixels * 72 / QGuiApplication.primaryScreen().logicalDotsPerInch()

    def _follow_system(self) -> None:
        if self.choice is Theme.SYSTEM:
            self._refresh()

    def _refresh(self) -> None:
        hints = QGuiApplication.styleHints()
        is_dark = self.choice is Theme.DARK
        if self.choice is Theme.SYSTEM:
            is_dark = hints.colorScheme() is Qt.ColorScheme.Dark
        tokens = DARK if is_dark else LIGHT
        wished = hints.accessibility().contrastPreference()
        is_strong = wished is Qt.ContrastPreference.HighContrast
        self.tokens = in_high_contrast(tokens) if is_strong else tokens
        self.scale = self._made_scale()
        self._app.setStyleSheet("")  # Qt takes twice as long to replace one sheet by another
        self._app.setPalette(palette(self.tokens))
        self._app.setFont(self.font())
        if not self._is_building:
            self._app.setStyleSheet(_stylesheet(self.tokens, self.scale))
        log.debug("theme applied: dark=%s zoom=%d", self.tokens.is_dark, self.zoom_percent)
        self.theme_changed.emit()


def palette(tokens: Tokens) -> QPalette:
    """Return all palette roles that Fusion uses, in every state."""
    made = QPalette()
    colours = {
        _Role.Window: tokens.ground,
        _Role.WindowText: tokens.text,
        _Role.Base: tokens.raised,
        _Role.AlternateBase: tokens.side,
        _Role.Text: tokens.text,
        _Role.PlaceholderText: tokens.muted,
        _Role.Button: tokens.raised,
        _Role.ButtonText: tokens.text,
        _Role.BrightText: tokens.on_accent,
        _Role.ToolTipBase: tokens.raised,
        _Role.ToolTipText: tokens.text,
        _Role.Link: tokens.accent,
        _Role.LinkVisited: tokens.accent,
        _Role.Highlight: tokens.selection,
        _Role.HighlightedText: tokens.text,
        _Role.Accent: tokens.accent,
        _Role.Light: tokens.raised,
        _Role.Midlight: tokens.hover,
        _Role.Mid: tokens.line,
        _Role.Dark: tokens.faint,
        _Role.Shadow: tokens.faint,
    }
    for role, colour in colours.items():
        made.setColor(role, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for role in (_Role.Text, _Role.WindowText, _Role.ButtonText, _Role.HighlightedText):
        made.setColor(disabled, role, QColor(tokens.faint))
    made.setColor(disabled, _Role.Base, QColor(tokens.side))
    made.setColor(disabled, _Role.Highlight, QColor(tokens.line))
    return made


def _stylesheet(tokens: Tokens, scale: TypeScale) -> str:
    theme = "dark" if tokens.is_dark else "light"
    # A stylesheet can only load pictures from files.
    pictures = {
        name: asset("resources", "theme", f"{name.replace('_', '-')}-{theme}.svg").as_posix()
        for name in ("chevron_up", "chevron_down", "check")
    }
    chip = round(scale.small * _CHIP_RADIUS)
    box = 2 * round(_BOX * scale.zoom / 2)
    ring_border = round(box / 3)
    beside_box = round(_BESIDE_BOX * scale.zoom)
    chevron, small_chevron = round(12 * scale.zoom), round(10 * scale.zoom)
    sheet = Template(asset("resources", "theme", "bellek.qss").read_text(encoding="utf-8"))
    return sheet.substitute(
        {**asdict(tokens), **pictures},
        wrong=tokens.syntax.wrong,
        small=f"{scale.small:g}",
        title=f"{scale.body * _TITLE_RATIO:g}",
        control=int(Radius.CONTROL),
        segment=int(Radius.CONTROL) - 1,
        card=int(Radius.CARD),
        composer=int(Radius.COMPOSER),
        # Half of the height makes a pill; with more Qt draws no corner at all.
        chip=chip,
        chip_inside=2 * chip - 4,
        # A small mark is overlooked beside large words.
        chevron=chevron,
        small_chevron=small_chevron,
        beside_chevron=small_chevron + 10,
        drop_down=chevron + 10,
        step=chevron + 8,
        box=box,
        ring=box // 2 + 1,
        ring_border=ring_border,
        dot=box + 2 - 2 * ring_border,
        beside_box=beside_box,
        # The box with its border, and Qt's space before it.
        below_box=box + beside_box + 3,
    )
