"""Takes pictures and documents into messages: checks them, stores them, opens them again.

A file is on the disk before anything refers to it. A picture is opened once, and a document read,
when it is added, so that the user learns at once why a file cannot be used. The text of a document
is stored with its message, for this session alone.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from desktop.domain import errors
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import THUMB, Message, MessageFile, Pixels, Role
from desktop.domain.model import Model, Picture
from desktop.domain.sources import SourceKind
from desktop.language.normalization import fix_surrogates
from desktop.research.documents.pictures import MOST_BYTES, PictureReader, picture_type
from desktop.research.documents.reader import Document, DocumentReader, open_file
from desktop.research.folder_walking import check_file
from desktop.research.security import escape_markup
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.settings.file_writing import raising_unreadable
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.documents.ocr import OcrEngine, ScannedPage

Opened = TypeVar("Opened")

_ANY = 1 << 40
_HEAD = 12
_LONGEST_NAME = 200
_EDGE = 1568  # Pixels of the longer side: models scale larger pictures down themselves
_MOST_BYTES = 5 * (1 << 20) * 3 // 4  # 5 MB in base64
_MOST_SENT_BYTES = 16 << 20  # Of pictures of earlier messages; a request has at most 32 MB
_SHARE_OF_CONTEXT = 4
_MOST_KEPT = 20
_MOST_NAMED = 40
_MOST_SCANS = 10  # Pages of a document that are read by OCR while the user waits
_DOCUMENT = "application/octet-stream"
_UNSHOWN = (errors.FileUnreadableError, errors.PictureUnopenedError, errors.DocumentReaderError)


@dataclass(frozen=True, slots=True)
class SentFiles:
    """The files sent with a request, by message."""

    pictures: dict[MessageId, list[Picture]]
    notes: dict[MessageId, str]


class _Room:
    """The room in a request for pictures of earlier messages."""

    def __init__(self, model: Model) -> None:
        self.sees = model.capabilities.images
        self._model = model
        self._tokens: int | None = None
        self._bytes = _MOST_SENT_BYTES

    def takes(self, picture: Picture) -> bool:
        if self._tokens is None:
            self._tokens = self._model.context_tokens() // _SHARE_OF_CONTEXT
        self._tokens -= picture.tokens
        self._bytes -= len(picture.data)
        return self._tokens >= 0 and self._bytes >= 0


class MessageFiles:
    """Slow: call it on a worker thread. Methods may raise StorageError, FileNotWrittenError."""

    def __init__(
        self, archive: Archive, context: AssistantContext, is_temporary: Callable[[], bool]
    ) -> None:
        """`is_temporary`: whether the session is stored nowhere."""
        self._archive = archive
        self._context = context
        self._is_temporary = is_temporary
        self._read: dict[str, Document] = {}
        """Documents of messages that are not stored yet, by their hash."""
        self._scans: dict[str, Mapping[int, ScannedPage]] = {}  # Of these documents
        self._fitted: dict[str, Picture] = {}  # Pictures as they are sent, by the hash of the file
        self._small: dict[str, Pixels] = {}

    def add(self, path: Path) -> MessageFile:
        """Add a picture or a document. Raises the error that explains why it cannot be used."""
        check_file(path, _ANY)
        with raising_unreadable(path), path.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if picture_type(data[:_HEAD]) is not None:
            return self.add_picture(path.name, data)
        if len(data) > MOST_BYTES:
            raise errors.DocumentTooLargeError(limit=MOST_BYTES >> 20)
        return self._add_document(path.name, data)

    def add_picture(self, name: str, data: bytes) -> MessageFile:
        """Add a picture. Raises PictureTooLargeError, PictureUnopenedError."""
        file = message_file(name, data)
        with PictureReader() as reader:
            _keep(self._small, file, reader.pixels(data, THUMB))
            _keep(self._fitted, file, reader.fitted(data, _EDGE, _MOST_BYTES))
        self._archive.files.add(file, data, is_temporary=self._is_temporary())
        return file

    def pixels(
        self, files: Sequence[MessageFile], edge: int
    ) -> Iterator[tuple[MessageFile, Pixels | None]]:
        """Yield pictures scaled down; None for one that is missing or cannot be opened."""
        with PictureReader() as reader:
            for file in files:
                pixels = self._small.get(file.sha256) if edge == THUMB else None
                with suppress(*_UNSHOWN, errors.PictureTooLargeError):
                    pixels = pixels or reader.pixels(self._archive.files.read(file), edge)
                yield file, pixels

    def sent_with(self, messages: Sequence[Message], model: Model, texts: Texts) -> SentFiles:
        """Return the pictures sent with a request, newest first while there is room.

        A line mentions the others, and the documents. Raises PicturesUnseenError if the
        model does not see those of the last message.
        """
        sent, room = SentFiles({}, {}), _Room(model)
        question = next(
            (message for message in reversed(messages) if message.role is Role.USER), None
        )
        with PictureReader() as reader:
            for message in reversed([message for message in messages if message.files]):
                notes, is_asked = list[str](), message is question
                if is_asked and not room.sees and any(file.is_picture for file in message.files):
                    raise errors.PicturesUnseenError(model=model.name)
                for file in message.files:
                    seen = file.is_picture and room.sees
                    picture = self._fit(file, reader, must=is_asked) if seen else None
                    if picture is not None and (is_asked or room.takes(picture)):
                        sent.pictures.setdefault(message.id, []).append(picture)
                    else:
                        key = "picture" if file.is_picture else "document"
                        notes.append(texts.say(f"request.{key}", name=escape_markup(file.name)))
                if notes:
                    sent.notes[message.id] = "\n".join(notes)
        return sent

    def named_in(self, messages: Sequence[Message], texts: Texts) -> str:
        """Return a line that names the files of messages that a summary replaces."""
        files = [file for message in messages for file in message.files]
        kinds = [("picture" if file.is_picture else "document", file.name) for file in files]
        lines = [
            texts.say(f"request.{kind}_before", name=escape_markup(name)) for kind, name in kinds
        ]
        return " ".join(lines[:_MOST_NAMED])

    def _fit(self, file: MessageFile, reader: PictureReader, *, must: bool) -> Picture | None:
        picture = self._fitted.get(file.sha256)
        if picture is None:
            try:
                picture = reader.fitted(self._archive.files.read(file), _EDGE, _MOST_BYTES)
            except _UNSHOWN:
                if must:
                    raise
                return None
            _keep(self._fitted, file, picture)
        return picture

    def require(self, files: Sequence[MessageFile]) -> None:
        """Raise FileUnreadableError if one of the files is missing."""
        for file in files:
            if not self._archive.files.has(file):
                raise errors.FileUnreadableError(path=file.name, detail="")

    def store_documents(self, session_id: SessionId, messages: Sequence[Message]) -> None:
        """Store the passages of the documents of messages, for their session alone.

        One that was read in another process is read again. Raises DocumentError.
        """
        for file in {
            file for message in messages for file in message.files if not file.is_picture
        }:
            if self._archive.sources.with_hash(file.sha256, session_id):
                continue
            if self._is_temporary():
                raise errors.DocumentTemporaryError
            read = self._read.pop(file.sha256, None) or self._document(file)
            source = read.to_source(
                SourceKind.DOCUMENT,
                str(self._archive.files.path(file.stored_name)),
                file.sha256,
                self._context.now(),
            )
            source = replace(source, session_id=session_id)
            stored = self._archive.sources.add(source, read.passages)
            for page, scan in self._scans.pop(file.sha256, {}).items():
                self._archive.scans.add(stored.id, page, scan.words, scan.passages)
            self._archive.references.fill(stored.id, read.reference)

    def _add_document(self, name: str, data: bytes) -> MessageFile:
        if self._is_temporary():
            raise errors.DocumentTemporaryError
        file = message_file(name, data)
        self._archive.files.add(file, data)
        try:
            self._read[file.sha256] = self._document(file)
        except errors.DocumentKindError as exc:
            raise errors.AttachmentKindError from exc
        return file

    def _document(self, file: MessageFile) -> Document:
        with DocumentReader() as reader:
            files, name = self._archive.files, file.stored_name
            from desktop.research.documents.ocr import find_engine  # noqa: PLC0415 - not for messages without documents

            engine = find_engine()
            document = reader.read(
                files.path(name), opened=files.unsealed(name), takes_scans=engine is not None
            )
        if engine is not None and document.pages and document.unreadable_pages:
            self._scans[file.sha256] = self._read_scans(engine, files.path(name), document)
        document.title = document.title or PurePath(file.name).stem
        return document

    def _read_scans(
        self, engine: "OcrEngine", path: Path, document: Document
    ) -> "Mapping[int, ScannedPage]":
        """Return what OCR reads, by page. Raises DocumentScannedError if it would take long."""
        if document.unreadable_pages > _MOST_SCANS:
            if document.passages:
                return {}
            raise errors.DocumentScannedError(pages=document.pages or 0)

        def opened(path: Path) -> BinaryIO:
            return self._archive.files.unsealed(path.name) or open_file(path)

        from desktop.research.documents.ocr import OcrReader  # noqa: PLC0415 - as above

        with OcrReader(opened, engine, lambda: False) as reader:
            indexes = reader.scanned_pages(path)
            scans = {index + 1: reader.read_page(path, index) for index in indexes}
        if not document.passages and not any(scan.passages for scan in scans.values()):
            raise errors.DocumentEmptyError
        document.unreadable_pages = 0
        return scans


def _keep(cache: dict[str, Opened], file: MessageFile, picture: Opened) -> None:
    while len(cache) >= _MOST_KEPT:
        del cache[next(iter(cache))]
    cache[file.sha256] = picture


def message_file(name: str, data: bytes) -> MessageFile:
    """Return the record of a file with these bytes and the type that they show."""
    name, kind = fix_surrogates(name)[-_LONGEST_NAME:], picture_type(data[:_HEAD]) or _DOCUMENT
    return MessageFile(hashlib.sha256(data).hexdigest(), name, kind, len(data))
