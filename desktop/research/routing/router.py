"""Decides what a message calls for: pure, fast, and before anything is done about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from desktop.domain.facts import Origin
from desktop.domain.language import Language
from desktop.domain.messages import Message, Role
from desktop.domain.routing import (
    REFUSED,
    Answer,
    Answering,
    Decision,
    EndSession,
    Forget,
    Guard,
    GuardTopic,
    Intent,
    IntentReason,
    Recall,
    Remember,
    Research,
    RoutingReason,
    Unsure,
)
from desktop.domain.sessions import EndReason
from desktop.domain.tiers import Tier
from desktop.domain.times import Clock, utc_now
from desktop.language.authored_text import find_user_words, trim_message
from desktop.language.dates.date_parser import find_dates
from desktop.language.follow_ups import changes_subject, leans_back
from desktop.language.intents.clauses import clean_fact, find_clause, find_forget_target
from desktop.language.intents.detection import DetectedIntent, detect_intent
from desktop.language.intents.phrases import PhraseLists, find_announcement, is_courtesy
from desktop.language.keywords_and_stems import content_of, content_words
from desktop.language.normalization import fold, word_texts
from desktop.language.phrase_matcher import find_phrase, find_phrases, tokenize
from desktop.language.sentences import joined, sentences
from desktop.research.calculator_answers import calculate_answer
from desktop.research.routing.effort import estimate_effort
from desktop.settings.messages import Texts

_RECENT = 12
_SURE = 0.8
"""Confidence of the classifier from which a follow-up may be about the assistant."""
"""Messages that a change of subject is judged against."""
_SUBJECT_WORDS = 8
_ABOUT = 400
"""Letters of a message that say what it is about; a long session has hundreds of messages."""
_BEGINNING = 5
_SOFTENED = "bcdgkpt"
"""The end of a Turkish word that its endings change."""
_USUAL_IMPORTANCE = 9
_MOST_PARTS, _LONGEST_MIXED, _LONGEST_CALCULATION = 6, 600, 200
_MAKER = """
made maker creat built build develop program compan train invent boss author yapti yapan yarat
gelistir uret firma sirket kurucu sahib yazdi tasarla egit
"""
_CUSTODY = """
data private privacy stor safe secure keep kept see read record spy veri gizli sakla guven kayd
kayit gor oku dinle paylas
"""
GUARDED = frozenset({Intent.ABOUT_ASSISTANT, Intent.CAPABILITIES, Intent.TEMPORAL, Intent.SECRETS})
# Which of its topics an intent is about, by the beginnings of a few words; the last is the usual.
_TOPICS: Mapping[Intent, Sequence[tuple[GuardTopic, str]]] = {
    Intent.ABOUT_ASSISTANT: (
        (GuardTopic.MODEL, "model version surum llm gpt motor engine"),
        (
            GuardTopic.MAKER,
            _MAKER,
        ),
        (GuardTopic.NAME, ""),
    ),
    Intent.CAPABILITIES: (
        (
            GuardTopic.CUSTODY,
            _CUSTODY,
        ),
        (GuardTopic.ABILITIES, ""),
    ),
    Intent.TEMPORAL: (
        (GuardTopic.TOMORROW, "tomorrow yarin"),
        (GuardTopic.YESTERDAY, "yesterday dun dunku"),
        (GuardTopic.TIME, "time clock hour saat saati dakika minute"),
        (GuardTopic.DATE, ""),
    ),
    Intent.SECRETS: ((GuardTopic.SECRETS, ""),),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user has set about when a session ends."""

    phrases: PhraseLists
    detects_thanks: bool = True
    detects_subject_change: bool = True
    recalls: bool = True
    """Whether past sessions may be looked into."""
    now: Clock = utc_now
    can_search: bool = False
    """Whether there is anything to do research in: a library, or the web."""


