"""File, Devices and sharing: sets up the synchronisation, shows its state, offers choices."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QLayout, QProgressBar, QWidget

from desktop.domain.errors import AppError, WrongPassphraseError
from desktop.domain.sync import (
    CarrierEmptyError,
    Conflict,
    DeviceId,
    DeviceState,
    SyncKeyApartError,
    SyncPassphraseError,
    SyncPasswordError,
    SyncPhase,
    SyncProgress,
)
from desktop.sessions.syncing.addresses import is_server
from desktop.ui.devices.conflict_card import ConflictCard
from desktop.ui.devices.setup_form import SetupForm
from desktop.ui.devices.sharing_part import SharingPart
from desktop.ui.devices.sharing_runner import SharingRunner
from desktop.ui.devices.sync_runner import SyncRunner
from desktop.ui.dialogs.form import Page, RebuiltView
from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import core_texts
from desktop.ui.services import Worker
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import SecretField
from desktop.ui.widgets.layouts import (
    at_left,
    clear_layout,
    column,
    flowing,
    growing,
    holds_focus,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    ElidedLabel,
    HintLabel,
    Label,
    MessageBox,
    ProblemLabel,
    SectionLabel,
)

if TYPE_CHECKING:
    from desktop.sessions.syncing.syncing import SyncCheck, SyncReport

_MOST_CARDS = 20
_REFRESH_MS, _STEP_MS = 10_000, 250


class DevicesPage(RebuiltView):
    act = "devices"

    def __init__(
        self, runner: SyncRunner, sharing: SharingRunner, worker: Worker, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._runner, self._sharing, self._worker = runner, sharing, worker
        self._setup: SetupForm | None = None
        self._check: SyncCheck | None = None
        self.is_loaded = False
        self._shown_choices: object = None
        self._shown_devices: object = None
        """What the lists were made of."""
        self.rebuild()
        self._refresh = make_timer(self, _REFRESH_MS, self._load_devices)
        self._steps = make_timer(self, _STEP_MS, self._show_step)
        runner.changed.connect(self._show)
        runner.loaded.connect(self._load_devices)

    def open_at(self) -> None:
        self.come()
        self._runner.load(self._show_loaded)
        self._sharing.load()

    @property
    def scrolled(self) -> Sequence[QAbstractScrollArea]:
        return (self._page,)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._refresh.stop()
        self._steps.stop()

    def _show_step(self) -> None:
        """Show how far the run is; while nothing runs, the timer rests."""
        self._state.setText(self._state_words())
        if not self._runner.is_running:
            self._steps.stop()

    def _load_devices(self) -> None:
        if self.isVisible():
            self._runner.load_devices()

    def _show_loaded(self) -> None:
        self.is_loaded = True
        self._show()
        if self._runner.place is None:
            self.setup_form.focus_first()
        elif self.isVisible():
            self._now.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("Devices and sharing"))
        self._page = Page(self.windowTitle())
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._receiving = self.tr("Receiving what the others changed…")
        self._exchanging = self.tr("Exchanging pictures and documents…")
        self._state, self.problem = BodyLabel(), ProblemLabel()
        before = self._setup
        self.setup_form = self._setup = SetupForm(self._runner, self._worker)
        if before is not None:
            self.setup_form.take_over(before)
        self._off = widget_with(self._off_part())
        self._on = widget_with(self._on_part())
        body = self._page.column
        self.sharing = SharingPart(self._sharing)
        for part in (self._off, self._on, self.sharing):
            body.addWidget(part)
        body.addStretch(1)
        return column(growing(self._page))

    def _off_part(self) -> QLayout:
        about = self.tr(
            "The same profile on several computers: sessions, library, memory, notes and diary, "
            "merged without losing anything. There is no account and no server of ours; what "
            "leaves this computer is encrypted."
        )
        return column(BodyLabel(about), self._trial(), self.setup_form, spacing=Space.LARGE)

    def _trial(self) -> QWidget:
        return BodyLabel(self.tr("On trial: keep backups."), role="muted")

    def _on_part(self) -> QLayout:
        self._place = ElidedLabel(role="small", mode=Qt.TextElideMode.ElideMiddle)
        self._now = Button("primary", text=self.tr("Synchronise &now"), press=self._run)
        self._pausing = Button(press=self._pause)
        self._checking = Button(text=self.tr("&Compare all devices"), press=self._compare)
        self._leaving = DangerButton(text=self.tr("&Leave…"), press=self._ask_to_leave)
        self._buttons = (self._now, self._pausing, self._checking, self._leaving)
        self._secret_label, self.secret = Label(), SecretField(self.tr("Passphrase"))
        go_on = Button(text=self.tr("Cont&inue"), press=self._run_with_secret)
        self.secret.line.returnPressed.connect(go_on.click)
        self._secret_part = widget_with(column(self._secret_label, self.secret, at_left(go_on)))
        self._choices, self._compared = column(spacing=Space.MEDIUM), BodyLabel()
        self._devices = column()
        both = self.tr("Both versions are kept. Choose the one that stays, or keep both.")
        title = SectionLabel(self.tr("Changed on two devices"))
        self._choices_part = widget_with(column(title, HintLabel(both), self._choices))
        self._devices_title = SectionLabel(self.tr("Other devices"))
        where = column(self._state, self._place, spacing=Space.TIGHT)
        state = column(where, self._bar, self.problem)
        return column(
            self._trial(),
            state,
            self._secret_part,
            widget_with(flowing(*self._buttons)),
            self._compared,
            self._choices_part,
            column(self._devices_title, self._devices),
            spacing=Space.LARGE,
        )

    def _fill(self) -> None:
        self._shown_choices = self._shown_devices = None
        self._show()

    def _show(self) -> None:
        runner = self._runner
        is_on = runner.place is not None
        had_focus = holds_focus(self._off)
        self._off.setVisible(self.is_loaded and not is_on and not runner.is_running)
        self._on.setVisible(is_on or runner.is_running)
        if had_focus and self._off.isHidden():
            self._page.setFocus(Qt.FocusReason.OtherFocusReason)
        self._bar.setVisible(runner.is_running)
        if runner.is_running and self.isVisible():
            self._steps.start()
        self._state.setText(self._state_words())
        self._place.set_text(runner.place.address if runner.place else "")
        self.problem.set_text(self._problem_words(runner.error))
        self._show_secret(runner.error)
        is_paused = runner.place is not None and runner.place.is_paused
        self._pausing.setText(self.tr("&Resume") if is_paused else self.tr("&Pause"))
        for button in self._buttons:
            button.setVisible(is_on)
            button.setEnabled(not runner.is_running)
        self._compared.set_text(self._check_words())
        self._show_lists()

    def _show_secret(self, error: AppError | None) -> None:
        """Ask for what the last run lacked."""
        lacks = SyncPassphraseError | SyncPasswordError | WrongPassphraseError
        is_asked = isinstance(error, lacks)
        self._secret_part.setVisible(is_asked)
        if is_asked:
            of_server = self.tr("Password of the server")
            is_of_server = isinstance(error, SyncPasswordError)
            self._secret_label.setText(of_server if is_of_server else self.tr("Passphrase"))
            self.secret.line.setAccessibleName(self._secret_label.text())

    def _show_lists(self) -> None:
        place, devices = self._runner.place, self._runner.devices
        names: dict[DeviceId, str | None] = {device.id: device.name for device in devices}
        if place is not None:
            names[place.device] = None
        conflicts = place.conflicts if place else ()
        if self._shown_choices != (shown := (tuple(map(repr, conflicts)), names)):
            self._shown_choices = shown
            self._show_choices(conflicts, names, place.projects if place else {})
        if self._shown_devices != (rows := tuple(map(repr, (place is None, *devices)))):
            self._shown_devices = rows
            self._show_devices(devices, is_on=place is not None)

    def _show_choices(
        self,
        conflicts: Sequence[Conflict],
        names: Mapping[DeviceId, str | None],
        projects: Mapping[str, str],
    ) -> None:
        had_focus = holds_focus(self._choices_part)
        clear_layout(self._choices)
        self._choices_part.setVisible(bool(conflicts))
        cards = [
            ConflictCard(conflict, names.get(conflict.device, ""), projects)
            for conflict in conflicts[:_MOST_CARDS]
        ]
        for card in cards:
            card.chosen.connect(self._runner.resolve)
            self._choices.addWidget(card)
        if had_focus:
            following = cards[0].findChildren(Button)[0] if cards else self._now
            following.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_devices(self, devices: Sequence[DeviceState], *, is_on: bool) -> None:
        clear_layout(self._devices)
        self._devices_title.setVisible(is_on)
        for device in devices:
            self._devices.addWidget(self._device(device))
        if not devices and is_on:
            alone = self.tr(
                "None yet. On the next computer, open this page in Bellek and choose the same "
                "place."
            )
            self._devices.addWidget(HintLabel(alone))

    def _device(self, device: DeviceState) -> QWidget:
        parts = []
        if device.last_seen:
            seen = day_and_time(device.last_seen)
            parts.append(self.tr("last seen {time}").format(time=seen))
        parts.append(
            self.tr("%n pack(s) of its changes not here yet", "", device.waiting)
            if device.waiting
            else self.tr("all its changes are here")
        )
        name = device.name or self.tr("(without a name)")
        forget = Button(
            "link",
            text=self.tr("Forget…"),
            name=self.tr("Forget {device}…").format(device=name),
            press=lambda: self._ask_to_forget(device.id, name),
        )
        words = column(BodyLabel(name), HintLabel(" · ".join(parts)), spacing=0)
        return widget_with(row(growing(widget_with(words)), forget))

    def _state_words(self) -> str:
        runner = self._runner
        if runner.is_running:
            return self._progress_words(runner.progress)
        if runner.place is not None and runner.place.is_paused:
            return self.tr("Paused: nothing is sent or received by itself.")
        if runner.ran_at is None or runner.report is None:
            return self.tr("This profile is synchronised.")
        return self._report_words(runner.report).format(time=day_and_time(runner.ran_at))

    def _progress_words(self, progress: SyncProgress | None) -> str:
        if progress is None:
            return self.tr("Connecting…")
        received = self.tr("%n change(s) received", "", progress.received)
        files = self.tr("%n file(s)", "", progress.files)
        return {
            SyncPhase.RECEIVING: f"{self._receiving} {received}",
            SyncPhase.SENDING: self.tr("Sending what changed here…"),
            SyncPhase.FILES: f"{self._exchanging} {files}",
            SyncPhase.COMPARING: self.tr("Adding up what is here…"),
        }[progress.phase]

    def _report_words(self, report: "SyncReport") -> str:
        if not report.received and not report.sent:
            return self.tr("Synchronised at {time}: nothing was new.")
        received = self.tr("%n change(s) received", "", report.received)
        sent = self.tr("what changed here was sent")
        done = ", ".join(
            words for words, count in ((received, report.received), (sent, report.sent)) if count
        )
        return self.tr("Synchronised at {time}: {done}.").replace("{done}", done)

    def _problem_words(self, error: AppError | None) -> str:
        texts, report = core_texts(), self._runner.report
        if error is not None:
            return self._error_words(error)
        if report is None:
            return ""
        lines = [
            texts.say(f"sync.{problem}", names=", ".join(names))
            for problem, names in report.problems.items()
        ]
        if report.is_new_device:
            lines.append(texts.say("sync.new_device"))
        if report.went_back:
            lines.append(texts.say("sync.went_back"))
        return "\n".join(lines)

    def _error_words(self, error: AppError) -> str:
        """Return what happened, with what to do on this page."""
        if isinstance(error, SyncKeyApartError):
            return self.tr(
                "Another device was set up at the same moment as this one. To bring them "
                "together, enter the passphrase once more."
            )
        if isinstance(error, CarrierEmptyError):
            return self.tr(
                "Nothing is left there of what was synchronised. If it is a stick or a share, "
                "connect it. To begin anew, leave and set it up again."
            )
        if isinstance(error, WrongPassphraseError):
            return self.tr("The other devices have another passphrase. Enter theirs.")
        return core_texts().error(error)

    def _check_words(self) -> str:
        if (check := self._check) is None or self._runner.place is None:
            return ""
        texts = core_texts()
        if len(check.devices) == 1:
            return texts.say("sync.alone")
        if check.equal:
            return texts.say("sync.equal")
        own, *others = check.devices
        if unknown := [device.name for device in others if not device.hash]:
            words = self.tr(
                "Not known yet: {names}. Each device adds up what it has a minute after its last "
                "change; then compare again."
            )
            return words.format(names=", ".join(unknown))
        differing = [device.name for device in others if device.hash != own.hash]
        words = self.tr("Not the same as here: {names}. Synchronise there, then compare again.")
        return words.format(names=", ".join(differing))

    def _run(self) -> None:
        self._check = None
        self._runner.run(is_full=True)

    def _pause(self) -> None:
        if (place := self._runner.place) is not None:
            self._runner.pause(is_paused=not place.is_paused)

    def _run_with_secret(self) -> None:
        secret = self.secret.line.text()
        self.secret.clear()
        if isinstance(self._runner.error, SyncPasswordError):
            self._runner.run(password=secret, is_full=True)
        else:
            self._runner.run(secret, is_full=True)

    def _compare(self) -> None:
        def show(check: "SyncCheck") -> None:
            self._check = check
            self._show()

        self._check = None
        self._runner.check(show)

    def _ask_to_forget(self, device: DeviceId, name: str) -> None:
        about = self.tr(
            "For a device that is lost or no longer used. Everything it has sent stays, and its "
            "files are removed when your other devices have them. What it has not sent is only "
            "on it. If it comes back, it takes part as a new device."
        )
        if self._runner.place is not None and is_server(self._runner.place.address):
            more = self.tr("What it wrote with another role of the server stays there.")
            about = f"{about} {more}"
        title = self.tr("Forget {device}?").format(device=name)
        box = MessageBox(MessageBox.Icon.NoIcon, title, about, self.window())
        box.offer((self.tr("Forget"), lambda: self._runner.forget(device)), stay=self.tr("Cancel"))

    def _ask_to_leave(self) -> None:
        box = MessageBox(
            MessageBox.Icon.NoIcon,
            self.tr("Leave the synchronisation?"),
            self.tr(
                "What changed here is sent first. Everything that is on this computer stays, and "
                "the other devices go on."
            ),
            self.window(),
        )
        leave = (self.tr("Leave"), self._runner.leave)
        is_gone = self._runner.error is not None
        at_once = (
            self.tr("Leave without sending"),
            lambda: self._runner.leave(is_forced=True),
        )
        box.offer(*([leave, at_once] if is_gone else [leave]), stay=self.tr("Cancel"))
