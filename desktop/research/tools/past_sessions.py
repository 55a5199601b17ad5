"""A tool over past sessions: their passages, numbered so that the answer can cite them."""

from dataclasses import replace

from desktop.domain.routing import Recall
from desktop.domain.times import Period
from desktop.research.passages import told_block
from desktop.research.session_retrieval import Recalling
from desktop.research.tools.memory_tools import SINCE, UNTIL, moment
from desktop.research.tools.tool import Calling, Parameter, Told, Tool
from desktop.settings.toml_fields import Fields


def recall_tool(recalling: Recalling) -> Tool:
    def recall(given: Fields, calling: Calling) -> Told:
        since, until = moment(given, "since"), moment(given, "until", is_end=True)
        period = Period(since, until) if since or until else None
        asked = Recall("", given.text_or_empty("words"), period)
        found = recalling.recollect(asked)
        passages = [
            replace(one, number=number)
            for number, one in enumerate(found.passages, start=calling.first_number)
        ]
        numbered = replace(found, passages=passages)
        return Told(told_block(numbered, calling.texts), passages)

    return Tool(
        "recall",
        (Parameter("words"), SINCE, UNTIL),
        recall,
        lambda settings: settings.uses_past_sessions,
    )