def decide(
    text: str, said: Sequence[Message], rules: Rules, *, chosen: Tier | None = None
) -> Decision:
    """What to do with a message of the user's, given what was said in the session so far.

    `chosen`: how much work the user wants done, whatever would be decided.
    """
    detected = _in_session(detect(text, rules), text, said, rules)
    if ended := _end(text, detected, said, rules):
        return ended
    if kept := _memory_request(text, detected, rules):
        return kept
    answering = _route(text, detected, said, rules, chosen)
    if isinstance(answering, Guard | Recall):
        return answering
    if rules.detects_subject_change and _has_exchange(said):
        recent = [trim_message(message.content) for message in said[-_RECENT:]]
        if change := changes_subject(trim_message(text), recent, rules.phrases):
            return EndSession(
                EndReason.SUBJECT_CHANGE, change.reason, begin_with=text, keeps_message=False
            )
    return answering


def settle_intent(text: str, said: Sequence[Message], rules: Rules) -> DetectedIntent:
    """The intent by which the program acts; what it does not act on is ordinary."""
    found = detect(text, rules)
    decision = decide(text, said, rules)
    # Thanks end nothing where nothing was answered, and are thanks all the same.
    is_thanks = found.intent is Intent.END and not _has_exchange(said)
    is_unheeded = isinstance(decision, Answer | Research | Unsure) and found.intent in _ACTED_ON
    if is_unheeded and not is_thanks:
        return replace(found, intent=Intent.ORDINARY)
    if isinstance(decision, Guard) and found.intent is Intent.ORDINARY:
        return replace(found, intent=_INTENT_OF[decision.topics[0]], reason=IntentReason.PHRASE)
    return found


def detect(text: str, rules: Rules) -> DetectedIntent:
    """The intent of a message; a calculation is one that the calculator understands."""
    found = detect_intent(text, rules.phrases)
    is_short = len(text) <= _LONGEST_CALCULATION and found.reason is not IntentReason.PHRASE
    if is_short and any(map(str.isdigit, text)) and calculate_answer(text, _texts()):
        return replace(
            found, intent=Intent.CALCULATION, confidence=1.0, reason=IntentReason.PHRASE
        )
    return found


@cache
def _texts() -> Texts:
    return Texts(Language.EN)


def route(
    text: str, said: Sequence[Message], rules: Rules, *, chosen: Tier | None = None
) -> Answering:
    """What a question is answered by, wherever it came to stand."""
    detected = _in_session(detect(text, rules), text, said, rules)
    return _route(text, detected, said, rules, chosen)


def _in_session(
    found: DetectedIntent, text: str, said: Sequence[Message], rules: Rules
) -> DetectedIntent:
    """A follow-up that only may be about the assistant is a question like the one before it."""
    is_sure = found.reason is IntentReason.PHRASE or found.confidence >= _SURE
    if is_sure or found.intent not in GUARDED or not _has_exchange(said):
        return found
    if leans_back(text, rules.phrases) is None:
        return found
    return replace(found, intent=Intent.ORDINARY, reason=IntentReason.NONE)


def memory_request(text: str, rules: Rules) -> Remember | Forget | None:
    """Whether a message wants something remembered or forgotten."""
    return _memory_request(text, detect(text, rules), rules)


def _end(
    text: str, detected: DetectedIntent, said: Sequence[Message], rules: Rules
) -> EndSession | None:
    if detected.intent is Intent.NEW_TOPIC:
        return _new_topic(text, rules)
    is_end = detected.intent is Intent.END and rules.detects_thanks
    if not (is_end and _has_exchange(said)) or "?" in text:
        return None
    return EndSession(EndReason.THANKS, detected.phrase or text.strip())


def _new_topic(text: str, rules: Rules) -> EndSession:
    """The announcement belongs to neither session; what follows it begins the next."""
    announced = find_announcement(text, rules.phrases)
    if announced is None:
        # Heard by the classifier: nobody knows where its announcement ends.
        return EndSession(
            EndReason.NEW_TOPIC, text.strip(), begin_with=text.strip(), keeps_message=False
        )
    begin_with = announced.rest or None
    return EndSession(
        EndReason.NEW_TOPIC, announced.phrase, begin_with=begin_with, keeps_message=False
    )


