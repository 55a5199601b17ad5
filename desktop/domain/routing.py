"""The router's decisions about a message; deciding is pure, acting comes after."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from desktop.domain.endpoints import ModelChoice
from desktop.domain.facts import Origin
from desktop.domain.frozen import dataclass
from desktop.domain.ids import AttachedId, SessionId
from desktop.domain.messages import MessageFile
from desktop.domain.sessions import EndReason
from desktop.domain.times import Period


class Tier(StrEnum):
    """How much work a question gets."""

    QUICK = "quick"
    RESEARCH = "research"
    DEEP = "deep"


class Intent(StrEnum):
    """What a message asks for besides an answer."""

    ORDINARY = "ordinary"
    REMEMBER = "remember"
    FORGET = "forget"
    STYLE = "style"
    RECALL = "recall"
    ABOUT_ASSISTANT = "about_assistant"
    CAPABILITIES = "capabilities"
    TEMPORAL = "temporal"
    SECRETS = "secrets"
    CALCULATION = "calculation"
    END = "end"
    NEW_TOPIC = "new_topic"


class IntentReason(StrEnum):
    """Why an intent was detected."""

    PHRASE = "phrase"
    CLASSIFIER = "classifier"
    QUICK_ROLE = "quick_role"
    NONE = "none"


class RoutingReason(StrEnum):
    """Why a question gets its tier; each reason has a text for the user."""

    SESSION = "session"  # The session and the model suffice for the question
    SMALL_TALK = "small_talk"
    FOLLOW_UP = "follow_up"
    TASK = "task"
    DEFINITION = "definition"
    FRESH = "fresh"
    LOOK = "look"
    OWN_SOURCES = "own_sources"
    IN_LIBRARY = "in_library"  # No model is connected, and the user's documents cover the question
    INVESTIGATE = "investigate"
    EVIDENCE = "evidence"  # The user asks for sources, or for what studies say
    COMPARES = "compares"
    SEVERAL = "several"
    REPORT = "report"
    CAUSES = "causes"
    LONG = "long"
    CHOICE = "choice"
    CHOSEN = "chosen"
    ABOUT_IT = "about_it"  # It may be about the assistant itself
    QUICK_ROLE = "quick_role"
    NO_TIER = "no_tier"  # The chosen tier is not available: answered at once instead


@dataclass(frozen=True, slots=True)
class Answer:
    """Answered in one request from the session itself."""

    reason: RoutingReason = RoutingReason.SESSION
    words: str = ""  # The words that matched, if any


@dataclass(frozen=True, slots=True)
class Recall:
    """Answered from passages of past sessions, and from the session itself."""

    reason: str  # The words that matched
    words: str = ""  # The search words; empty if the user named only a time, or nothing
    period: Period | None = None
    is_left_off: bool = False  # Asks where the last session, or the last on these words, stopped


@dataclass(frozen=True, slots=True)
class Research:
    tier: Tier
    reason: RoutingReason
    words: str = ""  # The words that matched, if any


@dataclass(frozen=True, slots=True)
class Unsure:
    """The classifier is in doubt; the quick role may decide, otherwise it is answered at once."""

    reason: RoutingReason
    words: str = ""

    @property
    def otherwise(self) -> Answer:
        return Answer(self.reason, self.words)


class GuardKind(StrEnum):
    IDENTITY = "identity"
    CAPABILITIES = "capabilities"
    DATE_TIME = "date_time"
    SECURITY = "security"
    PERSONAL_DATA = "personal_data"
    MIXED = "mixed"


class GuardTopic(StrEnum):
    """What the application can answer by itself; each topic has a text for the user."""

    NAME = "name"
    MAKER = "maker"
    MODEL = "model"
    ABILITIES = "abilities"
    DATE = "date"
    YESTERDAY = "yesterday"
    TOMORROW = "tomorrow"
    TIME = "time"
    SECRETS = "secrets"
    CUSTODY = "custody"  # Where the user's data is, and who can see it
    ABOUT_ME = "about_me"
    OTHERS = "others"

    @property
    def kind(self) -> GuardKind:
        return _KINDS[self]


_KINDS = {
    GuardTopic.NAME: GuardKind.IDENTITY,
    GuardTopic.MAKER: GuardKind.IDENTITY,
    GuardTopic.MODEL: GuardKind.IDENTITY,
    GuardTopic.ABILITIES: GuardKind.CAPABILITIES,
    GuardTopic.DATE: GuardKind.DATE_TIME,
    GuardTopic.YESTERDAY: GuardKind.DATE_TIME,
    GuardTopic.TOMORROW: GuardKind.DATE_TIME,
    GuardTopic.TIME: GuardKind.DATE_TIME,
    GuardTopic.SECRETS: GuardKind.SECURITY,
    GuardTopic.CUSTODY: GuardKind.PERSONAL_DATA,
    GuardTopic.ABOUT_ME: GuardKind.PERSONAL_DATA,
    GuardTopic.OTHERS: GuardKind.PERSONAL_DATA,
}

REFUSED = frozenset({GuardTopic.SECRETS, GuardTopic.OTHERS})
"""Topics that are refused without a request."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Answered, at least in part, by the application itself."""

    topics: Sequence[GuardTopic]
    words: str  # The words that matched
    rest: str = ""  # The part of the message that is answered normally
    then: "Work | None" = None
    is_certain: bool = True
    """Whether certain words were used; if not, the answer of a model stays as it is.

    With `then` and no `rest` the message is more likely an ordinary one.
    """

    @property
    def reason(self) -> GuardKind:
        kinds = {topic.kind for topic in self.topics}
        return GuardKind.MIXED if self.rest or len(kinds) > 1 else kinds.pop()


