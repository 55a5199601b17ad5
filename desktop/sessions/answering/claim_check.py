"""Checks the claims of complete answers by the passages that they cite, off the turn.

What is due can be read off the rows, so a crash or a restart only postpones it. The request of an
answer has no conversation and no tools; rules without a model add warnings. So has the one request
that writes an answer again without the claims that its sources do not say: the marks that stay
lead to the same citations as before.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock

from desktop.domain.claims import ClaimReview, DueCheck, JudgedClaim, Support
from desktop.domain.endpoints import EndpointId, ModelRole
from desktop.domain.errors import CheckingModelMissingError, DailyCapError, LlmError
from desktop.domain.events import Outcome, TurnEnded
from desktop.domain.ids import MessageId, SessionId, SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.domain.messages import Citation, Message, MessageState, Role, with_support
from desktop.domain.model import CUT_OFF, Instead, Model, ModelRequest, RequestMessage
from desktop.domain.projects import Wall
from desktop.domain.usage import NO_USAGE, Purpose, Usage
from desktop.language.links import CITE_MARK
from desktop.language.sentences import plain_text
from desktop.research.citations import claim_judge
from desktop.research.citations.claim_judge import CitingClaim, ClaimJudgement, number_cited
from desktop.research.citations.claim_rules import AnswerClaim, find_warnings, split_claims
from desktop.research.citations.url_allowlist import UNKNOWN
from desktop.research.passages import Passage
from desktop.research.tiers.budget import CancellationToken, max_request_tokens
from desktop.research.tiers.passage_store import cited_passage
from desktop.research.tiers.run import ContextSizes
from desktop.sessions.answering.answer_lifecycle import AnswerDraft, Exchange
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.conversation.compacting import WILL_NOT_PASS
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_Place = tuple[str, str]  # A source or session, and its passage or message
_LENGTH = 1  # Of the excerpts that are not used
_OWN_HEADINGS = ("doubts_heading", "disagree_heading", "open_heading", "sources_heading")
"""Of the sections that the program adds to a report: their words are no claims of its writer."""


@dataclass(frozen=True, slots=True)
class CheckedClaims:
    """What was found out about the claims of an answer."""

    session_id: SessionId
    message_id: MessageId
    review: ClaimReview
    citations: Sequence[Citation]  # With what they do for the claims
    usage: Usage = NO_USAGE


@dataclass(slots=True)
class ClaimChecker:
    """Any thread may call; every method may wait for the disk and raise StorageError."""

    _archive: Archive
    _context: AssistantContext
    _running: dict[MessageId, tuple[SessionId, CancellationToken, bool]] = field(
        default_factory=dict
    )
    """With whether somebody waits for the check."""
    _lock: Lock = field(default_factory=Lock)
    _has_failed: bool = False  # Whether the model of the last check by request was unreachable

    def check_due(self, should_stop: Callable[[], bool]) -> Iterator[CheckedClaims]:
        """Check what is due, newest first; yield each answer that was checked.

        What needs a model that cannot be reached stays due, and so does all at the day's cap.
        """
        has_failed, self._has_failed = self._has_failed, False
        unreachable: set[EndpointId] = set()
        for due in self._archive.claims.due():
            if should_stop() or has_failed:
                return
            try:
                checked = self._check(due, unreachable=unreachable)
            except DailyCapError:
                return
            except LlmError as exc:
                log.info("claims will be checked later: %s", exc.key)
                continue
            if checked is not None:
                yield checked

    def check(
        self,
        message_id: MessageId,
        hold: Callable[[CancellationToken], None] = lambda _: None,
        *,
        is_wanted: bool = False,
    ) -> CheckedClaims | None:
        """Check one answer if it is due; None if it is not. Raises LlmError.

        `is_wanted`: the user asks for it, so it is due, and a model is asked. `hold` gets what
        stops it; a check that was stopped so stays untested.
        """
        if is_wanted:
            self._archive.claims.request(message_id)
        due = next((d for d in self._archive.claims.due() if d.message_id == message_id), None)
        try:
            return self._check(due, hold, is_wanted=is_wanted) if due else None
        except LlmError:
            self._has_failed = True
            raise

    def stop(self, session_ids: Sequence[SessionId] | None = None) -> None:
        """Stop the checks of these sessions; they stay due. Never blocks.

        None: all checks that nobody waits for, as an answer waits for their model.
        """
        with self._lock:
            running = list(self._running.values())
        for session_id, token, is_awaited in running:
            if (not is_awaited) if session_ids is None else (session_id in session_ids):
                token.stop()

    def _check(
        self,
        due: DueCheck,
        hold: Callable[[CancellationToken], None] | None = None,
        *,
        is_wanted: bool = False,
        unreachable: set[EndpointId] | None = None,
    ) -> CheckedClaims | None:
        """Check an answer; None if it is not. An endpoint that fails becomes `unreachable`."""
        with self._token(due, is_awaited=hold is not None) as token:
            if token is None:
                return None
            if hold is not None:
                hold(token)
            answer = self._read(due)
            if answer is None:
                return None
            model = None
            if due.asks_model:
                model = self._model(due, answer.citations, is_wanted=is_wanted)
            with _noting(model, unreachable if unreachable is not None else set()) as may_ask:
                if not may_ask:
                    return None
                judgements, usage = self._judge(model, due, answer.citing, token)
            if token.is_over() and hold is None:
                return None
            judged = list(map(answer.judged, range(len(answer.claims)), judgements))
            name = model.name if model else ""
            if not self._archive.claims.keep(due.message_id, judged, name):
                return None
            review = ClaimReview(judged, name, self._context.now())
            citations = with_support(answer.citations, judged)
            return CheckedClaims(due.session_id, due.message_id, review, citations, usage)

    @contextmanager
    def _token(self, due: DueCheck, *, is_awaited: bool) -> Iterator[CancellationToken | None]:
        """Yield what stops the check; None if another thread makes it."""
        token = CancellationToken()
        with self._lock:
            is_free = due.message_id not in self._running
            if is_free:
                self._running[due.message_id] = (due.session_id, token, is_awaited)
        try:
            yield token if is_free else None
        finally:
            if is_free:
                with self._lock:
                    del self._running[due.message_id]

    def _model(self, due: DueCheck, cited: Sequence[Citation], *, is_wanted: bool) -> Model | None:
        """Return the model that may read the session and all that it cites."""
        archive = self._archive
        session = archive.sessions.session(due.session_id)
        places = archive.projects.places([SourceId(citation.source_id) for citation in cited])
        walls = [Wall(project) for project in (session.project, *places.values())]
        strict = (wall for wall in walls if archive.projects.is_local_only(wall))
        wall, context = next(strict, walls[0]), self._context
        if is_wanted:
            if (model := context.model(ModelRole.CHECKING, wall)) is None:
                raise CheckingModelMissingError
            return model
        return context.background(ModelRole.CHECKING, wall, Purpose.CLAIMS)

    def _own_text(self, content: str) -> str:
        """Return an answer without the sections that the program added to a report."""
        headings = (
            f"\n## {self._context.wording(language).texts.say(f'research.{name}')}\n"
            for language in Language
            for name in _OWN_HEADINGS
        )
        ends = [at for heading in headings if (at := content.find(heading)) >= 0]
        return content[: min(ends, default=len(content))]

    def _read(self, due: DueCheck) -> "_CitingAnswer | None":
        """Return the claims of an answer with the cited passages that still exist, each once."""
        messages = self._archive.sessions.messages(due.session_id)
        message = next((m for m in messages if m.id == due.message_id), None)
        if message is None:
            return None
        cited = self._archive.answers.citations(due.session_id).get(due.message_id, [])
        numbers = frozenset(citation.number for citation in cited)
        claims = split_claims(self._own_text(message.content), numbers)
        about = {
            citation: " ".join(
                (citation.quote, *(c.text for c in claims if citation.number in c.numbers))
            )
            for citation in cited
            if any(citation.number in claim.numbers for claim in claims)
        }
        stored = (
            (cited_passage(self._archive, citation, "", _LENGTH), words)
            for citation, words in about.items()
        )
        passages = number_cited(
            (passage, words) for passage, words in stored if passage and passage.stored.strip()
        )
        return _CitingAnswer(claims, cited, passages)

    def _judge(
        self,
        model: Model | None,
        due: DueCheck,
        claims: Sequence[CitingClaim],
        token: CancellationToken,
    ) -> tuple[list[ClaimJudgement], Usage]:
        """Ask for all claims at once, as far as context and budget go. Raises LlmError.

        A claim without a passage stays untested, and no request is made for it.
        """
        citing = [claim for claim in claims if claim.passages]
        judgements: list[ClaimJudgement] = []
        spent = NO_USAGE
        if model is not None:
            tokens, context = self._context.settings().claim_tokens, model.context_tokens()
            room, most = ContextSizes.of(context).room, claim_judge.most_claims(context)
            for batch in claim_judge.batches(citing, room, most):
                affordable, request = self._affordable(batch, tokens)
                if request is None or token.is_over():
                    break
                value, usage = self._ask(model, request, due, token)
                judgements += claim_judge.parse_judgements(value, affordable)
                spent += usage
                tokens -= usage.total_tokens or _most_tokens(request)
                if len(affordable) < len(batch):
                    break
        left = iter(judgements)
        untested = ClaimJudgement()
        return [next(left, untested) if each.passages else untested for each in claims], spent

    def _affordable(
        self, batch: Sequence[CitingClaim], tokens: int
    ) -> tuple[Sequence[CitingClaim], ModelRequest | None]:
        """Return the first claims whose request stays within the budget, and the request."""
        wording = self._context.own_wording()
        while batch:
            request = ModelRequest(
                wording.instructions(claim_judge.INSTRUCTIONS),
                (RequestMessage(Role.USER, claim_judge.request_text(batch, wording.texts)),),
                max_output_tokens=claim_judge.output_tokens(len(batch)),
            )
            if _most_tokens(request) <= tokens:
                return batch, request
            batch = batch[: len(batch) // 2]
        return batch, None

    def _ask(
        self, model: Model, request: ModelRequest, due: DueCheck, token: CancellationToken
    ) -> tuple[JsonValue, Usage]:
        """Return the reply; None if the model refuses, writes junk or is stopped.

        Raises other LlmErrors.
        """
        usage = NO_USAGE
        with token.holding() as (streams, hold):
            try:
                value, usage = model.ask_json(request, claim_judge.SCHEMA, hold)
            except LlmError as exc:
                usage = sum((stream.usage for stream in streams), start=NO_USAGE)
                if not isinstance(exc, WILL_NOT_PASS) and not token.is_over():
                    raise
                log.info("claims stay untested: %s", exc.key)
                value = None
            finally:
                self._archive.answers.count_usage(
                    due.session_id,
                    usage,
                    purpose=Purpose.CLAIMS,
                    model=model.name,
                    message_id=due.message_id,
                )
        return value, usage


@contextmanager
def _noting(model: Model | None, unreachable: set[EndpointId]) -> Iterator[bool]:
    """Yield whether the model's endpoint can be reached; note it if it cannot."""
    place = model.endpoint.id if model else None
    try:
        yield place not in unreachable
    except LlmError:
        unreachable |= {place} if place else set()
        raise


