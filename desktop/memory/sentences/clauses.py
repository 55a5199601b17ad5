"""The clause that words stand in: whether it asks, and whether it denies what a fact says."""

import re
from dataclasses import dataclass

from desktop.language.stopwords import StopWords
from desktop.memory.sentences.saying import places, read

_ENDS = re.compile(r"[;!?\n]|[.,:](?!\d)")
_ENDS_SENTENCE = re.compile(r"[!?\n]|\.(?!\d)")
_PARTS = re.compile(
    r"[.,;:!?\n]|\b(?:because|since|but|and|so|although|though|while|cunku|ama|fakat|ancak|ve|icin"
    r"|halde|ragmen|varken|olarak|diye)\b"
)
_JOINTS = re.compile(rf"[.,:](?!\d)|[;!?\n]|{_PARTS.pattern.partition('|')[2]}")
"""The same, without the marks inside of figures."""
_ASKS_TR = re.compile(r"\bm[iu](?:y[iu]m|y[iu]z|d[iu]r|yd[iu]\w*)?\b")
_ASKS_AT_END = re.compile(r"\bm[iu](?:y[iu]m|y[iu]z|s[iu]n(?:[iu]z)?|d[iu]r|yd[iu]\w*)?$")
_ASKS_EN = re.compile(
    r"^(?:(?:so|and|but|hey|hi|please|ok|then)[ ,]+)*(?:is|are|was|were|am|do|does|did|can|could"
    r"|should|will|would|has|have|may|might)\b"
)
_ASIDE = re.compile(r"\b(?:icin|olarak|varken|ragmen|gore|ile|\w{2,}ken|\w+dugum\w*)$")
"""How a quotation ends that only leads to what is asked: "vejetaryen olarak"."""
_LONGEST_AROUND = 300
"""Letters: a paste can be one word without an end."""
_NOTHING_ELSE = re.compile(r"(?:(?:i|we|my|our|the|an?|it|that|this|there) ?)*")
"""What may stand between the verb that asks and the quotation."""
_GIVEN_UP = re.compile(r"\b(?:quit|stopped|gave up|given up|birak\w*|vazgec\w*|kestim)\b")
_FORMER = re.compile(r"\b(?:eskiden|used to|formerly|\w{2,}yord[iu]\w*|\w{2,}[aeiu]rd[iu][mk]?)\b")
_MAYBE = re.compile(
    r"\b(?:belki|olabilir\w*|galiba|herhalde|muhtemelen|maybe|perhaps|possibly|might)\b"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """Folded."""

    quote: str
    text: str
    """The quotation and what stands around it, up to the next marks."""
    whole: str
    """The message."""
    start: int
    end: int
    """Of the text, in the message."""
    ahead: str
    """Of the text, what stands before the quotation."""
    ends_in_question: bool
    """The sentence, or what is left of it."""


def clause_around(text: str, start: int, end: int) -> Clause:
    earliest = max(0, start - _LONGEST_AROUND)
    before = [one.end() for one in _ENDS.finditer(text, earliest, start)]
    first = before[-1] if before else earliest
    after = _ENDS.search(text, end)
    last = min(after.start() if after else len(text), end + _LONGEST_AROUND)
    sentence = _ENDS_SENTENCE.search(text, end)
    return Clause(
        text[start:end],
        text[first:last],
        text,
        first,
        last,
        text[first:start],
        ends_in_question=sentence is not None and sentence[0] == "?",
    )


def part_around(clause: Clause) -> tuple[str, int]:
    """Of a clause the part that has the quotation, and where in it the quotation ends."""
    begins = len(clause.ahead)
    ends = begins + len(clause.quote)
    before = [one.end() for one in _PARTS.finditer(clause.text, 0, begins)]
    after = _PARTS.search(clause.text, ends)
    first = before[-1] if before else 0
    last = after.start() if after else len(clause.text)
    return clause.text[first:last], ends - first


def parts_of_sentence(clause: Clause) -> tuple[list[tuple[int, int]], int]:
    """Places in the message: of the sentence's parts up to the quotation's end, in order.

    And which of them is the first that the quotation reaches into.
    """
    begins = clause.start + len(clause.ahead)
    ends = begins + len(clause.quote)
    earliest = max(0, begins - _LONGEST_AROUND)
    before = [one.end() for one in _ENDS_SENTENCE.finditer(clause.whole, earliest, begins)]
    start = before[-1] if before else earliest
    joints = [one.span() for one in _JOINTS.finditer(clause.whole, start, ends)]
    after = _JOINTS.search(clause.whole, ends)
    last = min(after.start() if after else len(clause.whole), ends + _LONGEST_AROUND)
    edges = [start, *(edge for joint in joints for edge in joint), last]
    parts = [(first, last) for first, last in zip(edges[::2], edges[1::2], strict=True)]
    found = [part for part in parts if clause.whole[slice(*part)].strip()]
    reached = sum(last <= begins for _, last in found)
    return found, min(reached, len(found) - 1)


def is_asked(clause: Clause) -> bool:
    """Whether the words are what the user asks: whether it is so."""
    text = clause.text.strip()
    if _ASKS_AT_END.search(clause.quote):
        return True
    if _ASIDE.search(clause.quote):
        return False
    particle = _ASKS_TR.search(text)
    if particle or not clause.ends_in_question:
        return particle is not None and (
            clause.ends_in_question or _ASKS_AT_END.search(text) is not None
        )
    asks = _ASKS_EN.search(text)
    between = clause.ahead.strip()[asks.end() :].strip() if asks else ""
    return asks is not None and _NOTHING_ELSE.fullmatch(between) is not None


def speaks_against(content: str, clause: Clause, stop_words: StopWords) -> bool:
    """Whether the clause denies all that a fact says, or tells that it was, or may be so."""
    ours = read(content, stop_words)
    closest = 0
    is_against = False
    for part in _PARTS.split(clause.text):
        theirs = read(part, stop_words)
        shared = sum(place is not None for place in places(ours, theirs))
        if shared <= closest:
            continue
        closest = shared
        is_whole = shared == len(ours.words)
        was = _FORMER.search(part) is not None and "past" not in ours.times
        is_given_up = ours.is_negated and _GIVEN_UP.search(part) is not None
        is_denied = ours.is_negated != theirs.is_negated and not is_given_up
        is_against = _MAYBE.search(part) is not None or (is_whole and (is_denied or was))
    return is_against
