"""A tool over what the user has put to the session: past sessions that go beside it.

Documents are the library's, whichever session they came with.
"""

from collections.abc import Iterator, Sequence

from desktop.domain.errors import SessionUnknownError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.sessions import Session
from desktop.language.dates.date_formatting import long_date
from desktop.research.passages import Passage
from desktop.research.security.markup_escaping import escape_markup
from desktop.research.tiers.passage_store import Shelf
from desktop.research.tools.library_tools import told_passages
from desktop.research.tools.tool import Calling, Parameter, Told, Tool
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import FieldInvalidError, Fields
from desktop.storage.archive import Archive

_NUMBERS = range(1, 101)
_MESSAGES = range(1, 100_001)
_READ_AT_ONCE = 8_000
_MESSAGE_LENGTH = 3_000


def attachments_tool(archive: Archive) -> Tool:
    shelf = Shelf(archive)

    def read(given: Fields, calling: Calling) -> Told:
        number = given.whole("number", _NUMBERS)
        first = given.whole("message", _MESSAGES) or 1
        beside = list(_there(archive, calling.beside))
        if not beside:
            return Told(calling.texts.say("tools.nothing_attached"))
        if number is None:
            return Told(_listed(beside, calling.texts))
        if number > len(beside):
            raise FieldInvalidError("number")
        session = beside[number - 1]
        said = [one for one in archive.sessions.messages(session.id) if one.number >= first]
        return _told(session, said, shelf, calling)

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


def _there(archive: Archive, sessions: Sequence[SessionId]) -> Iterator[Session]:
    """Without those that were deleted meanwhile."""
    for one in sessions:
        try:
            yield archive.sessions.session(one)
        except SessionUnknownError:
            continue


def _listed(beside: Sequence[Session], texts: Texts) -> str:
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


def _told(session: Session, said: Sequence[Message], shelf: Shelf, calling: Calling) -> Told:
    title, found = session.title or session.opening, list[Passage]()
    room = _READ_AT_ONCE
    for message in said:
        passage = shelf.of_message(message, title, "", _MESSAGE_LENGTH)
        room -= len(passage.text)
        if room < 0 and found:
            break
        found.append(passage)
    if not found:
        return Told(calling.texts.say("tools.nothing_to_read"))
    told = told_passages("tools.read", found, calling)
    if len(found) == len(said):
        return told
    more = calling.texts.say("tools.attached_on", message=said[len(found)].number)
    return Told(f"{told.text}\n\n{more}", told.passages)
