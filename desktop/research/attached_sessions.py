"""Passages of the past sessions that the user attached to the current one.

Of each session its summary and the messages that match the question best, within a few hundred
tokens: more would crowd out the conversation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop.domain.errors import SessionUnknownError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.language.authored_text import trim_message
from desktop.language.intents.phrases import PhraseLists
from desktop.language.keywords_and_stems import content_words
from desktop.recall.bm25 import Scorer, Term
from desktop.recall.ranking import rank
from desktop.research.passages import Passage
from desktop.research.tiers.passage_store import PassageStore
from desktop.storage.archive import Archive
from desktop.storage.index import IndexedMessage as Piece

_MOST_CHARACTERS = 1_800
"""Of one session: some 500 tokens."""
_SUMMARY_LENGTH = 500
_MESSAGE_LENGTH = 450
_MOST_MESSAGES = 4


@dataclass(frozen=True, slots=True)
class AttachedSessions:
    """Finds them; may raise StorageError."""

    archive: Archive
    phrases: Callable[[], PhraseLists]

    def passages(
        self, sessions: Sequence[SessionId], question: str, *, first_number: int = 1
    ) -> tuple[Passage, ...]:
        """In the order of the sessions and their messages, numbered from `first_number`.

        A session that was merged meanwhile is read where it is now; a deleted one is left out.
        """
        about = content_words(trim_message(question), self.phrases().stop_words, with_weak=True)
        asked = tuple(dict.fromkeys(word.text for word in about))
        told = [
            one
            for session in self.archive.sessions.now_in(sessions)
            for one in self._of(session, asked)
        ]
        return tuple(replace(one, number=n) for n, one in enumerate(told, start=first_number))

    def _of(self, session_id: SessionId, asked: Sequence[str]) -> Iterator[Passage]:
        try:
            session = self.archive.sessions.session(session_id)
        except SessionUnknownError:
            return
        room, about, shelf = _MOST_CHARACTERS, " ".join(asked), PassageStore(self.archive)
        if session.summary:
            told = shelf.of_summary(session, about, _SUMMARY_LENGTH)
            room -= len(told.text)
            yield told
        title = session.title or session.opening
        said = self.archive.sessions.messages(session_id)
        for message in _within(_bearing(said, asked), room):
            yield shelf.of_message(message, title, about, _MESSAGE_LENGTH)


def _bearing(said: Sequence[Message], asked: Sequence[str]) -> list[Message]:
    """The best first; where it has no word of the question, how it began and how it ended."""
    pieces = [Piece(m.id, m.session_id, m.number, m.content, m.role, m.model) for m in said]
    terms = [Term(word, 0) for word in asked]
    if not terms or not said:
        return [*said[:2], *said[-1:]]
    counts = [Scorer(terms, len(said)).counts(message.content) for message in said]
    in_messages = [sum(place in found for found in counts) for place in range(len(terms))]
    known = [Term(term.word, count) for term, count in zip(terms, in_messages, strict=True)]
    by_id = {message.id: message for message in said}
    ranked = [by_id[one.passage.id] for one in rank(pieces, known, len(said), {})]
    return ranked or [*said[:2], *said[-1:]]


def _within(messages: Sequence[Message], room: int) -> list[Message]:
    """As many as there is room for, in the order in which they were said."""
    kept: dict[int, Message] = {}
    for message in messages:
        if not message.content.strip() or message.number in kept:
            continue
        room -= min(len(message.content), _MESSAGE_LENGTH)
        if kept and (room < 0 or len(kept) == _MOST_MESSAGES):
            break
        kept[message.number] = message
    return [kept[number] for number in sorted(kept)]
