"""What of a message is kept where the user asks for it to be remembered as it stands."""

from dataclasses import dataclass

from desktop.domain.facts import LONGEST_FACT
from desktop.language.markdown_stripping import plain_text
from desktop.language.sentences import sentences


@dataclass(frozen=True, slots=True)
class Gist:
    text: str
    """In one line, without markdown; empty where there is no word in it."""
    start: int
    length: int
    """Where it stands in the message."""


def gist(message: str) -> Gist:
    """The whole of a short message; of a long one its first sentences, as many as a fact takes."""
    whole = plain_text(message)
    if len(whole) <= LONGEST_FACT:
        begin = len(message) - len(message.lstrip())
        return Gist(whole, begin, len(message.strip()))
    found = sentences(message)
    if not found:
        return Gist(_cut(whole), 0, len(message))
    start, end, text = found[0].start, found[0].end, plain_text(found[0].text)
    for sentence in found[1:]:
        longer = f"{text} {plain_text(sentence.text)}"
        if len(longer) > LONGEST_FACT:
            break
        text, end = longer, sentence.end
    return Gist(_cut(text), start, end - start)


def _cut(text: str) -> str:
    """At the end of a word."""
    if len(text) <= LONGEST_FACT:
        return text
    return text[: LONGEST_FACT - 1].rsplit(" ", 1)[0] + "…"
