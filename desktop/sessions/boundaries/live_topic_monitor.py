"""Detects whether the newest message changes the subject, before it is sent.

The router has judged the words. Here embeddings are compared, if the embedding model is loaded
and answers at once; in doubt the quick model gets one short question. On any failure or delay the
session is not split.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from desktop.domain.embedding import Embedder
from desktop.domain.errors import AppError
from desktop.domain.messages import Message, Role
from desktop.domain.routing import Answer, Decision, EndSession, Research, Unsure
from desktop.domain.sessions import EndReason
from desktop.language.authored_text import trim_message
from desktop.language.intents.phrases import PhraseLists
from desktop.research.quick_classifier import QuickRole, quote_messages, within
from desktop.sessions.boundaries.dialogue_acts import LONGEST
from desktop.sessions.boundaries.similarity_features import CachingEmbedder
from desktop.sessions.boundaries.topic_change_classifier import RECENT, Departure, departure

log = logging.getLogger(__name__)

_DOUBTFUL, _LIKELY = 0.25, 0.7
"""Chances of another subject: from the first the quick model is asked; from the second words alone
decide if embeddings cannot be compared and no model can be asked."""
_MOST_UNKNOWN = 3
"""Texts that may still need embeddings when a message comes; others are embedded after turns."""
_SAME, _OTHER = "same", "other"
_STAYS = Answer()


@dataclass(slots=True)
class Watch:
    """Judges each message of the active session, on the turn's thread."""

    embedder: Callable[[], Embedder | None]
    """May not be loaded: a turn never waits for it to load."""
    phrases: Callable[[], PhraseLists]
    instructions: Callable[[], str]
    patience_s: float = 0.15
    _known: CachingEmbedder | None = field(default=None, init=False)

    def look(
        self, decision: Decision, text: str, said: Sequence[Message]
    ) -> tuple[Decision, bool]:
        """Return the decision, corrected by meaning, and whether to ask the quick model."""
        by_words = isinstance(decision, EndSession) and decision.why is EndReason.SUBJECT_CHANGE
        has_exchange = any(message.role is Role.ASSISTANT for message in said)
        if not has_exchange or not (by_words or isinstance(decision, Answer | Research | Unsure)):
            return decision, False
        before = [message.content for message in said]
        heard = trim_message(text)
        meant = self._by_meaning(heard, before)
        leaving = meant or departure(heard, before, self.phrases())
        if leaving is None or leaving.chance < _DOUBTFUL:
            return _STAYS if by_words else decision, False
        if leaving.is_certain:
            sure = f"another subject, by {round(leaving.chance * 100)} %"
            return decision if by_words else _leaves(text, sure), False
        is_likely = meant is None and leaving.chance >= _LIKELY
        return decision if is_likely or not by_words else _STAYS, True

    def ask(
        self, decision: Decision, text: str, said: Sequence[Message], quick: QuickRole
    ) -> Decision:
        """Ask the quick model one short question; without a reply the decision stays."""
        about = f"{quote_messages(said)}\n\nLast message: {text[:LONGEST]}"
        choice = quick.choose(self.instructions(), about, (_SAME, _OTHER))
        if choice == _OTHER:
            return _leaves(text, "another subject, says the quick model")
        return decision if choice is None else _STAYS

    def prepare(self, said: Sequence[Message]) -> None:
        """Embed in advance what the next message will be compared with; outside the turn."""
        embedder = self._remembering()
        if embedder is None or not said:
            return
        try:
            embedder.passages([message.content[:LONGEST] for message in said[-RECENT:]])
        except AppError as exc:
            log.info("the next message will be judged by its words: %s", exc.key)

    def _by_meaning(self, text: str, before: Sequence[str]) -> Departure | None:
        embedder = self._remembering()
        recent = [one[:LONGEST] for one in before[-RECENT:]]
        if embedder is None or embedder.unknown(recent) > _MOST_UNKNOWN:
            return None
        phrases = self.phrases()
        return within(self.patience_s, lambda: departure(text, before, phrases, embedder=embedder))

    def _remembering(self) -> CachingEmbedder | None:
        embedder = self.embedder()
        if embedder is None:
            return None
        if self._known is None or self._known.name != embedder.name:
            self._known = CachingEmbedder(embedder)
        return self._known


def _leaves(text: str, reason: str) -> EndSession:
    return EndSession(EndReason.SUBJECT_CHANGE, reason, begin_with=text, keeps_message=False)
