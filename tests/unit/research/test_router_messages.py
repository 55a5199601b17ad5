"""How often the router is right, on messages as people write them in two languages."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from desktop.domain.messages import Message
from desktop.domain.routing import Decision, Guard, Research, Unsure, Why
from desktop.research.routing.router import Rules, decide
from desktop.sessions.prompts_and_phrases import shipped_routes
from tests.archives import finished
from tests.studies import phrases

FOLDER = Path(__file__).parent
WRITTEN, TYPED = FILES = ("router_messages.toml", "typed_messages.toml")
"""Typed in a hurry, more of them are in doubt."""
LEAST_RIGHT = 0.95
MOST_UNSURE = {WRITTEN: 0.1, TYPED: 0.25}


@dataclass(frozen=True, slots=True)
class Labelled:
    text: str
    wants: str
    said: tuple[Message, ...]


@cache
def labelled(file: str) -> tuple[Labelled, ...]:
    return tuple(_read(FOLDER / file))


def _read(path: Path) -> Iterator[Labelled]:
    values = tomllib.loads(path.read_text(encoding="utf-8"))
    said = {name: finished(name, *texts).messages for name, texts in values["sessions"].items()}
    for group in values["group"]:
        before = tuple(said.get(group.get("session"), ()))
        for text in group["texts"]:
            yield Labelled(text, group["wants"], before)


def rules() -> Rules:
    return Rules(phrases(), routes=shipped_routes(), can_search=True)


def named(decision: Decision) -> str:
    if isinstance(decision, Guard):
        then = f" + {named(decision.then)}" if decision.then else ""
        return f"guard {' '.join(topic.value for topic in decision.topics)}{then}"
    if isinstance(decision, Research):
        return decision.tier.value
    name = type(decision).__name__.lower()
    return "end" if name == "endsession" else name


def test_there_are_two_hundred_messages_in_two_languages() -> None:
    texts = [one.text for file in FILES for one in labelled(file)]
    assert len(texts) >= 200
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("file", FILES)
def test_where_the_rules_answer_they_are_right_and_in_doubt_they_say_so(file: str) -> None:
    found = [(one, decide(one.text, one.said, rules())) for one in labelled(file)]
    unsure = [one for one, decision in found if isinstance(decision, Unsure)]
    answered = [(one, decision) for one, decision in found if not isinstance(decision, Unsure)]
    wrong = [
        f"{one.text!r}: {named(decision)}, not {one.wants}"
        for one, decision in answered
        if sorted(named(decision).split()) != sorted(one.wants.split())
    ]
    right = 1 - len(wrong) / len(answered)
    print(f"right {right:.3f} of {len(answered)}, unsure {len(unsure)}", *wrong, sep="\n")  # noqa: T201 - the share is what this test is about
    assert right >= LEAST_RIGHT
    assert len(unsure) <= MOST_UNSURE[file] * len(found)


def test_what_nobody_can_search_for_is_answered_at_once_instead_of_asked_about() -> None:
    nothing_there = Rules(phrases(), routes=shipped_routes())
    for one in (*labelled(WRITTEN), *labelled(TYPED)):
        decision = decide(one.text, one.said, nothing_there)
        assert not isinstance(decision, Unsure) or decision.reason is Why.ABOUT_IT
        assert not (isinstance(decision, Guard) and isinstance(decision.then, Unsure))
