"""Takes files and screenshots into the message being written, and shows the pictures of messages.

The portal asks the user which part of the screen to take, and is the only way on Wayland; X11 and
other systems give the whole screen. Windows and macOS are untested.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QImage, QImageWriter, QPixmap
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.errors import AppError, PicturesUnseenError
from desktop.domain.events import TurnEnded
from desktop.domain.messages import THUMB, MessageFile, Pixels
from desktop.settings.settings import Settings
from desktop.ui.composer.file_chips import Thumbnails, pixmap_of
from desktop.ui.dialogs.files import AttachmentsDialog
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.services import WindowServices, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import Rank
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.plain_text import Label
from desktop.ui.window.session_bus import Results, SessionBus

if TYPE_CHECKING:
    from desktop.ui.window.window_presenter import WindowWidgets

_LARGE = 1600  # Pixels of the longer side of a picture that is shown large
_SHARE_OF_SCREEN = 0.85
_STRIP = "attachment"
_HIDDEN_MS = 400  # Until the desktop has painted what was behind the window


class AttachmentController(QObject):
    """The files of the composer; large ones are loaded by the worker."""

    def __init__(
        self,
        parts: "WindowWidgets",
        sessions: SessionController,
        changes: SettingsController,
        worker: Worker,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._sessions, self._changes = sessions, changes
        sessions.turns.ended.connect(self._offer_other)
        self._window = window
        self._composer, self._strip, self._worker = parts.composer, parts.strip, worker
        self._screenshot = Screenshot(window)
        self._waiting: deque[tuple[Callable[[WindowServices], MessageFile], str]] = deque()
        composer, offered = parts.composer, parts.composer.add
        composer.files_given.connect(self.add)
        composer.field.picture_given.connect(
            lambda image: self._add_image(image, self.tr("Pasted picture"))
        )
        composer.files.opened.connect(self.open)
        offered.pictures_wanted.connect(self.choose)
        offered.screenshot_wanted.connect(self._screenshot.take)
        self._screenshot.taken.connect(lambda one: self._add_image(one, self.tr("Screenshot")))
        self._screenshot.failed.connect(self._say_no_screenshot)
        self._serve(composer.thumbs)

    def follow(self, read: TranscriptView) -> None:
        """Show the pictures of a transcript."""
        read.file_chosen.connect(self.open)
        self._serve(read.thumbs)

    def choose(self) -> None:
        AttachmentsDialog(self._window).ask_for_files(self.add)

    def add(self, paths: Sequence[Path]) -> None:
        """Open files one after another; one that cannot be used shows the reason."""
        for path in paths:
            self._add(partial(_added, path), path.name)

    def _add_image(self, given: QImage | Path, called: str) -> None:
        name = f"{called}.png"
        self._add(lambda services: _taken(services, name, given), name)

    def _add(self, work: Callable[[WindowServices], MessageFile], name: str) -> None:
        """Open a file after those before it, so that the chips keep their order."""
        self._waiting.append((work, name))
        self._composer.files.count_opening(1)
        self._composer.setFocus(Qt.FocusReason.OtherFocusReason)  # to go on writing
        if len(self._waiting) == 1:
            self._open_next()

    def _open_next(self) -> None:
        work, name = self._waiting[0]

        def settle() -> None:
            self._waiting.popleft()
            self._composer.files.count_opening(-1)
            if self._waiting:
                self._open_next()

        chips = self._composer.files
        self._worker.do(work, chips.add, settle, lambda error: self._refuse(name, error))

    def _refuse(self, name: str, error: AppError) -> None:
        words = self._worker.services.texts().error(error)
        self._strip.show_message(_STRIP, f"{name}: {words}", rank=Rank.FAILURE)

    def _say_no_screenshot(self) -> None:
        words = self.tr("No screenshot was taken: the desktop did not allow it.")
        self._strip.show_message(_STRIP, words, rank=Rank.FAILURE)

    def _serve(self, thumbs: Thumbnails) -> None:
        waiting: list[MessageFile] = []

        def want(file: MessageFile) -> None:
            waiting.append(file)
            if len(waiting) == 1:
                QTimer.singleShot(0, self, load)

        def load() -> None:
            files = list(waiting)  # one child opens all files of a session

            def settle() -> None:
                del waiting[: len(files)]
                if waiting:
                    load()

            self._worker.do_each(
                lambda services: services.assistant.files.pixels(files, THUMB),
                lambda found: thumbs.take(*found),
                settle,
            )

        thumbs.wanted.connect(want)

    def _offer_other(self, event: TurnEnded) -> None:
        """Offer a connected model that sees, if the chosen one does not."""
        asked = event.message_id
        found = seeing_model(self._changes.settings)
        if not isinstance(event.error, PicturesUnseenError) or asked is None or found is None:
            return
        name, choice = found

        def use() -> None:
            settings = self._changes.settings
            self._changes.saved.connect(
                lambda: self._sessions.retry(asked), Qt.ConnectionType.SingleShotConnection
            )
            roles = {**settings.roles, ModelRole.ANSWERING: choice}
            self._changes.apply(replace(settings, roles=roles))

        words = self.tr("{model} can see pictures. Use it for this answer and the next ones?")
        answer = (self.tr("Use this model"), use)
        self._strip.show_message(_STRIP, words.format(model=name), answer, rank=Rank.QUESTION)

    def open(self, file: MessageFile) -> None:
        """Show a picture large."""
        if file.is_picture:
            self._worker.do_each(
                lambda services: services.assistant.files.pixels([file], _LARGE),
                lambda found: self._show(*found),
            )

    def _show(self, file: MessageFile, found: Pixels | None) -> None:
        if found is None:
            words = self.tr("The picture “{name}” no longer exists.")
            self._strip.show_message(_STRIP, words.format(name=file.name), rank=Rank.FAILURE)
        else:
            PictureDialog(file.name, pixmap_of(found), self._window).open()


def seeing_model(settings: Settings) -> tuple[str, ModelChoice] | None:
    """Return the name of another connected model that sees pictures, and the way to choose it."""
    roles = settings.roles
    now = roles.get(ModelRole.ANSWERING)
    for endpoint in settings.endpoints:
        if endpoint.capabilities.images and (now is None or now.endpoint_id != endpoint.id):
            used = (one for one in roles.values() if one.endpoint_id == endpoint.id)
            choice = next(used, ModelChoice(endpoint.id, ""))
            return choice.model or endpoint.name, choice
    return None


class PictureDialog(QDialog):
    def __init__(self, name: str, picture: QPixmap, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(name)
        room = parent.screen().availableSize() * _SHARE_OF_SCREEN
        if room.expandedTo(picture.size()) != room:
            ratio = Qt.AspectRatioMode.KeepAspectRatio
            picture = picture.scaled(room, ratio, Qt.TransformationMode.SmoothTransformation)
        shown = Label()
        shown.setPixmap(picture)
        shown.setAccessibleName(name)
        shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(shown)
        self.setLayout(column(area))
        self.resize(picture.size() + QSize(40, 40))


def _added(path: Path, services: WindowServices) -> MessageFile:
    return services.assistant.files.add(path)


def _taken(services: WindowServices, name: str, given: QImage | Path) -> MessageFile:
    files = services.assistant.files
    if isinstance(given, Path):
        try:
            return replace(files.add(given), name=name)
        finally:
            given.unlink(missing_ok=True)  # it was made only for this
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(given)
    return files.add_picture(name, bytes(buffer.data().data()))


class Screenshot(QObject):
    taken = Signal(object)  # QImage, or the path of a temporary file
    failed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._bus: SessionBus | None = None

    def take(self) -> None:
        self._window.hide()
        QTimer.singleShot(_HIDDEN_MS, self, self._take)

    def _take(self) -> None:
        self._bus = self._bus or SessionBus.found(self)
        if self._bus:
            options = {"interactive": ("b", True)}
            self._bus.ask_portal("Screenshot", "Screenshot", "sa{sv}", ("", options), self._read)
        else:
            self._grab()

    def _read(self, results: Results | None) -> None:
        if results is None:
            self._grab()
            return
        _, address = results.get("uri", ("s", ""))
        path = QUrl(address).toLocalFile()
        self._end(Path(path) if path else None)

    def _grab(self) -> None:
        image = self._window.screen().grabWindow(0).toImage()
        self._end(None if image.isNull() else image)

    def _end(self, taken: QImage | Path | None) -> None:
        self._window.show()
        if taken is None:
            self.failed.emit()
        else:
            self.taken.emit(taken)
