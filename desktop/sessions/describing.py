"""Title, summary and topics of ended sessions: by the summarising model, else by extraction."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop.domain.errors import (
    ContextTooLongError,
    LlmError,
    RefusedError,
    ReplyInvalidError,
    RequestRejectedError,
)
from desktop.domain.language import Language
from desktop.domain.messages import Message, Role
from desktop.domain.model import JsonValue, Model, ModelRequest, RequestMessage
from desktop.domain.sessions import DescribedBy, Description, Session
from desktop.domain.usage import Purpose
from desktop.language.extraction import describe as extract
from desktop.language.phrases import PhraseLists
from desktop.sessions.wording import Wording
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "summary": {"type": "string"},
        "topics": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["title", "summary", "topics"],
    "additionalProperties": False,
}
_WILL_NOT_PASS = (ReplyInvalidError, RefusedError, ContextTooLongError, RequestRejectedError)
_LONGEST_TITLE = 80
_LONGEST_TOPIC = 60
_FEWEST_TOPICS, _MOST_TOPICS = 3, 7
_SHARE_OF_CONTEXT = 0.5
_CHARACTERS_A_TOKEN = 3
_LONGEST_TRANSCRIPT = 120_000
_TOKENS_AROUND = 1_500
"""The instructions, the schema and the reply."""


@dataclass(frozen=True, slots=True)
class Describer:
    """Describes and indexes; run on a background thread, never in the way of a turn."""

    archive: Archive
    model: Callable[[], Model | None]
    """The summarising role's, or None where there is none or the user wants extraction."""
    wording: Callable[[Language], Wording]
    phrases: Callable[[], PhraseLists]
    default_language: Callable[[], Language]

    def describe_due(self, should_stop: Callable[[], bool]) -> Iterator[Session]:
        """Index and describe what is still owed, newest first; raises StorageError.

        Yields each session that got a description. Indexing comes first, so that everything can
        be found before the first request leaves.
        """
        self._index_all(should_stop)
        model = self.model()
        is_reachable = True
        for session in self.archive.sessions.undescribed():
            if should_stop():
                return
            try:
                is_new = self._describe(
                    session, model if is_reachable else None, is_final=is_reachable
                )
            except LlmError as exc:
                # Nor would it answer for the next: they are all extracted now and asked for later.
                log.info("sessions will be described again later: %s", exc.key)
                is_reachable = False
                is_new = self._describe(session, None, is_final=False)
            if is_new:
                yield self.archive.sessions.session(session.id)
        self._index_all(should_stop)

    def describe_imported(
        self, should_stop: Callable[[], bool], budget_tokens: int
    ) -> Iterator[Session]:
        """Have the model describe imported sessions until the budget, of all time, is spent.

        A title that the file gave stays. Raises StorageError.
        """
        model = self.model() if budget_tokens else None
        while model is not None and not should_stop():
            left = budget_tokens - self.archive.answers.spent_tokens(Purpose.DESCRIBE_IMPORT)
            sessions = self.archive.sessions.imported_undescribed(1)
            if not sessions or not self._fits(sessions[0], model, left):
                break
            try:
                self._describe_imported(sessions[0], model)
            except LlmError as exc:
                log.info("imported sessions will be described later: %s", exc.key)
                break
            yield self.archive.sessions.session(sessions[0].id)
        self._index_all(should_stop)

    def _fits(self, session: Session, model: Model, left: int) -> bool:
        """Whether the request and its reply, guessed on the safe side, are within what is left."""
        messages = self.archive.sessions.messages(session.id)
        letters = len(transcript(messages, _characters(model)))
        return letters // _CHARACTERS_A_TOKEN + _TOKENS_AROUND <= left

    def _describe_imported(self, session: Session, model: Model) -> None:
        messages = self.archive.sessions.messages(session.id)
        language = session.language or self.default_language()
        try:
            found = self._ask(model, session, messages, language, Purpose.DESCRIBE_IMPORT)
        except _WILL_NOT_PASS as exc:
            log.warning("an imported session keeps what was extracted: %s", exc.key)
            self.archive.sessions.keep_description(session.id)
            return
        if session.described_by is DescribedBy.IMPORT and session.title:
            found = replace(found, title=session.title)
        self._keep(session, found, is_final=True)

    def _index_all(self, should_stop: Callable[[], bool]) -> None:
        for session_id in self.archive.index.unindexed():
            if should_stop():
                return
            self.archive.index.index_session(session_id)

    def _describe(self, session: Session, model: Model | None, *, is_final: bool) -> bool:
        """Whether there is something new to be told; raises LlmError for what may pass."""
        has_better = _is_described_by_more_than_extraction(session)
        if has_better and model is None:
            return False  # Still due: a model may write it anew.
        messages = self.archive.sessions.messages(session.id)
        language = session.language or self.default_language()
        if model is not None:
            try:
                self._keep(session, self._ask(model, session, messages, language), is_final=True)
            except _WILL_NOT_PASS as exc:
                log.warning("a session is not described by the model: %s", exc.key)
            else:
                return True
        if has_better:
            self._keep(session, _description_of(session), is_final=True)
            return False
        extracted = self._extract(messages, language)
        self._keep(session, extracted, is_final=is_final)
        return (session.summary, tuple(session.topics)) != (extracted.summary, extracted.topics)

    def _keep(self, session: Session, description: Description, *, is_final: bool) -> None:
        self.archive.sessions.describe(session.id, description, is_due_again=not is_final)

    def _extract(self, messages: Sequence[Message], language: Language) -> Description:
        said = [(message.role.value, message.content) for message in messages]
        return extract(said, language, self.phrases())

    def _ask(
        self,
        model: Model,
        session: Session,
        messages: Sequence[Message],
        language: Language,
        purpose: Purpose = Purpose.DESCRIBE,
    ) -> Description:
        """One structured request, and one more where the first reply does not validate."""
        instructions = self.wording(language).describe
        said = RequestMessage(Role.USER, transcript(messages, _characters(model)))
        request = ModelRequest(instructions, (said,), max_output_tokens=1024)
        try:
            return self._ask_once(model, session, request, purpose)
        except ReplyInvalidError as exc:
            reason = str(exc.values.get("detail", "it does not have the form that was asked for"))
            again = ModelRequest(
                instructions, (said,), changing=f"[{reason}]", max_output_tokens=1024
            )
            return self._ask_once(model, session, again, purpose)

    def _ask_once(
        self, model: Model, session: Session, request: ModelRequest, purpose: Purpose
    ) -> Description:
        reply, usage = model.ask_json(request, SCHEMA)
        self.archive.answers.count_usage(session.id, usage, purpose=purpose, model=model.name)
        return validated(reply)


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