def _memory_request(text: str, detected: DetectedIntent, rules: Rules) -> Remember | Forget | None:
    phrase = detected.phrase
    match detected.intent:
        case Intent.REMEMBER:
            clause = find_clause(text, rules.phrases)
            length = clause.end - clause.start
            return Remember(
                phrase or clause.content,
                clause.content,
                clause.start,
                length,
                _USUAL_IMPORTANCE,
                is_alone=clause.is_alone,
            )
        case Intent.STYLE:
            content = clean_fact(find_user_words(text))
            return Remember(
                phrase or content,
                content,
                0,
                len(text),
                _USUAL_IMPORTANCE,
                Origin.DIRECTIVE,
                is_alone="?" not in text,
            )
        case Intent.FORGET:
            target = find_forget_target(text, rules.phrases)
            return Forget(phrase or text.strip(), target.words, target.is_everything)
        case _:
            return None


_ACTED_ON = frozenset(Intent) - {Intent.ORDINARY, Intent.CALCULATION, Intent.RECALL}
_INTENT_OF = {
    GuardTopic.NAME: Intent.ABOUT_ASSISTANT,
    GuardTopic.MAKER: Intent.ABOUT_ASSISTANT,
    GuardTopic.MODEL: Intent.ABOUT_ASSISTANT,
    GuardTopic.ABILITIES: Intent.CAPABILITIES,
    GuardTopic.CUSTODY: Intent.CAPABILITIES,
    GuardTopic.DATE: Intent.TEMPORAL,
    GuardTopic.TIME: Intent.TEMPORAL,
    GuardTopic.YESTERDAY: Intent.TEMPORAL,
    GuardTopic.TOMORROW: Intent.TEMPORAL,
    GuardTopic.SECRETS: Intent.SECRETS,
}


def _route(
    text: str,
    detected: DetectedIntent,
    said: Sequence[Message],
    rules: Rules,
    chosen: Tier | None,
) -> Answering:
    guard = _guard(text, detected, said, rules, chosen)
    if guard is not None:
        return guard
    work = _work(text, detected, said, rules, chosen)
    is_open = isinstance(work, Answer) and work.reason in {
        RoutingReason.SESSION,
        RoutingReason.DEFINITION,
    }
    if is_open and detected.doubtful in GUARDED:
        return Unsure(RoutingReason.ABOUT_IT)
    return work


def _guard(
    text: str,
    detected: DetectedIntent,
    said: Sequence[Message],
    rules: Rules,
    chosen: Tier | None,
) -> Guard | None:
    """What of a message the application itself knows; its sentences are looked at one by one."""
    parts = _parts(text, rules.phrases)
    found = [(part, detect_intent(part, rules.phrases)) for part in parts]
    guarded = [one for one in found if one[1].intent in GUARDED and _is_certain(one[1])]
    if guarded:
        certain = {part for part, _ in guarded}
        others = [part for part in parts if part not in certain]
        rest = " ".join(part for part in others if not is_courtesy(part, rules.phrases))
    elif detected.intent in GUARDED:
        guarded, rest = [(text, detected)], ""
    else:
        return None
    if chosen and not rest:
        # Whoever wants work done on a question wants it, though the application knows an answer.
        rest = text.strip()
    topics = tuple(dict.fromkeys(_topic(part, one.intent) for part, one in guarded))
    if chosen and REFUSED.issuperset(topics):
        # What may be refused by mistake is not, where the user insists: there is no key in any
        # request, and no answer is shown that gives away instructions.
        return None
    then = _work(rest, _ORDINARY, said, rules, chosen) if rest else None
    words = guarded[0][1].phrase or guarded[0][0].strip()
    return Guard(topics, words, rest, then)


def _parts(text: str, phrases: PhraseLists) -> list[str]:
    """The sentences of a message, and the questions that one of them asks; none of a long one."""
    said = [one.text for one in sentences(text)] if len(text) <= _LONGEST_MIXED else []
    parts = [part for one in said for part in (joined(one, phrases.joins) or [one])]
    return parts if 1 < len(parts) <= _MOST_PARTS else []


_ORDINARY = DetectedIntent(Intent.ORDINARY, 1.0, IntentReason.NONE)


