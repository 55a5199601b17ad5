"""Words for a decision: what a question about one asks for, and the sentence that tells of one."""

import re

from desktop.language.normalization import fold
from desktop.language.sentences import sentences

_DECISION = re.compile(
    r"\b(?:karar(?!s)\w*|vardigimiz sonuc\w*|sonuca var\w*|sectik|secmistik|anlastik|anlasmistik"
    r"|decid\w*|decision\w*|agreed|settled|concluded?|conclusions?|chose|went with)\b"
)


def tells_decision(text: str) -> bool:
    """Whether a sentence of it tells of one, rather than asks for it."""
    return any(map(is_told_decision, (sentence.text for sentence in sentences(text))))


def is_told_decision(sentence: str) -> bool:
    return is_of_decision(sentence) and not sentence.rstrip().endswith("?")


def is_of_decision(text: str) -> bool:
    return _DECISION.search(fold(text)) is not None
