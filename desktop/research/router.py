"""Decides how a message is handled: pure, fast, and before anything is done about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop.domain.facts import Origin
from desktop.domain.messages import Message, Role
from desktop.domain.routing import (
    REFUSED,
    Answer,
    Answering,
    Decision,
    EndSession,
    Forget,
    Guard,
    Intent,
    IntentReason,
    Recall,
    Remember,
    Research,
    RoutingReason,
    Tier,
    Unsure,
    Work,
    answering_of,
)
from desktop.domain.sessions import EndReason
from desktop.domain.times import Clock, utc_now
from desktop.language.authored_text import find_user_words, trim_message
from desktop.language.clauses import Clause
from desktop.language.dates.date_parser import find_dates
from desktop.language.dialogue_acts import changes_subject, needs_context, wants
from desktop.language.intents import (
    DetectedIntent,
    PhraseLists,
    detect_intent,
    is_courtesy,
)
from desktop.language.keywords_and_stems import content_of, content_words, keys
from desktop.language.phrase_matcher import Line, PhraseMatch, find_phrase, find_phrases, tokenize
from desktop.language.relevant_sentences import keys_of
from desktop.language.sentences import sentences
from desktop.research.builtin_answers import find_topic, guarded_intent
from desktop.research.utterance import Utterance, parse_utterance

_RECENT = 12  # Messages that a change of subject is judged against
_SURE = 0.8
"""Confidence of the classifier from which a message is about the assistant, or ends a session."""
_ABOUT = 400  # Characters of a message that show what it is about
_MOST_PARTS, _LONGEST_MIXED = 6, 600
_SEVERAL = 3
_LONG_WORDS, _PASTED_WORDS = 45, 120
_SHORTEST_OWN = 3  # Letters of a word that names a subject
_MANY_OWN = 7  # Content words of a question; with fewer it is a simple one
_SOME_OWN, _FEW_OWN = 5, 2
_OF_NO_DOCUMENT = frozenset({RoutingReason.SMALL_TALK, RoutingReason.TASK})
GUARDED = frozenset({Intent.ABOUT_ASSISTANT, Intent.CAPABILITIES, Intent.TEMPORAL, Intent.SECRETS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The user's settings for recall, research and the end of a session, and what there is."""

    detects_thanks: bool = True
    detects_subject_change: bool = True
    recalls: bool = True
    now: Clock = utc_now
    can_search: Callable[[], bool] = lambda: False
    has_quick_role: bool = True  # Whether a model can be asked if in doubt
    is_in_library: Callable[[str], bool] = lambda _: False
    """Whether documents answer a question that no model can answer. May raise StorageError."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the words of a message show: whether they end the session, and what is done if not."""

    end: EndSession | None
    otherwise: Answering | Remember | Forget
    may_leave: bool  # Whether its meaning may show that it is on another subject, or not

    @property
    def decision(self) -> Decision:
        """The decision by words alone, without how the next session begins."""
        return self.end or self.otherwise


def judge(
    utterance: Utterance,
    messages: Sequence[Message],
    rules: Rules,
    *,
    tier: Tier | None = None,
    is_direct: bool = False,
) -> Judgement:
    """Judge a user's message, given the session so far.

    `tier`: the one that the user chose, which overrides the router. `is_direct`: one request
    answers it, because it has pictures, or because its answer is continued.
    """
    judge = _Judge(utterance, messages, rules, tier, is_direct)
    end, otherwise = judge.ends(), judge.memory_request() or judge.answering()
    is_open = isinstance(otherwise, Answer | Research | Unsure)
    if end is None and is_open:
        end = judge.changes_subject()
    if end is not None:
        is_open = end.why is not EndReason.THANKS
    return Judgement(end, otherwise, judge.has_exchange and is_open)


def begin_session(
    end: EndSession,
    utterance: Utterance,
    rules: Rules,
    *,
    tier: Tier | None = None,
    is_direct: bool = False,
) -> EndSession:
    """Return the end of a session with how the first message of the next one is answered."""
    if end.begin_with is None:
        return end
    if end.begin_with != utterance.text:
        utterance = parse_utterance(end.begin_with, utterance.phrases, utterance.language)
    return replace(end, then=_Judge(utterance, (), rules, tier, is_direct).answering())


def apply_choice(
    decision: Decision, choice: Answer | Research | None, rules: Rules, question: str
) -> Decision:
    """Return the decision with the choice of the quick role; None: it did not reply."""
    answering = answering_of(decision)
    work = answering.then if isinstance(answering, Guard) else answering
    if answering is None or not isinstance(work, Unsure):
        return decision
    work = _of_library(choice or work.otherwise, rules, question)
    settled = _with_work(answering, work)
    return settled if isinstance(decision, Answering) else replace(decision, then=settled)


