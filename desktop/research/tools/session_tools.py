"""Tools over past sessions: searching all of them, and reading those the user attached.

Documents are the library's, whichever session they came with.
"""

from collections.abc import Iterator, Sequence

from desktop.domain.errors import SessionUnknownError
from desktop.domain.ids import SessionId
from desktop.domain.routing import Recall
from desktop.domain.sessions import Session
from desktop.domain.times import Period
from desktop.language.dates.date_formatting import long_date
from desktop.research.passages import passage_of_message
from desktop.research.security.markup_escaping import escape_markup
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tools.library_tools import format_part, format_passages
from desktop.research.tools.memory_tools import SINCE, UNTIL, moment
from desktop.research.tools.registry import Parameter, Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import FieldInvalidError, Fields
from desktop.storage.archive import Archive

_NUMBERS = range(1, 101)
_MESSAGES = range(1, 100_001)
_MESSAGE_LENGTH = 3_000


def recall_tool(recalling: SessionRetriever) -> Tool:
    def recall(given: Fields, context: ToolContext) -> ToolOutput:
        since, until = moment(given, "since"), moment(given, "until", is_end=True)
        period = Period(since, until) if since or until else None
        asked = Recall("", given.text_or_empty("words"), period)
        found = recalling.recollect(asked)
        if not found.passages:
            return ToolOutput(context.texts.say("tools.nothing_found"))
        lead = "tools.nearest" if found.is_nearest else "tools.found"
        return format_passages(lead, found.passages, context)

    return Tool(
        "recall",
        (Parameter("words"), SINCE, UNTIL),
        recall,
        lambda settings: settings.uses_past_sessions,
    )


def attachments_tool(archive: Archive) -> Tool:
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
        title = session.title or session.opening
        passages = (passage_of_message(one, title, "", _MESSAGE_LENGTH) for one in said)
        return format_part(passages, [one.number for one in said], "tools.attached_on", context)

    return Tool(
        "attachments",
        (Parameter("number", within=_NUMBERS), Parameter("message", within=_MESSAGES)),
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
