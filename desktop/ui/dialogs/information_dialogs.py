"""The dialogs that only show something: About, Error report, contacted addresses, a picture."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QSysInfo, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication, QIcon, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLayout,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Compact
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.settings.messages import Texts
from desktop.settings.paths import asset, program_version
from desktop.ui.dialogs.form import CloseButtons, CodeArea, FolderRow, RebuiltDialog
from desktop.ui.formatting import clock_time, day
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.markdown import NOTHING_KNOWN
from desktop.ui.transcript.message_body import MessageBody
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    at_top,
    column,
    growing,
    reserve_scrollbar,
    resize_to_text,
    row,
    text_width,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    HintLabel,
    Label,
    ProblemLabel,
    TitleLabel,
    tip,
)

if TYPE_CHECKING:
    from desktop.sessions.archive_reader import ArchiveReader

_SHARE_OF_SCREEN = 0.85  # Of a large picture


_ICON_SIZE = 4 * ICON_SIZE
_GUIDE_CHARACTERS = 96
_ABOUT_CHARACTERS, _REPORT_CHARACTERS, _REPORT_LINES = 64, 78, 6


class AboutDialog(RebuiltDialog):
    def __init__(self, data: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data = data
        self.rebuild()
        self.setMinimumWidth(text_width(self, _ABOUT_CHARACTERS))

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("About Bellek"))
        picture = Label()
        picture.setAccessibleName("Bellek")
        icon = QIcon(str(asset("resources", "icons", "bellek.svg")))
        picture.setPixmap(icon.pixmap(QSize(_ICON_SIZE, _ICON_SIZE), self.devicePixelRatio()))
        words = column(TitleLabel("Bellek"), spacing=0)
        if number := program_version():
            words.addWidget(HintLabel(self.tr("Version {version}").format(version=number)))
        about = self.tr(
            "A research assistant that remembers. “Bellek” is Turkish for memory. "
            "Your questions and answers stay on your own disk."
        )
        return column(
            row(at_top(picture), growing(words), spacing=Space.LARGE),
            BodyLabel(about),
            FolderRow(self.tr("Your data"), self._data),
            HintLabel(self.tr("Free software under the MIT licence, without any warranty.")),
            STRETCH,
            CloseButtons(self.reject),
            spacing=Space.LARGE,
            margin=Space.WIDE,
        )


class ErrorReportDialog(RebuiltDialog):
    def __init__(self, details: str, logs: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report_of(details)
        self._logs = logs
        self.rebuild()
        self.setMinimumWidth(text_width(self, _REPORT_CHARACTERS))

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("Error in Bellek"))
        about = self.tr(
            "Your saved sessions are safe, and you can continue. If the error happens again, "
            "please send us this report to help us fix it. Bellek never "
            "sends reports on its own."
        )
        details = CodeArea(self._report, lines=_REPORT_LINES, is_read_only=True)
        details.setAccessibleName(self.tr("Report"))
        buttons = CloseButtons(self.reject)
        self._copy = Button(
            text=self.tr("&Copy report"),
            press=lambda: QGuiApplication.clipboard().setText(self._report),
        )
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        return column(
            TitleLabel(self.tr("Something went wrong in Bellek")),
            BodyLabel(about),
            growing(details),
            FolderRow(self.tr("Log (contains none of your text)"), self._logs),
            buttons,
            spacing=Space.LARGE,
            margin=Space.WIDE,
        )


class WholeTextDialog(RebuiltDialog):
    """A text that a notice has no room for, below what it is."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.rebuild()
        resize_to_text(self, _GUIDE_CHARACTERS, _SUMMARY_LINES)

    def _words(self) -> tuple[str, str]:
        """Return the title, and what the text is."""
        raise NotImplementedError

    def _build(self) -> QLayout:
        title, about = self._words()
        area = TextArea(self._text, lines=_REPORT_LINES, is_read_only=True)
        area.setAccessibleName(title)
        parts = (BodyLabel(about), growing(area), CloseButtons(self.reject))
        return self._titled(title, *parts, spacing=Space.MEDIUM)


class DamageDialog(WholeTextDialog):
    def _words(self) -> tuple[str, str]:
        about = self.tr(
            "Repairs could not save these rows completely. A backup may still contain them."
        )
        return self.tr("Damaged rows"), about


class ArgumentsDialog(WholeTextDialog):
    def _words(self) -> tuple[str, str]:
        about = self.tr("The tool gets exactly this, and nothing else.")
        return self.tr("Arguments"), about


class ProposedTextDialog(WholeTextDialog):
    def _words(self) -> tuple[str, str]:
        about = self.tr("If you add it, exactly this is kept in the library, as a document.")
        return self.tr("Text from another program"), about


