"""The quality gate: checks a finished answer, and has it written once more if it has to be.

Streaming never waits for it. An answer that fails stays as a version. One that fails twice is kept
with a note about what is wrong, or is replaced by a sentence that says so.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import StorageError
from desktop.domain.events import (
    AnswerRejected,
    CitationArrived,
    Outcome,
    Status,
    TextArrived,
    ToolCalled,
    ToolState,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.messages import NO_MODEL, Role
from desktop.domain.model import Model
from desktop.domain.routing import Guard
from desktop.domain.turn_phases import Phase, PhaseOutcome
from desktop.domain.usage import NO_USAGE, Purpose, Usage
from desktop.research.answer_checks import (
    CheckedAnswer,
    CheckResult,
    Fault,
    check_answer,
    names_a_language,
)
from desktop.research.passages import Passage
from desktop.research.quick_classifier import QuickRole
from desktop.research.tiers.extractive_report import CitedText
from desktop.research.tools.registry import ToolRegistry
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.assistant_context import AssistantContext
from desktop.settings.messages import Texts
from desktop.settings.settings import USUAL_PERSONA, Settings
from desktop.storage.answer_records import AnswerRecord
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_ANSWER_SHOWN = 1_500
"""Letters of an answer that the quick model is given."""
_INSTEAD = {
    Fault.LEAKED: "fallback.not_allowed",
    Fault.EMPTY: "fallback.cannot",
    Fault.UNFOUNDED: "fallback.unknown",
}
"""What stands in the place of an answer that failed twice."""
_BESIDE = {
    Fault.CUT: "fallback.cut",
    Fault.CIRCLING: "fallback.circling",
    Fault.LANGUAGE: "fallback.language",
    Fault.PART_MISSING: "fallback.need_to_know",
    Fault.TOOL_FAILURE: "fallback.tool_failed",
    Fault.PERSONA: "fallback.persona",
}


@dataclass(frozen=True, slots=True)
class AnswerAccount:
    """What the gate knows of an answer besides its words; the defaults fit a direct answer."""

    is_written: bool = True
    """By a model: what only quotes needs no looking over."""
    text: str | None = None
    """What of the answer the model wrote; None: all of it."""
    is_report: bool = False
    """Long, dear, and with what stayed open below it: only what is certainly wrong counts."""
    is_looked_up: bool = False
    """It was to rest on what a search brought."""
    given: Sequence[Passage] = ()
    """What the search brought, as it went into the request."""
    told: Sequence[str] = ()
    """What the model was told to do with that."""
    failed: Sequence[str] = ()
    """What could not be searched or read, in the reader's words."""
    worked: int = 0
    """How much could be."""
    usage: Usage | None = None
    """Of the phase that its end ends; None: the whole of the answer's own."""
    can_try_again: bool = True
    """Whether what was set beforehand leaves room for another."""
    instead: Callable[[], CitedText] | None = None
    """What is still there where the text has to give way."""


@dataclass(slots=True)
class _Calls:
    """The tool calls made while an answer was written."""

    before: Mapping[str, ToolState] = field(default_factory=dict)
    """How calls ended for the rejected answer before: what failed then is still to be admitted."""
    last: dict[str, ToolState] = field(default_factory=dict)
    """By the tool's name, how its last call ended."""
    asked_about: set[str] = field(default_factory=set)
    """Calls that the user was asked about: whoever declined one knows that it was not made."""
    worked: int = 0

    def add(self, event: TurnEvent) -> None:
        if not isinstance(event, ToolCalled):
            return
        if event.state is ToolState.ASKING:
            self.asked_about.add(event.call_id)
        if event.state is ToolState.DONE:
            self.worked += 1
        elif event.state is not ToolState.FAILED or event.call_id in self.asked_about:
            return
        self.last[event.name] = event.state

    @property
    def failed(self) -> list[str]:
        calls = {**self.before, **self.last}
        return [name for name, state in calls.items() if state is ToolState.FAILED]