@dataclass(frozen=True, slots=True)
class EndSession:
    """The session ends; `begin_with` (if any) is the first message of the next one."""

    why: EndReason
    reason: str
    begin_with: str | None = None
    keeps_message: bool = True  # Whether the words that end the session still belong to it
    then: "Answering | None" = None  # How `begin_with` is answered


@dataclass(frozen=True, slots=True)
class Remember:
    """Something is to be remembered at once."""

    reason: str  # The words that matched
    content: str  # Empty: refers to what was said before this message
    start: int
    length: int  # The length of the words of the message that it is based on
    importance: int = 9
    origin: Origin = Origin.USER
    is_alone: bool = True  # Whether the message asks for nothing else
    then: "Answering | None" = None  # How the message is answered if it asks for more


@dataclass(frozen=True, slots=True)
class Forget:
    """Something is to be forgotten once it is shown and confirmed."""

    reason: str
    words: str = ""  # The search words; empty: refers to what was said before this message
    is_everything: bool = False
    then: "Answering | None" = None  # How it is answered if a model has to look for the facts


Work = Answer | Recall | Research | Unsure

Answering = Answer | Recall | Research | Unsure | Guard

Decision = Answering | EndSession | Remember | Forget


def answering_of(decision: Decision) -> Answering | None:
    """Return how the message is answered, or what is left of it; None if it is not."""
    return decision if isinstance(decision, Answering) else decision.then


def shown_decision(decision: Decision) -> Decision:
    """Return the part that is shown: the special way in which what is left is answered, if any."""
    answering = answering_of(decision)
    return decision if answering is None or isinstance(answering, Answer) else answering


_ENDS_IN_WORDS = {EndReason.THANKS, EndReason.NEW_TOPIC}
_SHOWN_ENDS = {*_ENDS_IN_WORDS, EndReason.SUBJECT_CHANGE}


class DecisionLabel(NamedTuple):
    """A decision by the keys of its texts, and the words of the message that matched."""

    kind: str
    reason: str
    words: str = ""

    @property
    def stored(self) -> str:
        """Return it as the log keeps it, without the message's words."""
        return f"{self.kind} {self.reason}"


def stored_label(stored: str) -> DecisionLabel | None:
    """Return the label of an answer; None for one that another version wrote."""
    kind, _, reason = stored.removeprefix("research.").partition(" ")
    is_known = reason in set(RoutingReason) or (kind, reason) == ("recall", "recall")
    is_known = is_known or reason.removeprefix("guard_") in set(GuardKind)
    return DecisionLabel(kind, reason) if is_known and kind in _LABELS else None


_LABELS = frozenset({*Tier, "answer", "unsure", "guard", "recall"})


def label_decision(decision: Decision) -> DecisionLabel:
    match decision := shown_decision(decision):
        case Research(tier=tier, reason=why, words=words):
            return DecisionLabel(tier.value, why.value, words)
        case Answer(reason=why, words=words) | Unsure(reason=why, words=words):
            # For a tier that is not available, the words are its name.
            words = "" if why is RoutingReason.NO_TIER else words
            return DecisionLabel(type(decision).__name__.lower(), why.value, words)
        case Guard(rest="", then=then) if then is not None:
            return label_decision(then)
        case Guard(reason=kind, words=words):
            return DecisionLabel("guard", f"guard_{kind.value}", words)
        case EndSession(why=ending, reason=words):
            key = ending.value if ending in _SHOWN_ENDS else "end"
            return DecisionLabel("end", key, words if ending in _ENDS_IN_WORDS else "")
        case Recall(reason=words) | Remember(reason=words) | Forget(reason=words):
            key = type(decision).__name__.lower()
            return DecisionLabel(key, key, words)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOptions:
    """How the user wants a turn to be done."""

    attachments: Sequence[AttachedId] = ()
    leave_out: Sequence[SessionId] = ()
    tier: Tier | None = None  # How much work is done; None: the router decides
    model: ModelChoice | None = None  # Which model answers; None: the one that is chosen now
    files: Sequence[MessageFile] = ()
    sees_all: bool = False
    goes_on: bool = False  # Whether an answer that was cut is continued, in another version of it
    shows_plan: bool = False  # Whether a deep run waits for `replies.answer_plan` before it begins


USUAL_OPTIONS = TurnOptions()
