"""Reads a session for the window, on a worker: its messages first, what belongs to them after."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.domain.compacts import standing
from desktop.domain.facts import Fact
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Versions
from desktop.domain.sessions import Session
from desktop.domain.usage import NO_USAGE, Usage
from desktop.settings.messages import Texts
from desktop.ui.services import WindowServices
from desktop.ui.transcript.entries import MessageFacts

if TYPE_CHECKING:
    from desktop.sessions.active_session import ActiveSession


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
    context_tokens: int = 0


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
    active = services.assistant.active
    if active is not None and active.id == session_id and active.is_temporary:
        return _facts_in_memory(services, active)
    answers = services.archive.answers
    citations = answers.citations(session_id)
    ratings = answers.ratings(session_id)
    usage = answers.usage(session_id)
    all_versions = services.archive.sessions.all_versions(session_id)
    stored = [one.message for one in all_versions]
    versions = _versions(stored)
    remembered = remembered_of(services, session_id)
    texts = services.texts()
    facts = {
        message.id: MessageFacts(
            citations=citations.get(message.id, ()),
            rating=ratings.get(message.id),
            versions=versions.get(message.id),
            usage=usage.get(message.id),
            error=_why(message, texts),
            remembered=remembered.get(message.id, ()),
        )
        for message in stored
    }
    # Not read once more: of a long session that is megabytes.
    path = [one.message for one in all_versions if one.is_current]
    tokens = context_tokens(services, session_id, path)
    return SessionFacts(session_id, facts, sum(usage.values(), NO_USAGE), tokens)


def context_tokens(
    services: WindowServices, session_id: SessionId, path: Sequence[Message]
) -> int:
    """What the session takes of a request, estimated: its compacts, and all messages after them.

    What an answer used says nothing of it where more than one request was made for it.
    """
    from desktop.memory.active_memory_prompt import estimated_tokens  # noqa: PLC0415 - behind the painted window

    compacts = standing(services.archive.compacts.compacts(session_id), path)
    start = compacts[-1].to_number if compacts else 0
    texts = [*(one.summary for one in compacts), *(one.content for one in path[start:])]
    return sum(map(estimated_tokens, texts))


def usage_of(services: WindowServices, active: "ActiveSession") -> Usage:
    """Of the whole session."""
    if active.is_temporary:
        return sum((one.usage for one in active.records.values()), NO_USAGE)
    return sum(services.archive.answers.usage(active.id).values(), NO_USAGE)


def _facts_in_memory(services: WindowServices, active: "ActiveSession") -> SessionFacts:
    """No disk has anything of it."""
    records, texts = active.records, services.texts()
    facts: dict[MessageId, MessageFacts] = {}
    for message in active.messages:
        record = records.get(message.id)
        versions = active.versions(message.id)
        facts[message.id] = MessageFacts(
            citations=record.citations if record else (),
            versions=versions if len(versions.ids) > 1 else None,
            usage=record.usage if record else None,
            error=_why(message, texts),
        )
    tokens = context_tokens(services, active.id, active.messages)
    return SessionFacts(active.id, facts, usage_of(services, active), tokens)


def _why(message: Message, texts: Texts) -> str:
    """Why an answer failed."""
    is_failure = message.state is MessageState.FAILED
    return texts.error_of(message.error) if message.error and is_failure else ""


def remembered_of(
    services: WindowServices, session_id: SessionId
) -> Mapping[MessageId, Sequence[Fact]]:
    """By answer: what went with its request, as far as it is still remembered."""
    sent = services.archive.sent_facts.by_answer(session_id)
    wanted = {fact_id for ids in sent.values() for fact_id in ids}
    known = {fact.id: fact for fact in services.archive.facts.some(wanted)} if wanted else {}
    return {
        message_id: [known[fact_id] for fact_id in ids if fact_id in known]
        for message_id, ids in sent.items()
    }


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
