"""Reads imported files in a child process, so that no file can block the window or a stop.

Parsing one conversation of 30 MB holds Python's interpreter lock for a second. The child does
it, and returns a line for each problem, each conversation and each message, in pieces that are
quick to parse.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, astuple, replace
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from desktop.domain.errors import FileUnreadableError
from desktop.domain.messages import Role
from desktop.domain.prompts import Prompt
from desktop.research.child_process import (
    TOOK_TOO_MUCH_MEMORY,
    ChildEnded,
    ChildProcess,
    ChildUser,
    ReadingStopped,
    received_file,
    send_line,
    serve_requests,
)
from desktop.sessions.importing.bellek import (
    ImportedCitations,
    ImportedNote,
    citation_fields,
    note_fields,
    read_citations,
    read_note,
)
from desktop.sessions.importing.format_detection import (
    LONGEST_MB,
    FoundConversation,
    is_export,
    open_file,
    read_file,
    read_opened_file,
)
from desktop.sessions.importing.import_files import FolderFile, folder_files
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedDocument,
    ImportedMemory,
    ImportedMessage,
    ImportedProject,
    ImportFormat,
    LinkedFiles,
    OmittedContent,
    Problem,
)

READ_FLAG = "--read-imports"
"""Starts the program as the child; followed by its memory limit in megabytes."""
_MEGABYTES = 1_024
_LONGEST_LINE = 32 << 20
_MOST_BYTES = 22 << 20  # Of a file: more does not fit a line
_PIECE = 1 << 20  # Characters of a message in one line
_MOST_TOPICS = 200
_LONGEST_TOPIC = 1_000


class ReadFile(Protocol):
    """`read_in_child`, or what stands for it."""

    def __call__(
        self,
        path: Path,
        form: ImportFormat | None,
        should_stop: Callable[[], bool],
        *,
        chosen: Collection[Path] = ...,
    ) -> Iterator[FoundConversation]: ...


_ReadPart = Callable[[FolderFile], Iterator[FoundConversation]]
_RECORDS: Mapping[str, type[ImportedProject | ImportedDocument | ImportedMemory | LinkedFiles]] = {
    kind.__name__: kind
    for kind in (ImportedProject, ImportedDocument, ImportedMemory, LinkedFiles)
}


def read_in_process(
    path: Path,
    form: ImportFormat | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    *,
    chosen: Collection[Path] = (),
) -> Iterator[FoundConversation]:
    """As `read_in_child`, for small files that the user chose one by one."""

    def read(part: FolderFile) -> Iterator[FoundConversation]:
        return read_file(part.path, form, is_part=part.path != path)

    for outcome in _read_parts(path, form, read, chosen):
        if should_stop():
            raise ReadingStopped
        yield outcome


def read_in_child(
    path: Path,
    form: ImportFormat | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    *,
    chosen: Collection[Path] = (),
) -> Iterator[FoundConversation]:
    """Yield everything in the file or the folder, in order.

    `chosen`: other files that are read anyway, though this one may link them. Raises
    FileUnreadableError, ReadingStopped.
    """
    with ChildUser(READ_FLAG, _MEGABYTES, _LONGEST_LINE) as user:

        def read(part: FolderFile) -> Iterator[FoundConversation]:
            return _read_by(user, part.path, form, should_stop, is_part=part.path != path)

        yield from _read_parts(path, form, read, chosen)


def _read_parts(
    path: Path, form: ImportFormat | None, read: _ReadPart, chosen: Collection[Path]
) -> Iterator[FoundConversation]:
    """Yield what the file has, or the files of the folder, and then the files that they link."""
    is_folder = path.is_dir()
    parts = list(folder_files(path, form, is_export)) if is_folder else [FolderFile(path)]
    met = {part.path for part in parts} | set(chosen)
    has_items = False
    for number, part in enumerate(parts, start=1):  # it grows meanwhile
        if part.is_document:
            name = part.path.name
            has_items = True
            whole = ImportedDocument(ImportFormat.NOTES, name, path=str(part.path))
            yield FoundConversation(whole, number / len(parts))
            continue
        for outcome in _read_one(part, read, is_folder=is_folder):
            has_items = True
            if isinstance(outcome.what, LinkedFiles):
                links = [part.path.parent / Path(name).name for name in outcome.what.names]
                parts += [FolderFile(link) for link in links if link not in met and link.is_file()]
                missing = [link for link in links if not link.is_file()]
                met.update(links)
                for link in missing:
                    problem = Problem(0, "part_missing", {"name": link.name}, file=part.path.name)
                    yield FoundConversation(problem, number / len(parts))
                continue
            yield replace(outcome, share=(number - 1 + outcome.share) / len(parts))
    if is_folder and not has_items:
        yield FoundConversation(Problem(0, "folder_empty"), 1.0)


def _read_one(
    part: FolderFile, read: _ReadPart, *, is_folder: bool
) -> Iterator[FoundConversation]:
    """Yield what a file has, with its name in what a folder's file cannot give."""
    try:
        for outcome in read(part):
            what = outcome.what
            if is_folder and isinstance(what, Problem):
                inside = f"{part.path.name}/{what.file}" if what.file else part.path.name
                yield replace(outcome, what=replace(what, file=inside))
            elif isinstance(what, ImportedDocument) and not what.text:
                yield replace(outcome, what=replace(what, path=str(part.path)))
            else:
                yield outcome
    except FileUnreadableError:
        if not is_folder:
            raise
        yield FoundConversation(Problem(0, "part_unreadable", file=part.path.name), 1.0)


