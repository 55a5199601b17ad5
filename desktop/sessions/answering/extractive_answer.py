"""Answers that no model writes: what the application knows about itself, and quotations.

What the application knows also goes to a model, for the rest of the question.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop.domain.endpoints import ModelRole, is_on_this_computer
from desktop.domain.facts import Fact, FactFilter
from desktop.domain.projects import Wall
from desktop.domain.routing import (
    Decision,
    Guard,
    GuardTopic,
    Recall,
    Research,
    RoutingReason,
    Tier,
)
from desktop.domain.search import HitKind, Query, Scope
from desktop.domain.sources import SourceKind
from desktop.language.authored_text import trim_message, user_texts
from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import is_courtesy
from desktop.language.keywords_and_stems import content_words
from desktop.language.phrase_matcher import find_phrase, tokenize
from desktop.memory.memory import Memory
from desktop.recall.bm25 import RelevanceCandidate
from desktop.recall.search import Search
from desktop.research.builtin_answers import (
    OwnKnowledge,
    calculate_answer,
    fixed_answer,
    guard_block,
)
from desktop.research.extractive_answers import (
    CitedText,
    Closeness,
    of_first_places,
    quote_facts,
    quote_passages,
    quote_recollection,
    rank_quotable,
)
from desktop.research.passages import Passage, Recollection, is_answer, passage_of_message
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tiers.evidence import PASSAGES, covers_question
from desktop.research.tiers.passage_store import LocalRetriever
from desktop.research.tiers.plans import split_into_questions
from desktop.research.tiers.run import Run
from desktop.sessions.answering.answer_lifecycle import Exchange
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive

_LETTERS = 600
_HITS = 24
_SESSIONS = 4
_MOST_FACTS = 12
_ORDERS = frozenset(
    {
        RoutingReason.REPORT,
        RoutingReason.EVIDENCE,
        RoutingReason.INVESTIGATE,
        RoutingReason.OWN_SOURCES,
    }
)


@dataclass(frozen=True, slots=True)
class BuiltinAnswers:
    """What the application answers by itself. Every method may raise StorageError."""

    archive: Archive
    memory: Memory
    context: AssistantContext

    def write(self, guard: Guard, exchange: Exchange) -> str:
        texts = self.context.wording_of(exchange.question).texts
        return fixed_answer(guard.topics, self._own_knowledge(guard, exchange), texts)

    def block(self, exchange: Exchange, guard: Guard) -> str:
        """Return the same for the changing block of the request that answers the message."""
        return guard_block(
            guard, self._own_knowledge(guard, exchange), self.context.own_wording().texts
        )

    def _own_knowledge(self, guard: Guard, exchange: Exchange) -> OwnKnowledge:
        settings = self.context.settings_in(exchange.wall)
        model = self.context.model(ModelRole.ANSWERING, exchange.wall)
        uses_past = settings.uses_past_sessions and exchange.active.reads_memory
        uses_memory = settings.uses_memory and uses_past
        remembered: tuple[str, ...] = ()
        if GuardTopic.ABOUT_ME in guard.topics and uses_memory:
            facts = self.memory.find_facts("", FactFilter(exchange.wall), limit=_MOST_FACTS)
            remembered = tuple(fact.content for fact in facts)
        return OwnKnowledge(
            now=self.context.now(),
            model=model.name if model else None,
            endpoint=model.endpoint.name if model else "",
            is_local=model is None or is_on_this_computer(model.endpoint),
            uses_past_sessions=uses_past,
            uses_memory=uses_memory,
            sources=self.archive.sources.count(exchange.wall),
            uses_web=settings.uses_web,
            folder=str(self.archive.database.path.parent),
            remembered=remembered,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveAnswerer:
    """Answers with quotations only. Every method may raise StorageError."""

    archive: Archive
    search: Search
    context: AssistantContext
    retrieval: SessionRetriever
    uses_memory: Callable[[ActiveSession], bool]

    def quote(
        self, exchange: Exchange, question: str, recall: Recall | None, recollection: Recollection
    ) -> CitedText:
        active, wall = exchange.active, exchange.wall
        texts, phrases = self.context.wording_of(question).texts, self.context.phrases()
        sources, stop_words = self.archive.facts.sources, phrases.stop_words
        facts = quote_facts(recollection.facts, sources, texts)
        weigh = self.search.weights
        if recall is None and (calculation := calculate_answer(question, texts)):
            return CitedText(calculation)
        if recall is not None and (
            recollection.passages
            or recollection.facts
            or recollection.notes
            or self.search.has_sessions()
        ):
            return quote_recollection(
                recall, recollection, facts, stop_words=stop_words, texts=texts, weigh=weigh
            )
        if is_courtesy(question, phrases):
            greets = find_phrase(tokenize(question), phrases.greets)
            return CitedText(texts.say("no_model.greeting" if greets else "no_model.courtesy"))
        earlier = user_texts(active.messages[:-1])
        if earlier and needs_context(question, phrases):
            question = f"{earlier[-1]} {question}"
        here = self.retrieval.in_session(
            question, active.messages[:-1], texts.say("no_model.this_session")
        )
        if not here and not self.context.settings().uses_past_sessions:
            return CitedText(texts.say("no_model.past_off"))
        quoted = self._quote_sessions(question, wall, here, facts, texts)
        return quoted or self._nearest(exchange, question, texts)

    def _quote_sessions(
        self, question: str, wall: Wall, here: Sequence[Passage], facts: CitedText, texts: Texts
    ) -> CitedText | None:
        """Quote the active session, then the others."""
        stop_words, weigh = self.context.phrases().stop_words, self.search.weights
        uses_past = self.context.settings().uses_past_sessions
        candidates = [*here, *(self._exchanges(question, wall) if uses_past else ())]
        passages, closeness = rank_quotable([question], candidates, stop_words, weigh)
        is_sure = closeness is Closeness.FOUND
        if is_sure or (passages and closeness is Closeness.NEAR and not facts.text):
            key = "said_here" if passages[-1] in here else "quotes" if is_sure else "nearest_words"
            lead = texts.say(f"no_model.{key}")
            shown = of_first_places(passages, _SESSIONS)
            return quote_passages(question, shown, lead, stop_words, texts, before=facts)
        return facts if facts.text else None

    def _nearest(self, exchange: Exchange, question: str, texts: Texts) -> CitedText:
        wall, near = exchange.wall, tuple[Fact, ...]()
        if self.uses_memory(exchange.active):
            near = self.retrieval.near_facts(question, wall)
        if near:
            sources = self.archive.facts.sources
            return quote_facts(near, sources, texts, lead="no_model.nearest_facts")
        if self.archive.sources.count(wall):
            return CitedText(texts.say("research.no_model_nothing"))
        has_sessions = self.search.has_sessions()
        return CitedText(
            texts.say("no_model.nothing_found" if has_sessions else "no_model.empty_archive")
        )

    def _exchanges(self, question: str, wall: Wall) -> list[Passage]:
        passages: list[Passage] = []
        kinds = frozenset({HitKind.MESSAGE})
        query = Query(question, kinds, limit=_HITS, is_whole=True, scope=Scope(wall))
        hits, stop_words = self.search.find(query), self.context.phrases().stop_words
        evidence = [
            RelevanceCandidate(f"{hit.title}\n{hit.snippet}", hit.nearness) for hit in hits
        ]
        relevant = self.search.relevant(question, evidence, stop_words, with_weak=True)
        for hit in (hits[place] for place in relevant):
            neighbours = self.search.messages_from(hit, after=1)
            if answer := next(filter(is_answer, neighbours), None):
                messages = neighbours[: neighbours.index(answer) + 1]
                passages += [
                    passage_of_message(message, hit.title, "", _LETTERS) for message in messages
                ]
        return passages

    def is_answered_by_library(self, question: str, wall: Wall) -> bool:
        """Whether documents contain most of what is asked, if no model could answer instead."""
        question, phrases = trim_message(question), self.context.phrases()
        if (
            is_courtesy(question, phrases)
            or not content_words(question, phrases.stop_words)
            or calculate_answer(question, self.context.wording_of(question).texts)
        ):
            return False
        lookup = LocalRetriever(
            self.search,
            self.archive,
            wall,
            with_sessions=False,
            stop_words=phrases.stop_words,
            has_floor=True,
        )
        passages = lookup.passages(question, PASSAGES[Tier.QUICK], _LETTERS, at_once=True)
        return covers_question(question, passages, phrases.stop_words)


def quote_evidence_found(run: Run, decided: Decision, passages: Sequence[Passage]) -> CitedText:
    """Quote the passages found; the text states if there are none, or none that answers."""
    question, texts, stop_words = run.question, run.texts, run.phrases.stop_words
    about = question
    if isinstance(decided, Research) and decided.reason in _ORDERS:
        about = question.replace(decided.words, " ")  # "with two sources, please"
    # Each of several questions is answered by itself: beside the words of all, its own are few.
    questions = [about, *(sub_question.question for sub_question in split_into_questions(about))]
    candidates, closeness = rank_quotable(
        questions, passages, stop_words, run.lookup.search.weights
    )
    if not candidates:
        return CitedText(texts.say("research.no_model_nothing"))
    is_old = (
        closeness is Closeness.FOUND
        and isinstance(decided, Research)
        and decided.reason is RoutingReason.FRESH
        and not any(
            passage.place and passage.place.kind is SourceKind.WEB for passage in candidates
        )
    )
    lead = texts.say("research.no_model_old" if is_old else f"research.{closeness.value}")
    return quote_passages(question, candidates, lead, stop_words, texts)
