"""Tools over past sessions: searching all of them, and reading those the user attached.

Documents are the library's, whichever session they came with.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop.domain.errors import SessionUnknownError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.routing import Recall
from desktop.domain.sessions import Session
from desktop.domain.times import Period
from desktop.language.dates.date_formatting import long_date
from desktop.research.passages import Passage, format_tool_passages
from desktop.research.security.markup_escaping import escape_markup
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tiers.passage_store import PassageStore
from desktop.research.tools.library_tools import format_passages
from desktop.research.tools.memory_tools import SINCE, UNTIL, moment
from desktop.research.tools.tool import Parameter, Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import FieldInvalidError, Fields
from desktop.storage.archive import Archive

_NUMBERS = range(1, 101)
_MESSAGES = range(1, 100_001)
_READ_AT_ONCE = 8_000
_MESSAGE_LENGTH = 3_000


def recall_tool(recalling: SessionRetriever) -> Tool:
    def recall(given: Fields, context: ToolContext) -> ToolOutput:
        since, until = moment(given, "since"), moment(given, "until", is_end=True)
        period = Period(since, until) if since or until else None
        asked = Recall("", given.text_or_empty("words"), period)
        found = recalling.recollect(asked)
        passages = [
            replace(one, number=number)
            for number, one in enumerate(found.passages, start=context.first_number)
        ]
        numbered = replace(found, passages=passages)
        return ToolOutput(format_tool_passages(numbered, context.texts), passages)

    return Tool(
        "recall",
        (Parameter("words"), SINCE, UNTIL),
        recall,
        lambda settings: settings.uses_past_sessions,
    )


def attachments_tool(archive: Archive) -> Tool:
    shelf = PassageStore(archive)

    def read(given: Fields, context: ToolContext) -> ToolOutput:
        number = given.whole("number", _NUMBERS)
        first = given.whole("message", _MESSAGES) or 1
        beside = list(_find_existing(archive, context.beside))
        if not beside:
            return ToolOutput(context.texts.say("tools.nothing_attached"))
        if number is None:
            return ToolOutput(_list_sessions(beside, context.texts))
        if number > len(beside):
            raise FieldInvalidError("number")
        session = beside[number - 1]
        said = [one for one in archive.sessions.messages(session.id) if one.number >= first]
        return _read_messages(session, said, shelf, context)

    return Tool(
        "attachments",
        (
            Parameter("number", "integer", within=_NUMBERS),
            Parameter("message", "integer", within=_MESSAGES),
        ),
        read,
        lambda settings: settings.uses_past_sessions,
        is_unguarded=True,
        is_spared=True,
    )


def _find_existing(archive: Archive, sessions: Sequence[SessionId]) -> Iterator[Session]:
    """Without those that were deleted meanwhile."""
    for one in sessions:
        try:
            yield archive.sessions.session(one)
        except SessionUnknownError:
            continue


def _list_sessions(beside: Sequence[Session], texts: Texts) -> str:
    lines = [
        texts.say(
            "tools.attached_session",
            number=number,
            title=" ".join(escape_markup(one.title or one.opening).split()),
            date=long_date(one.updated_at, texts.language),
            messages=one.messages,
        )
        for number, one in enumerate(beside, start=1)
    ]
    return "\n".join([texts.say("tools.attached"), *lines])


def _read_messages(
    session: Session, said: Sequence[Message], shelf: PassageStore, context: ToolContext
) -> ToolOutput:
    title, found = session.title or session.opening, list[Passage]()
    room = _READ_AT_ONCE
    for message in said:
        passage = shelf.of_message(message, title, "", _MESSAGE_LENGTH)
        room -= len(passage.text)
        if room < 0 and found:
            break
        found.append(passage)
    if not found:
        return ToolOutput(context.texts.say("tools.nothing_to_read"))
    told = format_passages("tools.read", found, context)
    if len(found) == len(said):
        return told
    more = context.texts.say("tools.attached_on", message=said[len(found)].number)
    return ToolOutput(f"{told.text}\n\n{more}", told.passages)
