"""Building blocks of dialogs: pages, forms, folder rows, buttons, and background tasks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QIcon, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from desktop.domain.errors import AppError
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge, ignore
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel, TitleLabel
from desktop.ui.widgets.layouts import text_width
from desktop.ui.widgets.plain_text import Label, tip

_LABEL_CHARACTERS = 21


class _Placement(NamedTuple):
    """The place of a widget in the grid of a form."""

    widget: QWidget
    row: int
    is_label: bool = False
    side: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


class FormGrid(QWidget):
    """Rows of a label and its field in two columns; hints stand below the field.

    Where there is no room for two columns, a label stands above its field.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.WIDE)
        self._grid.setVerticalSpacing(Space.SMALL)
        self._grid.setColumnMinimumWidth(0, text_width(self, _LABEL_CHARACTERS))
        self._grid.setColumnStretch(1, 1)
        self._placements: list[_Placement] = []
        self._is_stacked = False
        self._two_column_width = 0
        """The least width of two columns."""

    def add_section(self, section: SectionLabel) -> None:
        row = self._grid.rowCount()
        if row > 1:
            self._grid.setRowMinimumHeight(row, Space.WIDE)
            row += 1
        self._grid.addWidget(section, row, 0, 1, 2)

    def add_row(self, label: Label, field: QWidget, *below: QWidget) -> None:
        # The row above is for the label, where it stands there.
        row = self._grid.rowCount() + 1
        label.setBuddy(field)
        # Level with the first line of the field, however many follow.
        label.setContentsMargins(0, Space.SMALL, 0, 0)
        self._add_placement(_Placement(label, row, is_label=True, side=Qt.AlignmentFlag.AlignTop))
        self._place_field(field, row)
        self.add_below(*below)

    def add_field(self, field: QWidget, *below: QWidget) -> None:
        """A field that brings its own label, such as a check box."""
        self._place_field(field, self._grid.rowCount())
        self.add_below(*below)

    def add_check(self, box: QCheckBox, hint: HintLabel) -> None:
        """A check box with its hint below."""
        hint.setProperty("below", "box")
        self.add_field(box, hint)

    def add_below(self, *below: QWidget) -> None:
        for widget in below:
            self._add_placement(_Placement(widget, self._grid.rowCount()))

    def add_gap(self) -> None:
        self._grid.setRowMinimumHeight(self._grid.rowCount(), Space.SMALL)

    def fit(self, room: int) -> None:
        """Use two columns, or one if two need more room than this."""
        if not self._is_stacked:
            self._two_column_width = self._grid.minimumSize().width()
        is_stacked = self._two_column_width > room
        if is_stacked == self._is_stacked:
            return
        self._is_stacked = is_stacked
        self._grid.setColumnMinimumWidth(
            0, 0 if is_stacked else text_width(self, _LABEL_CHARACTERS)
        )
        for one in self._placements:
            self._grid.removeWidget(one.widget)
            self._place(one)

    def _place_field(self, field: QWidget, row: int) -> None:
        grows = field.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding
        side = Qt.AlignmentFlag(0) if grows else Qt.AlignmentFlag.AlignLeft
        self._add_placement(_Placement(field, row, side=side))

    def _add_placement(self, one: _Placement) -> None:
        self._placements.append(one)
        self._place(one)

    def _place(self, one: _Placement) -> None:
        if self._is_stacked:
            row = one.row - 1 if one.is_label else one.row
            self._grid.addWidget(one.widget, row, 0, 1, 2, one.side)
        else:
            self._grid.addWidget(one.widget, one.row, 0 if one.is_label else 1, one.side)


class Page(QScrollArea):
    """A page of the settings: a title and a column that scrolls."""

    def __init__(self, say: Callable[[], None], parent: QWidget | None = None) -> None:
        """`say` sets all texts; it is called after a change of language."""
        super().__init__(parent)
        self._retranslate = say
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        column = QWidget()
        self.title = TitleLabel()
        self.column = QVBoxLayout(column)
        self.column.setContentsMargins(*(Space.WIDE,) * 4)
        self.column.setSpacing(Space.LARGE)
        self.column.addWidget(self.title)
        self.setWidget(column)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._name_by_title()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        self._name_by_title()
        super().showEvent(event)

    def _name_by_title(self) -> None:
        """The page takes the focus itself, so it needs a name."""
        self.setAccessibleName(self.title.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        around = self.column.contentsMargins()
        for form in self.findChildren(FormGrid):
            form.fit(self.viewport().width() - around.left() - around.right())
        super().resizeEvent(event)


class CloseButtons(QDialogButtonBox):
    """A Close button with the text of Qt's own catalog; Esc does the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(QDialogButtonBox.StandardButton.Close, parent)
        close = self.button(QDialogButtonBox.StandardButton.Close)
        close.setAutoDefault(False)
        close.setIcon(QIcon())  # some desktops bring their own, in other lines and colours


class BackButton(Button):
    """Leads back to the page that this one belongs to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("back", parent)

    def set_page(self, page: str) -> None:
        self.setText(f"‹ {page}")
        self.setAccessibleName(self.tr("Back to {page}").format(page=page))


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders that the user can open."""

    data: Path
    """The profile: database, backups."""
    settings: Path
    """The settings file."""
    logs: Path
    backups: Path
    """May not exist yet."""


def open_folder(folder: Path) -> None:
    """Open it in the system's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class _ElidedPath(HintLabel):
    """A path in one line, elided in the middle."""

    def __init__(self, path: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self.setWordWrap(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setToolTip(tip(path))
        self.setAccessibleName(path)
        self.setText(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        middle = Qt.TextElideMode.ElideMiddle
        self.setText(self.fontMetrics().elidedText(self._path, middle, self.width()))


class FolderRow(QWidget):
    """A path with a button that opens it; for a file, its folder."""

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = path if not path.suffix else path.parent
        self._name, self._where, self._open = BodyLabel(), _ElidedPath(str(path)), Button()
        self._open.clicked.connect(lambda: open_folder(self._folder))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._name)
        words.addWidget(self._where)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.LARGE)
        row.addLayout(words, 1)
        row.addWidget(self._open)
        self.set_name("")

    def set_name(self, name: str) -> None:
        self._name.setText(name)
        self._open.setText(self.tr("Open folder"))
        self._open.setAccessibleName(self.tr("Open the folder of: {name}").format(name=name))


T = TypeVar("T")


def do_nothing() -> None: ...


class DialogTasks:
    def __init__(self, bridge: TurnBridge, owner: QObject) -> None:
        self._bridge = bridge
        self._owner = owner

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None] = ignore,
        failed: Callable[[AppError], None] = ignore,
        settled: Callable[[], None] = do_nothing,
    ) -> None:
        self._bridge.run(
            work, self._while_here(done), self._while_here(failed), self._end(settled)
        )

    def run_each(
        self,
        work: Callable[[], Iterable[T]],
        done: Callable[[T], None],
        failed: Callable[[AppError], None] = ignore,
        settled: Callable[[], None] = do_nothing,
    ) -> None:
        self._bridge.run_each(
            work, self._while_here(done), self._while_here(failed), self._end(settled)
        )

    def _while_here(self, tell: Callable[[T], None]) -> Callable[[T], None]:
        def told(result: T) -> None:
            if isValid(self._owner):
                tell(result)

        return told

    def _end(self, settled: Callable[[], None]) -> Callable[[], None]:
        def told() -> None:
            if isValid(self._owner):
                settled()

        return told
