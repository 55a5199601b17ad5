"""Recalls passages of the past for a question that does not ask for them.

One local search over past sessions, facts and the library proposes passages; `recall.relevance`
decides which of them bear on the question. One that the archive has nothing on goes out bare.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from desktop.domain.ids import FactId
from desktop.domain.messages import NO_MODEL, Message, MessageState, Role
from desktop.domain.search import Hit, HitKind, Query, RecalledItem, Scope, SearchMode
from desktop.language.authored_text import find_question
from desktop.language.follow_ups import leans_back
from desktop.language.intents.phrases import PhraseLists, is_courtesy
from desktop.language.keywords_and_stems import content_words
from desktop.language.relevant_sentences import bearing_sentences
from desktop.language.sentences import sentences
from desktop.memory.active_memory import estimated_tokens
from desktop.recall.relevance import Evidence, relevant
from desktop.recall.search import Search
from desktop.research.passages import (
    Passage,
    Speaker,
    excerpt,
    number_passages,
    passage_of_message,
)
from desktop.research.quick_classifier import within
from desktop.research.tiers.passage_store import rank_by_words, source_passage
from desktop.storage.archive import Archive

MOST_CHARACTERS = 400
"""Of one passage."""
MOST = 6
_MOST_TOKENS = 800
_KINDS = frozenset({HitKind.MESSAGE, HitKind.FACT, HitKind.SOURCE, HitKind.DIARY})
_SHORT = 200
"""Characters of a reply that says no more than the thanks before it."""
_LEAST_MESSAGES = 1_000
_SPARE = 3
"""How many times more is read than sent: some of it may not be sent."""
_OPERATORS = re.compile(r'["“”„«»?]|(?<!\w)-')
"""Operators of the search field, which have no meaning in a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what its request contains anyway."""

    text: str
    said: Sequence[Message] = ()
    """The session before it."""
    behind: Sequence[Message] = ()
    """Those of them that are not sent word for word."""
    title: str = ""
    facts: Collection[FactId] = ()
    """What the active memory sends."""


@dataclass(frozen=True, slots=True)
class AutomaticRecall:
    """Every method may raise StorageError."""

    search: Search
    archive: Archive
    phrases: Callable[[], PhraseLists]
    waits_s: float = 0.15
    """How long the meaning of a question is waited for; after that, words alone decide."""

    def passages(self, asked: Question, scope: Scope, most: int) -> tuple[Passage, ...]:
        """Return the passages that bear on the question, the best first, numbered from 1."""
        about = self._about(asked)
        if not about or most <= 0:
            return ()
        kept: list[Passage] = []
        tokens = 0
        for passage in self._candidates(about, asked, scope, most):
            tokens += estimated_tokens(passage.text)
            if len(kept) == most or tokens > _MOST_TOKENS:
                break
            kept.append(passage)
        return number_passages(kept)

    def _about(self, asked: Question) -> str:
        """Return what to look for; empty for courtesies and for what needs nothing else."""
        phrases, text = self.phrases(), find_question(asked.text)
        if is_courtesy(text, phrases):
            return ""
        before = [one.content for one in asked.said if one.role is Role.USER]
        if before and leans_back(text, phrases):
            text = f"{find_question(before[-1])} {text}"
        return text if content_words(text, phrases.stop_words) else ""

    def _candidates(
        self, about: str, asked: Question, scope: Scope, most: int
    ) -> Iterator[Passage]:
        """Yield the passages that bear on it: first those of the session at hand."""
        sent = {one.content.strip() for one in asked.said} - {
            one.content.strip() for one in asked.behind
        }
        weights = self._weights(about)
        met: set[tuple[str, str]] = set()
        for passage in self._all(about, weights, asked, scope, most):
            place = (passage.cited_in, passage.cited_at)
            if place not in met and passage.stored.strip() not in sent:
                met.add(place)
                yield passage

    def _weights(self, about: str) -> dict[str, float]:
        own = content_words(about, self.phrases().stop_words)
        own = own or content_words(about, self.phrases().stop_words, with_weak=True)
        words = dict.fromkeys(word.text for word in own)
        return self.search.weights(list(words), least_messages=_LEAST_MESSAGES)

    def _all(
        self,
        about: str,
        weights: dict[str, float],
        asked: Question,
        scope: Scope,
        most: int,
    ) -> Iterator[Passage]:
        texts = [one.content for one in asked.behind]
        for place in rank_by_words(texts, about, self.phrases().stop_words)[:most]:
            one = asked.behind[place]
            if self._says_something(one, asked.behind[place - 1 : place]) and relevant(
                Evidence(weights, one.content)
            ):
                yield self._of_message(one, asked.title, about)
        told_in: set[str] = set()
        # A day of the diary repeats what messages say: it comes where they did not.
        for hit in sorted(
            self._hits(about, scope, most), key=lambda one: one.kind is HitKind.DIARY
        ):
            if hit.kind is HitKind.DIARY and hit.session_id in told_in:
                continue
            if hit.kind is HitKind.FACT and hit.fact_id in asked.facts:
                continue
            find = self._of_day if hit.kind is HitKind.DIARY else self._passage
            if passage := find(hit, weights, about):
                told_in.add(passage.cited_in)
                yield passage

    def _hits(self, about: str, scope: Scope, most: int) -> list[Hit]:
        """Search by words and meaning; by words alone if the meaning is not known in time."""
        has_meaning = within(self.waits_s, lambda: self.search.prepare(about))
        mode = SearchMode.HYBRID if has_meaning else SearchMode.KEYWORD
        text = f"{_OPERATORS.sub(' ', about)}?"
        return self.search.find(Query(text, _KINDS, mode=mode, limit=most * _SPARE, scope=scope))

    def _passage(self, hit: Hit, weights: dict[str, float], about: str) -> Passage | None:
        """Return what a hit shows of the past; None if it does not bear on the question."""
        if hit.passage_id is not None:
            found = source_passage(self.archive, hit.passage_id, about, MOST_CHARACTERS)
            text = f"{hit.title}\n{hit.heading}\n{found.stored}" if found else ""
            is_near = found and relevant(Evidence(weights, text, hit.nearness))
            return found if is_near else None
        if hit.message_id is None or hit.message_number is None:
            return None
        if hit.kind is HitKind.FACT:
            return self._of_fact(hit) if relevant(Evidence(weights, hit.snippet)) else None
        near = self.archive.index.neighbours(hit.session_id, hit.message_number, 1)
        told = next((one for one in near if one.id == hit.message_id), None)
        if told is None:
            return None
        exchange = [told]
        if told.role is Role.USER and _only_asks(told.content):
            exchange += [one for one in near if one.number == told.number + 1]
        text = "\n".join((hit.title, *(one.content for one in exchange)))
        shown = exchange[-1]
        if not self._says_something(shown, near) or not relevant(
            Evidence(weights, text, hit.nearness)
        ):
            return None
        return self._of_message(shown, hit.title, about)

    def _says_something(self, message: Message, near: Sequence[Message]) -> bool:
        """Whether it states something, in words of its own; the reply to thanks does not."""
        phrases, before = self.phrases(), message.number - 1
        is_whole = message.state in {MessageState.COMPLETE, MessageState.STOPPED}
        if not is_whole or message.model == NO_MODEL or _only_asks(message.content):
            return False
        if is_courtesy(message.content, phrases):
            return False
        asked = next((one for one in near if one.number == before), None)
        is_short = len(message.content) <= _SHORT
        return not (is_short and asked and is_courtesy(asked.content, phrases))

    def _of_message(self, message: Message, title: str, about: str) -> Passage:
        best = bearing_sentences(about, message.content, 1, stop_words=self.phrases().stop_words)
        around = best[0].text if best else about
        return passage_of_message(message, title, around, MOST_CHARACTERS)

    def _of_day(self, hit: Hit, weights: dict[str, float], about: str) -> Passage | None:
        """Return as much of a diary entry as the settings allow; None if it has no link."""
        told = self.search.told_of_day(hit.day) if hit.day else ""
        if hit.message_id is None or not relevant(Evidence(weights, told)):
            return None
        shown = excerpt(told, about, MOST_CHARACTERS)
        place = (hit.session_id, hit.message_id, hit.title, hit.created_at)
        return Passage(0, *place, Speaker.SUMMARY, shown, told)

    def _of_fact(self, hit: Hit) -> Passage:
        return Passage(
            0,
            hit.session_id,
            hit.message_id,
            hit.title,
            hit.created_at,
            Speaker.USER,
            excerpt(hit.snippet, "", MOST_CHARACTERS),
            hit.snippet,
        )


def recalled_items(passages: Sequence[Passage]) -> tuple[RecalledItem, ...]:
    """Return what was recalled, as it is shown below the answer."""
    return tuple(
        RecalledItem(
            one.number,
            HitKind.SOURCE if one.place else HitKind.MESSAGE,
            one.cited_at,
            one.title,
            one.text,
            one.said_at,
            one.session_id,
        )
        for one in passages
    )


def _only_asks(text: str) -> bool:
    return all(one.text.rstrip().endswith("?") for one in sentences(text))
