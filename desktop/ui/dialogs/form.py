"""What the dialogs are built from: pages, rows of a label and its field, and their own buttons."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.dialogs.choices import INDENT
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.measures import width_of
from desktop.ui.widgets.words import Hint, Section, Title

_LABEL_CHARACTERS = 21


class Form(QWidget):
    """Rows of a label and its field in two columns; hints stand below the field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.WIDE)
        self._grid.setVerticalSpacing(Space.SMALL)
        self._grid.setColumnMinimumWidth(0, width_of(self, _LABEL_CHARACTERS))
        self._grid.setColumnStretch(1, 1)

    def add_section(self, section: Section) -> None:
        row = self._grid.rowCount()
        if row > 1:
            self._grid.setRowMinimumHeight(row, Space.WIDE)
            row += 1
        self._grid.addWidget(section, row, 0, 1, 2)

    def add_row(self, label: QLabel, field: QWidget, *below: QWidget) -> None:
        row = self._grid.rowCount()
        label.setBuddy(field)
        # Level with the first line of the field, however many follow.
        label.setContentsMargins(0, Space.SMALL, 0, 0)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._put(field, row)
        self.add_below(*below)

    def add_field(self, field: QWidget, *below: QWidget) -> None:
        """A field that brings its own label, such as a check box."""
        self._put(field, self._grid.rowCount())
        self.add_below(*below)

    def add_check(self, box: QCheckBox, hint: Hint) -> None:
        """A check box; what it means stands below its words."""
        hint.setContentsMargins(INDENT, 0, 0, 0)
        self.add_field(box, hint)

    def add_below(self, *below: QWidget) -> None:
        for widget in below:
            self._grid.addWidget(widget, self._grid.rowCount(), 1)

    def add_gap(self) -> None:
        self._grid.setRowMinimumHeight(self._grid.rowCount(), Space.SMALL)

    def _put(self, field: QWidget, row: int) -> None:
        grows = field.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding
        side = Qt.AlignmentFlag(0) if grows else Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(field, row, 1, side)


class Page(QScrollArea):
    """A page of the settings: a title and a column that scrolls where it must."""

    def __init__(self, say: Callable[[], None], parent: QWidget | None = None) -> None:
        """`say` all of its words, in the language that is spoken by then."""
        super().__init__(parent)
        self._say = say
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        column = QWidget()
        self.title = Title()
        self.column = QVBoxLayout(column)
        self.column.setContentsMargins(*(Space.WIDE,) * 4)
        self.column.setSpacing(Space.LARGE)
        self.column.addWidget(self.title)
        self.setWidget(column)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)


class CloseButtons(QDialogButtonBox):
    """A single Close, in the words of Qt's own catalog; Esc does the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(QDialogButtonBox.StandardButton.Close, parent)
        close = self.button(QDialogButtonBox.StandardButton.Close)
        close.setAutoDefault(False)
        close.setIcon(QIcon())  # some desktops bring their own, in other lines and colours


class BackButton(Button):
    """Leads from a page back to the one it belongs to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("back", parent)

    def say(self, page: str) -> None:
        self.setText(f"‹ {page}")
        self.setAccessibleName(self.tr("Back to {page}").format(page=page))