def report_of(details: str) -> str:
    """Return all versions and the details; not translated."""
    about = (
        f"Bellek {program_version()}".strip(),
        f"Python {sys.version.split()[0]}",
        f"Qt {qVersion()}",
        QSysInfo.prettyProductName(),
    )
    return f"{', '.join(about)}\n\n{details.strip()}\n"


_LOG_CHARACTERS, _LOG_LINES = 150, 36
_ADDRESS = 2  # the column of addresses


class WebLogDialog(RebuiltDialog):
    def __init__(
        self,
        read: Callable[[], Sequence[Contact]],
        clear: Callable[[], Change[Sequence[Contact]]],
        bridge: TurnBridge,
        texts: Callable[[], Texts],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._read, self._clear_contacts = read, clear
        self._texts = texts
        self._bridge = bridge
        self._contacts: Sequence[Contact] = ()
        self._cleared: Change[Sequence[Contact]] | None = None
        self.rebuild()
        resize_to_text(self, _LOG_CHARACTERS, _LOG_LINES)
        self._load()

    def _build(self) -> QLayout:
        title = self.tr("Contacted addresses")
        self._words, self._problem = BodyLabel(role="muted"), ProblemLabel()
        self._table = QTreeWidget()
        self._table.setProperty("role", "list")
        self._table.setAccessibleName(title)
        self._table.setRootIsDecorated(False)
        self._table.setUniformRowHeights(True)
        self._table.setHeaderLabels(
            [self.tr("Time"), self.tr("Purpose"), self.tr("Address"), self.tr("Outcome")]
        )
        header = self._table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_ADDRESS, QHeaderView.ResizeMode.Stretch)
        # Otherwise the texts would spread when the table is hidden.
        policy = self._table.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._table.setSizePolicy(policy)
        self._clear = DangerButton(text=self.tr("Clear the &list"), press=self._clear_log)
        close = Button(text=self.tr("&Close"), press=self.reject)
        self._undo = Button(text=self.tr("&Undo"), press=self._restore)
        self._show(self._contacts)
        foot = row(self._clear, self._undo, STRETCH, close)
        parts = (self._words, self._problem, growing(self._table), foot)
        return self._titled(title, *parts, spacing=Space.MEDIUM)

    def _load(self) -> None:
        self._bridge.run(self._read, self._show, self._show_problem)

    def _clear_log(self) -> None:
        self._bridge.run(self._clear_contacts, self._keep_cleared, self._show_problem, self._load)

    def _restore(self) -> None:
        if self._cleared is not None:
            self._bridge.run(
                self._cleared.undo,
                lambda _: self._keep_cleared(None),
                self._show_problem,
                self._load,
            )

    def _keep_cleared(self, change: Change[Sequence[Contact]] | None) -> None:
        self._cleared = change if change and change.value else None

    def _show(self, contacts: Sequence[Contact]) -> None:
        self._contacts = contacts
        self._table.clear()
        self._table.addTopLevelItems([self._item(contact) for contact in contacts])
        self._table.setVisible(bool(contacts))
        self._clear.setEnabled(bool(contacts))
        self._undo.setVisible(bool(self._cleared))
        self._words.setText(
            self.tr(
                "Web addresses that Bellek contacted, newest first. Addresses contacted by a "
                "model’s server with its own tools are marked. Search words are not saved in "
                "this list. Model connections are listed under Privacy."
            )
            if contacts
            else self.tr("The list was cleared.")
            if self._cleared
            else self.tr("No web addresses have been contacted.")
        )

    def _item(self, contact: Contact) -> QTreeWidgetItem:
        purposes = {
            ContactPurpose.SEARCH: self.tr("Search"),
            ContactPurpose.ROBOTS: self.tr("robots.txt"),
            ContactPurpose.PAGE: self.tr("Page"),
            ContactPurpose.LITERATURE: self.tr("Literature"),
        }
        outcomes = {
            ContactOutcome.OK: self.tr("loaded"),
            ContactOutcome.REDIRECTED: self.tr("redirected"),
            ContactOutcome.REFUSED_BY_SITE: self.tr("refused by the site"),
            ContactOutcome.REFUSED_HERE: self.tr("blocked by Bellek"),
            ContactOutcome.FAILED: self.tr("no answer"),
            ContactOutcome.THERE: self.tr("loaded by the model’s server"),
            ContactOutcome.FAILED_THERE: self.tr("not loaded by the model’s server"),
        }
        when = f"{day(contact.at)} {clock_time(contact.at, seconds=True)}"
        purpose, outcome = purposes[contact.purpose], outcomes[contact.outcome]
        item = QTreeWidgetItem([when, purpose, contact.address, outcome])
        item.setToolTip(_ADDRESS, tip(contact.address))
        return item

    def _show_problem(self, error: AppError) -> None:
        self._problem.set_text(self._texts().error(error))


