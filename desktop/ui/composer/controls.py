"""The tier selector and the attach button of the composer."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from desktop.domain.tiers import Tier
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.menus import PopupMenu
from desktop.ui.widgets.plain_text import tip

Choice = Tier | None
_CHOICES: tuple[Choice, ...] = (None, *Tier)
_STRONG = Qt.FocusPolicy.StrongFocus


class TierChoice(QWidget):
    """All choices side by side, or the one that holds with a menu where there is no room for them.

    Deep is for one question: it takes minutes and money, and is not left on by mistake.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tier: Choice = None
        self._row = QFrame(self)
        self._buttons = {choice: PushButton(self._row) for choice in _CHOICES}
        self._button_group = QButtonGroup(self)
        self._drop_down = PushButton(self)
        self._menu = QMenu(self)
        self._action_group = QActionGroup(self)
        self._actions = {choice: QAction(self) for choice in _CHOICES}
        self._keys: Mapping[Choice, QKeySequence] = {}
        self._build()
        self.retranslate()

    @property
    def tier(self) -> Choice:
        return self._tier

    @property
    def stops(self) -> Sequence[QPushButton]:
        """What Tab may stop at; of those side by side only at the one that is chosen."""
        return (*self._buttons.values(), self._drop_down)

    def choose(self, tier: Choice) -> None:
        """What is chosen already is given up again."""
        self._put(None if tier is self._tier else tier)

    def take(self) -> Choice:
        """For a question that goes now."""
        taken = self._tier
        if taken is Tier.DEEP:
            self._put(None)
        return taken

    def fit(self, room: int) -> None:
        """Show as many as `room`, in pixels, is enough for."""
        has_room = self._row.sizeHint().width() <= room
        if has_room is self._row.isVisibleTo(self):
            return
        had_focus = any(button.hasFocus() for button in self.stops)
        self._row.setVisible(has_room)
        self._drop_down.setVisible(not has_room)
        if had_focus:
            shown = self._buttons[self._tier] if has_room else self._drop_down
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def minimumSizeHint(self) -> QSize:
        """Of what is shown where there is no room: else the window could not become so small."""
        return self._drop_down.minimumSizeHint()

    def set_hints(self, keys: Mapping[Choice, QKeySequence]) -> None:
        self._keys = keys
        self.retranslate()

    def retranslate(self) -> None:
        names = self._names()
        hints = self._hints()
        for choice, action in self._actions.items():
            keys = self._keys.get(choice, QKeySequence())
            shown = keys.toString(QKeySequence.SequenceFormat.NativeText)
            action.setText(f"{names[choice]}\t{shown}" if shown else names[choice])
            action.setToolTip(tip(hints[choice]))
            button = self._buttons[choice]
            button.setText(names[choice])
            button.setToolTip(tip(f"{hints[choice]} ({shown})" if shown else hints[choice]))
            button.setAccessibleName(self._says(names[choice]))
            is_chosen = choice is self._tier
            button.setFocusPolicy(_STRONG if is_chosen else Qt.FocusPolicy.ClickFocus)
        self._drop_down.setText(names[self._tier])
        self._drop_down.setToolTip(tip(hints[self._tier]))
        self._drop_down.setAccessibleName(self._says(names[self._tier]))
        self._actions[self._tier].setChecked(True)
        self._buttons[self._tier].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        self._row.setProperty("role", "segments")
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for choice, button in self._buttons.items():
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, choice=choice: self._put(choice))
            self._button_group.addButton(button)
            row.addWidget(button)
        self._drop_down.setProperty("kind", "choice")
        self._drop_down.setCursor(Qt.CursorShape.PointingHandCursor)
        self._menu.setToolTipsVisible(True)
        for choice, action in self._actions.items():
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, choice=choice: self._put(choice))
            self._action_group.addAction(action)
            self._menu.addAction(action)
        self._drop_down.setMenu(self._menu)
        self._drop_down.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._row)
        layout.addWidget(self._drop_down)

    def _put(self, tier: Choice) -> None:
        self._tier = tier
        self.retranslate()
        self.changed.emit()

    def _says(self, name: str) -> str:
        return self.tr("Effort: {tier}").format(tier=name)

    def _names(self) -> Mapping[Choice, str]:
        return {
            None: self.tr("Automatic"),
            Tier.QUICK: self.tr("Quick"),
            Tier.RESEARCH: self.tr("Research"),
            Tier.DEEP: self.tr("Deep"),
        }

    def _hints(self) -> Mapping[Choice, str]:
        return {
            None: self.tr("Bellek decides how much effort each question needs, and says why."),
            Tier.QUICK: self.tr(
                "One search in the library and past sessions, at most two on the web."
            ),
            Tier.RESEARCH: self.tr("A few sub-questions, some pages read, one check for gaps."),
            Tier.DEEP: self.tr(
                "A plan you can change, evidence checked word for word, a report. For the "
                "next question only."
            ),
        }


class AttachButton(PushButton):
    files_wanted = Signal()
    folder_wanted = Signal()
    page_wanted = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._worded, self._bare = QSize(), QSize()
        self._menu = PopupMenu(self)
        self._files, self._folder, self._page = (QAction(self) for _ in range(3))
        self._build()
        self._colour()
        self.retranslate()

    def sizeHint(self) -> QSize:
        return self._worded

    def minimumSizeHint(self) -> QSize:
        return self._bare

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_word()

    def retranslate(self) -> None:
        self._measure()
        self.setAccessibleName(self.tr("Add documents that answers can cite"))
        self.setToolTip(tip(self.accessibleName()))
        self._files.setText(self.tr("Documents…"))
        self._folder.setText(self.tr("Folder…"))
        self._page.setText(self.tr("Web page…"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        match event.type():
            case QEvent.Type.LanguageChange:
                self.retranslate()
            case QEvent.Type.FontChange | QEvent.Type.StyleChange:
                self._measure()
            case _:
                pass

    def _build(self) -> None:
        self.setProperty("kind", "link")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        for action, wanted in (
            (self._files, self.files_wanted),
            (self._folder, self.folder_wanted),
            (self._page, self.page_wanted),
        ):
            action.triggered.connect(wanted)
            self._menu.addAction(action)
        self.clicked.connect(self._offer)
        self._theme.theme_changed.connect(self._colour)

    def _measure(self) -> None:
        self.setText("")
        self._bare = super().sizeHint()
        self.setText(self.tr("Add"))
        self._worded = super().sizeHint()
        self.updateGeometry()
        self._show_word()

    def _show_word(self) -> None:
        """Where it has room."""
        self.setText(self.tr("Add") if self.width() >= self._worded.width() else "")

    def _offer(self) -> None:
        above = self._menu.sizeHint().height()
        corner = self.rect().topLeft()
        corner.setY(corner.y() - above)
        self._menu.popup(self.mapToGlobal(corner))

    def _colour(self) -> None:
        self.setIcon(self._theme.icon(Glyph.PLUS))
        self.setIconSize(self._theme.icon_size * 0.8)
        self._measure()
