"""The log of contacted web addresses: when, what for, with what outcome."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.errors import AppError
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.settings.messages import Texts
from desktop.ui.dialogs.form import DialogTasks
from desktop.ui.formatting import clock_time, day
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.labels import BodyLabel, ProblemLabel, TitleLabel
from desktop.ui.widgets.layouts import resize_within_screen, text_width
from desktop.ui.widgets.plain_text import tip

_CHARACTERS, _LINES = 150, 36
_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole
_WHEN, _WHAT, _ADDRESS, _CAME = range(4)


class WebLog(Protocol):
    """Waits for the disk."""

    def contacts(self) -> Sequence[Contact]: ...

    def clear(self) -> None: ...


class WebLogModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._contacts: Sequence[Contact] = ()

    def show_contacts(self, contacts: Sequence[Contact]) -> None:
        self.beginResetModel()
        self._contacts = contacts
        self.endResetModel()

    def retranslate_rows(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, _CAME)
        self.show_contacts(self._contacts)

    def rowCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._contacts)

    def columnCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else _CAME + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != _Role.DisplayRole:
            return None
        names = (self.tr("When"), self.tr("Purpose"), self.tr("Address"), self.tr("Outcome"))
        return names[section]

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid() or role not in {_Role.DisplayRole, _Role.ToolTipRole}:
            return None
        shown = self._shown(self._contacts[index.row()], index.column())
        return tip(shown) if role == _Role.ToolTipRole else shown

    def _shown(self, one: Contact, column: int) -> str:
        match column:
            case 0:
                return f"{day(one.at)} {clock_time(one.at, seconds=True)}"
            case 1:
                return self._purpose(one.purpose)
            case 2:
                return one.address
            case _:
                return self._outcome(one.outcome)

    def _purpose(self, purpose: ContactPurpose) -> str:
        names: Mapping[ContactPurpose, str] = {
            ContactPurpose.SEARCH: self.tr("Search"),
            ContactPurpose.ROBOTS: self.tr("robots.txt"),
            ContactPurpose.PAGE: self.tr("Page"),
        }
        return names[purpose]

    def _outcome(self, outcome: ContactOutcome) -> str:
        names: Mapping[ContactOutcome, str] = {
            ContactOutcome.OK: self.tr("loaded"),
            ContactOutcome.REDIRECTED: self.tr("redirected"),
            ContactOutcome.REFUSED_BY_SITE: self.tr("refused by the site"),
            ContactOutcome.REFUSED_HERE: self.tr("blocked by Bellek"),
            ContactOutcome.FAILED: self.tr("no answer"),
            ContactOutcome.THERE: self.tr("by the model’s endpoint"),
            ContactOutcome.FAILED_THERE: self.tr("by the model’s endpoint, failed"),
        }
        return names[outcome]


class WebLogDialog(TranslatedWidget, QDialog):
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
        self.model = WebLogModel(self)
        self._title, self._words, self._problem = TitleLabel(), BodyLabel(), ProblemLabel()
        self._table = QTableView(self)
        self._clear, self._close = DangerButton(), Button()
        self._build()
        self._connect()
        self.retranslate()
        self.load()

    def load(self) -> None:
        self._tasks.run(self._log.contacts, self._show, self._show_problem)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Contacted addresses"))
        self._title.setText(self.tr("Contacted addresses"))
        self._table.setAccessibleName(self.tr("Contacted addresses"))
        self._clear.setText(self.tr("Clear the &list"))
        self._close.setText(self.tr("&Close"))
        self.model.retranslate_rows()
        self._show_count()

    def _build(self) -> None:
        self._words.setProperty("role", "muted")
        self._table.setModel(self.model)
        self._table.setProperty("role", "list")
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._table.setShowGrid(False)
        self._table.setTabKeyNavigation(False)
        # Without it the words would drift apart, into the room that it leaves.
        policy = self._table.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._table.setSizePolicy(policy)
        self._table.verticalHeader().hide()
        header = self._table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for section in (_WHEN, _WHAT, _CAME):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_ADDRESS, QHeaderView.ResizeMode.Stretch)
        foot = QHBoxLayout()
        foot.setSpacing(Space.SMALL)
        foot.addWidget(self._clear)
        foot.addStretch(1)
        foot.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.MEDIUM)
        for widget in (self._title, self._words, self._problem):
            column.addWidget(widget)
        column.addWidget(self._table, 1)
        column.addLayout(foot)
        resize_within_screen(
            self, text_width(self, _CHARACTERS), _LINES * self.fontMetrics().lineSpacing()
        )

    def _connect(self) -> None:
        self._close.clicked.connect(self.reject)
        self._clear.clicked.connect(self._clear_log)

    def _clear_log(self) -> None:
        self._tasks.run(self._log.clear, failed=self._show_problem, settled=self.load)

    def _show(self, contacts: Sequence[Contact]) -> None:
        self.model.show_contacts(contacts)
        self._show_count()

    def _show_problem(self, error: AppError) -> None:
        self._problem.set_text(self._texts().error(error))

    def _show_count(self) -> None:
        count = self.model.rowCount()
        self._clear.setEnabled(count > 0)
        self._table.setVisible(count > 0)
        self._words.setText(
            self.tr(
                "Addresses on the web that Bellek contacted, newest first. Those "
                "contacted by a model's endpoint with its own tools are marked. Search "
                "words are not kept here. Model connections are listed under Privacy."
            )
            if count
            else self.tr("No address on the web has been contacted.")
        )
