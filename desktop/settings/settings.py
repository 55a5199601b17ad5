"""The user's settings as typed values; `store.py` reads and writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from desktop.domain.endpoints import Endpoint, ModelChoice, ModelRole, RoleParameters
from desktop.domain.facts import Retention


class UiLanguage(StrEnum):
    SYSTEM = "system"
    TR = "tr"
    EN = "en"


class Theme(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class TextWidth(StrEnum):
    NARROW = "narrow"
    MEDIUM = "medium"
    WIDE = "wide"


class LineSpacing(StrEnum):
    TIGHT = "tight"
    NORMAL = "normal"
    LOOSE = "loose"


class Overflow(StrEnum):
    """What happens to a session that grows too long for the model."""

    SUMMARISE = "summarise"
    KEEP_LAST = "keep_last"
    END = "end"


class Consent(StrEnum):
    """Whether the user agrees to an action that changes the lists."""

    ASK = "ask"
    ON = "on"
    OFF = "off"


class WebSearch(StrEnum):
    """The search provider if the endpoint does not search the web itself."""

    DDGS = "ddgs"  # Public search engines, one after another, through the library of that name
    SEARXNG = "searxng"  # A SearXNG server of the user's choice


class DiaryMode(StrEnum):
    """How much is written about a day."""

    OFF = "off"
    THOUGHTS = "thoughts"  # Only its open questions and next steps
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ToolSwitch:
    """The user's setting for a tool that a model may call."""

    is_on: bool = True
    asks_first: bool = False


@dataclass(frozen=True, slots=True)
class StandingInstruction:
    """An instruction for every session, in the user's own words."""

    text: str
    is_on: bool = True


USUAL_PERSONA = "research"
OWN_PERSONA = "own"


QUICK_KEYS = ("Ctrl+Alt+Space", "Ctrl+Shift+Space", "Meta+Space", "Ctrl+Alt+B", "Meta+B")
"""Offered for `quick_key`."""


@dataclass(frozen=True, slots=True)
class Settings:
    language: UiLanguage = UiLanguage.SYSTEM
    theme: Theme = Theme.SYSTEM
    zoom_percent: int = 100
    font_family: str = ""  # Of the transcript; empty: the system's
    text_width: TextWidth = TextWidth.MEDIUM
    line_spacing: LineSpacing = LineSpacing.NORMAL
    welcomed: bool = False
    last_profile: str = ""  # The profile of the last closed window, if it is not the default one

    endpoints: tuple[Endpoint, ...] = ()
    roles: Mapping[ModelRole, ModelChoice] = field(default_factory=dict)
    """A role that is missing uses the answering role's choice; without that, no model."""
    parameters: Mapping[ModelRole, RoleParameters] = field(default_factory=dict)
    """A role that is missing uses the usual ones."""

    idle_minutes: int = 30
    overflow: Overflow = Overflow.SUMMARISE
    overflow_share: float = 0.8  # Share of the model's context at which `overflow` acts
    detects_thanks: bool = True
    detects_subject_change: bool = True
    describes_with_model: bool = True
    import_tokens: int = 0
    """Token limit for describing imported sessions; 0 keeps the extracted descriptions."""
    housekeeping: Consent = Consent.ASK
    """Whether old sessions are archived and summarised; the plan is shown before that."""
    backs_up: bool = True  # Whether a backup is written once a day
    backup_folder: str = ""  # Where; empty: with the profile
    backup_days: int = 7
    """For how many days, weeks and months the last automatic backup of each is kept."""
    backup_weeks: int = 4
    backup_months: int = 12
    suggests_sessions: bool = True
    """Whether past sessions related to a draft are shown above the draft."""
    searches_by_meaning: bool = True
    """Whether a local model also searches by meaning; otherwise only words are searched."""
    has_tray: bool = False
    closes_to_tray: bool = False
    """Whether closing the window leaves the program in the tray, if there is an icon."""
    starts_with_system: bool = False
    quick_key: str = ""  # The key that opens the quick window from any program; empty: none
    notifies: bool = True
    """Whether the system notifies of a long answer while another program is in front."""
    lock_minutes: int = 15
    """Minutes without input until an encrypted profile is locked; 0 means never."""
    keeps_searches: bool = True
    uses_memory: bool = True
    uses_past_sessions: bool = True
    """Whether a request may contain facts and passages from other sessions."""
    uses_patterns: bool = True
    """Whether patterns of the archive are found, for suggested questions; if off, they are
    deleted.
    """
    recalled_items: int = 6
    """The most passages that automatic recall adds to a request; 0 turns it off."""
    diary: DiaryMode = DiaryMode.FULL
    recalls_whole_diary: bool = False
    """Whether a request gets the whole of a recalled diary entry, or only its first sentence."""
    history_items: int = 20  # The number of newest messages that are always sent word for word
    compact_after: int = 0
    """The number of messages per compact; 0 derives it from the model's context."""
    is_lite: bool = False  # Whether requests contain half as much, with at most two facts
    variables: Mapping[str, str] = field(default_factory=dict)
    instructions: tuple[StandingInstruction, ...] = ()
    persona: str = USUAL_PERSONA  # The name of a character in the resources, or `own`
    own_persona: str = ""
    checks_answers: bool = True
    retention: tuple[Retention, ...] = ()
    """Topics with their own time in short-term memory; the first match applies."""
    tools: Mapping[str, ToolSwitch] = field(default_factory=dict)
    """By tool name; a missing tool is on and does not ask first."""
    uses_web: bool = False  # The main switch; when it is off, no web address is contacted
    uses_endpoint_web: bool = True
    """Whether a model's endpoint searches and reads with its own tools, if it has any."""
    web_search: WebSearch = WebSearch.DDGS
    searxng_address: str = ""
    web_only: tuple[str, ...] = ()
    """Allowed hosts, including their subdomains; empty allows all hosts."""
    web_never: tuple[str, ...] = ()
    web_at_home: tuple[str, ...] = ()  # Allowed hosts in the user's local network
    deep_tokens: int = 300_000
    """The token limit of deep research; no request is sent that could exceed it."""
    deep_cents: int = 100  # The limit in US cents, if the price is known; 0 means no limit
    deep_searches: int = 20
    deep_fetches: int = 24
    deep_minutes: int = 20
    own_end_phrases: tuple[str, ...] = ()
    own_new_topic_phrases: tuple[str, ...] = ()
    ignored_phrases: tuple[str, ...] = ()
    shortcuts: Mapping[str, str] = field(default_factory=dict)

    def request_limit(self, context_tokens: int) -> int:
        """Return how many tokens a request may have."""
        limit = int(context_tokens * self.overflow_share)
        return limit // 2 if self.is_lite else limit


SHARED_FIELDS = frozenset(
    (
        "language",
        "theme",
        "zoom_percent",
        "font_family",
        "text_width",
        "line_spacing",
        "has_tray",
        "closes_to_tray",
        "starts_with_system",
        "quick_key",
        "notifies",
        "shortcuts",
        "welcomed",
        "last_profile",
    )
)
"""The settings of the machine, which are the same in all profiles."""
