"""The Deep tier: plan, sub-questions in parallel, and a ledger of claims that are tested.

Every step stores its result as a checkpoint; a run with the same checkpoints resumes after the
last one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.claims import NOT_SAID, Support
from desktop.domain.events import PlanProposed
from desktop.domain.json_values import JsonValue
from desktop.domain.model import Model
from desktop.domain.research import MOST_PARTS, CostForecast, Estimate, Plan, StepKind, SubQuestion
from desktop.domain.usage import Usage, estimate_tokens
from desktop.llm.server_tools import SEARCH_USD
from desktop.research.citations import claim_judge
from desktop.research.citations.claim_judge import CitingClaim, number_cited
from desktop.research.citations.quote_matching import stands_in
from desktop.research.passages import (
    Passage,
    format_evidence_line,
    format_passage,
    number_passages,
)
from desktop.research.security import is_suspicious
from desktop.research.tiers.budget import RunStopped, price_function
from desktop.research.tiers.evidence import Evidence
from desktop.research.tiers.plans import (
    CLAIMS_SCHEMA,
    CONTRADICTIONS_SCHEMA,
    PLAN_SCHEMA,
    ask_for_plan,
    find_evidence,
    find_gaps,
    objects_in,
    parse_plan,
    plan_json,
    short_line,
    split_into_questions,
)
from desktop.research.tiers.run import ContextSizes, EvidenceRequest, Run, run_in_parallel
from desktop.research.tiers.web_retrieval import EndpointWebRetriever, WebRetriever

_LONGEST_CLAIM = 400
_LONGEST_QUOTE = 500
_LEAST_WORDS = 2
_PAGES_A_PART = 3
_LEAST_SOURCES = 2


@dataclass(frozen=True, slots=True)
class Claim:
    part: str
    text: str
    quote: str
    passage: Passage
    support: Support = Support.UNTESTED


@dataclass(frozen=True, slots=True)
class Contradiction:
    first: int  # Numbers of claims, from 1
    second: int
    about: str


def parse_claims(
    value: JsonValue, part: str, passages: Sequence[Passage]
) -> tuple[list[Claim], int]:
    """Return the valid claims of a model's reply, and the number of invalid ones.

    A claim is valid if its quoted words are in a passage that the model was given, the named
    one or another. Suspected injections are not evidence.
    """
    by_text: dict[str, Claim] = {}
    dropped = 0
    for fields in objects_in(value, "claims"):
        text = short_line(fields.get("claim"), _LONGEST_CLAIM)
        quote = short_line(fields.get("quote"), _LONGEST_QUOTE)
        passage = _find_passage(quote, fields.get("passage"), passages)
        if not text or passage is None or is_suspicious(f"{text}\n{quote}"):
            dropped += 1
        else:
            by_text.setdefault(text.casefold(), Claim(part, text, quote, passage))
    return list(by_text.values()), dropped


def _find_passage(quote: str, named: JsonValue, passages: Sequence[Passage]) -> Passage | None:
    if len(quote.split()) < _LEAST_WORDS:
        return None
    named_first = sorted(passages, key=lambda passage: passage.number != named)
    return next((passage for passage in named_first if stands_in(quote, passage.stored)), None)


def parse_contradictions(value: JsonValue, claims: Sequence[Claim]) -> list[Contradiction]:
    """Return each contradiction between known claims of two different sources once."""
    sources = {number: claim.passage.cited_in for number, claim in enumerate(claims, start=1)}
    contradictions: dict[tuple[int, int], Contradiction] = {}
    for fields in objects_in(value, "contradictions"):
        first, second = fields.get("first"), fields.get("second")
        # More text follows the topic, so final punctuation is removed.
        about = short_line(fields.get("about"), _LONGEST_CLAIM).rstrip(".:; ")
        if not isinstance(first, int) or not isinstance(second, int) or not about:
            continue
        pair = min(first, second), max(first, second)
        if len({sources.get(number) for number in pair} - {None}) == len(pair):
            contradictions.setdefault(pair, Contradiction(*pair, about))
    return list(contradictions.values())


def as_passages(claims: Sequence[Claim]) -> tuple[Passage, ...]:
    return tuple(
        replace(claim.passage, number=number, text=claim.quote)
        for number, claim in enumerate(claims, start=1)
    )


@dataclass(slots=True)
class PartState:
    """The state of one sub-question; only the thread that works on it writes it."""

    part: SubQuestion
    claims: Sequence[Claim] = ()
    dropped: int = 0  # Claims that were not valid
    passages: Sequence[Passage] = ()
    is_read: bool = False


@dataclass(slots=True)
class ResearchFindings:
    """The results of a Deep run so far; any thread may read them."""

    question: str
    plan: Plan | None = None
    parts: list[PartState] = field(default_factory=list)
    refused: int = 0  # Claims that their quotations do not support
    verified: Sequence[Claim] | None = None
    contradictions: Sequence[Contradiction] = ()

    @property
    def dropped(self) -> int:
        return self.refused + sum(state.dropped for state in self.parts)

    @property
    def claims(self) -> list[Claim]:
        """Return claims in the order of the plan; once tested, only those that are left."""
        if self.verified is not None:
            return list(self.verified)
        by_text: dict[str, Claim] = {}
        for state in self.parts:
            for claim in state.claims:
                by_text.setdefault(claim.text.casefold(), claim)
        return list(by_text.values())

    @property
    def passages(self) -> list[Passage]:
        return [passage for state in self.parts for passage in state.passages]


@dataclass(slots=True)
class Deep:
    run: Run
    findings: ResearchFindings
    model: Model | None  # If None, the run searches and quotes, but extracts no claims
    sizes: ContextSizes
    ask_for_plan: Callable[[Plan], Plan | None] | None = None
    """Returns the user's version of the plan; None if the user cancels the run."""

    def gather(self) -> Evidence:
        """Gather evidence. Raises LlmError, StorageError, RunStopped; a limit only ends it."""
        plan = self._plan()
        self.findings.plan = plan
        self._work(plan.parts, "part")
        if self.model is not None:
            parts = self.findings.parts
            so_far = [(state.part, [claim.text for claim in state.claims]) for state in parts]
            self._work(find_gaps(self.run, self.model, so_far), "gap")
            self._verify(self.model)
            self._compare(self.model)
        return Evidence(self.findings.passages)

    def _plan(self) -> Plan:
        run, question = self.run, self.run.question
        planned = Plan(question, split_into_questions(question))
        if self.model is not None:
            value = ask_for_plan(run, self.model, "deep_plan", PLAN_SCHEMA, "parts")
            planned = parse_plan(value, question, self.sizes.parts)
        # Stored once the user has agreed to the plan: before that, there is nothing to resume.
        if "agreed" in run.results:
            return parse_plan(run.results["agreed"], question, MOST_PARTS)
        agreed = self._agreed(planned)
        run.keep("agreed", plan_json(agreed))
        return agreed

    def _agreed(self, plan: Plan) -> Plan:
        budget = self.run.budget
        if self.model is not None:
            ahead = forecast_cost(self.model, self.sizes, self.run.reach)
            proposal = PlanProposed(
                turn_id=self.run.turn_id,
                plan=plan,
                estimate=ahead.of(plan, budget.limits),
                limits=budget.limits,
                waits=self.ask_for_plan is not None,
                forecast_cost=ahead,
            )
            self.run.emit(proposal)
        if self.ask_for_plan is None:
            return plan
        with budget.waiting():
            edited = self.ask_for_plan(plan)
        if edited is None:
            raise RunStopped
        return parse_plan(plan_json(edited.cleaned()), self.run.question, MOST_PARTS)

    def _work(self, parts: Sequence[SubQuestion], name: str) -> None:
        states = [PartState(part) for part in parts]
        self.findings.parts += states
        run_in_parallel(lambda number, state: self._work_on(state, f"{name}:{number}"), states)

    def _work_on(self, state: PartState, name: str) -> None:
        run = self.run
        if run.budget.seconds_left <= 0:
            return
        state.passages = find_evidence(run, f"find:{name}", state.part, self.sizes, _PAGES_A_PART)
        state.is_read = True
        if self.model is not None and state.passages:
            self._read(self.model, state, f"read:{name}")

    def _read(self, model: Model, state: PartState, name: str) -> None:
        part, passages = state.part.question, number_passages(state.passages)
        texts = self.run.texts
        blocks = [format_passage(passage, texts) for passage in passages]
        request = EvidenceRequest(
            model=model,
            instructions="deep_read",
            text="\n\n".join([texts.say("research.part", question=part), *blocks]),
            schema=CLAIMS_SCHEMA,
            count=lambda value: len(parse_claims(value, part, passages)[0]),
            about=part,
        )
        reply = self.run.ask_about_evidence(name, StepKind.READ, request)
        state.claims, state.dropped = parse_claims(reply, part, passages)
        state.is_read = reply is not None

    def _verify(self, model: Model) -> None:
        """Test each claim by its passage; drop what it does not say, mark what was not tested."""
        claims = self.findings.claims
        standing: list[Claim] = []
        for number, start in enumerate(range(0, len(claims), self.sizes.claims), start=1):
            end = start + self.sizes.claims
            tested = self._tested(model, claims[start:end], f"verify:{number}")
            supported = [claim for claim in tested if claim.support not in NOT_SAID]
            self.findings.refused += len(tested) - len(supported)
            standing += supported
            # Verdicts so far are kept, even if the run stops before the rest.
            self.findings.verified = [*standing, *claims[end:]]

    def _tested(self, model: Model, claims: Sequence[Claim], name: str) -> Sequence[Claim]:
        passages = number_cited((claim.passage, f"{claim.quote} {claim.text}") for claim in claims)
        places = [(claim.passage.cited_in, claim.passage.cited_at) for claim in claims]
        citing = [
            CitingClaim(claim.text, {passages[place].number: passages[place]})
            for claim, place in zip(claims, places, strict=True)
        ]
        request = EvidenceRequest(
            model,
            claim_judge.INSTRUCTIONS,
            claim_judge.request_text(citing, self.run.texts),
            claim_judge.SCHEMA,
            lambda _: len(claims),
            output_tokens=claim_judge.output_tokens(len(claims)),
        )
        reply = self.run.ask_about_evidence(name, StepKind.VERIFY, request)
        judgements = claim_judge.parse_judgements(reply, citing)
        return [
            replace(claim, support=judgement.support)
            for claim, judgement in zip(claims, judgements, strict=True)
        ]

    def _compare(self, model: Model) -> None:
        claims = self.findings.claims
        if len({claim.passage.cited_in for claim in claims}) < _LEAST_SOURCES:
            return
        room = ContextSizes.of(model.context_tokens()).room
        texts = self.run.texts
        lines = [texts.say("research.data")]
        for number, claim in enumerate(claims, start=1):
            line = texts.say("research.claim", number=number, claim=claim.text)
            room -= len(line)
            if room > 0:
                full_line = f"{line} ({claim.passage.title})"
                lines.append(format_evidence_line(full_line, full_line, texts))
        request = EvidenceRequest(
            model,
            "deep_compare",
            "\n".join(lines),
            CONTRADICTIONS_SCHEMA,
            lambda value: len(parse_contradictions(value, claims)),
        )
        reply = self.run.ask_about_evidence("compare", StepKind.COMPARE, request)
        self.findings.contradictions = parse_contradictions(reply, claims)


