"""The Quick and Research tiers: gather evidence, and put it into the request of an answer.

Quick searches the library and past sessions, and the web if they do not answer. Research plans
sub-questions, finds evidence for each and checks once for gaps. Evidence goes into a request as
data, marked, ready to be cited.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from desktop.domain.errors import LlmError
from desktop.domain.ids import AttachedId
from desktop.domain.model import Model, SearchResult, ServerWeb
from desktop.domain.research import ResearchLimits, StepKind, SubQuestion
from desktop.domain.routing import Tier
from desktop.language.keywords_and_stems import StopWords, content_words, count_shared
from desktop.language.sentences import sentences
from desktop.research.passages import (
    Passage,
    format_passage,
    is_suspicious_passage,
    number_passages,
)
from desktop.research.security import escape_markup
from desktop.research.tiers.budget import UNLIMITED, UsageCounter
from desktop.research.tiers.passage_store import interleave
from desktop.research.tiers.plans import (
    QUESTIONS_SCHEMA,
    ask_for_plan,
    find_evidence,
    find_gaps,
    parse_sub_questions,
    split_into_questions,
)
from desktop.research.tiers.run import ContextSizes, Run, run_in_parallel
from desktop.settings.messages import Texts

# Quick asks no model before the answer: its time is for the web. Research's time is for the
# gathering only, as the request of the answer belongs to the session.
LIMITS = {
    Tier.QUICK: ResearchLimits(UNLIMITED, cost_usd=None, searches=2, fetches=3, seconds=16.0),
    Tier.RESEARCH: ResearchLimits(UNLIMITED, cost_usd=None, searches=8, fetches=6, seconds=180.0),
}
PASSAGES = {Tier.QUICK: 8, Tier.RESEARCH: 20, Tier.DEEP: 10}
"""Per request; for Deep per sub-question."""
_PAGES = 2
_LONGEST_SEARCH = 200
_QUESTIONS = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    passages: Sequence[Passage]  # Numbered from 1
    questions: Sequence[SubQuestion] = ()
    used_web: bool = False
    unread: int = 0
    is_late: bool = False
    attachments: Sequence[AttachedId] = ()
    wants_web: bool = False
    """Nothing local answers the question: the endpoint may search while it writes."""
    web: ServerWeb | None = None


def gather_quick(run: Run, sizes: ContextSizes, *, is_served: bool = False) -> Evidence:
    """Gather for Quick. `is_served`: the endpoint searches. Raises StorageError, RunStopped."""
    question, stop_words = run.question, run.phrases.stop_words

    def look(_: UsageCounter) -> list[Passage]:
        """Search each question by itself, as a common search could hide the results of one."""
        parts = [part.question for part in split_into_questions(question)[:_QUESTIONS]]
        questions = [text for text in parts if content_words(text, stop_words)]
        results = [
            run.lookup.passages(text, sizes.passages, sizes.characters, at_once=True)
            for text in (questions if len(questions) > 1 else [question])
        ]
        return interleave(*results)[: sizes.passages]

    passages = run.evidence("look_up", StepKind.LOOK_UP, question, sizes.characters, look)
    reach = run.reach
    if reach is None or covers_question(question, passages, stop_words):
        return Evidence(number_passages(passages))
    if is_served:
        return Evidence(number_passages(passages), wants_web=True)
    search = " ".join(question.split())[:_LONGEST_SEARCH]
    part, length = SubQuestion(question, (search,)), sizes.characters

    def read(counter: UsageCounter) -> list[Passage]:
        return reach.find(part, _PAGES, length, counter)

    # The passages read for this question come before those that only share its words.
    passages = [*run.evidence("web", StepKind.FIND, search, length, read), *passages]
    selection = number_passages(passages[: sizes.passages])
    return Evidence(selection, used_web=True, unread=len(reach.troubles))


def covers_question(question: str, passages: Sequence[Passage], stop_words: StopWords) -> bool:
    own = content_words(question, stop_words, with_weak=True)
    text = " ".join(f"{passage.title} {passage.stored}" for passage in passages)
    return bool(passages) and 3 * count_shared([word.text for word in own], text) >= 2 * len(own)


def gather_research(run: Run, model: Model | None, sizes: ContextSizes) -> Evidence:
    """Gather. `model`: of the quick role, if any. Raises StorageError, RunStopped."""
    parts = _planned(run, model, sizes) if model else split_into_questions(run.question)
    results = _find_all(run, parts, "find", sizes)
    if model is not None:
        findings = [
            (part, [passage.text for passage in passages])
            for part, passages in zip(parts, results, strict=True)
        ]
        with suppress(LlmError):
            missing = find_gaps(run, model, findings)
            results += _find_all(run, missing, "find:gap", sizes)
            parts += missing
    passages = number_passages(interleave(*results)[: sizes.passages])
    return Evidence(passages, parts, used_web=run.reach is not None, unread=run.unread)


def _planned(run: Run, model: Model, sizes: ContextSizes) -> list[SubQuestion]:
    try:
        value = ask_for_plan(run, model, "research_plan", QUESTIONS_SCHEMA, "questions")
    except LlmError:
        value = None
    planned = parse_sub_questions(value, "questions", sizes.parts)
    return planned or split_into_questions(run.question)


def _find_all(
    run: Run, parts: Sequence[SubQuestion], name: str, sizes: ContextSizes
) -> list[list[Passage]]:
    return run_in_parallel(
        lambda number, part: find_evidence(run, f"{name}:{number}", part, sizes, _PAGES), parts
    )


def evidence_text(evidence: Evidence, texts: Texts, *, cites_itself: bool = False) -> str:
    """Return the evidence for the changing block; without passages if the endpoint cites."""
    if not evidence.passages:
        nothing = "nothing" if evidence.web is None else "nothing_at_hand"
        return "\n\n".join([texts.say(f"research.{nothing}"), *_notes(evidence, texts)])
    rules = texts.say("research.rules_citing" if cites_itself else "research.rules")
    parts = [f"{_lead(evidence, texts)}\n\n{rules}", *_notes(evidence, texts)]
    if not cites_itself:
        parts += [format_passage(passage, texts) for passage in evidence.passages]
    return "\n\n".join(parts)


def search_results(passages: Sequence[Passage]) -> tuple[SearchResult, ...]:
    return tuple(
        SearchResult(
            passage.number,
            escape_markup(passage.title),
            passage.place.address if passage.place else f"bellek://session/{passage.session_id}",
            tuple(_pieces(escape_markup(passage.text))),
        )
        for passage in passages
    )


def suspicious_note(passages: Sequence[Passage], texts: Texts) -> str:
    numbers = [str(passage.number) for passage in passages if is_suspicious_passage(passage)]
    return texts.say("research.suspicious", numbers=", ".join(numbers)) if numbers else ""


def _lead(evidence: Evidence, texts: Texts) -> str:
    if not evidence.questions:
        return texts.say("research.looked_web" if evidence.used_web else "research.looked")
    lines = [f"- {sub_question.question}" for sub_question in evidence.questions]
    return "\n".join([texts.say("research.researched"), *lines])


def _notes(evidence: Evidence, texts: Texts) -> Iterator[str]:
    if note := suspicious_note(evidence.passages, texts):
        yield note
    attached = (p for p in evidence.passages if p.session_id in evidence.attachments)
    if numbers := [str(passage.number) for passage in attached]:
        yield texts.say("research.beside", numbers=", ".join(numbers))
    if evidence.unread:
        yield texts.count("research.unread", evidence.unread)
    if evidence.is_late:
        yield texts.say("research.late")
    if web := evidence.web:
        yield texts.say("research.web_tools", searches=web.searches, fetches=web.fetches)


def _pieces(text: str) -> Iterator[str]:
    at = 0
    for sentence in sentences(text):
        if between := text[at : sentence.start].strip():
            yield between
        yield sentence.text
        at = sentence.end
    if rest := text[at:].strip():
        yield rest
