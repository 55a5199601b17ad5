"""Building blocks of dialogs: pages, forms, folder rows, buttons, the menu of tags."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFontDatabase,
    QKeyEvent,
    QPagedPaintDevice,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QInputDialog,
    QLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.errors import AppError
from desktop.ui.i18n import core_texts
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.views import View
from desktop.ui.widgets.bars import Choice, MessageBar, Rank, UndoKey
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import NumberField, RadioGroup, TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    FlowLayout,
    GrowthFilter,
    LayoutItem,
    VerticalScrollArea,
    at_top,
    column,
    growing,
    row,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    ElidedLabel,
    HintLabel,
    Label,
    ProblemLabel,
    SectionLabel,
    TitleLabel,
)
from desktop.ui.widgets.search_fields import SearchField

if TYPE_CHECKING:
    _Widget = QWidget  # Whose methods the mix-in calls
else:
    _Widget = object

_LABEL_CHARACTERS, _QUESTION_CHARACTERS = 21, 48
_CHOICE_CHARACTERS, _PAGE_CHARACTERS = 40, 130
_SENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_LIST_CHARACTERS, _LIST_LINES, _FEWEST_LINES = 90, 18, 4
MOST_IN_MENU = 100
"""Names in one menu: nobody reads more, and Qt takes a second for thousands."""
_FRAME = 40  # Pixels for the title of a window


class FormGrid(QWidget):
    """Rows of a label and its field in two columns; hints are below the field.

    If there is no room for two columns, a label is above its field. What has no label, such as
    a check box, begins at the left once the labels take a third of the room.
    """

    def __init__(self) -> None:
        super().__init__()
        self._column = column()
        self.setLayout(self._column)
        self._rows: list[tuple[QWidget, QBoxLayout]] = []  # The label of each, and its layout
        self._lines: dict[QWidget, QWidget] = {}  # by field
        self._fields: list[QVBoxLayout] = []  # of each row, with its hint below

    def add_section(self, section: SectionLabel) -> None:
        if self._column.count():
            self._column.addSpacing(Space.WIDE)
        self._column.addWidget(section)

    def add_row(self, label: Label, field: QWidget, *below: QWidget) -> None:
        label.setBuddy(field)
        # Aligned with the first line of the field, however many follow.
        label.setContentsMargins(0, 0 if isinstance(field, RadioGroup) else Space.SMALL, 0, 0)
        self._add(label, field, below)

    def add_field(self, field: QWidget, *below: QWidget) -> None:
        self._add(QWidget(), field, below)

    def add_below(self, *below: QWidget) -> None:
        for widget in below:
            self._fields[-1].addWidget(widget)

    def show_row(self, field: QWidget, *, is_shown: bool) -> None:
        self._lines[field].setVisible(is_shown)
        for problem in self._lines[field].findChildren(ProblemLabel):
            problem.set_text("")

    def add_gap(self) -> None:
        self._column.addSpacing(Space.SMALL)

    def fit(self, room: int) -> None:
        """Use two columns, or one if two need more room than this; choices have one width."""
        most = min(text_width(self, _CHOICE_CHARACTERS), room)
        choices = [field for field in self._lines if isinstance(field, QComboBox | NumberField)]
        hints = [choice.sizeHint().width() for choice in choices]
        for choice in choices:
            choice.setMinimumWidth(max((hint for hint in hints if hint <= most), default=0))
        labels = [label.sizeHint().width() for label, _ in self._rows]
        widest = max((text_width(self, _LABEL_CHARACTERS), *labels))
        fields = max((fields.minimumSize().width() for fields in self._fields), default=0)
        is_stacked = widest + Space.WIDE + fields > room
        is_tight = is_stacked or widest * 3 > room
        side = QBoxLayout.Direction.TopToBottom if is_stacked else QBoxLayout.Direction.LeftToRight
        for label, line in self._rows:
            label.setMinimumWidth(0 if is_stacked else widest)
            label.setHidden(is_tight and not isinstance(label, Label))
            line.setDirection(side)
            line.setSpacing(Space.SMALL if is_stacked else Space.WIDE)

    def _add(self, label: QWidget, field: QWidget, below: Sequence[QWidget]) -> None:
        grows = field.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding
        side = Qt.AlignmentFlag(0) if grows else Qt.AlignmentFlag.AlignLeft
        self._fields.append(column(LayoutItem(field, side=side), *below))
        line = row(at_top(label), growing(self._fields[-1]), spacing=Space.WIDE)
        self._rows.append((label, line))
        self._lines[field] = widget_with(line)
        self._column.addWidget(self._lines[field])


class Page(QScrollArea):
    def __init__(self, title: str = "") -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.title = TitleLabel()
        self.column = column(self.title, spacing=Space.LARGE, margin=Space.WIDE)
        self._content = widget_with(self.column)
        self.setWidget(self._content)
        self.set_title(title)

    def set_title(self, title: str) -> None:
        self.title.setText(title)
        # The page takes the focus itself, so it needs a name.
        self.setAccessibleName(title)

    def add_section(self, *parts: QWidget | QLayout | LayoutItem) -> None:
        """Add parts below each other, as far from what is above as a section of a form."""
        if self.column.count() > 1:
            self.column.addSpacing(Space.LARGE)
        self.column.addLayout(column(*parts))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._content.setMaximumWidth(text_width(self, _PAGE_CHARACTERS))
        margins = self.column.contentsMargins()
        width = min(self.viewport().width(), self._content.maximumWidth())
        for form in self.findChildren(FormGrid):
            form.fit(width - margins.left() - margins.right())
        super().resizeEvent(event)


class RebuiltContent(QObject):
    """The content of a window or page, built again when the language changes.

    So each text is set only once.
    """

    outdated = Signal()  # It speaks another language

    def __init__(
        self, owner: QWidget, build: Callable[[], QLayout], fill: Callable[[], None]
    ) -> None:
        """`fill`: fills what `build` made, before the focus returns to it."""
        super().__init__(owner)
        self._owner, self._build, self._fill = owner, build, fill
        self._content = QWidget()
        self._frame = column(self._content)
        owner.setLayout(self._frame)
        # Qt sends the event to the owner and again from its parent.
        self._soon = make_timer(self, 0, self.outdated.emit, is_single=True)
        owner.installEventFilter(self)

    def rebuild(self) -> None:
        focus: QWidget | None = self._owner.window().focusWidget()
        before = self._tab_stops()
        queries = [search.text() for search in self._content.findChildren(SearchField)]
        # Created inside the window from the start, or Qt would style it several times.
        old, self._content = self._content, QWidget(self._owner)
        self._content.setLayout(self._build())
        self._frame.replaceWidget(old, self._content)
        self._content.show()
        old.hide()
        old.deleteLater()
        self._fill()
        for search, query in zip(self._content.findChildren(SearchField), queries, strict=False):
            search.setText(query)
        after = self._tab_stops()
        if focus in before and len(before) == len(after):
            after[before.index(focus)].setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, owner: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange:
            self._soon.start()
        return super().eventFilter(owner, event)

    def _tab_stops(self) -> list[QWidget]:
        """Return those that are shown: a page that is not may not be made yet."""
        inside = self._content.findChildren(QWidget)
        shown = [widget for widget in inside if widget.isVisibleTo(self._content)]
        return [widget for widget in shown if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]


class _Rebuilt(_Widget):
    """Mix-in of a page or a dialog, before Qt's class: it changes its language in its place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rebuilt = RebuiltContent(self, self._build, self._fill)
        self._rebuilt.outdated.connect(self.rebuild)

    def rebuild(self) -> None:
        self._rebuilt.rebuild()

    def _build(self) -> QLayout:
        raise NotImplementedError

    def _fill(self) -> None:
        """Show in new widgets what does not depend on the language."""


