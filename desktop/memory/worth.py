"""Whether an exchange has anything in it that the next session should know: pure and readable."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from desktop.domain.facts import Refusal
from desktop.domain.messages import NO_MODEL, Message, MessageState, Role
from desktop.language.folding import words
from desktop.language.hearing.phrases import PhraseLists, is_courtesy

_FEWEST_WORDS = 2


def not_worth(question: Message, answer: Message | None, phrases: PhraseLists) -> Refusal | None:
    """Why an exchange does not deserve storing; None where it does.

    What the user states always does, whatever became of the answer.
    """
    if is_courtesy(question.content, phrases) or len(words(question.content)) < _FEWEST_WORDS:
        return Refusal.EMPTY
    if "?" not in question.content or answer is None:
        return None
    if answer.model == NO_MODEL:
        return Refusal.RECALLED
    return Refusal.FAILED if answer.state is not MessageState.COMPLETE else None


def not_worth_reading(messages: Sequence[Message], phrases: PhraseLists) -> Mapping[Refusal, int]:
    """Why none of these exchanges deserves storing, and how often; empty where one does."""
    reasons: Counter[Refusal] = Counter()
    for message, following in pairwise((*messages, None)):
        if message is None or message.role is not Role.USER:
            continue
        answer = following if following and following.role is Role.ASSISTANT else None
        why = not_worth(message, answer, phrases)
        if why is None:
            return {}
        reasons[why] += 1
    return reasons
