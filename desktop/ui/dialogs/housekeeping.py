"""Dialog of housekeeping: which sessions would be archived."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHeaderView, QLayout, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.domain.sessions import Session
from desktop.ui.dialogs.form import RebuiltDialog
from desktop.ui.formatting import day
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel
from desktop.ui.widgets.layouts import STRETCH, growing, resize_to_text, row
from desktop.ui.widgets.plain_text import tip

_CHARACTERS, _LINES = 90, 26


class PlanDialog(RebuiltDialog):
    """Accepted if the user wants it done, rejected if not."""

    def __init__(self, sessions: Sequence[Session], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sessions = sessions
        self.rebuild()
        resize_to_text(self, _CHARACTERS, _LINES)

    def _build(self) -> QLayout:
        title = self.tr("Archive old sessions")
        words = BodyLabel(
            self.tr(
                "%n session(s) have not been used for 90 days. They will leave the list, but you "
                "can open them from its last line and find them with search. Continuing a session "
                "brings it back. Bellek will then archive old sessions once a day until you turn "
                "off archiving in Settings.",
                "",
                len(self._sessions),
            )
        )
        table = QTreeWidget()
        table.setProperty("role", "list")
        table.setAccessibleName(title)
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setHeaderLabels([self.tr("Session"), self.tr("Last used"), self.tr("Messages")])
        header = table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.addTopLevelItems([_item(one) for one in self._sessions])
        later = Button(text=self.tr("&Not now"), press=self.reject)
        archive = Button("primary", text=self.tr("&Archive"), press=self.accept)
        return self._titled(title, words, growing(table), row(STRETCH, later, archive))


def _item(session: Session) -> QTreeWidgetItem:
    title = " ".join(session.shown_title.split())
    item = QTreeWidgetItem([title, day(session.updated_at), str(session.messages)])
    item.setToolTip(0, tip(title))
    return item