class RebuiltView(_Rebuilt, View):
    """A page of the window."""


class RebuiltDialog(_Rebuilt, QDialog):
    def _titled(
        self, title: str, *parts: QWidget | QLayout | LayoutItem, spacing: int = Space.LARGE
    ) -> QLayout:
        """Return the parts below a title, which also names the window."""
        self.setWindowTitle(title)
        return column(TitleLabel(title), *parts, spacing=spacing, margin=Space.WIDE)


class ListDialog(QDialog):
    """A list whose entries have buttons, below a bar that says what became of them."""

    notice: ClassVar[str]  # The key of what the bar says

    def __init__(self, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self.strip = MessageBar(theme)
        UndoKey(self.strip, self).listen()
        self._list = VerticalScrollArea()
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setMinimumHeight(_FEWEST_LINES * self.fontMetrics().lineSpacing())
        self.setMinimumWidth(text_width(self, _LIST_CHARACTERS))

    def sizeHint(self) -> QSize:
        """Return a size for many lines; on a small screen the list scrolls sooner."""
        lines = (_LIST_LINES - _FEWEST_LINES) * self.fontMetrics().lineSpacing()
        return super().sizeHint() + QSize(0, lines)

    def _arrange(
        self, title: str, about: str, *above: QLayout, buttons: Sequence[Button] = ()
    ) -> None:
        """Lay it out: what stands above the bar and the list, and the buttons beside Close."""
        self.setWindowTitle(title)
        self._list.setAccessibleName(title)
        close = Button(text=self.tr("&Close"), press=self.reject)
        self.setLayout(
            column(
                TitleLabel(title),
                HintLabel(about),
                *above,
                self.strip,
                growing(self._list),
                row(STRETCH, close, *buttons),
                spacing=Space.MEDIUM,
                margin=Space.WIDE,
            )
        )

    def _show_entries(self, entries: Sequence[QLayout], empty: str) -> None:
        parts = column(spacing=Space.LARGE, margin=(0, 0, Space.SMALL, 0))
        for entry in entries:
            parts.addLayout(entry)
        if not entries:
            parts.addWidget(HintLabel(empty))
        parts.addStretch()
        self._list.setWidget(widget_with(parts))

    def _buttons(self, subject: str, *choices: Choice) -> FlowLayout:
        """Return the buttons of an entry; a screen reader says what each is about."""
        buttons = FlowLayout()
        for words, press in choices:
            name = f"{words}: {subject}"
            buttons.addWidget(Button("chip", text=words, name=name, press=press))
        return buttons

    def _show_failed(self, error: AppError) -> None:
        self.strip.show_message(self.notice, core_texts().error(error), rank=Rank.FAILURE)


class SavingForm(QDialog):
    """A form with a field of several lines: Ctrl+Return saves, because Return writes a line."""

    def save(self) -> None:
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _SENDS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.save()
        else:
            super().keyPressEvent(event)


class CodeArea(TextArea):
    """A text whose letters all have one width."""

    def _fit(self) -> None:
        super()._fit()
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(self.font().pointSizeF())
        self.document().setDefaultFont(fixed)


class CloseButtons(QDialogButtonBox):
    """A Close button; Esc does the same."""

    def __init__(self, close: Callable[[], None]) -> None:
        super().__init__()
        self.addButton(Button(text=self.tr("Close")), QDialogButtonBox.ButtonRole.RejectRole)
        self.rejected.connect(close)


class BackButton(Button):
    def __init__(self, page: str) -> None:
        super().__init__("back", text=f"‹ {page}")
        self.setAccessibleName(self.tr("Back to {page}").format(page=page))


def open_dialog(dialog: QDialog) -> None:
    """Open the dialog without blocking; it is deleted when it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if not dialog.testAttribute(Qt.WidgetAttribute.WA_Resized):
        # Qt limits a dialog to two thirds of the screen, and paints the rest one over another.
        room = dialog.screen().availableSize() - QSize(0, _FRAME)
        dialog.resize(dialog.sizeHint().boundedTo(room))
    GrowthFilter(dialog)
    dialog.open()


def ask_for_printer(parent: QWidget, chosen: Callable[[QPagedPaintDevice], object]) -> None:
    """Show the system’s dialog without blocking; `chosen` gets the printer, perhaps a file."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # noqa: PLC0415 - rarely needed

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    dialog = QPrintDialog(printer, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setOption(QPrintDialog.PrintDialogOption.PrintToFile)
    dialog.accepted.connect(lambda: chosen(printer))
    # Its own `open` wants a receiver, so this is what a dialog's does.
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()


class TextQuestion(QInputDialog):
    """Asks for a text; opens at once."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        words: str,
        on_text: Callable[[str], object],
        *,
        text: str = "",
        is_long: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setOption(self.InputDialogOption.UsePlainTextEditForTextInput, on=is_long)
        self.setWindowTitle(title)
        self.setLabelText(words)
        self.setTextValue(text)
        self.setOkButtonText(self.tr("Save"))
        self.setCancelButtonText(self.tr("Cancel"))
        self.setMinimumWidth(text_width(self, _QUESTION_CHARACTERS))
        self.textValueSelected.connect(on_text)
        open_dialog(self)


def open_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class FolderRow(QWidget):
    """A path with a button that opens it; for a file, its folder."""

    def __init__(self, name: str, path: Path) -> None:
        super().__init__()
        folder = path if not path.suffix else path.parent
        go = Button(
            text=self.tr("Open folder"),
            name=self.tr("Open folder: {name}").format(name=name),
            press=lambda: open_folder(folder),
        )
        shown = ElidedLabel(role="small", mode=Qt.TextElideMode.ElideMiddle)
        shown.set_text(str(path))
        shown.setContentsMargins(0, 1, 0, 0)
        shown.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        words = column(BodyLabel(name), shown, spacing=0)
        self.setLayout(row(growing(words), go, spacing=Space.LARGE))


class TagMenu(QMenu):
    """The user's own tags; a tag is checked if all the selected have it."""

    def __init__(
        self,
        tags: Mapping[str, frozenset[str]],
        selected: Sequence[str],
        change: Callable[[str, bool], object],
        parent: QWidget,
    ) -> None:
        """`change` gets a tag, and whether the selected should have it."""
        super().__init__(parent)
        # A menu is a window of its own, and is closed when the name is asked for.
        self._change, self._window = change, (parent.parentWidget() or parent).window()
        self.setTitle(self.tr("Tags"))
        listed = [*tags]
        if is_cut := len(tags) > MOST_IN_MENU:
            # Those that the selected have are there to be removed.
            listed.sort(key=lambda name: tags[name].isdisjoint(selected))
        for name in listed[:MOST_IN_MENU]:
            action = self.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(tags[name].issuperset(selected))
            action.toggled.connect(partial(change, name))
        self.addSeparator()
        self.addAction(self.tr("Another tag…") if is_cut else self.tr("New tag…"), self._ask)

    def _ask(self) -> None:
        """Ask for a name; the menu may be gone when it is given."""
        change = self._change
        TextQuestion(
            self._window,
            self.tr("New tag"),
            self.tr("Name of the tag"),
            lambda name: change(name, True) if name.strip() else None,
        )


def do_nothing() -> None: ...
