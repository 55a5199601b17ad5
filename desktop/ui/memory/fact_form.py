"""The form for a fact: its sentence, topic and importance."""

from collections.abc import Sequence
from enum import StrEnum
from typing import assert_never

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    LONGEST_FACT_TOPIC,
    MOST_IMPORTANCE,
    Fact,
)
from desktop.language.secrets import has_secret
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.memory.memory_actions import FactDraft
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import NumberField
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

_USUAL_IMPORTANCE = 9
_LINES = 4
_SENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class FormPurpose(StrEnum):
    ADD = "add"
    EDIT = "edit"
    REPLACE = "replace"


class FactForm(TranslatedWidget, QWidget):
    written = Signal(object)
    "FactDraft"
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._purpose = FormPurpose.ADD
        self._title, self._hint = SectionLabel(), HintLabel()
        self._content = QPlainTextEdit()
        self._content_label, self._topic_label = Label(), Label()
        self._topic = QLineEdit()
        self._importance_label = Label()
        self._importance = NumberField(range(LEAST_IMPORTANCE, MOST_IMPORTANCE + 1))
        self._problem = ProblemLabel()
        self._save, self._cancel = Button("primary"), Button()
        self._build()
        self._connect()
        self.retranslate()

    @property
    def purpose(self) -> FormPurpose:
        return self._purpose

    def begin(self, purpose: FormPurpose, fact: Fact | None, topics: Sequence[str]) -> None:
        """`topics`: offered as completions."""
        self._purpose = purpose
        keeps_words = fact is not None and purpose is FormPurpose.EDIT
        self._content.setPlainText(fact.content if fact and keeps_words else "")
        self._topic.setText(fact.topic if fact else "")
        self._importance.show_value(fact.importance if fact else _USUAL_IMPORTANCE)
        self._problem.set_text("")
        completer = QCompleter(list(topics), self._topic)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._topic.setCompleter(completer)
        self.retranslate()
        self._hint.setText(self._about(fact))
        self._content.selectAll()
        self._content.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        match self._purpose:
            case FormPurpose.ADD:
                self._title.setText(self.tr("A new fact"))
            case FormPurpose.EDIT:
                self._title.setText(self.tr("Edit this fact"))
            case FormPurpose.REPLACE:
                self._title.setText(self.tr("What is true now?"))
            case _:
                assert_never(self._purpose)
        self._content_label.setText(self.tr("&Fact"))
        self._content.setPlaceholderText(self.tr("One short sentence"))
        self._topic_label.setText(self.tr("&Topic"))
        self._importance_label.setText(self.tr("&Importance"))
        self._importance.set_format(self.tr("{number} of 10"))
        self._save.setText(self.tr("&Save"))
        self._cancel.setText(self.tr("&Cancel"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif event.key() in _SENDS and has_control:
            self.save()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def save(self) -> None:
        content = " ".join(self._content.toPlainText().split())
        if not content:
            self._problem.set_text(self.tr("Write the fact first."))
        elif len(content) > LONGEST_FACT:
            self._problem.set_text(
                self.tr("A fact can have at most {count} characters; this one has {own}.").format(
                    count=LONGEST_FACT, own=len(content)
                )
            )
        elif has_secret(content):
            self._problem.set_text(
                self.tr(
                    "This looks like a key, a password or a card number. Memory is stored "
                    "as plain text, so it is not kept there."
                )
            )
        else:
            topic = " ".join(self._topic.text().split())
            self.written.emit(FactDraft(content, topic, self._importance.value()))

    def _about(self, fact: Fact | None) -> str:
        match self._purpose:
            case FormPurpose.REPLACE if fact is not None:
                return self.tr("“{fact}” stays in the history with its dates.").format(
                    fact=fact.content
                )
            case FormPurpose.EDIT:
                return self.tr("The earlier wording stays in the history.")
            case _:
                return self.tr("It is sent with every question until it ages.")

    def _build(self) -> None:
        self._content.setProperty("role", "field")
        self._content.setTabChangesFocus(True)
        self._content.setFixedHeight((_LINES + 1) * self.fontMetrics().lineSpacing())
        self._topic.setMaxLength(LONGEST_FACT_TOPIC)
        for label, field in (
            (self._content_label, self._content),
            (self._topic_label, self._topic),
            (self._importance_label, self._importance),
        ):
            label.setBuddy(field)
        row = QHBoxLayout()
        row.setSpacing(Space.SMALL)
        row.addStretch(1)
        row.addWidget(self._cancel)
        row.addWidget(self._save)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.WIDE, Space.SMALL, Space.LARGE, Space.LARGE)
        column.setSpacing(Space.MEDIUM)
        column.addWidget(self._title)
        column.addWidget(self._hint)
        column.addLayout(_field(self._content_label, self._content))
        about = QHBoxLayout()
        about.setSpacing(Space.MEDIUM)
        about.addLayout(_field(self._topic_label, self._topic), 1)
        about.addLayout(_field(self._importance_label, self._importance))
        column.addLayout(about)
        column.addWidget(self._problem)
        column.addLayout(row)
        column.addStretch(1)

    def _connect(self) -> None:
        self._save.clicked.connect(self.save)
        self._cancel.clicked.connect(self.cancelled)


def _field(label: Label, field: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(Space.TIGHT)
    column.addWidget(label)
    column.addWidget(field)
    return column
