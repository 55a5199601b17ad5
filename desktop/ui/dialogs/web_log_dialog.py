"""The log of contacted web addresses: when, what for, with what outcome."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtWidgets import QHeaderView, QLayout, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.domain.errors import AppError
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.settings.messages import Texts
from desktop.ui.dialogs.form import DialogTasks, RebuiltDialog
from desktop.ui.formatting import clock_time, day
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.labels import BodyLabel, ProblemLabel
from desktop.ui.widgets.layouts import STRETCH, growing, resize_to_text, row
from desktop.ui.widgets.plain_text import tip

_CHARACTERS, _LINES = 150, 36
_ADDRESS = 2  # the column of addresses


class WebLog(Protocol):
    """Waits for the disk."""

    def contacts(self) -> Sequence[Contact]: ...

    def clear(self) -> None: ...


class WebLogDialog(RebuiltDialog):
    def __init__(
        self,
        log: WebLog,
        bridge: TurnBridge,
        texts: Callable[[], Texts],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._log = log
        self._texts = texts
        self._tasks = DialogTasks(bridge, self)
        self._contacts: Sequence[Contact] = ()
        self.rebuild()
        resize_to_text(self, _CHARACTERS, _LINES)
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
            [self.tr("When"), self.tr("Purpose"), self.tr("Address"), self.tr("Outcome")]
        )
        header = self._table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_ADDRESS, QHeaderView.ResizeMode.Stretch)
        # Without it the words would drift apart, into the room that it leaves.
        policy = self._table.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._table.setSizePolicy(policy)
        self._clear = DangerButton(text=self.tr("Clear the &list"), press=self._clear_log)
        close = Button(text=self.tr("&Close"), press=self.reject)
        self._show(self._contacts)
        foot = row(self._clear, STRETCH, close)
        parts = (self._words, self._problem, growing(self._table), foot)
        return self._titled(title, *parts, spacing=Space.MEDIUM)

    def _load(self) -> None:
        self._tasks.run(self._log.contacts, self._show, self._show_problem)

    def _clear_log(self) -> None:
        self._tasks.run(self._log.clear, failed=self._show_problem, settled=self._load)

    def _show(self, contacts: Sequence[Contact]) -> None:
        self._contacts = contacts
        self._table.clear()
        self._table.addTopLevelItems([self._item(contact) for contact in contacts])
        self._table.setVisible(bool(contacts))
        self._clear.setEnabled(bool(contacts))
        self._words.setText(
            self.tr(
                "Addresses on the web that Bellek contacted, newest first. Those "
                "contacted by a model's endpoint with its own tools are marked. Search "
                "words are not kept here. Model connections are listed under Privacy."
            )
            if contacts
            else self.tr("No address on the web has been contacted.")
        )

    def _item(self, contact: Contact) -> QTreeWidgetItem:
        purposes = {
            ContactPurpose.SEARCH: self.tr("Search"),
            ContactPurpose.ROBOTS: self.tr("robots.txt"),
            ContactPurpose.PAGE: self.tr("Page"),
        }
        outcomes = {
            ContactOutcome.OK: self.tr("loaded"),
            ContactOutcome.REDIRECTED: self.tr("redirected"),
            ContactOutcome.REFUSED_BY_SITE: self.tr("refused by the site"),
            ContactOutcome.REFUSED_HERE: self.tr("blocked by Bellek"),
            ContactOutcome.FAILED: self.tr("no answer"),
            ContactOutcome.THERE: self.tr("by the model’s endpoint"),
            ContactOutcome.FAILED_THERE: self.tr("by the model’s endpoint, failed"),
        }
        when = f"{day(contact.at)} {clock_time(contact.at, seconds=True)}"
        purpose, outcome = purposes[contact.purpose], outcomes[contact.outcome]
        item = QTreeWidgetItem([when, purpose, contact.address, outcome])
        item.setToolTip(_ADDRESS, tip(contact.address))
        return item

    def _show_problem(self, error: AppError) -> None:
        self._problem.set_text(self._texts().error(error))
