"""The menu of the profiles: which one is open, switching, and new, renamed and deleted ones."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QDialogButtonBox, QMenu, QWidget

from desktop.settings.paths import DEFAULT_PROFILE
from desktop.ui.actions import plain
from desktop.ui.dialogs.form import TextQuestion
from desktop.ui.palette.palette import PaletteItem
from desktop.ui.services import Restart, Worker
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.services import Services
    from desktop.settings.profiles import Profiles, ProfileSummary


class ProfileMenu(QMenu):
    def __init__(
        self,
        worker: Worker,
        start_again: Callable[[Restart], object],
        strip: MessageBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._worker, self._start_again = worker, start_again
        self._strip, self._window = strip, parent
        self.aboutToShow.connect(self._fill)
        self.retranslate()

    def retranslate(self) -> None:
        self.setTitle(self.tr("Profile"))

    def items(self) -> list[PaletteItem]:
        """Return its commands for the palette, which finds them by the menu's name, too."""
        self._fill()
        pairs = []
        for action in self.actions():
            inside = action.menu()
            if isinstance(inside, QMenu):
                pairs += [(inside.title(), action) for action in inside.actions()]
            else:
                pairs.append((self.tr("Switch profile") if action.isCheckable() else "", action))
        return [
            PaletteItem(
                f"profile {label}",
                label,
                plain(self.title()),
                action.trigger,
                words=[f"Profile {label}"],
            )
            for title, action in pairs
            if action.isEnabled() and action.text()
            for label in (plain(": ".join(filter(None, (title, action.text())))),)
        ]

    def _fill(self) -> None:
        for submenu in self.findChildren(QMenu):
            submenu.deleteLater()
        self.clear()
        if not self._worker.is_ready:
            return
        names = self._worker.services.profiles.names()
        group = QActionGroup(self)
        for name in names:
            action = self.addAction(name)
            action.setCheckable(True)
            action.setChecked(self._is_open(name))
            action.setEnabled(not action.isChecked())
            action.triggered.connect(partial(self._switch, name))
            group.addAction(action)
        self.addSeparator()
        self.addAction(self.tr("New profile…"), self._ask_for_new)
        changes = {
            self.tr("Rename profile"): self._ask_to_rename,
            self.tr("Delete profile"): self._measure,
        }
        for title, ask in changes.items():
            submenu = self.addMenu(title)
            for name in names:
                submenu.addAction(f"{name}…", partial(ask, name))

    def _is_open(self, name: str) -> bool:
        return name == self._worker.services.profile.folder.name

    def _switch(self, name: str, *_: object) -> None:
        remember = self._worker.services.profiles.remember
        self._start_again(Restart(("--profile", name), before=lambda: remember(name)))

    def _ask_for_new(self) -> None:
        words = self.tr("Name the new, empty profile. Bellek will restart in it.")
        self._ask(self.tr("New profile"), words, self._create)

    def _create(self, name: str) -> None:
        def work(services: "Services") -> None:
            services.profiles.create(name)

        self._worker.do(work, lambda _: self._switch(name))

    def _ask_to_rename(self, name: str) -> None:
        words = self.tr("New name of the profile “{name}”.").format(name=name)
        if self._is_open(name):
            words += "\n" + self.tr("This profile is open, so Bellek will restart.")
        self._ask(self.tr("Rename profile"), words, partial(self._rename, name)).setTextValue(name)

    def _rename(self, name: str, new: str) -> None:
        message = self._worker.services.texts().say("profile.renamed", name=name, new=new)
        self._worker.do(
            lambda services: services.profiles.check_free(new),
            lambda _: self._change(name, lambda all_: all_.rename(name, new), new, message),
        )

    def _measure(self, name: str) -> None:
        self._worker.do(lambda services: services.profiles.summary(name), self._ask_to_delete)

    def _ask_to_delete(self, summary: "ProfileSummary") -> None:
        name, texts = summary.name, self._worker.services.texts()
        words = self.tr(
            "This permanently deletes the profile “{name}” ({size} MB):\nits sessions, memory, "
            "library, backups, logs, settings and keys.\nBackups in other folders are "
            "kept.\n\nTo delete it, type its name:"
        ).format(name=name, size=texts.megabytes(summary.size_bytes))
        dialog = self._ask(self.tr("Delete profile"), words, lambda _: self._delete(name))
        (box,) = dialog.findChildren(QDialogButtonBox)
        delete = box.button(QDialogButtonBox.StandardButton.Ok)
        dialog.setOkButtonText(self.tr("Delete permanently"))
        delete.setEnabled(False)
        dialog.textValueChanged.connect(lambda typed: delete.setEnabled(typed.strip() == name))

    def _delete(self, name: str) -> None:
        others = [other for other in self._worker.services.profiles.names() if other != name]
        message = self._worker.services.texts().say("profile.deleted", name=name)
        self._change(
            name, lambda all_: all_.delete(name), (others or [DEFAULT_PROFILE])[0], message
        )

    def _change(
        self, name: str, change: Callable[["Profiles"], None], then: str, message: str
    ) -> None:
        """Change another profile at once; the open one when closing, and then open `then`."""
        if self._is_open(name):
            profiles = self._worker.services.profiles

            def before() -> None:
                change(profiles)
                profiles.remember(then)

            self._start_again(Restart(("--profile", then), before=before))
        else:
            self._worker.do(
                lambda services: change(services.profiles),
                lambda _: self._strip.show_message("profile", message),
            )

    def _ask(self, title: str, words: str, on_text: Callable[[str], None]) -> TextQuestion:
        return TextQuestion(self._window, title, words, lambda name: on_text(name.strip()))
