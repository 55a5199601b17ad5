"""The page of one fact (text, sources, possible conflicts, history), and the form to write one."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    LONGEST_FACT_TOPIC,
    MOST_IMPORTANCE,
    Fact,
    FactSource,
)
from desktop.language.secrets import has_secret
from desktop.settings.settings import Number
from desktop.ui.dialogs.form import SavingForm
from desktop.ui.formatting import day
from desktop.ui.memory.memory_actions import FactAction, FactDetails, FactDraft, FactLabels
from desktop.ui.services import NavigationTarget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, ToolButton
from desktop.ui.widgets.fields import NumberField, TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    FlowLayout,
    VerticalScrollArea,
    at_left,
    column,
    frame_with,
    row,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    HintLabel,
    ProblemLabel,
    SectionLabel,
    TitleLabel,
    tip,
)

_MOST_SHOWN = 8  # Sources and former facts that are shown at most


_GLYPHS = {
    FactAction.EDIT: Glyph.PENCIL,
    FactAction.PIN: Glyph.STAR,
    FactAction.REPLACE: Glyph.SWAP,
    FactAction.SHARE: Glyph.PLUS,
    FactAction.DELETE: Glyph.TRASH,
}


class FactPage(VerticalScrollArea):
    action_chosen = Signal(object, object)
    """FactAction, and the Fact: the one that is shown, or one that may conflict with it"""
    place_wanted = Signal(object)  # Place of its source

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self._details: FactDetails | None = None
        self._words = FactLabels(self)
        self._content, self._meta = BodyLabel(), HintLabel()
        self._content.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = {action: ToolButton() for action in _GLYPHS}
        texts = {
            FactAction.EDIT: (self.tr("Edit"), self.tr("Edit the wording (Enter)")),
            FactAction.PIN: ("", self.tr("Pinned facts do not age and are always sent first")),
            FactAction.REPLACE: (
                self.tr("Replace…"),
                self.tr("Replace this fact if it is no longer true"),
            ),
            FactAction.SHARE: (
                self.tr("Share with all projects"),
                self.tr("Let every project use this fact"),
            ),
            FactAction.DELETE: (self.tr("Delete"), self.tr("Delete this fact (Del)")),
        }
        buttons = FlowLayout()
        # More padding would move the last of the four buttons to a second line.
        buttons.setSpacing(0)
        for action, button in self._buttons.items():
            text, about = texts[action]
            button.setText(text)
            button.setToolTip(tip(about))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(partial(self._choose, action))
            buttons.addWidget(button)
        self._parts = QWidget()
        parts = (self._content, self._meta, buttons, self._parts, STRETCH)
        margin = (Space.WIDE, Space.SMALL, Space.LARGE, Space.LARGE)
        self._column = column(*parts, margin=margin)
        self.setWidget(widget_with(self._column))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Selected fact"))
        theme.theme_changed.connect(self._colour)
        self._colour()

    def show_fact(self, details: FactDetails) -> None:
        is_new = self._details is None or self._details.fact.id != details.fact.id
        self._details = details
        self._fill(details)
        if is_new:
            self.verticalScrollBar().setValue(0)

    def _choose(self, action: FactAction) -> None:
        if self._details is not None:
            self.action_chosen.emit(action, self._details.fact)

    def _colour(self) -> None:
        self._content.setFont(self._theme.font(self._theme.scale.body))
        for action, button in self._buttons.items():
            button.setIcon(self._theme.icon(_GLYPHS[action]))
            button.setIconSize(self._theme.icon_size)
        self._show_pin()

    def _show_pin(self) -> None:
        is_pinned = self._details is not None and self._details.fact.is_pinned
        pin = self._buttons[FactAction.PIN]
        pin.setText(self.tr("Unpin") if is_pinned else self.tr("Pin"))
        colour = self._theme.tokens.accent if is_pinned else None
        pin.setIcon(self._theme.icon(Glyph.STAR, colour))

    def _fill(self, details: FactDetails) -> None:
        fact, words = details.fact, self._words
        first = (fact.topic, words.importance(fact), words.term(fact.term))
        second = (words.origin(fact.origin), words.span(fact), words.mentions(fact))
        lines = (" · ".join(filter(None, parts)) for parts in (first, second))
        self._content.setText(fact.content)
        self._meta.setText("\n".join(lines))
        self._buttons[FactAction.SHARE].setVisible(bool(fact.project))
        self._show_pin()
        parts = column(margin=(0, Space.LARGE, 0, 0))
        self._add_conflicts(parts, details.conflicts)
        self._add_sources(parts, details.sources)
        self._add_history(parts, details.history)
        old, self._parts = self._parts, widget_with(parts)
        self._column.replaceWidget(old, self._parts)
        self._parts.show()
        old.hide()
        old.deleteLater()

    def _add_conflicts(self, parts: QVBoxLayout, conflicts: Sequence[Fact]) -> None:
        choices = {
            FactAction.KEEP_BOTH: self.tr("Keep both"),
            FactAction.KEEP_NEWER: self.tr("Keep only the newer one"),
            FactAction.DELETE: self.tr("Delete this one"),
        }
        if conflicts:
            parts.addWidget(SectionLabel(self.tr("May conflict with")))
        for other in conflicts:
            buttons = FlowLayout()
            for action, label in choices.items():
                name = f"{label}: {other.content}"
                choose = partial(self.action_chosen.emit, action, other)
                buttons.addWidget(Button("link", text=label, name=name, press=choose))
            rows = (BodyLabel(other.content), HintLabel(self._words.span(other)), buttons)
            margin = (Space.SMALL, 0, 0, Space.SMALL)
            parts.addWidget(frame_with("rule", column(*rows, spacing=Space.TIGHT, margin=margin)))

    def _add_sources(self, parts: QVBoxLayout, sources: Sequence[FactSource]) -> None:
        parts.addWidget(SectionLabel(self.tr("Source")))
        if not sources:
            parts.addWidget(HintLabel(self.tr("You wrote this fact yourself.")))
        for source in sources[:_MOST_SHOWN]:
            parts.addWidget(self._source(source))

    def _source(self, source: FactSource) -> QWidget:
        words = " ".join(source.quote.split())
        title = " ".join(source.session_title.split())
        quote = BodyLabel(self.tr("“{words}”").format(words=words))
        where = HintLabel(f"{title} · {day(source.said_at)}")
        name = self.tr("Show in session: {title}, {day}")
        place = NavigationTarget(source.session_id, source.message_id, words.split())
        go = Button(
            "link",
            text=self.tr("Show in session"),
            name=name.format(title=title, day=day(source.said_at)),
            press=lambda: self.place_wanted.emit(place),
        )
        rows = (quote, where, at_left(go))
        margin = (Space.SMALL, 0, 0, 0)
        return frame_with("rule", column(*rows, spacing=Space.TIGHT, margin=margin))

    def _add_history(self, parts: QVBoxLayout, history: Sequence[Fact]) -> None:
        if history:
            heading = SectionLabel(self.tr("Replaces"))
            heading.setContentsMargins(0, Space.SMALL, 0, 0)
            parts.addWidget(heading)
        for former in history[:_MOST_SHOWN]:
            parts.addWidget(BodyLabel(former.content, role="muted"))
            parts.addWidget(HintLabel(self._words.span(former)))


_USUAL_IMPORTANCE = 9
_LINES, _CHARACTERS = 4, 64


class FormPurpose(StrEnum):
    ADD = "add"
    EDIT = "edit"
    REPLACE = "replace"


class FactForm(SavingForm):
    written = Signal(object)  # FactDraft

    def __init__(
        self, purpose: FormPurpose, fact: Fact | None, topics: Sequence[str], parent: QWidget
    ) -> None:
        """`topics`: completions."""
        super().__init__(parent)
        self.purpose = purpose
        title, about = self._texts(fact)
        self.setWindowTitle(title)
        keeps_words = purpose is not FormPurpose.REPLACE
        self._content = TextArea(fact.content if fact and keeps_words else "", lines=_LINES)
        self._content.setPlaceholderText(self.tr("One short sentence"))
        self._content.selectAll()
        self._topic, self._problem = QLineEdit(fact.topic if fact else ""), ProblemLabel()
        self._topic.setMaxLength(LONGEST_FACT_TOPIC)
        self._problem.follow(self._content)
        completer = QCompleter(list(topics), self._topic)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._topic.setCompleter(completer)
        self._importance = NumberField(
            Number(least=LEAST_IMPORTANCE, most=MOST_IMPORTANCE), self.tr("{number} of 10")
        )
        self._importance.show_value(fact.importance if fact else _USUAL_IMPORTANCE)
        form = QFormLayout()
        form.addRow(self.tr("&Fact"), self._content)
        form.addRow(self.tr("&Topic"), self._topic)
        form.addRow(self.tr("&Importance"), self._importance)
        save = Button("primary", text=self.tr("&Save"), press=self.save)
        foot = row(STRETCH, Button(text=self.tr("&Cancel"), press=self.reject), save)
        parts = (TitleLabel(title), HintLabel(about), form, self._problem, foot)
        self.setLayout(column(*parts, spacing=Space.MEDIUM, margin=Space.WIDE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        self._content.setFocus(Qt.FocusReason.OtherFocusReason)

    def save(self) -> None:
        content = " ".join(self._content.text().split())
        problem = self._problem_with(content)
        self._problem.set_text(problem)
        if not problem:
            topic = " ".join(self._topic.text().split())
            draft = FactDraft(
                content=content, topic=topic, importance=int(self._importance.value())
            )
            self.accept()
            self.written.emit(draft)

    def _problem_with(self, content: str) -> str:
        if not content:
            return self.tr("Enter a fact.")
        if len(content) > LONGEST_FACT:
            form = self.tr("A fact can have at most {count} characters; this one has {own}.")
            return form.format(count=LONGEST_FACT, own=len(content))
        if has_secret(content):
            return self.tr(
                "This looks like a key, a password or a card number. Facts are sent to models, "
                "so this one cannot be saved."
            )
        return ""

    def _texts(self, fact: Fact | None) -> tuple[str, str]:
        match self.purpose:
            case FormPurpose.REPLACE:
                stays = self.tr("“{fact}” is kept in the history with its dates.")
                return self.tr("Replace fact"), stays.format(fact=fact.content if fact else "")
            case FormPurpose.EDIT:
                return self.tr("Edit fact"), self.tr("The earlier wording is kept in the history.")
            case FormPurpose.ADD:
                return (
                    self.tr("New fact"),
                    self.tr("While this fact is new, it is sent with every question."),
                )
