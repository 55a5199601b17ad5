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


class Overflow(StrEnum):
    """What happens to a session that grows too long for the model."""

    SUMMARISE = "summarise"
    KEEP_LAST = "keep_last"
    END = "end"


class Consent(StrEnum):
    """Whether the user lets something be done that changes what lists show."""

    ASK = "ask"
    ON = "on"
    OFF = "off"


class WebSearch(StrEnum):
    """Who searches the web if the endpoint does not do it itself."""

    DDGS = "ddgs"
    """Public search engines, one after another, through the library of that name."""
    SEARXNG = "searxng"
    """A SearXNG of the user's choice."""


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


@dataclass(frozen=True, slots=True)
class Settings:
    language: UiLanguage = UiLanguage.SYSTEM
    theme: Theme = Theme.SYSTEM
    zoom_percent: int = 100
    welcomed: bool = False
    """Whether the first-run welcome was shown."""

    endpoints: tuple[Endpoint, ...] = ()
    roles: Mapping[ModelRole, ModelChoice] = field(default_factory=dict)
    """A role that is missing uses the answering role's choice; without that, no model."""
    parameters: Mapping[ModelRole, RoleParameters] = field(default_factory=dict)
    """A role that is missing uses the usual ones."""

    idle_minutes: int = 30
    overflow: Overflow = Overflow.SUMMARISE
    overflow_share: float = 0.8
    """Share of the model's context at which `overflow` acts."""
    detects_thanks: bool = True
    detects_subject_change: bool = True
    describes_with_model: bool = True
    """Whether ended sessions are described by the summarising model, or by extraction only."""
    import_tokens: int = 0
    """How many tokens may be spent on describing imported sessions; 0: they stay as extracted."""
    housekeeping: Consent = Consent.ASK
    """Whether old sessions are archived and summarised; the plan is shown before that."""
    suggests_sessions: bool = True
    """Whether past sessions that bear on a draft are shown above it."""
    searches_by_meaning: bool = True
    """Whether a model on this computer looks for meanings; without it, words are looked for."""
    keeps_searches: bool = True
    """Whether past searches are offered again."""
    uses_memory: bool = True
    """Whether facts are remembered and go into requests."""
    uses_past_sessions: bool = True
    """Whether a request may carry what is remembered or found of other sessions."""
    history_items: int = 20
    """How many of the newest messages always go word for word."""
    compact_after: int = 0
    """How many messages one compact stands for; 0: as the model's context suggests."""
    is_lite: bool = False
    """Half of everything goes into a request, and two facts at most."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The user's own named values (field of work, units), for every request."""
    instructions: tuple[StandingInstruction, ...] = ()
    """For every session of the profile, in their order."""
    persona: str = USUAL_PERSONA
    """The name of a character in the resources, or `own`."""
    own_persona: str = ""
    """The user's own words for it."""
    checks_answers: bool = True
    """Whether an answer is looked over, and written once more where it has to be."""
    retention: tuple[Retention, ...] = ()
    """Topics with their own time in short-term memory; the first match counts."""
    tools: Mapping[str, ToolSwitch] = field(default_factory=dict)
    """By the tool's name; one that is missing is on and does not ask first."""
    uses_web: bool = False
    """The one switch: off, no address on the web is contacted."""
    uses_endpoint_web: bool = True
    """Whether a model's endpoint searches and reads by itself, where it has tools for it."""
    web_search: WebSearch = WebSearch.DDGS
    searxng_address: str = ""
    web_only: tuple[str, ...] = ()
    """Hosts that pages may be read from, with all that is under them; empty: from everywhere."""
    web_never: tuple[str, ...] = ()
    """Hosts that no page is read from."""
    web_at_home: tuple[str, ...] = ()
    """Hosts of the user's own network that may be read from all the same."""
    deep_tokens: int = 300_000
    """What deep research may spend at the most; nothing is sent that could go beyond."""
    deep_cents: int = 100
    """The same in US cents, where a price is known; 0: no limit."""
    deep_searches: int = 20
    deep_fetches: int = 24
    deep_minutes: int = 20
    own_end_phrases: tuple[str, ...] = ()
    own_new_topic_phrases: tuple[str, ...] = ()
    ignored_phrases: tuple[str, ...] = ()
    """Shipped phrases that the user removed."""
    shortcuts: Mapping[str, str] = field(default_factory=dict)
    """Action name to key sequence, where it differs from the shipped one."""
