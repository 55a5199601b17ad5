"""What a tool is: its name, what it takes, what it does; its words stand in the texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.model import JsonValue, ToolSpec
from desktop.research.passages import Passage
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import Fields

_OF_PROGRAMS = frozenset({"date_time"})


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: str = "string"
    """A type of JSON schema."""
    choices: Sequence[str] = ()
    within: range | None = None
    is_required: bool = False
    is_free_text: bool = True
    """Its words may carry out what a read text orders."""

    def schema(self, description: str) -> dict[str, JsonValue]:
        schema: dict[str, JsonValue] = {"type": self.kind, "description": description}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.within is not None:
            schema["minimum"], schema["maximum"] = self.within.start, self.within.stop - 1
        return schema


@dataclass(slots=True)
class WebUse:
    """What one turn has had of the web, also where its answer is written again."""

    searches: int = 0
    fetches: int = 0
    found: set[str] = field(default_factory=set)
    """Addresses that its searches found."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Calling:
    """Where a tool is called: what was said there, and how passages that it finds are numbered."""

    session_id: SessionId
    messages: Sequence[Message]
    first_number: int
    texts: Texts
    beside: Sequence[SessionId] = ()
    """Past sessions that the user put beside this one."""
    is_temporary: bool = False
    """Of such a session nothing is kept."""
    web_use: WebUse = field(default_factory=WebUse)
    has_evidence: bool = False
    """Whether the model has read text of others for this answer."""
    stop: Callable[[], bool] = _never
    """Whether nobody waits for it any more."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the model is told of a call."""

    text: str
    passages: Sequence[Passage] = ()
    """In the text, numbered from the calling's `first_number`: they can be cited."""
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
    run: Callable[[Fields, Calling], Told]
    is_allowed: Callable[[Settings], bool]
    """By what the user has set otherwise: without memory, no memory tools."""
    is_of_memory: bool = False
    is_of_web: bool = False
    """This computer reaches out: not where the model's endpoint does so by itself."""
    is_unguarded: bool = False
    """Needs no permission after evidence was read: it checks its arguments itself, or it reaches
    nobody and reads nothing that the user did not hand over."""
    opens: str = ""
    """The parameter that names the source to open, of a tool that opens one."""
    is_spared: bool = False
    """A model with little room does without: telling of it would take more than it gives."""

    @property
    def has_telling_name(self) -> bool:
        """Whether nobody writes it by chance: not a plain word, nor what programs often say."""
        return "_" in self.name and self.name not in _OF_PROGRAMS

    def free_text(self, given: Mapping[str, JsonValue]) -> str:
        """The words of a call that a read text may have chosen."""
        names = [one.name for one in self.parameters if one.is_free_text and not one.choices]
        return " ".join(said for name in names if isinstance(said := given.get(name), str))

    def spec(self, texts: Texts) -> ToolSpec:
        """As the model is told of it, in the language of its instructions."""
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
