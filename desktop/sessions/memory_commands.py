"""Does what a message asks of the memory: remembers at once, and asks before it forgets.

A message that asks for nothing else is answered in fixed words: no request is paid for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import SecretNotKeptError
from desktop.domain.events import Decided, FactRemembered, ForgetAsked, TurnEnded
from desktop.domain.facts import Fact, FactFilter, Learned, Origin, Support
from desktop.domain.messages import Message, Role
from desktop.domain.routing import Forget, Remember
from desktop.language.authored_text import find_user_words
from desktop.language.intents.clauses import clean_fact, states_something
from desktop.language.keywords_and_stems import content_words
from desktop.language.relevant_sentences import bearing_sentences
from desktop.memory.memory import Memory
from desktop.recall.facts import shares_half
from desktop.research.extractive_answers import ExtractiveAnswer
from desktop.research.routing.router import memory_request
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.assistant_context import AssistantContext
from desktop.sessions.turn import Turn
from desktop.settings.messages import Texts

_LONGEST_QUESTION = 120
_MOST_FORGOTTEN = 10
_MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class Remembering:
    """For one message after another; raises StorageError."""

    memory: Memory
    around: AssistantContext

    def serve(self, turn: Turn, active: ActiveSession) -> TurnEnded | None:
        """Do what the newest message asks of the memory; None where it is still to be answered."""
        asked = turn.decision
        if asked is None:
            asked = memory_request(active.messages[-1].content, self.around.rules())
            if asked is not None:
                turn.decision = asked
                turn.emit(Decided(turn.id, asked))
        match asked:
            case Remember():
                return self._remember(turn, active, asked)
            case Forget():
                return self._forget(turn, active, asked)
            case _:
                return None

    def _remember(self, turn: Turn, active: ActiveSession, asked: Remember) -> TurnEnded | None:
        if active.is_temporary:
            key = "memory.is_temporary"
        elif not self.around.settings().uses_memory:
            key = "memory.is_off"
        elif (wanted := self._wanted(active, asked)) is None:
            key = "memory.nothing_to_keep"
        else:
            content, support = wanted
            is_wish = asked.origin is Origin.DIRECTIVE
            try:
                learned = self.memory.remember(
                    content, importance=asked.importance, origin=asked.origin, supports=[support]
                )
            except SecretNotKeptError as exc:
                # Said even where there is an answer to follow: the user counts on it.
                return self._say(turn, active, self._texts(active).error(exc))
            _emit_learned(turn, learned)
            key = "memory.kept_wish" if is_wish else "memory.kept"
        if asked.is_alone:
            return self._say(turn, active, self._texts(active).say(key))
        return None

    def _forget(self, turn: Turn, active: ActiveSession, asked: Forget) -> TurnEnded | None:
        if active.is_temporary:
            return self._say(turn, active, self._texts(active).say("memory.is_temporary"))
        facts = self._meant(active, asked)
        if facts:
            turn.emit(ForgetAsked(turn.id, facts))
            key = "forget_all_asked" if asked.is_everything else "forget_asked"
            said = self._texts(active).count(f"memory.{key}", len(facts))
        elif asked.is_everything:
            said = self._texts(active).say("memory.no_fact")
        elif self.around.model(ModelRole.ANSWERING) is not None:
            return None
        else:
            said = self._texts(active).say("memory.nothing_to_forget")
        return self._say(turn, active, said)

    def _meant(self, active: ActiveSession, asked: Forget) -> Sequence[Fact]:
        if asked.is_everything:
            return self.memory.store.facts()
        return self._matching(asked.words) if asked.words else self._last(active)

    def _wanted(self, active: ActiveSession, asked: Remember) -> tuple[str, Support] | None:
        *earlier, message = active.messages
        own = Support(message.id, asked.start, asked.length)
        if asked.content:
            return asked.content, own
        question, answer = _last_exchange(earlier)
        if question is None:
            return None
        if states_something(question.content, self.around.phrases()):
            content = clean_fact(find_user_words(question.content))
            return (content, Support(question.id, 0, len(question.content))) if content else None
        if answer is None:
            return None
        return self._found_out(question.content, answer.content), own

    def _found_out(self, question: str, answer: str) -> str:
        """The question, and of its answer the sentence that bears on it the most."""
        best = bearing_sentences(question, answer, 1, stop_words=self.around.phrases().stop_words)
        said = best[0].text if best else answer
        return clean_fact(f"{question} {said}" if len(question) <= _LONGEST_QUESTION else said)

    def _last(self, active: ActiveSession) -> list[Fact]:
        """What was remembered of the message before, or what bears on it."""
        *earlier, _ = active.messages
        question, _ = _last_exchange(earlier)
        if question is None:
            return []
        learned = self.memory.store.facts(FactFilter(session_id=active.id))
        own = [fact for fact in learned if fact.message_id == question.id]
        return own or self._matching(question.content)

    def _matching(self, said: str) -> list[Fact]:
        """Facts that have at least half of the words, or else say it in others."""
        found = self.memory.find_facts(said, FactFilter(), limit=_MOST_FORGOTTEN)
        wanted = [one.text for one in content_words(said, self.around.phrases().stop_words)]
        sharing = [fact for fact in found if shares_half(wanted, fact)]
        return sharing or list(self.memory.near(said, FactFilter(), _MOST_NEAR))

    def _say(self, turn: Turn, active: ActiveSession, said: str) -> TurnEnded:
        return AnswerContext(turn, active).write_quoted(ExtractiveAnswer(said, ()))

    def _texts(self, active: ActiveSession) -> Texts:
        """In the language of what was asked."""
        return self.around.wording_of(active.messages[-1].content).texts


def _emit_learned(turn: Turn, learned: Learned) -> None:
    for fact in (*learned.added, *learned.strengthened):
        turn.emit(FactRemembered(turn.id, fact))
    for older, newer in learned.replaced:
        turn.emit(FactRemembered(turn.id, newer, replaced=older))


def _last_exchange(earlier: Sequence[Message]) -> tuple[Message | None, Message | None]:
    """The user's last message, and what answered it."""
    answer: Message | None = None
    for message in reversed(earlier):
        if message.role is Role.USER:
            return message, answer
        answer = answer or message
    return None, answer
