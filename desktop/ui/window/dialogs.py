"""Opens the dialogs, each imported when it is first opened; writes and restores backups."""

# ruff: noqa: PLC0415 (see above)

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.errors import FileUnreadableError
from desktop.domain.projects import EVERYTHING
from desktop.domain.watched_folders import FolderWatchedError
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, possible, when_open
from desktop.ui.dialogs.files import BackupDialog, FolderDialog, ImportDialog, RestoreDialog
from desktop.ui.dialogs.form import ask_for_printer, do_nothing, open_dialog, open_folder
from desktop.ui.dialogs.information_dialogs import AboutDialog, WebLogDialog
from desktop.ui.dialogs.shortcuts import Shortcuts
from desktop.ui.formatting import clock_time, day
from desktop.ui.palette.palette import PaletteItem
from desktop.ui.services import (
    LOCKED,
    REPAIR,
    ModelServices,
    Restart,
    ShippedPhrases,
    Worker,
)
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.plain_text import MessageBox

if TYPE_CHECKING:
    from desktop.domain.backups import BackupPreview, RepairNeed, Restored
    from desktop.sessions.services import Services
    from desktop.ui.settings.settings_view import SettingsView

_WRITING, _RESTORING, _CONVERTING = "backing_up", "restoring", "converting"
_REPAIRING = "repairing"
_WELCOME_MS = 1_000  # delay before checking again whether the user is typing


