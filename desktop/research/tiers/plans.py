"""Plans and sub-questions: the schemas of replies, their validation, evidence and gaps."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import filterfalse

from desktop.domain.errors import ReplyInvalidError
from desktop.domain.json_values import (
    NUMBER_SCHEMA,
    TEXT_SCHEMA,
    JsonValue,
    list_schema,
    object_schema,
)
from desktop.domain.messages import Role
from desktop.domain.model import Model, ModelRequest
from desktop.domain.research import Plan, StepKind, SubQuestion
from desktop.research.passages import Passage, fitting, format_evidence_line, private_texts
from desktop.research.security import EvidenceText, ToolCallGuard, carries_words
from desktop.research.tiers.budget import LimitReached, UsageCounter
from desktop.research.tiers.literature_retrieval import WORKS
from desktop.research.tiers.passage_store import interleave
from desktop.research.tiers.run import ContextSizes, EvidenceRequest, Run, Schema

_LONGEST_QUESTION = 400
_LONGEST_SEARCH = 120
_LONGEST_CONTEXT = 1_200
_LONGEST_HEADING = 90
_MOST_SEARCHES = 3
_MOST_HEADINGS = 8

_ASKED = list_schema(object_schema(question=TEXT_SCHEMA, search=TEXT_SCHEMA))

QUESTIONS_SCHEMA = object_schema(questions=_ASKED)
GAPS_SCHEMA = object_schema(gaps=_ASKED)
PLAN_SCHEMA = object_schema(
    question=TEXT_SCHEMA,
    parts=list_schema(object_schema(question=TEXT_SCHEMA, searches=list_schema(TEXT_SCHEMA))),
    outline=list_schema(TEXT_SCHEMA),
)
CLAIMS_SCHEMA = object_schema(
    claims=list_schema(object_schema(claim=TEXT_SCHEMA, passage=NUMBER_SCHEMA, quote=TEXT_SCHEMA))
)
CONTRADICTIONS_SCHEMA = object_schema(
    contradictions=list_schema(
        object_schema(first=NUMBER_SCHEMA, second=NUMBER_SCHEMA, about=TEXT_SCHEMA)
    )
)


def objects_in(value: JsonValue, name: str) -> list[Mapping[str, JsonValue]]:
    """Return the objects of the named list in a reply; a bare list counts, too."""
    objects = value.get(name) if isinstance(value, Mapping) else value
    if not isinstance(objects, Sequence) or isinstance(objects, str):
        return []
    return [entry for entry in objects if isinstance(entry, Mapping)]


def short_line(value: JsonValue, longest: int = _LONGEST_QUESTION) -> str:
    """Return a string in one line, cut at the limit; empty for any other value."""
    return " ".join(value.split())[:longest].strip() if isinstance(value, str) else ""


def parse_sub_questions(value: JsonValue, name: str, most: int) -> list[SubQuestion]:
    by_question: dict[str, SubQuestion] = {}
    for fields in objects_in(value, name):
        question = short_line(fields.get("question"))
        if question:
            several = (fields.get("search"), *_texts(fields.get("searches")))
            searches = filter(None, (short_line(each, _LONGEST_SEARCH) for each in several))
            queries = tuple(searches)[:_MOST_SEARCHES]
            by_question.setdefault(question.casefold(), SubQuestion(question, queries))
    return list(by_question.values())[:most]


def parse_plan(value: JsonValue, user_question: str, most: int) -> Plan:
    """Return a plan; without valid sub-questions the question itself is the only one."""
    written: Mapping[str, JsonValue] = value if isinstance(value, Mapping) else {}
    question = short_line(written.get("question"), _LONGEST_CONTEXT) or user_question
    parts = parse_sub_questions(value, "parts", most) or [SubQuestion(short_line(user_question))]
    outline = [short_line(text, _LONGEST_HEADING) for text in _texts(written.get("outline"))]
    return Plan(question, tuple(parts), tuple(filter(None, outline))[:_MOST_HEADINGS])


def plan_json(plan: Plan) -> JsonValue:
    """Return the plan in the form that `parse_plan` reads."""
    return {
        "question": plan.question,
        "parts": [
            {"question": part.question, "searches": list(part.searches)} for part in plan.parts
        ],
        "outline": list(plan.outline),
    }


def _texts(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


_MOST_GAPS = 2
_GAP_EXCERPT = 220


def ask_for_plan(
    run: Run, model: Model, instructions: str, schema: Schema, parts: str
) -> JsonValue:
    """Return the reply to a planning request; None after a limit, or for an invalid reply.

    `parts`: the name of its list. Raises LlmError, RunStopped.
    """
    sizes = ContextSizes.of(model.context_tokens())

    def do(counter: UsageCounter) -> tuple[JsonValue, int]:
        newest = fitting(
            run.messages[::-1], sizes.room, lambda message: len(message.text), least=1
        )
        asks = run.texts.say("research.asks", question=run.question)
        request = ModelRequest(
            run.instructions(instructions), newest[::-1], asks, sizes.output_tokens
        )
        value = run.ask(model, request, schema, counter)
        return value, len(objects_in(value, parts))

    try:
        return run.step("plan", StepKind.PLAN, run.question, do)
    except (LimitReached, ReplyInvalidError):
        return None


def find_evidence(
    run: Run, name: str, part: SubQuestion, sizes: ContextSizes, pages: int
) -> list[Passage]:
    """Search library, past sessions, literature and web. Raises StorageError, RunStopped."""

    def find(counter: UsageCounter) -> list[Passage]:
        passages = run.lookup.passages(part.question, sizes.passages, sizes.characters)
        reach, literature, length = run.reach, run.literature, sizes.characters
        sub_question = _without_passages(run, part)
        works = literature.find(sub_question, WORKS, length, counter) if literature else []
        read = reach.find(sub_question, pages, length, counter) if reach else []
        return interleave(works, read, passages)[: sizes.passages]

    return run.evidence(name, StepKind.FIND, part.question, sizes.characters, find)


def _without_passages(run: Run, part: SubQuestion) -> SubQuestion:
    """Return what may be searched for on the web: no words of sessions or documents.

    A run cannot ask for permission. The user's own question always stays.
    """
    typed = _typed(run)
    private = list(private_texts(run.passages.values()))
    searches = [search for search in part.queries if not carries_words(search, private, typed)]
    return replace(part, searches=tuple(searches or [short_line(run.question)]))


def _typed(run: Run) -> list[str]:
    """Return the words of the user: the question, and what was typed before it."""
    messages = [message.text for message in run.messages if message.role is Role.USER]
    return [run.question, *messages]


Progress = Sequence[tuple[SubQuestion, Sequence[str]]]


def find_gaps(run: Run, model: Model, so_far: Progress) -> list[SubQuestion]:
    """Return missing sub-questions, none after a limit. Raises LlmError, RunStopped.

    A question that comes only from the evidence is left out. The words of the user and of the
    plan are trusted, as the plan was written before any evidence was read.
    """
    user_texts = _typed(run)
    user_texts += [line for part, _ in so_far for line in (part.question, *part.searches)]
    read = [passage.stored for passage in run.passages.values()]
    read += [excerpt for _, excerpts in so_far for excerpt in excerpts]
    guard = ToolCallGuard(user_texts, list(map(EvidenceText, read)), run.phrases.stop_words)
    questions = {part.question.casefold() for part, _ in so_far}

    def missing(value: JsonValue) -> list[SubQuestion]:
        return [
            replace(gap, searches=tuple(filterfalse(guard.is_only_from_evidence, gap.searches)))
            for gap in parse_sub_questions(value, "gaps", _MOST_GAPS)
            if gap.question.casefold() not in questions
            and not guard.is_only_from_evidence(gap.question)
        ]

    text = _describe_progress(run, so_far, ContextSizes.of(model.context_tokens(), 1).room)
    asked_for = EvidenceRequest(
        model, "research_gaps", text, GAPS_SCHEMA, lambda value: len(missing(value))
    )
    return missing(run.ask_about_evidence("gaps", StepKind.GAPS, asked_for))


def split_into_questions(text: str) -> list[SubQuestion]:
    """Return each question of a message by itself, for a run without a planning model."""
    pieces = [piece.strip() for piece in text.replace("\n", " ").split("?")]
    marked = [f"{piece}?" for piece in pieces[:-1] if len(piece.split()) > 1] or [text.strip()]
    return [SubQuestion(question) for question in marked]


def _describe_progress(run: Run, so_far: Progress, room: int) -> str:
    texts = run.texts
    lines = [texts.say("research.asks", question=run.question), texts.say("research.data")]
    share = max(_GAP_EXCERPT, room // max(1, len(so_far)))
    for part, excerpts in so_far:
        lines.append(f"\n{texts.say('research.part', question=part.question)}")
        shorter = ((" ".join(excerpt.split())[:_GAP_EXCERPT], excerpt) for excerpt in excerpts)
        for short, whole in fitting(shorter, share, lambda pair: len(pair[0])):
            lines.append(f"- {format_evidence_line(short, whole, texts)}")
    return "\n".join(lines)
