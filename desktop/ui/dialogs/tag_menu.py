"""The menu that tags what is selected: sessions in the sidebar, documents in the library."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from desktop.ui.dialogs.form import open_dialog


class TagMenu(QMenu):
    """One's own tags, those checked that all the selected have."""

    def __init__(
        self,
        tags: Mapping[str, frozenset[str]],
        selected: Sequence[str],
        change: Callable[[str, bool], object],
        parent: QWidget,
    ) -> None:
        """`change` gets a tag, and whether the selected should have it."""
        super().__init__(parent)
        self._change, self._window = change, parent.window()
        self.setTitle(self.tr("Tags"))
        for name, tagged in tags.items():
            action = self.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(tagged.issuperset(selected))
            action.toggled.connect(partial(change, name))
        self.addSeparator()
        self.addAction(self.tr("New tag…"), self._ask)

    def _ask(self) -> None:
        """Ask for a name; the menu may be gone when it is given."""
        change, dialog = self._change, QInputDialog(self._window)
        dialog.setWindowTitle(self.tr("New tag"))
        dialog.setLabelText(self.tr("Name of the tag"))
        dialog.textValueSelected.connect(lambda name: change(name, True) if name.strip() else None)
        open_dialog(dialog)
