"""The user's settings as typed values, each declared once; `store.py` reads and writes them."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from desktop.domain.endpoints import (
    Endpoint,
    ModelChoice,
    ModelRole,
    RoleParameters,
    is_on_this_computer,
)
from desktop.domain.facts import Retention
from desktop.domain.frozen import dataclass
from desktop.domain.outside_tools import ToolServer


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


class ClaimChecks(StrEnum):
    """Which answers have their claims judged by a model, once they are complete."""

    ALWAYS = "always"
    RESEARCH = "research"  # Only those of Research and Deep
    ON_REQUEST = "on_request"
    NEVER = "never"  # The rules do not look at them, either


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
LONGEST_PERSONA = 4_000
DIGITS = 4  # Decimal places of a number that is not whole

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """What the file, `bellek config`, the pages of the settings and their search know of a field.

    The type is that of the default. The words are in `resources/texts/settings_*.toml`.
    """

    section: str = ""
    """The page and its section ("general desktop") with a row for it; rows are in the order of
    the fields. Empty: it has no row.
    """
    _: KW_ONLY
    is_close: bool = False  # Whether its row follows the row above without a gap
    explains_choices: bool = False  # Whether each choice is a button with a sentence below
    needs: str = ""  # The switch without which it has no effect
    is_listed: bool = True  # Whether the search lists it, if it has a row
    is_shared: bool = False  # Whether it is the same in all profiles: a setting of the machine
    choices: tuple[str, ...] = ()  # What a page offers for a text
    longest: int = 0  # The most characters of a text; 0 means no limit
    pattern: str = ""  # What a text has to match, unless it is empty
    former: tuple[str, ...] = ()  # Earlier names, which old files may have


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Setting):
    """A whole number, if its step is one."""

    least: float
    most: float
    step: float = 1
    unit: float = 1  # What a page shows as 1
    has_zero: bool = False  # Whether 0 is allowed, too, although it is below the least
    is_money: bool = False  # Cents

    def __contains__(self, number: float) -> bool:
        return self.least <= number <= self.most or (number == 0 and self.has_zero)

    @property
    def is_whole(self) -> bool:
        return isinstance(self.step, int)

    @property
    def whole(self) -> range:
        """Return the numbers, if they are whole."""
        return range(int(self.least), int(self.most) + 1)


def setting(default: T, about: Setting) -> T:
    """Declare a field of `Settings`."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True, slots=True)
