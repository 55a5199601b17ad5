"""What of a long message is looked up: the words that ask, not the text that is pasted."""

from collections.abc import Iterable, Iterator

from desktop.language.hearing.pasted import own_words
from desktop.language.sentences import Sentence, sentences

_LONGEST = 4_000
"""Letters; with more of them a search takes seconds, and finds what has any word at all."""
_PARAGRAPH = 600
"""One of so many at the beginning or at the end is the person's own."""
_QUESTIONS = 1_200


def query_language(text: str) -> str:
    """The message; of a long one its short first and last paragraphs, and what is asked there.

    Where it has none of them, its beginning and its end.
    """
    if len(text) <= _LONGEST:
        return text
    own = own_words(text.strip())
    lines = [line.strip() for line in own.split("\n") if line.strip()]
    ends = [line for line in (lines[0], lines[-1]) if len(line) <= _PARAGRAPH]
    asking = (one for one in sentences(own) if one.text.rstrip("\"'”’)» ").endswith("?"))
    asked = [one for one in _within(asking, _QUESTIONS) if not any(one in end for end in ends)]
    return "\n".join([*ends[:1], *asked, *ends[1:]]) or f"{own[:_PARAGRAPH]}\n{own[-_PARAGRAPH:]}"


def _within(several: Iterable[Sentence], letters: int) -> Iterator[str]:
    """As many as there is room for."""
    for one in several:
        letters -= len(one.text)
        if letters < 0:
            return
        yield one.text
