"""The page of one fact: its text, sources, possible conflicts and history."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop.domain.facts import Fact, FactSource
from desktop.ui.formatting import day
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.memory.fact_groups import FactLabels
from desktop.ui.memory.memory_actions import FactDetails
from desktop.ui.services import NavigationTarget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import PushButton, ToolButton
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel
from desktop.ui.widgets.layouts import FlowLayout
from desktop.ui.widgets.plain_text import tip

_MOST_SHOWN = 8
"""Sources and former facts that are shown at most."""


class FactPage(TranslatedWidget, QScrollArea):
    edit_wanted = Signal()
    replace_wanted = Signal()
    pin_wanted = Signal(bool)
    delete_wanted = Signal()
    place_wanted = Signal(object)
    """Place where it was said"""
    both_wanted = Signal(object)
    """Fact that is kept beside the one that is shown"""
    newer_wanted = Signal(object)
    """Fact of which, or of the one that is shown, the newer is to hold"""
    other_delete_wanted = Signal(object)
    """Fact that may conflict, and is to be deleted"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._told: FactDetails | None = None
        self._words = FactLabels(self)
        self._content = BodyLabel()
        self._meta = HintLabel()
        self._row = FlowLayout()
        # The buttons have room around their words; more, and the last of four stands alone below.
        self._row.setSpacing(0)
        self._edit, self._pin = ToolButton(), ToolButton()
        self._replace, self._delete = ToolButton(), ToolButton()
        self._below = QVBoxLayout()
        self._parts: QWidget | None = None
        self._build()
        self._connect()
        self.retranslate()

    def show_fact(self, told: FactDetails) -> None:
        is_new = self._told is None or self._told.fact.id != told.fact.id
        self._told = told
        self._fill()
        if is_new:
            self.verticalScrollBar().setValue(0)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Selected fact"))
        self._edit.setText(self.tr("Edit"))
        self._edit.setToolTip(tip(self.tr("Reword (Enter)")))
        self._replace.setText(self.tr("Replace…"))
        self._replace.setToolTip(tip(self.tr("No longer true? Write what is true now")))
        self._delete.setText(self.tr("Delete"))
        self._delete.setToolTip(tip(self.tr("Delete it (Del)")))
        self._show_pin()
        self._fill()

    def _build(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for button in (self._edit, self._pin, self._replace, self._delete):
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            self._row.addWidget(button)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(Space.WIDE, Space.SMALL, Space.LARGE, Space.LARGE)
        column.setSpacing(Space.SMALL)
        column.addWidget(self._content)
        column.addWidget(self._meta)
        column.addLayout(self._row)
        column.addLayout(self._below)
        column.addStretch(1)
        self.setWidget(inside)
        self._colour()

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._colour)
        self._edit.clicked.connect(self.edit_wanted)
        self._replace.clicked.connect(self.replace_wanted)
        self._delete.clicked.connect(self.delete_wanted)
        self._pin.clicked.connect(self._want_pin)

    def _want_pin(self) -> None:
        if self._told is not None:
            self.pin_wanted.emit(not self._told.fact.is_pinned)

    def _colour(self) -> None:
        theme = self._theme
        self._content.setFont(theme.font(theme.scale.body))
        for button, glyph in (
            (self._edit, Glyph.PENCIL),
            (self._replace, Glyph.REFRESH),
            (self._delete, Glyph.TRASH),
        ):
            button.setIcon(theme.icon(glyph))
            button.setIconSize(theme.icon_size)
        self._pin.setIconSize(theme.icon_size)
        self._show_pin()

    def _show_pin(self) -> None:
        is_pinned = self._told is not None and self._told.fact.is_pinned
        self._pin.setText(self.tr("Unpin") if is_pinned else self.tr("Pin"))
        self._pin.setToolTip(tip(self.tr("Pinned facts do not age and are always sent first")))
        colour = self._theme.tokens.accent if is_pinned else None
        self._pin.setIcon(self._theme.icon(Glyph.PIN, colour))

    def _fill(self) -> None:
        told = self._told
        if told is None:
            return
        fact = told.fact
        self._content.setText(fact.content)
        self._meta.setText(self._said_of(fact))
        self._show_pin()
        old, self._parts = self._parts, QWidget()
        column = QVBoxLayout(self._parts)
        column.setContentsMargins(0, Space.LARGE, 0, 0)
        column.setSpacing(Space.SMALL)
        self._add_conflicts(column, told.conflicts)
        self._add_sources(column, told.sources)
        self._add_history(column, told.history)
        self._below.addWidget(self._parts)
        if old is not None:
            old.hide()
            old.deleteLater()

    def _said_of(self, fact: Fact) -> str:
        words = self._words
        first = (fact.topic, words.importance(fact), words.term(fact.term))
        second = (words.origin(fact.origin), words.span(fact), words.said(fact))
        lines = (" · ".join(filter(None, parts)) for parts in (first, second))
        return "\n".join(lines)

    def _add_conflicts(self, column: QVBoxLayout, conflicts: Sequence[Fact]) -> None:
        if not conflicts:
            return
        heading = SectionLabel()
        heading.setText(self.tr("May conflict with"))
        column.addWidget(heading)
        for other in conflicts:
            column.addWidget(self._conflict(other))

    def _conflict(self, other: Fact) -> QWidget:
        rule = QFrame()
        rule.setProperty("role", "rule")
        inside = QVBoxLayout(rule)
        inside.setContentsMargins(Space.SMALL, 0, 0, Space.SMALL)
        inside.setSpacing(Space.TIGHT)
        content, when, choices = BodyLabel(), HintLabel(), FlowLayout()
        content.setText(other.content)
        when.setText(self._words.span(other))
        inside.addWidget(content)
        inside.addWidget(when)
        inside.addLayout(choices)
        choices.addWidget(self._choice(self.tr("Keep both"), self.both_wanted, other))
        newer = self.tr("Keep only the newer one")
        choices.addWidget(self._choice(newer, self.newer_wanted, other))
        delete = self.tr("Delete this one")
        choices.addWidget(self._choice(delete, self.other_delete_wanted, other))
        return rule

    def _choice(self, label: str, wanted: SignalInstance, other: Fact) -> PushButton:
        button = PushButton(label)
        button.setProperty("kind", "link")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setAccessibleName(f"{label}: {other.content}")
        button.clicked.connect(lambda: wanted.emit(other))
        return button

    def _add_sources(self, column: QVBoxLayout, sources: Sequence[FactSource]) -> None:
        heading = SectionLabel()
        heading.setText(self.tr("Source"))
        column.addWidget(heading)
        if not sources:
            none = HintLabel()
            none.setText(self.tr("You wrote it yourself; it does not come from a message."))
            column.addWidget(none)
        for source in sources[:_MOST_SHOWN]:
            column.addWidget(self._source(source))

    def _source(self, source: FactSource) -> QWidget:
        rule = QFrame()
        rule.setProperty("role", "rule")
        inside = QVBoxLayout(rule)
        inside.setContentsMargins(Space.SMALL, 0, 0, 0)
        inside.setSpacing(Space.TIGHT)
        quote, where = BodyLabel(), HintLabel()
        words = " ".join(source.quote.split())
        quote.setText(self.tr("“{words}”").format(words=words))
        title = " ".join(source.session_title.split())
        where.setText(f"{title} · {day(source.said_at)}")
        go = PushButton(self.tr("Show in its session"))
        go.setProperty("kind", "link")
        go.setCursor(Qt.CursorShape.PointingHandCursor)
        go.setAccessibleName(
            self.tr("Show in its session: {title}, {day}").format(
                title=title, day=day(source.said_at)
            )
        )
        place = NavigationTarget(source.session_id, source.message_id, words.split())
        go.clicked.connect(lambda: self.place_wanted.emit(place))
        inside.addWidget(quote)
        inside.addWidget(where)
        inside.addWidget(go, 0, Qt.AlignmentFlag.AlignLeft)
        return rule

    def _add_history(self, column: QVBoxLayout, history: Sequence[Fact]) -> None:
        if not history:
            return
        heading = SectionLabel()
        heading.setText(self.tr("Replaces"))
        heading.setContentsMargins(0, Space.SMALL, 0, 0)
        column.addWidget(heading)
        for former in history[:_MOST_SHOWN]:
            content, when = BodyLabel(), HintLabel()
            content.setProperty("role", "muted")
            content.setText(former.content)
            when.setText(self._words.span(former))
            column.addWidget(content)
            column.addWidget(when)
