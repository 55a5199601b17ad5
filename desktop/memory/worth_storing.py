"""Decides what of a session is worth storing: which exchanges, and how much of a message.

An exchange is worth storing if the next session should know something in it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop.domain.facts import LONGEST_FACT, Refusal
from desktop.domain.messages import NO_MODEL, Message, MessageState, Role
from desktop.domain.routing import Intent
from desktop.language.intents import PhraseLists, detect_intent, is_courtesy
from desktop.language.normalization import folded_key
from desktop.language.phrase_matcher import consists_of, tokenize
from desktop.language.sentences import plain_text, sentences

_FEWEST_WORDS = 2
_LONGEST_EXCUSE = 240
_I_AM = re.compile(r"\w{3,}(?:y|[^\Wdt])[iu]m")  # "Vejetaryenim", but not "anladım"
_EXCUSE = re.compile(
    r"^(?:(?:uzgunum|maalesef|ne yazik ki|ozur dilerim|sorry|i'm sorry|i am sorry|unfortunately"
    r"|i apologi[sz]e)\b|(?:bunu|buna|bu soru\w*) .{0,40}(?:bilmiyorum|\w+[ae]m(?:iyorum|[ae]dim))"
    r"|\w+[ae]m(?:iyorum|[ae]dim)\b"
    r"|i (?:can't|can not|cannot|couldn't|could not|was unable|am unable|do not know|don't know)\b"
    r"|i'm (?:unable|not able)\b|yaniti gosteremiyorum)"
)


def find_refusal(
    question: Message, answer: Message | None, phrases: PhraseLists
) -> Refusal | None:
    """Return why an exchange is not worth storing; None if it is.

    What the user states always is, whatever the answer.
    """
    if says_nothing(question.content, phrases):
        return Refusal.EMPTY
    if "?" not in question.content or answer is None:
        return None
    wants_to_hear_again = detect_intent(question.content, phrases).intent is Intent.RECALL
    if answer.model == NO_MODEL or wants_to_hear_again:
        return Refusal.RECALLED
    return Refusal.FAILED if has_failed(answer) else None


def says_nothing(text: str, phrases: PhraseLists) -> bool:
    """Whether it is a greeting, thanks, or a single word that does not describe the user."""
    line = tokenize(text)
    follow_ups = phrases.again + phrases.courtesies + phrases.urges
    if is_courtesy(text, phrases) or consists_of(line, follow_ups):
        return True
    words = line.words
    return len(words) < _FEWEST_WORDS and not any(_I_AM.fullmatch(word.text) for word in words)


def has_failed(answer: Message) -> bool:
    """Whether an answer is incomplete, or answers nothing."""
    if answer.state is not MessageState.COMPLETE:
        return True
    folded = folded_key(answer.content)
    return len(folded) <= _LONGEST_EXCUSE and _EXCUSE.search(folded) is not None


def find_refusals(messages: Sequence[Message], phrases: PhraseLists) -> Mapping[Refusal, int]:
    """Count the reasons why no exchange is worth storing; empty if at least one is."""
    reasons: Counter[Refusal] = Counter()
    for message, following in pairwise((*messages, None)):
        if message is None or message.role is not Role.USER:
            continue
        answer = following if following and following.role is Role.ASSISTANT else None
        why = find_refusal(message, answer, phrases)
        if why is None:
            return {}
        reasons[why] += 1
    return reasons


@dataclass(frozen=True, slots=True)
class Excerpt:
    text: str  # In one line, without markdown; empty if it contains no word
    start: int
    length: int


def excerpt_message(message: str) -> Excerpt:
    """Return a short message whole; of a long one as many first sentences as a fact may have."""
    whole = plain_text(message)
    if len(whole) <= LONGEST_FACT:
        begin = len(message) - len(message.lstrip())
        return Excerpt(whole, begin, len(message.strip()))
    message_sentences = sentences(message)
    if not message_sentences:
        return Excerpt(_cut(whole), 0, len(message))
    first, *others = message_sentences
    end, text = first.end, plain_text(first.text)
    for sentence in others:
        longer = f"{text} {plain_text(sentence.text)}"
        if len(longer) > LONGEST_FACT:
            break
        text, end = longer, sentence.end
    return Excerpt(_cut(text), first.start, end - first.start)


def _cut(text: str) -> str:
    if len(text) <= LONGEST_FACT:
        return text
    return text[: LONGEST_FACT - 1].rsplit(" ", 1)[0] + "…"
