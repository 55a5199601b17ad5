"""Plans: what a model has to write, and what of it is taken; nothing of it is trusted."""

from collections.abc import Iterator, Mapping, Sequence

from desktop.domain.model import JsonValue
from desktop.domain.research import Plan, SubQuestion

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


def objects(value: JsonValue, name: str) -> list[Mapping[str, JsonValue]]:
    """The objects of a list within what a model wrote; a bare list counts as well."""
    found = value.get(name) if isinstance(value, Mapping) else value
    if not isinstance(found, Sequence) or isinstance(found, str):
        return []
    return [one for one in found if isinstance(one, Mapping)]


def sub_questions(value: JsonValue, name: str, most: int) -> list[SubQuestion]:
    """None twice, none empty; their searches short."""
    found: dict[str, SubQuestion] = {}
    for one in objects(value, name):
        question = line(one.get("question"), _LONGEST_QUESTION)
        if question:
            searches = tuple(_searches(one))[:_MOST_SEARCHES]
            found.setdefault(question.casefold(), SubQuestion(question, searches))
    return list(found.values())[:most]


def plan_of(value: JsonValue, asked: str, most: int) -> Plan:
    """A plan in any case: without a sub-question that can be read, the question itself is one."""
    written: Mapping[str, JsonValue] = value if isinstance(value, Mapping) else {}
    question = line(written.get("question"), _LONGEST_CONTEXT) or asked
    parts = sub_questions(value, "parts", most) or [SubQuestion(line(asked, _LONGEST_QUESTION))]
    outline = [line(one, _LONGEST_HEADING) for one in _texts(written.get("outline"))]
    return Plan(question, tuple(parts), tuple(filter(None, outline))[:_MOST_HEADINGS])


def plan_json(plan: Plan) -> JsonValue:
    """As a step keeps it, and as `plan_of` reads it."""
    return {
        "question": plan.question,
        "parts": [
            {"question": one.question, "searches": list(one.searches)} for one in plan.parts
        ],
        "outline": list(plan.outline),
    }


def line(value: JsonValue, longest: int = _LONGEST_QUESTION) -> str:
    """A text in one line, cut where it is too long; empty for what is none."""
    return " ".join(value.split())[:longest].strip() if isinstance(value, str) else ""


def _searches(one: Mapping[str, JsonValue]) -> Iterator[str]:
    for value in (one.get("search"), *_texts(one.get("searches"))):
        if search := line(value, _LONGEST_SEARCH):
            yield search


def _texts(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
