"""Shows the sentences that another assistant remembers; the user confirms them, or does not."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QWidget

from desktop.domain.projects import EVERYTHING
from desktop.ui.services import Worker
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import STRETCH, column, growing, row, text_width
from desktop.ui.widgets.plain_text import BodyLabel, TitleLabel

if TYPE_CHECKING:
    from desktop.domain.facts import MemoryProposal
    from desktop.domain.ids import ProposalId
    from desktop.sessions.services import Services

_CHARACTERS = 72
_Loaded = tuple[Sequence["MemoryProposal"], dict[str, str]]


class MemoryProposalsDialog(QDialog):
    """Nothing in it is a fact before it is confirmed; what is left undecided waits."""

    decided = Signal()  # Some sentences are facts now, or wait no longer

    def __init__(self, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self.setWindowTitle(self.tr("Memory of another assistant"))
        self._title, self._words = TitleLabel(), BodyLabel()
        self._list = QListWidget()
        self._list.setAccessibleName(self.tr("Sentences"))
        self._list.setWordWrap(True)
        self._list.itemChanged.connect(lambda _: self._show())
        self._decline = Button(text=self.tr("&Decline"), press=self._decline_chosen)
        self._confirm_all = Button(text=self.tr("Remember &all"), press=self._confirm_every)
        self._confirm = Button("primary", text=self.tr("&Remember"), press=self._confirm_chosen)
        close = Button(text=self.tr("&Close"), press=self.reject)
        buttons = row(self._decline, STRETCH, close, self._confirm_all, self._confirm)
        whole = (self._title, self._words, growing(self._list), buttons)
        self.setLayout(column(*whole, spacing=Space.LARGE, margin=Space.WIDE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        self._load()

    def _load(self) -> None:
        def read(services: "Services") -> _Loaded:
            projects: dict[str, str] = {
                project.id: project.name for project in services.archive.projects()
            }
            return services.archive.proposals(EVERYTHING), projects

        self._worker.do(read, self._fill)

    def _fill(self, loaded: _Loaded) -> None:
        proposals, projects = loaded
        self._list.clear()
        for proposal in proposals:
            project = projects.get(proposal.project, "")
            item = QListWidgetItem(f"{proposal.text}  ({project})" if project else proposal.text)
            item.setData(Qt.ItemDataRole.UserRole, proposal.id)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            self._list.addItem(item)
        if proposals:  # so that Space ticks the first at once
            self._list.setCurrentRow(0)
            self._list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()

    def _ids(self, *, only_chosen: bool) -> "list[ProposalId]":
        items = (self._list.item(place) for place in range(self._list.count()))
        return [
            item.data(Qt.ItemDataRole.UserRole)
            for item in items
            if not only_chosen or item.checkState() is Qt.CheckState.Checked
        ]

    def _show(self) -> None:
        count = self._list.count()
        title = self.tr("Remember these sentences?") if count else self.tr("Nothing is waiting")
        self._title.setText(title)
        self._words.setText(
            self.tr(
                "Another assistant remembers this about you. "
                "Bellek uses only the sentences that you confirm."
            )
            if count
            else self.tr("You have decided on every sentence.")
        )
        has_chosen = bool(self._ids(only_chosen=True))
        self._confirm_all.setEnabled(bool(count))
        for button in (self._confirm, self._decline):
            button.setEnabled(has_chosen)

    def _confirm_chosen(self) -> None:
        self._decide(self._ids(only_chosen=True), lambda services: services.proposals.confirm)

    def _confirm_every(self) -> None:
        self._decide(self._ids(only_chosen=False), lambda services: services.proposals.confirm)

    def _decline_chosen(self) -> None:
        self._decide(self._ids(only_chosen=True), lambda services: services.proposals.decline)

    def _decide(
        self,
        ids: "Sequence[ProposalId]",
        choice: "Callable[[Services], Callable[[Sequence[ProposalId]], object]]",
    ) -> None:
        for button in (self._confirm, self._confirm_all, self._decline):
            button.setEnabled(False)

        def show(_: object) -> None:
            self._load()
            self.decided.emit()

        self._worker.do(lambda services: choice(services)(ids), show)
