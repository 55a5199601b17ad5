"""The form for a fact: its sentence, topic and importance."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QLayout, QLineEdit, QWidget

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
from desktop.ui.widgets.fields import NumberField, TextArea, prepare_number
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.layouts import STRETCH, column, growing, row
from desktop.ui.widgets.plain_text import Label

_USUAL_IMPORTANCE = 9
_LINES = 4
_SENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class FormPurpose(StrEnum):
    ADD = "add"
    EDIT = "edit"
    REPLACE = "replace"


class FactForm(TranslatedWidget, QWidget):
    written = Signal(object)  # FactDraft
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.purpose = FormPurpose.ADD
        self._title, self._hint, self._problem = SectionLabel(), HintLabel(), ProblemLabel()
        self._content, self._topic = TextArea(lines=_LINES), QLineEdit()
        self._topic.setMaxLength(LONGEST_FACT_TOPIC)
        self._importance = NumberField(range(LEAST_IMPORTANCE, MOST_IMPORTANCE + 1))
        self._content_label, self._topic_label, self._importance_label = Label(), Label(), Label()
        self._save = Button("primary", press=self.save)
        self._cancel = Button(press=self.cancelled.emit)
        content = _labelled(self._content_label, self._content)
        topic = _labelled(self._topic_label, self._topic)
        importance = _labelled(self._importance_label, self._importance)
        whole = column(
            *(self._title, self._hint, content),
            row(growing(topic), importance, spacing=Space.MEDIUM),
            *(self._problem, row(STRETCH, self._cancel, self._save), STRETCH),
            spacing=Space.MEDIUM,
            margin=(Space.WIDE, Space.SMALL, Space.LARGE, Space.LARGE),
        )
        self.setLayout(whole)
        self.retranslate()

    def begin(self, purpose: FormPurpose, fact: Fact | None, topics: Sequence[str]) -> None:
        """`topics`: offered as completions."""
        self.purpose = purpose
        keeps_words = fact is not None and purpose is FormPurpose.EDIT
        self._content.setText(fact.content if fact and keeps_words else "")
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
        titles = {
            FormPurpose.ADD: self.tr("A new fact"),
            FormPurpose.EDIT: self.tr("Edit this fact"),
            FormPurpose.REPLACE: self.tr("What is true now?"),
        }
        self._title.setText(titles[self.purpose])
        self._content_label.setText(self.tr("&Fact"))
        self._content.setPlaceholderText(self.tr("One short sentence"))
        self._topic_label.setText(self.tr("&Topic"))
        self._importance_label.setText(self.tr("&Importance"))
        prepare_number(self._importance, self.tr("{number} of 10"))
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

    def save(self) -> None:
        content = " ".join(self._content.text().split())
        problem = self._problem_with(content)
        self._problem.set_text(problem)
        if not problem:
            topic = " ".join(self._topic.text().split())
            draft = FactDraft(content=content, topic=topic, importance=self._importance.value())
            self.written.emit(draft)

    def _problem_with(self, content: str) -> str:
        if not content:
            return self.tr("Write the fact first.")
        if len(content) > LONGEST_FACT:
            form = self.tr("A fact can have at most {count} characters; this one has {own}.")
            return form.format(count=LONGEST_FACT, own=len(content))
        if has_secret(content):
            return self.tr(
                "This looks like a key, a password or a card number. Memory is stored "
                "as plain text, so it is not kept there."
            )
        return ""

    def _about(self, fact: Fact | None) -> str:
        match self.purpose:
            case FormPurpose.REPLACE if fact is not None:
                return self.tr("“{fact}” stays in the history with its dates.").format(
                    fact=fact.content
                )
            case FormPurpose.EDIT:
                return self.tr("The earlier wording stays in the history.")
            case _:
                return self.tr("It is sent with every question until it ages.")


def _labelled(label: Label, field: QWidget) -> QLayout:
    label.setBuddy(field)
    return column(label, field, spacing=Space.TIGHT)
