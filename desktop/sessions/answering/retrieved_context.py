"""What goes with the request of an answer besides the session itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.domain.routing import Recall
from desktop.memory.active_memory_prompt import MemoryBlock
from desktop.research.passages import Passage, Recollection, beside_block, request_block
from desktop.sessions.answering.server_web_answer import Serving
from desktop.settings.messages import Texts


@dataclass(frozen=True, slots=True)
class Found:
    """What goes with a request besides the session itself."""

    asked: Recall | None
    recalled: Recollection
    beside: Sequence[Passage]
    """Numbered on from what was recalled."""
    memory: MemoryBlock
    known: str = ""
    """What the application itself knows of the question."""
    evidence: str = ""
    """What a research tier found, in words of its own."""
    evidence_passages: int = 0
    on_web: Sequence[Passage] = ()
    """What the endpoint found by itself for an answer that is written again."""

    def with_reason(self, reason: str) -> "Found":
        """Told what was wrong with the answer before."""
        return replace(self, known="\n\n".join(filter(None, (self.known, reason))))

    def with_web(self, serving: Serving, texts: Texts) -> "Found":
        """And what may be looked for on the web meanwhile."""
        evidence, on_web = serving.evidence(len(self.passages) + 1, texts)
        known = "\n\n".join(filter(None, (self.known, serving.instructions(texts))))
        return replace(self, known=known, evidence=evidence, on_web=on_web)

    @property
    def passages(self) -> Sequence[Passage]:
        return (*self.recalled.passages, *self.beside, *self.on_web)

    def block(self, texts: Texts) -> str:
        recalled = request_block(self.asked, self.recalled, texts) if self.asked else ""
        beside = beside_block(self.beside, texts)
        return "\n\n".join(filter(None, (recalled, beside, self.evidence)))
