"""What is brought along from beside the field: documents, folders and pages for the library."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.menus import PopupMenu
from desktop.ui.widgets.plain_text import tip


class AddButton(PushButton):
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