def _read_by(
    user: ChildUser,
    path: Path,
    form: ImportFormat | None,
    should_stop: Callable[[], bool],
    *,
    is_part: bool,
) -> Iterator[FoundConversation]:
    with open_file(path) as file:
        child = user.running_child()
        with child.limited(inf, should_stop):
            child.send(file, path=str(path.absolute()), form=form, is_part=is_part)
            try:
                while (outcome := _receive(child, path)) is not None:
                    yield outcome
            except ChildEnded as exc:
                if child.was_stopped:
                    raise ReadingStopped from exc
                if child.exit_code() != TOOK_TOO_MUCH_MEMORY:
                    raise RuntimeError(f"the import reader failed: {child.last_words()}") from exc
                problem = Problem(0, "cut_off", {"megabytes": LONGEST_MB})
                yield FoundConversation(problem, 1.0)


def _receive(child: ChildProcess, path: Path) -> FoundConversation | None:
    """Return the next item; None at the end. Raises ChildEnded, FileUnreadableError."""
    match child.receive():
        case ["unreadable", detail]:
            raise FileUnreadableError(path=str(path), detail=detail)
        case ["problem", share, *fields]:
            return FoundConversation(Problem(*fields), share)
        case ["record", share, kind, fields, count]:
            text = {"text": "".join(child.receive()[0] for _ in range(count))} if count else {}
            return FoundConversation(_record(kind, {**fields, **text}), share)
        case ["prompt", share, *texts]:
            return FoundConversation(Prompt(*texts), share)
        case ["note" | "citations" as kind, share, fields]:
            read = read_note if kind == "note" else read_citations
            return FoundConversation(read(fields), share)
        case ["conversation", share, count, form, times, left_out, topics, tags, *texts]:
            name, title, summary, project = texts
            conversation = Conversation(ImportFormat(form), name, title, summary, tuple(topics))
            conversation.project, conversation.tags = project, tuple(tags)
            began, ended, archived = map(_time, times)
            conversation.created_at, conversation.ended_at = began, ended
            conversation.archived_at = archived
            conversation.left_out.update({OmittedContent(kind): n for kind, n in left_out.items()})
            conversation.messages = [_receive_message(child) for _ in range(count)]
            return FoundConversation(conversation, share)
        case _:
            return None


