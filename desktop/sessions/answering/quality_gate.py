"""The quality gate: checks a finished answer, and has it rewritten once if necessary.

Streaming never waits for it. An answer that fails stays as a version. One that fails twice is kept
with a note about what is wrong, or is replaced by a sentence that says so.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from desktop.domain import events
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import StorageError
from desktop.domain.ids import MessageId
from desktop.domain.messages import NO_MODEL
from desktop.domain.projects import Wall
from desktop.domain.routing import Guard
from desktop.domain.usage import NO_USAGE, Phase, PhaseOutcome, Purpose, Usage
from desktop.language.authored_text import user_texts
from desktop.research.answer_checks import (
    CheckedAnswer,
    CheckResult,
    Fault,
    check_answer,
    names_a_language,
)
from desktop.research.extractive_answers import CitedText
from desktop.research.passages import Passage
from desktop.research.quick_classifier import QuickRole
from desktop.research.tools.registry import ToolRegistry
from desktop.sessions.answering.answer_lifecycle import Exchange
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.settings.messages import Texts
from desktop.settings.settings import OWN_PERSONA
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord

log = logging.getLogger(__name__)

_ANSWER_SHOWN = 1_500
_INSTEAD = {
    Fault.LEAKED: "fallback.not_allowed",
    Fault.EMPTY: "fallback.cannot",
    Fault.UNFOUNDED: "fallback.unknown",
    Fault.MEMORY: "fallback.memory",
}
_BESIDE = {
    Fault.CIRCLING: "fallback.circling",
    Fault.LANGUAGE: "fallback.language",
    Fault.PERSONA: "fallback.persona",
    Fault.ABILITY: "fallback.ability",
    Fault.PART_MISSING: "fallback.need_to_know",
    Fault.TOOL_FAILURE: "fallback.tool_failed",
}
_OUTCOMES = {
    events.Outcome.COMPLETE: PhaseOutcome.DONE,
    events.Outcome.STOPPED: PhaseOutcome.STOPPED,
    events.Outcome.FAILED: PhaseOutcome.FAILED,
}


@dataclass(frozen=True, slots=True)
class QualityInput:
    """What the gate knows of an answer besides its text; the defaults fit a direct answer."""

    is_written: bool = True  # Whether a model wrote it: quotations need no check
    text: str | None = None  # The part of the answer that the model wrote; None: all of it
    is_report: bool = False
    """Long, costly, and followed by its open points: only what is certainly wrong counts."""
    is_looked_up: bool = False  # Whether it had to be based on search results
    has_no_past: bool = False  # Whether it is about the past, and nothing of it was sent
    passages: Sequence[Passage] = ()
    notes: Sequence[str] = ()  # The model's instructions for them
    failed: Sequence[str] = ()  # What could not be searched or read, in the reader's words
    worked: int = 0  # How many searches and reads succeeded
    usage: Usage | None = None
    """The usage of the phase that is ended; None: the answer's whole usage."""
    can_try_again: bool = True  # Whether the limits set beforehand leave room for another attempt
    instead: Callable[[], CitedText] = lambda: CitedText("")


