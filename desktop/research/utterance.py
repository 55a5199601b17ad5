"""A message of the user, parsed once, where it arrives: every later step reads the same parts."""

from dataclasses import dataclass, replace
from functools import cached_property

from desktop.domain.language import Language
from desktop.domain.routing import Intent, IntentReason
from desktop.language.authored_text import trim_message
from desktop.language.clauses import (
    Clause,
    ForgetTarget,
    find_clause,
    find_forget_target,
    find_standing_wish,
)
from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import (
    Announcement,
    DetectedIntent,
    PhraseLists,
    announced_subject,
    detect_intent,
    find_announcement,
)
from desktop.language.keywords_and_stems import guess_language
from desktop.language.phrase_matcher import Line, tokenize
from desktop.research.builtin_answers import calculate_answer
from desktop.settings.messages import Texts

_LONGEST_CALCULATION = 200


@dataclass(frozen=True)
class Utterance:
    """Call `parse_utterance`. What only some messages need is computed when it is first read."""

    text: str
    phrases: PhraseLists
    language: Language
    detected: DetectedIntent

    @property
    def intent(self) -> Intent:
        return self.detected.intent

    @cached_property
    def line(self) -> Line:
        return tokenize(self.text)

    @cached_property
    def trimmed(self) -> str:
        """The message without what was only pasted into it."""
        return trim_message(self.text)

    @cached_property
    def needs_context(self) -> bool:
        return needs_context(self.text, self.phrases)

    @cached_property
    def announcement(self) -> Announcement | None:
        return find_announcement(self.text, self.phrases)

    @cached_property
    def subject(self) -> str:
        """What a message that announces a new topic says about it; empty if nothing."""
        return announced_subject(self.text, self.phrases)

    @cached_property
    def standing_wish(self) -> str:
        """The wish for later answers that it states; empty if it states none."""
        return find_standing_wish(self.text, self.phrases)

    @cached_property
    def clause(self) -> Clause:
        """What is to be remembered."""
        return find_clause(self.text, self.phrases)

    @cached_property
    def target(self) -> ForgetTarget:
        """What is to be forgotten."""
        return find_forget_target(self.text, self.phrases)


def parse_utterance(
    text: str, phrases: PhraseLists, language: Language = Language.EN
) -> Utterance:
    """Parse a message; without evidence in its words it is in `language`."""
    return Utterance(text, phrases, guess_language(text, language), _detect(text, phrases))


def _detect(text: str, phrases: PhraseLists) -> DetectedIntent:
    """Return the intent of a message; a calculation is one that the calculator can parse."""
    detected = detect_intent(text, phrases)
    is_short = len(text) <= _LONGEST_CALCULATION and detected.reason is not IntentReason.PHRASE
    if is_short and any(map(str.isdigit, text)) and calculate_answer(text, Texts(Language.EN)):
        return replace(
            detected, intent=Intent.CALCULATION, confidence=1.0, reason=IntentReason.PHRASE
        )
    return detected
