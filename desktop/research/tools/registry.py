"""The tools that a model may call: their definitions, which ones are on, and how to run one.

The texts hold their descriptions. An error in a tool is returned to the model; nothing here ends a
turn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.errors import AppError
from desktop.domain.ids import AttachedId, SessionId
from desktop.domain.json_values import JsonValue, object_schema
from desktop.domain.messages import Message
from desktop.domain.model import ToolCall, ToolSpec
from desktop.domain.projects import Wall
from desktop.research.passages import Passage
from desktop.research.web.rate_limiting import Stop, never
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings, ToolSwitch
from desktop.settings.toml_fields import FieldInvalidError, Fields

_SUMMARY_LENGTH = 80
_OF_PROGRAMS = frozenset({"date_time"})


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


@dataclass(slots=True)
class WebUse:
    """How often one turn has used the web, including answers that are written again."""

    searches: int = 0
    fetches: int = 0
    found: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The session and turn in which a tool is called."""

    session_id: SessionId
    wall: Wall
    messages: Sequence[Message]
    first_number: int
    texts: Texts
    beside: Sequence[AttachedId] = ()
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
    is_allowed: Callable[[Settings], bool] = lambda _: True
    """By the user's other settings: without memory, no memory tools."""
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

    @property
    def has_telling_name(self) -> bool:
        """Whether the name is no ordinary word, so that it never occurs by chance."""
        return "_" in self.name and self.name not in _OF_PROGRAMS

    def free_text(self, given: Mapping[str, JsonValue]) -> str:
        """Return the words of a call that a read text may have chosen."""
        names = [one.name for one in self.parameters if one.is_free_text and not one.choices]
        return " ".join(said for name in names if isinstance(said := given.get(name), str))

    def spec(self, texts: Texts) -> ToolSpec:
        told = f"tools.{self.name}"
        schema = object_schema(
            **{one.name: one.schema(texts.say(f"{told}_{one.name}")) for one in self.parameters}
        )
        schema["required"] = [one.name for one in self.parameters if one.is_required]
        return ToolSpec(self.name, texts.say(f"{told}_told"), schema)


@dataclass(frozen=True, slots=True)
class ListedTool:
    name: str
    purpose: str
    parameters: Sequence[str]


@dataclass(frozen=True, slots=True)
class ToolRegistry:
    tools: Sequence[Tool]
    settings: Callable[[], Settings]
    wall: Wall | None = None  # Of the session that they are for

    def for_session(
        self,
        wall: Wall,
        *,
        is_temporary: bool,
        is_web_served: bool = False,
        is_small: bool = False,
    ) -> "ToolRegistry":
        """Return the tools of a session; a temporary one neither reads nor writes memory.

        `is_web_served`: the model's endpoint searches by itself; `is_small`: its context is small.
        """
        useful = [
            tool
            for tool in self.tools
            if not (tool.is_of_memory and is_temporary)
            and not (tool.is_of_web and is_web_served)
            and not (tool.is_spared and is_small)
        ]
        return replace(self, tools=useful, wall=wall)

    def listed(self, texts: Texts) -> list[ListedTool]:
        return [
            ListedTool(
                one.name, texts.say(f"tools.{one.name}"), [each.name for each in one.parameters]
            )
            for one in self.tools
        ]

    def offered(self, texts: Texts) -> tuple[ToolSpec, ...]:
        """Return the tools that are on, in a stable order: they are in the cached prefix."""
        return tuple(tool.spec(texts) for tool in self._on())

    def is_on(self, name: str) -> bool:
        return self.tool(name) is not None

    def asks_first(self, name: str) -> bool:
        return self._switch(name).asks_first and self.is_on(name)

    def tool(self, name: str) -> Tool | None:
        return next((one for one in self._on() if one.name == name), None)

    def run(self, call: ToolCall, context: ToolContext) -> ToolOutput:
        tool = self.tool(call.name)
        if tool is None:
            names = ", ".join(one.name for one in self._on())
            return context.error("unknown", name=call.name, names=names)
        if call.input is None:
            return context.error("no_json")
        # Models write null, or an empty text, to omit a parameter.
        given = {name: value for name, value in call.input.items() if value not in (None, "")}
        wrong = given.keys() - {one.name for one in tool.parameters}
        wrong |= {
            one.name
            for one in tool.parameters
            if one.choices and given.get(one.name, one.choices[0]) not in one.choices
        }
        if wrong:
            return context.error("wrong_parameter", name=min(wrong))
        try:
            return tool.run(Fields(given), context)
        except FieldInvalidError as exc:
            return context.error("wrong_parameter", name=exc.place)
        except AppError as exc:
            return context.error("failed", why=context.texts.error(exc))

    def _on(self) -> list[Tool]:
        settings = self.settings()
        return [
            tool
            for tool in self.tools
            if tool.is_allowed(settings) and self._switch(tool.name).is_on
            if self.wall is None or tool.is_useful(self.wall)
        ]

    def _switch(self, name: str) -> ToolSwitch:
        return self.settings().tools.get(name, ToolSwitch())


def summarize_call(call: ToolCall) -> str:
    """Return the first text argument of a call, in one short line for the user."""
    said = next((value for value in (call.input or {}).values() if isinstance(value, str)), "")
    written = " ".join(said.split())
    return written if len(written) <= _SUMMARY_LENGTH else f"{written[: _SUMMARY_LENGTH - 1]}…"
