"""Parts a message into the questions that it asks."""

from desktop.language.normalization import fold
from desktop.language.phrase_matcher import find_phrases, tokenize

_ASKING = frozenset(
    fold(
        "what who where when why how which nedir kimdir nasıl neden niçin niye nerede hangi ne kim"
        " kaç"
    ).split()
)


def before_each_mark(text: str) -> list[str]:
    """What stands before each of several question marks; none where there is but one."""
    # By a pattern, a long paste without one took minutes.
    asked = (part.strip() for part in text.split("?")[:-1])
    parts = list(dict.fromkeys(f"{part}?" for part in asked if part))
    return parts if len(parts) > 1 else []


def joined(text: str, joins: tuple[str, ...]) -> list[str]:
    """Two questions in one, "… nedir ve … nasıl çalışır": each with a word that asks.

    `joins`: the words that stand between such two. None where it is a single question.
    """
    line = tokenize(text)
    for join in find_phrases(line, joins):
        halves = ((0, join.start), (join.end, len(line.text)))
        if all(_ASKING & set(line.text[start:end].split()) for start, end in halves):
            behind = line.original_after(join.end).strip()
            return [line.original_between(0, join.start), behind]
    return []