_SUMMARY_CHARACTERS, _SUMMARY_LINES = 100, 36
_MESSAGE_LINK = "bellek://message/"


@dataclass(frozen=True, slots=True)
class ActiveSummary:
    compact: Compact
    first: MessageId | None  # the first message of its range, if it is still here


def load_active_summaries(
    archive: "ArchiveReader", session_id: SessionId
) -> Sequence[ActiveSummary]:
    """Return the summaries, oldest first; waits for the disk."""
    if not (summaries := archive.summaries(session_id)):
        return ()
    ids = {message.number: message.id for message in archive.messages(session_id)}
    return [ActiveSummary(compact, ids.get(compact.from_number)) for compact in summaries]


class BodyArea(VerticalScrollArea):
    """Shows a text as messages are shown, in the colours of the theme."""

    def __init__(self, theme: ThemeController, text: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.body = MessageBody(TextStyle(theme), self)
        self.body.set_source(text, NOTHING_KNOWN)
        self.setWidgetResizable(False)
        self.setWidget(self.body)
        self.setAccessibleName(name)
        reserve_scrollbar(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width() - Space.SMALL
        self.body.fit(min(room, self._theme.column_width))


class SummariesDialog(RebuiltDialog):
    message_wanted = Signal(object)  # MessageId to show in its session; the dialog is closed then

    def __init__(
        self,
        read: Callable[[], Sequence[ActiveSummary]],
        bridge: TurnBridge,
        texts: Callable[[], Texts],
        theme: ThemeController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._texts = theme, texts
        self._summaries: Sequence[ActiveSummary] | None = None
        self._error: AppError | None = None
        self.rebuild()
        theme.theme_changed.connect(self.rebuild)
        resize_to_text(self, _SUMMARY_CHARACTERS, _SUMMARY_LINES)
        bridge.run(read, self._show, self._show_failure)

    def _build(self) -> QLayout:
        title = self.tr("Summaries of older messages")
        text = "\n\n".join(map(self._format, self._summaries or ()))
        self._area = BodyArea(self._theme, text, title)
        self._area.body.link_activated.connect(self.go_to)
        problem = ProblemLabel()
        problem.set_text(self._texts().error(self._error) if self._error else "")
        about = BodyLabel(self._about(), role="muted")
        about.setHidden(self._error is not None)
        parts = (about, problem, growing(self._area), CloseButtons(self.reject))
        return self._titled(title, *parts, spacing=Space.MEDIUM)

    def rebuild(self) -> None:
        super().rebuild()
        # The scroll keys work at once.
        self._area.setFocus(Qt.FocusReason.OtherFocusReason)

    def _format(self, summary: ActiveSummary) -> str:
        first, last = summary.compact.from_number, summary.compact.to_number
        head = self.tr("Messages {first}–{last}").format(first=first, last=last)
        go = self.tr("Go to message {number}").format(number=first)
        link = f"[{go}]({_MESSAGE_LINK}{summary.first})" if summary.first else ""
        return f"### {head}\n\n{summary.compact.summary}\n\n{link}"

    def _about(self) -> str:
        if self._summaries is None:
            return self.tr("Reading…")
        if not self._summaries:
            return self.tr("No messages in this session have been summarised.")
        return self.tr(
            "The model receives these summaries instead of the older messages. All messages "
            "are still in the session."
        )

    def _show(self, summaries: Sequence[ActiveSummary]) -> None:
        self._summaries = summaries
        self.rebuild()

    def _show_failure(self, error: AppError) -> None:
        self._error = error
        self.rebuild()

    def go_to(self, link: str) -> None:
        number = link.removeprefix(_MESSAGE_LINK)
        if number != link and number.isdecimal():
            self.accept()
            self.message_wanted.emit(MessageId(int(number)))


class PictureDialog(QDialog):
    def __init__(self, name: str, picture: QPixmap, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(name)
        room = parent.screen().availableSize() * _SHARE_OF_SCREEN
        if room.expandedTo(picture.size()) != room:
            ratio = Qt.AspectRatioMode.KeepAspectRatio
            picture = picture.scaled(room, ratio, Qt.TransformationMode.SmoothTransformation)
        shown = Label()
        shown.setPixmap(picture)
        shown.setAccessibleName(name)
        shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(shown)
        self.setLayout(column(area))
        self.resize(picture.size() + QSize(40, 40))
