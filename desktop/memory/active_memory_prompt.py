"""Writes the active memory of a request: the best facts, in at most 400 tokens.

It is part of the changing block at the end of the request and is never stored with a message.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.facts import Fact, Origin
from desktop.language.dates.date_formatting import long_date
from desktop.language.language_detection import guess_language
from desktop.settings.messages import Texts

MOST_TOKENS = 400
MOST_FACTS = 15
MOST_FACTS_LITE = 2
LEAST_IMPORTANCE = 3
CHARACTERS_A_TOKEN = 3
"""A Turkish token is shorter than an English one; three characters is safe for both."""


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    text: str = ""
    facts: Sequence[Fact] = ()
    left_out: int = 0
    """Facts for which there was no room."""

    @property
    def tokens(self) -> int:
        return estimated_tokens(self.text)


def estimated_tokens(text: str) -> int:
    """An upper estimate."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def memory_block(ranked: Sequence[Fact], texts: Texts, *, is_lite: bool = False) -> MemoryBlock:
    """As many facts as there is room for. `ranked`: the best first."""
    most_facts, most_tokens = MOST_FACTS, MOST_TOKENS
    if is_lite:
        most_facts, most_tokens = MOST_FACTS_LITE, MOST_TOKENS // 2
    taken: list[Fact] = []
    for fact in ranked:
        if len(taken) == most_facts:
            break
        if estimated_tokens(_written([*taken, fact], texts)) <= most_tokens:
            taken.append(fact)
    text = _written(taken, texts) if taken else ""
    return MemoryBlock(text, taken, len(ranked) - len(taken))


def _written(facts: Sequence[Fact], texts: Texts) -> str:
    wishes = [fact for fact in facts if fact.origin is Origin.DIRECTIVE]
    known = [fact for fact in facts if fact.origin is not Origin.DIRECTIVE]
    parts: list[str] = []
    if known:
        lines = [_line(fact, texts) for fact in known]
        parts.append("\n".join([texts.say("request.memory"), *lines]))
    if wishes:
        lines = [f"- {fact.content}" for fact in wishes]
        parts.append("\n".join([texts.say("request.wishes"), *lines]))
    return "\n\n".join(parts)


def _line(fact: Fact, texts: Texts) -> str:
    """With the day it was learned on, if it only holds as of a day: an age, a "currently"."""
    from desktop.language.dates.relative_date_annotation import is_of_its_day  # noqa: PLC0415

    if not is_of_its_day(fact.content):
        return f"- {fact.content}"
    day = long_date(fact.valid_from, guess_language(fact.content, texts.language))
    return f"- {fact.content} ({day})"
