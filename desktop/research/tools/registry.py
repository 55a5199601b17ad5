"""The tools in the order in which the user sees them: which ones are on, and how one is run."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from desktop.domain.errors import AppError
from desktop.domain.json_values import JsonValue
from desktop.domain.model import ToolCall, ToolSpec
from desktop.domain.outside_tools import ToolConsent
from desktop.domain.projects import COMMON, Wall
from desktop.research.tools.calculator import CALCULATOR
from desktop.research.tools.date_tool import date_tool
from desktop.research.tools.memory_tools import (
    attachments_tool,
    memory_tools,
    recall_tool,
    statistics_tool,
    subject_tool,
    summary_tool,
)
from desktop.research.tools.reading_tools import library_tools, web_fetch_tool, web_search_tool
from desktop.research.tools.tool import Tool, ToolContext, ToolOutput, ToolServices
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings, ToolSwitch
from desktop.settings.toml_fields import FieldInvalidError, Fields

_SUMMARY_LENGTH = 80
_BUILDERS: Sequence[Callable[[ToolServices], Sequence[Tool]]] = (
    memory_tools,
    recall_tool,
    library_tools,
    web_search_tool,
    web_fetch_tool,
    lambda _: (CALCULATOR,),
    date_tool,
    statistics_tool,
    summary_tool,
    subject_tool,
    attachments_tool,
)
"""Each returns the tools of its group, or none if what they need is missing."""


def make_tools(services: ToolServices) -> "ToolRegistry":
    tools = tuple(chain.from_iterable(build(services) for build in _BUILDERS))
    return ToolRegistry(tools, services.settings_in)


@dataclass(frozen=True, slots=True)
class ToolRegistry:
    tools: Sequence[Tool]
    settings_in: Callable[[Wall], Settings]
    wall: Wall | None = None  # Of the session that they are for
    is_temporary: bool = False

    @property
    def telling_names(self) -> list[str]:
        """The names of tools that no answer contains by chance."""
        return [tool.name for tool in self.tools if "_" in tool.name and not tool.has_common_name]

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
        return replace(self, tools=useful, wall=wall, is_temporary=is_temporary)

    def with_outside(self, tools: Sequence[Tool]) -> "ToolRegistry":
        """Return these tools and those from elsewhere."""
        return replace(self, tools=(*self.tools, *tools))

    @property
    def outside_texts(self) -> list[str]:
        """What servers say of the tools from elsewhere that are on: untrusted."""
        tools = (tool.outside for tool in self._on() if tool.outside is not None)
        return [f"{tool.description}\n{json.dumps(tool.parameters)}" for tool in tools]

    def offered(self, texts: Texts) -> tuple[ToolSpec, ...]:
        """Return the tools that are on, in a stable order: they are in the cached prefix."""
        return tuple(tool.spec(texts) for tool in self._on())

    def is_on(self, name: str) -> bool:
        return self.tool(name) is not None

    def asks_first(self, name: str) -> bool:
        tool = self.tool(name)
        if tool is None:
            return False
        is_away = tool.outside is not None and self.is_temporary
        return is_away or _switch(tool, self._settings()).asks_first

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self._on() if tool.name == name), None)

    def run(self, call: ToolCall, context: ToolContext) -> ToolOutput:
        tool = self.tool(call.name)
        if tool is None:
            names = ", ".join(offered.name for offered in self._on())
            return context.error("unknown", name=call.name, names=names)
        if call.input is None:
            return context.error("no_json")
        return self._run(tool, call.input, context)

    def _run(self, tool: Tool, given: Mapping[str, JsonValue], context: ToolContext) -> ToolOutput:
        # Models write null, or an empty text, to omit a parameter.
        arguments = {name: value for name, value in given.items() if value not in (None, "")}
        choices = {parameter.name: parameter.choices for parameter in tool.parameters}
        wrong = {
            name
            for name, value in arguments.items()
            if tool.outside is None
            if name not in choices or (choices[name] and value not in choices[name])
        }
        if wrong:
            return context.error("wrong_parameter", name=min(wrong))
        try:
            return tool.run(Fields(arguments), context)
        except FieldInvalidError as exc:
            return context.error("wrong_parameter", name=exc.place)
        except AppError as exc:
            return context.error("failed", why=context.texts.error(exc))

    def _on(self) -> list[Tool]:
        settings = self._settings()
        return [
            tool
            for tool in self.tools
            if all(getattr(settings, need) for need in tool.needs)
            if _switch(tool, settings).is_on
            if self.wall is None or tool.is_useful(self.wall)
        ]

    def _settings(self) -> Settings:
        return self.settings_in(self.wall or COMMON)


def _switch(tool: Tool, settings: Settings) -> ToolSwitch:
    if tool.outside is None:
        return settings.tools.get(tool.name, ToolSwitch())
    consent = tool.outside.consent(settings.tool_servers)
    is_on = consent in (ToolConsent.ASK, ToolConsent.ALLOWED)
    return ToolSwitch(is_on, asks_first=consent is not ToolConsent.ALLOWED)


def summarize_call(call: ToolCall) -> str:
    """Return the first text argument of a call, in one short line for the user."""
    text = next((value for value in (call.input or {}).values() if isinstance(value, str)), "")
    written = " ".join(text.split())
    return written if len(written) <= _SUMMARY_LENGTH else f"{written[: _SUMMARY_LENGTH - 1]}…"
