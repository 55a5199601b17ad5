"""Asks the reader's leave for what a model wants to do, where a tool is set to ask first."""

from PySide6.QtCore import QObject

from desktop.domain.events import ToolCalled, ToolState
from desktop.ui.services import WindowServices
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.widgets.message_bar import BarAction, BarMessage, MessageBar

_KEY = "leave"


class ToolLeave(QObject):
    def __init__(self, strip: MessageBar, turns: TurnDisplay) -> None:
        super().__init__(strip)
        self._strip = strip
        self._services: WindowServices | None = None
        turns.tool_called.connect(self._show)
        turns.running_changed.connect(lambda _: strip.remove(_KEY))

    def attach(self, services: WindowServices) -> None:
        self._services = services

    def _show(self, called: ToolCalled) -> None:
        services = self._services
        if called.state is not ToolState.ASKING or services is None:
            self._strip.remove(_KEY)
            return

        def words() -> str:
            purpose = services.texts().say(f"tools.{called.name}")
            if called.is_from_evidence:
                said = self.tr("A text that was read, not you, seems to ask for this: {purpose}")
            else:
                said = self.tr("The model wants to use a tool: {purpose}")
            said = said.format(purpose=purpose)
            return f"{said} ({called.summary})" if called.summary else said

        def choices() -> tuple[BarAction, BarAction]:
            answer = services.assistant.answer_tool
            return (
                BarAction(self.tr("Allow"), lambda: answer(called.call_id, is_allowed=True)),
                BarAction(
                    self.tr("Don't allow"), lambda: answer(called.call_id, is_allowed=False)
                ),
            )

        self._strip.show_message(_KEY, BarMessage(words, choices, can_be_closed=False))
