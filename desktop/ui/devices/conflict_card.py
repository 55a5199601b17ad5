"""A card for what two devices changed, in words: both versions, and the choice between them."""

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import Choice, Conflict
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    Columns,
    at_left,
    column,
    flowing,
    growing,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel

_NAMED = {"content", "topic"}  # Lists of the words and of what is searched
_SWITCHES = {"is_on", "is_paused", "is_local_only"}
_JSON = {"variables"}
_CSL = 0  # Its place in the row of a reference


def can_join(conflict: Conflict) -> bool:
    """Whether both values can be kept in the one field."""
    here, there = conflict.here, conflict.there
    if conflict.field in {"project", *_SWITCHES, *_JSON}:
        return False
    return (isinstance(here, str) and isinstance(there, str)) or (
        conflict.field == "tags" and isinstance(here, list) and isinstance(there, list)
    )


def kind_words(kind: str) -> str:
    translate = QCoreApplication.translate
    names = {
        "projects": translate("Conflicts", "Project"),
        "prompts": translate("Conflicts", "Prompt"),
        "sessions": translate("Conflicts", "Session"),
        "messages": translate("Conflicts", "Message"),
        "sources": translate("Conflicts", "Document"),
        "notes": translate("Conflicts", "Note"),
        "facts": translate("Conflicts", "Fact"),
        "preferences": translate("Conflicts", "Preference"),
        "diary": translate("Conflicts", "Diary"),
        "watches": translate("Conflicts", "Watch"),
    }
    return names.get(kind, kind)


def field_words(field: str) -> str:
    """Return the name of a field; empty for a deletion."""
    translate = QCoreApplication.translate
    names = {
        "": "",
        "name": translate("Conflicts", "name"),
        "title": translate("Conflicts", "title"),
        "summary": translate("Conflicts", "summary"),
        "project": translate("Conflicts", "project"),
        "tags": translate("Conflicts", "tags"),
        "author": translate("Conflicts", "author"),
        "published": translate("Conflicts", "year"),
        "reference": translate("Conflicts", "reference"),
        "instructions": translate("Conflicts", "instructions"),
        "variables": translate("Conflicts", "variables"),
        "is_local_only": translate("Conflicts", "on this computer only"),
        "text": translate("Conflicts", "text"),
        "words": translate("Conflicts", "text"),
        "content": translate("Conflicts", "text"),
        "value": translate("Conflicts", "value"),
        "topic": translate("Conflicts", "topic"),
        "importance": translate("Conflicts", "importance"),
        "is_on": translate("Conflicts", "in force"),
        "is_paused": translate("Conflicts", "paused"),
        "subject": translate("Conflicts", "subject"),
        "every": translate("Conflicts", "how often"),
        "rating": translate("Conflicts", "rating"),
    }
    return names.get(field, field)


def value_words(field: str, value: JsonValue, projects: Mapping[str, str]) -> str:
    """Return a value as the user knows it. `projects`: their names, by id."""
    translate = QCoreApplication.translate
    if field == "project":
        return projects.get(str(value or ""), "") or translate("Conflicts", "No project")
    if field in _SWITCHES:
        return translate("Conflicts", "Yes") if value else translate("Conflicts", "No")
    if value in (None, "", []):
        return translate("Conflicts", "(empty)")
    return _plain_words(field, value)


def _plain_words(field: str, value: JsonValue) -> str:
    match value:
        case str(text):
            return _lines(_parsed(text)) if field in _JSON else text
        case [str(words), *_] if field in _NAMED:
            return words
        case [[*row]] if field == "reference":
            return _lines(_parsed(str(row[_CSL])))
        case [[*row]]:
            return " · ".join(str(each) for each in row[:-1] if each)
        case [*several]:
            return ", ".join(map(str, several))
        case _:
            return str(value)


def _parsed(text: str) -> Any:  # Any: JSON of unknown shape
    try:
        return json.loads(text)
    except ValueError:
        return text


def _lines(value: Any) -> str:  # Any: the same
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_flat(each)}" for name, each in value.items())
    return str(value)


def _flat(value: Any) -> str:  # Any: the same
    if isinstance(value, dict):
        return " ".join(_flat(each) for each in value.values())
    if isinstance(value, list):
        return ", ".join(_flat(each) for each in value)
    return str(value)


_SIDE_BY_SIDE = 84  # Letters
_SHORT = 400  # Letters of a text that needs no area that scrolls
_LINES = 8


class ConflictCard(QFrame):
    chosen = Signal(object, object)  # Conflict, Choice

    def __init__(self, conflict: Conflict, other: str | None, projects: Mapping[str, str]) -> None:
        """`other`: where the version kept aside is from; None: here, empty: not known."""
        super().__init__()
        self._conflict, self._other, self._projects = conflict, other, projects
        self.setProperty("role", "card")
        kind = " · ".join(filter(None, (kind_words(conflict.kind), field_words(conflict.field))))
        name = conflict.name or self.tr("(without a title)")
        parts = self._versions() if conflict.field else self._deletion()
        self.setAccessibleName(f"{kind}: {name}")
        head = column(HintLabel(kind), BodyLabel(name, role="heading"), spacing=0)
        self.setLayout(column(head, *parts, spacing=Space.MEDIUM, margin=Space.LARGE))

    def _versions(self) -> list[QWidget]:
        conflict = self._conflict
        aside = self._where(
            self.tr("Written on {device}"),
            self.tr("Written on another device"),
            self.tr("Written on this computer"),
        )
        here, there = (
            self._version(self.tr("In force now"), conflict.here, Choice.HERE),
            self._version(aside, conflict.there, Choice.THERE),
        )
        columns = Columns(
            growing(here), growing(there), letters=_SIDE_BY_SIDE, spacing=Space.LARGE
        )
        if not can_join(conflict):
            return [columns]
        both = self._button(self.tr("Keep both"), Choice.BOTH)
        return [columns, widget_with(column(at_left(both)))]

    def _version(self, title: str, value: JsonValue, choice: Choice) -> QWidget:
        words = value_words(self._conflict.field, value, self._projects)
        shown: QWidget = BodyLabel(words)
        if len(words) > _SHORT:
            shown = TextArea(words, lines=_LINES, is_read_only=True, grows=True)
            shown.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            shown.setAccessibleName(title)
        label = self.tr("Keep this")
        keep = self._button(label, choice, name=f"{label}: {title}")
        return widget_with(
            column(column(HintLabel(title), shown, spacing=0), STRETCH, at_left(keep))
        )

    def _deletion(self) -> list[QWidget]:
        words = self._where(
            self.tr("Deleted on {device}, but changed on this computer since."),
            self.tr("Deleted on another device, but changed on this computer since."),
            self.tr("Deleted on this computer, but changed on another one since."),
        )
        keep = self._button(self.tr("Keep it"), Choice.HERE)
        delete = DangerButton(text=self.tr("Delete it"), press=lambda: self._choose(Choice.THERE))
        return [BodyLabel(words), widget_with(flowing(keep, delete))]

    def _where(self, named: str, unnamed: str, here: str) -> str:
        if self._other is None:
            return here
        return named.format(device=self._other) if self._other else unnamed

    def _button(self, text: str, choice: Choice, *, name: str = "") -> Button:
        return Button(text=text, name=name, press=lambda: self._choose(choice))

    def _choose(self, choice: Choice) -> None:
        for button in self.findChildren(Button):
            button.setEnabled(False)
        self.chosen.emit(self._conflict, choice)
