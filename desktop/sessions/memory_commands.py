"""Carries out memory requests: remembers at once, and asks before it forgets.

A message with no other request is answered by a fixed text: no model request is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain import events
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import SecretNotKeptError
from desktop.domain.facts import Fact, FactFilter, FactSupport, Origin
from desktop.domain.messages import Message, Role
from desktop.domain.projects import Wall
from desktop.domain.routing import Forget, Remember
from desktop.language.authored_text import find_user_words
from desktop.language.clauses import clean_fact, states_something
from desktop.language.keywords_and_stems import content_words
from desktop.language.relevant_sentences import relevant_sentences
from desktop.memory.active_memory import preference_name
from desktop.memory.memory import Memory
from desktop.recall.other_kinds import shares_half
from desktop.sessions.answering.answer_lifecycle import Exchange
from desktop.sessions.conversation.assistant_context import AssistantContext

_LONGEST_QUESTION = 120
_MOST_FORGOTTEN = 10
_MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class MemoryCommands:
    """Handles one message after another; raises StorageError."""

    memory: Memory
    context: AssistantContext

    def serve(self, exchange: Exchange, request: Remember | Forget) -> events.TurnEnded | None:
        """Carry out the newest message's memory request; None if it still needs an answer."""
        if isinstance(request, Remember):
            text = self._remember(exchange, request)
        else:
            text = self._forget(exchange, request)
        return exchange.write_builtin(text) if text else None

    def _remember(self, exchange: Exchange, request: Remember) -> str:
        """Remember, and return the text to show; empty if the message asks for more."""
        texts = self.context.wording_of(exchange.question).texts
        if exchange.is_temporary:
            key = "memory.is_temporary"
        elif not self.context.settings().uses_memory:
            key = "memory.is_off"
        elif (content := self._content(exchange, request)) is None:
            key = "memory.nothing_to_keep"
        else:
            try:
                key = self._keep(exchange, request, *content)
            except SecretNotKeptError as exc:
                # Shown even if an answer follows, because the user relies on the confirmation.
                return texts.error(exc)
        return texts.say(key) if request.is_alone else ""

    def _keep(
        self, exchange: Exchange, request: Remember, content: str, support: FactSupport
    ) -> str:
        """Store a fact, or a wish as a preference; return the text that reports it."""
        turn = exchange.turn
        if request.origin is Origin.DIRECTIVE:
            preferences = self.memory.preferences.learn(exchange.message)
            turn.emit(events.PreferencesStated(turn.id, preferences))
            return "memory.kept_wish"
        learned = self.memory.remember(
            content, exchange.wall, importance=request.importance, supports=[support]
        )
        for fact in (*learned.added, *learned.strengthened):
            turn.emit(events.FactRemembered(turn.id, fact))
        for older, newer in learned.replaced:
            turn.emit(events.FactRemembered(turn.id, newer, replaced=older))
        return "memory.kept"

    def _forget(self, exchange: Exchange, request: Forget) -> str:
        """Propose facts to forget; return the text, empty if a model has to look for them."""
        texts = self.context.wording_of(exchange.question).texts
        if exchange.is_temporary:
            return texts.say("memory.is_temporary")
        if request.is_everything:
            facts: Sequence[Fact] = self.memory.find_facts(
                "", FactFilter(exchange.wall), limit=None
            )
        elif request.words:
            facts = self._sharing(request.words, exchange.wall)
            if not facts and (
                wishes := self._switch_off(exchange.question, request.words, exchange.wall)
            ):
                return texts.say("memory.wish_off", wishes=" · ".join(wishes))
            facts = facts or self._near(request.words, exchange.wall)
        else:
            facts = self._last(exchange)
        if facts:
            exchange.turn.emit(events.ForgetAsked(exchange.turn.id, facts))
            key = "forget_all_asked" if request.is_everything else "forget_asked"
            return texts.count(f"memory.{key}", len(facts))
        if request.is_everything:
            return texts.say("memory.no_fact")
        if self.context.model(ModelRole.ANSWERING, exchange.wall) is not None:
            return ""
        return texts.say("memory.nothing_to_forget")

    def _content(self, exchange: Exchange, request: Remember) -> tuple[str, FactSupport] | None:
        *earlier, message = exchange.active.messages
        own = FactSupport(message.id, request.start, request.length)
        if request.content:
            return request.content, own
        question, answer = _last_exchange(earlier)
        if question is None:
            return None
        if states_something(question.content, self.context.phrases()):
            content = clean_fact(find_user_words(question.content))
            return (
                (content, FactSupport(question.id, 0, len(question.content))) if content else None
            )
        if answer is None:
            return None
        # The question, and the most relevant sentence of its answer.
        stop_words = self.context.phrases().stop_words
        best = relevant_sentences(question.content, answer.content, 1, stop_words=stop_words)
        sentence = best[0].text if best else answer.content
        is_short = len(question.content) <= _LONGEST_QUESTION
        return clean_fact(f"{question.content} {sentence}" if is_short else sentence), own

    def _last(self, exchange: Exchange) -> list[Fact]:
        question, _ = _last_exchange(exchange.active.messages[:-1])
        if question is None:
            return []
        learned = self.memory.find_facts(
            "", FactFilter(exchange.wall, session_id=exchange.active.id), limit=None
        )
        own = [fact for fact in learned if fact.message_id == question.id]
        text, wall = question.content, exchange.wall
        return own or self._sharing(text, wall) or self._near(text, wall)

    def _sharing(self, text: str, wall: Wall) -> list[Fact]:
        facts = self.memory.find_facts(text, FactFilter(wall), limit=_MOST_FORGOTTEN)
        stop_words = self.context.phrases().stop_words
        text_words = [word.text for word in content_words(text, stop_words)]
        return [fact for fact in facts if shares_half(text_words, fact)]

    def _near(self, text: str, wall: Wall) -> list[Fact]:
        return list(self.memory.near(text, FactFilter(wall), _MOST_NEAR, None))

    def _switch_off(self, message: str, target: str, wall: Wall) -> list[str]:
        """Turn off the preferences that a message is about; return them in words."""
        preferences = self.memory.preferences
        named = preferences.named_in(message, target, wall)
        for preference in named:
            preferences.switch(preference.id, is_on=False)
        texts = self.context.own_wording().texts
        return [preference.words or preference_name(preference, texts) for preference in named]


def _last_exchange(earlier: Sequence[Message]) -> tuple[Message | None, Message | None]:
    answer: Message | None = None
    for message in reversed(earlier):
        if message.role is Role.USER:
            return message, answer
        answer = answer or message
    return None, answer
