"""Shows the summaries that the model reads instead of older messages.

A long session has hundreds of them and each takes milliseconds to lay out, so they are added one
at a time, and the window handles keys in between.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop.domain.errors import AppError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import Compact
from desktop.settings.messages import Texts
from desktop.ui.dialogs.form import CloseButtons, DialogTasks
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.inline_spans import NOTHING_KNOWN
from desktop.ui.transcript.message_body import MessageBody
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, ProblemLabel, SectionLabel, TitleLabel
from desktop.ui.widgets.layouts import (
    VerticalScrollArea,
    reserve_scrollbar,
    resize_within_screen,
    text_width,
)

if TYPE_CHECKING:
    from desktop.sessions.archive_service import ArchiveService

_CHARACTERS, _LINES = 100, 36


@dataclass(frozen=True, slots=True)
class ActiveSummary:
    compact: Compact
    first: MessageId
    """The first message of its range."""


def load_active_summaries(
    archive: "ArchiveService", session_id: SessionId
) -> Sequence[ActiveSummary]:
    """Oldest first; waits for the disk."""
    compacts = archive.compacts.compacts(session_id)
    if not compacts:
        return ()
    ids = {one.number: one.id for one in archive.sessions.messages(session_id)}
    # A path left between the two reads may have fewer messages than the compacts speak of.
    return [ActiveSummary(one, ids[one.from_number]) for one in compacts if one.from_number in ids]


class SummarySection(QWidget):
    message_wanted = Signal(object)
    """MessageId"""

    def __init__(
        self, standing: ActiveSummary, theme: ThemeController, style: TextStyle, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.standing = standing
        self._range, self._go = SectionLabel(), Button("link")
        self.body = MessageBody(theme, style, self)
        self._build()
        self._go.clicked.connect(lambda: self.message_wanted.emit(standing.first))
        self.retranslate()

    def retranslate(self) -> None:
        compact = self.standing.compact
        self._range.setText(
            self.tr("Messages {first}–{last}").format(
                first=compact.from_number, last=compact.to_number
            )
        )
        self._go.setText(self.tr("Go to message {number}").format(number=compact.from_number))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.body.setFixedHeight(self.body.fit(event.size().width()))

    def _build(self) -> None:
        self._go.setCursor(Qt.CursorShape.PointingHandCursor)
        self.body.set_source(self.standing.compact.summary, NOTHING_KNOWN)
        head = QHBoxLayout()
        head.addWidget(self._range, 1)
        head.addWidget(self._go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.SMALL)
        column.addLayout(head)
        column.addWidget(self.body)


class SummariesDialog(TranslatedWidget, QDialog):
    message_wanted = Signal(object)
    """MessageId to show in its session; the dialog is closed by then"""

    def __init__(
        self,
        read: Callable[[], Sequence[ActiveSummary]],
        bridge: TurnBridge,
        texts: Callable[[], Texts],
        theme: ThemeController,
        parent: QWidget | None = None,
    ) -> None:
        """`read` waits for the disk."""
        super().__init__(parent)
        self._texts = texts
        self._theme, self._style = theme, TextStyle(theme)
        self._tasks = DialogTasks(bridge, self)
        self._found: Sequence[ActiveSummary] | None = None
        self._has_failed = False
        self.sections: list[SummarySection] = []
        self._title, self._about, self._problem = TitleLabel(), BodyLabel(), ProblemLabel()
        self._area, self._column = VerticalScrollArea(self), QVBoxLayout()
        self._next = QTimer(self, singleShot=True, interval=0)
        self._buttons = CloseButtons(self.reject)
        self._build()
        self._connect()
        self.retranslate()
        self._tasks.run(read, self._show, self._show_failure)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Summaries of older messages"))
        self._title.setText(self.tr("Summaries of older messages"))
        self._area.setAccessibleName(self.tr("Summaries of older messages"))
        for section in self.sections:
            section.retranslate()
        self._show_about()

    def _build(self) -> None:
        self._about.setProperty("role", "muted")
        inside = QWidget()
        around = QVBoxLayout(inside)
        around.setContentsMargins(0, Space.SMALL, Space.SMALL, 0)
        self._column.setSpacing(Space.WIDE)
        around.addLayout(self._column)
        around.addStretch(1)
        self._area.setWidget(inside)
        reserve_scrollbar(self._area)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.MEDIUM)
        for widget in (self._title, self._about, self._problem):
            column.addWidget(widget)
        column.addWidget(self._area, 1)
        column.addWidget(self._buttons)
        # The keys that scroll do so at once.
        self._area.setFocus(Qt.FocusReason.OtherFocusReason)
        resize_within_screen(
            self, text_width(self, _CHARACTERS), _LINES * self.fontMetrics().lineSpacing()
        )

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._fill)
        self._next.timeout.connect(self._add_next)

    def _show(self, found: Sequence[ActiveSummary]) -> None:
        self._found = found
        self._show_about()
        self._fill()

    def _fill(self) -> None:
        """Write all texts again, since they contain the colours of the theme."""
        for section in self.sections:
            section.hide()
            section.deleteLater()
        self.sections = []
        self._style = TextStyle(self._theme)
        self._add_next()

    def _add_next(self) -> None:
        found = self._found or ()
        if len(self.sections) == len(found):
            return
        made = SummarySection(found[len(self.sections)], self._theme, self._style, self)
        made.message_wanted.connect(self._go_to)
        self._column.addWidget(made)
        self.sections.append(made)
        self._next.start()

    def _go_to(self, message_id: MessageId) -> None:
        self.accept()
        self.message_wanted.emit(message_id)

    def _show_failure(self, error: AppError) -> None:
        self._has_failed = True
        self._problem.set_text(self._texts().error(error))
        self._show_about()

    def _show_about(self) -> None:
        if self._found is None:
            words = self.tr("Reading…")
        elif not self._found:
            words = self.tr("No messages in this session have been summarised.")
        else:
            words = self.tr(
                "The model reads these instead of the messages they summarise. All the "
                "messages are still in the session."
            )
        self._about.setText(words)
        self._about.setHidden(self._has_failed)
