"""Describes ended sessions (title, summary, topics) and learns lasting facts from them.

The summarising model does both in one request; otherwise extraction describes, and learns no
facts. A valid description is kept even if the facts are unreadable, and vice versa.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from desktop.domain.changes import Change
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import LlmError, ReplyInvalidError
from desktop.domain.facts import Fact, FactFilter, Learned, ProposedFact
from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.learned_preferences import Preference
from desktop.domain.messages import NO_MODEL, Citation, Message, Role
from desktop.domain.model import Model, ModelRequest, RequestMessage
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.search import Suggestion
from desktop.domain.sessions import DescribedBy, Description, Session
from desktop.domain.usage import NO_USAGE, SAFE_CHARACTERS_A_TOKEN, Purpose, Usage, estimate_tokens
from desktop.language.authored_text import user_texts
from desktop.language.describing.extractive_description import describe as extract
from desktop.language.normalization import folded_key
from desktop.language.sentences import plain_text, sentences
from desktop.memory.fact_learning import known_lines, proposed_facts, reply_schema
from desktop.memory.memory import Memory
from desktop.memory.worth_storing import find_refusals
from desktop.recall.related_sessions import RelatedSessions
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.conversation.compacting import WILL_NOT_PASS
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_DESCRIPTION: Mapping[str, JsonValue] = {
    "title": {"type": "string"},
    "summary": {"type": "string"},
    "topics": {"type": "array", "items": {"type": "string"}},
}
_LONGEST_TITLE = 80
_LONGEST_TOPIC = 60
_FEWEST_TOPICS, _MOST_TOPICS = 3, 7
_SHARE_OF_CONTEXT = 0.5
_LONGEST_TRANSCRIPT = 120_000
_TOKENS, _TOKENS_WITH_FACTS = 1024, 3072
_TOKENS_AROUND = 1_500  # The instructions, the schema and the reply
_MOST_READ = 60
"""Messages at a session's end that facts are learned from; compacts cover earlier ones."""
_FEWEST_MESSAGES = 4
"""Facts of shorter sessions are sought only if the user stated something."""
_LETTERS_COMPARED = 4_000

Reading = tuple[Description | None, Sequence[ProposedFact] | None]
"""The description and the facts of a reply; None for each that could not be read."""


@dataclass(frozen=True, slots=True)
class Described:
    """A session that was described, and the facts learned, None if none were sought."""

    session: Session | None  # None if something was learned from a session that continues
    learned: Learned | None = None
    preferences: Sequence[Preference] = ()


