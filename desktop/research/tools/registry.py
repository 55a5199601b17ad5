"""The tools that a model may call: which are on, which need permission, and how one is run.

An error in a tool is returned to the model; nothing here ends a turn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop.domain.errors import AppError
from desktop.domain.model import ToolCall, ToolSpec
from desktop.research.tools.tool import Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings, ToolSwitch
from desktop.settings.toml_fields import FieldInvalidError, Fields

_SUMMARY_LENGTH = 80


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as the user sees it."""

    name: str
    purpose: str
    parameters: Sequence[str]
    switch: ToolSwitch


@dataclass(frozen=True, slots=True)
class ToolRegistry:
    tools: Sequence[Tool]
    settings: Callable[[], Settings]

    def for_session(
        self, *, is_temporary: bool, is_web_served: bool = False, is_small: bool = False
    ) -> "ToolRegistry":
        """A temporary session neither reads memory nor writes it.

        `is_web_served`: the model's endpoint searches by itself; `is_small`: its context is small.
        """
        useful = [
            tool
            for tool in self.tools
            if not (tool.is_of_memory and is_temporary)
            and not (tool.is_of_web and is_web_served)
            and not (tool.is_spared and is_small)
        ]
        return replace(self, tools=useful)

    def listed(self, texts: Texts) -> list[ListedTool]:
        """All of them, in their order."""
        return [
            ListedTool(
                tool.name,
                texts.say(f"tools.{tool.name}"),
                [one.name for one in tool.parameters],
                self._switch(tool.name),
            )
            for tool in self.tools
        ]

    def offered(self, texts: Texts) -> tuple[ToolSpec, ...]:
        """Those that are on, always in the same order: they stand in the cached prefix."""
        return tuple(tool.spec(texts) for tool in self._on())

    def is_on(self, name: str) -> bool:
        return self.tool(name) is not None

    def asks_first(self, name: str) -> bool:
        return self._switch(name).asks_first and self.is_on(name)

    def tool(self, name: str) -> Tool | None:
        """None for one that is off or unknown."""
        return next((one for one in self._on() if one.name == name), None)

    def run(self, call: ToolCall, context: ToolContext) -> ToolOutput:
        texts = context.texts
        tool = self.tool(call.name)
        if tool is None:
            names = ", ".join(one.name for one in self._on())
            return _wrong(texts.say("tools.unknown", name=call.name, names=names))
        if call.input is None:
            return _wrong(texts.say("tools.no_json"))
        # Models write null, or nothing, where they mean that they leave it out.
        given = {name: value for name, value in call.input.items() if value not in (None, "")}
        unknown = given.keys() - {one.name for one in tool.parameters}
        if unknown:
            return _wrong(texts.say("tools.wrong_parameter", name=min(unknown)))
        try:
            return tool.run(Fields(given), context)
        except FieldInvalidError as exc:
            return _wrong(texts.say("tools.wrong_parameter", name=exc.place))
        except AppError as exc:
            return _wrong(texts.say("tools.failed", why=texts.error(exc)))

    def _on(self) -> list[Tool]:
        settings = self.settings()
        return [
            tool
            for tool in self.tools
            if tool.is_allowed(settings) and self._switch(tool.name).is_on
        ]

    def _switch(self, name: str) -> ToolSwitch:
        return self.settings().tools.get(name, ToolSwitch())


def summarize_call(call: ToolCall) -> str:
    """The first text argument of a call, in one short line for the user."""
    given = (call.input or {}).values()
    return shorten(next((value for value in given if isinstance(value, str)), ""))


def shorten(words: str) -> str:
    written = " ".join(words.split())
    return written if len(written) <= _SUMMARY_LENGTH else f"{written[: _SUMMARY_LENGTH - 1]}…"


def _wrong(text: str) -> ToolOutput:
    return ToolOutput(text, is_error=True)