class WindowDialogs(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    examples_wanted = Signal()
    memory_wanted = Signal()
    proposals_wanted = Signal()  # Sentences that another assistant remembers are to be shown
    imported = Signal(object)  # An ImportReport for each file
    restart_wanted = Signal(object)  # Restart

    def __init__(
        self,
        window: QWidget,
        theme: ThemeController,
        changes: SettingsController,
        shortcuts: Shortcuts,
        strip: MessageBar,
        worker: Worker,
    ) -> None:
        super().__init__(window)
        self._window, self._theme = window, theme
        self.setting_items: Callable[[], Sequence[PaletteItem]] = tuple
        """What the search of the settings finds"""
        self._changes = changes
        self._shortcuts = shortcuts
        self._strip = strip
        self._worker = worker
        self._settings: SettingsView | None = None

    def records(self) -> Sequence[Action]:
        settings, keys = QT_TR_NOOP("Settings"), QT_TR_NOOP("Keyboard shortcuts")
        return [
            *possible(
                when_open,
                ("import", QT_TR_NOOP("Import sessions…"), "Ctrl+O", self.ask_what_to_import),
                ("import_folder", QT_TR_NOOP("Import a folder…"), "", self.ask_for_a_folder),
                ("back_up", QT_TR_NOOP("Back up the archive…"), "", self.ask_where_to_back_up),
                ("restore", QT_TR_NOOP("Restore a backup…"), "", self.ask_what_to_restore),
                ("welcome", QT_TR_NOOP("Welcome…"), "", self.show_welcome),
                ("about", QT_TR_NOOP("About Bellek"), "", self.show_about),
            ),
            everywhere("models", QT_TR_NOOP("Models"), "", self.show_models, when_open),
            everywhere("settings", settings, "Ctrl+,", self.show_settings, when_open),
            everywhere("shortcuts", keys, "Ctrl+F1", self.show_shortcuts, when_open),
            Action("repair", QT_TR_NOOP("Check and repair…"), "", self.ask_to_repair),
            Action("passphrase", QT_TR_NOOP("Passphrase…"), "", self.show_passphrase),
        ]

    def show_settings(self, page: PageId = PageId.GENERAL, setting: str = "") -> None:
        from desktop.ui.settings.settings_view import SettingsServices, SettingsView

        if self._settings is None:
            services, shipped = self._worker.services, self._worker.services.shipped_phrases
            parts = SettingsServices(
                self._model_services(),
                services.profile,
                services.settings_store.paths.settings_file,
                self._shortcuts,
                ShippedPhrases(
                    [phrase for phrases in shipped for phrase in phrases.end],
                    [phrase for phrases in shipped for phrase in phrases.new_topic],
                ),
                spent_on_imports=services.archive.spent_on_imports,
                personas=services.personas,
                tools=lambda: services.assistant.tools.tools,
                browser=lambda: services.browser,
                tool_servers=services.tool_servers,
                program_calls=services.program_calls,
                items=self.setting_items,
            )
            self._settings = SettingsView(
                self._changes, parts, self._theme, self._strip, self._window
            )
            self.page_made.emit(self._settings)
            self._settings.memory_asked.connect(self.memory_wanted)
            self._settings.contacts_asked.connect(self.show_contacts)
        self._settings.come_to(page, setting)

    def _model_services(self) -> ModelServices:
        from desktop.llm.endpoints import look_for_local_servers

        services = self._worker.services
        return ModelServices(
            bridge=self._worker.bridge,
            models=services.models,
            keys=services.keys,
            look_for_servers=look_for_local_servers,
            texts=services.texts,
            in_force=services.in_force,
            files=services.model_files,
            embedding=services.meanings.progress,
        )

    def show_programs(self) -> None:
        self.show_settings(PageId.PROGRAMS)

    def show_models(self) -> None:
        self.show_settings(PageId.MODELS)

    def show_contacts(self) -> None:
        services, owner = self._worker.services, self._window
        read, clear = services.archive.contacts, services.sources.clear_contacts
        open_dialog(WebLogDialog(read, clear, self._worker.bridge, services.texts, owner))

    def show_passphrase(self) -> None:
        from desktop.ui.profile.passphrase import PassphraseDialog

        services = self._worker.services
        dialog = PassphraseDialog(
            services.profile.folder, self._worker.bridge, services.texts, self._window
        )
        dialog.restart_wanted.connect(
            lambda before: self.restart_wanted.emit(replace(LOCKED, before=before))
        )
        dialog.print_wanted.connect(lambda page: self._print(page, dialog))
        open_dialog(dialog)

    def _print(self, page: str, owner: QWidget) -> None:
        from desktop.ui.transcript.printing import print_on

        run = self._worker.bridge.run
        ask_for_printer(owner, lambda printer: run(lambda: print_on(printer, lambda _: page)))

    def show_welcome(self, *, offers_examples: bool = True) -> None:
        from desktop.ui.settings.welcome import WelcomeDialog

        welcome = WelcomeDialog(
            self._changes,
            self._model_services(),
            offers_examples=offers_examples,
            parent=self._window,
        )
        welcome.examples_asked.connect(self.examples_wanted)
        open_dialog(welcome)

    def offer_welcome(self, is_writing: Callable[[], bool], *, offers_examples: bool) -> None:
        """Show the welcome once nothing is being written, because the dialog takes the focus."""
        if is_writing():
            again = partial(self.offer_welcome, is_writing, offers_examples=offers_examples)
            QTimer.singleShot(_WELCOME_MS, self, again)
        elif not self._changes.settings.welcomed:
            self.show_welcome(offers_examples=offers_examples)

    def show_about(self) -> None:
        open_dialog(AboutDialog(self._worker.services.profile.folder, self._window))

    def show_shortcuts(self) -> None:
        self.show_settings(PageId.SHORTCUTS)

    def ask_what_to_import(self) -> None:
        ImportDialog(self._window).ask_for_files(self.show_importing)

    def ask_for_a_folder(self) -> None:
        """Import an unpacked export, or a folder of notes."""
        title = self.tr("Import a folder")
        FolderDialog(title, self._window).ask_for_files(self.show_importing)

    def show_importing(self, paths: Sequence[Path], then: Callable[[], None] = do_nothing) -> None:
        """`then`: called when the dialog is gone."""
        from desktop.ui.dialogs.importing import ImportSessionsDialog

        services = self._worker.services
        dialog = ImportSessionsDialog(
            paths, services.importer, services.texts, self._worker.bridge, self._window
        )
        dialog.imported.connect(self.imported)
        dialog.finished.connect(lambda _: then())
        dialog.finished.connect(lambda _: self.offer_memory_proposals())
        dialog.watch_wanted.connect(self._watch)
        open_dialog(dialog)

    def _watch(self, folders: Sequence[Path]) -> None:
        def add(services: "Services") -> None:
            for folder in folders:
                with suppress(FolderWatchedError):  # it was imported before
                    services.watched_folders.add(folder)

        self._worker.do_in_turn(add)

    def offer_memory_proposals(self) -> None:
        """Show what another assistant remembers, if some of it waits for the user."""

        def show(proposals: Sequence[object]) -> None:
            if proposals:
                self.proposals_wanted.emit()

        self._worker.do(lambda services: services.archive.proposals(EVERYTHING), show)

    def ask_where_to_back_up(self) -> None:
        from desktop.sessions.archive_care import suggest_backup_name

        name = suggest_backup_name(self._worker.services.profile.folder.name)
        BackupDialog(name, self._window).ask_for_file(self.back_up)

    def back_up(self, path: Path) -> None:
        def work(services: "Services") -> tuple[Path, str]:
            from desktop.sessions.archive_care import describe_written

            backup = services.care.write_backup(path)
            return backup.path, " ".join(describe_written(backup, services.texts()))

        def show(done: tuple[Path, str]) -> None:
            file, words = done
            go = (self.tr("Open folder"), lambda: open_folder(file.parent))
            self._strip.show_message("backed_up", words, go)

        self._strip.show_message(_WRITING, self.tr("Writing the backup…"), can_be_closed=False)
        self._worker.do(work, show, lambda: self._strip.remove(_WRITING))

    def ask_what_to_restore(self) -> None:
        folder = self._worker.services.profile.backups
        RestoreDialog(folder, self._window).ask_for_file(self.restore)

    def restore(self, path: Path) -> None:
        """Check whether the backup can be restored, and ask for confirmation."""

        def work(services: "Services") -> "tuple[BackupPreview | None, datetime]":
            preview = services.care.preview_backup(path)
            try:
                written_at = path.stat().st_mtime
            except OSError as exc:
                raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc
            return preview, datetime.fromtimestamp(written_at).astimezone()

        self._worker.do(work, lambda result: self._ask_to_restore(path, *result))

    def restart(self) -> None:
        """Quit and start again, so that opening repairs the damage."""
        self.restart_wanted.emit(Restart(()))

    def ask_to_repair(self) -> None:
        box = MessageBox(
            MessageBox.Icon.NoIcon,
            self.tr("Check everything, and repair what is damaged?"),
            self.tr(
                "Bellek restarts and reads the whole archive, which can take several minutes. "
                "Unreadable data is set aside in the backup folder, and you see which sessions "
                "are affected."
            ),
            self._window,
        )
        repair = (self.tr("Check and repair"), lambda: self.restart_wanted.emit(REPAIR))
        box.offer(repair, stay=self.tr("Cancel"))

    def show_repairing(self) -> None:
        """Show that the archive is being checked, which delays the start."""
        self._strip.show_message(_REPAIRING, self.tr("Checking the archive…"), can_be_closed=False)

    def show_repaired(self, need: "RepairNeed | None") -> None:
        """Show what was repaired; None, or the result of a salvage, is shown elsewhere."""
        self._strip.remove(_REPAIRING)
        if need is not None:
            words = self._worker.services.texts().say(f"doctor.repaired_{need}")
            self._strip.show_message(_REPAIRING, words)

    def show_restoring(self) -> None:
        """Show that a backup is being restored, which delays the start."""
        self._strip.show_message(_RESTORING, self.tr("Restoring the backup…"), can_be_closed=False)

    def show_converting(self, share: float) -> None:
        """Show how much of the profile is encrypted or decrypted; 1 means all of it."""
        if share < 1:
            words = self.tr("Encrypting or decrypting the profile… {percent}%")
            text = words.format(percent=round(100 * share))
            self._strip.show_message(_CONVERTING, text, can_be_closed=False)
        else:
            self._strip.remove(_CONVERTING)

    def show_restored(self, done: "Restored | None") -> None:
        """Show that a backup was restored; None if it failed, which is shown elsewhere."""
        self._strip.remove(_RESTORING)
        if done is None:
            return
        texts, contents = self._worker.services.texts(), done.contents
        words = texts.say(
            "backup.restored",
            sessions=texts.number(contents.sessions),
            messages=texts.number(contents.messages),
        )
        label, kept = self.tr("Show the previous archive"), done.kept
        choices = [(label, partial(open_folder, kept.parent))] if kept else []
        self._strip.show_message(_RESTORING, words, *choices)

    def _ask_to_restore(
        self, path: Path, preview: "BackupPreview | None", written_at: datetime
    ) -> None:
        from desktop.sessions.archive_care import describe_backup

        words = self.tr(
            "This backup has its own passphrase: the one that its profile had when it was "
            "written. Bellek asks for it after the restart."
        )
        if preview is not None:
            texts = self._worker.services.texts()
            words = describe_backup(
                preview, texts, lambda day_text: day(datetime.fromisoformat(day_text))
            )
        # An open archive cannot be replaced.
        again = Restart(("--restoring", str(path.absolute())))
        when = f"{day(written_at)} {clock_time(written_at)}"
        box = MessageBox(
            MessageBox.Icon.NoIcon,
            self.tr("Restore “{name}” from {day}?").format(name=path.name, day=when),
            words
            + "\n\n"
            + self.tr(
                "Bellek will restart with the backup. Your current archive will be kept with the "
                "other backups."
            ),
            self._window,
        )
        box.offer(
            (self.tr("Restore"), lambda: self.restart_wanted.emit(again)), stay=self.tr("Cancel")
        )
