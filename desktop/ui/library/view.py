"""The list of sources: keys that open and remove what is chosen, several at once too."""

from PySide6.QtCore import QItemSelection, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from desktop.domain.ids import SourceId
from desktop.ui.library.delegate import SourceDelegate
from desktop.ui.library.known import Shelved
from desktop.ui.library.model import SourceListModel
from desktop.ui.theme.theme import ThemeController


class SourceListView(QListView):
    chosen = Signal()
    """Others are selected, or none."""
    open_wanted = Signal()
    remove_wanted = Signal()
    left_upwards = Signal()
    """Up was pressed on the first source."""

    def __init__(
        self, model: SourceListModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sources = model
        self._rows = SourceDelegate(theme, self)
        self._build()

    @property
    def current(self) -> Shelved | None:
        return self._sources.shelved(self.currentIndex())

    @property
    def selected(self) -> list[Shelved]:
        places = sorted(self.selectedIndexes(), key=lambda index: index.row())
        return [one for place in places if (one := self._sources.shelved(place)) is not None]

    def choose(self, source_id: SourceId | None) -> bool:
        """Whether it is there to be chosen."""
        index = self._sources.index_of(source_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def enter(self) -> None:
        """Take the focus, at the chosen source or at the first one."""
        if self.current is None:
            self.setCurrentIndex(self._sources.nearest(0))
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.open_wanted.emit()
            case Qt.Key.Key_Delete:
                self.remove_wanted.emit()
            case Qt.Key.Key_Up if self.currentIndex().row() <= 0:
                self.left_upwards.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def _build(self) -> None:
        self.setModel(self._sources)
        self.setItemDelegate(self._rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.doubleClicked.connect(lambda _: self.open_wanted.emit())
