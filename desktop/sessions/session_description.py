"""What ended sessions are owed: title, summary and topics, and the facts that outlive them.

By the summarising model in one request, else by extraction, which learns no facts.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.errors import (
    ContextTooLongError,
    LlmError,
    RefusedError,
    RequestRejectedError,
)
from desktop.domain.facts import Fact, Learned
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.model import Model
from desktop.domain.sessions import DescribedBy, Description, Session
from desktop.domain.usage import Purpose
from desktop.language.describing.extractive_description import describe as extract
from desktop.language.intents.phrases import PhraseLists
from desktop.memory.memory import Memory
from desktop.memory.worth_storing import find_refusals
from desktop.sessions.prompts_and_phrases import Wording
from desktop.sessions.session_analysis_request import (
    Reading,
    characters_for,
    read_session,
    transcript,
)
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_WILL_NOT_PASS = (RefusedError, ContextTooLongError, RequestRejectedError)
_CHARACTERS_A_TOKEN = 3
_TOKENS_AROUND = 1_500
"""The instructions, the schema and the reply."""
_MOST_READ = 60
"""Messages at a session's end that facts are learned from; compacts have read those before."""
_LETTERS_COMPARED = 4_000


@dataclass(frozen=True, slots=True)
class Described:
    """A session that was described, and what was learned from it, if anything was looked for."""

    session: Session | None
    """None where facts were learned from a part of the session that goes on."""
    learned: Learned | None = None


