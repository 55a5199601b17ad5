"""Decides how a message is handled: pure, fast, and before anything is done about it."""

from collections.abc import Callable, Sequence
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
    Tier,
    Unsure,
)
from desktop.domain.sessions import EndReason
from desktop.domain.times import Clock, utc_now
from desktop.language.authored_text import find_user_words, trim_message
from desktop.language.clauses import find_clause, find_forget_target, find_standing_wish
from desktop.language.dates.date_parser import find_dates
from desktop.language.dialogue_acts import changes_subject, needs_context, wants
from desktop.language.intents import (
    DetectedIntent,
    PhraseLists,
    announced_subject,
    detect_intent,
    find_announcement,
    is_courtesy,
)
from desktop.language.keywords_and_stems import content_of, content_words, keys
from desktop.language.normalization import word_texts
from desktop.language.phrase_matcher import Line, PhraseMatch, find_phrase, find_phrases, tokenize
from desktop.language.relevant_sentences import keys_of
from desktop.language.sentences import sentences
from desktop.research.builtin_answers import calculate_answer
from desktop.settings.messages import Texts

_RECENT = 12  # Messages that a change of subject is judged against
_SURE = 0.8
"""Confidence of the classifier from which a message is about the assistant, or ends a session."""
_ABOUT = 400  # Characters of a message that show what it is about
_MOST_PARTS, _LONGEST_MIXED, _LONGEST_CALCULATION = 6, 600, 200
_SEVERAL = 3
_LONG_WORDS, _PASTED_WORDS = 45, 120
_SHORTEST_OWN = 3  # Letters of a word that names a subject
_MANY_OWN = 7  # Content words of a question; with fewer it is a simple one
_SOME_OWN, _FEW_OWN = 5, 2
GUARDED = frozenset({Intent.ABOUT_ASSISTANT, Intent.CAPABILITIES, Intent.TEMPORAL, Intent.SECRETS})
# The topics of an intent, by the beginnings of a few words; the last is the default.
_TOPICS = """
about_assistant model  model version surum llm gpt motor engine
about_assistant maker  made maker creat built build develop program compan train invent boss author
about_assistant maker  yapti yapan yarat gelistir uret firma sirket kurucu sahib yazdi tasarla egit
about_assistant name
capabilities custody   data private privacy stor safe secure keep kept see read record spy
capabilities custody   veri gizli sakla guven kayd kayit gor oku dinle paylas
capabilities abilities
temporal tomorrow      tomorrow yarin
temporal yesterday     yesterday dun dunku
temporal time          time clock hour saat saati dakika minute
temporal date
secrets secrets
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's settings for recall, research and the end of a session."""

    phrases: PhraseLists
    detects_thanks: bool = True
    detects_subject_change: bool = True
    recalls: bool = True
    now: Clock = utc_now
    can_search: Callable[[], bool] = lambda: False


def decide(
    text: str, said: Sequence[Message], rules: Rules, *, chosen: Tier | None = None
) -> Decision:
    """Return what to do with a user's message, given the session so far.

    `chosen`: the tier that the user chose, which overrides the decision.
    """
    asked = _Asked(text, said, rules, chosen)
    decision = asked.ends() or asked.memory_request() or asked.answering()
    if isinstance(decision, Answer | Research | Unsure):
        return asked.changes_subject() or decision
    return decision


def route(
    text: str, said: Sequence[Message], rules: Rules, *, chosen: Tier | None = None
) -> Answering:
    return _Asked(text, said, rules, chosen).answering()


def memory_request(text: str, rules: Rules) -> Remember | Forget | None:
    return _Asked(text, (), rules).memory_request()


def settle_intent(text: str, said: Sequence[Message], rules: Rules) -> DetectedIntent:
    """Return the intent to act on; intents without an action become ordinary."""
    found, decision = _detect(text, rules), decide(text, said, rules)
    # What would end a session ends nothing if there is no answer yet, but remains what it is.
    has_exchange = any(message.role is Role.ASSISTANT for message in said)
    is_early = found.intent in {Intent.END, Intent.NEW_TOPIC} and not has_exchange
    is_unheeded = isinstance(decision, Answer | Research | Unsure) and found.intent in _ACTED_ON
    if is_unheeded and not is_early:
        return replace(found, intent=Intent.ORDINARY)
    if isinstance(decision, Guard) and found.intent is Intent.ORDINARY:
        intent = next(of for of, topic, _ in _topics() if topic is decision.topics[0])
        return replace(found, intent=intent, reason=IntentReason.PHRASE)
    return found


