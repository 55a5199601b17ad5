"""Plans and sub-questions: the schemas of replies, their validation, evidence and gaps."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import filterfalse

from desktop.domain.errors import ReplyInvalidError
from desktop.domain.messages import Role
from desktop.domain.model import JsonValue, Model, ModelRequest, RequestMessage
from desktop.domain.research import Plan, StepKind, SubQuestion
from desktop.research.passages import Passage, format_evidence_line
from desktop.research.security.tool_call_guard import EvidenceText, ToolCallGuard
from desktop.research.tiers.budget import LimitReached, UsageCounter
from desktop.research.tiers.passage_store import interleave
from desktop.research.tiers.run import ContextSizes, Run, Schema

_LONGEST_QUESTION = 400
_LONGEST_SEARCH = 120
_LONGEST_CONTEXT = 1_200
_LONGEST_HEADING = 90
_MOST_SEARCHES = 3
_MOST_HEADINGS = 8


def _object(**properties: JsonValue) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list_of(item: JsonValue) -> dict[str, JsonValue]:
    return {"type": "array", "items": item}


_TEXT: Mapping[str, JsonValue] = {"type": "string"}
_NUMBER: Mapping[str, JsonValue] = {"type": "integer"}
_ASKED = _list_of(_object(question=_TEXT, search=_TEXT))

QUESTIONS_SCHEMA = _object(questions=_ASKED)
GAPS_SCHEMA = _object(gaps=_ASKED)
PLAN_SCHEMA = _object(
    question=_TEXT,
    parts=_list_of(_object(question=_TEXT, searches=_list_of(_TEXT))),
    outline=_list_of(_TEXT),
)
CLAIMS_SCHEMA = _object(claims=_list_of(_object(claim=_TEXT, passage=_NUMBER, quote=_TEXT)))
VERDICTS_SCHEMA = _object(
    verdicts=_list_of(
        _object(
            number=_NUMBER,
            verdict={"type": "string", "enum": ["supported", "partly", "unsupported"]},
        )
    )
)
CONTRADICTIONS_SCHEMA = _object(
    contradictions=_list_of(_object(first=_NUMBER, second=_NUMBER, about=_TEXT))
)


def objects_in(value: JsonValue, name: str) -> list[Mapping[str, JsonValue]]:
    """Return the objects of the named list in a reply; a bare list counts, too."""
    found = value.get(name) if isinstance(value, Mapping) else value
    if not isinstance(found, Sequence) or isinstance(found, str):
        return []
    return [one for one in found if isinstance(one, Mapping)]


def short_line(value: JsonValue, longest: int = _LONGEST_QUESTION) -> str:
    """Return a string in one line, cut at the limit; empty for any other value."""
    return " ".join(value.split())[:longest].strip() if isinstance(value, str) else ""


def parse_sub_questions(value: JsonValue, name: str, most: int) -> list[SubQuestion]:
    """Return valid sub-questions without duplicates."""
    found: dict[str, SubQuestion] = {}
    for one in objects_in(value, name):
        question = short_line(one.get("question"))
        if question:
            several = (one.get("search"), *_texts(one.get("searches")))
            searches = filter(None, (short_line(each, _LONGEST_SEARCH) for each in several))
            wanted = tuple(searches)[:_MOST_SEARCHES]
            found.setdefault(question.casefold(), SubQuestion(question, wanted))
    return list(found.values())[:most]


def parse_plan(value: JsonValue, asked: str, most: int) -> Plan:
    """Return a plan; without valid sub-questions the question itself is the only one."""
    written: Mapping[str, JsonValue] = value if isinstance(value, Mapping) else {}
    question = short_line(written.get("question"), _LONGEST_CONTEXT) or asked
    parts = parse_sub_questions(value, "parts", most) or [SubQuestion(short_line(asked))]
    outline = [short_line(one, _LONGEST_HEADING) for one in _texts(written.get("outline"))]
    return Plan(question, tuple(parts), tuple(filter(None, outline))[:_MOST_HEADINGS])


def plan_json(plan: Plan) -> JsonValue:
    """Return the plan in the form that `parse_plan` reads."""
    return {
        "question": plan.question,
        "parts": [
            {"question": one.question, "searches": list(one.searches)} for one in plan.parts
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
        said = newest_messages(run.said, sizes.room)
        asks = run.texts.say("research.asks", question=run.question)
        request = ModelRequest(run.instructions(instructions), said, asks, sizes.output_tokens)
        value = run.ask(model, request, schema, counter)
        return value, len(objects_in(value, parts))

    try:
        return run.step("plan", StepKind.PLAN, run.question, do)
    except (LimitReached, ReplyInvalidError):
        return None


def newest_messages(said: Sequence[RequestMessage], room: int) -> list[RequestMessage]:
    """The newest messages that fit; usually all of them."""
    kept: list[RequestMessage] = []
    for message in reversed(said):
        room -= len(message.text)
        if kept and room < 0:
            break
        kept.insert(0, message)
    return kept


def find_evidence(
    run: Run, name: str, part: SubQuestion, sizes: ContextSizes, pages: int
) -> list[Passage]:
    """Search library and past sessions, then the web. Raises StorageError, RunStopped."""

    def find(counter: UsageCounter) -> list[Passage]:
        found = run.lookup.passages(part.question, sizes.passages, sizes.characters)
        reach = run.reach
        read = reach.find(part, pages, sizes.characters, counter) if reach else []
        return interleave(read, found)[: sizes.passages]

    return run.evidence(name, StepKind.FIND, part.question, sizes.characters, find)


Progress = Sequence[tuple[SubQuestion, Sequence[str]]]
"""The findings for each sub-question so far."""


def find_gaps(run: Run, model: Model, so_far: Progress) -> list[SubQuestion]:
    """Return missing sub-questions, none after a limit. Raises LlmError, RunStopped.

    Those that only a read text asks for are left out, as the model has read the evidence. The
    words of the user and of the plan are trusted, as the plan was written before anything was
    read.
    """
    asked = [run.question, *(one.text for one in run.said if one.role is Role.USER)]
    asked += [line for part, _ in so_far for line in (part.question, *part.searches)]
    read = [one.stored for one in run.passages.values()]
    read += [one for _, told in so_far for one in told]
    guard = ToolCallGuard(asked, list(map(EvidenceText, read)), run.phrases.stop_words)
    known = {part.question.casefold() for part, _ in so_far}

    def missing(value: JsonValue) -> list[SubQuestion]:
        return [
            replace(one, searches=tuple(filterfalse(guard.is_only_from_evidence, one.searches)))
            for one in parse_sub_questions(value, "gaps", _MOST_GAPS)
            if one.question.casefold() not in known
            and not guard.is_only_from_evidence(one.question)
        ]

    def do(counter: UsageCounter) -> tuple[JsonValue, int]:
        text = _describe_progress(run, so_far, ContextSizes.of(model.context_tokens(), 1).room)
        value = run.ask_about_evidence(model, "research_gaps", text, GAPS_SCHEMA, counter)
        return value, len(missing(value))

    try:
        return missing(run.step("gaps", StepKind.GAPS, "", do))
    except (LimitReached, ReplyInvalidError):
        return []


def split_into_questions(text: str) -> list[SubQuestion]:
    """Return each question of a message by itself, for a run without a planning model."""
    pieces = [piece.strip() for piece in text.replace("\n", " ").split("?")]
    marked = [f"{piece}?" for piece in pieces[:-1] if len(piece.split()) > 1] or [text.strip()]
    return [SubQuestion(one) for one in marked]


def _describe_progress(run: Run, so_far: Progress, room: int) -> str:
    """Return the question, and the findings of each sub-question, within the limit."""
    texts = run.texts
    lines = [texts.say("research.asks", question=run.question), texts.say("research.data")]
    share = max(_GAP_EXCERPT, room // max(1, len(so_far)))
    for part, told in so_far:
        lines.append(f"\n{texts.say('research.part', question=part.question)}")
        left = share
        for one in told:
            short = " ".join(one.split())[:_GAP_EXCERPT]
            left -= len(short)
            if left < 0:
                break
            lines.append(f"- {format_evidence_line(short, one, texts)}")
    return "\n".join(lines)
