"""What is watched: a list with a form to add more; and what a look found, in the diary."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop.domain.changes import Change
from desktop.domain.diary import Interval, Watch, WatchedItem, WatchFinding, WatchKind
from desktop.language.links import is_web_address
from desktop.ui.dialogs.form import ListDialog
from desktop.ui.services import Worker
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.fields import EnumComboBox
from desktop.ui.widgets.layouts import (
    STRETCH,
    column,
    growing,
    row,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, SectionLabel, tip

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_Known = tuple[Watch, Sequence[str]]  # A watch, and what is known about its looks


class FindingBox(QWidget):
    """What a look found: each title with its quoted words, and a button that opens its page."""

    def __init__(self, finding: WatchFinding, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        parts = column(spacing=Space.SMALL)
        parts.addWidget(SectionLabel(self.tr("New: {subject}").format(subject=finding.subject)))
        for item in finding.items:
            parts.addLayout(self._line(item))
        if finding.left_out:
            parts.addWidget(HintLabel(self.tr("%n more not shown.", "", finding.left_out)))
        self.setLayout(parts)

    def _line(self, item: WatchedItem) -> QVBoxLayout:
        head = row(growing(BodyLabel(item.title)))
        if is_web_address(item.address):
            go = IconButton(self._theme, Glyph.CHEVRON_RIGHT)
            go.set_name(self.tr("Open in the browser"))
            go.setAccessibleName(self.tr("Open in the browser: {title}").format(title=item.title))
            go.setToolTip(tip(item.address))
            go.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(item.address)))
            head.addWidget(go, 0, Qt.AlignmentFlag.AlignTop)
        parts = column(spacing=0)
        parts.addLayout(head)
        words = self.tr("“{words}”").format(words=item.words) if item.words else ""
        warning = self.tr("Careful: this text contains sentences that look like instructions.")
        for text in (item.says, words, warning if item.is_suspicious else ""):
            if text:
                parts.addWidget(HintLabel(text))
        return parts


class WatchesDialog(ListDialog):
    """The watches of the shown project, or of all."""

    notice = "watch"
    changed = Signal()  # The diary has another entry

    def __init__(self, worker: Worker, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._worker = worker
        about = self.tr(
            "While Bellek is open, it looks once a day or week for what is new, and quotes it in "
            "the diary. Feeds and questions need the web, the others literature."
        )
        self.kind = EnumComboBox(list(WatchKind), names=list(self._kinds().values()))
        self.kind.setAccessibleName(self.tr("Kind"))
        self.every = EnumComboBox(list(Interval), names=list(self._intervals().values()))
        self.every.setAccessibleName(self.tr("How often"))
        self.subject = QLineEdit()
        self.subject.setAccessibleName(self.tr("What is watched"))
        self.subject.setPlaceholderText(self.tr("Question, address or words"))
        self.add = Button("primary", text=self.tr("&Add"), press=self._add)
        self.add.setEnabled(False)
        self.subject.textChanged.connect(lambda text: self.add.setEnabled(bool(text.strip())))
        form = column(self.subject, row(self.kind, self.every, STRETCH, self.add))
        self._arrange(self.tr("Watches"), about, form)
        self.subject.setFocus(Qt.FocusReason.OtherFocusReason)
        self.load()

    def load(self, _: object = None) -> None:
        def read(services: "Services") -> Sequence[_Known]:
            watches, texts = services.watches, services.texts()
            shown = watches.watches(services.assistant.shown)
            return [(watch, watches.describe(watch, texts)) for watch in shown]

        self._worker.do_in_turn(read, self._show)

    def _show(self, known: Sequence[_Known]) -> None:
        entries = [self._line(watch, details) for watch, details in known]
        self._show_entries(entries, self.tr("Nothing is watched."))

    def _line(self, watch: Watch, details: Sequence[str]) -> QVBoxLayout:
        kind, every = self._kinds()[watch.kind], self._intervals()[watch.every]
        pause = self.tr("Resume") if watch.is_paused else self.tr("Pause")
        buttons = self._buttons(
            watch.subject,
            (self.tr("Look now"), lambda: self.look(watch)),
            (pause, lambda: self._pause(watch)),
            (self.tr("Remove"), lambda: self._remove(watch)),
        )
        known = HintLabel(" · ".join((kind, every, *details)))
        return column(BodyLabel(watch.subject), known, buttons, spacing=Space.TIGHT)

    def _add(self) -> None:
        kind, every = WatchKind(self.kind.value), Interval(self.every.value)
        subject = self.subject.text()

        def add(services: "Services") -> Watch:
            return services.watches.add(kind, subject, every, services.assistant.project)

        def show(watch: Watch) -> None:
            self.subject.clear()
            self.look(watch)

        self._worker.do_in_turn(add, show, failed=self._show_failed)

    def look(self, watch: Watch) -> None:
        looking = self.tr("Looking: {subject}").format(subject=watch.subject)
        self.strip.show_message(self.notice, looking, can_be_closed=False)
        self._worker.do(
            lambda services: services.watches.look(watch.id),
            self._show_found,
            self.load,
            self._show_failed,
        )

    def _show_found(self, finding: WatchFinding | None) -> None:
        words = self.tr("Nothing new.")
        if finding is not None:
            words = self.tr("%n new; the diary quotes it.", "", len(finding.items))
            self.changed.emit()
        self.strip.show_message(self.notice, words)

    def _pause(self, watch: Watch) -> None:
        self._worker.do_in_turn(
            lambda services: services.watches.pause(watch.id, is_paused=not watch.is_paused),
            settled=self.load,
        )

    def _remove(self, watch: Watch) -> None:
        self._worker.do_in_turn(
            lambda services: services.watches.remove(watch.id), self._show_removed, self.load
        )

    def _show_removed(self, change: Change[Watch]) -> None:
        words = self.tr("“{subject}” is no longer watched.").format(subject=change.value.subject)
        undo = self._worker.undoes(change, self._show_restored)
        self.strip.show_message(self.notice, words, undo=undo)
        self.changed.emit()

    def _show_restored(self, _: object) -> None:
        self.load()
        self.changed.emit()

    def _kinds(self) -> dict[WatchKind, str]:
        return {
            WatchKind.QUESTION: self.tr("Question"),
            WatchKind.FEED: self.tr("Feed (RSS, Atom)"),
            WatchKind.LITERATURE: self.tr("Literature"),
            WatchKind.AUTHOR: self.tr("Author"),
            WatchKind.JOURNAL: self.tr("Journal"),
        }

    def _intervals(self) -> dict[Interval, str]:
        return {Interval.DAY: self.tr("Every day"), Interval.WEEK: self.tr("Every week")}