# A wish that is about this answer alone remains a wish.
_ACTED_ON = frozenset(Intent) - {Intent.ORDINARY, Intent.CALCULATION, Intent.RECALL, Intent.STYLE}


def _detect(text: str, rules: Rules) -> DetectedIntent:
    """Return the intent of a message; a calculation is one that the calculator can parse."""
    found = detect_intent(text, rules.phrases)
    is_short = len(text) <= _LONGEST_CALCULATION and found.reason is not IntentReason.PHRASE
    if is_short and any(map(str.isdigit, text)) and calculate_answer(text, Texts(Language.EN)):
        return replace(
            found, intent=Intent.CALCULATION, confidence=1.0, reason=IntentReason.PHRASE
        )
    return found


@cache
def _topics() -> Sequence[tuple[Intent, GuardTopic, tuple[str, ...]]]:
    rows = (line.split() for line in _TOPICS.strip().splitlines())
    return [(Intent(row[0]), GuardTopic(row[1]), tuple(row[2:])) for row in rows]


def _topic(text: str, intent: Intent) -> GuardTopic:
    heard = word_texts(text)
    for of, topic, beginnings in _topics():
        is_named = not beginnings or any(word.startswith(beginnings) for word in heard)
        if of is intent and is_named:
            return topic
    raise AssertionError(intent)


