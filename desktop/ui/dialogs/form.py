"""Building blocks of dialogs: pages, forms, folder rows, buttons, and background tasks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QWidget,
)
from shiboken6 import isValid

from desktop.domain.errors import AppError
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge, ignore
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import (
    BodyLabel,
    ElidedLabel,
    ProblemLabel,
    SectionLabel,
    TitleLabel,
)
from desktop.ui.widgets.layouts import Part, column, growing, row, text_width, widget_with
from desktop.ui.widgets.plain_text import Label

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
        self._rows: dict[QWidget, Sequence[QWidget]] = {}
        self._is_stacked = False
        self._two_column_width = 0  # the least width of two columns

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
        self._rows[field] = (label, field, *below)

    def add_field(self, field: QWidget, *below: QWidget) -> None:
        """A field that brings its own label, such as a check box."""
        self._place_field(field, self._grid.rowCount())
        self.add_below(*below)

    def add_below(self, *below: QWidget) -> None:
        for widget in below:
            self._add_placement(_Placement(widget, self._grid.rowCount()))

    def show_row(self, field: QWidget, *, is_shown: bool) -> None:
        """Show or hide a field with its label and what stands below it."""
        for widget in self._rows[field]:
            if isinstance(widget, ProblemLabel):
                widget.set_text("")
            else:
                widget.setVisible(is_shown)

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
    """A title and a column that scrolls."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.title = TitleLabel()
        self.column = column(self.title, spacing=Space.LARGE, margin=Space.WIDE)
        self.setWidget(widget_with(self.column))
        self.set_title(title)

    def set_title(self, title: str) -> None:
        self.title.setText(title)
        # The page takes the focus itself, so it needs a name.
        self.setAccessibleName(title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        around = self.column.contentsMargins()
        for form in self.findChildren(FormGrid):
            form.fit(self.viewport().width() - around.left() - around.right())
        super().resizeEvent(event)


class RebuiltDialog(QDialog):
    """Builds its content anew when the language changes, so each text is set only once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = QWidget()
        self._frame = column(self._content)
        self.setLayout(self._frame)
        # Qt sends the event to the dialog and again from its parent.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.rebuild)

    def rebuild(self) -> None:
        focus = self.focusWidget()
        before = self._tab_stops()
        # What is built has its place in the window from the start, or Qt styles it several times.
        old, self._content = self._content, QWidget(self)
        self._content.setLayout(self._build())
        self._frame.replaceWidget(old, self._content)
        self._content.show()
        old.hide()
        old.deleteLater()
        after = self._tab_stops()
        if focus in before and len(before) == len(after):
            after[before.index(focus)].setFocus(Qt.FocusReason.OtherFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._soon.start()
        super().changeEvent(event)

    def _build(self) -> QLayout:
        raise NotImplementedError

    def _titled(
        self, title: str, *parts: QWidget | QLayout | Part, spacing: int = Space.LARGE
    ) -> QLayout:
        """A title above the parts; it names the window too."""
        self.setWindowTitle(title)
        return column(TitleLabel(title), *parts, spacing=spacing, margin=Space.WIDE)

    def _tab_stops(self) -> list[QWidget]:
        inside = self._content.findChildren(QWidget)
        return [one for one in inside if one.focusPolicy() & Qt.FocusPolicy.TabFocus]


class CloseButtons(QDialogButtonBox):
    """A Close button with the text of Qt's own catalog; Esc does the same."""

    def __init__(self, close: Callable[[], None]) -> None:
        super().__init__(QDialogButtonBox.StandardButton.Close)
        button = self.button(QDialogButtonBox.StandardButton.Close)
        button.setAutoDefault(False)
        button.setIcon(QIcon())  # some desktops bring their own, in other lines and colours
        self.rejected.connect(close)


class BackButton(Button):
    """Leads back to the page that this one belongs to."""

    def __init__(self, page: str) -> None:
        super().__init__("back", text=f"‹ {page}")
        self.setAccessibleName(self.tr("Back to {page}").format(page=page))


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders that the user can open."""

    data: Path  # the profile: database, backups
    settings: Path  # the settings file
    logs: Path
    backups: Path  # may not exist yet


def open_dialog(dialog: QDialog) -> None:
    """Without waiting; it is gone once it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def open_folder(folder: Path) -> None:
    """Open it in the system's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class FolderRow(QWidget):
    """A path with a button that opens it; for a file, its folder."""

    def __init__(self, name: str, path: Path) -> None:
        super().__init__()
        folder = path if not path.suffix else path.parent
        go = Button(
            text=self.tr("Open folder"),
            name=self.tr("Open the folder of: {name}").format(name=name),
            press=lambda: open_folder(folder),
        )
        shown = ElidedLabel(role="small", mode=Qt.TextElideMode.ElideMiddle)
        shown.set_text(str(path))
        shown.setContentsMargins(0, 1, 0, 0)
        shown.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        words = column(BodyLabel(name), shown, spacing=0)
        self.setLayout(row(growing(words), go, spacing=Space.LARGE))


P = ParamSpec("P")
T = TypeVar("T")


def do_nothing() -> None: ...


class DialogTasks:
    """Runs work for an owner; results for one that is deleted are dropped."""

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
        guard = self._guarded
        self._bridge.run(work, guard(done), guard(failed), guard(settled))

    def run_each(
        self,
        work: Callable[[], Iterable[T]],
        done: Callable[[T], None],
        failed: Callable[[AppError], None] = ignore,
        settled: Callable[[], None] = do_nothing,
    ) -> None:
        guard = self._guarded
        self._bridge.run_each(work, guard(done), guard(failed), guard(settled))

    def _guarded(self, listener: Callable[P, None]) -> Callable[P, None]:
        def call(*args: P.args, **kwargs: P.kwargs) -> None:
            if isValid(self._owner):
                listener(*args, **kwargs)

        return call
