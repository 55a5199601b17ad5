"""Sets, changes and removes the passphrase of a profile, and shows its recovery key once.

Only the key file changes here: the next start encrypts or decrypts, before it opens the archive. A
new key file is written beside the old one, and replaces it when the program has quit.
"""

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QLayout, QStackedWidget, QWidget

from desktop.domain.errors import AppError
from desktop.settings.messages import Texts
from desktop.settings.paths import ProfilePaths
from desktop.ui.dialogs.form import FormGrid
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import SecretField, WrappingCheckBox
from desktop.ui.widgets.layouts import (
    STRETCH,
    LayoutItem,
    column,
    resize_to_text,
    row,
    set_tab_order,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, ProblemLabel, TitleLabel

_CHARACTERS, _LINES = 78, 22
_PENDING = "new-passphrase"
_LEAST = 8


class PassphraseDialog(QDialog):
    """Sets its texts once: it is closed before a language can be chosen."""

    restart_wanted = Signal(object)  # called when nothing of the profile is open
    print_wanted = Signal(str)  # a page of HTML

    def __init__(
        self,
        profile: Path,
        bridge: TurnBridge,
        texts: Callable[[], Texts],
        parent: QWidget | None = None,
    ) -> None:
        """`profile`: its folder."""
        # Imports the parts that encrypt, which a plain profile never needs.
        from desktop.settings.encryption import KeyFile  # noqa: PLC0415 (see above)

        super().__init__(parent)
        self._profile, self._bridge, self._texts = profile, bridge, texts
        self._file = KeyFile.of_profile(profile)
        self._pending = KeyFile(profile / _PENDING)
        self._has_passphrase = self._file.exists()
        self._problem, self._done = ProblemLabel(), HintLabel()
        self.current = SecretField(self.tr("Passphrase"))
        self.new = SecretField(self.tr("New passphrase"))
        self.again = SecretField(self.tr("New passphrase (again)"))
        self.in_keyring = WrappingCheckBox(self.tr("Keep the key in the system &keyring"))
        self.recovery = Label()
        self.is_kept = WrappingCheckBox(self.tr("I &have kept the recovery key"))
        self.pages = QStackedWidget()
        self.pages.addWidget(
            self._page_with_passphrase() if self._has_passphrase else self._first()
        )
        self.pages.addWidget(self._sheet())
        self.setWindowTitle(self.tr("Passphrase"))
        self.setLayout(column(self.pages))
        self._problem.follow(self.current.line, self.new.line, self.again.line)
        self.rejected.connect(self._pending.remove)
        resize_to_text(self, _CHARACTERS, _LINES)

    def resizeEvent(self, event: QResizeEvent) -> None:
        for form in self.findChildren(FormGrid):
            form.fit(self.width() - 2 * Space.WIDE)
        super().resizeEvent(event)

    def reject(self) -> None:
        if self._has_passphrase and self.pages.currentIndex() and not self.is_kept.isChecked():
            self.is_kept.setFocus(Qt.FocusReason.OtherFocusReason)  # only this key is valid now
        else:
            super().reject()

    def _first(self) -> QWidget:
        what = self.tr(
            "With a passphrase, everything in this profile is encrypted: sessions, documents, "
            "pictures, memory, diary and the backups in its folder. Bellek asks for the "
            "passphrase at each start and after locking."
        )
        limits = self.tr(
            "It does not protect an unlocked computer, exported files, or backups in other "
            "folders. A forgotten passphrase cannot be recovered, so keep the recovery key, "
            "which is shown next."
        )
        go = Button("primary", text=self.tr("&Continue"), press=self._create)
        return self._page(BodyLabel(what), HintLabel(limits), self._form(), buttons=[go])

    def _page_with_passphrase(self) -> QWidget:
        change = Button(text=self.tr("Change &passphrase"), press=self._change)
        change.setDefault(True)
        sheet = Button(text=self.tr("New &recovery key…"), press=self._renew)
        off = DangerButton(text=self.tr("&Turn off…"), press=self._turn_off)
        about = HintLabel(
            self.tr(
                "Backups in other folders keep the passphrase that they were written with. If "
                "you turn the passphrase off, the profile is decrypted at the next start."
            )
        )
        form = self._form(self.current)
        self.in_keyring.clicked.connect(self._keep_in_keyring)
        self._run(self._file.is_kept, self.in_keyring.setChecked)
        keyring = HintLabel(
            self.tr(
                "Anyone who can unlock your desktop can then open this profile without the "
                "passphrase."
            )
        )
        keyring.setProperty("below", "box")
        keyring_column = column(self.in_keyring, keyring, spacing=0)
        return self._page(form, keyring_column, row(sheet, off, STRETCH), about, buttons=[change])

    def _sheet(self) -> QWidget:
        self.recovery.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.recovery.setAccessibleName(self.tr("Recovery key"))
        self.recovery.setProperty("role", "title")
        words = self.tr(
            "This key opens the profile if you forget the passphrase. It is shown only once. "
            "Print it or write it down, and keep it where nobody else will find it."
        )
        printing = Button(text=self.tr("&Print…"), press=self._print)
        label = self.tr("Restart and &encrypt") if not self._has_passphrase else self.tr("C&lose")
        end = Button("primary", text=label, press=self._end_sheet)
        end.setEnabled(False)  # Enter, pressed twice on the page before, must not skip the key
        self.is_kept.toggled.connect(end.setEnabled)
        qhbox_layout = row(printing, STRETCH)
        return self._page(
            BodyLabel(words), self.recovery, qhbox_layout, self.is_kept, buttons=[end]
        )

    def _page(self, *parts: QWidget | QLayout, buttons: Sequence[QWidget]) -> QWidget:
        problem = [] if self.pages.count() else [self._problem, self._done]
        whole: list[QWidget | QLayout | LayoutItem] = [TitleLabel(self.tr("Passphrase")), *parts]
        return widget_with(
            column(
                *whole,
                *problem,
                STRETCH,
                row(STRETCH, Button(text=self.tr("Cancel"), press=self.reject), *buttons),
                margin=Space.WIDE,
                spacing=Space.MEDIUM,
            )
        )

    def _form(self, *before: SecretField) -> FormGrid:
        form = FormGrid()
        for field in (*before, self.new, self.again):
            form.add_row(Label(field.line.accessibleName()), field)
        fields = [field.line for field in (*before, self.new, self.again)]
        set_tab_order(*fields, *form.findChildren(Button))
        return form

    def _run(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        def show(error: AppError) -> None:
            self._problem.set_text(self._texts().error(error))

        self._problem.set_text("")
        self._done.setText("")
        self.setEnabled(False)
        self._bridge.run(work, done, show, lambda: self.setEnabled(True))

    def _chosen(self) -> str:
        """Return the new passphrase; if it is not valid, show why and return an empty one."""
        chosen = self.new.line.text()
        if len(chosen) < _LEAST:
            self._problem.set_text(
                self.tr("Use at least %n character(s). Several words are best.", "", _LEAST)
            )
            return ""
        if chosen != self.again.line.text():
            self._problem.set_text(self.tr("The two passphrases do not match."))
            return ""
        return chosen

    def _create(self) -> None:
        if chosen := self._chosen():

            def work() -> str:
                self._check_room()
                return self._pending.create(chosen)[1]

            self._run(work, self._show_recovery)

    def _change(self) -> None:
        if chosen := self._chosen():
            passphrase = self.current.line.text()

            def work() -> None:
                self._file.change(self._file.unlock(passphrase), chosen)

            message = self.tr("The passphrase was changed.")
            self._run(work, lambda _: self._done.setText(message))

    def _renew(self) -> None:
        passphrase = self.current.line.text()
        self._run(
            lambda: self._file.renew_recovery(self._file.unlock(passphrase)), self._show_recovery
        )

    def _turn_off(self) -> None:
        passphrase = self.current.line.text()

        def work() -> None:
            key = self._file.unlock(passphrase)
            self._check_room()
            self._file.turn_off(key)

        self._run(work, self._restart)

    def _check_room(self) -> None:  # worker thread
        from desktop.sessions.archive_care import check_room  # noqa: PLC0415 - rarely needed

        check_room(ProfilePaths(self._profile), encrypted=not self._has_passphrase)

    def _keep_in_keyring(self, is_wanted: bool) -> None:  # noqa: FBT001 (a slot)
        passphrase = self.current.line.text()

        def work() -> bool:
            from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - rarely needed

            keys = KeyringKeys(profile=self._profile.name)
            key = self._file.unlock(passphrase)
            if not is_wanted:
                self._file.forget(keys)
            return is_wanted and self._file.keep(key, keys)

        def show(is_kept: bool) -> None:  # noqa: FBT001 (a result)
            self.in_keyring.setChecked(is_kept)
            if is_wanted and not is_kept:
                self._problem.set_text(
                    self.tr("No usable keyring was found, so the key was not saved.")
                )

        self.in_keyring.setChecked(not is_wanted)
        self._run(work, show)

    def _show_recovery(self, recovery: str) -> None:
        groups = recovery.split("-")
        half = len(groups) // 2
        self.recovery.setText(
            "\n".join(" - ".join(line) for line in (groups[:half], groups[half:]))
        )
        self.setEnabled(True)  # a disabled box takes no focus
        self.is_kept.setChecked(False)
        self.pages.setCurrentIndex(1)
        self.is_kept.setFocus(Qt.FocusReason.OtherFocusReason)

    def _print(self) -> None:
        title = self.tr("Bellek: recovery key of the profile “{name}”").format(
            name=self._profile.name
        )
        self.print_wanted.emit(
            f"<h2>{escape(title)}</h2><pre>{escape(self.recovery.text())}</pre>"
        )

    def _end_sheet(self) -> None:
        if self._has_passphrase:
            self.accept()
        else:
            self._restart()

    def _restart(self, _: object = None) -> None:
        """Restart, so that the key file takes effect when nothing of the profile is open."""
        pending, file = self._pending, self._file

        def adopt() -> None:
            pending.copy_to(file)
            pending.remove()

        self.restart_wanted.emit((lambda: None) if self._has_passphrase else adopt)
        self.accept()