class Settings:
    language: UiLanguage = setting(UiLanguage.SYSTEM, Setting("general", is_shared=True))
    theme: Theme = setting(Theme.SYSTEM, Setting("general", is_shared=True))
    zoom_percent: int = setting(
        100, Number("general", least=50, most=300, step=10, is_shared=True)
    )
    font_family: str = setting("", Setting("general", is_shared=True))
    """Of the transcript; empty: the system's."""
    text_width: TextWidth = setting(TextWidth.MEDIUM, Setting("general", is_shared=True))
    line_spacing: LineSpacing = setting(LineSpacing.NORMAL, Setting("general", is_shared=True))
    is_list_compact: bool = setting(False, Setting("general", is_shared=True))
    """Whether the list of sessions has one line for each."""
    notifies: bool = setting(True, Setting("general desktop", is_shared=True))
    """Whether the system notifies of a long answer while another program is in front."""
    has_tray: bool = setting(False, Setting("general desktop", is_close=True, is_shared=True))
    closes_to_tray: bool = setting(
        False, Setting("general desktop", is_close=True, needs="has_tray", is_shared=True)
    )
    starts_with_system: bool = setting(
        False, Setting("general desktop", is_close=True, needs="has_tray", is_shared=True)
    )
    quick_key: str = setting(
        "",
        Setting(
            "general desktop",
            choices=(
                "",
                "Ctrl+Alt+Space",
                "Ctrl+Shift+Space",
                "Meta+Space",
                "Ctrl+Alt+B",
                "Meta+B",
            ),
            is_shared=True,
        ),
    )
    """The key that opens the quick window from any program; empty: none."""
    lock_minutes: int = setting(15, Number("general desktop", least=0, most=1_440))
    """Minutes without input until an encrypted profile is locked; 0 means never."""
    suggests_sessions: bool = setting(True, Setting("general past"))
    searches_by_meaning: bool = setting(True, Setting("general past", is_close=True))
    keeps_searches: bool = setting(True, Setting("general past", is_close=True))
    copies_documents: bool = setting(False, Setting("general library"))
    """Whether a copy of each document that is added to the library is kept in the profile."""
    reads_pictures: bool = setting(True, Setting("general library", is_close=True))
    """Whether OCR reads the pictures of messages in the background."""
    shortcuts: Mapping[str, str] = field(
        default_factory=dict, metadata={"about": Setting(is_shared=True)}
    )
    welcomed: bool = setting(False, Setting(is_shared=True))
    last_profile: str = setting("", Setting(is_shared=True))
    """The profile of the last closed window, if it is not the default one."""

    endpoints: tuple[Endpoint, ...] = ()
    roles: Mapping[ModelRole, ModelChoice] = field(default_factory=dict)
    """A role that is missing uses the answering role's choice; without that, no model.

    The program's own models do what `EMBEDDING` is for if that is missing.
    """
    parameters: Mapping[ModelRole, RoleParameters] = field(default_factory=dict)
    """A role that is missing uses the usual ones."""
    embeds_elsewhere: bool = setting(False, Setting("models meaning", is_close=True))
    """Whether the texts of the archive may leave this computer for the search by meaning."""

    idle_minutes: int = setting(30, Number("sessions ending", least=1, most=7 * 24 * 60, step=5))
    detects_thanks: bool = setting(True, Setting("sessions ending"))
    detects_subject_change: bool = setting(True, Setting("sessions ending"))
    own_end_phrases: tuple[str, ...] = ()
    own_new_topic_phrases: tuple[str, ...] = ()
    ignored_phrases: tuple[str, ...] = ()
    overflow_share: float = setting(
        0.8, Number("sessions long", least=0.1, most=0.95, step=0.05, unit=0.01)
    )
    """Share of the model's context at which `overflow` acts."""
    overflow: Overflow = setting(
        Overflow.SUMMARISE, Setting("sessions long", explains_choices=True)
    )
    describes_with_model: bool = setting(
        True, Setting("sessions description", explains_choices=True)
    )
    import_tokens: int = setting(
        0,
        Number(
            "sessions description",
            is_close=True,
            needs="describes_with_model",
            least=0,
            most=1_000_000_000,
            step=50_000,
        ),
    )
    """Token limit for describing imported sessions; 0 keeps the extracted descriptions."""
    diary: DiaryMode = setting(DiaryMode.FULL, Setting("sessions diary"))
    recalls_whole_diary: bool = setting(False, Setting("sessions diary"))
    housekeeping: Consent = setting(Consent.ASK, Setting("sessions old"))
    background_tokens: int = setting(
        0, Number("sessions background", least=0, most=1_000_000_000, step=50_000)
    )
    """The most tokens a day for requests that nobody asked for by hand; 0 means no limit."""
    background_cents: int = setting(
        0,
        Number(
            "sessions background",
            is_close=True,
            least=0,
            most=100_000,
            step=10,
            unit=100,
            is_money=True,
        ),
    )
    """The same in US cents, of requests whose price is known."""
    """Whether old sessions are archived and summarised; the plan is shown before that."""

    uses_memory: bool = setting(True, Setting("memory facts"))
    uses_past_sessions: bool = setting(True, Setting("memory facts"))
    """Whether a request may contain facts and passages from other sessions."""
    uses_patterns: bool = setting(True, Setting("memory facts"))
    """Whether patterns of the archive are found; if off, they are deleted."""
    is_lite: bool = setting(False, Setting("memory amount"))
    """Whether requests contain half as much, with at most two facts."""
    history_items: int = setting(20, Number("memory amount", least=4, most=200))
    """The number of newest messages that are always sent word for word."""
    recalled_items: int = setting(6, Number("memory amount", least=0, most=6))
    """The most passages that automatic recall adds to a request; 0 turns it off."""
    compact_after: int = setting(0, Number("memory amount", least=30, most=80, has_zero=True))
    """The number of messages per compact; 0 derives it from the model's context."""
    variables: Mapping[str, str] = field(default_factory=dict)
    retention: tuple[Retention, ...] = ()
    """Topics with their own time in short-term memory; the first match applies."""

    persona: str = setting(USUAL_PERSONA, Setting("instructions assistant"))
    """The name of a character in the resources, or `own`."""
    own_persona: str = setting("", Setting("instructions assistant", longest=LONGEST_PERSONA))
    checks_answers: bool = setting(True, Setting("instructions assistant"))
    instructions: tuple[StandingInstruction, ...] = ()

    uses_web: bool = setting(False, Setting("research web"))
    """The main switch; when it is off, no web address is contacted."""
    uses_endpoint_web: bool = setting(True, Setting("research web"))
    """Whether a model's endpoint searches and reads with its own tools, if it has any."""
    web_search: WebSearch = setting(WebSearch.DDGS, Setting("research web", explains_choices=True))
    searxng_address: str = setting("", Setting("research web"))
    web_only: tuple[str, ...] = setting((), Setting("research sites"))
    """Allowed hosts, including their subdomains; empty allows all hosts."""
    web_never: tuple[str, ...] = setting((), Setting("research sites"))
    web_at_home: tuple[str, ...] = setting((), Setting("research sites"))
    """Allowed hosts in the user's local network."""
    uses_literature: bool = setting(False, Setting("research literature"))
    """The main switch; when it is off, no service of literature is contacted."""
    uses_openalex: bool = setting(
        True, Setting("research literature", is_close=True, needs="uses_literature")
    )
    uses_crossref: bool = setting(
        True, Setting("research literature", is_close=True, needs="uses_literature")
    )
    uses_europe_pmc: bool = setting(
        True, Setting("research literature", is_close=True, needs="uses_literature")
    )
    uses_arxiv: bool = setting(
        True, Setting("research literature", is_close=True, needs="uses_literature")
    )
    uses_trdizin: bool = setting(
        True, Setting("research literature", is_close=True, needs="uses_literature")
    )
    uses_dergipark: bool = setting(
        True, Setting("research literature", is_close=True, needs="uses_literature")
    )
    uses_semantic_scholar: bool = setting(
        True, Setting("research literature", is_close=True, needs="uses_literature")
    )
    checks_retractions: bool = setting(
        False, Setting("research literature", needs="uses_literature")
    )
    """Whether a daily task looks for marks of works in the library and in answers."""
    literature_mail: str = setting(
        "",
        Setting(
            "research literature",
            needs="uses_literature",
            pattern=r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+",
        ),
    )
    """Sent to Crossref, which answers those sooner who leave an address; empty: none."""
    openalex_address: str = setting("https://api.openalex.org", Setting())
    """Of a service of literature: itself, a mirror, or a proxy that the user's library has."""
    crossref_address: str = setting("https://api.crossref.org", Setting())
    europe_pmc_address: str = setting(
        "https://www.ebi.ac.uk/europepmc/webservices/rest", Setting()
    )
    arxiv_address: str = setting("https://export.arxiv.org/api", Setting())
    trdizin_address: str = setting("https://search.trdizin.gov.tr/api", Setting())
    dergipark_address: str = setting("https://dergipark.org.tr/api/public/oai", Setting())
    semantic_scholar_address: str = setting("https://api.semanticscholar.org/graph/v1", Setting())
    zotero_address: str = setting("http://localhost:23119", Setting(is_shared=True))
    """Of Zotero's local API; only this computer is contacted."""
    checks_claims: ClaimChecks = setting(
        ClaimChecks.RESEARCH, Setting("research claims", explains_choices=True)
    )
    claim_tokens: int = setting(
        40_000,
        Number(
            "research claims", is_close=True, least=5_000, most=1_000_000, step=5_000, unit=1_000
        ),
    )
    """The token limit of checking the claims of one answer; what is beyond it stays untested."""
    deep_tokens: int = setting(
        300_000, Number("research limits", least=2_000, most=10_000_000, step=10_000, unit=1_000)
    )
    """The token limit of deep research; no request is sent that could exceed it."""
    deep_cents: int = setting(
        100,
        Number(
            "research limits",
            is_close=True,
            is_listed=False,
            least=0,
            most=100_000,
            step=10,
            unit=100,
            is_money=True,
        ),
    )
    """The limit in US cents, if the price is known; 0 means no limit."""
    deep_searches: int = setting(
        20, Number("research limits", is_close=True, is_listed=False, least=0, most=200)
    )
    deep_fetches: int = setting(
        24, Number("research limits", is_close=True, is_listed=False, least=0, most=200)
    )
    deep_minutes: int = setting(
        20, Number("research limits", is_close=True, is_listed=False, least=1, most=240)
    )
    tools: Mapping[str, ToolSwitch] = field(default_factory=dict)
    """By tool name; a missing tool is on and does not ask first."""
    tool_servers: tuple[ToolServer, ...] = ()

    is_local_only: bool = setting(False, Setting("privacy reach"))
    """Whether nothing leaves this computer, whatever else is switched on: see `local_only`."""
    answers_programs: bool = setting(True, Setting("programs asking"))
    """Whether `bellek mcp` answers other programs."""
    takes_pages: bool = setting(False, Setting("programs browser"))
    """Whether the extension of a browser may deliver pages to the library."""
    backs_up: bool = setting(True, Setting("privacy backups"))
    backup_folder: str = setting("", Setting("privacy backups"))
    backup_days: int = setting(7, Number("privacy backups", least=1, most=90))
    """For how many days, weeks and months the last automatic backup of each is kept."""
    backup_weeks: int = setting(4, Number("privacy backups", is_close=True, least=0, most=52))
    backup_months: int = setting(12, Number("privacy backups", is_close=True, least=0, most=120))

    def own_choice(self, role: ModelRole) -> ModelChoice | None:
        """Return the model of a role; the checking role follows the summarising one."""
        own = self.roles.get(role)
        is_checking = role is ModelRole.CHECKING
        return own or (self.roles.get(ModelRole.SUMMARISING) if is_checking else None)

    def role_choice(self, role: ModelRole) -> ModelChoice | None:
        """Return the same, else the answering model; that makes no vectors."""
        own = self.own_choice(role)
        return own if role is ModelRole.EMBEDDING else own or self.roles.get(ModelRole.ANSWERING)

    def request_limit(self, context_tokens: int) -> int:
        """Return how many tokens a request may have."""
        limit = int(context_tokens * self.overflow_share)
        return limit // 2 if self.is_lite else limit


