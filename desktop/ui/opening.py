"""Reads a session for the window, on a worker: its messages first, what belongs to them after."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Versions
from desktop.domain.sessions import Session
from desktop.domain.usage import NO_USAGE, Usage
from desktop.ui.services import WindowServices
from desktop.ui.transcript.entries import MessageFacts


@dataclass(frozen=True, slots=True)
class Opened:
    session: Session
    messages: Sequence[Message]


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What is known besides the words, of a whole session."""

    session_id: SessionId
    of: Mapping[MessageId, MessageFacts]
    usage: Usage = NO_USAGE


def open_session(services: WindowServices, session_id: SessionId) -> Opened:
    """The active session out of memory, any other off the disk."""
    active = services.assistant.active
    if active is not None and active.id == session_id:
        return Opened(active.session, active.messages)
    store = services.archive.sessions
    return Opened(store.session(session_id), store.messages(session_id))


def open_active(services: WindowServices) -> Opened | None:
    active = services.assistant.active
    return Opened(active.session, active.messages) if active is not None else None


def facts_of(services: WindowServices, session_id: SessionId) -> SessionFacts:
    answers = services.archive.answers
    citations = answers.citations(session_id)
    ratings = answers.ratings(session_id)
    usage = answers.usage(session_id)
    stored = [one.message for one in services.archive.sessions.all_versions(session_id)]
    versions = _versions(stored)
    texts = services.texts()
    facts = {
        message.id: MessageFacts(
            citations=citations.get(message.id, ()),
            rating=ratings.get(message.id),
            versions=versions.get(message.id),
            usage=usage.get(message.id),
            error=texts.error_of(message.error)
            if message.error and message.state is MessageState.FAILED
            else "",
        )
        for message in stored
    }
    return SessionFacts(session_id, facts, sum(usage.values(), NO_USAGE))


def _versions(messages: Sequence[Message]) -> Mapping[MessageId, Versions]:
    """Only of messages that have more than one."""
    alike: defaultdict[tuple[int, MessageId | None], list[MessageId]] = defaultdict(list)
    for message in messages:
        alike[message.number, message.parent_id].append(message.id)
    return {
        message_id: Versions(place, tuple(sorted(ids)))
        for ids in alike.values()
        if len(ids) > 1
        for place, message_id in enumerate(sorted(ids), start=1)
    }
