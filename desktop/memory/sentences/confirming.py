"""Whether a short answer says yes to what the assistant asked or claimed."""

import re

from desktop.domain.facts import ProposedFact
from desktop.domain.messages import Message
from desktop.language.hearing.phrases import PhraseLists, is_courtesy
from desktop.language.normalization import fold, word_texts
from desktop.memory.numbers.number_words import claims_only, told_numbers
from desktop.memory.sentences.saying import is_negated

_LONGEST = 6
"""Words: who says more than that says something of their own."""
# Folded, as everything that is compared.
_ASSENTS = re.compile(
    r"evet|aynen|dogru|oyle\w*|tabii?|elbette|kesinlikle|hakli\w*|anlastik|kabul|eminim"
    r"|yes|yeah|yep|yup|right|correct|exactly|true|indeed|sure|agreed|absolutely|definitely"
)
_ASSENTS_WHOLE = re.compile(
    r"var|(?:yes )?(?:i|we) (?:do|am|are|have|did|can|will|would)|of course|that s it"
)
_AGREES = re.compile(r"tamam\w*|olur|peki|ok|okay|okey|fine")
"""To a question; to what was only stated it says that it was heard."""
_DENIES = re.compile(r"hayir|yanlis|nope|nah|wrong")
_HEDGES = re.compile(
    r"\b(?:belki|galiba|sanirim|herhalde|muhtemelen|olabilir|emin degil\w*|bilmem|bilmiyorum"
    r"|eskiden\w*|bir ara|bazen|kismen|sayilir|sana ne|ilgilendirmez|bos ?ver\w*|fark etmez"
    r"|(?:ilk|birinci|ikinci|ucuncu|diger|oteki|sonuncu)(?:si|i|su)?"
    r"|maybe|perhaps|probably|possibly|unsure|not sure|used to|kinda|kind of|sort of|sometimes"
    r"|i guess|might|could be|don'?t know|none of your|your business|partly|not anymore|no longer"
    r"|first|second|third|last one|latter|former|other one|neither|whatever)\b"
)
_WH = re.compile(
    r"\b(?:ne|nere\w*|kac\w*|kim\w*|hangi\w*|nasil\w*|what|where|which|who|how|when)\b"
)


def confirms(quote: str, proposed: ProposedFact, before: Message, phrases: PhraseLists) -> bool:
    """Whether it does, and is not thanks, a doubt, a choice or a no."""
    said = word_texts(quote)
    answer = fold(quote)
    if len(said) > _LONGEST or _HEDGES.search(answer):
        return False
    if any(map(_DENIES.fullmatch, said)) or is_negated(quote):
        return is_negated(proposed.content)
    if any(map(_ASSENTS.fullmatch, said)) or _ASSENTS_WHOLE.fullmatch(" ".join(said)):
        return True
    if "?" not in before.content:
        return False
    if any(map(_AGREES.fullmatch, said)):
        return True
    return not is_courtesy(quote, phrases) and _answers(quote, proposed, before)


def _answers(quote: str, proposed: ProposedFact, before: Message) -> bool:
    """Whether the answer is in the fact: a number, or most of its words."""
    if not _WH.search(fold(before.content)):
        return False
    numbers = told_numbers(quote)
    if numbers:
        return claims_only(proposed.content, numbers | told_numbers(before.content))
    said, content = word_texts(quote), set(word_texts(proposed.content))
    return bool(said) and 2 * sum(word in content for word in said) > len(said)