class _Asked:
    def __init__(
        self, text: str, said: Sequence[Message], rules: Rules, chosen: Tier | None = None
    ) -> None:
        self._text = text
        self._said = said
        self._rules = rules
        self._chosen = chosen
        self.has_exchange = any(message.role is Role.ASSISTANT for message in said)
        self._detected = self._in_session(_detect(text, rules))

    def _in_session(self, found: DetectedIntent) -> DetectedIntent:
        """Treat a follow-up that may be about the assistant like other questions."""
        is_sure = found.reason is IntentReason.PHRASE or found.confidence >= _SURE
        is_in_doubt = found.intent in GUARDED and not is_sure and self.has_exchange
        if is_in_doubt and needs_context(self._text, self._rules.phrases):
            return replace(found, intent=Intent.ORDINARY, reason=IntentReason.NONE)
        return found

    def ends(self) -> EndSession | None:
        if self._detected.intent is Intent.NEW_TOPIC:
            return self._announced()
        is_end = self._detected.intent is Intent.END and self._rules.detects_thanks
        if not (is_end and self.has_exchange) or "?" in self._text:
            return None
        return EndSession(EndReason.THANKS, self._detected.phrase or self._text.strip())

    def _announced(self) -> EndSession | None:
        """Return the end that is announced, if what follows is on another subject, or nothing is.

        The announcement belongs to neither session; what follows it begins the next. If only the
        classifier detected it, its end is unknown.
        """
        if not (self._rules.detects_thanks and self._rules.detects_subject_change):
            return None
        phrases = self._rules.phrases
        announced = find_announcement(self._text, phrases)
        subject = trim_message(announced_subject(self._text, phrases))
        own = [
            keys(one.text)
            for one in content_words(subject, phrases.stop_words)
            if len(one.text) >= _SHORTEST_OWN
        ]
        heard = self._heard()
        shared = sum(bool(one & heard) for one in own)
        is_known = subject and self.has_exchange and (not own or 2 * shared >= len(own))
        is_whole = subject == trim_message(self._text)
        is_sure = self._detected.confidence >= _SURE and len(own) >= _FEW_OWN
        is_sure = is_sure and not needs_context(subject, phrases)
        is_vague = announced is None and (not self.has_exchange or (is_whole and not is_sure))
        if is_known or is_vague:
            return None
        phrase = announced.phrase if announced else self._text.strip()
        rest = announced.rest or None if announced else phrase
        return EndSession(EndReason.NEW_TOPIC, phrase, rest, keeps_message=False)

    def _heard(self) -> frozenset[str]:
        """Return the stems of what was said last."""
        return keys_of("\n".join(one.content[:_ABOUT] for one in self._said[-_RECENT:]))

    def changes_subject(self) -> EndSession | None:
        if not self._rules.detects_subject_change or not self.has_exchange:
            return None
        recent = [trim_message(message.content) for message in self._said[-_RECENT:]]
        if not changes_subject(trim_message(self._text), recent, self._rules.phrases):
            return None
        reason = "no word in common with the session"
        return EndSession(EndReason.SUBJECT_CHANGE, reason, self._text, keeps_message=False)

    def memory_request(self) -> Remember | Forget | None:
        text, phrase, phrases = self._text, self._detected.phrase, self._rules.phrases
        match self._detected.intent:
            case Intent.REMEMBER | Intent.STYLE if wish := find_standing_wish(text, phrases):
                return Remember(
                    phrase or wish,
                    wish,
                    0,
                    len(text),
                    origin=Origin.DIRECTIVE,
                    is_alone="?" not in text,
                )
            case Intent.REMEMBER:
                clause = find_clause(text, phrases)
                return Remember(
                    phrase or clause.content,
                    clause.content,
                    clause.start,
                    clause.end - clause.start,
                    is_alone=clause.is_alone,
                )
            case Intent.FORGET:
                target = find_forget_target(text, phrases)
                return Forget(phrase or text.strip(), target.words, target.is_everything)
            case _:
                return None

    def answering(self) -> Answering:
        if guard := self._guard():
            return guard
        return self._work(self._text, self._detected)

    def _guard(self) -> Guard | None:
        """Return what the application itself answers; each sentence is checked."""
        phrases = self._rules.phrases
        found = [
            (part, detect_intent(part, phrases, by_phrases_alone=True)) for part in self._parts()
        ]
        guarded = [one for one in found if _is_certain_guard(one[1])]
        rest = ""
        if guarded:
            others = [part for part, one in found if not _is_certain_guard(one)]
            rest = " ".join(part for part in others if not is_courtesy(part, phrases))
        elif self._detected.intent in GUARDED:
            guarded = [(self._text, self._detected)]
        else:
            return None
        is_certain = all(_is_certain_guard(one) for _, one in guarded)
        if self._chosen and is_certain and not rest:
            # A request for research is carried out, even if an answer is known.
            rest = self._text.strip()
        topics = tuple(dict.fromkeys(_topic(part, one.intent) for part, one in guarded))
        if self._chosen and REFUSED.issuperset(topics):
            # A possibly wrong refusal is dropped if the user insists: no request contains a key,
            # and no answer that reveals the instructions is shown.
            return None
        then = self._work(rest, _ORDINARY) if rest else None
        is_sure = is_certain or (self._detected.confidence >= _SURE and not self._chosen)
        if not (is_sure or REFUSED.issuperset(topics)):
            work = self._work(self._text, _ORDINARY)
            is_open = work == Answer(RoutingReason.SESSION)
            then = Answer(RoutingReason.ABOUT_IT) if is_open else work
        return Guard(topics, guarded[0][1].phrase or guarded[0][0].strip(), rest, then, is_certain)

    def _parts(self) -> list[str]:
        text = self._text
        said = [one.text for one in sentences(text)] if len(text) <= _LONGEST_MIXED else []
        parts = [part for one in said for part in self._questions(one)]
        return parts if 1 < len(parts) <= _MOST_PARTS else []

    def _questions(self, sentence: str) -> list[str]:
        """Split a sentence at commas and joining words, if each part asks something."""
        phrases, parts = self._rules.phrases, list[str]()
        for clause in sentence.replace(";", ",").split(", "):
            line, start = tokenize(clause), 0
            for join in find_phrases(line, phrases.joins):
                parts.append(line.original_between(start, join.start))
                start = join.end
            parts.append(line.original_after(start).strip())
        parts = [part for part in parts if part]
        return parts if all(map(self._asks, parts)) else [sentence]

    def _asks(self, part: str) -> bool:
        phrases = self._rules.phrases
        is_known = _is_certain_guard(detect_intent(part, phrases, by_phrases_alone=True))
        return is_known or is_courtesy(part, phrases) or wants(part.rstrip("?"), phrases)

    def _work(self, text: str, detected: DetectedIntent) -> Answer | Recall | Research | Unsure:
        if self._chosen is not None:
            return Research(self._chosen, RoutingReason.CHOSEN)
        if detected.intent is Intent.RECALL and (recall := self._recall()):
            return recall
        if detected.intent is Intent.CALCULATION:
            return Answer(RoutingReason.TASK)
        own, phrases = find_user_words(trim_message(text)), self._rules.phrases
        work = _estimate_effort(own, phrases, has_session=self.has_exchange)
        if isinstance(work, Answer) or self._rules.can_search():
            return work
        # If there is nothing to search, only an explicit request counts.
        if isinstance(work, Unsure):
            return work.otherwise
        return Answer(work.reason) if work.reason is RoutingReason.SEVERAL else work

    def _recall(self) -> Recall | None:
        """Return what to look up in past sessions; None if it was said in this one."""
        text, phrases, line = self._text, self._rules.phrases, tokenize(self._text)
        if not self._rules.recalls or find_phrase(line, phrases.said_here):
            return None
        dates = find_dates(text, self._rules.now().astimezone().replace(tzinfo=None))
        covered = list(dates.spans) if dates else []
        for found in find_phrases(line, phrases.recall + phrases.left_off):
            words = line.original_between(*found)
            start = text.find(words)
            covered.append((start, start + len(words)))
        wanted = " ".join(
            text[word.start : word.end]
            for word in content_of(line.words, phrases.stop_words, with_weak=True)
            if not any(start < word.end and word.start < end for start, end in covered)
        )
        is_left_off = find_phrase(line, phrases.left_off) is not None
        is_phrase = self._detected.reason is IntentReason.PHRASE
        if not (is_phrase or is_left_off or dates) and self._was_said_here(wanted):
            return None
        if not wanted and dates is None and not is_left_off:
            # "What did we decide?" refers to the subject of the previous question.
            asked = (one.content for one in reversed(self._said) if one.role is Role.USER)
            wanted = trim_message(next(asked, ""))[:_ABOUT]
        reason = self._detected.phrase or text.strip()
        return Recall(reason, wanted, dates.period if dates else None, is_left_off)

    def _was_said_here(self, wanted: str) -> bool:
        if not self.has_exchange:
            return False
        own = content_words(wanted, self._rules.phrases.stop_words)
        heard = self._heard()
        return not own or any(keys(word.text) & heard for word in own)