_CHARACTERS_A_TOKEN = 3.5
_INSTRUCTION_TOKENS = 600
_CLAIMS_A_PART = 6
_CLAIM_TOKENS = 90
_REPORT_TOKENS = 2_500
_LEDGER_READ = 4
_EXPECTED_PAGES_A_PART = 2
_SEARCHED_THERE = 25_000
"""Tokens that an endpoint reads for a sub-question that it searches by itself."""


def forecast_cost(model: Model, sizes: ContextSizes, reach: WebRetriever | None) -> CostForecast:
    """Return the estimated cost of the rest of a run, once the plan is written."""
    is_served = isinstance(reach, EndpointWebRetriever) and reach.serves()
    read = estimate_tokens(sizes.passages * sizes.characters, _CHARACTERS_A_TOKEN)
    read += _INSTRUCTION_TOKENS
    claims = _CLAIMS_A_PART * _CLAIM_TOKENS
    # For the test, the cited passages are read again.
    most_cited = min(sizes.passages, _CLAIMS_A_PART)
    read += estimate_tokens(most_cited * sizes.characters, _CHARACTERS_A_TOKEN)
    # The ledger is read three times: for gaps, for testing and for writing; once to compare.
    a_part = Usage(read + (_SEARCHED_THERE if is_served else 0) + _LEDGER_READ * claims, claims)
    # One sub-question is expected to be missing.
    read_again = a_part.input_tokens + _LEDGER_READ * _INSTRUCTION_TOKENS
    whole = Usage(read_again, a_part.output_tokens + _REPORT_TOKENS)
    price, searches = price_function(model), 1 if reach else 0
    pages = _EXPECTED_PAGES_A_PART * searches
    return CostForecast(
        Estimate(whole.total_tokens, price(whole), searches, pages),
        Estimate(a_part.total_tokens, price(a_part), searches, pages),
        SEARCH_USD if is_served else 0.0,
    )