@dataclass(frozen=True, slots=True)
class Describer:
    """Describes and indexes ended sessions, on a background thread; raises StorageError."""

    _archive: Archive
    memory: Memory
    context: AssistantContext
    tried: set[SessionId] = field(default_factory=set)
    """Sessions whose facts could not be read; they are skipped until the next start."""
    session_ids: set[SessionId] = field(default_factory=set)
    """Sessions the user wants read for facts, whatever the settings are."""

    is_open: Callable[[SessionId], bool] = lambda _: False
    """Whether a session goes on although it has ended: it is described when that is over."""

    def read_for_facts(self, session_id: SessionId) -> bool:
        """Have `describe_due` read the session again; return whether a model can."""
        self.session_ids.add(session_id)
        self._archive.learning.make_due(session_id)
        return self._model(self._archive.sessions.session(session_id)) is not None

    def extract_due(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Extract the first description of each session; a model may need minutes for its own."""
        for session in self._due():
            if should_stop():
                return
            if session.described_by is None and (
                done := self._describe(session, None, is_final=False)
            ):
                yield done

    def describe_due(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Index and describe what is due, newest first.

        Yields each session that got a description, and the facts learned. Extraction and indexing
        come first, so that everything can be found before the first request is sent.
        """
        yield from self.extract_due(should_stop)
        self._index_all(should_stop)
        is_reachable = True
        for session in self._due():
            if should_stop():
                return
            model = self._model(session) if is_reachable else None
            try:
                done = self._describe(session, model, is_final=is_reachable)
            except LlmError as exc:
                # It would fail for the next ones, too: all are extracted now and retried later.
                log.info("sessions will be described again later: %s", exc.key)
                is_reachable = False
                done = self._describe(session, None, is_final=False)
            if done is not None:
                yield done
        if is_reachable:
            yield from self._learn_again(should_stop)

    def _due(self) -> Iterator[Session]:
        due = self._archive.descriptions.due()
        return (session for session in due if not self.is_open(session.id))

    def describe_imported(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Have the model describe imported sessions until their total budget is spent.

        Lowering the budget meanwhile ends this. A title from the file stays. Nothing is learned:
        what was true when a file was written may no longer be.
        """
        while not should_stop():
            budget = self.context.settings().import_tokens
            sessions = self._archive.descriptions.imported_due(1) if budget else []
            model = self._model(sessions[0], Purpose.DESCRIBE_IMPORT) if sessions else None
            if model is None:
                break
            left = budget - self._archive.answers.spent_tokens(Purpose.DESCRIBE_IMPORT)
            session, messages = sessions[0], self._archive.sessions.messages(sessions[0].id)
            # A safe upper estimate of the request and its reply.
            letters = len(transcript(messages, model))
            if estimate_tokens(letters) + _TOKENS_AROUND > left:
                break
            try:
                description, _ = self._read(model, session, messages, Purpose.DESCRIBE_IMPORT)
            except LlmError as exc:
                log.info("imported sessions will be described later: %s", exc.key)
                break
            if description is None:
                self._archive.descriptions.take_as_final(session.id)
            else:
                own = session.title if session.described_by is DescribedBy.IMPORT else ""
                description = replace(description, title=own or description.title)
                self._archive.descriptions.keep(session.id, description, is_due_again=False)
            yield Described(self._archive.sessions.session(session.id))
        self._index_all(should_stop)

    def _learn_again(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Look for facts if the last reply was unreadable: once while the program runs."""
        for session_id in self._archive.learning.failed_before():
            session = self._archive.sessions.session(session_id)
            model = self._model(session)
            if model is None or should_stop() or session_id in self.tried:
                continue
            self.tried.add(session_id)
            messages = self._archive.sessions.messages(session_id)
            try:
                _, facts = self._read(model, session, messages, Purpose.DESCRIBE, learns=True)
            except LlmError as exc:
                log.info("facts will be looked for later: %s", exc.key)
                return
            yield Described(session, self._learn(session, messages, facts))

    def _model(self, session: Session, purpose: Purpose = Purpose.DESCRIBE) -> Model | None:
        """Return the model; None if there is none, or if the user wants extraction."""
        wall = Wall(session.project)
        if session.id in self.session_ids:  # by hand
            return self.context.model(ModelRole.SUMMARISING, wall)
        if self.context.settings().describes_with_model:
            return self.context.background(ModelRole.SUMMARISING, wall, purpose)
        return None

    def _index_all(self, should_stop: Callable[[], bool]) -> None:
        for session_id in self._archive.index.unindexed():
            if should_stop():
                return
            self._archive.index.index_session(session_id)

    def _describe(
        self, session: Session, model: Model | None, *, is_final: bool
    ) -> Described | None:
        """Describe a session; None if nothing is new. Raises LlmError for temporary failures."""
        by = session.described_by
        has_better = by in {DescribedBy.MODEL, DescribedBy.IMPORT} or (
            by is DescribedBy.USER and bool(session.summary)
        )
        if has_better and model is None:
            return None  # Still due: a model may rewrite it.
        messages = self._archive.sessions.messages(session.id)
        learned: Learned | None = None
        description: Description | None = None
        if model is not None:
            learns = self._learns(session, messages)
            description, facts = self._read(
                model, session, messages, Purpose.DESCRIBE, learns=learns
            )
            learned = self._learn(session, messages, facts) if learns else None
        is_new = description is not None
        if description is None and has_better:
            by = by or DescribedBy.EXTRACTION
            description = Description(
                session.title or "", session.summary or "", session.topics, by
            )
        elif description is None:
            description = self._extract(session, messages)
            is_new = (session.summary, tuple(session.topics)) != (
                description.summary,
                description.topics,
            )
        self._archive.descriptions.keep(session.id, description, is_due_again=not is_final)
        if is_new or learned:
            return Described(self._archive.sessions.session(session.id), learned)
        return None

    def _learn(
        self, session: Session, messages: Sequence[Message], facts: Sequence[ProposedFact] | None
    ) -> Learned | None:
        """Keep the facts of a reply; an unreadable one is retried another time."""
        if facts is None:
            self.tried.add(session.id)
            self._archive.learning.count_failure(session.id)
            return None
        learned = self.memory.learn(
            Wall(session.project), session.id, messages[-_MOST_READ:], facts
        )
        self._archive.learning.finish(session.id)
        return learned

    def _extract(self, session: Session, messages: Sequence[Message]) -> Description:
        """Describe from what was said here: quotations are about other sessions."""
        contents = [
            (message.role.value, message.content)
            for message in messages
            if message.model != NO_MODEL
        ]
        return extract(
            contents, session.language or self.context.language(), self.context.phrases()
        )

    def _filled(
        self, description: Description, session: Session, messages: Sequence[Message]
    ) -> Description:
        """Return the description with what a model left out, taken from the messages."""
        if description.title and description.summary and len(description.topics) >= _FEWEST_TOPICS:
            return description
        extracted = self._extract(session, messages)
        missing = _FEWEST_TOPICS - len(description.topics)
        new = _different((*description.topics, *extracted.topics))[len(description.topics) :]
        return replace(
            description,
            title=description.title or extracted.title,
            summary=description.summary or extracted.summary,
            topics=(*description.topics, *new[: max(0, missing)]),
        )

    def _read(
        self,
        model: Model,
        session: Session,
        messages: Sequence[Message],
        purpose: Purpose,
        *,
        learns: bool = False,
    ) -> Reading:
        """Return the reply; empty for a permanent failure. Raises LlmError for temporary ones."""
        stored_facts = None
        if learns:
            # Facts known about the user's subjects, for the model to update.
            about = " ".join(user_texts(messages[-_MOST_READ:]))[-_LETTERS_COMPARED:]
            stored_facts = self.memory.facts_to_compare(about, Wall(session.project))
        wording = self.context.wording(session.language or self.context.language())
        listed = (
            wording.texts.say("request.known", facts=known_lines(stored_facts))
            if stored_facts
            else ""
        )
        request = ModelRequest(
            wording.instructions("describe", *(("learn",) if learns else ())),
            (RequestMessage(Role.USER, transcript(messages, model)),),
            changing=listed or None,
            max_output_tokens=_TOKENS_WITH_FACTS if learns else _TOKENS,
        )
        try:
            reply, usage = model.ask_json(request, reply_schema(_DESCRIPTION, learns=learns))
        except WILL_NOT_PASS as exc:
            log.warning("a session is not described by the model: %s", exc.key)
            return None, None
        self._archive.answers.count_usage(session.id, usage, purpose=purpose, model=model.name)
        description: Description | None = None
        facts: Sequence[ProposedFact] | None = None
        try:
            description = self._filled(validated(reply), session, messages)
        except ReplyInvalidError as exc:
            log.warning("a session is not described by the model: %s", exc.values.get("detail"))
        try:
            facts = proposed_facts(reply, stored_facts or ()) if learns else None
        except ReplyInvalidError as exc:
            log.warning("the facts of a session could not be read: %s", exc.values.get("detail"))
        return description, facts

    def _learns(self, session: Session, messages: Sequence[Message]) -> bool:
        """Whether to ask for facts: not if nothing was said that is worth it."""
        learning = self._archive.learning
        if not learning.is_due(session.id):
            return False
        if session.id in self.session_ids or not self.context.settings().uses_memory:
            return session.id in self.session_ids
        if len(messages) < _FEWEST_MESSAGES and not any(map(_states, messages)):
            return False
        why = find_refusals(messages[-_MOST_READ:], self.context.phrases())
        if why:
            learning.keep_refused(session.id, why.items())
            learning.finish(session.id)
        return not why


def validated(reply: JsonValue) -> Description:
    """Return the parts of the description that are right; the others are empty.

    Raises ReplyInvalidError if no part is; `detail` contains only our own words.
    """
    if not isinstance(reply, Mapping):
        raise ReplyInvalidError(detail="not a JSON object")
    title, summary = (
        " ".join(text.split()) if isinstance(text := reply.get(name), str) else ""
        for name in ("title", "summary")
    )
    listed = reply.get("topics")
    names = listed.split(",") if isinstance(listed, str) else listed
    topics = _different(names) if isinstance(names, list) else ()
    if not (title or summary or topics):
        raise ReplyInvalidError(detail="title, summary and topics are missing")
    return Description(_cut_title(title), summary, topics, DescribedBy.MODEL)


def _states(message: Message) -> bool:
    """Whether its writer says more than one bare question."""
    spoken = [plain_text(sentence.text) for sentence in sentences(message.content)]
    return message.role is Role.USER and any(not s.endswith("?") or "," in s for s in spoken)


def _cut_title(title: str) -> str:
    if len(title) <= _LONGEST_TITLE:
        return title
    return f"{title[:_LONGEST_TITLE].rsplit(' ', 1)[0]}…"


def _different(topics: Iterable[JsonValue]) -> tuple[str, ...]:
    names: dict[str, str] = {}
    for topic in topics:
        if isinstance(topic, str) and (name := " ".join(topic.split())[:_LONGEST_TOPIC]):
            names.setdefault(folded_key(name), name)
    return tuple(names.values())[:_MOST_TOPICS]


def transcript(messages: Sequence[Message], model: Model) -> str:
    """Return the session as text; if too long, its beginning and, twice as long, its end."""
    whole = "\n\n".join(f"{message.role.value}: {message.content}" for message in messages)
    tokens = int(model.context_tokens() * _SHARE_OF_CONTEXT)
    most = min(tokens * SAFE_CHARACTERS_A_TOKEN, _LONGEST_TRANSCRIPT)
    head = most // 3
    return whole if len(whole) <= most else f"{whole[:head]}\n\n[…]\n\n{whole[head - most :]}"


_MOST_RELATED = 4


@dataclass(frozen=True, slots=True)
class CitedSource:
    citation: Citation
    times: int


@dataclass(frozen=True, slots=True)
class SessionPage:
    session: Session
    sources: Sequence[CitedSource] = ()
    facts: Sequence[Fact] = ()
    preferences: Sequence[Preference] = ()
    usage: Usage = NO_USAGE
    describing_model: str = ""
    """The model that wrote the description; empty if none did."""
    related: Sequence[Suggestion] = ()
    diary: date | None = None


@dataclass(frozen=True, slots=True)
class SessionPages:
    """Every method may raise StorageError and SessionUnknownError."""

    _archive: Archive
    related: RelatedSessions

    def read(self, session_id: SessionId) -> SessionPage:
        archive = self._archive
        session = archive.sessions.session(session_id)
        is_by_model = session.described_by is DescribedBy.MODEL
        return SessionPage(
            session=session,
            sources=self._sources(session_id),
            facts=archive.facts.facts(FactFilter(EVERYTHING, session_id=session_id)),
            preferences=archive.preferences.of_session(session_id),
            usage=sum(archive.answers.usage(session_id).values(), NO_USAGE),
            describing_model=archive.answers.describing_model(session_id) if is_by_model else "",
            related=self.related.suggest(
                " ".join((session.shown_title, *session.topics)),
                archive.projects.wall(session.project),
                besides=[session_id],
                limit=_MOST_RELATED,
            ),
            diary=archive.diary.day_of(session_id),
        )

    def correct(
        self, session_id: SessionId, part: str, words: str | Sequence[str]
    ) -> Change[Description] | None:
        """Write the title, summary or topics of the user; no later description changes them.

        Returns None if nothing is different. Raises SharedReadOnlyError.
        """
        self._archive.shared.check_own([session_id])
        before = self._archive.descriptions.described(session_id)
        corrected = tuple(dict.fromkeys((*before.corrected, part)))
        if not isinstance(words, str):
            named = dict.fromkeys(filter(None, (" ".join(word.split()) for word in words)))
            after = replace(before, topics=tuple(named), corrected=corrected)
        elif part == "summary":
            after = replace(before, summary=words.strip(), corrected=corrected)
        else:
            title = " ".join(words.split()) or before.title
            after = replace(before, title=title, by=DescribedBy.USER)
        versions = [
            (description.title, description.summary, tuple(description.topics))
            for description in (before, after)
        ]
        if versions[0] == versions[1]:
            return None

        def write(description: Description) -> Description:
            self._archive.descriptions.write(session_id, description)
            return description

        return Change(write(after), lambda: write(before))

    def _sources(self, session_id: SessionId) -> list[CitedSource]:
        sources: dict[str, CitedSource] = {}
        for citations in self._archive.answers.citations(session_id).values():
            for citation in citations:
                if citation.title and citation.source_id != session_id:
                    source = sources.get(citation.source_id) or CitedSource(citation, 0)
                    sources[citation.source_id] = replace(source, times=source.times + 1)
        return sorted(sources.values(), key=lambda source: -source.times)