def settle_intent(
    utterance: Utterance, messages: Sequence[Message], rules: Rules
) -> DetectedIntent:
    """Return the intent to act on; intents without an action become ordinary."""
    detected, decision = utterance.detected, judge(utterance, messages, rules).decision
    # What would end a session ends nothing if there is no answer yet, but remains what it is.
    has_exchange = any(message.role is Role.ASSISTANT for message in messages)
    is_early = detected.intent in {Intent.END, Intent.NEW_TOPIC} and not has_exchange
    is_unheeded = isinstance(decision, Answer | Research | Unsure) and detected.intent in _ACTED_ON
    if is_unheeded and not is_early:
        return replace(detected, intent=Intent.ORDINARY)
    if isinstance(decision, Guard) and detected.intent is Intent.ORDINARY:
        intent = guarded_intent(decision.topics[0])
        return replace(detected, intent=intent, reason=IntentReason.PHRASE)
    return detected


# A wish that is about this answer alone remains a wish.
_ACTED_ON = frozenset(Intent) - {Intent.ORDINARY, Intent.CALCULATION, Intent.RECALL, Intent.STYLE}


def _with_work(answering: Answering, work: Work) -> Answering:
    """Return the decision with the work its message gets; a doubtful guard goes if it is much."""
    if not isinstance(answering, Guard):
        return work
    if answering.is_certain or isinstance(work, Answer | Unsure):
        return replace(answering, then=work)
    return work


def _of_library(work: Work, rules: Rules, question: str) -> Work:
    is_answer = isinstance(work, Answer) and work.reason not in _OF_NO_DOCUMENT
    if is_answer and rules.is_in_library(question):
        return Research(Tier.QUICK, RoutingReason.IN_LIBRARY)
    return work


