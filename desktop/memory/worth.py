"""Whether an exchange has anything in it that the next session should know: pure and readable."""

from dataclasses import dataclass
from enum import StrEnum

from desktop.domain.messages import NO_MODEL, Message, MessageState
from desktop.language.folding import words
from desktop.language.phrases import PhraseLists, is_courtesy

_FEWEST_WORDS = 3


class Reason(StrEnum):
    SAYS_SOMETHING = "says_something"
    GREETING = "greeting"
    """Greetings, thanks, goodbyes."""
    TOO_SHORT = "too_short"
    FAILED = "failed"
    """The assistant failed or was stopped, and the question alone tells nothing."""
    RECALLED = "recalled"
    """The answer quotes what was said before: it is known already."""


@dataclass(frozen=True, slots=True)
class Worth:
    is_worth: bool
    reason: Reason


def worth(question: Message, answer: Message | None, phrases: PhraseLists) -> Worth:
    """Whether an exchange deserves storing. What the user says of themselves always does."""
    if is_courtesy(question.content, phrases):
        return Worth(is_worth=False, reason=Reason.GREETING)
    if len(words(question.content)) < _FEWEST_WORDS:
        return Worth(is_worth=False, reason=Reason.TOO_SHORT)
    if "?" in question.content and answer is not None:
        if answer.model == NO_MODEL:
            return Worth(is_worth=False, reason=Reason.RECALLED)
        if answer.state is not MessageState.COMPLETE:
            return Worth(is_worth=False, reason=Reason.FAILED)
    return Worth(is_worth=True, reason=Reason.SAYS_SOMETHING)
