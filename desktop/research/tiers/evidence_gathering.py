"""The Quick and Research tiers: gather the evidence that an answer is written from.

Quick searches the library and past sessions, and the web if they do not answer. Research plans
sub-questions, finds evidence for each and checks once for gaps.
"""

from collections.abc import Sequence
from contextlib import suppress

from desktop.domain.errors import LlmError
from desktop.domain.model import Model
from desktop.domain.research import ResearchLimits, StepKind, SubQuestion
from desktop.domain.tiers import Tier
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.relevant_sentences import keys_of
from desktop.language.stopwords import StopWords
from desktop.research.passages import Passage, number_passages
from desktop.research.tiers.budget import UNLIMITED, UsageCounter
from desktop.research.tiers.evidence_prompt import Evidence
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

# Quick asks no model before the answer: its time is for the web. Those of Research are for the
# gathering only, as the request of the answer belongs to the session.
LIMITS = {
    Tier.QUICK: ResearchLimits(UNLIMITED, cost_usd=None, searches=2, fetches=3, seconds=16.0),
    Tier.RESEARCH: ResearchLimits(UNLIMITED, cost_usd=None, searches=8, fetches=6, seconds=180.0),
}
PASSAGES = {Tier.QUICK: 8, Tier.RESEARCH: 20, Tier.DEEP: 10}
"""Of one request; of Deep for each sub-question."""
_PAGES = 2
_LONGEST_SEARCH = 200
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
    search = " ".join(question.split())[:_LONGEST_SEARCH]
    part, length = SubQuestion(question, (search,)), sizes.characters

    def read(counter: UsageCounter) -> list[Passage]:
        return reach.find(part, _PAGES, length, counter)

    # What was read for this question comes before what only shares its words.
    found = [*run.evidence("web", StepKind.FIND, search, length, read), *found]
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


def gather_research(run: Run, model: Model | None, sizes: ContextSizes) -> Evidence:
    """`model`: of the quick role, if there is one. Raises StorageError, RunStopped."""
    parts = (
        _planned(run, model, sizes) if model else split_into_questions(run.question, run.phrases)
    )
    found = _find_all(run, parts, "find", sizes)
    if model is not None:
        told = [
            (part, [one.text for one in passages])
            for part, passages in zip(parts, found, strict=True)
        ]
        with suppress(LlmError):
            missing = find_gaps(run, model, told)
            found += _find_all(run, missing, "find:gap", sizes)
            parts += missing
    passages = number_passages(interleave(*found)[: sizes.passages])
    return Evidence(passages, parts, used_web=run.reach is not None, unread=run.unread)


def _planned(run: Run, model: Model, sizes: ContextSizes) -> list[SubQuestion]:
    """Sub-questions by the model, or the questions of the message if that fails."""
    try:
        value = ask_for_plan(run, model, "research_plan", QUESTIONS_SCHEMA, "questions")
    except LlmError:
        value = None
    planned = parse_sub_questions(value, "questions", sizes.parts)
    return planned or split_into_questions(run.question, run.phrases)


def _find_all(
    run: Run, parts: Sequence[SubQuestion], name: str, sizes: ContextSizes
) -> list[list[Passage]]:
    """The passages of each sub-question."""

    def find(numbered_part: tuple[int, SubQuestion]) -> list[Passage]:
        number, part = numbered_part
        return find_evidence(run, f"{name}:{number}", part, sizes, _PAGES)

    return run_in_parallel(find, list(enumerate(parts, start=1)))