@dataclass(eq=False)
class _Judge:
    """Judges one message in one session."""

    utterance: Utterance
    messages: Sequence[Message]
    rules: Rules
    tier: Tier | None
    is_direct: bool

    def __post_init__(self) -> None:
        self.text, self.phrases = self.utterance.text, self.utterance.phrases
        self.has_exchange = any(message.role is Role.ASSISTANT for message in self.messages)
        self.detected = self._in_session(self.utterance.detected)

    def _in_session(self, detected: DetectedIntent) -> DetectedIntent:
        """Treat a follow-up that may be about the assistant like other questions."""
        is_sure = detected.reason is IntentReason.PHRASE or detected.confidence >= _SURE
        is_in_doubt = detected.intent in GUARDED and not is_sure and self.has_exchange
        if is_in_doubt and self.utterance.needs_context:
            return replace(detected, intent=Intent.ORDINARY, reason=IntentReason.NONE)
        return detected

    def ends(self) -> EndSession | None:
        if self.detected.intent is Intent.NEW_TOPIC:
            return self._announced()
        is_end = self.detected.intent is Intent.END and self.rules.detects_thanks
        if not (is_end and self.has_exchange) or "?" in self.text:
            return None
        return EndSession(EndReason.THANKS, self.detected.phrase or self.text.strip())

    def _announced(self) -> EndSession | None:
        """Return the end that is announced, if what follows is on another subject, or nothing is.

        The announcement belongs to neither session; what follows it begins the next. If only the
        classifier detected it, its end is unknown.
        """
        if not (self.rules.detects_thanks and self.rules.detects_subject_change):
            return None
        announcement = self.utterance.announcement
        subject = trim_message(self.utterance.subject)
        own = content_words(subject, self.phrases.stop_words)
        subject_keys = [keys(word.text) for word in own if len(word.text) >= _SHORTEST_OWN]
        recent_keys = self._recent_keys()
        shared = sum(bool(stems & recent_keys) for stems in subject_keys)
        is_known = self.has_exchange and (not subject_keys or 2 * shared >= len(subject_keys))
        is_whole = subject == self.utterance.trimmed
        is_sure = self.detected.confidence >= _SURE and len(subject_keys) >= _FEW_OWN
        is_sure = is_sure and not needs_context(subject, self.phrases)
        is_vague = announcement is None and (not self.has_exchange or (is_whole and not is_sure))
        if (subject and is_known) or is_vague:
            return None
        phrase = announcement.phrase if announcement else self.text.strip()
        rest = announcement.rest or None if announcement else phrase
        return EndSession(EndReason.NEW_TOPIC, phrase, rest, keeps_message=False)

    def _recent_keys(self) -> frozenset[str]:
        """Return the stems of the newest messages."""
        return keys_of("\n".join(message.content[:_ABOUT] for message in self.messages[-_RECENT:]))

    def changes_subject(self) -> EndSession | None:
        if not self.rules.detects_subject_change or not self.has_exchange:
            return None
        recent = [trim_message(message.content) for message in self.messages[-_RECENT:]]
        if not changes_subject(self.utterance.trimmed, recent, self.phrases):
            return None
        reason = "no word in common with the session"
        return EndSession(EndReason.SUBJECT_CHANGE, reason, self.text, keeps_message=False)

    def memory_request(self) -> Remember | Forget | None:
        text, utterance = self.text, self.utterance
        match self.detected.intent:
            case Intent.REMEMBER | Intent.STYLE if wish := utterance.standing_wish:
                clause = Clause(wish, 0, len(text), is_alone="?" not in text)
                return self._remember(clause, Origin.DIRECTIVE)
            case Intent.REMEMBER:
                return self._remember(utterance.clause, Origin.USER)
            case Intent.FORGET:
                phrase, target = self.detected.phrase or text.strip(), utterance.target
                return Forget(phrase, target.words, target.is_everything, self.answering())
            case _:
                return None

    def _remember(self, clause: Clause, origin: Origin) -> Remember:
        return Remember(
            self.detected.phrase or clause.content,
            clause.content,
            clause.start,
            clause.end - clause.start,
            origin=origin,
            is_alone=clause.is_alone,
            then=None if clause.is_alone else self.answering(),
        )

    def answering(self) -> Answering:
        guard = self._guard()
        if guard is None:
            return self._settled(self._work(self.text, self.detected), self.text)
        if guard.then is None:
            return guard
        return _with_work(guard, self._settled(guard.then, guard.rest or self.text))

    def _settled(self, work: Work, question: str) -> Work:
        """Return the work by what there is to do it with."""
        if self.is_direct:
            return work if isinstance(work, Recall) else Answer()
        if isinstance(work, Unsure):
            if self.rules.has_quick_role:
                return work
            work = work.otherwise
        return _of_library(work, self.rules, question)

    def _guard(self) -> Guard | None:
        """Return what the application itself answers; each sentence is checked."""
        phrases, parts = self.phrases, self._parts()
        intents = [(part, detect_intent(part, phrases, by_phrases_alone=True)) for part in parts]
        guarded = [(part, intent) for part, intent in intents if _is_certain_guard(intent)]
        rest = ""
        if guarded:
            others = [part for part, intent in intents if not _is_certain_guard(intent)]
            rest = " ".join(part for part in others if not is_courtesy(part, phrases))
        elif self.detected.intent in GUARDED:
            guarded = [(self.text, self.detected)]
        else:
            return None
        is_certain = all(_is_certain_guard(intent) for _, intent in guarded)
        if self.tier and is_certain and not rest:
            # A request for research is carried out, even if an answer is known.
            rest = self.text.strip()
        topics = tuple(dict.fromkeys(find_topic(part, intent.intent) for part, intent in guarded))
        if self.tier and REFUSED.issuperset(topics):
            # A possibly wrong refusal is dropped if the user insists: no request contains a key,
            # and no answer that reveals the instructions is shown.
            return None
        then = self._work(rest, _ORDINARY) if rest else None
        is_sure = is_certain or (self.detected.confidence >= _SURE and not self.tier)
        if not (is_sure or REFUSED.issuperset(topics)):
            work = self._work(self.text, _ORDINARY)
            is_open = work == Answer(RoutingReason.SESSION)
            then = Answer(RoutingReason.ABOUT_IT) if is_open else work
        return Guard(topics, guarded[0][1].phrase or guarded[0][0].strip(), rest, then, is_certain)

    def _parts(self) -> list[str]:
        if len(self.text) > _LONGEST_MIXED:
            return []
        parts = [
            part for sentence in sentences(self.text) for part in self._questions(sentence.text)
        ]
        return parts if 1 < len(parts) <= _MOST_PARTS else []

    def _questions(self, sentence: str) -> list[str]:
        """Split a sentence at commas and joining words, if each part asks something."""
        parts: list[str] = []
        for clause in sentence.replace(";", ",").split(", "):
            line, start = tokenize(clause), 0
            for join in find_phrases(line, self.phrases.joins):
                parts.append(line.original_between(start, join.start))
                start = join.end
            parts.append(line.original_after(start).strip())
        parts = [part for part in parts if part]
        return parts if all(map(self._asks, parts)) else [sentence]

    def _asks(self, part: str) -> bool:
        phrases = self.phrases
        is_guarded = _is_certain_guard(detect_intent(part, phrases, by_phrases_alone=True))
        return is_guarded or is_courtesy(part, phrases) or wants(part.rstrip("?"), phrases)

    def _work(self, text: str, detected: DetectedIntent) -> Work:
        if self.tier is not None:
            return Research(self.tier, RoutingReason.CHOSEN)
        if detected.intent is Intent.RECALL and (recall := self._recall()):
            return recall
        if detected.intent is Intent.CALCULATION:
            return Answer(RoutingReason.TASK)
        own_words = find_user_words(trim_message(text))
        work = _estimate_effort(own_words, self.phrases, has_session=self.has_exchange)
        if isinstance(work, Answer) or self.rules.can_search():
            return work
        # If there is nothing to search, only an explicit request counts.
        if isinstance(work, Unsure):
            return work.otherwise
        return Answer(work.reason) if work.reason is RoutingReason.SEVERAL else work

    def _recall(self) -> Recall | None:
        """Return what to look up in past sessions; None if it was said in this one."""
        text, phrases, line = self.text, self.phrases, self.utterance.line
        if not self.rules.recalls or find_phrase(line, phrases.said_here):
            return None
        dates = find_dates(text, self.rules.now().astimezone().replace(tzinfo=None))
        covered = list(dates.spans) if dates else []
        for match in find_phrases(line, phrases.recall + phrases.left_off):
            words = line.original_between(*match)
            start = text.find(words)
            covered.append((start, start + len(words)))
        subject = " ".join(
            text[word.start : word.end]
            for word in content_of(line.words, phrases.stop_words, with_weak=True)
            if not any(start < word.end and word.start < end for start, end in covered)
        )
        is_left_off = find_phrase(line, phrases.left_off) is not None
        is_phrase = self.detected.reason is IntentReason.PHRASE
        if not (is_phrase or is_left_off or dates) and self._was_said_here(subject):
            return None
        if not subject and dates is None and not is_left_off:
            # "What did we decide?" refers to the subject of the previous question.
            questions = [m.content for m in self.messages if m.role is Role.USER]
            subject = trim_message("".join(questions[-1:]))[:_ABOUT]
        reason = self.detected.phrase or text.strip()
        return Recall(reason, subject, dates.period if dates else None, is_left_off)

    def _was_said_here(self, subject: str) -> bool:
        if not self.has_exchange:
            return False
        subject_words = content_words(subject, self.phrases.stop_words)
        recent_keys = self._recent_keys()
        return not subject_words or any(keys(word.text) & recent_keys for word in subject_words)


