"""The window of a locked profile or backup: it asks for the passphrase, and shows nothing else."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QIcon
from PySide6.QtWidgets import QWidget

from desktop.settings.paths import asset
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import SecretField
from desktop.ui.widgets.labels import BodyLabel, HintLabel, ProblemLabel, TitleLabel
from desktop.ui.widgets.layouts import STRETCH, GrowthFilter, at_left, column, row, text_width
from desktop.ui.widgets.plain_text import Label, announce

_CHARACTERS = 52
_PICTURE = 3 * ICON_SIZE


class UnlockWindow(QWidget):
    """Sets its texts once: no language can be chosen while it is open."""

    given = Signal(str)  # The passphrase, or the recovery key
    left = Signal()  # The user does not want to unlock it

    def __init__(self, theme: ThemeController, name: str, *, is_backup: bool = False) -> None:
        """`name`: of the backup, or of the profile where there is more than one."""
        super().__init__()
        self._is_done = False
        self.setWindowTitle(f"{name} – Bellek" if name else "Bellek")
        self.field = SecretField(self.tr("Passphrase"))
        self.unlock = Button("primary", text=self.tr("&Unlock"), press=self._give)
        self._quit = Button(text=self.tr("&Quit"), press=self.close)
        self._problem, self._state = ProblemLabel(), HintLabel()
        self._build(name, is_backup=is_backup)
        self.field.line.returnPressed.connect(self._give)
        self.field.line.textChanged.connect(self._allow)
        theme.theme_changed.connect(self.update)
        self._allow()

    def show_problem(self, words: str) -> None:
        self.setEnabled(True)
        self._state.setText("")
        self._problem.set_text(words)
        announce(self, words, is_urgent=True)
        self.field.clear()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_state(self, words: str) -> None:
        """Show what happens after the passphrase was given."""
        self._problem.set_text("")
        self._state.setText(words)

    def dismiss(self) -> None:
        """Close it because the profile is open."""
        self._is_done = True
        self.field.clear()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        if not self._is_done:
            self._is_done = True
            self.left.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self, name: str, *, is_backup: bool) -> None:
        picture = Label()
        picture.setAccessibleName("Bellek")
        icon = QIcon(str(asset("resources", "icons", "bellek.svg")))
        picture.setPixmap(icon.pixmap(QSize(_PICTURE, _PICTURE), self.devicePixelRatio()))
        title = self.tr("Bellek is locked")
        words = self.tr("Type your passphrase to open your sessions.")
        if is_backup:
            title = self.tr("The backup “{name}” is locked").format(name=name)
            words = self.tr(
                "Type the passphrase that its profile had on the day when it was written."
            )
        elif name:
            title = self.tr("The profile “{name}” is locked").format(name=name)
        recovery = self.tr("If you have forgotten it, type the key from your recovery sheet.")
        whole = (
            at_left(picture),
            TitleLabel(title),
            BodyLabel(words),
            self.field,
            self._problem,
            HintLabel(recovery),
            self._state,
            STRETCH,
            row(STRETCH, self._quit, self.unlock),
        )
        self.setLayout(column(*whole, spacing=Space.MEDIUM, margin=Space.LARGE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        GrowthFilter(self)

    def _allow(self) -> None:
        self.unlock.setEnabled(bool(self.field.line.text()))

    def _give(self) -> None:
        if passphrase := self.field.line.text():
            self.show_state(self.tr("Opening…"))
            self.setEnabled(False)
            self.given.emit(passphrase)
