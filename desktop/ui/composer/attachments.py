"""Takes files and screenshots into the message being written, and shows the pictures of messages.

The portal asks the user which part of the screen to take, and is the only way on Wayland; X11 and
other systems give the whole screen. Windows and macOS are untested.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from desktop.domain.endpoints import NO_CAPABILITIES, Endpoint, ModelChoice, ModelRole
from desktop.domain.errors import AppError, PicturesUnseenError, RequestRejectedError
from desktop.domain.events import TurnEnded
from desktop.domain.messages import THUMB, MessageFile, Pixels, Role
from desktop.settings.settings import Settings
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.controls import ModelChooser
from desktop.ui.dialogs.files import AttachmentsDialog
from desktop.ui.dialogs.information_dialogs import PictureDialog
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session_bus import Results, SessionBus
from desktop.ui.settings_controller import SettingsController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import Choice, MessageBar, Rank
from desktop.ui.widgets.file_chips import Thumbnails, pixmap_of

if TYPE_CHECKING:
    from desktop.llm.capability_test import TestReport
    from desktop.sessions.services import Services

_LARGE = 1600  # Pixels of the longer side of a picture that is shown large
_STRIP, _UNSEEN = "attachment", "unseen"
_HIDDEN_MS = 400  # Until the desktop has painted what was behind the window


class AttachmentController(QObject):
    """The files of the composer; large ones are loaded by the worker."""

    def __init__(
        self,
        composer: Composer,
        strip: MessageBar,
        library: LibraryController,
        worker: Worker,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self.composer, self.strip, self.worker = composer, strip, worker
        self._screenshot = Screenshot(window)
        self._waiting: deque[tuple[Callable[[Services], MessageFile], str]] = deque()
        offered = composer.add
        composer.files_given.connect(self.add)
        composer.field.picture_given.connect(
            lambda image: self._add_image(image, self.tr("Pasted picture"))
        )
        composer.files.opened.connect(self.open)
        offered.pictures_wanted.connect(self.choose)
        offered.screenshot_wanted.connect(self._screenshot.take)
        self._screenshot.taken.connect(lambda image: self._add_image(image, self.tr("Screenshot")))
        self._screenshot.failed.connect(self._say_no_screenshot)
        self._serve(composer.thumbs)

        def offer_library() -> None:
            offered.files_wanted.connect(library.choose_files)
            offered.folder_wanted.connect(library.choose_folder)
            offered.page_wanted.connect(library.add_page)

        worker.ready.connect(offer_library)  # documents can be added once there is a library

    def follow(self, read: TranscriptView) -> None:
        """Show the pictures of a transcript."""
        read.file_chosen.connect(self.open)
        self._serve(read.thumbs)

    def choose(self) -> None:
        AttachmentsDialog(self._window).ask_for_files(self.add)

    def add(self, paths: Sequence[Path]) -> None:
        """Open files one after another; one that cannot be used shows the reason."""
        for path in paths:
            if path.is_dir():
                words = self.tr(
                    "“{name}” is a folder: add it to the library, or attach its files."
                )
                words = words.format(name=path.name)
                self.strip.show_message(_STRIP, words, rank=Rank.FAILURE)
            else:
                self._add(partial(_added, path), path.name)

    def _add_image(self, image: QImage | Path, called: str) -> None:
        name = f"{called}.png"
        self._add(lambda services: _taken(services, name, image), name)

    def _add(self, work: "Callable[[Services], MessageFile]", name: str) -> None:
        """Open a file after those before it, so that the chips keep their order."""
        self._waiting.append((work, name))
        self.composer.files.count_opening(1)
        self.composer.setFocus(Qt.FocusReason.OtherFocusReason)  # to go on writing
        if len(self._waiting) == 1:
            self._open_next()

    def _open_next(self) -> None:
        work, name = self._waiting[0]

        def settle() -> None:
            self._waiting.popleft()
            self.composer.files.count_opening(-1)
            if self._waiting:
                self._open_next()

        chips = self.composer.files
        self.worker.do(work, chips.add, settle, lambda error: self._refuse(name, error))

    def _refuse(self, name: str, error: AppError) -> None:
        words = self.worker.services.texts().error(error)
        self.strip.show_message(_STRIP, f"{name}: {words}", rank=Rank.FAILURE)

    def _say_no_screenshot(self) -> None:
        words = self.tr("No screenshot was taken because the desktop did not allow it.")
        self.strip.show_message(_STRIP, words, rank=Rank.FAILURE)

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

            self.worker.do_each(
                lambda services: services.assistant.files.pixels(files, THUMB),
                lambda result: thumbs.take(*result),
                settle,
            )

        thumbs.thumbnail_wanted.connect(want)

    def open(self, file: MessageFile) -> None:
        """Show a picture large."""
        if file.is_picture:
            self.worker.do_each(
                lambda services: services.assistant.files.pixels([file], _LARGE),
                lambda result: self._show(*result),
            )

    def _show(self, file: MessageFile, pixels: Pixels | None) -> None:
        if pixels is None:
            words = self.tr("The picture “{name}” no longer exists.")
            self.strip.show_message(_STRIP, words.format(name=file.name), rank=Rank.FAILURE)
        else:
            PictureDialog(file.name, pixmap_of(pixels), self._window).open()


class UnseenPictures(QObject):
    """Asks what to do with pictures if the model that answers is not known to see.

    It asks when a picture is added, and again if the question was sent all the same.
    """

    def __init__(
        self,
        attachments: AttachmentController,
        transcript: TranscriptView,
        sessions: SessionController,
        models: ModelChooser,
        changes: SettingsController,
    ) -> None:
        super().__init__(attachments)
        composer = self._composer = attachments.composer
        self._strip, self._worker = attachments.strip, attachments.worker
        self._transcript = transcript
        self._sessions, self._models = sessions, models
        self._changes = changes
        self._asked_about: tuple[object, ...] = ()
        composer.files.changed.connect(self._look)
        models.shown.connect(self._look)
        sessions.turns.ended.connect(self._take_end)

    def _look(self) -> None:
        """Ask about the pictures of the draft, once for each model and set of them."""
        files, status = self._composer.files.files, self._models.status
        pictures = [file for file in files if file.is_picture]
        if not pictures or status.sees or status.model is None:
            self._asked_about = ()
            self._strip.remove(_UNSEEN)
        elif (about := (status.model, *pictures)) != self._asked_about:
            self._asked_about = about
            self._ask(_UNSEEN, self._send, self._send_without)

    def _send(self) -> None:
        if self._composer.is_blank:
            self._composer.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._composer.send()

    def _send_without(self) -> None:
        files = self._composer.files
        files.set_files([file for file in files.files if not file.is_picture])
        self._send()

    def _take_end(self, event: TurnEnded) -> None:
        """Ask about the pictures of a question that failed because of them."""
        message = self._transcript.find_message(event.message_id) if event.message_id else None
        if message is not None and message.role is not Role.USER and message.parent_id is not None:
            message = self._transcript.find_message(message.parent_id)
        if not isinstance(event.error, (PicturesUnseenError, RequestRejectedError)):
            return
        if message is None or not any(file.is_picture for file in message.files):
            return
        question, others = message, [file for file in message.files if not file.is_picture]
        self._ask(
            _STRIP,
            lambda: self._sessions.retry(question.id),
            lambda: self._sessions.edit(question.id, question.content, others),
        )

    def _ask(
        self, key: str, send: Callable[[], object], send_without: Callable[[], object]
    ) -> None:
        status, endpoint = self._models.status, self._endpoint()
        words = self.tr("It is not known whether {model} can see pictures.")
        choices = [(self.tr("Send without pictures"), send_without)]
        if (other := seeing_model(self._changes.settings)) is not None:
            name, choice = other
            roles = {**self._changes.settings.roles, ModelRole.ANSWERING: choice}
            use = partial(self._change, send, roles=roles)
            choices.insert(0, (self.tr("Use {model}").format(model=name), use))
        if endpoint is not None:
            if endpoint.capabilities != NO_CAPABILITIES:
                words = self.tr("{model} could not see pictures when it was tested.")
            can = replace(endpoint, capabilities=replace(endpoint.capabilities, images=True))
            choices.insert(0, (self.tr("Send anyway"), partial(self._keep, can, send)))
            test = partial(self._test, endpoint, send, send_without)
            choices.append((self.tr("Test the model"), test))
        words = words.format(model=status.model or status.endpoint)
        self._strip.show_message(key, words, *choices, rank=Rank.QUESTION)

    def _endpoint(self) -> Endpoint | None:
        """Return the endpoint that answers, unless the environment names it."""
        endpoints, endpoint_id = self._changes.settings.endpoints, self._models.status.endpoint_id
        return next((endpoint for endpoint in endpoints if endpoint.id == endpoint_id), None)

    def _keep(self, endpoint: Endpoint, then: Callable[[], object]) -> None:
        current_endpoints = self._changes.settings.endpoints
        endpoints = tuple(
            endpoint if other.id == endpoint.id else other for other in current_endpoints
        )
        self._change(then, endpoints=endpoints)

    def _change(self, then: Callable[[], object], **fields: Any) -> None:  # `replace` checks them
        changed = replace(self._changes.settings, **fields)
        if changed == self._changes.settings:
            then()
            return
        once = Qt.ConnectionType.SingleShotConnection
        self._changes.in_force.connect(lambda _: then(), once)
        self._changes.apply(changed)

    def _test(
        self, endpoint: Endpoint, send: Callable[[], object], send_without: Callable[[], object]
    ) -> None:
        model = self._models.status.model or ""
        testing = self.tr("Testing {model}…").format(model=model)
        self._strip.show_message(_STRIP, testing, can_be_closed=False)

        def show(report: "TestReport") -> None:
            words = self.tr("{model} did not answer the test.")
            choice: tuple[Choice, ...] = ()
            if report.endpoint.capabilities.images:
                words = self.tr("{model} can see pictures.")
                choice = ((self.tr("Send"), send),)
            elif report.works:
                words = self.tr("{model} cannot see pictures.")
                choice = ((self.tr("Send without pictures"), send_without),)
            words, rank = words.format(model=model), Rank.QUESTION if choice else Rank.FAILURE
            self._strip.show_message(_STRIP, words, *choice, rank=rank)
            self._keep(report.endpoint, lambda: None)

        self._worker.do(
            lambda services: services.models.test(endpoint, model, lambda _: None),
            show,
            failed=lambda error: self._strip.show_message(
                _STRIP, self._worker.services.texts().error(error), rank=Rank.FAILURE
            ),
        )


def seeing_model(settings: Settings) -> tuple[str, ModelChoice] | None:
    """Return the name of another connected model that sees pictures, and the way to choose it."""
    roles = settings.roles
    now = roles.get(ModelRole.ANSWERING)
    for endpoint in settings.endpoints:
        if endpoint.capabilities.images and (now is None or now.endpoint_id != endpoint.id):
            used = (choice for choice in roles.values() if choice.endpoint_id == endpoint.id)
            choice = next(used, ModelChoice(endpoint.id, ""))
            return choice.model or endpoint.name, choice
    return None


def _added(path: Path, services: "Services") -> MessageFile:
    return services.assistant.files.add(path)


def _taken(services: "Services", name: str, image: QImage | Path) -> MessageFile:
    files = services.assistant.files
    if isinstance(image, Path):
        try:
            return replace(files.add(image), name=name)
        finally:
            image.unlink(missing_ok=True)  # it was made only for this
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
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
        self._bus = self._bus or SessionBus.open(self)
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
