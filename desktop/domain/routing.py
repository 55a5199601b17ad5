"""What the router can decide about a message; deciding is pure, doing comes after."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop.domain.facts import Origin
from desktop.domain.sessions import EndReason
from desktop.domain.tiers import Tier
from desktop.domain.times import Period


class Intent(StrEnum):
    """What a message calls for, beside an answer."""

    ORDINARY = "ordinary"
    REMEMBER = "remember"
    FORGET = "forget"
    STYLE = "style"
    """How to answer from now on."""
    RECALL = "recall"
    ABOUT_ASSISTANT = "about_assistant"
    CAPABILITIES = "capabilities"
    TEMPORAL = "temporal"
    SECRETS = "secrets"
    CALCULATION = "calculation"
    END = "end"
    NEW_TOPIC = "new_topic"


class IntentReason(StrEnum):
    """What told the intent."""

    PHRASE = "phrase"
    CLASSIFIER = "classifier"
    QUICK_ROLE = "quick_role"
    NONE = "none"


class RoutingReason(StrEnum):
    """Why a question gets as much work as it gets; each has words in the texts."""

    SESSION = "session"
    """Nothing asks for more than what the session and the model know."""
    SMALL_TALK = "small_talk"
    FOLLOW_UP = "follow_up"
    TASK = "task"
    """Something is to be written, translated or worked out, not found."""
    DEFINITION = "definition"
    FRESH = "fresh"
    """It changes from day to day."""
    OWN_SOURCES = "own_sources"
    """The user's own documents are meant."""
    IN_LIBRARY = "in_library"
    """No model is there to be asked, and the user's documents speak of it."""
    INVESTIGATE = "investigate"
    EVIDENCE = "evidence"
    """Sources, or what studies say, are asked for."""
    COMPARES = "compares"
    SEVERAL = "several"
    """Several questions at once."""
    REPORT = "report"
    CAUSES = "causes"
    LONG = "long"
    CHOICE = "choice"
    """Which one to take."""
    CHOSEN = "chosen"
    """The user said how much work it gets."""
    ABOUT_IT = "about_it"
    """It may be about the assistant itself."""
    QUICK_ROLE = "quick_role"
    """In doubt, the quick model was asked."""
    NO_TIER = "no_tier"
    """The tier that was decided for is not there: answered at once instead."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answered in one request from the session itself."""

    reason: RoutingReason = RoutingReason.SESSION
    words: str = ""
    """The words by which it was recognised, where there are any."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Answered from passages of past sessions, and from the session itself."""

    reason: str
    """The words by which it was recognised."""
    words: str = ""
    """What is looked up; empty where only a time was named, or nothing."""
    period: Period | None = None
    is_left_off: bool = False
    """Asks where the last session, or the last on these words, stopped."""


@dataclass(frozen=True, slots=True)
class Research:
    tier: Tier
    reason: RoutingReason
    words: str = ""
    """The words by which it was recognised, where there are any."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """The rules cannot tell; the quick role may, and otherwise it is answered at once."""

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
    """What the application knows the answer to by itself; each has words in the texts."""

    NAME = "name"
    MAKER = "maker"
    MODEL = "model"
    ABILITIES = "abilities"
    DATE = "date"
    YESTERDAY = "yesterday"
    TOMORROW = "tomorrow"
    TIME = "time"
    SECRETS = "secrets"
    CUSTODY = "custody"
    """Where the user's data lies, and who gets to see it."""
    ABOUT_ME = "about_me"
    OTHERS = "others"
    """Other people's private data."""

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
"""What no request is made for."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Answered, at least in part, from what the application itself knows."""

    topics: Sequence[GuardTopic]
    words: str
    """The words by which they were recognised."""
    rest: str = ""
    """What of the message goes the normal way."""
    then: "Answer | Recall | Research | Unsure | None" = None
    """What the rest calls for."""

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
    keeps_message: bool = True
    """Whether the words that end it belong to the session that ends."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Something is to be remembered, at once."""

    reason: str
    """The words by which it was recognised."""
    content: str
    """Empty: what was said before this message."""
    start: int
    length: int
    """The words of the message that it rests on."""
    importance: int = 9
    origin: Origin = Origin.USER
    is_alone: bool = True
    """Whether the message asks for nothing else."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Something is to be forgotten, after it was shown and confirmed."""

    reason: str
    words: str = ""
    """What is looked for; empty: what was said before this message."""
    is_everything: bool = False
    """All that is remembered."""


Answering = Answer | Recall | Research | Unsure | Guard
"""What a question is answered by."""

Decision = Answering | EndSession | Remember | Forget