@dataclass(frozen=True, slots=True)
class QualityGate:
    archive: Archive
    around: AssistantContext
    tools: ToolRegistry
    wishes: Callable[[], Sequence[str]]
    """How the user wants to be answered, as it is remembered."""
    known: Callable[[Guard, AnswerContext], str]
    """What the application itself answers to what it guards."""

    def begin(self, context: AnswerContext) -> "Review":
        """The review of one question's answers."""
        return Review(self, context)

    def check(
        self, review: "Review", ended: TurnEnded, account: AnswerAccount
    ) -> tuple[list[CheckResult], Usage]:
        """What is wrong with an answer, and what it cost to find out. Raises StorageError."""
        context = review.context
        looked = self._looked(context, review.calls, ended, account)
        found = check_answer(looked, self.around.phrases())
        if any(one.fault is Fault.LANGUAGE for one in found) and self._is_language_wished():
            found = tuple(one for one in found if one.fault is not Fault.LANGUAGE)
        sure = [one for one in found if one.is_sure]
        if sure or account.is_report:
            return sure, NO_USAGE
        counter = _Counter(self.archive, context.active, NO_USAGE)
        model = self.around.model(ModelRole.QUICK) if found else None
        if model is None:
            return [], NO_USAGE
        quick = QuickRole(model, counter.count)
        confirmed = [one for one in found if self._is_confirmed(one, looked.answer, quick)]
        return confirmed, counter.spent

    def has_to_check(self, ended: TurnEnded) -> bool:
        return (
            ended.outcome is Outcome.COMPLETE
            and ended.message_id is not None
            and self.around.settings().checks_answers
        )

    def _looked(
        self,
        context: AnswerContext,
        calls: "_Calls",
        ended: TurnEnded,
        account: AnswerAccount,
    ) -> CheckedAnswer:
        wording, settings = self.around.own_wording(), self.around.settings()
        texts = wording.texts
        # A model that calls what it was not offered has nothing to admit.
        offered = self._offered(context)
        failed = [texts.say(f"tools.{name}") for name in calls.failed if name in offered]
        model = self.around.model(ModelRole.ANSWERING)
        return CheckedAnswer(
            question=context.question,
            answer=ended.text if account.text is None else account.text,
            now=self.around.now(),
            # What the application knows stands above a report in its own words.
            guard=None if account.is_report else context.work.guard,
            system_texts=(
                wording.assistant,
                texts.say("guard.lead"),
                texts.say("recall.rules"),
                *account.told,
            ),
            internal_names=[one.name for one in self.tools.tools if one.has_telling_name],
            failed_tools=[*failed, *account.failed],
            calls_that_worked=calls.worked + account.worked,
            could_not_keep="memory_save" in calls.failed,
            is_cut=ended.is_cut,
            has_own_persona=settings.persona != USUAL_PERSONA,
            may_change_language=_names_a_language(context.active, settings),
            model=model.name if model else "",
            given=[one.text for one in account.given],
            found_nothing=account.is_looked_up and not account.given,
            said=[one.content for one in context.active.messages[:-1]],
        )

    def _offered(self, context: AnswerContext) -> list[str]:
        tools = self.tools.for_session(is_temporary=context.is_temporary)
        return [one.name for one in tools.offered(self.around.own_wording().texts)]

    def _is_language_wished(self) -> bool:
        """Whether a language is among what is remembered of the user's wishes."""
        try:
            return any(map(names_a_language, self.wishes()))
        except StorageError as exc:
            log.info("the wishes for answers could not be read: %s", exc.key)
            return True

    def _is_confirmed(self, finding: CheckResult, answer: str, quick: QuickRole) -> bool:
        wording = self.around.own_wording()
        shown = answer[:_ANSWER_SHOWN]
        if finding.fault is Fault.TOOL_FAILURE:
            about = wording.texts.say("quality.judge_failure", tool=finding.about, answer=shown)
        else:
            about = wording.texts.say("quality.judge_part", part=finding.about, answer=shown)
        return quick.choose(wording.judge, about, ("yes", "no")) == "no"

    def reject(
        self, context: AnswerContext, findings: Sequence[CheckResult], ended: TurnEnded
    ) -> str:
        """Take the answer off the path: it stays as a version. Returns why, for the next request.

        The reason is written in the question's language.
        """
        texts = self._texts_of(context.question)
        if ended.message_id is not None:
            context.active.leave(ended.message_id)
            faults = tuple(dict.fromkeys(one.fault.value for one in findings))
            why = "; ".join(texts.say(f"quality.{fault}") for fault in faults)
            said = texts.say("fallback.try_again", why=why)
            turn = context.turn
            turn.emit(AnswerRejected(turn.id, ended.message_id, faults, said))
            turn.set_status(Status.RETRYING)
        whys = [
            texts.say(f"quality.retry_{one.fault.value}", part=one.about, tool=one.about)
            for one in findings
        ]
        return texts.say("quality.retry", why="; ".join(dict.fromkeys(whys)))

    def fall_back(
        self,
        context: AnswerContext,
        findings: Sequence[CheckResult],
        ended: TurnEnded,
        account: AnswerAccount,
    ) -> TurnEnded:
        """Say what is wrong, beside the answer or in its place."""
        message_id, active, turn = ended.message_id, context.active, context.turn
        if message_id is None:
            return ended
        texts = self._texts_of(context.question)
        instead = next((key for fault, key in _INSTEAD.items() if _has(fault, findings)), None)
        if instead is not None:
            still = account.instead() if account.instead else CitedText("")
            said = added = "\n\n".join(filter(None, (texts.say(instead), still.text)))
            ended = replace(ended, citations=still.citations)
            active.record(AnswerRecord(message_id, NO_MODEL, still.citations, NO_USAGE))
        else:
            notes = [
                self._own_answer(one, context)
                or f"*{texts.say(_BESIDE[one.fault], part=one.about, tool=one.about)}*"
                for one in findings
            ]
            added = "\n\n" + "\n\n".join(dict.fromkeys(notes))
            said = f"{ended.text}{added}"
        shown = replace(active.message(message_id), content=said)
        # No model wrote what stands in its place: it is never quoted later as an answer.
        active.replace(replace(shown, model=NO_MODEL) if instead else shown)
        if not _is_saved(active):
            turn.set_status(Status.SAVING_LATER)
        turn.emit(TextArrived(turn.id, message_id, added))
        for citation in ended.citations if instead else ():
            turn.emit(CitationArrived(turn.id, message_id, citation))
        return replace(ended, text=said)

    def _own_answer(self, finding: CheckResult, context: AnswerContext) -> str:
        """To a part that the model left out twice, and that the application can answer."""
        if finding.topic is None:
            return ""
        try:
            return self.known(Guard((finding.topic,), finding.about), context)
        except StorageError as exc:
            log.info("what the application knows could not be read: %s", exc.key)
            return ""

    def _texts_of(self, question: str) -> Texts:
        return self.around.wording_of(question).texts


