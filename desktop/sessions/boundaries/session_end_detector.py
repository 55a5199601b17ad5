"""Finds where a session would end: by the user's words, by silence, by a change of subject.

Only a message of the user begins a session, and never one that leans on what was said.
"""

from collections.abc import Sequence
from datetime import timedelta

from desktop.domain.embedding import Embedder
from desktop.domain.messages import Role
from desktop.language.follow_ups import leans_back
from desktop.language.intents.phrases import PhraseLists, find_announcement, find_farewell
from desktop.sessions.boundaries.boundary_types import Boundary, Utterance, Why
from desktop.sessions.boundaries.similarity_features import Remembering
from desktop.sessions.boundaries.topic_change_classifier import Departure, departure

LONG_SILENCE = timedelta(hours=6)
_LOOKS_ON_BY_WORDS, _LOOKS_ON = (6,), (1, 3, 6)
"""Messages after it that show whether the talk goes back to what was said before.

Its answer alone has to show it as well: what comes later may be on a third subject.
"""
_AFTER_SILENCE = 0.2
"""After a long silence little has to say that a message is about something else."""


def session_ends(
    said: Sequence[Utterance], phrases: PhraseLists, embedder: Embedder | None
) -> list[Boundary]:
    """The messages with which a new session would begin, for a conversation known as a whole."""
    known = Remembering(embedder) if embedder is not None else None
    found: list[Boundary] = []
    start = 0
    for at in range(1, len(said)):
        if said[at].role is not Role.USER:
            continue
        boundary = _begins(said, start, at, phrases, known)
        if boundary is not None:
            found.append(boundary)
            start = at
    return found


def _begins(
    said: Sequence[Utterance],
    start: int,
    at: int,
    phrases: PhraseLists,
    embedder: Embedder | None,
) -> Boundary | None:
    number, text = at + 1, said[at].text
    has_exchange = any(one.role is Role.ASSISTANT for one in said[start:at])
    if announced := find_announcement(text, phrases):
        return Boundary(number, Why.ANNOUNCED, announced.phrase) if has_exchange else None
    # Thanks belong to the session that they end.
    if not has_exchange or find_farewell(text, phrases):
        return None
    leans = leans_back(text, phrases)
    last = next((one.text for one in reversed(said[start:at]) if one.role is Role.USER), "")
    if not leans and (thanked := find_farewell(last, phrases)):
        return Boundary(number, Why.THANKED, thanked)
    leaving = _leaving(said, start, at, phrases, embedder)
    ended, began = said[at - 1].at, said[at].at
    silence = began - ended if began and ended else timedelta()
    is_elsewhere = leaving is None or leaving.chance >= _AFTER_SILENCE
    if silence >= LONG_SILENCE and not leans and is_elsewhere:
        return Boundary(number, Why.GAP, str(round(silence / timedelta(hours=1))))
    if leaving is None or not leaving.leaves:
        return None
    why = Why.WORDS if embedder is None else Why.DRIFT
    return Boundary(number, why, str(round(leaving.chance * 100)))


def _leaving(
    said: Sequence[Utterance],
    start: int,
    at: int,
    phrases: PhraseLists,
    embedder: Embedder | None,
) -> Departure | None:
    """As far as it is shown from near and from afar."""
    before = [one.text for one in said[start:at]]
    seen: list[Departure] = []
    for reach in _LOOKS_ON if embedder is not None else _LOOKS_ON_BY_WORDS:
        after = [one.text for one in said[at + 1 : at + 1 + reach]]
        leaving = departure(said[at].text, before, phrases, after=after, embedder=embedder)
        if leaving is None:
            return None
        seen.append(leaving)
    return min(seen, key=lambda one: one.chance)
