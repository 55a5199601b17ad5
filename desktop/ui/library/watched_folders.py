"""Watched folders in the window: looks at them now and then; a list, and what is asked about."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.domain.changes import Change
from desktop.domain.frozen import dataclass
from desktop.domain.sources import Source
from desktop.domain.watched_folders import WatchedFolder
from desktop.ui.dialogs.files import FolderDialog
from desktop.ui.dialogs.form import ListDialog
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import ignore
from desktop.ui.widgets.bars import Choice, MessageBar, Rank
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel

if TYPE_CHECKING:
    from desktop.sessions.keeping.watched_folders import FolderLook
    from desktop.sessions.services import Services

_FIRST_LOOK_MS, _LOOK_MS = 10_000, 60_000
_NOTICE = "watched_folder"
_MOST_NAMED = 3


class FolderWatcher(QObject):
    """Looks once a minute, and when the user comes back from another program."""

    changed = Signal()  # Documents came or were read again

    def __init__(self, worker: Worker, strip: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._worker, self._strip = worker, strip
        self._closing = worker.bridge.closing
        self.is_looking = False
        make_timer(self, _LOOK_MS, self.look).start()
        QTimer.singleShot(_FIRST_LOOK_MS, self, self.look)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._come_back)

    def look(self) -> None:
        if self.is_looking or self._closing.is_set() or not self._worker.is_ready:
            return
        self.is_looking = True

        def settle() -> None:
            self.is_looking = False

        self._worker.do_each(
            lambda services: services.watched_folders.look_all(self._closing.is_set),
            self.show_look,
            settle,
            ignore,
        )

    def show_look(self, look: "FolderLook") -> None:
        """Show the library anew if something was read, and ask about what is gone."""
        if look.read:
            self.changed.emit()
        if look.gone:
            self.ask(look.folder, look.gone)

    def ask(self, folder: WatchedFolder, gone: Sequence[Source]) -> None:
        names = ", ".join(source.title for source in gone[:_MOST_NAMED])
        words = self.tr(
            "%n document(s) are no longer in the folder “{folder}”: {names}.", "", len(gone)
        ).format(folder=folder.name, names=names if len(gone) <= _MOST_NAMED else f"{names} …")
        self._strip.show_message(
            f"{_NOTICE} {folder.id}",
            words,
            (self.tr("Keep in the library"), partial(self._keep, folder)),
            (self.tr("Remove"), partial(self._remove, folder)),
            rank=Rank.QUESTION,
        )

    def _keep(self, folder: WatchedFolder) -> None:
        self._worker.do_in_turn(lambda services: services.watched_folders.keep_gone(folder))

    def _remove(self, folder: WatchedFolder) -> None:
        def show(change: Change[Sequence[Source]]) -> None:
            self.changed.emit()
            count = len(change.value)
            self._strip.show_message(
                f"{_NOTICE} {folder.id}",
                self.tr("%n document(s) removed from the library.", "", count),
                undo=self._worker.undoes(change, lambda _: self.changed.emit()),
            )

        self._worker.do_in_turn(partial(_remove_gone, folder=folder), show)

    def _come_back(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.look()


def _remove_gone(services: "Services", folder: WatchedFolder) -> Change[Sequence[Source]]:
    """On a worker."""
    gone = services.watched_folders.gone(folder)
    change = services.sources.remove([source.id for source in gone])
    services.watched_folders.keep_gone(folder)
    return change


@dataclass(frozen=True, slots=True)
class _Listed:
    folder: WatchedFolder
    gone: int
    trouble: str


class WatchedFoldersDialog(ListDialog):
    """The watched folders of the shown project, or of all."""

    notice = _NOTICE
    changed = Signal()  # Documents came or were read again
    gone_wanted = Signal(object, object)  # A folder, and its Sources that are to be decided

    def __init__(self, worker: Worker, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._worker = worker
        about = self.tr(
            "The notes and documents in these folders, such as an Obsidian vault, are in the "
            "library. While Bellek is open, new and changed files are read by themselves. No "
            "file is ever changed or replaced."
        )
        self.add = Button("primary", text=self.tr("&Watch a folder…"), press=self._choose)
        self._arrange(self.tr("Watched folders"), about, buttons=[self.add])
        self.load()

    def load(self, _: object = None) -> None:
        def read(services: "Services") -> Sequence[_Listed]:
            folders, texts = services.watched_folders, services.texts()
            return [
                _Listed(
                    folder,
                    len(folders.gone(folder)),
                    texts.error_of(folder.trouble) if folder.trouble else "",
                )
                for folder in folders.folders(services.assistant.shown)
            ]

        self._worker.do_in_turn(read, self._show)

    def watch(self, path: Path) -> None:
        def add(services: "Services") -> WatchedFolder:
            return services.watched_folders.add(path, services.assistant.project)

        self._worker.do_in_turn(add, self.look, failed=self._show_failed)

    def look(self, folder: WatchedFolder) -> None:
        closing = self._worker.bridge.closing
        looking = self.tr("Reading “{folder}”…").format(folder=folder.name)
        self.strip.show_message(_NOTICE, looking, can_be_closed=False)
        looks = list["FolderLook"]()

        def show(look: "FolderLook") -> None:
            looks.append(look)
            read = self.tr("%n document(s) read.", "", look.read)
            self.strip.show_message(_NOTICE, f"{looking} {read}", can_be_closed=False)

        def end() -> None:
            self.load()
            if looks:
                self._show_look(looks[-1])

        self._worker.do_each(
            lambda services: services.watched_folders.look_in_steps(folder.id, closing.is_set),
            show,
            end,
            self._show_failed,
        )

    def _choose(self) -> None:
        FolderDialog(self.tr("Watch a folder"), self).ask_for_file(self.watch)

    def _show(self, listed: Sequence[_Listed]) -> None:
        self._show_entries(list(map(self._line, listed)), self.tr("No folder is watched."))

    def _line(self, listed: _Listed) -> QVBoxLayout:
        folder = listed.folder
        pause = self.tr("Resume") if folder.is_paused else self.tr("Pause")
        choices: list[Choice] = [
            (self.tr("Look now"), partial(self.look, folder)),
            (pause, partial(self._pause, folder)),
            (self.tr("No longer watch"), partial(self._remove, folder)),
        ]
        if listed.gone:
            count = self.tr("%n gone document(s)…", "", listed.gone)
            choices.append((count, partial(self._ask_about_gone, folder)))
        takes = WrappingCheckBox(self.tr("Answers and notes may be written into this folder"))
        takes.setAccessibleName(f"{takes.text()}: {folder.name}")
        takes.setChecked(folder.takes_notes)
        takes.toggled.connect(partial(self._allow, folder))
        paused = self.tr("Paused.") if folder.is_paused else ""
        state = " ".join(filter(None, (folder.path, paused, listed.trouble)))
        parts = (BodyLabel(folder.name), HintLabel(state), takes)
        return column(*parts, self._buttons(folder.name, *choices), spacing=Space.TIGHT)

    def _allow(self, folder: WatchedFolder, is_on: bool) -> None:  # noqa: FBT001 (a Qt slot)
        self._worker.do_in_turn(
            lambda services: services.watched_folders.allow_notes(folder.id, takes_notes=is_on)
        )

    def _ask_about_gone(self, folder: WatchedFolder) -> None:
        def show(gone: Sequence[Source]) -> None:
            self.accept()
            self.gone_wanted.emit(folder, gone)

        self._worker.do(lambda services: services.watched_folders.gone(folder), show)

    def _show_look(self, look: "FolderLook") -> None:
        words = [self.tr("%n document(s) read.", "", look.read)]
        if failures := [added.path.name for added in look.report.added if added.error]:
            names = ", ".join(failures[:_MOST_NAMED]) + (" …" if failures[_MOST_NAMED:] else "")
            words.append(self.tr("Could not be read: {names}").format(names=names))
        self.strip.show_message(_NOTICE, " ".join(words))
        self.changed.emit()

    def _pause(self, folder: WatchedFolder) -> None:
        self._worker.do_in_turn(
            lambda services: services.watched_folders.pause(
                folder.id, is_paused=not folder.is_paused
            ),
            settled=self.load,
        )

    def _remove(self, folder: WatchedFolder) -> None:
        def show(change: Change[WatchedFolder]) -> None:
            words = self.tr("“{folder}” is no longer watched. Its documents stay in the library.")
            undo = self._worker.undoes(change, self.load)
            self.strip.show_message(_NOTICE, words.format(folder=folder.name), undo=undo)

        self._worker.do_in_turn(
            lambda services: services.watched_folders.remove(folder.id), show, self.load
        )
