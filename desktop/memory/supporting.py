"""Whether a fact rests on the user's own words: they must stand in a message, and say it.

What a user pasted (quoted lines, code) is not the user's word, nor is anything the assistant
said, unless the user confirmed it in the very next message.
"""

import re
from collections.abc import Sequence

from desktop.domain.facts import ProposedFact, Support
from desktop.domain.messages import Message, Role
from desktop.language.folding import fold, words
from desktop.language.phrases import PhraseLists, is_courtesy
from desktop.language.stopwords import StopWords
from desktop.language.terms import content_words, keys
from desktop.memory.saying import is_negated

_PASTED = re.compile(
    r"^ {0,3}>.*$|^ {0,3}(```|~~~).*?(?:^ {0,3}\1.*?$|\Z)", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+")
# Those that mean nothing else; "bir", "on" and "one" do.
_NUMBER_WORD = re.compile(
    r"\b(?:iki|uc|dort|bes|alti|yedi|sekiz|dokuz|yirmi|otuz|kirk|elli|altmis|yetmis|seksen|doksan"
    r"|yuz|bin|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)\b"
)
_LEAST_LETTERS = 2
_LONGEST_CONFIRMATION = 6
"""Words: who says more than that says something of their own."""
# Folded, as everything that is compared.
_ASSENTS = re.compile(
    r"evet|aynen|dogru|oyle|tabii?|elbette|kesinlikle|hakli\w*|anlastik|kabul"
    r"|yes|yeah|yep|yup|right|correct|exactly|true|indeed|sure|agreed|absolutely|definitely"
)
_AGREES = re.compile(r"tamam\w*|olur|peki|ok|okay|okey|fine")
"""To a question; to what was only stated it says that it was heard."""
_YES_OR_NO = re.compile(
    r"\bm[iu](?:y[iu]m|y[iu]z|s[iu]n(?:[iu]z)?|d[iu]r|yd[iu]\w*)?$"
    r"|^(?:is|are|was|were|am|do|does|did|can|could|should|will|would|has|have|may|might)\b"
)
_DENIES = re.compile(r"hayir|yanlis|nope|nah|wrong")


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
        own = _own_words(message.content)
        found = pattern.search(own)
        if found is None:
            continue
        asks = own[found.end() :].lstrip().startswith("?")
        if asks and _YES_OR_NO.search(found[0]):
            continue  # Who asks whether it is so has not said that it is.
        before = messages[place - 1] if place and not asks else None
        heard = own if before is None else f"{own} {fold(before.content)}"
        has_numbers = _numbers(proposed.content) <= _numbers(heard) or _NUMBER_WORD.search(heard)
        if has_numbers and _says(proposed, found[0], before, phrases):
            return Support(message.id, found.start(), found.end() - found.start())
    return None


def says_forgotten(
    proposed: ProposedFact, forgotten: Sequence[str], stop_words: StopWords
) -> bool:
    """Whether a fact says, beyond the words it quotes, what was said in words of a deleted one."""
    beyond = _terms(proposed.content, stop_words) - _terms(proposed.quote, stop_words)
    return any(beyond & _terms(words_, stop_words) for words_ in forgotten)


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
    said = _terms(proposed.content, phrases.stop_words)
    if said & _terms(quote, phrases.stop_words):
        return True
    if before is None or not _terms(proposed.content, phrases.stop_words) & _terms(
        before.content, phrases.stop_words
    ):
        return False
    return before.role is Role.ASSISTANT and _confirms(quote, proposed, before, phrases)


def _confirms(quote: str, proposed: ProposedFact, before: Message, phrases: PhraseLists) -> bool:
    """Whether a short answer says yes, and not thanks, a doubt or a no."""
    said = [word.text for word in words(quote)]
    if len(said) > _LONGEST_CONFIRMATION:
        return False
    if any(map(_DENIES.fullmatch, said)) or is_negated(quote):
        return is_negated(proposed.content)
    if any(map(_ASSENTS.fullmatch, said)):
        return True
    if "?" not in before.content:
        return False
    return any(map(_AGREES.fullmatch, said)) or not is_courtesy(quote, phrases)


def _numbers(text: str) -> set[str]:
    """No number of a fact comes from anywhere but from what was said."""
    return set(_NUMBER.findall(text))


def _terms(text: str, stop_words: StopWords) -> set[str]:
    """What a text shares with its relatives: the stems of its words, and its numbers."""
    shared = {key for word in content_words(text, stop_words) for key in keys(word.text)}
    return shared | {word.text for word in words(text) if word.text.isdigit()}
