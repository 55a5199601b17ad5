"""Estimates how likely a message leaves the session's subject.

A message that begins a subject has more words than a follow-up, more content words, hardly any of
them used before, and a different meaning. The messages after it are stronger evidence: an answer
on the same subject repeats the subject's words.

`packaging/training` fits two sets of weights for the embeddings of messages in `resources/models`:
`openers.npz` is the direction from later messages to those that open a subject; `subjects.npz` are
the directions in which dialogues differ.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, log1p
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from desktop.domain.errors import AppError
from desktop.domain.messages import Message
from desktop.domain.routing import EndSession, Intent
from desktop.domain.search import Embedder
from desktop.domain.sessions import EndReason
from desktop.language.authored_text import trim_message
from desktop.language.dialogue_acts import LONGEST, act_of, is_other_language, needs_context
from desktop.language.intents import (
    PhraseLists,
)
from desktop.research.quick_classifier import QuickRole, quote_messages, within
from desktop.research.utterance import Utterance
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.domain.search import Embedder, Vector, Vectors


_LEAST_WEIGHT, _FULL_WORDS = 0.15, 4
"""A message with at least `_FULL_WORDS` content words has full weight, a shorter one less."""
_TINY = 1e-6
_MOST_TEXTS = 512


def weights_of(own_words: Sequence[int]) -> Vector:
    weights: Vector = np.minimum(1, _LEAST_WEIGHT + np.array(own_words) / _FULL_WORDS)
    return weights.astype(np.float32)


def cosine(vector: Vector, other: Vector) -> float:
    length = float(np.linalg.norm(vector) * np.linalg.norm(other))
    return float(vector @ other) / length if length > _TINY else 0.0


def opening(vectors: Vectors, embedder: str) -> list[float]:
    """Return log odds that each message opens a subject; 0 for an unknown model."""
    direction = _stored("openers").get(embedder)
    if direction is None:
        return [0.0] * len(vectors)
    scores: list[float] = (vectors @ direction[:-1] + direction[-1]).tolist()
    return scores


def about(vectors: Vectors, at: int, embedder: str) -> dict[str, float]:
    """Return how near the message at `at` is to earlier ones, in its subject alone.

    "Ne zaman?" is similar in every subject, and a question is far from its answer. The last
    vector is that of all messages from there on as one text.
    """
    names = ("about", "about_all", "about_whole")
    directions = _stored("subjects").get(embedder)
    if directions is None:
        return dict.fromkeys(names, 0.0)
    means = vectors[:at].mean(axis=0), vectors[at], vectors[at:-1].mean(axis=0), vectors[-1]
    before, *later = (directions[:, :-1] @ mean - directions[:, -1] for mean in means)
    return {name: cosine(before, vector) for name, vector in zip(names, later, strict=True)}


@lru_cache(maxsize=4)
def _stored(name: str) -> Mapping[str, Vectors]:
    with np.load(asset("resources", "models", f"{name}.npz")) as stored:
        return {key: np.asarray(stored[key], np.float32) for key in stored.files}


def nearness(vectors: Vectors, at: int, own_words: Sequence[int]) -> dict[str, float]:
    """Return how near the message at `at` is to the messages before it.

    The last vector is that of this message and all that follow it as one text.
    """
    vectors, whole = vectors[:-1], vectors[-1]
    near = vectors @ vectors.T
    weighted = vectors * weights_of(own_words)[:, None]
    nearest = float(near[at, :at].max())
    usual = [float(near[row, :row].max()) for row in range(1, at)]
    return {
        "nearest": nearest,
        "mean": float(near[at, :at].mean()),
        "usual": sum(usual) / len(usual) if usual else nearest,
        "across": cosine(weighted[:at].sum(axis=0), weighted[at:].sum(axis=0)),
        "whole": float((vectors[:at] @ whole).mean()),
    }


class CachingEmbedder:
    """An embedder that caches the vectors of the last texts. Any thread may call."""

    def __init__(self, embedder: Embedder, most_texts: int = _MOST_TEXTS) -> None:
        self._embedder = embedder
        self._most_texts = most_texts
        self._lock = Lock()
        self._vectors: dict[str, Vector] = {}
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.query = embedder.query

    def passages(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            vectors = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        if missing:
            vectors |= zip(missing, self._embedder.passages(missing), strict=True)
        with self._lock:
            older = {text: vector for text, vector in self._vectors.items() if text not in vectors}
            self._vectors = dict([*older.items(), *vectors.items()][-self._most_texts :])
        return np.stack([vectors[text] for text in texts])

    def unknown(self, texts: Sequence[str]) -> int:
        with self._lock:
            return sum(text not in self._vectors for text in texts)


_LEAST_OWN, _MOST_OWN = 2, 6
_MOST_WORDS = 12
_MOST_HEARD = 3
_LEAST_HEARD = 5  # Content words that a session needs before a message can differ from its subject
_LEANING = 0.9
"""The chance from which a message that depends on earlier ones is on another subject."""
RECENT = 12  # Messages that a change of subject is judged against


@dataclass(frozen=True, slots=True)
class Weighing:
    least: float  # The chance from which a message is judged to leave the subject
    always: float
    weights: Mapping[str, float]
    certain: float  # The chance from which no question is needed, and a running turn may act on it
    certain_own: int  # Content words needed for certainty: follow-ups have few
    needs_words: bool
    """Whether one content word, or a message that asks nothing, is too little evidence."""


@dataclass(frozen=True, slots=True)
class TopicChange:
    chance: float
    signs: Mapping[str, float]
    leaves: bool
    is_certain: bool


def topic_change(
    text: str,
    before: Sequence[str],
    phrases: PhraseLists,
    *,
    after: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> TopicChange | None:
    """Estimate the change; None if the message depends on earlier ones or has no subject."""
    by = _weighing(embedder, looks_ahead=bool(after))
    tells_much = not by.needs_words or (bool(after) and embedder is not None)
    leans = needs_context(text, phrases)
    act = act_of(text, phrases)
    says_enough = act.wants and len(act.own) >= _LEAST_OWN
    # Only a reliable meaning, or the messages after it, can show that "peki" opens another
    # subject, or that "it" refers to the message itself.
    if leans and not (tells_much and says_enough):
        return None
    if not after and by.needs_words and not says_enough:
        return None
    values = signs(text, before, phrases, after=after, embedder=embedder)
    if values is None:
        return None
    total = by.always + sum(weight * values[name] for name, weight in by.weights.items())
    chance = 1 / (1 + exp(-total))
    if leans and not after and chance < _LEANING:
        return None
    is_certain = chance >= by.certain and values["own"] >= by.certain_own
    return TopicChange(chance, values, leaves=chance >= by.least, is_certain=is_certain)


def _weighing(embedder: Embedder | None, *, looks_ahead: bool) -> Weighing:
    ahead, weighings = ", ahead" if looks_ahead else "", _weighings()
    by_words = weighings[f"words{ahead}"]
    return weighings.get(f"{embedder.name}{ahead}", by_words) if embedder is not None else by_words


@lru_cache(maxsize=1)
def _weighings() -> Mapping[str, Weighing]:
    """Return weights for each embedding model and for words alone, with later messages or not."""
    stored = json.loads(asset("resources", "models", "departures.json").read_text("utf-8"))
    return {name: Weighing(**values) for name, values in stored.items()}


def signs(
    text: str,
    before: Sequence[str],
    phrases: PhraseLists,
    *,
    after: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> Mapping[str, float] | None:
    act = act_of(text, phrases)
    if not act.own:
        return None
    acts = [act_of(message, phrases) for message in before]
    if sum(len(act.own) for act in acts) < _LEAST_HEARD:
        return None
    if embedder is None and is_other_language(text, before[-RECENT:]):
        return None
    keys = frozenset().union(*(act.keys for act in acts))
    later = [act_of(message, phrases) for message in after]
    later_words = [word for act in later for word in act.own]
    later_heard = sum(bool(word & keys) for word in later_words)
    heard_words = sum(bool(word & keys) for word in act.own)
    values: dict[str, float] = {
        "asks": float(act.wants),
        "own": float(min(len(act.own), _MOST_OWN)),
        "words": float(min(act.words, _MOST_WORDS)),
        "heard": heard_words / len(act.own),
        "heard_words": float(min(heard_words, _MOST_HEARD)),
        "returns": later_heard / len(later_words) if later_words else 0.0,
        "later_words": log1p(len(later_words)),
        "later_heard": log1p(later_heard),
    }
    if embedder is not None:
        recent = before[-RECENT:]
        # The later messages are compared as one text: short answers carry little by themselves.
        parts = [part[:LONGEST] for part in (*recent, text, *after, " ".join([text, *after]))]
        vectors, at = embedder.passages(parts), len(recent)
        own_words = [len(neighbour.own) for neighbour in (*acts[-RECENT:], act, *later)]
        values |= nearness(vectors, at, own_words) | about(vectors, at, embedder.name)
        values["opens"] = opening(vectors[at : at + 1], embedder.name)[0]
    return values


log = logging.getLogger(__name__)

_DOUBTFUL, _LIKELY = 0.25, 0.7
"""Chances of another subject: from the first the quick model is asked; from the second words alone
decide if embeddings cannot be compared and no model can be asked."""
_NEAR, _FAR, _SURE = 0.04, 0.4, 0.8
"""Chances of another subject that an announcement needs: one that is sure, and any other."""
_MOST_UNKNOWN = 3
"""Texts that may still need embeddings when a message comes; others are embedded after turns."""
_LONG_PATIENCE_S = 1.0
_SAME, _OTHER = "same", "other"


@dataclass(slots=True)
class TopicMonitor:
    """Judges each message of the active session, on the turn's thread."""

    embedder: Callable[[], Embedder | None]  # May not be loaded: a turn never waits for it to load
    phrases: Callable[[], PhraseLists]
    instructions: Callable[[], str]
    patience_s: float = 0.15
    _embedder: CachingEmbedder | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        _weighings()  # here, so that no turn waits for a file

    def look(
        self, end: EndSession | None, utterance: Utterance, messages: Sequence[Message]
    ) -> tuple[EndSession | None, bool]:
        """Return the session's end by words, corrected by meaning, and whether it is in doubt."""
        before = [message.content for message in messages]
        if utterance.intent is Intent.NEW_TOPIC:
            return self._look_at_announcement(end, utterance, before)
        by_meaning = self._by_meaning(utterance.trimmed, before)
        change = by_meaning or topic_change(utterance.trimmed, before, utterance.phrases)
        if change is None or change.chance < _DOUBTFUL:
            return None, False
        if change.is_certain:
            return end or _leaves(utterance, _by_chance(change)), False
        is_likely = by_meaning is None and change.chance >= _LIKELY
        return end if is_likely else None, True

    def _look_at_announcement(
        self, end: EndSession | None, utterance: Utterance, before: Sequence[str]
    ) -> tuple[EndSession | None, bool]:
        """An announcement ends the session only if what it announces is on another subject."""
        subject = utterance.subject
        change = self._by_meaning(trim_message(subject), before) if subject else None
        if change is None:
            return end, bool(subject) and (subject == utterance.text or end is None)
        is_sure = utterance.detected.confidence >= _SURE
        if change.chance < (_NEAR if is_sure else _FAR):
            return None, True
        return end or _leaves(utterance, _by_chance(change)), False

    def ask(
        self,
        end: EndSession | None,
        utterance: Utterance,
        messages: Sequence[Message],
        quick: QuickRole,
    ) -> EndSession | None:
        """Ask the quick model one short question; without a reply nothing changes."""
        about = f"{quote_messages(messages)}\n\nLast message: {utterance.text[:LONGEST]}"
        choice = quick.choose(self.instructions(), about, (_SAME, _OTHER))
        if choice == _OTHER:
            return end or _leaves(utterance, "another subject, says the quick model")
        return end if choice is None else None

    def prepare(self, messages: Sequence[Message]) -> None:
        """Embed in advance what the next message will be compared with; outside the turn."""
        embedder = self._remembering()
        if embedder is None or not messages:
            return
        try:
            embedder.passages([message.content[:LONGEST] for message in messages[-RECENT:]])
        except AppError as exc:
            log.info("the next message will be judged by its words: %s", exc.key)

    def _by_meaning(self, text: str, before: Sequence[str]) -> TopicChange | None:
        embedder = self._remembering()
        recent = [message[:LONGEST] for message in before[-RECENT:]]
        # A command, which prepares nothing, has the time to embed all of them.
        most_unknown = RECENT if self.patience_s >= _LONG_PATIENCE_S else _MOST_UNKNOWN
        if embedder is None or embedder.unknown(recent) > most_unknown:
            return None
        phrases = self.phrases()
        return within(
            self.patience_s, lambda: topic_change(text, before, phrases, embedder=embedder)
        )

    def _remembering(self) -> CachingEmbedder | None:
        embedder = self.embedder()
        if embedder is None:
            return None
        if self._embedder is None or self._embedder.name != embedder.name:
            self._embedder = CachingEmbedder(embedder)
        return self._embedder


def _by_chance(change: TopicChange) -> str:
    return f"another subject, by {round(change.chance * 100)} %"


def _leaves(utterance: Utterance, reason: str) -> EndSession:
    text = utterance.text
    return EndSession(EndReason.SUBJECT_CHANGE, reason, begin_with=text, keeps_message=False)
