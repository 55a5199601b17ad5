"""Every tool that a model may be offered, in the order in which the user sees them."""

from dataclasses import dataclass

from desktop.memory.memory import Memory
from desktop.recall.search import Search
from desktop.research.session_retrieval import Recalling
from desktop.research.tiers.web_retrieval import Web
from desktop.research.tools.attached_sessions_tool import attachments_tool
from desktop.research.tools.calculator import calculator
from desktop.research.tools.date_tool import date_tool
from desktop.research.tools.library_tools import library_tools
from desktop.research.tools.memory_tools import memory_tools
from desktop.research.tools.past_sessions import recall_tool
from desktop.research.tools.statistics_tool import statistics_tool
from desktop.research.tools.tool import Tool
from desktop.research.tools.web_tools import web_tools
from desktop.sessions.assistant_context import Surroundings
from desktop.storage.archive import Archive


@dataclass(frozen=True, slots=True)
class ToolShelf:
    archive: Archive
    search: Search
    memory: Memory
    recalling: Recalling
    around: Surroundings
    web: Web | None
    """None: there is no way to the web here at all."""

    def tools(self) -> tuple[Tool, ...]:
        around = self.around
        web = web_tools(self.web, self.archive, around.phrases) if self.web else ()
        return (
            *memory_tools(self.memory, lambda: around.phrases().stop_words),
            recall_tool(self.recalling),
            *library_tools(self.archive, self.search),
            *web,
            calculator(),
            date_tool(around.now),
            statistics_tool(self.archive, around.settings, around.now),
            attachments_tool(self.archive),
        )
