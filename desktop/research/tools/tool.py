"""A tool that a model may call: one record of its name, parameters, limits and function.

Its texts are in the core's texts under `tools`: `NAME_label` is its name for the user, `NAME` what
it does, `NAME_did` what it did; `NAME_told` describes it to the model, `NAME_PARAMETER` each
parameter. An error in a tool is returned to the model; nothing here ends a turn.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.domain.ids import AttachedId, SessionId
from desktop.domain.json_values import JsonValue, object_schema
from desktop.domain.messages import Message
from desktop.domain.model import ToolSpec
from desktop.domain.outside_tools import OutsideTool
from desktop.domain.projects import Wall
from desktop.research.passages import Passage
from desktop.research.security import escape_markup, without_hidden_letters
from desktop.research.web.rate_limiting import Stop, never
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import Fields

if TYPE_CHECKING:
    from desktop.domain.times import Clock
    from desktop.language.intents import PhraseLists
    from desktop.memory.memory import Memory
    from desktop.recall.search import Search
    from desktop.research.web.web import Web
    from desktop.storage.archive import Archive


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolServices:
    """What tools may be built from."""

    archive: "Archive"
    search: "Search"
    memory: "Memory"
    phrases: Callable[[], "PhraseLists"]
    settings: Callable[[], Settings]
    settings_in: Callable[[Wall], Settings]
    now: "Clock"
    web: "Web | None" = None


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    choices: Sequence[str] = ()
    within: range | None = None  # The range of a whole number; a parameter without it is a text
    is_required: bool = False
    is_free_text: bool = True  # Its words may carry out instructions from a read text

    def schema(self, description: str) -> dict[str, JsonValue]:
        schema: dict[str, JsonValue] = {"type": "string", "description": description}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.within is not None:
            schema["type"] = "integer"
            schema["minimum"], schema["maximum"] = self.within.start, self.within.stop - 1
        return schema


WORDS = Parameter("words", is_required=True)


@dataclass(slots=True)
class WebUse:
    """How often one turn has used the web, including answers that are written again."""

    searches: int = 0
    fetches: int = 0
    addresses: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """The session and turn in which a tool is called."""

    session_id: SessionId
    wall: Wall
    messages: Sequence[Message]
    first_number: int
    texts: Texts
    attachments: Sequence[AttachedId] = ()
    is_temporary: bool = False
    web_use: WebUse = field(default_factory=WebUse)
    stop: Stop = never

    @property
    def stored_session_id(self) -> SessionId | None:
        return None if self.is_temporary else self.session_id

    def error(self, key: str, **values: str | float) -> "ToolOutput":
        return ToolOutput(self.texts.say(f"tools.{key}", **values), is_error=True)


@dataclass(frozen=True, slots=True)
class ToolOutput:
    text: str
    passages: Sequence[Passage] = ()
    """In the text, numbered from the context's `first_number`: they can be cited."""
    is_error: bool = False
    evidence: Sequence[str] = ()  # Untrusted texts in it, besides the passages
    listed: Sequence[str] = ()
    """Titles or addresses in it that the program found; each may be opened."""


@dataclass(frozen=True, slots=True)
class Tool:
    """`run` may raise FieldInvalidError for invalid arguments, and AppError for other failures.

    It never gets an unknown parameter, or a choice that is not offered.
    """

    name: str
    parameters: Sequence[Parameter]
    run: Callable[[Fields, ToolContext], ToolOutput]
    needs: Sequence[str] = ()  # Settings that must be on: without memory, no memory tools
    is_useful: Callable[[Wall], bool] = lambda _: True
    """By what is behind the wall of the session: without documents, no tools for them."""
    is_of_memory: bool = False
    is_of_web: bool = False
    """Uses this computer's connection; not offered if the endpoint searches by itself."""
    is_unguarded: bool = False
    """Needs no permission after evidence was read: it checks its arguments itself, or it reaches
    nobody and reads nothing that the user did not hand over."""
    opens: str = ""  # The parameter that names the source to open, if the tool opens one
    is_spared: bool = False  # Left out for a model with a small context
    has_common_name: bool = False  # Answers may contain it by chance, as they may any plain word
    outside: OutsideTool | None = None
    """What its server says of it, if it is from elsewhere: then its arguments go there unread."""

    @property
    def reaches_out(self) -> bool:
        """Whether a call may carry words away from this computer."""
        return self.is_of_web or self.outside is not None

    def free_text(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the words of a call that a read text may have chosen."""
        if self.outside is not None:
            return " ".join(_leaves(arguments))
        free = (each for each in self.parameters if each.is_free_text and not each.choices)
        values = (arguments.get(parameter.name) for parameter in free)
        return " ".join(value for value in values if isinstance(value, str))

    def spec(self, texts: Texts) -> ToolSpec:
        if self.outside is not None:
            return _outside_spec(self.outside, texts)
        key = f"tools.{self.name}_"
        schemas = {each.name: each.schema(texts.say(key + each.name)) for each in self.parameters}
        schema = object_schema(**schemas)
        schema["required"] = [each.name for each in self.parameters if each.is_required]
        return ToolSpec(self.name, texts.say(f"{key}told"), schema)


def _outside_spec(tool: OutsideTool, texts: Texts) -> ToolSpec:
    about = _harmless(tool.description)
    told = texts.say("tools.outside_told", server=tool.server, about=about)
    return ToolSpec(tool.full_name, told, _harmless(tool.parameters))


def _harmless(value: JsonValue) -> Any:  # Any: of the same kind
    """Return untrusted JSON without markup of a request and without hidden letters."""
    match value:
        case str():
            return escape_markup(without_hidden_letters(value))
        case Mapping():
            return {_harmless(name): _harmless(each) for name, each in value.items()}
        case list():
            return [_harmless(each) for each in value]
        case _:
            return value


def _leaves(value: JsonValue) -> Iterator[str]:
    match value:
        case Mapping():
            for each in value.values():
                yield from _leaves(each)
        case str():
            yield value
        case list():
            for each in value:
                yield from _leaves(each)
        case int() | float() if not isinstance(value, bool):
            yield str(value)
        case _:
            pass