@dataclass(slots=True)
class Review:
    """The answers to one question: at most two are written, and each is checked."""

    gate: QualityGate
    context: AnswerContext
    reason: str = ""
    """What was wrong with the answer before; empty for the first."""
    calls: _Calls = field(default_factory=_Calls)
    _spent: Usage = NO_USAGE
    _is_last: bool = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the tool calls of an answer while it is written."""
        self.calls = _Calls(before=self.calls.last)
        with self.context.turn.listening(self.calls.add):
            yield

    def check(self, ended: TurnEnded, account: AnswerAccount) -> TurnEnded | None:
        """The end of the turn; None where the answer has to be written once more.

        The last phase of the answer is open. Raises StorageError.
        """
        turn, gate = self.context.turn, self.gate
        self._spent += ended.usage
        of_phase = ended.usage if account.usage is None else account.usage
        turn.end_phase(_OUTCOMES[ended.outcome], usage=of_phase, count=len(self.calls.last))
        if not (account.is_written and gate.has_to_check(ended)):
            return replace(ended, usage=self._spent)
        turn.begin_phase(Phase.QUALITY)
        findings, asked = gate.check(self, ended, account)
        self._spent += asked
        gives_up = self._is_last or not account.can_try_again
        turn.end_phase(
            _verdict(findings, is_last=gives_up),
            usage=asked,
            detail=" ".join(one.fault.value for one in findings),
        )
        ended = replace(ended, usage=self._spent)
        if not findings or self.context.is_cancelled:
            return ended
        if gives_up:
            return gate.fall_back(self.context, findings, ended, account)
        self.reason = gate.reject(self.context, findings, ended)
        self._is_last = True
        return None


@dataclass(slots=True)
class _Counter:
    """What the quick model's questions about one answer cost."""

    archive: Archive
    active: ActiveSession
    spent: Usage

    def count(self, model: Model, usage: Usage) -> None:
        self.spent += usage
        if not self.active.is_temporary:
            self.archive.answers.count_usage(
                self.active.id, usage, purpose=Purpose.QUALITY, model=model.name
            )


_OUTCOMES = {
    Outcome.COMPLETE: PhaseOutcome.DONE,
    Outcome.STOPPED: PhaseOutcome.STOPPED,
    Outcome.FAILED: PhaseOutcome.FAILED,
}


def _names_a_language(active: ActiveSession, settings: Settings) -> bool:
    """Whether the user has somewhere asked for answers in a language."""
    said = [one.content for one in active.messages if one.role is Role.USER]
    said += [one.text for one in settings.instructions if one.is_on]
    return any(map(names_a_language, [*said, settings.own_persona]))


def _verdict(findings: Sequence[CheckResult], *, is_last: bool) -> PhaseOutcome:
    if not findings:
        return PhaseOutcome.DONE
    if not is_last:
        return PhaseOutcome.RETRIED
    is_completed = all(one.topic is not None and one.fault not in _INSTEAD for one in findings)
    return PhaseOutcome.COMPLETED if is_completed else PhaseOutcome.FELL_BACK


def _is_saved(active: ActiveSession) -> bool:
    try:
        active.save()
    except StorageError as exc:
        log.warning("a word about an answer is not on the disk yet: %s", exc.key)
        return False
    return True


def _has(fault: Fault, findings: Sequence[CheckResult]) -> bool:
    return any(one.fault is fault for one in findings)
