"""The entries of the transcript: messages with their details, notices, message actions."""

import dataclasses
from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum

from desktop.domain import messages
from desktop.domain.claims import ClaimReview, JudgedClaim
from desktop.domain.facts import Fact
from desktop.domain.frozen import dataclass
from desktop.domain.ids import FactId, MessageId
from desktop.domain.notes import Note
from desktop.domain.search import RecalledItem
from desktop.domain.usage import Usage
from desktop.language.normalization import fold


class MessageAction(StrEnum):
    COPY = "copy"
    REWRITE = "rewrite"
    GO_ON = "go_on"
    CHECK_CLAIMS = "check_claims"
    COMPARE = "compare"  # With another version, side by side
    REWRITE_WITHOUT = "rewrite_without"  # Without the claims that their sources do not say
    EDIT = "edit"
    SPLIT = "split"
    REMEMBER = "remember"
    SHOW_TRACE = "show_trace"
    SHOW_VERSION = "show_version"
    LIST_VERSIONS = "list_versions"
    SHOW_MEMORY = "show_memory"
    RATE = "rate"
    QUOTE = "quote"
    SEARCH = "search"
    EXPORT = "export"
    WRITE = "write"  # Into a folder of notes
    PRINT = "print"
    ASK = "ask"  # A suggested question
    FOLLOW = "follow"  # A link or a citation in it
    OPEN_USED = "open_used"
    HIGHLIGHT = "highlight"
    NOTE = "note"
    EDIT_NOTE = "edit_note"
    LEAVE_OUT = "leave_out"  # Answer again without a session that was used


@dataclass(frozen=True, slots=True)
class MessageRequest:
    action: MessageAction
    message: MessageId | None = None  # The message, or the version to show; None for a selection
    text: str = ""
    """The edited or suggested question, what to quote or search, a rating's comment, or a link."""
    thumb: messages.Thumb | None = None
    fact: FactId | None = None  # A fact that was sent with the question; None: the memory itself
    item: RecalledItem | None = None  # A passage of the past that was sent with the question
    note: Note | None = None  # The one that is changed
    occurrence: int = 0  # Which of the places with highlighted words it is
    files: Sequence[messages.MessageFile] = ()  # Those that an edited question keeps


@dataclass(frozen=True, slots=True)
class MessageFacts:
    citations: Sequence[messages.Citation] = ()
    rating: messages.Rating | None = None
    versions: messages.Versions | None = (
        None  # None, or a single id, if there are no other versions
    )
    usage: Usage | None = None
    error: str = ""  # the sentence that says why it failed and what to do
    remembered: Sequence[Fact] = ()  # facts from the memory that were sent with its request
    notes: Sequence[Note] = ()
    recalled: Sequence[RecalledItem] = ()  # passages of the past that automatic recall added
    review: ClaimReview | None = None  # of its claims; None if they are never checked


@dataclass(frozen=True, slots=True)
class ShownClaim:
    text: str  # As the answer has it, with its marks
    claim: JudgedClaim


@dataclass(frozen=True, slots=True)
class ReadingState:
    is_busy: bool = False  # An answer is streaming: nothing can be asked again until it has ended
    is_past: bool = False  # The session is past; it has to be resumed before it can be changed
    remembers: bool = True  # whether a message can be remembered from here

    @property
    def can_ask_again(self) -> bool:
        return not (self.is_busy or self.is_past)


NO_FACTS = MessageFacts()  # no details were loaded yet
LETTERS_AT_ONCE = 8_000  # Laying out three million letters blocks the window for seven seconds
_LONG_QUESTION, _BEGINNING = 4_000, 1_200
"""A longer question shows its beginning only, because users read the answer."""


@dataclass(frozen=True, slots=True)
class NoticeAction:
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence in the flow, with what can be done about it.

    `after`: the message that it follows; None puts it at the end.
    """

    id: str
    text: str
    actions: Sequence[NoticeAction] = ()
    after: MessageId | None = None


@dataclasses.dataclass(eq=False, slots=True)
class _Placed:
    """Where an entry is; the layout sets it."""

    index: int = field(init=False, default=0)
    top: int = field(init=False, default=0)
    height: int = field(init=False, default=0)
    is_measured: bool = field(init=False, default=False)


@dataclasses.dataclass(eq=False, slots=True)
class MessageEntry(_Placed):
    message: messages.Message
    facts: MessageFacts = NO_FACTS
    text: str = field(init=False)
    """The shown text; while an answer streams it is ahead of `message.content`."""
    edit: str | None = field(init=False, default=None)  # The text of the open editor
    edit_files: Sequence[messages.MessageFile] = field(init=False, default=())
    follow_ups: Sequence[str] = field(init=False, default=())
    """Questions that may come next, below the newest answer."""
    shows_used: bool = field(init=False, default=False)
    """Whether the passages that went with its request are listed below it."""
    shown_from: int = field(init=False, default=0)
    letters_shown: int = field(init=False, default=LETTERS_AT_ONCE)
    """The laid out part of a user's message; a pasted text can have millions of letters."""
    _folded: tuple[str, str] = field(init=False, default=("", ""))
    """A text and its folded form, cached because folding takes longer than searching."""

    def __post_init__(self) -> None:
        self.text = self.message.content
        if self.is_streaming and self.facts is NO_FACTS:
            self.facts = MessageFacts()  # not saved yet
        if len(self.text) > _LONG_QUESTION:
            self.letters_shown = _BEGINNING

    @property
    def folded(self) -> str:
        if self._folded[0] is not self.text:
            self._folded = (self.text, fold(self.text))
        return self._folded[1]

    @property
    def shown(self) -> str:
        """Return the text that is laid out so far."""
        return self.text[self.shown_from : self.letters_shown] if self.is_user else self.text

    def reach(self, start: int, end: int) -> bool:
        """Lay out the text as far as `place`; return False if it is already."""
        if not self.is_user or (self.shown_from <= start and end <= self.letters_shown):
            return False
        before = max(start - LETTERS_AT_ONCE // 2, 0)
        # From the beginning of a word, if one begins before the place.
        self.shown_from = (self.text.find(" ", before, start) + 1 or before) if before else 0
        self.letters_shown = max(self.shown_from + LETTERS_AT_ONCE, end)
        return True

    @property
    def is_user(self) -> bool:
        return self.message.role is messages.Role.USER

    @property
    def is_streaming(self) -> bool:
        return self.message.state is messages.MessageState.STREAMING

    def has_version(self, message_id: MessageId) -> bool:
        return self.facts.versions is not None and message_id in self.facts.versions.ids


@dataclasses.dataclass(eq=False, slots=True)
class NoticeEntry(_Placed):
    notice: Notice


Entry = MessageEntry | NoticeEntry