def _most_tokens(request: ModelRequest) -> int:
    return max_request_tokens(request) + request.max_output_tokens


@dataclass(frozen=True, slots=True)
class _CitingAnswer:
    """An answer's claims, its citations, and the cited passages that still exist."""

    claims: Sequence[AnswerClaim]
    citations: Sequence[Citation]
    passages: Mapping[_Place, Passage]  # Numbered as the request has them

    @property
    def citing(self) -> list[CitingClaim]:
        return [CitingClaim(claim.text, self._cited_by(claim)) for claim in self.claims]

    def judged(self, place: int, judgement: ClaimJudgement) -> JudgedClaim:
        """Return a claim with its judgement, and the warnings of the rules."""
        claim = self.claims[place]
        cited = self._cited_by(claim)
        numbers = self._numbers()
        return JudgedClaim(
            claim.start,
            claim.end,
            tuple(judgement.of(number, numbers.get(number), cited) for number in claim.numbers),
            find_warnings(claim.text, list(cited.values())),
        )

    def _numbers(self) -> dict[int, int]:
        """Return the numbers of the passages by those of the citations."""
        return {
            citation.number: passage.number
            for citation in self.citations
            if (passage := self.passages.get((citation.source_id, citation.passage_id)))
        }

    def _cited_by(self, claim: AnswerClaim) -> dict[int, Passage]:
        numbers = self._numbers()
        by_number = {passage.number: passage for passage in self.passages.values()}
        wanted = dict.fromkeys(numbers[n] for n in claim.numbers if n in numbers)
        return {number: by_number[number] for number in wanted}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRewriter:
    """Writes the next version of one answer. May raise StorageError."""

    exchange: Exchange
    context: AssistantContext
    model: Model
    before: Message
    citations: Sequence[Citation]
    left_out: Sequence[JudgedClaim]

    def write(self) -> TurnEnded:
        exchange = self.exchange
        draft = exchange.begin_answer(self.model.name)
        if draft is None:
            return exchange.turn.end(Outcome.STOPPED)
        state, error, usage = MessageState.FAILED, None, NO_USAGE
        try:
            with self.model.stream(self._request()) as stream:
                exchange.turn.hold(stream)
                try:
                    for piece in stream:
                        self._show(draft, piece)
                    draft.is_cut = stream.reply().stop_reason == CUT_OFF
                finally:
                    usage = stream.usage
                    exchange.turn.hold(None)
            exchange.show_instead(draft, self._checked(draft.text))
            state = MessageState.COMPLETE
        except LlmError as exc:
            error = exc
        return exchange.end_answer(draft, state, self._kept(draft.text), usage=usage, error=error)

    def _show(self, draft: AnswerDraft, piece: str) -> None:
        if isinstance(piece, Instead):
            self.exchange.show_instead(draft, "")
        self.exchange.show(draft, piece)

    def _request(self) -> ModelRequest:
        wording = self.context.own_wording()
        claims = [
            wording.texts.say("research.claim", number=number, claim=plain_text(self._text(claim)))
            for number, claim in enumerate(self.left_out, start=1)
        ]
        heading = wording.texts.say("research.leave_out")
        text = "\n".join([self.before.content, "", "---", heading, *claims])
        return ModelRequest(
            wording.instructions("rewrite_claims"), (RequestMessage(Role.USER, text),)
        )

    def _text(self, claim: JudgedClaim) -> str:
        return self.before.content[claim.start : claim.end]

    def _checked(self, text: str) -> str:
        """Return the text with marks that lead somewhere; cut by the program if it is empty."""
        if not text.strip():
            text = self.before.content
            for claim in sorted(self.left_out, key=lambda claim: -claim.start):
                text = text[: claim.start] + text[claim.end :].lstrip(" ")
        numbers = {citation.number for citation in self.citations}
        return CITE_MARK.sub(lambda mark: mark[0] if int(mark[1]) in numbers else UNKNOWN, text)

    def _kept(self, text: str) -> list[Citation]:
        numbers = {int(mark[1]) for mark in CITE_MARK.finditer(text)}
        return [
            replace(citation, support=Support.UNTESTED, support_words="")
            for citation in self.citations
            if citation.number in numbers
        ]
