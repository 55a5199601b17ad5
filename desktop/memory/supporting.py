"""Whether a fact rests on the user's own words: they must stand in a message, and say it.

What a user pasted (quoted lines, code) is not the user's word, nor is anything the assistant
said, unless the user confirmed it in the very next message.
"""

import re
from collections.abc import Sequence

from desktop.domain.facts import ProposedFact, Support
from desktop.domain.messages import Message, Role
from desktop.language.folding import fold, words
from desktop.language.phrases import PhraseLists
from desktop.language.stopwords import StopWords
from desktop.language.terms import content_words, keys

_PASTED = re.compile(
    r"^ {0,3}>.*$|^ {0,3}(```|~~~).*?(?:^ {0,3}\1.*?$|\Z)", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(r"[^\W_]+")
_LEAST_LETTERS = 2
_LONGEST_CONFIRMATION = 6
"""Words: who says more than that says something of their own."""


def find_support(
    proposed: ProposedFact, messages: Sequence[Message], phrases: PhraseLists
) -> Support | None:
    """The newest place where the user says the quoted words, and they say the fact."""
    pattern = _anywhere(proposed.quote)
    if pattern is None:
        return None
    for place in reversed(range(len(messages))):
        message = messages[place]
        if message.role is not Role.USER:
            continue
        found = pattern.search(_own_words(message.content))
        if found is None:
            continue
        before = messages[place - 1] if place else None
        if _says(proposed, found[0], before, phrases):
            return Support(message.id, found.start(), found.end() - found.start())
    return None


def _anywhere(quote: str) -> re.Pattern[str] | None:
    """The words of a quote in a row, whatever stands between them; letters are folded."""
    said = _WORD.findall(fold(quote))
    if sum(map(len, said)) < _LEAST_LETTERS:
        return None
    return re.compile(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, said)) + r"(?!\w)")


def _own_words(content: str) -> str:
    """Folded, and letter for letter as long: what was pasted is blanked out."""
    folded = fold(content)
    return _PASTED.sub(lambda found: " " * len(found[0]), folded)


def _says(
    proposed: ProposedFact, quote: str, before: Message | None, phrases: PhraseLists
) -> bool:
    said = _terms(f"{proposed.content} {proposed.topic}", phrases.stop_words)
    if said & _terms(quote, phrases.stop_words):
        return True
    if before is None or before.role is not Role.ASSISTANT:
        return False
    is_short = len(quote.split()) <= _LONGEST_CONFIRMATION
    return is_short and bool(
        _terms(proposed.content, phrases.stop_words) & _terms(before.content, phrases.stop_words)
    )


def _terms(text: str, stop_words: StopWords) -> set[str]:
    """What a text shares with its relatives: the stems of its words, and its numbers."""
    shared = {key for word in content_words(text, stop_words) for key in keys(word.text)}
    return shared | {word.text for word in words(text) if word.text.isdigit()}