def local_only(settings: Settings) -> Settings:
    """Return the settings without all that reaches beyond this computer.

    Every model, and every part that contacts an address, reads its settings through this function
    where the profile or a project is on this computer only. Without a model of the answering role
    on this computer, the first endpoint here takes the role.
    """
    endpoints = tuple(filter(is_on_this_computer, settings.endpoints))
    ids = {endpoint.id for endpoint in endpoints}
    roles = {role: choice for role, choice in settings.roles.items() if choice.endpoint_id in ids}
    if endpoints:
        roles.setdefault(ModelRole.ANSWERING, ModelChoice(endpoints[0].id, ""))
    return replace(
        settings,
        endpoints=endpoints,
        roles=roles,
        uses_web=False,
        uses_endpoint_web=False,
        uses_literature=False,
        tool_servers=tuple(each for each in settings.tool_servers if each.is_on_this_computer),
        is_local_only=True,
    )


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {field.name: field.metadata.get("about", Setting()) for field in fields(Settings)}
)
SHARED_FIELDS = frozenset(name for name, about in SETTINGS.items() if about.is_shared)


def number_of(name: str) -> Number:
    """Return the range of a setting that is a number."""
    about = SETTINGS[name]
    if not isinstance(about, Number):
        raise KeyError(name)
    return about