def _record(
    kind: str, fields: dict[str, Any]
) -> ImportedProject | ImportedDocument | ImportedMemory | LinkedFiles:
    if "form" in fields:
        fields["form"] = ImportFormat(fields["form"])
    if "names" in fields:
        fields["names"] = tuple(fields["names"])
    return _RECORDS[kind](**fields)


def _receive_message(child: ChildProcess) -> ImportedMessage:
    role, at, ref, model, count, files = child.receive()
    content = "".join(child.receive()[0] for _ in range(count))
    several = (child.receive() for _ in range(files))
    read = tuple((name, b64decode(data)) for name, data in several)
    return ImportedMessage(
        role=Role(role), content=content, at=_time(at), ref=ref, model=model, files=read
    )


def _time(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def main(megabytes: int) -> None:
    serve_requests(megabytes, _answer)


def _answer(request: dict[str, Any], answers: BinaryIO) -> None:
    form = ImportFormat(request["form"]) if request["form"] else None
    try:
        for outcome in read_opened_file(
            received_file(request, answers),
            Path(request["path"]),
            form,
            is_part=request["is_part"],
        ):
            _send(outcome, answers)
            answers.flush()  # the process may be killed next
    except FileUnreadableError as exc:
        send_line(answers, "unreadable", exc.values["detail"])
    else:
        send_line(answers, "over")


def _send(outcome: FoundConversation, answers: BinaryIO) -> None:
    if isinstance(outcome.what, Problem):
        send_line(answers, "problem", outcome.share, *astuple(outcome.what))
    elif isinstance(outcome.what, Prompt):
        send_line(answers, "prompt", outcome.share, *(text[:_PIECE] for text in outcome.what))
    elif isinstance(outcome.what, ImportedNote):
        send_line(answers, "note", outcome.share, note_fields(outcome.what))
    elif isinstance(outcome.what, ImportedCitations):
        send_line(answers, "citations", outcome.share, citation_fields(outcome.what))
    elif isinstance(outcome.what, Conversation):
        _send_conversation(outcome.what, outcome.share, answers)
    else:
        _send_record(outcome.what, outcome.share, answers)


def _send_record(
    record: ImportedProject | ImportedDocument | ImportedMemory | LinkedFiles,
    share: float,
    answers: BinaryIO,
) -> None:
    fields = asdict(record)
    text = fields.pop("text", "")
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    send_line(answers, "record", share, type(record).__name__, fields, len(pieces))
    for piece in pieces:
        send_line(answers, piece)


def _send_conversation(conversation: Conversation, share: float, answers: BinaryIO) -> None:
    times = [
        at and at.isoformat()
        for at in (conversation.created_at, conversation.ended_at, conversation.archived_at)
    ]
    topics, tags = (
        [name[:_LONGEST_TOPIC] for name in names[:_MOST_TOPICS]]
        for names in (conversation.topics, conversation.tags)
    )
    texts = [
        text[:_PIECE]
        for text in (
            conversation.id,
            conversation.title,
            conversation.summary,
            conversation.project,
        )
    ]
    about = conversation.form, times, conversation.left_out, topics, tags
    send_line(answers, "conversation", share, len(conversation.messages), *about, *texts)
    for message in conversation.messages:
        starts = range(0, len(message.content), _PIECE)
        at = message.at and message.at.isoformat()
        files = [file for file in message.files if len(file[1]) <= _MOST_BYTES]
        ref, model = (name and name[:_LONGEST_TOPIC] for name in (message.ref, message.model))
        send_line(answers, message.role, at, ref, model, len(starts), len(files))
        for start in starts:
            send_line(answers, message.content[start : start + _PIECE])
        for name, data in files:
            send_line(answers, name[:_LONGEST_TOPIC], b64encode(data).decode())
