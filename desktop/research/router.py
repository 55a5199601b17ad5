"""Decides what a message calls for: pure, fast, and before anything is done about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.decisions import Answer, Decision, EndSession
from desktop.domain.messages import Message, Role
from desktop.domain.sessions import EndReason
from desktop.language.followup import changes_subject
from desktop.language.phrases import EndSaid, PhraseLists, said_end

_RECENT = 12
"""Messages that a change of subject is judged against."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user has set about when a session ends."""

    phrases: PhraseLists
    detects_thanks: bool = True
    detects_subject_change: bool = True


def decide(text: str, said: Sequence[Message], rules: Rules) -> Decision:
    """What to do with a message of the user's, given what was said in the session so far."""
    end = said_end(text, rules.phrases)
    if end and end.kind == "new_topic":
        return _new_topic(end)
    if end and rules.detects_thanks and _has_exchange(said):
        return EndSession(EndReason.THANKS, end.phrase)
    if rules.detects_subject_change and _has_exchange(said):
        recent = [message.content for message in said[-_RECENT:]]
        if change := changes_subject(text, recent, rules.phrases):
            return EndSession(
                EndReason.SUBJECT_CHANGE, change.reason, begin_with=text, keeps_message=False
            )
    return Answer("the session itself")


def _new_topic(end: EndSaid) -> EndSession:
    """The announcement belongs to neither session; what follows it begins the next."""
    return EndSession(
        EndReason.NEW_TOPIC, end.phrase, begin_with=end.rest or None, keeps_message=False
    )


def _has_exchange(said: Sequence[Message]) -> bool:
    return any(message.role is Role.ASSISTANT for message in said)
