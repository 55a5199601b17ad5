"""The quality gate: an answer that is there is looked over, and written once more if it has to be.

The words that stream are never held back for it. An answer that fails stays as a version; one that
fails twice is kept with a word about what is wrong with it, or gives way to an honest sentence.
"""

import logging
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import StorageError
from desktop.domain.events import (
    AnswerRejected,
    CitationArrived,
    Outcome,
    Status,
    StatusChanged,
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
from desktop.research.answer_checks import Fault, Finding, Looked, look_over, names_a_language
from desktop.research.quick_classifier import QuickRole
from desktop.research.tiers.extractive_report import Composed
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.quality_input import Account
from desktop.sessions.assistant_context import Surroundings
from desktop.sessions.prompts_and_phrases import shipped_routes
from desktop.sessions.routing_step import Work
from desktop.sessions.turn import Turn
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

Attempt = Callable[[str], Iterator[TurnEvent]]
"""The events of one answer, given what was wrong with the one before it; TurnEnded comes last.

Its last phase is open when it ends.
"""


@dataclass(slots=True)
class _Seen:
    """What happened while an answer was written."""

    before: Mapping[str, ToolState] = field(default_factory=dict)
    """How calls ended for an answer that was not good enough: what failed then is still to be
    admitted."""
    ended: TurnEnded | None = None
    calls: dict[str, ToolState] = field(default_factory=dict)
    """By the tool's name, how its last call ended."""
    asked_about: set[str] = field(default_factory=set)
    """Calls that the user was asked about: whoever declined one needs not be told."""
    worked: int = 0

    def note(self, event: TurnEvent) -> None:
        if isinstance(event, TurnEnded):
            self.ended = event
        elif isinstance(event, ToolCalled):
            self._note_call(event)

    def _note_call(self, called: ToolCalled) -> None:
        if called.state is ToolState.ASKING:
            self.asked_about.add(called.call_id)
        if called.state is ToolState.DONE:
            self.worked += 1
        elif called.state is not ToolState.FAILED or called.call_id in self.asked_about:
            return
        self.calls[called.name] = called.state

    @property
    def failed(self) -> list[str]:
        calls = {**self.before, **self.calls}
        return [name for name, state in calls.items() if state is ToolState.FAILED]


@dataclass(frozen=True, slots=True)
class Gate:
    archive: Archive
    around: Surroundings
    tool_names: Callable[[], Sequence[str]]
    offered: Callable[[bool], Sequence[str]]
    """The names of the tools that may be called, in a temporary session or another."""
    wishes: Callable[[], Sequence[str]]
    """What the user wants of answers, as it is remembered."""
    known: Callable[[Guard, ActiveSession], str]
    """What the application itself answers to what it guards."""

    def passed(
        self,
        turn: Turn,
        active: ActiveSession,
        work: Work,
        attempt: Attempt,
        account_of: Callable[[], Account] = Account,
    ) -> Iterator[TurnEvent]:
        """The events of an answer that was looked over; its end is told after that.

        `account_of`: asked once an answer has ended. Raises what the attempts raise.
        """
        spent, reason, seen = NO_USAGE, "", _Seen()
        for is_last in (False, True):
            seen = _Seen(before=seen.calls)
            for event in attempt(reason):
                seen.note(event)
                if not isinstance(event, TurnEnded):
                    yield event
            ended = seen.ended
            if ended is None:
                return
            spent += ended.usage
            account = account_of()
            of_phase = ended.usage if account.usage is None else account.usage
            yield turn.trace.end(_outcome_of(ended.outcome), usage=of_phase, count=len(seen.calls))
            if not (account.is_written and self._is_to_be_checked(ended)):
                yield replace(ended, usage=spent)
                return
            yield turn.trace.begin(Phase.QUALITY)
            findings, asked = self._findings(active, work, seen, ended, account)
            spent += asked
            gives_up = is_last or not account.can_try_again
            yield turn.trace.end(
                _verdict(findings, is_last=gives_up),
                usage=asked,
                detail=" ".join(one.fault.value for one in findings),
            )
            if not findings or turn.cancelled.is_set():
                yield replace(ended, usage=spent)
                return
            if gives_up:
                ended = replace(ended, usage=spent)
                yield from self._fall_back(turn, active, findings, ended, account)
                return
            yield from self._reject(turn, active, findings, ended)
            reason = self._reason(findings, active)

    def _is_to_be_checked(self, ended: TurnEnded) -> bool:
        return (
            ended.outcome is Outcome.COMPLETE
            and ended.message_id is not None
            and self.around.settings().checks_answers
        )

    def _findings(
        self,
        active: ActiveSession,
        work: Work,
        seen: _Seen,
        ended: TurnEnded,
        account: Account,
    ) -> tuple[list[Finding], Usage]:
        looked = self._looked(active, work, seen, ended, account)
        found = look_over(looked, shipped_routes(), self.around.phrases())
        if any(one.fault is Fault.LANGUAGE for one in found) and self._is_language_wished():
            found = tuple(one for one in found if one.fault is not Fault.LANGUAGE)
        sure = [one for one in found if one.is_sure]
        if sure or account.is_report:
            return sure, NO_USAGE
        counter = _Counter(self.archive, active, NO_USAGE)
        model = self.around.model(ModelRole.QUICK) if found else None
        if model is None:
            return [], NO_USAGE
        quick = QuickRole(model, counter.count)
        confirmed = [one for one in found if self._is_confirmed(one, looked.answer, quick)]
        return confirmed, counter.spent

    def _looked(
        self,
        active: ActiveSession,
        work: Work,
        seen: _Seen,
        ended: TurnEnded,
        account: Account,
    ) -> Looked:
        wording, settings = self.around.own_wording(), self.around.settings()
        texts = wording.texts
        # A model that calls what it was not offered has nothing to admit.
        offered = self.offered(active.is_temporary)
        failed = [texts.say(f"tools.{name}") for name in seen.failed if name in offered]
        model = self.around.model(ModelRole.ANSWERING)
        return Looked(
            question=_question_of(active),
            answer=ended.text if account.text is None else account.text,
            now=self.around.now(),
            # What the application knows stands above a report in its own words.
            guard=None if account.is_report else work.guard,
            system_texts=(
                wording.assistant,
                texts.say("guard.lead"),
                texts.say("recall.rules"),
                *account.told,
            ),
            internal_names=self.tool_names(),
            failed_tools=[*failed, *account.failed],
            calls_that_worked=seen.worked + account.worked,
            could_not_keep="memory_save" in seen.failed,
            is_cut=ended.is_cut,
            has_own_persona=settings.persona != USUAL_PERSONA,
            may_change_language=_names_a_language(active, settings),
            model=model.name if model else "",
            given=[one.text for one in account.given],
            found_nothing=account.is_looked_up and not account.given,
            said=[one.content for one in active.messages[:-1]],
        )

    def _is_language_wished(self) -> bool:
        """Whether a language is among what is remembered of the user's wishes."""
        try:
            return any(map(names_a_language, self.wishes()))
        except StorageError as exc:
            log.info("the wishes for answers could not be read: %s", exc.key)
            return True

    def _is_confirmed(self, finding: Finding, answer: str, quick: QuickRole) -> bool:
        wording = self.around.own_wording()
        shown = answer[:_ANSWER_SHOWN]
        if finding.fault is Fault.TOOL_FAILURE:
            about = wording.texts.say("quality.judge_failure", tool=finding.about, answer=shown)
        else:
            about = wording.texts.say("quality.judge_part", part=finding.about, answer=shown)
        return quick.choose(wording.judge, about, ("yes", "no")) == "no"

    def _reject(
        self, turn: Turn, active: ActiveSession, findings: Sequence[Finding], ended: TurnEnded
    ) -> Generator[TurnEvent, None, None]:
        """Take the answer off the path: the next one stands in its place, it is a version."""
        if ended.message_id is None:
            return
        active.leave(ended.message_id)
        faults = tuple(dict.fromkeys(one.fault.value for one in findings))
        texts = self._texts_of(_question_of(active))
        why = "; ".join(texts.say(f"quality.{fault}") for fault in faults)
        said = texts.say("fallback.try_again", why=why)
        yield AnswerRejected(turn.id, ended.message_id, faults, said)
        yield StatusChanged(turn.id, Status.RETRYING)

    def _reason(self, findings: Sequence[Finding], active: ActiveSession) -> str:
        """For the changing block of the second request, in the question's language."""
        texts = self._texts_of(_question_of(active))
        whys = [
            texts.say(f"quality.retry_{one.fault.value}", part=one.about, tool=one.about)
            for one in findings
        ]
        return texts.say("quality.retry", why="; ".join(dict.fromkeys(whys)))

    def _fall_back(
        self,
        turn: Turn,
        active: ActiveSession,
        findings: Sequence[Finding],
        ended: TurnEnded,
        account: Account,
    ) -> Iterator[TurnEvent]:
        """Say what is wrong, beside the answer or in its place."""
        message_id = ended.message_id
        if message_id is None:
            return
        texts = self._texts_of(_question_of(active))
        instead = next((key for fault, key in _INSTEAD.items() if _has(fault, findings)), None)
        if instead is not None:
            still = account.instead() if account.instead else Composed("")
            said = added = "\n\n".join(filter(None, (texts.say(instead), still.text)))
            ended = replace(ended, citations=still.citations)
            active.record(AnswerRecord(message_id, NO_MODEL, still.citations, NO_USAGE))
        else:
            notes = [
                self._own_answer(one, active)
                or f"*{texts.say(_BESIDE[one.fault], part=one.about, tool=one.about)}*"
                for one in findings
            ]
            added = "\n\n" + "\n\n".join(dict.fromkeys(notes))
            said = f"{ended.text}{added}"
        shown = replace(active.message(message_id), content=said)
        # What stands in its place no model wrote: nobody quotes it later as an answer.
        active.replace(replace(shown, model=NO_MODEL) if instead else shown)
        if not _is_saved(active):
            yield StatusChanged(turn.id, Status.SAVING_LATER)
        yield TextArrived(turn.id, message_id, added)
        for citation in ended.citations if instead else ():
            yield CitationArrived(turn.id, message_id, citation)
        yield replace(ended, text=said)

    def _own_answer(self, finding: Finding, active: ActiveSession) -> str:
        """To a part that the model left out twice, and that the application can answer."""
        if finding.topic is None:
            return ""
        try:
            return self.known(Guard((finding.topic,), finding.about), active)
        except StorageError as exc:
            log.info("what the application knows could not be read: %s", exc.key)
            return ""

    def _texts_of(self, question: str) -> Texts:
        return self.around.wording_of(question).texts


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


def _outcome_of(outcome: Outcome) -> PhaseOutcome:
    return _OUTCOMES[outcome]


def _verdict(findings: Sequence[Finding], *, is_last: bool) -> PhaseOutcome:
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


def _has(fault: Fault, findings: Sequence[Finding]) -> bool:
    return any(one.fault is fault for one in findings)


def _question_of(active: ActiveSession) -> str:
    """The newest of the user's messages; its answer may stand behind it."""
    return next(one.content for one in reversed(active.messages) if one.role is Role.USER)