@dataclass(frozen=True, slots=True)
class Describer:
    """Describes and indexes ended sessions, on a background thread."""

    archive: Archive
    memory: Memory
    model: Callable[[], Model | None]
    """The summarising role's, or None where there is none or the user wants extraction."""
    model_if_asked: Callable[[], Model | None]
    """The summarising role's also where the user wants extraction."""
    wording: Callable[[Language], Wording]
    phrases: Callable[[], PhraseLists]
    default_language: Callable[[], Language]
    learns: Callable[[], bool]
    """Whether the user wants facts to be remembered."""
    tried: set[SessionId] = field(default_factory=set)
    """Sessions whose facts could not be read, which are left alone until the next start."""
    asked: set[SessionId] = field(default_factory=set)
    """Those that the user wants read for facts, whatever the settings say."""

    def read_for_facts(self, session_id: SessionId) -> bool:
        """Have `describe_due` do so, whatever came of it before; whether a model can.

        Raises StorageError.
        """
        self.asked.add(session_id)
        self.archive.learning.make_due(session_id)
        return self.model_if_asked() is not None

    def describe_due(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Index and describe what is still owed, newest first; raises StorageError.

        Yields each session that got a description, and what was learned from it. Indexing comes
        first, so that everything can be found before the first request leaves.
        """
        self._index_all(should_stop)
        model = self.model()
        is_reachable = True
        for session in self.archive.descriptions.due():
            if should_stop():
                return
            try:
                one = self.model_if_asked() if session.id in self.asked else model
                done = self._describe(
                    session, one if is_reachable else None, is_final=is_reachable
                )
            except LlmError as exc:
                # Nor would it answer for the next: they are all extracted now and asked for later.
                log.info("sessions will be described again later: %s", exc.key)
                is_reachable = False
                done = self._describe(session, None, is_final=False)
            if done is not None:
                yield done
        if model is not None and is_reachable:
            yield from self._learn_again(model, should_stop)
        self._index_all(should_stop)

    def describe_imported(
        self, should_stop: Callable[[], bool], budget: Callable[[], int]
    ) -> Iterator[Described]:
        """Have the model describe imported sessions until the budget, of all time, is spent.

        `budget`: tokens; asked before each, so that lowering it ends this. A title that the file
        gave stays. Raises StorageError.
        """
        model = self.model() if budget() else None
        while model is not None and not should_stop():
            left = budget() - self.archive.answers.spent_tokens(Purpose.DESCRIBE_IMPORT)
            sessions = self.archive.descriptions.imported_due(1)
            if not sessions or not self._fits(sessions[0], model, left):
                break
            try:
                self._describe_imported(sessions[0], model)
            except LlmError as exc:
                log.info("imported sessions will be described later: %s", exc.key)
                break
            yield Described(self.archive.sessions.session(sessions[0].id))
        self._index_all(should_stop)

    def _fits(self, session: Session, model: Model, left: int) -> bool:
        """Whether the request and its reply, guessed on the safe side, are within what is left."""
        messages = self.archive.sessions.messages(session.id)
        letters = len(transcript(messages, characters_for(model)))
        return letters // _CHARACTERS_A_TOKEN + _TOKENS_AROUND <= left

    def _describe_imported(self, session: Session, model: Model) -> None:
        """Nothing is learned from it: what was true when a file was written may be so no more."""
        messages = self.archive.sessions.messages(session.id)
        found = self._read(model, session, messages, Purpose.DESCRIBE_IMPORT).description
        if found is None:
            self.archive.descriptions.take_as_final(session.id)
            return
        if session.described_by is DescribedBy.IMPORT and session.title:
            found = replace(found, title=session.title)
        self._keep(session, found, is_final=True)

    def _learn_again(self, model: Model, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Look for facts where the last reply could not be read: once while the program runs."""
        for session_id in self.archive.learning.failed_before():
            if should_stop() or session_id in self.tried:
                continue
            self.tried.add(session_id)
            session = self.archive.sessions.session(session_id)
            messages = self.archive.sessions.messages(session_id)
            try:
                reading = self._read(model, session, messages, Purpose.DESCRIBE, learns=True)
            except LlmError as exc:
                log.info("facts will be looked for later: %s", exc.key)
                return
            yield Described(session, self._learn(session, messages, reading))

    def _index_all(self, should_stop: Callable[[], bool]) -> None:
        for session_id in self.archive.index.unindexed():
            if should_stop():
                return
            self.archive.index.index_session(session_id)

    def _describe(
        self, session: Session, model: Model | None, *, is_final: bool
    ) -> Described | None:
        """None where there is nothing new to be told; raises LlmError for what may pass."""
        has_better = _is_described_by_more_than_extraction(session)
        if has_better and model is None:
            return None  # Still due: a model may write it anew.
        messages = self.archive.sessions.messages(session.id)
        learned: Learned | None = None
        if model is not None:
            learns = self._learns(session, messages)
            reading = self._read(model, session, messages, Purpose.DESCRIBE, learns=learns)
            learned = self._learn(session, messages, reading) if learns else None
            if reading.description is not None:
                self._keep(session, reading.description, is_final=True)
                return self._described(session, learned)
        if has_better:
            self._keep(session, _description_of(session), is_final=True)
            return self._described(session, learned) if learned else None
        extracted = self._extract(messages, self._language(session))
        self._keep(session, extracted, is_final=is_final)
        is_new = (session.summary, tuple(session.topics)) != (extracted.summary, extracted.topics)
        return self._described(session, learned) if is_new or learned else None

    def _described(self, session: Session, learned: Learned | None) -> Described:
        return Described(self.archive.sessions.session(session.id), learned)

    def _language(self, session: Session) -> Language:
        return session.language or self.default_language()

    def _learn(
        self, session: Session, messages: Sequence[Message], reading: Reading
    ) -> Learned | None:
        """Keep the facts of a reply; one that cannot be read is looked at again another time."""
        if reading.facts is None:
            log.warning("the facts of a session could not be read: %s", reading.invalid)
            self.tried.add(session.id)
            self.archive.learning.count_failure(session.id)
            return None
        learned = self.memory.learn(session.id, messages[-_MOST_READ:], reading.facts)
        self.archive.learning.finish(session.id)
        return learned

    def _keep(self, session: Session, description: Description, *, is_final: bool) -> None:
        self.archive.descriptions.keep(session.id, description, is_due_again=not is_final)

    def _extract(self, messages: Sequence[Message], language: Language) -> Description:
        """Of what was said here: what was only quoted is what another session is about."""
        said = [(one.role.value, one.content) for one in messages if one.model != NO_MODEL]
        return extract(said, language, self.phrases())

    def _read(
        self,
        model: Model,
        session: Session,
        messages: Sequence[Message],
        purpose: Purpose,
        *,
        learns: bool = False,
    ) -> Reading:
        """Nothing of a session that will never pass; raises LlmError for what may."""
        known = self._known(messages) if learns else None
        try:
            reading = read_session(
                model, self.wording(self._language(session)), messages, known=known
            )
        except _WILL_NOT_PASS as exc:
            log.warning("a session is not described by the model: %s", exc.key)
            return Reading(None, None, (), exc.key)
        if reading.description is None:
            log.warning("a session is not described by the model: %s", reading.invalid)
        for usage in reading.usage:
            self.archive.answers.count_usage(session.id, usage, purpose=purpose, model=model.name)
        return reading

    def _learns(self, session: Session, messages: Sequence[Message]) -> bool:
        """Whether facts are asked for: not where nothing was said that deserves it."""
        if not self.archive.learning.is_due(session.id):
            return False
        if session.id in self.asked:
            return True
        if not self.learns():
            return False
        why = find_refusals(messages[-_MOST_READ:], self.phrases())
        if not why:
            return True
        self.archive.learning.keep_refused(session.id, why.items())
        self.archive.learning.finish(session.id)
        return False

    def _known(self, messages: Sequence[Message]) -> Sequence[Fact]:
        """What is known of what the user spoke about, for the model to bring up to date."""
        said = [one.content for one in messages[-_MOST_READ:] if one.role is Role.USER]
        return self.memory.facts_to_compare(" ".join(said)[-_LETTERS_COMPARED:])


def _is_described_by_more_than_extraction(session: Session) -> bool:
    match session.described_by:
        case DescribedBy.MODEL | DescribedBy.IMPORT:
            return True
        case DescribedBy.USER:
            return bool(session.summary)
        case DescribedBy.EXTRACTION | None:
            return False


def _description_of(session: Session) -> Description:
    by = session.described_by or DescribedBy.EXTRACTION
    return Description(session.title or "", session.summary or "", session.topics, by)