@dataclass(slots=True, kw_only=True)
class Review:
    """The answers to one question: at most two are written, and each is checked."""

    archive: Archive
    context: AssistantContext
    tools: ToolRegistry
    wishes: Callable[[Wall], Sequence[str]]
    write_builtin: Callable[[Guard, Exchange], str]
    exchange: Exchange
    reason: str = ""  # What was wrong with the previous answer; empty for the first
    _calls: dict[str, events.ToolState] = field(default_factory=dict)
    """How the last call of each tool ended, by name: a failure still has to be admitted."""
    _asked_about: set[str] = field(default_factory=set)
    """Calls that needed the user's consent: whoever declined one knows that it was not made."""
    _rejected: list[MessageId] = field(default_factory=list)
    _worked: int = 0
    _spent: Usage = NO_USAGE
    _confirmation_usage: Usage = NO_USAGE

    @contextmanager
    def watching(self) -> Iterator[None]:
        self._worked = 0
        with self.exchange.turn.listening(self._note_call):
            yield

    def check(self, ended: events.TurnEnded, account: QualityInput) -> events.TurnEnded | None:
        """Return the end of the turn; None if the answer has to be written once more.

        The last phase of the answer is open. Raises StorageError.
        """
        checked = self._check(ended, account)
        if checked is not None and checked.message_id is not None and self._rejected:
            # One number for an answer, also when it is read again: its rejected text is in it.
            self.exchange.active.charge(self._rejected, checked.message_id)
            self.archive.answers.charge(self._rejected, checked.message_id)
        return checked

    def _check(self, ended: events.TurnEnded, account: QualityInput) -> events.TurnEnded | None:
        turn = self.exchange.turn
        self._spent += ended.usage
        of_phase = ended.usage if account.usage is None else account.usage
        turn.end_phase(_OUTCOMES[ended.outcome], usage=of_phase, count=len(self._calls))
        is_whole = ended.outcome is events.Outcome.COMPLETE and ended.message_id is not None
        if not (account.is_written and is_whole and self.context.settings().checks_answers):
            return replace(ended, usage=self._spent)
        turn.begin_phase(Phase.QUALITY)
        self._confirmation_usage = NO_USAGE
        findings = self._find_faults(ended, account)
        self._spent += self._confirmation_usage
        gives_up = bool(self.reason) or not account.can_try_again
        turn.end_phase(
            _verdict(findings, gives_up=gives_up),
            usage=self._confirmation_usage,
            detail=" ".join(finding.fault.value for finding in findings),
        )
        ended = replace(ended, usage=self._spent)
        if not findings or self.exchange.is_cancelled:
            return ended
        if gives_up:
            return self._fall_back(findings, ended, account)
        self.reason = self._reject(findings, ended)
        return None

    def _note_call(self, event: events.TurnEvent) -> None:
        if not isinstance(event, events.ToolCalled):
            return
        if event.state is events.ToolState.ASKING:
            self._asked_about.add(event.call_id)
        elif event.state is events.ToolState.DONE:
            self._worked += 1
            self._calls[event.name] = event.state
        elif event.state is events.ToolState.FAILED and event.call_id not in self._asked_about:
            self._calls[event.name] = event.state

    def _find_faults(
        self, ended: events.TurnEnded, account: QualityInput
    ) -> Sequence[CheckResult]:
        looked = self._looked(ended, account)
        findings: Sequence[CheckResult] = check_answer(looked, self.context.phrases())
        of_language = [finding for finding in findings if finding.fault is Fault.LANGUAGE]
        if of_language and self._is_language_wished():
            findings = [finding for finding in findings if finding not in of_language]
        sure = [finding for finding in findings if finding.is_sure]
        model = self.context.model(ModelRole.QUICK, self.exchange.wall)
        if sure or account.is_report or not findings or model is None:
            return sure

        def count(usage: Usage) -> None:
            self._confirmation_usage += usage
            active = self.exchange.active
            if not active.is_temporary:
                self.archive.answers.count_usage(
                    active.id,
                    usage,
                    purpose=Purpose.QUALITY,
                    model=model.name,
                    message_id=ended.message_id,
                )

        quick = QuickRole(model, count)
        return [
            finding for finding in findings if self._is_confirmed(finding, looked.answer, quick)
        ]

    def _looked(self, ended: events.TurnEnded, account: QualityInput) -> CheckedAnswer:
        exchange, wording = self.exchange, self.context.own_wording()
        settings = self.context.settings_in(exchange.wall)
        model, texts = self.context.model(ModelRole.ANSWERING, exchange.wall), wording.texts
        tools = self.tools.for_session(exchange.wall, is_temporary=exchange.is_temporary)
        # A model that calls a tool it was not offered has nothing to admit.
        offered = {spec.name for spec in tools.offered(texts)} if self._calls else ()
        failed = [name for name, state in self._calls.items() if state is events.ToolState.FAILED]
        admitted = [texts.say(f"tools.{name}") for name in failed if name in offered]
        questions = user_texts(exchange.active.messages)
        own = [instruction.text for instruction in settings.instructions if instruction.is_on]
        return CheckedAnswer(
            question=exchange.question,
            answer=ended.text if account.text is None else account.text,
            now=self.context.now(),
            # The application's own part stands above a report in its own words.
            guard=None if account.is_report else exchange.guard,
            system_texts=(
                wording.instructions("assistant"),
                texts.say("guard.lead"),
                texts.say("recall.rules"),
                texts.say("unasked.rules"),
                *account.notes,
            ),
            internal_names=self.tools.telling_names,
            failed_tools=[*admitted, *account.failed],
            calls_that_worked=self._worked + account.worked,
            could_not_keep="memory_save" in failed,
            is_cut=ended.is_cut,
            own_persona=settings.own_persona.strip() if settings.persona == OWN_PERSONA else "",
            wishes=[*questions, *own, settings.own_persona],
            model=model.name if model else "",
            passages=[passage.text for passage in account.passages],
            found_nothing=account.is_looked_up and not account.passages,
            earlier_texts=[message.content for message in exchange.active.messages[:-1]],
            uses_web=settings.uses_web,
            has_no_past=account.has_no_past and len(questions) == 1 and not self._worked,
        )

    def _is_language_wished(self) -> bool:
        try:
            return any(map(names_a_language, self.wishes(self.exchange.wall)))
        except StorageError as exc:
            log.info("the wishes for answers could not be read: %s", exc.key)
            return True

    def _is_confirmed(self, finding: CheckResult, answer: str, quick: QuickRole) -> bool:
        wording, shown = self.context.own_wording(), answer[:_ANSWER_SHOWN]
        if finding.fault is Fault.TOOL_FAILURE:
            about = wording.texts.say("quality.judge_failure", tool=finding.about, answer=shown)
        else:
            about = wording.texts.say("quality.judge_part", part=finding.about, answer=shown)
        return quick.choose(wording.instructions("judge"), about, ("yes", "no")) == "no"

    def _reject(self, findings: Sequence[CheckResult], ended: events.TurnEnded) -> str:
        """Take the answer off the path: it stays as a version. Return why, for the next request.

        The request is written in the question's language, the notice in that of the interface.
        """
        texts, notice, turn = self._texts, self.context.own_wording().texts, self.exchange.turn
        if ended.message_id is not None:
            self.exchange.active.leave(ended.message_id)
            self._rejected.append(ended.message_id)
            faults = tuple(dict.fromkeys(finding.fault.value for finding in findings))
            why = "; ".join(notice.say(f"quality.{fault}") for fault in faults)
            text = notice.say("fallback.try_again", why=why)
            turn.emit(events.AnswerRejected(turn.id, ended.message_id, faults, text))
            turn.set_status(events.Status.RETRYING)
        whys = [
            texts.say(
                f"quality.retry_{finding.fault.value}", part=finding.about, tool=finding.about
            )
            for finding in findings
        ]
        return texts.say("quality.retry", why="; ".join(dict.fromkeys(whys)))

    def _fall_back(
        self, findings: Sequence[CheckResult], ended: events.TurnEnded, account: QualityInput
    ) -> events.TurnEnded:
        message_id, active, turn = ended.message_id, self.exchange.active, self.exchange.turn
        if message_id is None:
            return ended
        faults = {finding.fault for finding in findings}
        instead = next((key for fault, key in _INSTEAD.items() if fault in faults), None)
        message = active.message(message_id)
        if Fault.CUT not in faults:
            # A text that repeats itself, or is replaced, is not continued.
            message, ended = replace(message, error=None), replace(ended, is_cut=False)
        if instead is not None:
            still = account.instead()
            text = added = "\n\n".join(filter(None, (self._texts.say(instead), still.text)))
            ended = replace(ended, citations=still.citations)
            active.record(AnswerRecord(message_id, NO_MODEL, still.citations, NO_USAGE))
            # No model wrote the replacement: it is never quoted later as an answer.
            message = replace(message, model=NO_MODEL)
        else:
            # The button that continues a cut answer already shows it.
            noted = [finding for finding in findings if finding.fault is not Fault.CUT]
            added = "".join(f"\n\n{note}" for note in dict.fromkeys(map(self._note_beside, noted)))
            text = f"{ended.text}{added}"
        active.replace(replace(message, content=text))
        try:
            active.save()
        except StorageError as exc:
            log.warning("a word about an answer is not on the disk yet: %s", exc.key)
            turn.set_status(events.Status.SAVING_LATER)
        if added:
            turn.emit(events.TextArrived(turn.id, message_id, added))
        for citation in ended.citations if instead else ():
            turn.emit(events.CitationArrived(turn.id, message_id, citation))
        return replace(ended, text=text)

    def _note_beside(self, finding: CheckResult) -> str:
        if finding.topic is not None:
            try:
                return self.write_builtin(Guard((finding.topic,), finding.about), self.exchange)
            except StorageError as exc:
                log.info("what the application knows could not be read: %s", exc.key)
        note = self._texts.say(_BESIDE[finding.fault], part=finding.about, tool=finding.about)
        return f"*{note}*"

    @property
    def _texts(self) -> Texts:
        return self.context.wording_of(self.exchange.question).texts


def _verdict(findings: Sequence[CheckResult], *, gives_up: bool) -> PhaseOutcome:
    if not findings:
        return PhaseOutcome.DONE
    if not gives_up:
        return PhaseOutcome.RETRIED
    is_completed = all(
        finding.topic is not None and finding.fault not in _INSTEAD for finding in findings
    )
    return PhaseOutcome.COMPLETED if is_completed else PhaseOutcome.FELL_BACK
