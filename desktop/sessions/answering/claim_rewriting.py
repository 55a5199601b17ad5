"""Writes an answer again without the claims that its sources do not say.

One request: it has the answer and these claims, and no conversation and no tools. The marks that
stay lead to the same citations as before.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.domain.claims import JudgedClaim, Support
from desktop.domain.errors import LlmError
from desktop.domain.events import Outcome, TurnEnded
from desktop.domain.messages import Citation, Message, MessageState, Role
from desktop.domain.model import CUT_OFF, Instead, Model, ModelRequest, RequestMessage
from desktop.domain.usage import NO_USAGE
from desktop.language.sentences import plain_text
from desktop.research.citations.url_allowlist import UNKNOWN
from desktop.sessions.answering.answer_lifecycle import AnswerDraft, Exchange
from desktop.sessions.conversation.assistant_context import AssistantContext

_MARK = re.compile(r"\[(\d{1,3})\](?!\()")


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
        return _MARK.sub(lambda mark: mark[0] if int(mark[1]) in numbers else UNKNOWN, text)

    def _kept(self, text: str) -> list[Citation]:
        numbers = {int(mark[1]) for mark in _MARK.finditer(text)}
        return [
            replace(citation, support=Support.UNTESTED, support_words="")
            for citation in self.citations
            if citation.number in numbers
        ]
