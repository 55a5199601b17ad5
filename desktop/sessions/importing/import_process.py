"""Reads imported files in a child process, so that no file can block the window or a stop.

Parsing one conversation of 30 MB holds Python's interpreter lock for a second. The child does
it, and returns a line for each problem, each conversation and each message, in pieces that are
quick to parse.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import astuple
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any, BinaryIO

from desktop.domain.errors import FileUnreadableError
from desktop.domain.messages import Role
from desktop.domain.prompts import Prompt
from desktop.research.child_process import (
    TOOK_TOO_MUCH_MEMORY,
    ChildEnded,
    ChildProcess,
    ReadingStopped,
    received_file,
    send_line,
    serve_requests,
)
from desktop.sessions.importing.bellek import ImportedNote, note_fields, read_note
from desktop.sessions.importing.format_detection import (
    LONGEST_MB,
    FoundConversation,
    open_file,
    read_file,
    read_opened_file,
)
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedMessage,
    ImportFormat,
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

ReadFile = Callable[[Path, ImportFormat | None, Callable[[], bool]], Iterator[FoundConversation]]


def read_in_process(
    path: Path, form: ImportFormat | None = None, should_stop: Callable[[], bool] = lambda: False
) -> Iterator[FoundConversation]:
    """As `read_in_child`, for small files that the user chose one by one."""
    for outcome in read_file(path, form):
        if should_stop():
            raise ReadingStopped
        yield outcome


def read_in_child(
    path: Path, form: ImportFormat | None = None, should_stop: Callable[[], bool] = lambda: False
) -> Iterator[FoundConversation]:
    """Yield everything in the file, in order. Raises FileUnreadableError, ReadingStopped."""
    with (
        open_file(path) as file,
        ChildProcess(READ_FLAG, _MEGABYTES, _LONGEST_LINE) as child,
        child.limited(inf, should_stop),
    ):
        child.send(file, path=str(path.absolute()), form=form)
        try:
            while (outcome := _receive(child, path)) is not None:
                yield outcome
        except ChildEnded as exc:
            if child.was_stopped:
                raise ReadingStopped from exc
            if child.exit_code() != TOOK_TOO_MUCH_MEMORY:
                raise RuntimeError(f"the import reader failed: {child.last_words()}") from exc
            yield FoundConversation(Problem(0, "cut_off", {"megabytes": LONGEST_MB}), 1.0)


def _receive(child: ChildProcess, path: Path) -> FoundConversation | None:
    """Return the next item; None at the end. Raises ChildEnded, FileUnreadableError."""
    match child.receive():
        case ["unreadable", detail]:
            raise FileUnreadableError(path=str(path), detail=detail)
        case ["problem", share, *fields]:
            return FoundConversation(Problem(*fields), share)
        case ["prompt", share, *texts]:
            return FoundConversation(Prompt(*texts), share)
        case ["note", share, fields]:
            return FoundConversation(read_note(fields), share)
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
            received_file(request, answers), Path(request["path"]), form
        ):
            if isinstance(outcome.what, Problem):
                send_line(answers, "problem", outcome.share, *astuple(outcome.what))
            elif isinstance(outcome.what, Prompt):
                send_line(
                    answers, "prompt", outcome.share, *(text[:_PIECE] for text in outcome.what)
                )
            elif isinstance(outcome.what, ImportedNote):
                send_line(answers, "note", outcome.share, note_fields(outcome.what))
            else:
                _send_conversation(outcome.what, outcome.share, answers)
            answers.flush()  # the process may be killed next
    except FileUnreadableError as exc:
        send_line(answers, "unreadable", exc.values["detail"])
    else:
        send_line(answers, "over")


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
        send_line(answers, message.role, at, message.ref, message.model, len(starts), len(files))
        for start in starts:
            send_line(answers, message.content[start : start + _PIECE])
        for name, data in files:
            send_line(answers, name[:_LONGEST_TOPIC], b64encode(data).decode())