def _is_certain(one: DetectedIntent) -> bool:
    return one.reason is IntentReason.PHRASE


def _topic(text: str, intent: Intent) -> GuardTopic:
    heard = word_texts(text)
    for topic, beginnings in _TOPICS[intent]:
        if not beginnings or any(word.startswith(tuple(beginnings.split())) for word in heard):
            return topic
    raise AssertionError(intent)


def _work(
    text: str,
    detected: DetectedIntent,
    said: Sequence[Message],
    rules: Rules,
    chosen: Tier | None,
) -> Answer | Recall | Research | Unsure:
    if chosen is not None:
        return Research(chosen, RoutingReason.CHOSEN)
    if detected.intent is Intent.RECALL and (recall := _recall(text, detected, said, rules)):
        return recall
    if detected.intent is Intent.CALCULATION:
        return Answer(RoutingReason.TASK)
    own = find_user_words(trim_message(text))
    work = estimate_effort(own, rules.phrases, has_session=_has_exchange(said))
    if rules.can_search:
        return work
    # Where there is nothing to search, only what was asked for in so many words is looked for.
    if isinstance(work, Unsure):
        return work.otherwise
    is_by_size = isinstance(work, Research) and work.reason is RoutingReason.SEVERAL
    return Answer(RoutingReason.SEVERAL) if is_by_size else work


def _recall(
    text: str, detected: DetectedIntent, said: Sequence[Message], rules: Rules
) -> Recall | None:
    """What is to be looked up in past sessions; None where it was said in this one."""
    phrases, line = rules.phrases, tokenize(text)
    if not rules.recalls or find_phrase(line, phrases.said_here):
        return None
    dates = find_dates(text, rules.now().astimezone().replace(tzinfo=None))
    covered = [
        (start, end)
        for found in find_phrases(line, phrases.recall + phrases.left_off)
        for start, end in [_place(text, line.original_between(*found))]
    ]
    covered += dates.spans if dates else []
    left = [
        word
        for word in content_of(line.words, phrases.stop_words, with_weak=True)
        if not any(start < word.end and word.start < end for start, end in covered)
    ]
    wanted = " ".join(text[word.start : word.end] for word in left)
    is_left_off = find_phrase(line, phrases.left_off) is not None
    is_sure = detected.reason is IntentReason.PHRASE or is_left_off or dates is not None
    if not is_sure and _was_said_here(wanted, said, rules):
        return None
    if not wanted and dates is None and not is_left_off:
        wanted = _subject_so_far(said, rules)
    reason = detected.phrase or text.strip()
    return Recall(reason, wanted, dates.period if dates else None, is_left_off)


def _place(text: str, words: str) -> tuple[int, int]:
    start = text.find(words)
    return start, start + len(words)


def _was_said_here(wanted: str, said: Sequence[Message], rules: Rules) -> bool:
    """Whether the session has heard of what may have been said in it."""
    if not _has_exchange(said):
        return False
    own = content_words(wanted, rules.phrases.stop_words)
    heard = fold("\n".join(message.content[:_ABOUT] for message in said))
    return not own or any(_stands_in(heard, word.text) for word in own)


def _stands_in(folded: str, word: str) -> bool:
    """Whether any word of a text begins as this one does."""
    begins = word[:_BEGINNING]
    if len(begins) == _BEGINNING:
        begins = begins.rstrip(_SOFTENED) or begins
    at = folded.find(begins)
    while at > 0 and folded[at - 1].isalnum():
        at = folded.find(begins, at + 1)
    return at >= 0


def _subject_so_far(said: Sequence[Message], rules: Rules) -> str:
    """What the question before was about: "what did we decide?" asks of the same."""
    questions = (one.content for one in reversed(said) if one.role is Role.USER)
    before = trim_message(next(questions, ""))
    own = content_words(before, rules.phrases.stop_words)
    return " ".join(before[word.start : word.end] for word in own[:_SUBJECT_WORDS])


def _has_exchange(said: Sequence[Message]) -> bool:
    return any(message.role is Role.ASSISTANT for message in said)