_ORDINARY = DetectedIntent(Intent.ORDINARY, 1.0, IntentReason.NONE)


def _is_certain_guard(found: DetectedIntent) -> bool:
    return found.intent in GUARDED and found.reason is IntentReason.PHRASE


def _estimate_effort(
    text: str, phrases: PhraseLists, *, has_session: bool
) -> Answer | Research | Unsure:
    """Estimate how much work a question deserves, by a few phrases and its size.

    In doubt it is answered directly: that is cheap, and a wrong guess at more work is not.
    `text`: the user's own words; `has_session`: something was answered before it.
    """
    line = tokenize(text)
    if is_courtesy(text, phrases):
        return Answer(RoutingReason.SMALL_TALK)
    if asked := _find_request(line, phrases):
        return asked
    if task := find_phrase(line, phrases.tasks):
        return Answer(RoutingReason.TASK, line.original_between(*task))
    if has_session and needs_context(text, phrases):
        return Answer(RoutingReason.FOLLOW_UP)
    return _by_size(line, phrases)


def _by_size(line: Line, phrases: PhraseLists) -> Answer | Research | Unsure:
    if len(line.words) > _LONG_WORDS:
        return Unsure(RoutingReason.LONG)
    own = len(content_of(line.words, phrases.stop_words))
    if line.original.count("?") >= _SEVERAL and own >= _SOME_OWN:
        return Research(Tier.RESEARCH, RoutingReason.SEVERAL)
    if found := find_phrase(line, phrases.compares):
        return Unsure(RoutingReason.COMPARES, line.original_between(*found))
    is_definition = own < _MANY_OWN and find_phrase(line, phrases.defines) is not None
    return Answer(RoutingReason.DEFINITION if is_definition else RoutingReason.SESSION)


def _find_request(line: Line, phrases: PhraseLists) -> Research | None:
    if len(line.words) > _PASTED_WORDS or find_phrase(line, phrases.refuses):
        return None
    for asks, tier, why in (
        (phrases.deep, Tier.DEEP, RoutingReason.REPORT),
        (phrases.evidence, Tier.RESEARCH, RoutingReason.EVIDENCE),
        (phrases.investigates, Tier.RESEARCH, RoutingReason.INVESTIGATE),
        (phrases.own_sources, Tier.QUICK, RoutingReason.OWN_SOURCES),
        (phrases.fresh, Tier.QUICK, RoutingReason.FRESH),
        (phrases.looks, Tier.QUICK, RoutingReason.LOOK),
    ):
        found = find_phrase(line, asks)
        if found and not _is_subject(found, line, phrases):
            return Research(tier, why, line.original_between(*found))
    return None


def _is_subject(found: PhraseMatch, line: Line, phrases: PhraseLists) -> bool:
    others = line.words_between(0, found.start) + line.words_between(found.end, len(line.tokens))
    is_definition = find_phrase(line, phrases.defines) is not None
    return is_definition and not content_of(others, phrases.stop_words)
