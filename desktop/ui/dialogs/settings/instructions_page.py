"""Settings, Instructions: the persona, and instructions for every session."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.settings.settings import OWN_PERSONA, USUAL_PERSONA, Settings, StandingInstruction
from desktop.settings.settings_schema import (
    LONGEST_INSTRUCTION,
    LONGEST_PERSONA,
    MOST_INSTRUCTIONS,
)
from desktop.ui.dialogs.form import FormGrid
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox, WrappingCheckBox
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.layouts import FlowLayout
from desktop.ui.widgets.plain_text import Label

_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole


class InstructionListModel(QAbstractListModel):
    written = Signal(object)
    """Tuple of StandingInstructions"""
    refused = Signal(bool)
    """Whether the last text was too long"""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: tuple[StandingInstruction, ...] = ()
        self._hint = ""

    def show_instructions(self, kept: Sequence[StandingInstruction]) -> None:
        if tuple(kept) != self._kept:
            self.beginResetModel()
            self._kept = tuple(kept)
            self.endResetModel()

    def set_hint(self, hint: str) -> None:
        """The placeholder of the empty row."""
        self._hint = hint
        self.dataChanged.emit(self.index(len(self._kept)), self.index(len(self._kept)))

    def remove(self, row: int) -> None:
        if row < len(self._kept):
            self._write([one for place, one in enumerate(self._kept) if place != row])

    def move(self, row: int, by: int) -> bool:
        """Move it up or down; earlier ones have priority."""
        to = row + by
        if not (0 <= row < len(self._kept) and 0 <= to < len(self._kept)):
            return False
        kept = list(self._kept)
        kept[row], kept[to] = kept[to], kept[row]
        self._write(kept)
        return True

    def rowCount(self, parent: _Index = _TOP) -> int:
        has_room = len(self._kept) < MOST_INSTRUCTIONS
        return 0 if parent.isValid() else len(self._kept) + int(has_room)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        flags |= Qt.ItemFlag.ItemIsEditable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._one(index) else flags

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        one = self._one(index)
        match role:
            case _Role.DisplayRole if index.isValid():
                return one.text if one else self._hint
            case _Role.EditRole:
                return one.text if one else ""
            case _Role.CheckStateRole if one is not None:
                return Qt.CheckState.Checked if one.is_on else Qt.CheckState.Unchecked
            case _Role.ForegroundRole if index.isValid() and one is None:
                return QGuiApplication.palette().placeholderText()
            case _:
                return None

    def setData(self, index: _Index, value: object, role: int = _Role.EditRole) -> bool:
        one = self._one(index)
        if role == _Role.CheckStateRole and one is not None:
            is_on = Qt.CheckState(value) is Qt.CheckState.Checked
            return self._change(index.row(), StandingInstruction(one.text, is_on))
        if role != _Role.EditRole or not index.isValid() or not isinstance(value, str):
            return False
        text = " ".join(value.split())
        self.refused.emit(len(text) > LONGEST_INSTRUCTION)
        if len(text) > LONGEST_INSTRUCTION or (not text and one is None):
            return False
        if not text:
            self.remove(index.row())
            return True
        return self._change(index.row(), StandingInstruction(text, one.is_on if one else True))

    def _change(self, row: int, changed: StandingInstruction) -> bool:
        kept = list(self._kept)
        kept[row : row + 1] = [changed]
        self._write(kept)
        return True

    def _write(self, kept: Sequence[StandingInstruction]) -> None:
        self.show_instructions(kept)
        self.written.emit(tuple(kept))

    def _one(self, index: _Index) -> StandingInstruction | None:
        is_kept = index.isValid() and index.row() < len(self._kept)
        return self._kept[index.row()] if is_kept else None


_ROWS, _LINES = 7, 6


class _PersonaField(QPlainTextEdit):
    """Applied when it loses the focus."""

    def __init__(self, take: Callable[[str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._apply_text = take
        self.setProperty("role", "field")
        self.setTabChangesFocus(True)
        self.setFixedHeight((_LINES + 1) * self.fontMetrics().lineSpacing())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._apply_text(self.toPlainText().strip())


class InstructionsPage(SettingsPage):
    def __init__(
        self,
        changes: SettingsController,
        personas: Callable[[], Mapping[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        """`personas`: their texts by name, in the language of the window."""
        super().__init__(changes, parent)
        self._personas = personas
        self._names: list[str] = []
        self.model = InstructionListModel(self)
        self._begin()

    def _build(self) -> None:
        form = FormGrid()
        self._who, self._persona_label, self._persona = SectionLabel(), Label(), ComboBox()
        self._persona.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._persona_text = HintLabel()
        self._own_label, self._own = Label(), _PersonaField(self._apply_own)
        self._own_problem = ProblemLabel()
        self._checks, self._checks_hint = WrappingCheckBox(), HintLabel()
        form.add_section(self._who)
        form.add_row(self._persona_label, self._persona, self._persona_text)
        form.add_row(self._own_label, self._own, self._own_problem)
        form.add_gap()
        form.add_check(self._checks, self._checks_hint)
        self._always, self._always_hint = SectionLabel(), HintLabel()
        self._list = QListView()
        self._list.setProperty("role", "list")
        self._list.setModel(self.model)
        self._list.setWordWrap(True)
        self._list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self._list.setMinimumHeight(_ROWS * 2 * self.fontMetrics().lineSpacing())
        self._problem = ProblemLabel()
        self._new, self._up, self._down, self._drop = (Button() for _ in range(4))
        row = FlowLayout()
        for button in (self._new, self._up, self._down, self._drop):
            row.addWidget(button)
        part = QVBoxLayout()
        part.setSpacing(Space.SMALL)
        for widget in (self._always, self._always_hint, self._list, self._problem):
            part.addWidget(widget)
        part.addLayout(row)
        self.column.addWidget(form)
        self.column.addLayout(part)
        self.column.addStretch()

    def _connect(self) -> None:
        self._persona.activated.connect(lambda place: self._apply(persona=self._names[place]))
        self._checks.clicked.connect(lambda is_on: self._apply(checks_answers=is_on))
        self.model.written.connect(lambda kept: self._apply(instructions=kept))
        self.model.refused.connect(self._refuse)
        self._new.clicked.connect(self._write_new)
        self._up.clicked.connect(lambda: self._move(-1))
        self._down.clicked.connect(lambda: self._move(1))
        self._drop.clicked.connect(lambda: self.model.remove(self._list.currentIndex().row()))
        delete = QShortcut(QKeySequence.StandardKey.Delete, self._list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._drop.click)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Instructions"))
        self._who.setText(self.tr("Who you're talking to"))
        self._persona_label.setText(self.tr("&Character"))
        self._own_label.setText(self.tr("In your own &words"))
        self._own.setPlaceholderText(
            self.tr("You are Bellek, a … who …. Describe who it is and how it speaks.")
        )
        self._checks.setText(self.tr("Chec&k answers before showing them"))
        self._checks_hint.setText(
            self.tr(
                "Every part answered, in your language and in character, no internal "
                "details leaked. An answer that fails is written again or says what is "
                "missing."
            )
        )
        self._always.setText(self.tr("In every session"))
        self._always_hint.setText(
            self.tr(
                "Rules to follow in every session, in your own words. A rule that is "
                "turned off stays here and is not sent."
            )
        )
        self._list.setAccessibleName(self.tr("Standing instructions"))
        self.model.set_hint(self.tr("New, e.g. “Answer in at most five sentences”"))
        self._new.setText(self.tr("&New instruction"))
        self._up.setText(self.tr("Move &up"))
        self._down.setText(self.tr("Move &down"))
        self._drop.setText(self.tr("&Remove"))
        self._list_personas()
        self._show(self._changes.settings)

    def _list_personas(self) -> None:
        known = {
            USUAL_PERSONA: self.tr("Research assistant"),
            "butler": self.tr("Butler"),
            "editor": self.tr("Editor"),
            "teacher": self.tr("Teacher"),
        }
        there = self._personas()
        usual = [name for name in known if name in there]
        others = [name for name in there if name not in known]
        self._names = [*usual, *others, OWN_PERSONA]
        with QSignalBlocker(self._persona):
            self._persona.clear()
            self._persona.addItems([known.get(name, name) for name in [*usual, *others]])
            self._persona.addItem(self.tr("My own"))

    def _show(self, settings: Settings) -> None:
        is_own = settings.persona == OWN_PERSONA
        if settings.persona in self._names:
            self._persona.setCurrentIndex(self._names.index(settings.persona))
        self._persona_text.setText(self._personas().get(settings.persona, ""))
        self._persona_text.setVisible(bool(self._persona_text.text()))
        self._own_label.setVisible(is_own)
        self._own.setVisible(is_own)
        if not self._own.hasFocus():
            self._own.setPlainText(settings.own_persona)
        self._checks.setChecked(settings.checks_answers)
        self.model.show_instructions(settings.instructions)

    def _apply_own(self, words: str) -> None:
        is_long = len(words) > LONGEST_PERSONA
        self._own_problem.set_text(
            self.tr("At most {count} characters.").format(count=LONGEST_PERSONA) if is_long else ""
        )
        if not is_long:
            self._apply(own_persona=words)

    def _write_new(self) -> None:
        last = self.model.index(self.model.rowCount() - 1)
        self._list.setCurrentIndex(last)
        self._list.edit(last)

    def _move(self, by: int) -> None:
        row = self._list.currentIndex().row()
        if self.model.move(row, by):
            self._list.setCurrentIndex(self.model.index(row + by))

    def _refuse(self, is_refused: bool) -> None:  # noqa: FBT001 (a slot)
        self._problem.set_text(
            self.tr("An instruction can have at most 1,000 characters.") if is_refused else ""
        )
