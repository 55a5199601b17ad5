"""The Quick and Research tiers: gather the evidence that an answer is written from.

Quick searches the library and past sessions, and the web if they do not answer. Research plans
sub-questions, finds evidence for each and checks once for gaps.
"""

from collections.abc import Sequence

from desktop.domain.errors import LlmError
from desktop.domain.model import Model
from desktop.domain.research import ResearchLimits, StepKind, SubQuestion
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.relevant_sentences import keys_of
from desktop.language.stopwords import StopWords
from desktop.research.passages import Passage, number_passages
from desktop.research.tiers.budget import UNLIMITED, UsageCounter
from desktop.research.tiers.evidence_prompt import Evidence
from desktop.research.tiers.passage_store import interleave
from desktop.research.tiers.plans import (
    QUESTIONS_SCHEMA,
    PartEvidence,
    ask_for_plan,
    find_evidence,
    find_gaps,
    parse_sub_questions,
    split_into_questions,
)
from desktop.research.tiers.run import ContextSizes, Run, run_in_parallel

QUICK_LIMITS = ResearchLimits(tokens=UNLIMITED, cost_usd=None, searches=2, fetches=3, seconds=16.0)
"""No model is asked before the answer; the time is for the web."""
QUICK_PASSAGES = 8
_PAGES = 2
_SEARCH_WORDS = 6
_QUESTIONS = 3
"""Of one message that are searched one by one."""


def gather_quick(run: Run, sizes: ContextSizes, *, is_served: bool = False) -> Evidence:
    """`is_served`: the endpoint searches while it writes. Raises StorageError, RunStopped."""
    question = run.question

    def look(_: UsageCounter) -> list[Passage]:
        return _looked_up(run, question, sizes)

    found = run.evidence("look_up", StepKind.LOOK_UP, question, sizes.characters, look)
    reach = run.reach
    stop_words = run.phrases.stop_words
    if reach is None or covers_question(question, found, stop_words):
        return Evidence(number_passages(found))
    if is_served:
        return Evidence(number_passages(found), wants_web=True)
    for number, search in enumerate(_searches(question, stop_words), start=1):
        if read := _read(run, f"web:{number}", SubQuestion(question, (search,)), sizes):
            # What was read for this question comes before what only shares its words.
            found = [*read, *found]
            break
    kept = number_passages(found[: sizes.passages])
    return Evidence(kept, used_web=True, unread=len(reach.troubles))


def _looked_up(run: Run, question: str, sizes: ContextSizes) -> list[Passage]:
    """Searches several questions one by one, as the words of one drown in all of them."""
    stop_words = run.phrases.stop_words
    parts = [one.question for one in split_into_questions(question, run.phrases)[:_QUESTIONS]]
    asked = [one for one in parts if content_words(one, stop_words)]
    found = [
        run.lookup.at_once(one, sizes.passages, sizes.characters)
        for one in (asked if len(asked) > 1 else [question])
    ]
    return interleave(*found)[: sizes.passages]


def covers_question(question: str, passages: Sequence[Passage], stop_words: StopWords) -> bool:
    """Whether the passages have two thirds of the content words of the question."""
    own = content_words(question, stop_words, with_weak=True)
    heard = keys_of(" ".join(f"{one.title} {one.stored}" for one in passages))
    met = sum(bool(keys(word.text) & heard) for word in own)
    return bool(passages) and 3 * met >= 2 * len(own)


def _searches(question: str, stop_words: StopWords) -> list[str]:
    """The question itself, then its content words."""
    own = content_words(question, stop_words)
    short = " ".join(question[one.start : one.end] for one in own[:_SEARCH_WORDS])
    return list(dict.fromkeys(filter(None, (" ".join(question.split())[:200], short))))


def _read(run: Run, name: str, part: SubQuestion, sizes: ContextSizes) -> list[Passage]:
    reach = run.reach

    def read(counter: UsageCounter) -> list[Passage]:
        return reach.find(part, _PAGES, sizes.characters, counter) if reach else []

    return run.evidence(name, StepKind.FIND, part.wanted[0], sizes.characters, read)


RESEARCH_LIMITS = ResearchLimits(
    tokens=UNLIMITED, cost_usd=None, searches=8, fetches=6, seconds=180.0
)
"""For the gathering only; the request of the answer belongs to the session."""
RESEARCH_PASSAGES = 20
_PAGES_A_SUB_QUESTION = 2


def gather_research(run: Run, model: Model | None, sizes: ContextSizes) -> Evidence:
    """`model`: of the quick role, if there is one. Raises StorageError, RunStopped."""
    parts = (
        _planned(run, model, sizes) if model else split_into_questions(run.question, run.phrases)
    )
    found = _all_found(run, parts, "find", sizes)
    if model is not None and (missing := _gaps(run, model, found)):
        found += _all_found(run, missing, "find:gap", sizes)
    return Evidence(
        number_passages(interleave(*(one.passages for one in found))[: sizes.passages]),
        [one.part for one in found],
        used_web=run.reach is not None,
        unread=run.unread,
    )


def _planned(run: Run, model: Model, sizes: ContextSizes) -> list[SubQuestion]:
    """Sub-questions by the model, or the questions of the message if that fails."""
    try:
        value = ask_for_plan(run, model, "research_plan", QUESTIONS_SCHEMA, "questions")
    except LlmError:
        value = None
    planned = parse_sub_questions(value, "questions", sizes.parts)
    return planned or split_into_questions(run.question, run.phrases)


def _all_found(
    run: Run, parts: Sequence[SubQuestion], name: str, sizes: ContextSizes
) -> list[PartEvidence]:
    def find(numbered_part: tuple[int, SubQuestion]) -> PartEvidence:
        number, part = numbered_part
        return find_evidence(run, f"{name}:{number}", part, sizes, _PAGES_A_SUB_QUESTION)

    return run_in_parallel(find, list(enumerate(parts, start=1)))


def _gaps(run: Run, model: Model, found: Sequence[PartEvidence]) -> list[SubQuestion]:
    told = [(one.part, [passage.text for passage in one.passages]) for one in found]
    try:
        return find_gaps(run, model, told)
    except LlmError:
        return []
