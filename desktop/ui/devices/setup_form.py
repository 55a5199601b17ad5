"""Sets up the synchronisation in three steps: the place, the passphrase, this device's name."""

import platform
from enum import IntEnum
from urllib.parse import quote

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QLineEdit, QWidget

from desktop.domain.errors import AppError, WrongPassphraseError
from desktop.domain.sync import SyncError
from desktop.sessions.syncing.addresses import SCHEMES, is_server, split_password
from desktop.ui.devices.sync_runner import SyncRunner
from desktop.ui.dialogs.files import FolderDialog
from desktop.ui.i18n import core_texts
from desktop.ui.services import Worker
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import RadioGroup, SecretField
from desktop.ui.widgets.layouts import STRETCH, column, growing, row, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, ProblemLabel, SectionLabel

_LEAST = 8  # Letters of a passphrase


class SetupStep(IntEnum):
    PLACE = 0
    PASSPHRASE = 1
    NAME = 2


class SetupForm(QWidget):
    """Sets its texts once; `take_over` carries what is typed into one of another language."""

    step_changed = Signal()

    def __init__(self, runner: SyncRunner, worker: Worker) -> None:
        super().__init__()
        self._runner, self._worker = runner, worker
        self.is_first = True
        """Whether no device has been set up at the place."""
        self.problem = ProblemLabel()
        self.kind = RadioGroup(
            (False, True),
            (
                (
                    self.tr("F&older"),
                    self.tr(
                        "One that all your devices see: of Syncthing, Dropbox or Nextcloud, a "
                        "network share, or a USB stick."
                    ),
                ),
                (
                    self.tr("PostgreSQL se&rver"),
                    self.tr("A database that you or your group runs."),
                ),
            ),
        )
        self.folder, self.server = QLineEdit(), QLineEdit()
        self.password = SecretField(self.tr("Password of the server"))
        self.passphrase = SecretField(self.tr("Passphrase"))
        self.again = SecretField(self.tr("Passphrase (again)"))
        self.device = QLineEdit(platform.node())
        self._pages = [
            widget_with(page)
            for page in (self._place_page(), self._passphrase_page(), self._name_page())
        ]
        self._step = SetupStep.PLACE
        self._count = HintLabel()
        self._back = Button(text=self.tr("&Back"), press=self.go_back)
        self._next = Button("primary", press=self._go_on)
        buttons = row(self._back, self._next, STRETCH)
        below = (self.problem, buttons, STRETCH)
        self.setLayout(column(self._count, *self._pages, *below, spacing=Space.MEDIUM))
        self._connect()
        self.choose_kind(is_server=False)
        self.show_step(SetupStep.PLACE)

    @property
    def step(self) -> SetupStep:
        return self._step

    @property
    def fields(self) -> list[QLineEdit]:
        secrets = (self.password.line, self.passphrase.line, self.again.line)
        return [self.folder, self.server, self.device, *secrets]

    def take_over(self, other: "SetupForm") -> None:
        for field, before in zip(self.fields, other.fields, strict=True):
            field.setText(before.text())
        self.is_first = other.is_first
        self.choose_kind(is_server=not other.server.isHidden())
        self.show_step(other.step)

    def focus_first(self) -> None:
        first = {
            SetupStep.PLACE: self.server if self._is_server else self.folder,
            SetupStep.PASSPHRASE: self.passphrase.line,
            SetupStep.NAME: self.device,
        }[self.step]
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_back(self) -> None:
        self.show_step(SetupStep(self.step - 1))
        self.focus_first()

    def _connect(self) -> None:
        self.kind.chosen.connect(lambda value: self.choose_kind(is_server=bool(value)))
        self.kind.chosen.connect(lambda _: self.focus_first())
        self.problem.follow(*self.fields)
        self.server.textChanged.connect(self._hide_password)
        for field in self.fields:
            field.returnPressed.connect(self._next.click)

    def _place_page(self) -> QLayout:
        self.folder.setAccessibleName(self.tr("Folder"))
        self.server.setAccessibleName(self.tr("Address of the server"))
        self.server.setPlaceholderText("postgresql://")
        self._choose = Button(text=self.tr("&Choose…"), press=self._ask_for_folder)
        self._folder_row = widget_with(row(growing(self.folder), self._choose))
        self._server_rows = widget_with(
            column(
                BodyLabel(self.tr("Address, such as postgresql://name@server/database")),
                self.server,
                Label(self.password.line.accessibleName()),
                self.password,
                HintLabel(self.tr("It is kept in the system’s keyring.")),
                spacing=Space.TIGHT,
            )
        )
        title = SectionLabel(self.tr("Where do your devices meet?"))
        return column(title, self.kind, self._folder_row, self._server_rows, STRETCH)

    def _passphrase_page(self) -> QLayout:
        self._passphrase_title, self._passphrase_hint = SectionLabel(), HintLabel()
        self._again_label = Label(self.again.line.accessibleName())
        return column(
            self._passphrase_title,
            self._passphrase_hint,
            Label(self.passphrase.line.accessibleName()),
            self.passphrase,
            self._again_label,
            self.again,
            STRETCH,
        )

    def _name_page(self) -> QLayout:
        self.device.setAccessibleName(self.tr("Name of this device"))
        hint = self.tr(
            "Your other devices show it. Then the first synchronisation begins; with a large "
            "archive it takes a few minutes, and you can go on working."
        )
        title = SectionLabel(self.tr("What is this device called?"))
        return column(title, HintLabel(hint), self.device, STRETCH)

    @property
    def _is_server(self) -> bool:
        return not self._server_rows.isHidden()

    def choose_kind(self, *, is_server: bool) -> None:
        self.kind.show_value(is_server)
        self._server_rows.setVisible(is_server)
        self._folder_row.setVisible(not is_server)
        self.server.setVisible(is_server)
        self.problem.dismiss()

    def _hide_password(self, text: str) -> None:
        """Move a password that was pasted in the address to its own field."""
        try:
            address, password = split_password(text)
        except SyncError:
            return
        if password and "@" in text:
            self.password.line.setText(password)
            self.server.setText(address)

    def _address(self) -> str:
        if not self._is_server:
            return self.folder.text().strip()
        address, password = self.server.text().strip(), self.password.line.text()
        scheme, _, rest = address.partition("://")
        user, at, host = rest.partition("@")
        if password and at and scheme in SCHEMES:
            return f"{scheme}://{user}:{quote(password, safe='')}@{host}"
        return address

    def _ask_for_folder(self) -> None:
        dialog = FolderDialog(self.tr("Folder that all devices see"), self.window())
        dialog.ask_for_file(lambda folder: self.folder.setText(str(folder)))

    def _go_on(self) -> None:
        self.problem.dismiss()
        {
            SetupStep.PLACE: self._check_place,
            SetupStep.PASSPHRASE: self._check_passphrase,
            SetupStep.NAME: self._set_up,
        }[self.step]()

    def _check_place(self) -> None:
        address = self._address()
        if not address or is_server(address) is not self._is_server:
            wanted = self.tr("Choose the folder in which your devices meet.")
            if self._is_server:
                wanted = self.tr("The address begins with postgresql://.")
            self.problem.set_text(wanted)
            return

        def show(has_others: bool) -> None:  # noqa: FBT001 (a result)
            self.is_first = not has_others
            self.show_step(SetupStep.PASSPHRASE)
            self.focus_first()

        self._next.setEnabled(False)
        self._worker.do(
            lambda services: services.syncing.has_others(address),
            show,
            lambda: self._next.setEnabled(True),
            self._show_problem,
        )

    def _check_passphrase(self) -> None:
        passphrase = self.passphrase.line.text()
        if self.is_first and len(passphrase) < _LEAST:
            words = self.tr("Use at least %n character(s). Several words are best.", "", _LEAST)
            self.problem.set_text(words)
        elif self.is_first and passphrase != self.again.line.text():
            self.problem.set_text(self.tr("The two passphrases do not match."))
        elif not passphrase:
            self.problem.set_text(self.tr("Enter the passphrase of your other devices."))
        else:
            self.show_step(SetupStep.NAME)
            self.focus_first()

    def _set_up(self) -> None:
        name = self.device.text().strip()
        if not name:
            self.problem.set_text(self.tr("Give this device a name."))
            return
        self._runner.set_up(self._address(), self.passphrase.line.text(), name, self._show_failure)

    def _show_failure(self, error: AppError) -> None:
        """Show why it did not work, on the step that can mend it."""
        is_passphrase = isinstance(error, WrongPassphraseError)
        self.show_step(SetupStep.PASSPHRASE if is_passphrase else SetupStep.PLACE)
        self.focus_first()
        if is_passphrase:
            words = self.tr("The other devices have another passphrase. Enter theirs.")
            self.problem.set_text(words)
        else:
            self._show_problem(error)

    def _show_problem(self, error: AppError) -> None:
        self.problem.set_text(core_texts().error(error))

    def show_step(self, step: SetupStep) -> None:
        self._step = step
        for place, page in enumerate(self._pages):
            page.setVisible(place == step)
        self._count.setText(
            self.tr("Step {step} of {steps}").format(step=step + 1, steps=len(SetupStep))
        )
        self._back.setVisible(step is not SetupStep.PLACE)
        self._next.setText(self.tr("S&ynchronise") if step is SetupStep.NAME else self.tr("&Next"))
        self._again_label.setVisible(self.is_first)
        self.again.setVisible(self.is_first)
        self._passphrase_title.setText(self._title_of_passphrase())
        self._passphrase_hint.setText(self._hint_of_passphrase())
        self.step_changed.emit()

    def _title_of_passphrase(self) -> str:
        if self.is_first:
            return self.tr("Choose a passphrase")
        return self.tr("Enter the passphrase of your other devices")

    def _hint_of_passphrase(self) -> str:
        if self.is_first:
            return self.tr(
                "It encrypts everything that leaves this computer. Each further device asks for "
                "it, and nobody can recover it: write it down."
            )
        return self.tr("Other devices have been set up there already.")
