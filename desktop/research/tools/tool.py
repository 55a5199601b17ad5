"""A tool of the model: name, parameters and function; the texts hold its descriptions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.model import JsonValue, ToolSpec
from desktop.research.passages import Passage
from desktop.research.web.rate_limiting import Stop, never
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import Fields

_OF_PROGRAMS = frozenset({"date_time"})


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    choices: Sequence[str] = ()
    within: range | None = None
    """Of whole numbers; a parameter without it is a text."""
    is_required: bool = False
    is_free_text: bool = True
    """Its words may carry out what a read text orders."""

    def schema(self, description: str) -> dict[str, JsonValue]:
        schema: dict[str, JsonValue] = {"type": "string", "description": description}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.within is not None:
            schema["type"] = "integer"
            schema["minimum"], schema["maximum"] = self.within.start, self.within.stop - 1
        return schema


@dataclass(slots=True)
class WebUse:
    """How often one turn has used the web, also where its answer is written again."""

    searches: int = 0
    fetches: int = 0
    found: set[str] = field(default_factory=set)
    """Addresses that its searches found."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The session and turn in which a tool is called."""

    session_id: SessionId
    messages: Sequence[Message]
    first_number: int
    texts: Texts
    beside: Sequence[SessionId] = ()
    """Past sessions that the user attached to this one."""
    is_temporary: bool = False
    """Nothing of such a session is stored."""
    web_use: WebUse = field(default_factory=WebUse)
    stop: Stop = never
    """Whether the turn was cancelled."""


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool returns to the model."""

    text: str
    passages: Sequence[Passage] = ()
    """In the text, numbered from the context's `first_number`: they can be cited."""
    is_error: bool = False
    evidence: Sequence[str] = ()
    """Texts of others in it, besides the passages."""
    listed: Sequence[str] = ()
    """Titles or addresses in it that the program found; each may be opened."""


@dataclass(frozen=True, slots=True)
class Tool:
    """`run` may raise FieldInvalidError for what it was given, and AppError for the world."""

    name: str
    parameters: Sequence[Parameter]
    run: Callable[[Fields, ToolContext], ToolOutput]
    is_allowed: Callable[[Settings], bool]
    """By the user's other settings: without memory, no memory tools."""
    is_of_memory: bool = False
    is_of_web: bool = False
    """Uses this computer's connection; not offered where the endpoint searches by itself."""
    is_unguarded: bool = False
    """Needs no permission after evidence was read: it checks its arguments itself, or it reaches
    nobody and reads nothing that the user did not hand over."""
    opens: str = ""
    """The parameter that names the source to open, of a tool that opens one."""
    is_spared: bool = False
    """Left out for a model with a small context."""

    @property
    def has_telling_name(self) -> bool:
        """Whether the name is no plain word, so that nobody writes it by chance."""
        return "_" in self.name and self.name not in _OF_PROGRAMS

    def free_text(self, given: Mapping[str, JsonValue]) -> str:
        """The words of a call that a read text may have chosen."""
        names = [one.name for one in self.parameters if one.is_free_text and not one.choices]
        return " ".join(said for name in names if isinstance(said := given.get(name), str))

    def spec(self, texts: Texts) -> ToolSpec:
        """The description for the model, in the language of its instructions."""
        told = f"tools.{self.name}"
        properties: Mapping[str, JsonValue] = {
            one.name: one.schema(texts.say(f"{told}_{one.name}")) for one in self.parameters
        }
        schema: dict[str, JsonValue] = {
            "type": "object",
            "properties": properties,
            "required": [one.name for one in self.parameters if one.is_required],
            "additionalProperties": False,
        }
        return ToolSpec(self.name, texts.say(f"{told}_told"), schema)
