"""Shows the summaries that the model reads instead of older messages.

A long session has hundreds of them and each takes milliseconds to lay out, so they are added one
at a time, and the window handles keys in between.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QWidget

from desktop.domain.errors import AppError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import Compact
from desktop.settings.messages import Texts
from desktop.ui.dialogs.form import CloseButtons, DialogTasks, RebuiltDialog
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.inline_spans import NOTHING_KNOWN
from desktop.ui.transcript.message_body import MessageBody
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    column,
    growing,
    reserve_scrollbar,
    resize_to_text,
    row,
    widget_with,
)

if TYPE_CHECKING:
    from desktop.sessions.archive_service import ArchiveService

_CHARACTERS, _LINES = 100, 36


@dataclass(frozen=True, slots=True)
class ActiveSummary:
    compact: Compact
    first: MessageId  # the first message of its range


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
    message_wanted = Signal(object)  # MessageId

    def __init__(self, standing: ActiveSummary, style: TextStyle) -> None:
        super().__init__()
        compact = standing.compact
        words = self.tr("Messages {first}–{last}").format(
            first=compact.from_number, last=compact.to_number
        )
        self.range = SectionLabel(words)
        self.go = Button(
            "link",
            text=self.tr("Go to message {number}").format(number=compact.from_number),
            press=lambda: self.message_wanted.emit(standing.first),
        )
        self.body = MessageBody(style, self)
        self.body.set_source(compact.summary, NOTHING_KNOWN)
        self.setLayout(column(row(growing(self.range), self.go), self.body))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.body.setFixedHeight(self.body.fit(event.size().width()))


class SummariesDialog(RebuiltDialog):
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
        self._texts, self._theme = texts, theme
        self._found: Sequence[ActiveSummary] | None = None
        self._error: AppError | None = None
        self.sections: list[SummarySection] = []
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._add_next)
        # The texts contain the colours of the theme.
        theme.theme_changed.connect(self.rebuild)
        self.rebuild()
        resize_to_text(self, _CHARACTERS, _LINES)
        DialogTasks(bridge, self).run(read, self._show, self._show_failure)

    def rebuild(self) -> None:
        super().rebuild()
        # The keys that scroll do so at once.
        self._area.setFocus(Qt.FocusReason.OtherFocusReason)
        self._add_next()

    def _build(self) -> QLayout:
        title = self.tr("Summaries of older messages")
        self.sections = []
        self._style = TextStyle(self._theme)
        self._column = column(spacing=Space.WIDE)
        around = column(self._column, STRETCH, margin=(0, Space.SMALL, Space.SMALL, 0))
        self._area = VerticalScrollArea()
        self._area.setAccessibleName(title)
        self._area.setWidget(widget_with(around))
        reserve_scrollbar(self._area)
        problem = ProblemLabel()
        problem.set_text(self._texts().error(self._error) if self._error else "")
        about = BodyLabel(self._about(), role="muted")
        about.setHidden(self._error is not None)
        parts = (about, problem, growing(self._area), CloseButtons(self.reject))
        return self._titled(title, *parts, spacing=Space.MEDIUM)

    def _about(self) -> str:
        if self._found is None:
            return self.tr("Reading…")
        if not self._found:
            return self.tr("No messages in this session have been summarised.")
        return self.tr(
            "The model reads these instead of the messages they summarise. All the "
            "messages are still in the session."
        )

    def _show(self, found: Sequence[ActiveSummary]) -> None:
        self._found = found
        self.rebuild()

    def _show_failure(self, error: AppError) -> None:
        self._error = error
        self.rebuild()

    def _add_next(self) -> None:
        found = self._found or ()
        if len(self.sections) == len(found):
            return
        made = SummarySection(found[len(self.sections)], self._style)
        made.message_wanted.connect(self._go_to)
        self._column.addWidget(made)
        self.sections.append(made)
        self._next.start()

    def _go_to(self, message_id: MessageId) -> None:
        self.accept()
        self.message_wanted.emit(message_id)