_ORDINARY = DetectedIntent(Intent.ORDINARY, 1.0, IntentReason.NONE)


def _is_certain_guard(intent: DetectedIntent) -> bool:
    return intent.intent in GUARDED and intent.reason is IntentReason.PHRASE


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
    if request := _find_request(line, phrases):
        return request
    if task := find_phrase(line, phrases.tasks):
        return Answer(RoutingReason.TASK, line.original_between(*task))
    if has_session and needs_context(text, phrases):
        return Answer(RoutingReason.FOLLOW_UP)
    return _by_size(line, phrases)


def _by_size(line: Line, phrases: PhraseLists) -> Answer | Research | Unsure:
    if len(line.words) > _LONG_WORDS:
        return Unsure(RoutingReason.LONG)
    subject_words = len(content_of(line.words, phrases.stop_words))
    if line.original.count("?") >= _SEVERAL and subject_words >= _SOME_OWN:
        return Research(Tier.RESEARCH, RoutingReason.SEVERAL)
    if comparison := find_phrase(line, phrases.compares):
        return Unsure(RoutingReason.COMPARES, line.original_between(*comparison))
    is_definition = subject_words < _MANY_OWN and find_phrase(line, phrases.defines) is not None
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
        request = find_phrase(line, asks)
        if request and not _is_subject(request, line, phrases):
            return Research(tier, why, line.original_between(*request))
    return None


def _is_subject(match: PhraseMatch, line: Line, phrases: PhraseLists) -> bool:
    others = line.words_between(0, match.start) + line.words_between(match.end, len(line.tokens))
    is_definition = find_phrase(line, phrases.defines) is not None
    return is_definition and not content_of(others, phrases.stop_words)
