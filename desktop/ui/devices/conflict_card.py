"""A card for what two devices changed: both versions, and the choice between them."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import Choice, Conflict
from desktop.ui.devices.conflict_words import can_join, field_words, kind_words, value_words
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