def validated(reply: JsonValue) -> Description:
    """Raises ReplyInvalidError; `detail` says what is wrong, in words of ours alone."""
    if not isinstance(reply, Mapping):
        raise ReplyInvalidError(detail="not a JSON object")
    title, summary, topics = (reply.get(name) for name in ("title", "summary", "topics"))
    if not isinstance(title, str) or not title.strip():
        raise ReplyInvalidError(detail="title is missing")
    if len(title) > _LONGEST_TITLE:
        raise ReplyInvalidError(detail=f"title is longer than {_LONGEST_TITLE} characters")
    if not isinstance(summary, str) or not summary.strip():
        raise ReplyInvalidError(detail="summary is missing")
    return Description(
        " ".join(title.split()), summary.strip(), _valid_topics(topics), DescribedBy.MODEL
    )


def _valid_topics(topics: JsonValue) -> tuple[str, ...]:
    if isinstance(topics, str) or not isinstance(topics, Sequence):
        raise ReplyInvalidError(detail="topics is not a list")
    names = [topic for topic in topics if isinstance(topic, str) and topic.strip()]
    kept = tuple(dict.fromkeys(" ".join(name.split()) for name in names))
    if len(kept) < _FEWEST_TOPICS or any(len(name) > _LONGEST_TOPIC for name in kept):
        raise ReplyInvalidError(detail=f"topics are not {_FEWEST_TOPICS} to {_MOST_TOPICS} names")
    return kept[:_MOST_TOPICS]


def transcript(messages: Sequence[Message], most_characters: int) -> str:
    """The session as one text; where it is too long its beginning and, twice as long, its end."""
    whole = "\n\n".join(f"{message.role.value}: {message.content}" for message in messages)
    if len(whole) <= most_characters:
        return whole
    head = most_characters // 3
    return f"{whole[:head]}\n\n[…]\n\n{whole[head - most_characters :]}"


def _characters(model: Model) -> int:
    tokens = int(model.context_tokens() * _SHARE_OF_CONTEXT)
    return min(tokens * _CHARACTERS_A_TOKEN, _LONGEST_TRANSCRIPT)
